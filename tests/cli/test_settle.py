"""`pitboss settle`: a supervisor types a disputed hand and reads what every wager comes to, or all that is wrong."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pitboss.cli.main import app
from tests.cli.hands import deuces_wild, four_card_prime, super_three_card, three_card_double_play, three_card_prime
from tests.cli.refusals import AGAINST_THE_RULES, MISSING, MISTYPED, REPORTED
from tests.cli.running import GAMES, Hand, Refusal, one_line, run, run_json

HANDS = {
    "three-card-prime": three_card_prime.HANDS,
    "deuces-wild": deuces_wild.HANDS,
    "super-three-card": super_three_card.HANDS,
    "four-card-prime": four_card_prime.HANDS,
    "three-card-double-play": three_card_double_play.HANDS,
}
COUNTED = (*MISSING, *MISTYPED, *AGAINST_THE_RULES)
MINI_ROYAL = "three-card-prime --dealer 'Qd 9h 4c' --seat 'As Ks Qs 2d | ante-play=10 prime=5 | play' --paytable PW/BB-1 --paytable PRW-1"
SEATS = {
    "three-card-prime": "--dealer 'Qd 9h 4c' --seat 'As Ks Qs 2d | ante-play=10 final-four=1 | play'",
    "deuces-wild": "--community 'Kd Jc 7s 6h' --seat '9h 9d 9c 9s 4d | ante-play-raise=5 bonus-jackpot=1 | play raise'",
    "super-three-card": "--dealer 'Qs 5c 2c' --seat 'As Ks 9d | ante-odds-play=5 twenty-one-plus-three=1 | play'",
    "four-card-prime": "--dealer 'Kd Jc 7s 6h 3c 2h' --seat '9h 9d 9c 9s 4d | ante-raise=5 four-card-jackpot=1 | raise=1'",
    "three-card-double-play": "--dealer 'Kd Jc 8s 6h 2c' --seat 'As Ks Qs 9h 9d 4c | high-low=10 super-3s=1 | high=As+Ks+Qs double=no'",
}


@pytest.mark.parametrize(
    ("game", "hand"),
    [pytest.param(game, hand, id=f"{game}: {hand.why}") for game, hands in HANDS.items() for hand in hands],
)
def test_a_tricky_hand_comes_to_what_the_documents_say(game: str, hand: Hand) -> None:
    answer = run_json(f"settle {game} {hand.typed} --json")
    lines = {f"{seat['seat']} {name}": line for seat in answer["seats"] for name, line in seat["wagers"].items()}
    expected = {key if key[0].isdigit() else f"1 {key}": value for key, value in hand.comes_to.items()}
    found = {key: (lines[key]["staked_cents"], lines[key]["paid_cents"], lines[key]["event"]) for key in expected}

    assert expected == found
    assert hand.jackpots == {
        name: (paid["from_fund_cents"], paid["from_house_cents"], paid["odd_cents"])
        for name, paid in answer.get("jackpots", {}).items()
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_ten_tricky_hands(game: str) -> None:
    assert len(HANDS[game]) >= 10


@pytest.mark.parametrize("game", GAMES)
def test_every_answer_has_its_fields_adds_up_and_says_why(game: str) -> None:
    for hand in HANDS[game]:
        for seat in run_json(f"settle {game} {hand.typed} --json")["seats"]:
            for line in seat["wagers"].values():
                assert {"staked_cents", "paid_cents", "net_cents", "event", "paytable", "because"} == line.keys() - {
                    "envy_cents"
                }
                assert line["net_cents"] == line["paid_cents"] - line["staked_cents"]
                assert line["because"]
                assert all({"clause", "ruling", "text"} == reason.keys() for reason in line["because"])
                assert line["paytable"] is not None or line["event"] is None
            assert seat["net_cents"] == sum(line["net_cents"] for line in seat["wagers"].values())


@pytest.mark.parametrize("game", GAMES)
def test_on_paper_the_same_dollars_stand_as_in_the_json(game: str) -> None:
    for hand in HANDS[game][:4]:
        result = run(f"settle {game} {hand.typed}")
        words = one_line(result.stdout)

        assert result.exit_code == 0, result.output
        for staked, paid, event in hand.comes_to.values():
            assert f"${staked // 100:,}.{staked % 100:02d} ${paid // 100:,}.{paid % 100:02d}" in words
            assert event is None or event in words


def test_an_envy_prize_is_named_inside_what_is_paid() -> None:
    envied = next(hand for hand in four_card_prime.HANDS if "two hands trigger" in hand.why)
    seats = run_json(f"settle four-card-prime {envied.typed} --json")["seats"]

    assert [10_000, 2500] == [seat["wagers"]["four-card-jackpot"]["envy_cents"] for seat in seats]


def test_paper_names_the_hands_the_clauses_and_where_the_jackpot_comes_from() -> None:
    shared = next(hand for hand in super_three_card.HANDS if "five identical aces" in hand.why)
    words = one_line(run(f"settle super-three-card {shared.typed}").stdout)

    assert "dealer Ah Ks 3d" in words
    assert "pair of suited aces" in words
    assert "(STC rule 6, player wins)" in words
    assert "shared by seats 1, 2" in words
    assert "$1,000.00 from the fund, $0.00 from the house" in words


@pytest.mark.parametrize(
    "typed",
    [
        MINI_ROYAL.replace("Qd 9h 4c", "Qd, 9h, 4c"),
        MINI_ROYAL.replace("Qd 9h 4c", "QD9H4C"),
        MINI_ROYAL.replace("As Ks Qs 2d", "AS kS qs 2D"),
        MINI_ROYAL.replace("As Ks Qs 2d", "A♠ K♠ Q♠ 2♦"),
        MINI_ROYAL.replace("As Ks", "1: As Ks"),
        MINI_ROYAL.replace("ante-play=10", "ante-play=$10.00"),
        MINI_ROYAL.replace("| play", "|   play=yes"),
        MINI_ROYAL.replace("| play", "|play=true"),
        MINI_ROYAL.replace("--paytable PW/BB-1", "--paytable ante-play=PW/BB-1"),
        MINI_ROYAL + " --reading play_when_not_qualified=pay",
        MINI_ROYAL + " --on 2024-01-31 --profile wa-commercial",
    ],
)
def test_there_are_many_ways_to_type_one_round(typed: str) -> None:
    assert run(f"settle {MINI_ROYAL} --json").stdout == run(f"settle {typed} --json").stdout


@pytest.mark.parametrize("tens", ["Th Td 4c", "10h 10d 4c"])
def test_a_ten_may_be_written_both_ways(tens: str) -> None:
    answer = run_json(
        f"settle super-three-card --decks 6 --dealer '9c Kd 2h' --seat '{tens} | ante-odds-play=10 | play' --paytable PT-FLT-STC-01 --json"
    )

    assert 5000 == answer["seats"][0]["wagers"]["ante-odds-play"]["paid_cents"]


@pytest.mark.parametrize("cards", ["As+Ks+Qs", "As,Ks,Qs", "AsKsQs"])
def test_a_high_hand_may_be_joined_in_three_ways(cards: str) -> None:
    typed = SEATS["three-card-double-play"].replace("As+Ks+Qs", cards)
    answer = run_json(f"settle three-card-double-play {typed} --paytable LWB-1 --paytable S3J-1 --meter 100 --json")

    assert 4500 == answer["seats"][0]["wagers"]["high-low"]["paid_cents"]


@pytest.mark.parametrize("refusal", [pytest.param(refusal, id=refusal.why) for refusal in COUNTED])
def test_a_refusal_says_all_in_one_message_and_by_its_exit_code(refusal: Refusal) -> None:
    result = run(f"settle {refusal.typed}")
    message = one_line(result.stderr)

    assert refusal.code == result.exit_code, result.output
    assert not result.stdout
    assert [words for words in refusal.says if words not in message] == [], message
    assert message.count("This round cannot be settled:") == (1 if refusal.code == 1 else 0)


@pytest.mark.parametrize("refusal", [pytest.param(refusal, id=refusal.why) for refusal in REPORTED])
def test_a_reported_refusal(refusal: Refusal) -> None:
    test_a_refusal_says_all_in_one_message_and_by_its_exit_code(refusal)


def test_a_refusal_as_json_is_one_line_with_every_problem() -> None:
    result = run("settle four-card-prime --seat '9h 9d 2s 9c 4d | ante-raise=5 four-card-jackpot=1' --json")
    problems = json.loads(result.stdout)["error"]

    assert 1 == result.exit_code
    assert 4 == len(problems)
    assert 1 == result.stdout.count("\n")


@pytest.mark.parametrize("game", GAMES)
def test_a_configuration_gives_tables_readings_and_meters(game: str, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(run(f"config {game} --on 2024-01-31").stdout, encoding="utf-8")
    by_file = run(f"settle --config {file} {SEATS[game]} --json")
    by_both = run(f"settle {game} --config {file} {SEATS[game]} --json")

    assert 0 == by_file.exit_code, by_file.output
    assert by_file.stdout == by_both.stdout


def test_what_is_typed_goes_over_the_configuration(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(run("config three-card-prime --on 2024-01-31").stdout, encoding="utf-8")
    not_qualified = "--dealer 'Jh 9c 4d' --seat '9s 8s 7d Kh | ante-play=10 | play'"
    beaten = "--dealer 'Td 9h 8c' --seat '9s 8s 7d Kc | ante-play=5 | play'"

    def paid(typed: str) -> int:
        answer = run_json(f"settle --config {file} {typed} --json")
        return int(answer["seats"][0]["wagers"]["ante-play"]["paid_cents"])

    # A straight against a dealer who does not qualify: the Ante pushes, Play is paid 2 to 1 either way.
    assert 4000 == paid(not_qualified) == paid(f"{not_qualified} --reading play_when_not_qualified=compare")
    # PW/BB-1 pays a beaten straight 4 to 1, PW/BB-3 pays it 2 to 1.
    assert 2500 == paid(beaten)
    assert 1500 == paid(f"{beaten} --paytable PW/BB-3")


def test_the_limits_of_the_configurations_day_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(run("config three-card-prime --on 2022-01-31").stdout, encoding="utf-8")
    result = run(f"settle --config {file} --dealer 'Qd 9h 4c' --seat 'As Ks Qs 2d | ante-play=301 | play'")

    assert 1 == result.exit_code
    assert "the largest single wager is $300.00" in one_line(result.stderr)


def test_a_configuration_of_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(run("config deuces-wild").stdout, encoding="utf-8")
    result = run(f"settle --config {file} {MINI_ROYAL}")

    assert 1 == result.exit_code
    assert "is of deuces-wild, not of three-card-prime" in one_line(result.stderr)


def test_a_configuration_that_is_not_there_is_refused(tmp_path: Path) -> None:
    result = run(f"settle --config {tmp_path / 'none.toml'} {MINI_ROYAL}")

    assert 2 == result.exit_code
    assert "cannot read" in one_line(result.stderr)


def test_a_configuration_that_is_no_toml_is_refused_for_that(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("garbage [", encoding="utf-8")
    result = run(f"settle --config {file} --dealer 'Qd 9h 4c' --seat 'As Ks Qs 2d | ante-play=10 | play'")

    assert result.exit_code in (1, 2)
    assert "not TOML" in one_line(result.stderr)


@pytest.mark.parametrize(
    "typed",
    [
        "three-card-prime --dealer 'Qd 9h 4c' --seat '²: As Ks Qs 2d | ante-play=10 | play' --paytable PW/BB-1",
        "four-card-prime --dealer 'Kd Jc 7s 6h 3c 2h' --seat '9h 9d 9c Ks 4d | ante-raise=10 | raise=²' --paytable Win-1 --paytable BB-1",
    ],
    ids=["seat", "raise"],
)
def test_a_digit_that_is_no_number_is_refused(typed: str) -> None:
    result = run(f"settle {typed}")

    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.exit_code in (1, 2)


@pytest.mark.parametrize(
    ("charset", "command"),
    [("ascii", "rules four-card-prime"), ("ascii", f"settle {MINI_ROYAL}"), ("cp1252", f"settle {MINI_ROYAL}")],
    ids=["rules, ascii", "settle, ascii", "settle, Windows"],
)
def test_paper_without_unicode_is_printed_too(charset: str, command: str) -> None:
    result = CliRunner(charset=charset).invoke(app, shlex.split(command))

    assert 0 == result.exit_code


def test_item_11_a_void_round_and_a_hand_turned_round_are_typed() -> None:
    void = run_json(f"settle {MINI_ROYAL} --void exposed-card --json")
    assert (void["void"], [seat["net_cents"] for seat in void["seats"]]) == ("exposed-card", [0])
    foul = "three-card-double-play --dealer '2c 3d 5c 7s 9c' --paytable LWB-1 --seat 'Tc 8d 4s Kc Kd 4h | high-low=5 |"
    turned = run_json(f"settle {foul} high=Tc+8d+4s double=no turned' --json")
    right = run_json(f"settle {foul} high=Kc+Kd+4h double=no' --json")
    first, second = (settled["seats"][0]["wagers"]["high-low"] for settled in (turned, right))
    assert first["paid_cents"] == second["paid_cents"]
    assert (first["because"][0]["ruling"], first["because"][1:]) == ("TDP-7", second["because"])


def test_fcp_5_one_person_on_two_seats_is_typed() -> None:
    seats = "--seat '4s 4h 4d 4c Kd | ante-raise=5 four-card-jackpot=1 | raise=1 person=Ann'"
    seats += " --seat 'As Qh 8d 6c 3c | ante-raise=5 four-card-jackpot=1 | raise=1 person=PERSON'"
    tables = "--paytable Win-1 --paytable BB-1 --paytable FCJ-1 --meter 10000"
    typed = f"settle four-card-prime --dealer '2d 3h 5c 7s 9c Jd' {seats} {tables} --json"
    paid = [
        run_json(typed.replace("PERSON", person))["seats"][1]["wagers"]["four-card-jackpot"]["paid_cents"]
        for person in ("Ann", "Bob")
    ]
    assert paid == [0, 1000]
