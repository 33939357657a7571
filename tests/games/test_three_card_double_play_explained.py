"""3 Card Double Play: what each way a round can end is told as, with its chips, clauses and rulings."""

from __future__ import annotations

import pytest

from pitboss.cards import parse_cards
from pitboss.games import find_game
from pitboss.games.three_card_double_play import rules
from pitboss.rules import Terms
from tests.games.explaining import asked, chips, described, outcome, said, seat, terms_of, told

GAME = "three-card-double-play"
TRIPS = 2
CARDS = "9s 9d 4c Ah Kd 3c"


def terms(**readings: str) -> Terms:
    return terms_of(GAME, {"high-low": ["LWB-1"], "pick-3": ["P3-1"]}, readings=readings)


@pytest.mark.parametrize("doubled", [0, 1])
def test_tdp_rule_8_a_loss_of_both_hands_is_told(doubled: int) -> None:
    lost = outcome(terms(), "high-low", doubled, 0, 0, TRIPS)
    names = ["High", "Low", "High double", "Low double"] if doubled else ["High", "Low"]
    assert ([f"{name} x1 taken" for name in names], None, None) == (chips(lost), lost.event, lost.paytable)
    assert ["TDP rule 8: Dealer's hand beats both hands: High and Low lose"] == said(lost.reasons)


def test_tdp_1_and_tdp_2_a_win_of_the_high_hand_alone_is_told() -> None:
    won = outcome(terms(), "high-low", 1, 1, 0, TRIPS)
    assert [
        "High x1 back 1 to 1",
        "Low x1 taken",
        "High double x1 back 1 to 1",
        "Low double x1 taken",
    ] == chips(won)
    assert (None, None) == (won.event, won.paytable)
    assert [
        "TDP rule 9(a) [TDP-1]: Only the High Hand wins: it pays 1 to 1",
        "TDP rule 9(b) [TDP-2]: Low Hand is lower than the dealer's: it loses",
    ] == said(won.reasons)


def test_tdp_1_and_tdp_2_a_win_of_both_hands_is_told() -> None:
    won = outcome(terms(), "high-low", 0, 1, 1, TRIPS)
    row = terms().tables["low-hand"].row("Trips")
    assert row is not None
    assert ["High x1 back 1 to 1", f"Low x1 back {row.pay}"] == chips(won)
    assert ("Trips", "LWB-1") == (won.event, won.paytable)
    assert [
        "TDP rule 10(a) [TDP-1]: Both hands win: High Hand pays even money",
        f"TDP rule 10(b) [TDP-2]: Low Hand is Trips: LWB-1 pays {row.pay}",
    ] == said(won.reasons)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ((0, 0, 0, TRIPS), "both hands lose"),
        ((0, 1, 0, TRIPS), "only the High Hand wins"),
        ((0, 1, 1, TRIPS), "both hands win, Low Hand Trips"),
        ((1, 1, 0, TRIPS), "only the High Hand wins, doubled"),
    ],
)
def test_the_course_of_high_and_low_in_words(facts: tuple[int, ...], expected: str) -> None:
    assert expected == told(GAME, "high-low", *facts)


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        ("best", "Best-paying split of the six cards into two hands, however they were set"),
        ("as_set", "The two hands as the player set them"),
    ],
)
def test_tdp_3_and_tdp_4_the_division_is_told_by_its_reading(reading: str, words: str) -> None:
    settled = outcome(terms(pick3_basis=reading), "pick-3", 1)
    assert [f"TDP Pick-3 [TDP-3]: {words}", "TDP Appendix B note 2 [TDP-4]: No card counts twice"] == said(
        settled.reasons
    )[:2]


def test_tdp_6_the_setting_is_asked_first() -> None:
    question = asked(GAME, seat(CARDS))
    assert question is not None
    assert ("high", "Which three cards for the High Hand?") == (question.key, question.words)
    assert ("TDP rule 3", "TDP-6", True) == (question.clause.id, question.ruling, question.takes_cards)
    assert asked(GAME, seat("")) is None


def test_tdp_6_the_settings_offered_are_those_whose_high_hand_is_not_the_lower() -> None:
    question = asked(GAME, seat("Ah Kd 9s 8c 5d 3c"))
    assert question is not None
    # Without a pair, a straight or a flush the hand with the ace is the higher one: ten of twenty.
    offered = question.options()
    assert 10 == len(set(offered)) == len(offered)
    assert all(len(high) == 3 and parse_cards("Ah")[0] in high for high in offered)


def test_tdp_6_a_setting_is_refused_in_words() -> None:
    question = asked(GAME, seat(CARDS))
    assert question is not None
    refusals = {
        "Qs Js 4c": "Qs Js not among the player's cards",
        "9s 9d": "the High Hand must be three different cards of the six",
        "9s 9s 9d": "the High Hand must be three different cards of the six",
        "4c Ah Kd": "the Low Hand ranks above the High Hand: turn them round",
    }
    assert refusals == {cards: question.refusal(parse_cards(cards)) for cards in refusals}
    assert question.refusal(parse_cards("9s 9d 4c")) is None


def test_tdp_rule_4_doubling_is_asked_next_and_then_nothing() -> None:
    high = parse_cards("9s 9d 4c")
    question = asked(GAME, seat(CARDS, high=high))
    assert question is not None
    assert ("double", "Double both hands?") == (question.key, question.words)
    assert ("TDP rule 4", (True, False)) == (question.clause.id, question.options())
    assert asked(GAME, seat(CARDS, high=high, double=False)) is None


def test_decisions_are_the_places_of_the_high_hand_and_the_double() -> None:
    high = parse_cards("9s Ah 3c")
    cards = parse_cards(CARDS)
    choices = find_game(GAME).choices
    assert (0b101001, 1) == choices({"high": high, "double": True}, cards)
    assert (0b101001, 0) == choices({"high": high, "double": False}, cards)
    assert (0, 0) == choices({}, cards)


def test_the_tables_of_a_letter_are_found() -> None:
    assert "S3J-1" in rules._FOLDER.table_ids("S3J")
    assert all(table_id.startswith("S3J-") for table_id in rules._FOLDER.table_ids("S3J"))


def test_hands_are_described_once_they_are_set_and_the_dealers_once_it_is_dealt() -> None:
    set_hands = ("High Hand pair of nines, four kicker", "Low Hand ace king three high")
    high = parse_cards("9s 9d 4c")
    assert () == described(GAME, seat(CARDS))
    assert () == described(GAME, seat(CARDS), "5c")
    assert set_hands == described(GAME, seat(CARDS, high=high))
    assert (*set_hands, "dealer pair of tens, queen kicker") == described(
        GAME, seat(CARDS, high=high), "Tc Td Qh 5c 6s"
    )
