"""Tests of what play does to a meter."""

from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from pitboss.meters import (
    UNITS_PER_CENT,
    Account,
    DecreaseReason,
    adjust,
    balances,
    contribute,
    hit,
    open_meter,
    refund_void,
    reject_hit,
)
from tests.meters.making import after_wagers, bonus, cents, fund_pays, moved, places, progressive, reasons, refused, usd


def test_t_01_a_meter_opens_with_its_seed_lent_by_the_house() -> None:
    change = open_meter(progressive())
    assert [("seed", "displayed", usd("1000"))] == moved(change)
    assert (usd("1000"), usd("1000"), 1, 0) == (
        change.state.displayed_units,
        change.state.seed_units,
        change.state.generation,
        change.state.wagers_counted,
    )


def test_j_10_a_seed_above_the_cap_does_not_open() -> None:
    assert open_meter(progressive(cap_cents=1_000_00)).state.displayed_cents == 1_000_00
    assert [("seed_cents", "REGULATION J-10")] == places(refused(lambda: open_meter(progressive(cap_cents=999_99))))


def test_j_07_a_million_dollar_wagers_at_17_3_percent_are_exactly_173_000_dollars() -> None:
    terms = progressive(seed_cents=0)
    closed = after_wagers(terms, 10**6).state
    assert usd("$173,000.00") == closed.displayed_units
    assert cents("$173,000.00") == closed.displayed_cents
    assert usd("$1,730,000.00") == after_wagers(terms, 10**7).state.displayed_units


def test_j_07_a_million_wagers_in_batches_of_any_size_give_the_same_state() -> None:
    terms = progressive(reserve_rate=Fraction("0.011"), cap_cents=150_000_00)
    closed = after_wagers(terms, 10**6).state
    state, left, size = open_meter(terms).state, 10**6, 1
    while left:
        batch = min(size, left)
        state = contribute(state, terms, batch).state
        left, size = left - batch, size * 7 % 1_009 + 1
    assert closed == state
    assert usd("150000") == closed.displayed_units
    assert usd("1000") + usd("173000") - usd("150000") == closed.overflow_units


def test_j_03_every_part_of_a_wager_is_accounted_for() -> None:
    change = after_wagers(progressive(reserve_rate=Fraction("0.05")), 3)
    assert [
        ("wagers", "displayed", 3 * 173_000),
        ("wagers", "reserve", 3 * 50_000),
        ("wagers", "house-share", 3 * 777_000),
    ] == moved(change)
    assert -usd("3") == balances(change.transfers)[Account.WAGERS]


@pytest.mark.parametrize(
    ("below_cap", "shown", "above"),
    [(173_001, 173_000, 0), (173_000, 173_000, 0), (172_999, 172_999, 1), (1, 1, 172_999), (0, 0, 173_000)],
)
def test_t_22_the_display_freezes_at_the_cap_and_the_overflow_grows(below_cap: int, shown: int, above: int) -> None:
    terms = progressive(cap_cents=1_001_00)
    start = (
        adjust(open_meter(terms).state, terms, usd("1") - below_cap, words="to the cap").state
        if below_cap != usd("1")
        else open_meter(terms).state
    )
    after = contribute(start, terms, 1).state
    assert (start.displayed_units + shown, above) == (after.displayed_units, after.overflow_units)
    assert after.displayed_units <= usd("1001")


def test_j_02_a_bonus_display_does_not_move_with_wagers() -> None:
    terms = bonus()
    opened = open_meter(terms)
    counted = contribute(opened.state, terms, 1_000)
    assert [("posting", "displayed", usd("250"))] == moved(opened)
    assert [("wagers", "house-share", usd("1000"))] == moved(counted)
    assert opened.state.displayed_units == counted.state.displayed_units
    assert 1_000 == counted.state.wagers_counted
    # The display is an announcement of the house's money: nothing is held for players.
    total = balances(opened.transfers + counted.transfers)
    assert 0 == total[Account.DISPLAYED] + total[Account.POSTING] == total[Account.SEED]


@pytest.mark.parametrize("wagers", [-1, 1.0, True, "1"])
def test_j_07_a_count_is_a_whole_number(wagers: Any) -> None:
    state = open_meter(progressive()).state
    assert [("wagers", "REGULATION J-07")] == places(refused(lambda: contribute(state, progressive(), wagers)))


def test_t_01_an_unreasonable_contribution_is_refused() -> None:
    terms = progressive(batch_wagers_max=7)
    state = after_wagers(terms, 7).state
    assert 7 == state.wagers_counted
    assert [("wagers", "REGULATION T-01")] == places(refused(lambda: contribute(state, terms, 8)))
    assert state == contribute(state, terms, 0).state


def test_g_11_a_refund_of_a_void_round_is_the_houses_and_leaves_the_meter() -> None:
    counted = after_wagers(progressive(reserve_rate=Fraction("0.1")), 5)
    change = refund_void(counted.state, counted.terms, 5)
    assert counted.state == change.state
    assert [("house", "players", usd("5"))] == moved(change)
    assert [("wagers", "REGULATION C-5")] == places(refused(lambda: refund_void(counted.state, counted.terms, 6)))
    assert [("wagers", "REGULATION C-5")] == places(refused(lambda: refund_void(counted.state, counted.terms, 0)))


