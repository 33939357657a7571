"""`pitboss strategy` and `pitboss best`: what they print, as text and as JSON, and what a mistyped command says."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.cli.running import one_line, run, run_json


def test_json_holds_the_lines_with_exact_figures_that_agree() -> None:
    told = run_json("strategy three-card-prime --paytable PW/BB-3 --json")
    odds = run_json("odds three-card-prime ante-play --paytable PW/BB-3 --json")

    assert odds[0]["ev"] == told["optimal_ev"]
    assert odds[0]["terms_hash"] == told["terms_hash"]
    assert Fraction(told["optimal_ev"]) == Fraction(told["ev"]) + Fraction(told["cost"])
    assert ["PW/BB-3"] == told["paytables"]
    assert told["recommended"] == told["lines"] == 2
    assert [1, 2] == [step["lines"] for step in told["steps"]]
    (decision,) = told["decisions"]
    assert "Play or fold?" == decision["question"]
    assert [("Q-6-4 or better", "play"), ("otherwise", "fold")] == [
        (line["words"], line["decision"]) for line in decision["lines"]
    ]
    assert 1 == sum(Fraction(line["share"]) for line in decision["lines"])


def test_the_text_shows_lines_expectation_cost_and_the_trade() -> None:
    told = run_json("strategy three-card-prime --json")
    result = run("strategy three-card-prime")

    assert 0 == result.exit_code
    for figure in (
        "Three Card Prime: ante-play PW/BB-1",
        "play_when_not_qualified = pay",
        "1 Q-6-4 or better play 67.4208%",
        "2 otherwise fold 32.5792%",
        told["ev"],
        told["cost"],
        "1 -0.071706038 4.2749%",
        "the fewest within 0.2% of the base wager",
    ):
        assert figure in one_line(result.output)


def test_fewer_lines_may_be_asked_for() -> None:
    told = run_json("strategy super-three-card --decks 8 --lines 3 --json")

    assert 8 == told["decks"]
    assert 3 == told["lines"] == len(told["decisions"][0]["lines"])
    assert told["recommended"] > 3
    assert Fraction(told["cost"]) > Fraction(2, 1000)


def test_readings_and_wagers_may_be_named() -> None:
    reading = "--paytable PW/BB-2 --reading bad_beat_flush_or_lower=as_printed"
    told = run_json(f"strategy three-card-prime ante-play {reading} --json")
    assert "as_printed" == told["readings"]["bad_beat_flush_or_lower"]
    # The misprint pays every hand that loses: nobody folds.
    assert ["play"] == [line["decision"] for line in told["decisions"][0]["lines"]]

    told = run_json("strategy deuces-wild five-card-fortune --json")
    assert ("five-card-fortune", ["FCF-A"]) == (told["wager"], told["paytables"])


def test_best_prints_the_value_of_every_decision_the_best_first() -> None:
    told = run_json('best super-three-card --player "Qs Qs" --up 7d --json')
    assert ["play", "surrender"] == [each["decision"] for each in told]
    assert [True, False] == [each["best"] for each in told]
    assert ("-1/1", "0/1") == (told[1]["ev"], told[0]["cost"])
    assert Fraction(told[0]["ev"]) + 1 == Fraction(told[1]["cost"])

    shown = one_line(run('best super-three-card --player "Qs Qs" --up 7d').output)
    for figure in ("Super Three Card: ante-odds-play PT-FLT-STC-01", "player Qs Qs, up 7d", "+3.928909989"):
        assert figure in shown


def test_best_takes_a_wager_a_table_and_a_reading() -> None:
    told = run_json('best deuces-wild --player "* 2d 9c" --wager five-card-fortune --paytable FCF-C --json')
    assert {"select 9c", "select *", "select * 2d"} == {each["decision"] for each in told}
    assert "select * 2d" == told[0]["decision"]

    low = "--player '5s 3d 2h' --paytable PW/BB-2"
    plain = run_json(f"best three-card-prime {low} --json")
    misprint = run_json(f"best three-card-prime {low} --reading bad_beat_flush_or_lower=as_printed --json")
    assert ("fold", "play") == (plain[0]["decision"], misprint[0]["decision"])


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("strategy five-card-stud", ["unknown game"]),
        ("strategy three-card-prime prime", ["Prime of Three Card Prime has no decision of its own"]),
        ("strategy three-card-prime wild", ["Three Card Prime has no wager 'wild'"]),
        ("strategy three-card-prime --paytable PRW-1", ["'PRW-1' is no pay table here"]),
        ("strategy three-card-prime --lines 0", ["a decision has at least one line"]),
        ("strategy super-three-card --decks 5", ["decks"]),
        ("best three-card-prime --player 'Qs 6d'", ["3 cards, not with 2"]),
        ("best three-card-prime --player 'Qs Qs 4h'", ["Qs is there more often than in the deck"]),
        ("best three-card-prime --player 'Qs * 4h'", ["* is not in the deck"]),
        ("best three-card-prime --player 'Qs Xd 4h' --up 1z", ["--player: 'Xd' is not a card", "--up: '1z' is not"]),
        ("best super-three-card --player 'Qs Qd'", ["1 card of the dealer up, not 0"]),
        (
            "best four-card-prime --player 'Qs Qs 4h' --up '4h 5h'",
            ["5 cards, not with 3", "up, not 2", "Qs is", "4h is"],
        ),
        ("best three-card-prime --player 'Qs 6d 4h' --wager all-six", ["All-Six Bonus of Three Card Prime"]),
    ],
)
def test_all_that_is_wrong_is_told_in_one_message(typed: str, says: list[str]) -> None:
    result = run(typed)

    assert 2 == result.exit_code
    for words in says:
        assert words in one_line(result.output)
    assert 1 == len(result.stderr.splitlines())
