"""`pitboss play`: a stranger sits down, mistypes, plays some rounds and leaves; one key deals the same shoes again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.running import GAMES, one_line, run

KEY = "00112233445566778899aabbccddeeff" * 2
OTHER_KEY = KEY[::-1]


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """What is typed, a line each, and what must be on the screen after it, in this order."""

    game: str
    typed: tuple[str, ...]
    shows: tuple[str, ...]
    options: str = ""


# The cards are those of KEY, for good; the nets were worked out by hand from them.
SESSIONS = (
    Session(
        game="three-card-prime",
        typed=("ante-play=10 prime=5 final-four=1", "y", "", "n"),
        shows=(
            "[4♦] [5♥] [2♥] [??]",
            "dealer: [J♦] [2♣] [Q♥]",
            # The dealer's queen beats five-high: -20; three red cards: +15; no straight: -1.
            "-$6.00",
            "bankroll $994.00",
            "[2♥] [6♠] [2♠] [??]",
            "Player folded",
            "-$16.00",
            "bankroll $978.00",
        ),
    ),
    Session(
        game="deuces-wild",
        typed=("ante-play-raise=5 three-card-treasure=5 five-card-fortune=5 bonus-jackpot=1", "y", "y", "Kh"),
        shows=(
            "you: [3♣] [K♥] [K♠]",
            "you: [3♣] [K♥] [K♠] [3♥]",
            "community: [5♠] [8♠] [A♦] [2♣]",
            # Kings, threes and a deuce are a full house, 4 to 1 on 20; the Fortune is only a pair of aces.
            "Full House",
            "+$69.00",
        ),
    ),
    Session(
        game="super-three-card",
        typed=("ante-odds-play=10 big-hand-bonus=5 twenty-one-plus-three=1", "y", "", "n", "", "y"),
        shows=(
            "dealer: [3♦]",
            "you: [K♦] [4♠] [Q♠]",
            # King, queen beat king, seven: +20 and the Odds push; the bonus wagers lose 6.
            "+$14.00",
            "surrendered",
            "-$16.00",
            "dealer: [2♥] [2♣] [5♦]",
            "-$36.00",
            "bankroll $962.00",
        ),
    ),
    Session(
        game="four-card-prime",
        typed=("ante-raise=10 aces-baby=5 four-card-jackpot=1", "3", "", "0"),
        options="--others 2",
        shows=(
            "dealer: [8♠] [??] [??] [??] [??] [??]",
            "seat 2: [??] [??] [??] [??] [??]",
            # Seat 3's trips bring no Envy (a dash in FCJ-1); Ante 10 and Raise 30 are lost, and 6 more.
            "seat 3: [4♠] [6♦] [6♣] [6♥] [3♣]",
            "-$46.00",
            # Folded, but two pair win Aces Baby 2 to 1.
            "Two Pair",
            "-$1.00",
        ),
    ),
    Session(
        game="three-card-double-play",
        typed=("high-low=10 pick-3=5 super-3s=1", "2h 2c Ks", "y"),
        shows=(
            "you: [4♦] [5♥] [2♥] [K♠] [J♦] [2♣]",
            # Three spades of the dealer's five are a flush: four chips of 10 are lost, and 6 more.
            "dealer flush, jack four deuce",
            "-$46.00",
        ),
    ),
)


def play(options: str, *typed: str) -> str:
    result = run(f"play {options}", "".join(f"{line}\n" for line in typed))

    assert 0 == result.exit_code, result.output
    return result.output


def assert_in_order(text: str, pieces: tuple[str, ...]) -> None:
    place = 0
    for piece in pieces:
        found = text.find(piece, place)
        assert found >= 0, f"{piece!r} is missing after {text[:place][-200:]!r}"
        place = found + len(piece)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: str(session.game))
def test_a_session_shows_what_may_be_seen_and_pays_what_it_should(session: Session) -> None:
    shown = play(f"{session.game} --key {KEY} {session.options}", *session.typed)

    assert_in_order(
        shown,
        (
            f"key {KEY}",
            "round 1, bankroll $1,000.00",
            *session.shows,
            f"Good-bye. Deal the same shoes again with --key {KEY}",
        ),
    )


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: str(session.game))
def test_the_same_key_gives_the_same_transcript_and_another_key_another(session: Session) -> None:
    first = play(f"{session.game} --key {KEY} {session.options}", *session.typed)

    assert first == play(f"{session.game} --key {KEY} {session.options}", *session.typed)
    assert first.replace(KEY, "") != play(
        f"{session.game} --key {OTHER_KEY} {session.options}", *session.typed[:1]
    ).replace(OTHER_KEY, "")


def test_without_a_key_the_one_that_was_used_is_told() -> None:
    shown = play("three-card-prime", "ante-play=5", "y")
    key = shown.split("--key ")[1].strip()

    assert 64 == len(key)
    assert shown == play(f"three-card-prime --key {key}", "ante-play=5", "y")
    assert key not in play("three-card-prime", "q")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("typed", [(), ("q",), ("QUIT",), ("exit",), ("?", "q"), ("", "q")], ids=str)
def test_one_may_leave_at_once(game: str, typed: tuple[str, ...]) -> None:
    assert "Good-bye." in play(f"{game} --key {KEY}", *typed)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: str(session.game))
def test_one_may_leave_in_the_middle_of_a_round(session: Session) -> None:
    for line in ("q", None):
        typed = session.typed[:1] if line is None else (*session.typed[:1], line)

        assert "Good-bye." in play(f"{session.game} --key {KEY} {session.options}", *typed)


def test_wrong_wagers_are_refused_with_reasons_and_asked_for_again() -> None:
    shown = one_line(
        play(
            f"three-card-prime --key {KEY}",
            "foo",
            "prime=5",
            "ante-play=5 ante-play=10",
            "ante-play=5000",
            "ante-play=5.50",
            "ante-play=3",
            "ante-play=5",
            "n",
        )
    )

    assert_in_order(
        shown,
        (
            "foo: 'foo' isn't an amount of money",
            "Ante and Play is required for every other wager (TCP rule 1; G-19)",
            "a wager stands twice",
            "That is more than your bankroll of $1,000.00.",
            "$5.50 cannot be wagered with chips of $1.00",
            "$3.00",
            "Player folded",
        ),
    )


def test_wrong_decisions_are_refused_with_reasons_and_asked_for_again() -> None:
    shown = one_line(play(f"three-card-prime --key {KEY}", "ante-play=10", "maybe", "?", "", "YES"))

    refused = "Type y or play for yes, n or fold for no."
    assert_in_order(shown, (refused, "(TCP rule 2)", refused, "-$20.00"))


def test_a_bare_amount_is_the_main_wager_and_a_decision_has_its_own_name() -> None:
    """SCREENS A30: "10", "play", "fold" and "p" were refused."""
    typed = play(f"three-card-prime --key {KEY}", "10", "p", "", "fold", "", "PLAY", "$15 prime=5", "f")

    assert typed.count("Player folded") == 2
    assert "Type y" not in typed
    assert "isn't an amount of money" not in typed


def test_a_30_the_best_play_of_the_last_hand_is_named_where_it_is_asked_for() -> None:
    """The values beside it are those of `pitboss best`, which looks each hand up by itself."""
    shown = one_line(play(f"three-card-prime --key {KEY}", "b", "10", "y", "b", "", "n", "B"))
    answers = (("Play", "4d 5h 2h"), ("Fold", "2h 6s 2s"))

    expected = []
    for own, hand in answers:
        listed = json.loads(run(f'best three-card-prime --player "{hand}" --json').output)
        values = {entry["decision"].capitalize(): Fraction(entry["ev"]) for entry in listed}
        top = max(values, key=values.__getitem__)
        cost = f"best was {top}; it costs ${float(10 * (values[top] - values[own])):.2f} on average"
        expected.append(f"{own}: no answer is better." if top == own else f"{own}: {cost}.")
    assert expected[0] != expected[1]
    assert_in_order(shown, ("'b' isn't an amount of money", *expected))


def test_wrong_cards_are_refused_with_reasons_and_asked_for_again() -> None:
    high = one_line(
        play(f"three-card-double-play --key {KEY}", "high-low=10", "As Ks", "4d 5h", "xx", "4d 5h 2h", "2h 2c Ks", "n")
    )
    fortune = one_line(play(f"deuces-wild --key {KEY}", "five-card-fortune=5", "Qs", "Kh Ks", "", "Kh"))

    assert_in_order(
        high,
        (
            "As not among the player's cards",
            "three different cards of the six",
            "'xx' is not a card",
            "the Low Hand ranks above the High Hand",
            "-$20.00",
        ),
    )
    assert_in_order(
        fortune,
        ("Qs not among", "only if all of them are wild", "at least one card must be selected", "five-card-fortune"),
    )


def test_a_raise_out_of_bounds_is_refused() -> None:
    shown = one_line(play(f"four-card-prime --key {KEY}", "ante-raise=10", "7", "1"))

    assert_in_order(shown, ("7 must be 0, 1, 2 or 3 (FCP rule 4; FCP-2)", "-$20.00"))


def test_a_raise_in_words_is_refused_in_words() -> None:
    assert "int()" not in play(f"four-card-prime --key {KEY}", "ante-raise=10", "three", "1")


def test_a_thousand_may_be_written_with_a_comma() -> None:
    assert "bankroll of $500.00" in play(f"three-card-prime --key {KEY} --bankroll 500", "ante-play=1,000")


def test_nobody_stakes_more_than_the_bankroll() -> None:
    shown = one_line(play(f"three-card-prime --key {KEY} --bankroll 7", "ante-play=5", "y", "n", "ante-play=5"))

    assert_in_order(
        shown,
        (
            "That takes more than your bankroll of $7.00.",
            "-$5.00",
            "bankroll of $2.00 no longer covers",
        ),
    )


def test_the_end_of_the_money_is_the_end() -> None:
    shown = one_line(play(f"three-card-prime --key {KEY} --bankroll 20", "ante-play=10", "y", "ante-play=10"))

    assert_in_order(shown, ("-$20.00", "no longer covers the smallest wager", "Good-bye."))


def test_the_game_may_be_chosen_from_a_list() -> None:
    shown = one_line(play(f"--key {KEY}", "9", "x", "3", "q"))

    assert_in_order(
        shown, ("1 Three Card Prime", "5 3 Card Double Play Poker", "Type a number from 1 to 5", "Super Three Card key")
    )


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(
        run("config three-card-prime --on 2024-01-31").stdout.replace("seats = 7", "seats = 2"),
        encoding="utf-8",
    )

    assert "seat 2: [??]" in play(f"--config {file} --key {KEY} --others 1", "ante-play=5", "y")
    assert "--others must be from 0 to 1 at this table" in one_line(run(f"play --config {file} --others 2", "q").output)


def test_a_game_and_a_table_of_another_game_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(run("config deuces-wild").stdout, encoding="utf-8")

    assert 0 != run(f"play three-card-prime --config {file}", "q").exit_code


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("three-card-prime --key zz", "a key is exactly 64 hexadecimal digits"),
        ("three-card-prime --key 0011", "this has 4"),
        ("three-card-prime --bankroll lots", "'lots' isn't an amount of money"),
        ("three-card-prime --others 7", "--others must be from 0 to 6"),
        ("three-card-prime --others -1", "--others must be from 0 to 6"),
        ("deuces-wild --others 6", "--others must be from 0 to 5"),
        ("three-card-prime --config none.toml", "cannot read none.toml"),
        ("baccarat", "unknown game 'baccarat'"),
    ],
)
def test_a_table_that_cannot_be_had_is_a_command_typed_wrongly(options: str, says: str) -> None:
    result = run(f"play {options}", "q")

    assert 2 == result.exit_code
    assert says in one_line(result.stderr)


def test_r_06_a_failed_health_test_ends_the_session_and_no_later_one_deals_until_a_person_resets_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PITBOSS_STATE_DIR", str(tmp_path))
    with monkeypatch.context() as broken:
        broken.setattr("pitboss.randomness.health.shuffled", lambda cards, _stream: tuple(cards))
        result = run(f"play three-card-prime --key {KEY}", "q\n")
    assert result.exit_code == 1
    assert "dealing is locked" in one_line(result.output)
    again = run("play three-card-prime", "q\n")
    assert again.exit_code == 1
    assert "pitboss rng reset --by NAME --reason WHY" in one_line(again.output)
