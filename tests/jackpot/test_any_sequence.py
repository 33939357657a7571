"""Any sequence of operations keeps the books sound, and the meters are what the arithmetic gives when replayed apart."""

from __future__ import annotations

import shutil
from contextlib import ExitStack, closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from pitboss.books import LEDGER, RefusedError
from pitboss.jackpot.explain import explain_display
from pitboss.meters import (
    Account,
    DecreaseReason,
    MeterChange,
    MeterRefusedError,
    MeterState,
    adjust,
    book_receipts,
    change_terms,
    contribute,
    correct_count,
    hit,
    open_meter,
    post_bonus,
    refund_void,
)
from pitboss.rules import JackpotPayment
from tests.books.making import Room
from tests.facades import Jackpots
from tests.jackpot.making import (
    TWO,
    Clock,
    call,
    define,
    make_bonus,
    make_jackpot,
    opened,
    playing,
    sound,
    tables,
    with_meter,
)
from tests.meters.making import progressive

TERMS = progressive(reserve_rate=Fraction("0.11"), cap_cents=1_000_80, batch_wagers_max=40)
MAIN = make_jackpot(meter=TERMS, tables=tables("4", "5"))
DAILY = make_bonus(tables=tables("6"))
NAMES = {"4": "main", "5": "main", "6": "daily"}
seats = st.lists(st.integers(1, 7), max_size=4)
table = st.sampled_from(["4", "5", "6"])
amount = st.integers(-(3 * 10**6), 3 * 10**6)


