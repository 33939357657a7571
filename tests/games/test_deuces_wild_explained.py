"""Deuces Wild: what each way a round can end is told as, with its chips, clauses and rulings."""

from __future__ import annotations

import pytest

from pitboss.cards import parse_cards
from pitboss.games import find_game
from pitboss.games.deuces_wild import rules
from pitboss.rules import Terms
from tests.games.explaining import chips, described, found, outcome, said, seat, terms_of, told

GAME = "deuces-wild"
THREE_CARDS, FOUR_CARDS, RAISED = 0, 1, 2
FLUSH, STRAIGHT, TWO_PAIR = 1 << 7, 1 << 8, 1 << 10


def terms(**stated: object) -> Terms:
    return terms_of(GAME, {"ante-play-raise": ["APR-A"], "five-card-fortune": ["FCF-A"]}, **stated)


@pytest.mark.parametrize(
    ("course", "lost", "expected"),
    [
        (THREE_CARDS, ["Ante x1 taken"], "DW step 21(a): Folded at three cards: Ante loses"),
        (
            FOUR_CARDS,
            ["Ante x1 taken", "Play x1 taken"],
            "DW step 22(a): Folded at four cards: Ante and Play lose",
        ),
    ],
)
def test_dw_steps_21_and_22_a_fold_is_told(course: int, lost: list[str], expected: str) -> None:
    folded = outcome(terms(), "ante-play-raise", course, FLUSH)
    assert (lost, None, None) == (chips(folded), folded.event, folded.paytable)
    assert [expected] == said(folded.reasons)


def test_dw_step_24_a_loss_is_told_and_takes_the_raise_of_two_antes() -> None:
    lost = outcome(terms(), "ante-play-raise", RAISED, 0)
    assert ["Ante x1 taken", "Play x1 taken", "Raise x2 taken"] == chips(lost)
    assert (None, "APR-A") == (lost.event, lost.paytable)
    assert [
        "DW rule 8 [DW-2]: Five-card hand against the pay table",
        "DW Appendix A: Less than two pair: no prize in APR-A, the wager loses",
        "DW step 24(a): Ante, Play and Raise lose",
    ] == said(lost.reasons)


def test_dw_1_and_dw_3_a_win_is_told_with_what_else_was_made() -> None:
    won = outcome(terms(), "ante-play-raise", RAISED, FLUSH | STRAIGHT)
    pay = {row.event: row.pay for row in terms().tables["ante-play-raise"].rows}["Flush"]
    assert [f"Ante x1 back {pay}", f"Play x1 back {pay}", f"Raise x2 back {pay}"] == chips(won)
    assert [
        "DW rule 8 [DW-2]: Five-card hand against the pay table",
        "DW Appendix A, wild [DW-1]: Deuces and the joker are wild",
        f"DW Appendix A: Flush: APR-A pays {pay}",
        "DW Appendix A note [G-1]: Pays to 1: the wager is returned and the prize added",
        "DW Appendix A note [G-2]: Only one prize pays; also made: Straight",
        "DW step 24(b) [DW-3]: Ante, Play and Raise each pay these odds",
    ] == said(won.reasons)


@pytest.mark.parametrize(
    ("course", "expected"),
    [
        (THREE_CARDS, "folds at three cards"),
        (FOUR_CARDS, "folds at four cards"),
        (RAISED, "raises and makes Two Pair"),
    ],
)
def test_the_course_of_ante_play_and_raise_in_words(course: int, expected: str) -> None:
    assert expected == told(GAME, "ante-play-raise", course, TWO_PAIR)


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        ("player_selects", "Selected card or wild cards with the four community cards"),
        (
            "dealer_takes_best",
            "Selection with the four community cards; after a Raise the dealer takes the best selection",
        ),
    ],
)
def test_dw_6_the_selection_is_told_by_its_reading(reading: str, words: str) -> None:
    settled = outcome(terms(readings={"fortune_after_raise": reading}), "five-card-fortune", FLUSH)
    assert f"DW Appendix C [DW-6]: {words}" == said(settled.reasons)[0]


def test_dw_6_a_dealer_who_takes_the_best_needs_a_limit_on_fortune() -> None:
    check = find_game(GAME).check_opening
    takes_best = {"fortune_after_raise": "dealer_takes_best"}
    (problem,) = found(check(terms(readings=takes_best), {}))
    assert (
        "readings.fortune_after_raise: dealer_takes_best can be beaten by large Fortune wagers: "
        "set base_multiple_max for five-card-fortune (DW step 23; DW-6)"
    ) == problem
    assert () == check(terms(readings=takes_best, base_multiples_max={"five-card-fortune": 2}), {})
    assert () == check(terms(), {})
    assert () == check(terms_of(GAME, {"ante-play-raise": ["APR-A"]}, readings=takes_best), {})


def test_the_tables_of_a_letter_are_found() -> None:
    assert {"TCT-A"} <= set(rules._FOLDER.table_ids("TCT")) <= set(find_game(GAME).paytables)
    assert all(table_id.startswith("TCT-") for table_id in rules._FOLDER.table_ids("TCT"))


FIRST = "first three cards flush, ace nine four, with one wild card"


@pytest.mark.parametrize(
    ("cards", "board", "selected", "expected"),
    [
        ("2s 9s 4s", "", "", [FIRST]),
        ("2s 9s 4s 4d", "Kc Kd Kh", "", [FIRST]),
        ("2s 9s 4s 4d 9h", "Kc Kd Kh 7c", "", [FIRST, "five cards full house, nines over fours, with one wild card"]),
        ("2s 9s 4s", "Kc Kd Kh", "2s", [FIRST]),
        (
            "2s 9s 4s",
            "Kc Kd Kh 7c",
            "2s",
            [FIRST, "Fortune four kings, seven kicker, with one wild card"],
        ),
    ],
)
def test_hands_are_described_as_far_as_they_are_dealt(
    cards: str, board: str, selected: str, expected: list[str]
) -> None:
    holder = seat(cards, fortune=parse_cards(selected)) if selected else seat(cards)
    assert expected == list(described(GAME, holder, board))
