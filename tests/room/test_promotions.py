"""Issue 16, item 14: gambling promotions as the documents mean them, beside the pay tables and never in them."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from pitboss.books import LEDGER, RefusedError
from pitboss.commands import By
from pitboss.commands.command import BOOK
from pitboss.games import find_game
from pitboss.reports import ReportRequest, look, make_report
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.room import Room
from pitboss.room.slides import EndSlide, Promotion, SetSlide, _odds_paid, contradictions
from pitboss.server.views.table_state import table_state
from pitboss.server.views.vision import PromotionView, vision_view
from pitboss.table import default_configuration
from tests.pages.room import NOW, CardRoom, card_room

MANAGER = By("Max", "manager")
TODAY = NOW.date()
THREE_CARD_PRIME, SUPER_THREE_CARD = "4", "7"
"""Tables of the room at which these games are dealt."""


@pytest.fixture
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with card_room(tmp_path_factory.mktemp("promotions") / "room") as found:
        yield found


def promotion(**fields: Any) -> Promotion:
    usual: dict[str, Any] = {
        "name": "fridays",
        "title": "Football Fridays",
        "words": "A drawing among all who win with a straight flush.",
        "first_day": TODAY,
        "last_day": TODAY + datetime.timedelta(days=30),
        "tables": (THREE_CARD_PRIME,),
        "wager": "prime",
        "prize": "$50 in chips",
        "paid_by": "the casino",
    }
    return Promotion(**usual | fields)


def refusal(room: Room, slide: Promotion) -> str:
    with pytest.raises(RefusedError) as error:
        room.do(SetSlide(promotion=slide), MANAGER, id="refused")
    return "; ".join(error.value.problems)


def panels(room: Room, table: str) -> list[PromotionView]:
    view = vision_view(table_state(room.state, table, NOW))
    return [panel for slide in view.slides for panel in slide.panels if isinstance(panel, PromotionView)]


def test_item_14_a_promotion_names_prize_payer_and_tables_and_a_slide_alone_names_none(room: CardRoom) -> None:
    words = refusal(room.room, promotion(prize=" ", paid_by="", tables=()))
    assert "prize: enter it" in words
    assert "paid_by: enter it" in words
    assert "choose the tables" in words
    assert "prize: choose a wager" in refusal(room.room, promotion(wager=""))


def test_it_is_added_to_a_wager_that_the_table_offers(room: CardRoom) -> None:
    assert "does not offer low-ball" in refusal(room.room, promotion(wager="low-ball"))
    assert "has no setup yet" in refusal(room.room, promotion(tables=("99",)))


def test_super_three_card_has_it_on_bonus_wagers_with_written_consent_only(room: CardRoom) -> None:
    at_seven = {"tables": (SUPER_THREE_CARD,)}
    words = refusal(room.room, promotion(wager="ante-odds-play", **at_seven))
    assert "bonus wagers only (STC Gambling Promotions)" in words
    assert "written consent of the game's owner (STC Gambling Promotions)" in words
    bonus = promotion(wager="twenty-one-plus-three", consent="Galaxy Gaming, letter of 2026-10-01", **at_seven)
    room.room.do(SetSlide(promotion=bonus), MANAGER, id="with-consent")
    assert "Football Fridays" in [panel.title for panel in panels(room.room, SUPER_THREE_CARD)]


def test_table_vision_shows_prize_and_payer_at_its_tables_and_nothing_else_changes(room: CardRoom) -> None:
    before = vision_view(table_state(room.room.state, THREE_CARD_PRIME, NOW))
    money = room.room.state.of(LEDGER)
    room.room.do(SetSlide(promotion=promotion()), MANAGER, id="fridays")
    (shown,) = [panel for panel in panels(room.room, THREE_CARD_PRIME) if panel.title == "Football Fridays"]
    assert "Prize: $50 in chips. Paid by the casino, beside the pay table and any jackpot." in shown.small_print
    assert "Football Fridays" not in [panel.title for panel in panels(room.room, "5")]

    after = vision_view(table_state(room.room.state, THREE_CARD_PRIME, NOW))
    assert (after.meters, after.fixed, after.limits) == (before.meters, before.fixed, before.limits)
    assert room.room.state.of(LEDGER) == money


def test_item_14_a_slide_that_promises_what_no_pay_table_pays_is_pointed_out(room: CardRoom) -> None:
    state = room.room.state
    assert not contradictions(state, promotion())
    assert not contradictions(state, promotion(words="Prime pays 3 to 1, or 4 to 1."))
    (double,) = contradictions(state, promotion(words="On Fridays Prime pays double!"))
    assert "'pays double'" in double
    (odds,) = contradictions(state, promotion(words="A suited pair: 777 to 1."))
    assert "'777 to 1', which no pay table of table 4 pays" in odds


def test_item_1_a_slide_is_compared_with_what_is_settled_and_not_with_the_printed_cell() -> None:
    """TCP-4: under `loses` the cell of "Flush and lower" in a Bad Beat table is never paid, whatever it says."""
    usual = default_configuration(find_game("three-card-prime"), TODAY)
    own = {"id": "OWN-1", "like": "PW/BB-2", "pays": {"Flush and lower": "3"}}
    wagers = {"ante-play": replace(usual.wagers["ante-play"], paytables=(own,))}
    table = replace(usual, wagers=wagers, jackpots={}, readings={"bad_beat_flush_or_lower": "loses"})
    cells = {str(row.pay) for pay_table in table.terms.tables.values() for row in pay_table.rows}
    assert "3 to 1" in cells
    assert _odds_paid(table) == {"1", "2", "4", "5", "6", "10", "12"}


def test_the_report_lists_the_promotions_of_its_period(room: CardRoom) -> None:
    room.room.do(SetSlide(promotion=promotion()), MANAGER, id="fridays")
    room.room.do(EndSlide(name="fridays"), MANAGER, id="over")
    with closing(room.room.books.directory.open_store(write=False)) as store:
        scope = look(store, BOOK, ReportRequest(), made_at=0, projections=PROJECTIONS, invariants=INVARIANTS)
        report = make_report(scope, "promotions")
    days = (TODAY.isoformat(), (TODAY + datetime.timedelta(days=30)).isoformat())
    assert [row.cells[:9] for row in report.rows] == [
        ("fridays", "saved", "prime", "4", *days, "$50 in chips", "the casino", ""),
        ("fridays", "ended", None, None, None, None, None, None, None),
    ]
