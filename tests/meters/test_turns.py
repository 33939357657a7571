"""Prizes paid in turn leave what counting and paying them one by one leaves."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.meters import MeterRefusedError, balances, contribute, hit, open_meter, pay_in_turn
from pitboss.rules import JackpotPayment
from tests.meters.making import bonus, progressive

TURNS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2_000_00)), max_size=12)


@given(TURNS, st.sampled_from([None, 1_000_00, 1_000_50]), st.sampled_from(["0", "0.05", "0.827"]))
def test_g_4_in_turn_is_the_same_as_one_by_one(
    turns: list[tuple[int, int]], cap_cents: int | None, reserve: str
) -> None:
    terms = progressive(cap_cents=cap_cents, reserve_rate=Fraction(reserve))
    state = opened = open_meter(terms).state
    transfers, shown, paid = [], [], []
    for wagers, due in turns:
        counted = contribute(state, terms, wagers)
        fund = min(due, counted.state.displayed_cents)
        won = hit(counted.state, terms, JackpotPayment(fund, due - fund, 0), top=False)
        transfers += [*counted.transfers, *won.transfers]
        shown.append(counted.state.displayed_units)
        paid.append(fund)
        state = won.state

    def payment(turn: int, cents: int) -> JackpotPayment:
        assert cents == shown[turn] // 10_000
        return JackpotPayment(min(turns[turn][1], cents), max(0, turns[turn][1] - cents), 0)

    change, told = pay_in_turn(opened, terms, [wagers for wagers, _ in turns], payment)

    assert change.state == state
    assert balances(change.transfers) == balances(transfers)
    assert [turn.displayed_units for turn in told] == shown
    assert [turn.payment.from_fund_cents for turn in told] == paid


@pytest.mark.parametrize(
    "payment", [JackpotPayment(1_000_18, 0, 0), JackpotPayment(-1, 0, 0), JackpotPayment(0, -1, 0)]
)
def test_what_the_fund_does_not_have_is_refused(payment: JackpotPayment) -> None:
    terms = progressive()
    with pytest.raises(MeterRefusedError, match="J-23"):
        pay_in_turn(open_meter(terms).state, terms, [1], lambda _turn, _cents: payment)


def test_a_bonus_display_is_not_paid_in_turn() -> None:
    with pytest.raises(MeterRefusedError, match="only a progressive"):
        pay_in_turn(open_meter(bonus()).state, bonus(), [1], lambda _turn, _cents: JackpotPayment(0, 0, 0))
