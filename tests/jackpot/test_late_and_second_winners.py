"""G-36, G-37: a late call after another's, and a second winner: what each is owed, to the unit, against a naive twin."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.books import Directory
from pitboss.books.audit import check_books
from pitboss.commands import By, Now
from pitboss.jackpot import INVARIANTS, PROJECTIONS, CallFoundHit, CallHit, Claim
from tests.examples import examples
from tests.jackpot.hit_making import (
    HANDS,
    MANAGER,
    ROYAL,
    SECOND,
    SECOND_ROYAL,
    STRAIGHT_FLUSH,
    SUPERVISOR,
    SURVEILLANCE,
    Floor,
    floor,
)
from tests.jackpot.making import refused

UNITS = 10_000


@pytest.fixture
def at(quick_path: Path) -> Iterator[Floor]:
    with floor(quick_path / "room") as opened:
        yield opened


def won(at: Floor, hit: int) -> dict[int, int]:
    return {prize.seat: prize.cents for prize in at.hits.open[hit].won}


def handed(at: Floor, hit: int, hands: dict[int, str] | None = None) -> None:
    at.verify(hit, hands=hands)
    if any(prize.cents > 3_000_00 for prize in at.hits.open[hit].won):
        at.surveil(hit)
    at.document(hit)
    for prize in at.hits.open[hit].won:
        at.pay(hit, prize.seat)


def test_g_36_a_late_call_is_owed_the_meter_of_its_press_though_another_emptied_it(at: Floor) -> None:
    """Seen: $502.08 for a royal whose meter stood at $10,005.70. The fund pays what it shows, the house the rest."""
    at.press(seats=[1])
    at.press("5", [1])
    owed = at.displayed()
    at.press(seats=[1])
    at.call((1, ROYAL), table="5")
    shown, house = at.displayed(), at.balance("house")
    assert shown < owed
    late = at.call((1, ROYAL), round_number=1, words="the floor was called twice")
    assert won(at, late) == {1: owed}
    assert house - at.balance("house") == owed - shown
    handed(at, late)


def test_g_36_the_order_of_calls_decides_between_hits_called_before_the_next_press(at: Floor) -> None:
    at.press(seats=[1])
    at.press("5", [1])
    first = at.call((1, ROYAL), table="5")
    second = at.call((1, ROYAL))
    assert (won(at, first), won(at, second)) == ({1: 10_000_34}, {1: 5_000_00})


@pytest.mark.parametrize("closes", [False, True], ids=["open", "closed"])
def test_g_37_a_second_winner_found_after_payment_has_the_share_of_the_amount_frozen_first(
    at: Floor, *, closes: bool
) -> None:
    """Seen: $500.00 beside a first prize of $10,000.34."""
    at.press(seats=[1, 2])
    first = at.call((1, ROYAL))
    handed(at, first)
    if closes:
        at.close(first)
    shown, fund, house = at.displayed(), at.balance("displayed"), at.balance("house")
    second = at.call((2, ROYAL))
    assert won(at, second) == {2: 5_000_17}
    assert (at.displayed(), at.balance("displayed")) == (shown, fund)
    assert house - at.balance("house") == 5_000_17
    handed(at, second, {2: SECOND_ROYAL})
    at.books.close()
    assert check_books(Directory(at.path), projections=PROJECTIONS, invariants=INVARIANTS).is_sound


def test_g_37_a_prize_of_the_round_before_is_no_second_winner_of_a_press_that_came_in_between(at: Floor) -> None:
    """Seen in the simulated year: half of 10 % of a meter of three rounds ago, because the press was still in line."""
    at.press(seats=[1, 2])
    handed(at, at.call((1, ROYAL)))
    call = CallHit(jackpot="main", table="4", claims=(Claim(2, ROYAL),))
    prepared = call.prepare(at.hits.services)
    at.press(seats=[2])
    now = Now(at.hits.state, at.hits.services.clock())
    [movement] = prepared.entries(now, By("Dan", "dealer"))
    assert (at.displayed(), "beside" in movement.details) == (movement.details["won"][0][2], False)
    # A second winner of the round that was looked at is one still, whoever presses meanwhile.
    late = CallHit(jackpot="main", table="4", claims=(Claim(2, ROYAL),), round=1, words="seen on video")
    [movement] = late.prepare(at.hits.services).entries(now, By("Dan", "dealer"))
    assert [[2, ROYAL, 5_000_17]] == movement.details["won"]


def test_g_37_a_second_winner_found_long_after_is_called_as_a_prize_found_later(at: Floor) -> None:
    at.press(seats=[1, 2])
    first = at.call((1, ROYAL))
    handed(at, first)
    at.close(first)
    for _ in range(4):
        at.press()
    shown = at.displayed()
    call = CallFoundHit(jackpot="main", table="4", round=1, claims=(Claim(2, ROYAL),), words="camera 4")
    by = By(SUPERVISOR.name, SUPERVISOR.role, SURVEILLANCE)
    second = at.hits.executor.do(call, by, id=at.id()).entries[0].sequence
    assert (won(at, second), at.displayed()) == ({2: 5_000_17}, shown)


def test_g_37_before_payment_they_share_by_correction(at: Floor) -> None:
    at.press(seats=[1, 2])
    first = at.call((1, ROYAL))
    assert f"has hit {first} already: correct it to add a seat (G-37)" in refused(lambda: at.call((2, ROYAL)))
    at.correct(first, (1, ROYAL), (2, ROYAL))
    assert won(at, first) == {1: 5_000_17, 2: 5_000_17}


def test_g_37_another_level_found_after_payment_is_of_the_amount_frozen_first_too(at: Floor) -> None:
    at.press(seats=[1, 2])
    handed(at, at.call((1, ROYAL)))
    shown = at.displayed()
    second = at.call((2, STRAIGHT_FLUSH))
    assert (won(at, second), at.displayed()) == ({2: 1_000_03}, shown)
    handed(at, second, {2: HANDS[STRAIGHT_FLUSH]})


def test_g_37_a_second_call_may_be_corrected_and_rejected_and_the_meter_stays(at: Floor) -> None:
    at.press(seats=[1, 2, 3])
    handed(at, at.call((1, ROYAL)))
    shown = at.displayed()
    second = at.call((2, ROYAL))
    at.correct(second, (2, ROYAL), (3, ROYAL), by=SECOND)
    assert won(at, second) == {2: 3_333_50, 3: 3_333_50}
    assert at.displayed() == shown
    at.reject(second, by=SUPERVISOR, approved_by=MANAGER)
    assert at.displayed() == shown


def twin_share(meter: int, first: int, second: int) -> int:
    """The share of each of the second winners, worked out by handing cents round one by one to all winners."""
    winners = first + second
    return sum(1 for cent in range(meter) if cent % winners == 0) - (1 if meter % winners else 0)


Course = st.tuples(
    st.integers(min_value=1, max_value=3), st.integers(min_value=1, max_value=2), st.integers(0, 4), st.booleans()
)


@examples(12)
@given(course=Course)
def test_g_37_conservation_to_the_unit_against_a_naive_twin(course: Any) -> None:
    first_count, second_count, presses, is_rejected = course
    seats = list(range(1, first_count + second_count + 1))
    with tempfile.TemporaryDirectory() as folder, floor(Path(folder) / "room") as at:
        for _ in range(presses):
            at.press("5", [1, 2, 3])
        at.press(seats=seats)
        frozen = at.displayed()
        total = sum(balances(at).values())
        first = at.call(*((seat, ROYAL) for seat in seats[:first_count]))
        at.verify(first, hands={seat: _royal(place) for place, seat in enumerate(seats[:first_count])})
        if frozen // first_count > 3_000_00:
            at.surveil(first)
        at.document(first)
        for seat in seats[:first_count]:
            at.pay(first, seat)
        before = balances(at)
        second = at.call(*((seat, ROYAL) for seat in seats[first_count:]))
        share = twin_share(frozen, first_count, second_count)
        assert won(at, second) == dict.fromkeys(seats[first_count:], share)
        after = balances(at)
        moved = share * second_count * UNITS
        assert after == {**before, "house": before["house"] - moved, "winners": before["winners"] + moved}
        if is_rejected:
            at.reject(second)
            assert balances(at) == before
        assert sum(balances(at).values()) == total


@examples(12)
@given(presses=st.lists(st.just("5"), max_size=4), is_called=st.booleans(), is_top=st.booleans())
def test_g_36_conservation_to_the_unit_against_a_naive_twin(presses: list[str], is_called: bool, is_top: bool) -> None:
    row, percent = (ROYAL, 100) if is_top else (STRAIGHT_FLUSH, 10)
    with tempfile.TemporaryDirectory() as folder, floor(Path(folder) / "room") as at:
        at.press(seats=[1])
        at.press("5", [1])
        for table in presses:
            at.press(table, [1])
        owed = at.displayed() * percent // 100
        at.press(seats=[1])
        if is_called:
            at.call((1, ROYAL), table="5")
        before, shown = balances(at), at.displayed()
        total = sum(before.values())
        late = at.call((1, row), round_number=1, words="late")
        assert won(at, late) == {1: owed}
        after = balances(at)
        from_fund = min(owed, shown)
        assert before["house"] - after["house"] == (owed - from_fund) * UNITS
        assert after["winners"] - before["winners"] == owed * UNITS
        assert sum(after.values()) == total


def balances(at: Floor) -> dict[str, int]:
    return dict(at.jackpots.accounts("main").balances)


def _royal(place: int) -> str:
    return HANDS[ROYAL].replace("s", "shdc"[place])
