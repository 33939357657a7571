"""Escrow of a progressive: what is due after seven days, the forecast, and the game that stops (J-18, J-19)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.books import JackpotAccounts, JackpotTerms
from pitboss.jackpot import PlayReason
from pitboss.jackpot.escrow import escrow_of, forecast_of, shortfall_units
from pitboss.jackpot.state import JackpotRecord
from tests.books.making import START, Room
from tests.facades import Jackpots
from tests.jackpot.making import (
    DAY,
    TWO,
    Clock,
    make_bonus,
    make_jackpot,
    opened,
    playing,
    press,
    refused,
    sound,
    tables,
    units,
)

HOUR = DAY // 24


def deposit(jackpots: Jackpots, cents: int, *, arrive: bool = True, name: str = "main") -> int:
    at = jackpots.books.state("room").sequence
    sent = jackpots.send_deposit(name, cents, command=f"deposit-{at}", actor="Dora").entries[0].sequence
    if arrive:
        jackpots.deposit_arrived(name, sent, command=f"arrived-{at}", actor="Dora")
    return sent


def test_g_33_j_19_what_is_seven_days_old_must_be_at_the_bank_and_what_is_younger_need_not(sqlite_room: Room) -> None:
    clock = Clock(START - START % HOUR)
    with playing(sqlite_room, make_jackpot(), clock=clock) as jackpots:
        clock.add_days(6)
        press(jackpots, 1, [1, 2])
        escrow = jackpots.escrow("main")
        assert (escrow.undeposited_units, escrow.age_days, escrow.is_short) == (units(1_000) + 2 * 17_3000, 6, False)
        clock.add_days(1.1)
        escrow = jackpots.escrow("main")
        assert (escrow.shortfall_units, escrow.age_days) == (units(1_000), 7)
        deposit(jackpots, 1_000_00)
        escrow = jackpots.escrow("main")
        assert (escrow.bank_units, escrow.undeposited_units) == (units(1_000), 2 * 17_3000)
        assert (escrow.is_short, escrow.age_days) == (False, 1)


def test_g_33_j_19_a_shortfall_stops_the_game_until_it_is_made_good(room: Room) -> None:
    clock = Clock()
    with playing(room, make_jackpot(), clock=clock) as jackpots:
        press(jackpots, 1, [1])
        clock.add_days(7.1)
        told = refused(lambda: press(jackpots, 2, [1]))
        assert "the escrow of main is short by $1,000.173000: the game is stopped" in told
        record = jackpots.record("main")
        assert (record.play, record.play_reason) == ("suspended", "escrow-shortfall")
        assert jackpots.meter("main").wagers_counted == 1
        assert "is short" in refused(lambda: opened(jackpots, "main", "again"))
        deposit(jackpots, 1_000_18, arrive=False)
        opened(jackpots, "main", "again")
        jackpots.tabulate("4", 2, {"main": [1]}, command="4-2-again", actor="table 4")
        assert jackpots.review_escrow(command="r", actor="pitboss") is None
    assert sound(room)


def test_g_33_j_19_a_deposit_on_its_way_counts_for_seven_days(sqlite_room: Room) -> None:
    clock = Clock()
    with playing(sqlite_room, make_jackpot(), clock=clock) as jackpots:
        sent = deposit(jackpots, 1_000_00, arrive=False)
        clock.add_days(7.5)
        escrow = jackpots.escrow("main")
        assert (escrow.transit_units, escrow.stale_units, escrow.shortfall_units) == (0, units(1_000), units(1_000))
        assert "no deposit of main by entry 3" in refused(
            lambda: jackpots.deposit_arrived("main", 3, command="a", actor="Dora")
        )
        jackpots.deposit_arrived("main", sent, command="b", actor="Dora")
        assert not jackpots.escrow("main").is_short
        assert "on its way; there are: none" in refused(
            lambda: jackpots.deposit_arrived("main", sent, command="c", actor="Dora")
        )
    assert sound(sqlite_room)


def test_a_review_suspends_every_open_jackpot_that_is_short_and_no_other(sqlite_room: Room) -> None:
    clock = Clock()
    others = (make_jackpot("paid", tables=tables("5")), make_bonus(tables=tables("6")))
    with playing(sqlite_room, make_jackpot(), *others, clock=clock) as jackpots:
        assert jackpots.review_escrow(command="r1", actor="pitboss") is None
        deposit(jackpots, 1_000_00, name="paid")
        clock.add_days(8)
        assert jackpots.warnings() == ["main: the escrow is short by $1,000.00, the game is stopped (J-19)"]
        answer = jackpots.review_escrow(command="r2", actor="pitboss")
        assert answer is not None
        assert [entry.kind for entry in answer.entries] == ["play-suspended"]
        assert {name: each.play for name, each in jackpots.room.jackpots.items()} == {
            "main": "suspended",
            "paid": "open",
            "daily": "open",
        }


def test_j_18_after_a_seizure_play_opens_when_the_bank_holds_what_is_displayed(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        deposit(jackpots, 1_000_00)
        jackpots.suspend("main", words="levy", command="s", actor="Bob", reason=PlayReason.SEIZURE)
        jackpots.withdraw("main", 400_00, words="levy of the county", command="w", **TWO)
        assert "after a seizure" in refused(lambda: opened(jackpots, "main", "again"))
        deposit(jackpots, 400_00)
        opened(jackpots, "main", "again-2")
        assert "would be -$" in refused(lambda: jackpots.withdraw("main", 1_000_01, words="w", command="x", **TWO))
    assert sound(sqlite_room)


def test_the_forecast_warns_days_ahead(sqlite_room: Room) -> None:
    clock = Clock(START - START % HOUR)
    with playing(sqlite_room, make_jackpot(), clock=clock) as jackpots:
        assert jackpots.forecast("main").days(clock.now) == 6
        assert jackpots.warnings() == []
        clock.add_days(4)
        assert jackpots.forecast("main").days(clock.now) == 2
        assert jackpots.warnings() == ["main: $1,000.00 is not deposited, and the game stops in 2 days (J-19)"]
        deposit(jackpots, 1_000_00)
        # All is deposited: what comes from now on is due in seven days.
        assert jackpots.forecast("main").days(clock.now) == 7
        # $1,000 in four days is $250 a day, so that $500 more last two days more.
        deposit(jackpots, 500_00)
        assert jackpots.forecast("main").days(clock.now) == 9


SCALE = 10**6
accruals = st.lists(st.tuples(st.integers(0, 7 * 24), st.integers(1, 500)), max_size=6, unique_by=lambda each: each[0])
transits = st.lists(st.tuples(st.integers(0, 7 * 24), st.integers(1, 800)), max_size=3)


@given(accruals, transits, st.integers(0, 2_000), st.integers(0, 2_000), st.integers(1, 20 * 24))
def test_the_forecast_is_the_first_hour_at_which_the_escrow_is_short(
    came: list[tuple[int, int]], on_way: list[tuple[int, int]], older: int, bank: int, ahead: int
) -> None:
    """An independent road: ask the escrow every hour from now on; nothing accrues and nothing is deposited."""
    now = START - START % HOUR
    lots = tuple(sorted((now - hours * HOUR, units * SCALE) for hours, units in came))
    sent = tuple((place, now - hours * HOUR, units * SCALE) for place, (hours, units) in enumerate(on_way))
    held = sum(each for _, each in lots) + older * SCALE
    balances = {"displayed": held, "reserve": 0, "overflow": 0, "escrow-bank": bank * SCALE}
    balances["escrow-transit"] = sum(each for _, _, each in sent)
    accounts = JackpotAccounts(JackpotTerms("progressive", 100, None), balances, {})
    record = JackpotRecord(make_jackpot(), accruals=lots, in_transit=sent)
    forecast = forecast_of(record, accounts, now)
    moment = now + ahead * HOUR
    short = escrow_of(record, accounts, moment).is_short
    assert shortfall_units(record, accounts, moment) == escrow_of(record, accounts, moment).shortfall_units
    covered = balances["escrow-bank"] + sum(each for _, since, each in sent if moment - since <= 7 * DAY)
    due = held - sum(each for hour, each in lots if moment - hour <= 7 * DAY)
    assert short == (due > covered)
    if short:
        assert forecast.short_at is not None
        assert forecast.short_at <= moment
    elif forecast.short_at is not None and moment <= now + 7 * DAY:
        assert forecast.short_at > moment or not _later_covered(record, accounts, forecast.short_at, moment)


def _later_covered(record: JackpotRecord, accounts: JackpotAccounts, first: int, moment: int) -> bool:
    """Once short it stays so where nothing is deposited."""
    return escrow_of(record, accounts, first).is_short and not escrow_of(record, accounts, moment).is_short


def test_a_week_of_accruals_is_kept_by_the_hour_and_no_more(sqlite_room: Room) -> None:
    clock = Clock(START - START % HOUR)
    with playing(sqlite_room, make_jackpot(), clock=clock) as jackpots:
        deposit(jackpots, 5_000_00)
        for number in range(1, 61):
            press(jackpots, number, [1])
            clock.add_days(1 / 48 if number < 20 else 1 / 2)
        accruals = jackpots.record("main").accruals
        assert len({hour for hour, _ in accruals}) == len(accruals) <= 17
        assert all(hour % HOUR == 0 and clock.now - hour <= 9 * DAY for hour, _ in accruals)
    assert sound(sqlite_room)


def test_withdrawals_and_deposits_are_whole_cents(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        for wrong in (0, -1, 1.5):
            with pytest.raises(ValueError, match="whole number"):
                jackpots.send_deposit("main", wrong, command=f"d{wrong}", actor="Dora")
