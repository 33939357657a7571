"""Wagers paid by a table of events: the row that is paid, the chip, and what is said about it (G-1, G-2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from pitboss.cards import STANDARD_DECK
from pitboss.law import Citation
from pitboss.rules import PayTable, Reason, Terms
from pitboss.rules.outcomes import Events, Outcome, paid_row, settle_by_events
from pitboss.rules.pays import Dollars, Loss, Pay, Push, ToOne
from pitboss.rules.paytables import Row
from tests.games.explaining import chips, said

ONE_PRIZE = Citation("X note 2", "x", "")
FIRST = Reason(Citation("X rule", "x", ""), "first", "G-2")
EVENTS = Events(("top", "middle", "low"))


class Made(NamedTuple):
    events: int
    rich: int = 0


def table(table_id: str, *pays: Pay, odds: Any = "to") -> PayTable:
    rows = tuple(Row(event, "", pay) for event, pay in zip(("top", "middle", "low", "rest"), pays, strict=False))
    return PayTable(table_id, "x", odds, rows, Citation("X Appendix", "x", ""), Citation("X note 1", "x", ""))


def to_one(times: int) -> ToOne:
    return ToOne(Fraction(times))


POOR = table("X-1", to_one(5), to_one(7), Push())
COMPLETE = table("X-1", to_one(5), to_one(7), Push(), Loss())
RICH = table("X-2", Dollars(500), Dollars(700), Dollars(0), odds="for")
TERMS = Terms(game="x", deck=STANDARD_DECK, tables={"poor": POOR, "rich": RICH, "complete": COMPLETE}, readings={})
ODDS_TO = "X note 1 [G-1]: Pays to 1: the wager is returned and the prize added"
ODDS_FOR = "X note 1 [G-1]: Pays for 1: the wager is not returned"


def settled(made: int, **how: Any) -> Outcome:
    usual: dict[str, Any] = {"part": "Chip", "events": EVENTS, "slot": "poor", "one_prize": ONE_PRIZE}
    return settle_by_events(**usual | how)(Made(made), TERMS)


def test_g_2_of_the_events_made_the_best_paying_is_paid_and_the_others_are_named() -> None:
    won = settled(0b111, why=(FIRST,))
    assert (["Chip x1 back 7 to 1"], "middle", "X-1", None) == (chips(won), won.event, won.paytable, won.envy)
    assert [
        "X rule [G-2]: first",
        "X Appendix: middle: X-1 pays 7 to 1",
        ODDS_TO,
        "X note 2 [G-2]: Only one prize pays; also made: top, low",
    ] == said(won.reasons)


def test_g_2_in_a_jackpot_the_first_printed_is_paid() -> None:
    won = settled(0b011, slot="rich", jackpot=True)
    assert (["Chip x1 taken $5"], "top", "X-2") == (chips(won), won.event, won.paytable)
    assert [
        "X Appendix: top: X-2 pays $5",
        ODDS_FOR,
        "X note 2 [G-2]: Only one prize pays; also made: middle",
    ] == said(won.reasons)


def test_g_2_a_single_event_is_paid_without_a_word_about_others() -> None:
    assert ["X Appendix: top: X-1 pays 5 to 1", ODDS_TO] == said(settled(0b001).reasons)


def test_g_1_nothing_is_said_of_odds_where_none_are_paid() -> None:
    assert ["X Appendix: low: push, X-1"] == said(settled(0b100).reasons)
    rest = settled(0, slot="complete", events=Events(("top", "middle", "low"), "rest"))
    assert (["Chip x1 taken"], "rest", "X-1") == (chips(rest), rest.event, rest.paytable)
    assert ["X Appendix: rest: loss, X-1"] == said(rest.reasons)


@pytest.mark.parametrize(("how", "missed"), [({}, "No paying hand"), ({"missed": "too low"}, "too low")])
def test_a_wager_that_meets_no_row_is_taken(how: dict[str, str], missed: str) -> None:
    lost = settled(0, **how)
    assert (["Chip x1 taken"], None, "X-1", None) == (chips(lost), lost.event, lost.paytable, lost.envy)
    assert [f"X Appendix: {missed}: no prize in X-1, the wager loses"] == said(lost.reasons)


@pytest.mark.parametrize(("rich", "table_id"), [(0, "X-1"), (1, "X-2")])
def test_the_table_and_the_first_words_may_depend_on_the_facts_and_the_terms(rich: int, table_id: str) -> None:
    def why(made: Made, terms: Terms) -> tuple[Reason, ...]:
        return (Reason(ONE_PRIZE, f"{made.rich} of {terms.game}"),)

    settle = settle_by_events(
        part="Chip",
        events=EVENTS,
        slot=lambda made: "rich" if made.rich else "poor",
        one_prize=ONE_PRIZE,
        why=why,
    )
    won = settle(Made(1, rich), TERMS)
    assert (table_id, f"X note 2: {rich} of x") == (won.paytable, said(won.reasons)[0])


def test_what_a_row_gives_the_others_goes_with_the_outcome() -> None:
    rows = (Row("top", "", Dollars(500), "$1", Dollars(100)),)
    envious = PayTable("X-3", "x", "for", rows, POOR.source, POOR.note)
    terms = Terms(game="x", deck=STANDARD_DECK, tables={"poor": envious}, readings={})
    settle = settle_by_events(part="Chip", events=Events(("top",)), slot="poor", one_prize=ONE_PRIZE, jackpot=True)
    assert Dollars(100) == settle(Made(1), terms).envy


def test_a_table_without_the_residual_row_pays_nothing_for_the_rest() -> None:
    assert [] == Events(("top", "middle", "low"), "others").made_in(POOR, 0)
    assert paid_row(Events(("top", "middle", "low"), "others"), POOR, 0, printed_order=False) is None