class AnySequence(RuleBasedStateMachine):
    """Operations on two jackpots; the model keeps meters by `meters` alone and knows nothing of books."""

    template: Path
    folder: Path

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.room = Room(shutil.copytree(self.template, self.folder), "sqlite")
        self.clock = Clock()
        self.model: dict[str, MeterState] = {}
        self.terms = {"main": TERMS, "daily": DAILY.meter}
        self.rounds = dict.fromkeys(NAMES, 0)
        self.counted: list[tuple[int, str, list[int], int, Any]] = []
        self.played: dict[str, dict[int, list[int]]] = {at: {} for at in NAMES}
        self.last = dict.fromkeys(NAMES, 0)
        self.number = 0

    @initialize()
    def begin(self) -> None:
        self.jackpots = self._opened()
        for each in (MAIN, DAILY):
            define(self.jackpots, each)
            opened(self.jackpots, each.name)
            self.model[each.name] = open_meter(each.meter).state

    def _opened(self) -> Jackpots:
        return self.stack.enter_context(playing(self.room, clock=self.clock, snapshot_every=17))

    def _id(self) -> str:
        self.number += 1
        return f"c{self.number}"

    def _both(self, name: str, act: Any, arithmetic: Any, *, allowed: bool = True) -> Any:
        """Do something in the books and by the arithmetic: both do it, with one result, or neither."""
        change: MeterChange | None = None
        if allowed:
            try:
                change = arithmetic(self.model[name], self.terms[name])
            except MeterRefusedError:
                change = None
        try:
            answer = act()
        except RefusedError:
            assert change is None
            return None
        assert change is not None
        self.model[name], self.terms[name] = change.state, change.terms
        return answer

    def _open(self, name: str) -> bool:
        return self.jackpots.record(name).play == "open"

    @rule(at=table, seats=seats, ahead=st.integers(-1, 3))
    def tabulate(self, at: str, seats: list[int], ahead: int) -> None:
        name, number = NAMES[at], self.rounds[at] + ahead
        allowed = ahead > 0 and number > 0 and len(set(seats)) == len(seats) and self._open(name)
        answer = self._both(
            name,
            lambda: self.jackpots.tabulate(at, number, {name: seats}, command=self._id(), actor=at),
            lambda state, terms: contribute(state, terms, len(seats)),
            allowed=allowed,
        )
        if answer is not None:
            self.rounds[at] = number
            generation = self.model[name].generation
            # One list, so that what is taken back is in no refund: rounds that may be void are the last two.
            present = list(seats)
            self.counted.append((answer.entries[0].sequence, name, present, generation, self.terms[name]))
            self._keep(at, number, present)

    def _keep(self, at: str, number: int, present: list[int]) -> None:
        last = max(self.played[at], default=0)
        self.played[at] = {each: seats for each, seats in self.played[at].items() if each == self.last[at]}
        self.played[at][number], self.last[at] = present, number
        assert number > last

    @rule(at=table, rounds=st.integers(1, 9), wagers=st.dictionaries(st.integers(1, 6), st.integers(0, 10), max_size=6))
    def count_batch(self, at: str, rounds: int, wagers: dict[int, int]) -> None:
        name, last = NAMES[at], self.rounds[at] + rounds
        answer = self._both(
            name,
            lambda: self.jackpots.count_batch(at, last, rounds, {name: wagers}, command=self._id(), actor=at),
            lambda state, terms: contribute(state, terms, sum(wagers.values())),
            allowed=self._open(name) and max(wagers.values(), default=0) <= rounds,
        )
        if answer is not None:
            self.rounds[at] = last
            # What seat lay in which round of several is not known; of one round it is (G-35).
            self._keep(at, last, [seat for seat, count in wagers.items() if count] if rounds == 1 else [])

    @precondition(lambda self: self.counted)
    @rule(data=st.data())
    def correct(self, data: st.DataObject) -> None:
        place = data.draw(st.integers(0, len(self.counted) - 1))
        sequence, name, present, generation, terms = self.counted[place]
        seat = data.draw(st.sampled_from([*present, 8]))
        answer = self._both(
            name,
            lambda: self.jackpots.correct_count(name, sequence, {seat: 1}, words="w", command=self._id(), **TWO),
            lambda state, now: correct_count(state, now, 1, generation=generation, words="w", counted_under=terms),
            allowed=seat in present,
        )
        if answer is not None:
            present.remove(seat)

    @rule(at=table, back=st.integers(0, 2))
    def void(self, at: str, back: int) -> None:
        name, number = NAMES[at], self.rounds[at] - back
        present = self.played[at].get(number, [])
        answer = self._both(
            name,
            lambda: self.jackpots.void_round(at, number, words="misdeal", command=self._id(), actor="Bob"),
            lambda state, terms: refund_void(state, terms, len(present)),
            allowed=bool(present),
        )
        if answer is not None:
            del self.played[at][number]

    @rule(units=amount, reason=st.sampled_from([None, *DecreaseReason]), fund=st.sampled_from(list(Account)[:4]))
    def adjust(self, units: int, reason: DecreaseReason | None, fund: Account) -> None:
        self._both(
            "main",
            lambda: self.jackpots.adjust("main", units, reason, fund=fund, words="w", command=self._id(), **TWO),
            lambda state, terms: adjust(state, terms, units, reason, words="w", fund=fund),
        )

    @rule(units=amount, fund=st.sampled_from([Account.RESERVE, Account.OVERFLOW, Account.DISPLAYED]))
    def book(self, units: int, fund: Account) -> None:
        self._both(
            "main",
            lambda: self.jackpots.book_receipts("main", units, fund=fund, words="w", command=self._id(), **TWO),
            lambda state, terms: book_receipts(state, terms, units, fund=fund, words="w"),
        )

    @rule(cents=st.integers(-1, 500_00))
    def post(self, cents: int) -> None:
        self._both(
            "daily",
            lambda: self.jackpots.post_bonus("daily", cents, words="w", command=self._id(), actor="Ada"),
            lambda state, terms: post_bonus(state, terms, cents, words="w"),
            allowed=cents != self.model["daily"].displayed_cents,
        )

    @rule(name=st.sampled_from(["main", "daily"]))
    def close_or_open(self, name: str) -> None:
        if self._open(name):
            self.jackpots.close(name, words="w", command=self._id(), actor="Ada")
        elif not self.jackpots.escrow(name).is_short:
            accounts = self.jackpots.state.of(LEDGER)[name]
            try:
                opened(self.jackpots, name, self._id())
            except RefusedError:
                # What was put on the display by hand is at the bank before play opens, as the seed is (G-33).
                assert accounts.balances["escrow-bank"] < accounts.held_units

    @rule(cap=st.one_of(st.none(), st.integers(999_00, 1_003_00)), rate=st.integers(1, 80))
    def change(self, cap: int | None, rate: int) -> None:
        before = self.jackpots.record("main")
        fields = {"cap_cents": cap, "display_rate": Fraction(rate, 100)}
        changed = with_meter(before.jackpot, **fields)
        self._both(
            "main",
            lambda: self.jackpots.change(changed, words="w", command=self._id(), **TWO),
            lambda state, terms: change_terms(state, terms, changed.meter, words="w"),
            allowed=before.play == "closed",
        )

    @rule(at=st.sampled_from(["4", "5"]))
    def top_hit(self, at: str) -> None:
        """As the hits will do it: the whole meter of that instant, reseeded at once."""
        shown = self.model["main"].displayed_cents
        if shown:
            paid = call(self.jackpots, "main", self._id(), at)
            change = hit(self.model["main"], self.terms["main"], JackpotPayment(shown, 0, 0), top=True)
            assert paid == shown
            self.model["main"] = change.state

    @rule(days=st.sampled_from([0, 1, 3, 8]), cents=st.integers(1, 900_00), arrive=st.booleans())
    def deposit(self, days: int, cents: int, arrive: bool) -> None:
        self.clock.add_days(days)
        sent = self.jackpots.send_deposit("main", cents, command=self._id(), actor="Dora").entries[0].sequence
        if arrive:
            self.jackpots.deposit_arrived("main", sent, command=self._id(), actor="Dora")
        short = self.jackpots.escrow("main").is_short and self._open("main")
        assert (self.jackpots.review_escrow(command=self._id(), actor="pitboss") is not None) == short

    @rule()
    def reopen(self) -> None:
        before = self.jackpots.room
        self.stack.close()
        self.jackpots = self._opened()
        assert self.jackpots.room == before

    @invariant()
    def meters_are_the_arithmetic_s(self) -> None:
        for name, state in self.model.items():
            assert self.jackpots.meter(name) == state

    def teardown(self) -> None:
        self.stack.close()
        assert sound(self.room)
        with closing(self.room.directory.open_store(write=False)) as store:
            for name, state in self.model.items():
                told = explain_display(store, "room", name, 10**9)
                assert told.is_complete
                assert (told.displayed_units, told.generation) == (state.displayed_units, state.generation)


def run(sqlite_room: Room, examples: int, steps: int) -> None:
    class Here(AnySequence):
        template = sqlite_room.path
        folder = sqlite_room.path.parent / "played"

    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        Here,
        settings=settings(max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=quiet),
    )


def test_any_sequence_keeps_the_books_sound(sqlite_room: Room) -> None:
    run(sqlite_room, 16, 40)


@pytest.mark.slow
def test_any_sequence_keeps_the_books_sound_at_length(sqlite_room: Room) -> None:
    run(sqlite_room, 400, 60)
