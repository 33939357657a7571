"""G-4: a press that counts no wager of a closed jackpot ends its round too; a report after it is late, at what stood then."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.commands import By, Now
from pitboss.jackpot import CallFoundHit, CallHit, Claim, Jackpot
from pitboss.jackpot.hits.calls import MOVED_ON
from pitboss.jackpot.hits.found import meter_of_round
from tests.books.making import Room
from tests.facades import Hits
from tests.jackpot.hit_making import FCP, QUADS, ROYAL, SURVEILLANCE, five_card, four_card, meter
from tests.jackpot.making import closed, make_bonus, opened, refused
from tests.tabulator.making import DEALER, FINAL_FOUR, SUPERVISOR, Floor, floor, make_setup

FIVE, FOUR = "five-card-jackpot", "four-card-jackpot"
WORDS = "the floor was called late"


def linked() -> Jackpot:
    """A percentage jackpot on table 4, which a test presses at, and on table 5, of which only its counts are here."""
    return five_card("main", "4", "5", terms=meter(reserve_rate=meter().display_rate))


def call(at: Floor, table: str = "4", jackpot: str = "main", row: str = ROYAL, **said: Any) -> int:
    usual: dict[str, Any] = {"command": at.id(), "by": DEALER}
    return Hits(at.books).call(jackpot, table, [Claim(1, row)], **usual | said).entries[0].sequence


def won(at: Floor, hit: int) -> int:
    (prize,) = Hits(at.books).open[hit].won
    return prize.cents


def emptied_by_table_5(at: Floor) -> None:
    shown = at.shown()
    call(at, "5")
    assert at.shown() < shown / 1.5


def count_at_table_5(at: Floor, number: int = 1) -> None:
    at.jackpots.tabulate("5", number, {"main": [1]}, command=at.id(), actor="table 5")


def test_g_4_after_a_press_while_the_jackpot_is_closed_a_report_is_late_and_owed_what_stood_at_that_press(
    sqlite_room: Room,
) -> None:
    """Seen: taken for a report before the next press, without a reason, and paid of the meter that another had emptied."""
    with floor(sqlite_room, make_setup(game=FCP, wagers=(FIVE,)), jackpots=[linked()]) as at:
        at.round(1, 2)
        count_at_table_5(at)
        closed(at.jackpots, "main")
        owed = at.jackpots.displayed_cents("main")
        at.round(1)
        emptied_by_table_5(at)
        at.round()
        assert "round 1 is called after the next press: state the reason in words (G-4)" in refused(lambda: call(at))
        # A screen that shows the round still is told so, and asks for the reason.
        assert MOVED_ON in refused(lambda: call(at, shown_round=1))
        assert meter_of_round(Hits(at.books).services, "main", "4", 1) == owed
        hit = call(at, round=1, words=WORDS)
        found = Hits(at.books).open[hit]
        assert (won(at, hit), found.late, found.meter_cents) == (owed, True, owed)
        assert at.is_sound()


def test_g_4_a_press_that_counts_another_jackpot_alone_ends_the_round_too(sqlite_room: Room) -> None:
    """Seen: late, and paid of the meter as it stood at the report."""
    setup = make_setup(game=FCP, wagers=(FIVE, FOUR))
    with floor(sqlite_room, setup, jackpots=[linked(), four_card()]) as at:
        at.round(1, 2)
        count_at_table_5(at)
        closed(at.jackpots, "main")
        owed = at.jackpots.displayed_cents("main")
        at.round(1)
        emptied_by_table_5(at)
        assert refused(lambda: call(at, round=1)).startswith("round 1 is called after the next press")
        assert won(at, call(at, round=1, words=WORDS)) == owed
        assert at.is_sound()


@pytest.mark.parametrize("rounds", [1, 2])
def test_g_4_after_a_jackpot_is_opened_again_the_first_press_while_it_was_closed_counts(
    sqlite_room: Room, rounds: int
) -> None:
    """Seen: paid of the meter at the first press that counted it again; also as a prize found later (G-58)."""
    with floor(sqlite_room, make_setup(game=FCP, wagers=(FIVE,)), jackpots=[linked()]) as at:
        at.round(1, 2)
        count_at_table_5(at)
        closed(at.jackpots, "main")
        owed = at.jackpots.displayed_cents("main")
        at.round(1)
        emptied_by_table_5(at)
        opened(at.jackpots, "main", "open again")
        for _ in range(rounds):
            at.round(1, 2)
        if rounds == 1:
            hit = call(at, round=1, words=WORDS)
        else:
            found = CallFoundHit(jackpot="main", table="4", round=1, claims=(Claim(1, ROYAL),), words="camera 4")
            by = By(SUPERVISOR.name, SUPERVISOR.role, SURVEILLANCE)
            hit = Hits(at.books).executor.do(found, by, id=at.id()).entries[0].sequence
        assert (won(at, hit), Hits(at.books).open[hit].meter_cents) == (owed, owed)
        assert at.is_sound()


def test_g_4_before_the_next_press_a_report_is_not_late_though_the_jackpot_is_closed(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(game=FCP, wagers=(FIVE,)), jackpots=[linked()]) as at:
        at.round(1, 2)
        closed(at.jackpots, "main")
        shown = at.jackpots.displayed_cents("main")
        hit = call(at, shown_round=1)
        assert (won(at, hit), Hits(at.books).open[hit].late) == (shown, False)


def test_g_4_a_press_that_comes_between_the_look_and_the_report_is_told(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(game=FCP, wagers=(FIVE,)), jackpots=[linked()]) as at:
        at.round(1)
        closed(at.jackpots, "main")
        report = CallHit(jackpot="main", table="4", claims=(Claim(1, ROYAL),), round=1, words=WORDS)
        services = Hits(at.books).services
        prepared = report.prepare(services)
        at.round()
        now = Now(services.state, services.clock())
        assert MOVED_ON in refused(lambda: prepared.entries(now, DEALER))


def test_e_07_a_bonus_reported_after_a_press_while_it_is_closed_is_late_and_paid_as_it_was_displayed(
    sqlite_room: Room,
) -> None:
    with floor(sqlite_room, make_setup(wagers=(FINAL_FOUR,)), jackpots=[make_bonus()]) as at:
        at.round(1)
        shown = at.jackpots.displayed_cents("daily")
        closed(at.jackpots, "daily")
        at.round(1)
        row = "4-card Royal"
        assert "after the next press" in refused(lambda: call(at, jackpot="daily", row=row))
        hit = call(at, jackpot="daily", row=row, words=WORDS)
        assert (won(at, hit) <= shown, Hits(at.books).open[hit].late) == (True, True)


def test_a_row_of_dollars_is_paid_as_printed(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(game=FCP, wagers=(FIVE,)), jackpots=[linked()]) as at:
        at.round(1)
        before = won(at, call(at, row=QUADS))
        at.round(1)
        closed(at.jackpots, "main")
        at.round(1)
        assert won(at, call(at, row=QUADS, round=2, words=WORDS)) == before
