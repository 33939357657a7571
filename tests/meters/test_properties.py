"""Properties of every life a meter can have, and its agreement with a second implementation."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pitboss.meters import (
    FUNDS,
    Account,
    DecreaseReason,
    MeterState,
    MeterTerms,
    balances,
    contribute,
    explains,
    open_meter,
)
from tests.examples import examples
from tests.meters.events import Life, in_dollars, live, lives, perform, terms_drawn
from tests.meters.naive import NaiveMeter, RefusedByTwinError

Drawn = tuple[MeterTerms, list[tuple[Any, ...]]]
many = examples(40)


def _flows(life: Life) -> dict[tuple[Account, Account], int]:
    flows: dict[tuple[Account, Account], int] = defaultdict(int)
    for each in life.transfers:
        flows[each.payer, each.payee] += each.units
    return flows


@many
@given(lives)
def test_invariant_1_money_is_conserved_to_the_smallest_unit(drawn: Drawn) -> None:
    life = live(*drawn)
    terms, state = drawn[0], life.last.state
    flows = _flows(life)

    def out(payer: Account) -> int:
        return sum(units for (giver, _), units in flows.items() if giver is payer)

    def into(payee: Account) -> int:
        return sum(units for (_, taker), units in flows.items() if taker is payee)

    house_in = sum(flows[Account.HOUSE, taker] for taker in (*FUNDS, Account.WAGERS))
    house_out = sum(flows[giver, Account.HOUSE] for giver in FUNDS)
    paid_from_fund = flows[Account.DISPLAYED, Account.WINNERS] - flows[Account.WINNERS, Account.DISPLAYED]
    house_share = into(Account.HOUSE_SHARE) - out(Account.HOUSE_SHARE)
    posted = into(Account.POSTING) - out(Account.POSTING)
    # The wagers come from the counters, not from the transfers: the two must agree.
    counted = (state.wagers_counted - state.wagers_reversed) * terms.wager_units
    came_in = out(Account.SEED) + counted + house_in + out(Account.OTHER_METERS)
    went = paid_from_fund + house_share + into(Account.SEED) + into(Account.RECEIPTS) + into(Account.OTHER_METERS)
    assert came_in == state.held_units + went + house_out + posted
    assert 0 == sum(balances(life.transfers).values())
    paid = flows[Account.HOUSE, Account.WINNERS] - flows[Account.WINNERS, Account.HOUSE] + paid_from_fund
    assert in_dollars(paid) == Fraction(state.won_cents - state.won_rejected_cents, 100)


@many
@given(lives)
def test_invariant_2_the_display_never_passes_its_cap_and_a_cap_is_never_set_below_it(drawn: Drawn) -> None:
    for step in live(*drawn).steps:
        if step.change is None:
            continue
        cap = step.change.terms.cap_cents
        if cap is not None:
            assert step.change.state.displayed_units <= cap * 10_000
            if step.kind == "cap":
                assert cap >= step.before.displayed_cents == step.change.state.displayed_cents


@many
@given(lives)
def test_invariant_3_nothing_goes_down_but_for_one_of_the_five_reasons(drawn: Drawn) -> None:
    life = live(*drawn)
    for step in life.steps:
        if step.change is None or not drawn[0].is_progressive:
            continue
        reasons = {each.reason for each in step.change.transfers if each.reason}
        if step.change.state.displayed_units < step.before.displayed_units:
            assert reasons
        if step.change.state.held_units < step.before.held_units:
            assert reasons or step.kind == "seed_other"
        for each in step.change.transfers:
            leaves = each.payer is Account.DISPLAYED or (each.payer in FUNDS and each.payee not in FUNDS)
            assert leaves == (each.reason is not None) or each.payee is Account.OTHER_METERS
            assert each.payer not in FUNDS or each.payee is not Account.HOUSE_SHARE
        if step.kind in ("contribute", "refund", "raise"):
            assert step.change.state.displayed_units >= step.before.displayed_units
            assert not reasons
        if step.kind == "hit":
            assert reasons <= {DecreaseReason.PRIZE_WON}


@many
@given(lives)
def test_j_02_a_wager_never_moves_a_bonus_display_and_a_refund_never_moves_any(drawn: Drawn) -> None:
    for step in live(*drawn).steps:
        if step.change and (
            step.kind == "refund" or (step.kind in ("contribute", "correct", "hit") and not drawn[0].is_progressive)
        ):
            assert step.before.displayed_units == step.change.state.displayed_units


@many
@given(lives)
def test_j_09_every_change_is_explained_by_its_transfers(drawn: Drawn) -> None:
    life = live(*drawn)
    assert explains(life.transfers, life.last.state)
    for step in life.steps:
        if step.change:
            moved = balances(step.change.transfers)
            for fund in FUNDS:
                name = f"{fund}_units"
                assert getattr(step.before, name) + moved[fund] == getattr(step.change.state, name)


@many
@given(lives)
def test_m_11_no_counter_ever_falls(drawn: Drawn) -> None:
    for step in live(*drawn).steps:
        if step.change:
            for name in (
                "generation",
                "wagers_counted",
                "wagers_reversed",
                "hits",
                "hits_rejected",
                "won_cents",
                "won_rejected_cents",
            ):
                assert getattr(step.before, name) <= getattr(step.change.state, name)


@many
@given(lives)
def test_invariant_7_replaying_the_events_gives_the_same_states_and_transfers(drawn: Drawn) -> None:
    life = live(*drawn)
    again = open_meter(drawn[0])
    state, terms, calls = again.state, again.terms, list[Any]()
    for step in life.steps:
        if step.change is None:
            continue
        change = perform(state, terms, step.kind, step.values, calls)
        assert step.change == change
        assert change.state == eval(repr(change.state), {"MeterState": MeterState})  # noqa: S307
        if step.kind == "hit" and change.transfers:
            calls.append(change.transfers)
        elif step.kind == "reject":
            calls.pop(step.values[0])
        state, terms = change.state, change.terms


@many
@given(terms_drawn(), st.lists(st.integers(0, 40), max_size=12))
def test_j_07_batches_equal_singles_equal_the_closed_form(terms: MeterTerms, batches: list[int]) -> None:
    in_batches = one_by_one = open_meter(terms).state
    transfers = list(open_meter(terms).transfers)
    for batch in batches:
        change = contribute(in_batches, terms, batch)
        in_batches = change.state
        transfers += change.transfers
    for _ in range(sum(batches)):
        one_by_one = contribute(one_by_one, terms, 1).state
    closed = contribute(open_meter(terms).state, terms, sum(batches))
    assert in_batches == one_by_one == closed.state
    assert balances(transfers) == balances(open_meter(terms).transfers + closed.transfers)
    if terms.cap_units is None:
        assert in_batches.displayed_units == terms.seed_cents * 10_000 + sum(batches) * terms.display_units


def _twin_step(twin: NaiveMeter, kind: str, values: tuple[Any, ...]) -> None:
    match kind, values:
        case "contribute", (count,):
            twin.contribute(count)
        case "refund", (count,):
            twin.refund(count)
        case "hit", (fund, house, top):
            fund, house = (0, fund + house) if twin.bonus else (fund, house)
            twin.hit(Fraction(fund, 100), Fraction(house, 100), top)
        case "reject", (index,):
            standing = [place for place, call in enumerate(twin.calls) if any(call.values())]
            if index >= len(standing):
                raise RefusedByTwinError
            twin.reject(standing[index])
            twin.calls.pop(standing[index])
        case "raise", (name, source, units):
            twin.raise_fund(name, source, in_dollars(units))
        case "lower", (name, reason, units):
            twin.lower_fund(name, str(reason), in_dollars(units))
        case "book", (name, units):
            twin.lower_fund(name, "booked-as-receipts", in_dollars(units))
        case "seed_other", (name, units):
            twin.seed_other(name, in_dollars(units))
        case "correct", (count, generation):
            twin.correct(count, generation)
        case "cap", (cents,):
            twin.set_cap(None if cents is None else Fraction(cents, 100))
        case "post", (cents,):
            twin.post(Fraction(cents, 100))


@examples(80)
@given(lives)
def test_a_second_implementation_in_fractions_agrees_on_every_step_and_every_refusal(drawn: Drawn) -> None:
    terms = drawn[0]
    life = live(*drawn)
    twin = NaiveMeter(
        bonus=not terms.is_progressive,
        wager=Fraction(terms.wager_cents, 100),
        seed=Fraction(terms.seed_cents, 100),
        reseed=Fraction(terms.reseed_cents, 100),
        rates=(terms.display_rate, terms.reserve_rate),
        cap=None if terms.cap_cents is None else Fraction(terms.cap_cents, 100),
    )
    booked = list(life.opened.transfers)
    for step in life.steps:
        try:
            _twin_step(twin, step.kind, step.values)
        except RefusedByTwinError:
            assert step.change is None, step
            continue
        assert step.change is not None, step
        booked += step.change.transfers
        state = step.change.state
        for account, units in balances(booked).items():
            assert in_dollars(units) == twin.purse[account], (step, account)
        assert twin.shown == Fraction(state.displayed_cents, 100)
        assert (twin.generation, twin.counted, twin.reversed, twin.hits, twin.rejected) == (
            state.generation,
            state.wagers_counted,
            state.wagers_reversed,
            state.hits,
            state.hits_rejected,
        )
        assert twin.won == Fraction(state.won_cents, 100)
        assert twin.won_rejected == Fraction(state.won_rejected_cents, 100)
        assert in_dollars(state.seed_units) == -twin.purse["seed"]
