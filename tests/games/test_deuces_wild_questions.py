"""Deuces Wild: what a seat is asked and when, what it may answer, and which cards it gets and sees."""

from __future__ import annotations

import pytest

from pitboss.cards import parse_cards
from pitboss.games import find_game
from pitboss.games.deuces_wild import rules
from pitboss.rules import Question, Seat
from tests.games.explaining import seat

GAME = find_game("deuces-wild")
ANTE, TREASURE, FORTUNE, JACKPOT = "ante-play-raise", "three-card-treasure", "five-card-fortune", "bonus-jackpot"
THREE, FOUR, FIVE = "2s * 4s", "2s * 4s 4d", "2s * 4s 4d 9h"
PLAY = ("play", "Play (a wager equal to the Ante) or fold?", "DW rule 5", None, False)
RAISE = ("raise", "Raise (a wager equal to Ante and Play together) or fold?", "DW rule 7, raise", None, False)
SELECT = ("fortune", "Which card (or wild cards) for the Five Card Fortune?")
SELECT_AT_THREE = (*SELECT, "DW step 21", "DW-6", True)
SELECT_AT_FOUR = (*SELECT, "DW step 22(a)(iii)", "DW-6", True)


def asked(holder: Seat, reading: str = "player_selects") -> Question | None:
    return GAME.question(holder, {"fortune_after_raise": reading})


def put(question: Question | None) -> tuple[object, ...] | None:
    if question is None:
        return None
    return (question.key, question.words, question.clause.id, question.ruling, question.takes_cards)


def wagers(*names: str) -> dict[str, int]:
    return dict.fromkeys(names, 500)


@pytest.mark.parametrize(
    ("holder", "expected"),
    [
        (seat("2s *", wagers(ANTE)), None),
        (seat(THREE, wagers(ANTE)), PLAY),
        (seat(THREE, wagers(ANTE, FORTUNE)), PLAY),
        (seat(THREE, wagers(TREASURE)), None),
        (seat(THREE, wagers(FORTUNE)), SELECT_AT_THREE),
        (seat(THREE, wagers(ANTE), play=False), None),
        (seat(THREE, wagers(ANTE, FORTUNE), play=False), SELECT_AT_THREE),
        (seat(THREE, wagers(ANTE, FORTUNE), play=True), None),
        (seat(FOUR, wagers(ANTE, FORTUNE), play=True), RAISE),
        (seat(FOUR, wagers(ANTE, JACKPOT), play=False), None),
        (seat(FOUR, wagers(ANTE), play=True, raise_=True), None),
        (seat(FOUR, wagers(ANTE, FORTUNE), play=True, raise_=True), SELECT_AT_FOUR),
        (seat(FOUR, wagers(ANTE, FORTUNE), play=True, raise_=False), SELECT_AT_FOUR),
        (seat(FOUR, wagers(ANTE, FORTUNE), play=True, raise_=True, fortune=parse_cards("2s")), None),
    ],
)
def test_dw_6_the_next_question_follows_from_wagers_cards_and_decisions(
    holder: Seat, expected: tuple[object, ...] | None
) -> None:
    assert expected == put(asked(holder))


@pytest.mark.parametrize(("raised", "expected"), [(True, None), (False, SELECT_AT_FOUR)])
def test_dw_6_a_raised_hand_selects_nothing_where_the_dealer_takes_the_best(
    raised: bool, expected: tuple[object, ...] | None
) -> None:
    holder = seat(FOUR, wagers(ANTE, FORTUNE), play=True, raise_=raised)
    assert expected == put(asked(holder, "dealer_takes_best"))


def test_dw_rules_5_and_7_are_answered_with_yes_or_no() -> None:
    for holder in (seat(THREE, wagers(ANTE)), seat(FOUR, wagers(ANTE), play=True)):
        question = asked(holder)
        assert question is not None
        assert (True, False) == question.options()


@pytest.mark.parametrize(
    ("cards", "held"),
    [
        (seat(FIVE, wagers(FORTUNE, JACKPOT)), "2s * 4s"),
        (seat(FIVE, wagers(ANTE, FORTUNE), play=True, raise_=False), "2s * 4s 4d"),
    ],
)
def test_dw_6_one_card_held_when_selecting_or_any_number_of_wild_ones_is_offered(cards: Seat, held: str) -> None:
    question = asked(cards)
    assert question is not None
    singles = [(card,) for card in parse_cards(held)]
    assert (*singles, parse_cards("2s *")) == question.options()
    assert [None] * len(question.options()) == [question.refusal(option) for option in question.options()]


def test_dw_6_three_wild_cards_are_offered_in_twos_and_together() -> None:
    question = asked(seat("2s * 2d", wagers(FORTUNE)))
    assert question is not None
    chosen = [set(option) for option in question.options()]
    assert [set(parse_cards(text)) for text in ("2s", "*", "2d", "2s *", "2s 2d", "* 2d", "2s * 2d")] == chosen