def test_g_4_a_part_of_the_meter_is_paid_in_whole_cents_and_nothing_is_reseeded() -> None:
    counted = after_wagers(progressive(), 1)
    change = hit(counted.state, counted.terms, fund_pays(cents("100.01")), top=False)
    assert [("displayed", "winners", usd("100.01"))] == moved(change)
    assert ["prize-won"] == reasons(change.transfers)
    assert counted.state.displayed_units - usd("100.01") == change.state.displayed_units
    assert (1, 1, cents("100.01")) == (change.state.generation, change.state.hits, change.state.won_cents)


def test_g_4_the_odd_cents_and_fractions_stay_on_the_meter_when_three_share_the_whole_of_it() -> None:
    counted = after_wagers(progressive(), 1)
    assert 100_017 == counted.state.displayed_cents
    each, odd = divmod(100_018 - 1, 3)
    change = hit(counted.state, counted.terms, fund_pays(3 * each, 0, odd), top=True)
    left = counted.state.displayed_units - 3 * each * UNITS_PER_CENT
    assert odd * UNITS_PER_CENT + 3_000 == left
    assert usd("500") + left == change.state.displayed_units
    assert 2 == change.state.generation


def test_g_4_what_the_fund_cannot_cover_the_house_covers() -> None:
    counted = after_wagers(progressive(), 1)
    shown = counted.state.displayed_cents
    change = hit(counted.state, counted.terms, fund_pays(shown, shown // 10), top=True)
    assert ("house", "winners", shown // 10 * UNITS_PER_CENT) in moved(change)
    assert shown + shown // 10 == change.state.won_cents


def test_g_4_the_fund_never_goes_below_zero() -> None:
    state, terms = open_meter(progressive()).state, progressive()
    assert 0 == hit(state, terms, fund_pays(1_000_00), top=False).state.displayed_units
    problems = refused(lambda: hit(state, terms, fund_pays(1_000_01), top=False))
    assert [("from_fund_cents", "REGULATION J-23")] == places(problems)
    assert "G-4" == problems[0].ruling


@pytest.mark.parametrize("payment", [fund_pays(-1), fund_pays(0, -1), fund_pays(0, 0, -1), fund_pays(1.5)])  # type: ignore[arg-type]
def test_g_3_prizes_are_whole_cents(payment: Any) -> None:
    assert ["REGULATION J-23"] == [
        each[1]
        for each in places(refused(lambda: hit(open_meter(progressive()).state, progressive(), payment, top=True)))
    ]


@pytest.mark.parametrize(
    ("reserve", "overflow", "expected"),
    [
        ("600", "100", [("reserve", "500")]),
        ("500", "100", [("reserve", "500")]),
        ("300", "600", [("reserve", "300"), ("overflow", "200")]),
        ("300", "150", [("reserve", "300"), ("overflow", "150"), ("seed", "50")]),
        ("0", "0", [("seed", "500")]),
    ],
)
def test_t_01_a_top_hit_reseeds_from_reserve_then_overflow_then_the_house(
    reserve: str, overflow: str, expected: list[tuple[str, str]]
) -> None:
    terms = progressive()
    state = open_meter(terms).state
    for fund, amount in ((Account.RESERVE, reserve), (Account.OVERFLOW, overflow)):
        if amount != "0":
            state = adjust(state, terms, usd(amount), words="test", fund=fund).state
    change = hit(state, terms, fund_pays(1_000_00), top=True)
    assert [(giver, "displayed", usd(amount)) for giver, amount in expected] == moved(change)[1:]
    assert usd("500") == change.state.displayed_units


def test_j_10_a_reseed_stops_at_the_cap() -> None:
    terms = progressive(seed_cents=400_00, cap_cents=500_00)
    counted = after_wagers(terms, 1)
    change = hit(counted.state, terms, fund_pays(counted.state.displayed_cents), top=True)
    assert usd("500") == change.state.displayed_units
    assert usd("500") - 3_000 == change.transfers[-1].units


def test_g_4_of_two_linked_tables_the_second_call_is_paid_from_the_reseeded_meter() -> None:
    first = hit(open_meter(progressive()).state, progressive(), fund_pays(1_000_00), top=True)
    assert 500_00 == first.state.displayed_cents
    assert refused(lambda: hit(first.state, first.terms, fund_pays(1_000_00), top=True))
    second = hit(first.state, first.terms, fund_pays(500_00), top=True)
    assert (500_00, 3, 2) == (second.state.displayed_cents, second.state.generation, second.state.hits)


def test_t_14_after_a_late_call_the_wagers_since_belong_to_the_next_jackpot() -> None:
    at_press = after_wagers(progressive(), 10).state
    now = contribute(at_press, progressive(), 10).state
    change = hit(now, progressive(), fund_pays(at_press.displayed_cents), top=True)
    assert usd("500") + 10 * 173_000 + at_press.displayed_units % UNITS_PER_CENT == change.state.displayed_units


def test_j_05_a_bonus_prize_is_the_houses_and_its_display_stays() -> None:
    state = open_meter(bonus()).state
    change = hit(state, bonus(), fund_pays(0, 2 * 250_00), top=True)
    assert [("house", "winners", usd("500"))] == moved(change)
    assert (250_00, 2, 1, 500_00) == (
        change.state.displayed_cents,
        change.state.generation,
        change.state.hits,
        change.state.won_cents,
    )
    assert [("from_fund_cents", "REGULATION J-01")] == places(
        refused(lambda: hit(state, bonus(), fund_pays(1), top=True))
    )


def test_issue_5_a_rejected_call_restores_the_frozen_amount_with_all_contributions_since() -> None:
    terms = progressive(reserve_rate=Fraction("0.01"))
    before = after_wagers(terms, 1_001)
    called = hit(before.state, terms, fund_pays(before.state.displayed_cents, 5_00), top=True)
    later = contribute(called.state, terms, 13)
    change = reject_hit(later.state, terms, called.transfers)
    expected = contribute(before.state, terms, 13).state
    for name in ("displayed_units", "reserve_units", "overflow_units", "seed_units", "wagers_counted"):
        assert getattr(expected, name) == getattr(change.state, name)
    assert (2, 1, 1) == (change.state.generation, change.state.hits, change.state.hits_rejected)
    assert change.state.won_cents == change.state.won_rejected_cents
    assert (
        0
        == balances(called.transfers + change.transfers)[Account.WINNERS]
        == balances(called.transfers + change.transfers)[Account.HOUSE]
    )


def test_issue_5_a_rejected_call_above_the_cap_gives_the_rest_to_the_overflow() -> None:
    terms = progressive(cap_cents=1_000_00)
    called = hit(open_meter(terms).state, terms, fund_pays(1_000_00), top=True)
    later = contribute(called.state, terms, 100)
    change = reject_hit(later.state, terms, called.transfers)
    assert (usd("1000"), usd("17.30")) == (change.state.displayed_units, change.state.overflow_units)
    assert [None, "seed-recovered", "above-cap"] == reasons(change.transfers)


def test_issue_5_seed_recovered_since_the_call_is_not_given_back_twice() -> None:
    terms = progressive(seed_cents=0)
    start = after_wagers(terms, 10_000).state
    called = hit(start, terms, fund_pays(start.displayed_cents), top=True)
    recovered = adjust(called.state, terms, -usd("450"), DecreaseReason.SEED_RECOVERED, words="seed recovered")
    change = reject_hit(recovered.state, terms, called.transfers)
    assert (0, usd("1730")) == (change.state.seed_units, change.state.displayed_units)


def test_j_09_only_a_hit_can_be_rejected_and_only_once() -> None:
    terms = progressive()
    opened = open_meter(terms)
    called = hit(opened.state, terms, fund_pays(1_000_00), top=True)
    once = reject_hit(called.state, terms, called.transfers)
    for state, transfers in (
        (called.state, ()),
        (called.state, contribute(opened.state, terms, 1).transfers),
        (once.state, called.transfers),
        (opened.state, called.transfers),
    ):
        problems = refused(partial(reject_hit, state, terms, transfers))
        assert [("called", "REGULATION J-09")] == places(problems)


def test_j_09_no_more_is_rejected_than_still_stands() -> None:
    terms = progressive()
    large = hit(open_meter(terms).state, terms, fund_pays(900_00), top=False)
    small = hit(large.state, terms, fund_pays(1_00), top=False)
    once = reject_hit(small.state, terms, large.transfers)
    # One hit still stands, but not this one.
    assert [("called", "REGULATION J-09")] == places(refused(lambda: reject_hit(once.state, terms, large.transfers)))
    both = reject_hit(once.state, terms, small.transfers)
    assert (usd("1000"), 2, 2) == (both.state.displayed_units, both.state.hits, both.state.hits_rejected)
    # A top hit of an empty meter pays nothing but reseeds; where no hit stands, it is not this meter's.
    empty = open_meter(progressive(seed_cents=0)).state
    of_another = hit(empty, terms, fund_pays(0), top=True)
    assert [("seed", "displayed", usd("500"))] == moved(of_another)
    assert [("called", "REGULATION J-09")] == places(
        refused(lambda: reject_hit(both.state, terms, of_another.transfers))
    )
    assert 0 == reject_hit(of_another.state, terms, of_another.transfers).state.displayed_units


def test_issue_5_a_call_with_every_payer_is_rejected_without_a_trace_in_the_funds() -> None:
    terms = progressive()
    state = open_meter(terms).state
    for fund in (Account.RESERVE, Account.OVERFLOW):
        state = adjust(state, terms, usd("100"), words="test", fund=fund).state
    called = hit(state, terms, fund_pays(1_000_00, 50_00), top=True)
    assert ["displayed", "house", "reserve", "overflow", "seed"] == [each.payer for each in called.transfers]
    change = reject_hit(called.state, terms, called.transfers)
    for name in ("displayed_units", "reserve_units", "overflow_units", "seed_units"):
        assert getattr(state, name) == getattr(change.state, name)
