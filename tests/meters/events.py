"""Random lives of a meter for the property tests: events are drawn, made concrete on the state, and played."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from pitboss.meters import (
    Account,
    DecreaseReason,
    MeterChange,
    MeterRefusedError,
    MeterState,
    MeterTerms,
    adjust,
    book_receipts,
    contribute,
    correct_count,
    hit,
    open_meter,
    post_bonus,
    refund_void,
    reject_hit,
    seed_other,
    set_cap,
    units_of,
)
from tests.meters.making import bonus, fund_pays, progressive

FUND = {"displayed": Account.DISPLAYED, "reserve": Account.RESERVE, "overflow": Account.OVERFLOW}


@dataclass(frozen=True)
class Step:
    """An event with its concrete values, the state and terms before it, and its change, or none if it was refused."""

    kind: str
    values: tuple[Any, ...]
    before: MeterState
    terms_before: MeterTerms
    change: MeterChange | None


@dataclass(frozen=True)
class Life:
    opened: MeterChange
    steps: list[Step]

    @property
    def transfers(self) -> tuple[Any, ...]:
        return self.opened.transfers + tuple(
            each for step in self.steps if step.change for each in step.change.transfers
        )

    @property
    def last(self) -> MeterChange:
        return next((step.change for step in reversed(self.steps) if step.change), self.opened)


rates = st.sampled_from([Fraction("0.173"), Fraction("0.000001"), Fraction("0.25"), Fraction("0.123457")])


@st.composite
def terms_drawn(draw: st.DrawFn) -> MeterTerms:
    if draw(st.integers(0, 7)) == 0:
        posted = draw(st.integers(0, 500))
        return bonus(seed_cents=posted, reseed_cents=posted)
    reseed = draw(st.integers(0, 300))
    seed = draw(st.integers(0, 300))
    return progressive(
        wager_cents=draw(st.sampled_from([100, 200, 500])),
        seed_cents=seed,
        reseed_cents=reseed,
        display_rate=draw(rates),
        reserve_rate=draw(st.one_of(st.just(Fraction(0)), rates)),
        cap_cents=draw(st.one_of(st.none(), st.integers(max(seed, reseed, 1), 600))),
    )


part = st.tuples(st.integers(0, 8), st.integers(-2, 2))
"""So many eighths of something, and a little more or less."""
wagers = st.integers(0, 12)
fund = st.sampled_from([*FUND])
drawn = st.one_of(
    st.tuples(st.just("contribute"), wagers),
    st.tuples(st.just("contribute"), wagers),
    st.tuples(st.just("refund"), wagers),
    st.tuples(st.just("hit"), st.sampled_from([10, 50, 60, 100, 110]), st.integers(1, 3), st.booleans()),
    st.tuples(st.just("hit"), st.just(100), st.integers(1, 3), st.just(True)),
    st.tuples(st.just("reject"), st.integers(0, 3)),
    st.tuples(st.just("raise"), fund, st.sampled_from(["house", "seed", "reserve", "overflow", "other-meters"]), part),
    st.tuples(st.just("lower"), fund, st.sampled_from([*DecreaseReason]), part),
    st.tuples(st.just("book"), fund, part),
    st.tuples(st.just("seed_other"), fund, part),
    st.tuples(st.just("correct"), wagers, st.integers(-1, 1)),
    st.tuples(st.just("cap"), st.one_of(st.none(), st.integers(-2, 200))),
    st.tuples(st.just("post"), st.integers(0, 500)),
)
lives = st.tuples(terms_drawn(), st.lists(drawn, min_size=8, max_size=30))


def _concrete(state: MeterState, event: tuple[Any, ...], open_calls: list[Any]) -> tuple[Any, ...]:
    def amount(name: str, eighths: tuple[int, int]) -> int:
        held: int = getattr(state, f"{name}_units")
        return max(0, held * eighths[0] // 8 + eighths[1])

    match event:
        case ("hit", percent, winners, top):
            prize = state.displayed_cents * percent // 100 // winners * winners
            return (min(prize, state.displayed_cents), max(0, prize - state.displayed_cents), top)
        case ("reject", index):
            return (index,) if index < len(open_calls) else (0,)
        case ("raise", name, source, eighths):
            return (name, source, amount(source if source in FUND else "displayed", eighths))
        case ("lower", name, reason, eighths):
            return (name, reason, amount(name, eighths))
        case ("book" | "seed_other", name, eighths):
            return (name, amount(name, eighths))
        case ("correct", count, back):
            return (count, max(1, state.generation - back))
        case ("cap", None):
            return (None,)
        case ("cap", more):
            return (state.displayed_cents + more,)
        case (_, value):
            return (value,)
    raise AssertionError(event)


def perform(state: MeterState, terms: MeterTerms, kind: str, values: tuple[Any, ...], calls: list[Any]) -> MeterChange:
    """Do one concrete event by the package's own doors."""
    match kind, values:
        case "contribute", (count,):
            return contribute(state, terms, count)
        case "refund", (count,):
            return refund_void(state, terms, count)
        case "hit", (from_fund, from_house, top):
            if not terms.is_progressive:
                from_fund, from_house = 0, from_fund + from_house
            return hit(state, terms, fund_pays(from_fund, from_house), top=top)
        case "reject", (index,):
            return reject_hit(state, terms, calls[index] if calls else ())
        case "raise", (name, source, units):
            return adjust(state, terms, units, words="raised", fund=FUND[name], source=Account(source))
        case "lower", (name, reason, units):
            return adjust(state, terms, -units, reason, words="lowered", fund=FUND[name])
        case "book", (name, units):
            return book_receipts(state, terms, units, fund=FUND[name], words="booked")
        case "seed_other", (name, units):
            return seed_other(state, terms, units, fund=FUND[name], permitted_by="WSR 10-12-092", words="seed")
        case "correct", (count, generation):
            return correct_count(state, terms, count, generation=generation, words="double count")
        case "cap", (cap_cents,):
            return set_cap(state, terms, cap_cents, words="cap")
        case "post", (amount,):
            return post_bonus(state, terms, amount, words="posted")
    raise AssertionError(kind)


def live(terms: MeterTerms, events: list[tuple[Any, ...]]) -> Life:
    """Play the events; a refused one changes nothing."""
    opened = open_meter(terms)
    state, in_force, steps, calls = opened.state, terms, [], list[Any]()
    for event in events:
        kind, values = event[0], _concrete(state, event, calls)
        try:
            change = perform(state, in_force, kind, values, calls)
        except MeterRefusedError:
            steps.append(Step(kind, values, state, in_force, None))
            continue
        steps.append(Step(kind, values, state, in_force, change))
        if kind == "hit" and change.transfers:
            calls.append(change.transfers)
        elif kind == "reject":
            calls.pop(values[0])
        state, in_force = change.state, change.terms
    return Life(opened, steps)


def in_dollars(units: int) -> Fraction:
    return Fraction(units, 100 * units_of(1))