def test_dw_6_a_selection_is_refused_in_words() -> None:
    question = asked(seat(FOUR, wagers(FORTUNE)))
    assert question is not None
    refusals = {
        "4d": "4d not among the 3 cards held when selecting",
        "Kc 4d": "Kc 4d not among the 3 cards held when selecting",
        "2s 2s": "a card is selected twice",
        "": "at least one card must be selected",
        "2s 4s": "two or more cards may be selected only if all of them are wild",
    }
    assert refusals == {text: question.refusal(parse_cards(text)) for text in refusals}
    assert question.refusal(parse_cards("2s *")) is None
    assert question.refusal(parse_cards("4s")) is None


def test_decisions_are_played_raised_and_the_places_selected() -> None:
    cards = parse_cards(FOUR)
    assert (1, 1, 0b0011) == GAME.choices({"play": True, "raise": True, "fortune": parse_cards("2s *")}, cards)
    assert (1, 0, 0b1000) == GAME.choices({"play": True, "raise": False, "fortune": parse_cards("4d")}, cards)
    assert (0, 0, 0) == GAME.choices({"play": False}, cards)
    assert (0, 0, 0) == GAME.choices({}, cards)


@pytest.mark.parametrize(
    ("names", "decisions", "looks", "selects", "fourth", "looks_again", "fifth"),
    [
        ([ANTE], {}, True, False, False, False, False),
        ([TREASURE], {}, True, False, False, False, False),
        ([FORTUNE], {}, False, True, False, False, False),
        ([JACKPOT], {}, False, False, True, False, True),
        ([ANTE], {"play": False}, True, False, False, False, False),
        ([ANTE], {"play": True}, True, False, True, True, False),
        ([ANTE], {"play": True, "raise_": False}, True, False, True, True, False),
        ([ANTE], {"play": True, "raise_": True}, True, False, True, True, True),
        ([ANTE, JACKPOT], {"play": False}, True, False, True, False, True),
    ],
)
def test_dw_7_and_dw_9_who_gets_and_sees_which_cards(
    names: list[str],
    decisions: dict[str, bool],
    looks: bool,
    selects: bool,
    fourth: bool,
    looks_again: bool,
    fifth: bool,
) -> None:
    holder = seat(THREE, wagers(*names), **decisions)
    entitled = (
        rules.looks_at_three_cards(holder),
        rules.looks_when_selecting(holder),
        rules.gets_fourth_card(holder),
        rules.looks_at_fourth_card(holder),
        rules.gets_fifth_card(holder),
    )
    assert (looks, selects, fourth, looks_again, fifth) == entitled


@pytest.mark.parametrize(
    ("names", "cards", "shown"),
    [
        ([TREASURE], "2s 9s 4s", True),
        ([TREASURE], "Ks 9d 4s", False),
        # The fourth card makes no Treasure.
        ([TREASURE], "Ks Kd 4s Kh", False),
        ([ANTE], "2s 9s 4s", False),
    ],
)
def test_dw_8_only_a_winning_treasure_hand_is_turned_up(names: list[str], cards: str, shown: bool) -> None:
    assert shown is rules.has_won_treasure(seat(cards, wagers(*names)))


def test_dw_step_23_all_of_a_live_hand_is_shown_and_of_a_folded_one_what_was_selected() -> None:
    raised = seat(FIVE, wagers(ANTE), play=True, raise_=True)
    assert (0, 1, 2, 3, 4) == rules.selected_positions(raised)
    assert (0, 1, 2, 3, 4) == rules.selected_positions(seat(FIVE, wagers(JACKPOT)))
    assert (1, 3) == rules.selected_positions(seat(FOUR, wagers(FORTUNE), fortune=parse_cards("* 4d")))
    assert () == rules.selected_positions(seat(FOUR, wagers(ANTE), play=False))


@pytest.mark.parametrize(
    ("seats", "dealt"),
    [
        ([seat(THREE, wagers(ANTE), play=False)], False),
        ([seat(THREE, wagers(ANTE), play=False), seat(THREE, wagers(ANTE), play=True)], True),
        ([seat(THREE, wagers(ANTE, FORTUNE), play=False)], True),
        ([seat(THREE, wagers(ANTE, JACKPOT), play=False)], False),
        ([seat(THREE, wagers(TREASURE))], False),
    ],
)
def test_dw_10_the_fourth_community_card_is_dealt_for_those_who_go_on(seats: list[Seat], dealt: bool) -> None:
    stage = next(stage for stage in GAME.stages if "fourth community card" in stage.words)
    assert dealt is stage.needed(tuple(seats))
