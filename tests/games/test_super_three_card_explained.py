"""Super Three Card: what each way a round can end is told as, with its chips, clauses and rulings."""

from __future__ import annotations

import pytest

from pitboss.games import find_game
from pitboss.games.super_three_card import facts, rules
from pitboss.rules import Terms
from pitboss.rules.facts import EventFacts
from tests.games.explaining import asked, chips, described, outcome, said, seat, terms_of, told

GAME = "super-three-card"
LOWER, EQUAL, HIGHER = 0, 1, 2
JACKPOT = "twenty-one-plus-three"
JACKPOT_TABLE = "PT-BJS-213-01"
STRAIGHT = 1 << 4


def terms() -> Terms:
    return terms_of(
        GAME, {"ante-odds-play": ["PT-FLT-STC-01"], JACKPOT: [JACKPOT_TABLE]}, decks=6, bonus_sharing="split"
    )


def test_stc_3_a_surrender_is_told() -> None:
    gone = outcome(terms(), "ante-odds-play", 0, STRAIGHT, HIGHER)
    assert (["Ante x1 taken", "Odds x1 back"], None, None) == (chips(gone), gone.event, gone.paytable)
    assert ["STC rule 4, surrender [STC-3]: Player surrendered: Ante loses, Odds are returned"] == said(gone.reasons)


def test_stc_rule_6_a_loss_is_told() -> None:
    lost = outcome(terms(), "ante-odds-play", 1, STRAIGHT, LOWER)
    assert (["Ante x1 taken", "Odds x1 taken", "Play x1 taken"], None, None) == (chips(lost), lost.event, lost.paytable)
    assert ["STC rule 6, dealer wins: Dealer's hand is higher: Ante, Odds and Play lose"] == said(lost.reasons)


EVEN_MONEY = "STC rule 6, player wins: Player's hand wins: Ante and Play pay even money"
TIE = "STC rule 6, ties [STC-1]: Hands tie: the player wins"


@pytest.mark.parametrize(("comparison", "tied"), [(HIGHER, []), (EQUAL, [TIE])])
def test_stc_1_and_stc_2_a_win_and_a_tie_are_told_with_what_the_odds_get(comparison: int, tied: list[str]) -> None:
    pushed = outcome(terms(), "ante-odds-play", 1, 0, comparison)
    assert ["Ante x1 back 1 to 1", "Odds x1 back", "Play x1 back 1 to 1"] == chips(pushed)
    assert [
        EVEN_MONEY,
        *tied,
        "STC Appendix A [STC-2]: Pair of Tens or less: push on the Odds, PT-FLT-STC-01",
    ] == said(pushed.reasons)
    row = terms().tables["ante-odds-play"].row("Straight")
    assert row is not None
    paid = outcome(terms(), "ante-odds-play", 1, STRAIGHT, comparison)
    assert ["Ante x1 back 1 to 1", f"Odds x1 back {row.pay}", "Play x1 back 1 to 1"] == chips(paid)
    assert [EVEN_MONEY, *tied, f"STC Appendix A: Straight: PT-FLT-STC-01 pays {row.pay} on the Odds"] == said(
        paid.reasons
    )


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ((0, STRAIGHT, HIGHER), "surrenders"),
        ((1, STRAIGHT, HIGHER), "wins with Straight"),
        ((1, STRAIGHT, EQUAL), "ties with Straight"),
        ((1, 0, LOWER), "loses with Pair of Tens or less"),
    ],
)
def test_the_course_of_ante_odds_and_play_in_words(made: tuple[int, ...], expected: str) -> None:
    assert expected == told(GAME, "ante-odds-play", *made)


FIRST_THREE = "STC 21+3 [STC-4]: Player's first two cards and the dealer's first"
SUITED = (
    "STC Appendix C [STC-5]: 21+3 has no suited pair and no mini-royal: suited cards are a Flush or a Straight Flush"
)


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (None, [FIRST_THREE]),
        ("Straight", [FIRST_THREE]),
        ("Flush", [FIRST_THREE, SUITED]),
        ("Straight Flush", [FIRST_THREE, SUITED]),
    ],
)
def test_stc_5_suited_cards_are_told_as_a_flush(event: str | None, expected: list[str]) -> None:
    made = 0 if event is None else 1 << facts.JACKPOT_EVENTS.index(event)
    assert expected == said(rules._why_jackpot(EventFacts(made), terms()))


