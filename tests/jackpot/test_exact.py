"""Ten million one-dollar wagers at 17.3 % are $1,730,000.00, to the unit, by several roads (J-07, section 10)."""

from __future__ import annotations

import pytest

from pitboss.meters import contribute, open_meter, units_of
from tests.books.making import Room
from tests.jackpot.making import make_jackpot, playing, sound
from tests.meters.making import progressive

TEN_MILLION = 10_000_000
SEATS = 5
TERMS = progressive(seed_cents=0, reseed_cents=0)


def test_ten_million_wagers_through_the_books_in_batches(sqlite_room: Room) -> None:
    rounds = TEN_MILLION // SEATS // 100
    with playing(sqlite_room, make_jackpot(meter=TERMS)) as jackpots:
        for number in range(1, 101):
            wagers = dict.fromkeys(range(1, SEATS + 1), rounds)
            jackpots.count_batch("4", number * rounds, rounds, {"main": wagers}, command=f"b{number}", actor="table 4")
        meter = jackpots.meter("main")
    assert meter.displayed_units == units_of(1_730_000_00)
    assert meter.displayed_cents == 1_730_000_00
    assert meter.wagers_counted == TEN_MILLION
    assert sound(sqlite_room)


def test_thirty_thousand_wagers_one_by_one_through_the_arithmetic() -> None:
    state = open_meter(TERMS).state
    for _ in range(30_000):
        state = contribute(state, TERMS, 1).state
    assert state.displayed_units == units_of(5_190_00)


@pytest.mark.slow
def test_ten_million_wagers_one_by_one_through_the_arithmetic() -> None:
    state = open_meter(TERMS).state
    for _ in range(TEN_MILLION):
        state = contribute(state, TERMS, 1).state
    assert state.displayed_units == units_of(1_730_000_00)