def test_stc_6_a_21_plus_3_jackpot_is_made_with_its_own_name_slot_and_chip() -> None:
    wager = rules._jackpot(JACKPOT, "Third 21+3 Jackpot")
    (slot,) = wager.slots
    (part,) = wager.parts
    assert (JACKPOT, "Third 21+3 Jackpot", "STC 21+3") == (wager.name, wager.title, wager.clause.id)
    assert "The first two cards and the dealer's first make a flush or better." == wager.words
    assert (JACKPOT, False, "Third 21+3 Jackpot", 1) == (slot.name, slot.fixed, part.name, part.multiple_max)
    assert find_game(GAME).by_name[JACKPOT].slots[0].ids == slot.ids
    assert (EventFacts, (256,), facts.read_jackpot) == (wager.facts, wager.bounds, wager.read)
    assert wager.jackpot is True
    assert wager.dollars_scale is True


def test_stc_4_a_21_plus_3_jackpot_is_settled_by_its_own_table_in_printed_order() -> None:
    richer = terms_of(
        GAME, {JACKPOT: [{"id": JACKPOT_TABLE, "pays": {"Straight": "$9,000"}}]}, decks=6, bonus_sharing="split"
    )
    settle = rules._jackpot(JACKPOT, "Third 21+3 Jackpot").settle
    events = facts.JACKPOT_EVENTS
    won = settle(EventFacts(1 << events.index("Straight Flush") | 1 << events.index("Straight")), richer)
    row = richer.tables[JACKPOT].row("Straight Flush")
    assert row is not None
    assert [f"Third 21+3 Jackpot x1 taken {row.pay}"] == chips(won)
    assert [
        FIRST_THREE,
        SUITED,
        f"STC Appendix C: Straight Flush: {JACKPOT_TABLE} pays {row.pay}",
        "STC Appendix C note 1 [G-1]: Pays for 1: the wager is not returned",
        "STC Appendix C note 2 [G-2]: Only one prize pays; also made: Straight",
    ] == said(won.reasons)
    lost = settle(EventFacts(0), richer)
    assert [
        FIRST_THREE,
        f"STC Appendix C: Less than a flush: no prize in {JACKPOT_TABLE}, the wager loses",
    ] == said(lost.reasons)


def test_stc_rule_4_the_question_is_asked_once_the_cards_are_dealt() -> None:
    question = asked(GAME, seat("As Kd"))
    assert question is not None
    assert ("play", "Play (a wager equal to the Ante) or surrender?") == (question.key, question.words)
    assert ("STC rule 4", (True, False)) == (question.clause.id, question.options())
    assert asked(GAME, seat("")) is None
    assert asked(GAME, seat("As Kd", play=False)) is None


def test_a_surrender_is_0_and_a_play_is_1() -> None:
    assert [(1,), (0,), (0,)] == [
        find_game(GAME).choices(decisions, ()) for decisions in ({"play": True}, {"play": False}, {})
    ]


def test_the_tables_of_a_letter_are_found() -> None:
    assert JACKPOT_TABLE in rules._FOLDER.table_ids("PT-BJS-213")
    assert all(table_id.startswith("PT-BJS-213") for table_id in rules._FOLDER.table_ids("PT-BJS-213"))


FIRST = "first two cards with the dealer's first pair of suited nines, four kicker"


@pytest.mark.parametrize(
    ("cards", "board", "expected"),
    [
        ("9s", "", []),
        ("9s", "4c", []),
        ("9s 9s", "", []),
        ("9s 9s", "4c", [FIRST]),
        (
            "9s 9s Kd",
            "4c 4d Ah",
            [FIRST, "player pair of suited nines, king kicker", "dealer pair of fours, ace kicker"],
        ),
    ],
)
def test_hands_are_described_as_far_as_they_are_dealt(cards: str, board: str, expected: list[str]) -> None:
    assert expected == list(described(GAME, seat(cards), board))
