"""The jackpots of a room: what people and tables do to them, as commands to the books, and what stands there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from pitboss.books import (
    LEDGER,
    Answer,
    Books,
    BookState,
    Command,
    Draft,
    Entry,
    JackpotAccounts,
    Movement,
    Payload,
    RefusedError,
    read_payload,
)
from pitboss.books.commands import microseconds_now
from pitboss.jackpot import adjustments, counting, escrow, lifecycle, removal
from pitboss.jackpot.definitions import Jackpot
from pitboss.jackpot.entries import JackpotSet, PlayReason
from pitboss.jackpot.escrow import Escrow, Forecast, escrow_of, forecast_of
from pitboss.jackpot.removal import RemovalNoticed
from pitboss.jackpot.state import JACKPOTS, JackpotRecord, RoomJackpots
from pitboss.meters import Account, DecreaseReason, MeterRefusedError, MeterState, MeterTerms

BOOK = "room"
PITBOSS = "pitboss"
"""The actor of what the system does by itself."""
Decide = Callable[[BookState], Sequence[Payload]]


class Jackpots:
    """The jackpots in the books of a room, which must have been opened with this package's projections.

    Every method that changes something takes the client's command id and who acts; where the law demands two people
    also who approves, another person (T-06, T-18, P-05). It returns when what it did is on disk, or raises
    `RefusedError` with everything that speaks against it, and nothing has changed.
    """

    def __init__(self, books: Books, book: str = BOOK, *, clock: Callable[[], int] = microseconds_now) -> None:
        self.books, self.book, self.clock = books, book, clock

    # What stands there.

    @property
    def room(self) -> RoomJackpots:
        """All jackpots and the last rounds of each table, after the last commit."""
        return self.books.state(self.book).of(JACKPOTS)

    def record(self, name: str) -> JackpotRecord:
        """What the books say of a jackpot."""
        found = self.room.jackpots.get(name)
        if found is None:
            raise RefusedError([f"there is no jackpot {name!r}; there are: {', '.join(self.room.jackpots) or 'none'}"])
        return found

    def accounts(self, name: str) -> JackpotAccounts:
        """The balances and counters of a jackpot that has been opened."""
        found = self.books.state(self.book).of(LEDGER).get(name)
        if found is None:
            raise RefusedError([f"jackpot {name!r} has not been opened yet"])
        return found

    def meter(self, name: str) -> MeterState:
        """The state of a jackpot's meter."""
        return self.accounts(name).meter_state

    def displayed_cents(self, name: str) -> int:
        """What the display of a jackpot shows: whole cents, rounded down (G-3)."""
        return self.meter(name).displayed_cents

    # Its life: defined and changed while it is closed, opened, closed, suspended.

    def define(self, jackpot: Jackpot, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        """Define a jackpot; it is closed, and has no meter before it is first opened."""
        content = ["define", jackpot.to_json(), words, approved_by]
        return self._submit(command, actor, content, lifecycle.defined(jackpot, words, approved_by))

    def change(self, jackpot: Jackpot, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        """Change a jackpot while it is closed (T-16): prizes, rates, cap, tables, and all but its type (J-01)."""
        content = ["change", jackpot.to_json(), words, approved_by]
        return self._submit(command, actor, content, lifecycle.changed(jackpot, words, approved_by))

    def open(self, name: str, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        """Open play: the first time the meter gets its seed."""
        content = ["open", name, words, approved_by]
        return self._submit(command, actor, content, lifecycle.opened(name, words, approved_by))

    def close(self, name: str, *, words: str, command: str, actor: str) -> Answer:
        """Close play; what stands on the meter stays (T-23)."""
        return self._submit(command, actor, ["close", name, words], lifecycle.stopped(name, "closed", words))

    def suspend(
        self, name: str, *, words: str, command: str, actor: str, reason: PlayReason = PlayReason.BUSINESS
    ) -> Answer:
        """Suspend play because of something that was found; opening it again needs a second person."""
        content = ["suspend", name, words, reason.value]
        return self._submit(command, actor, content, lifecycle.stopped(name, "suspended", words, reason))

    # What a table does.

    def tabulate(
        self,
        table: str,
        round_number: int,
        seats: Mapping[str, Sequence[int]],
        *,
        command: str,
        actor: str,
        happened: int | None = None,
    ) -> Answer:
        """Count the jackpot wagers of a round at the dealer's press: by jackpot the seats that have one (E-02).

        Where the escrow of a jackpot has become short, the round is refused and the jackpot suspended (J-19).
        """
        try:
            return self.books.submit(self._press(table, round_number, seats, command, actor, happened))
        except RefusedError:
            # What stands against the round is told, whoever suspends the jackpot first.
            with suppress(RefusedError):
                self.review_escrow(command=f"{command}-escrow", actor=PITBOSS)
            raise

    def tabulate_later(
        self,
        table: str,
        round_number: int,
        seats: Mapping[str, Sequence[int]],
        *,
        command: str,
        actor: str,
        happened: int | None = None,
    ) -> Future[Answer]:
        """Put a round in line, for whoever waits for many tables at once; suspending is left to `review_escrow`."""
        return self.books.submit_later(self._press(table, round_number, seats, command, actor, happened))

    def _press(
        self,
        table: str,
        round_number: int,
        seats: Mapping[str, Sequence[int]],
        command: str,
        actor: str,
        happened: int | None,
    ) -> Command:
        content = ["tabulate", round_number, {name: list(each) for name, each in seats.items()}]
        decide = counting.tabulated(table, round_number, seats)
        return self._command(command, actor, content, decide, table, happened)

    def count_batch(
        self,
        table: str,
        last_round: int,
        rounds: int,
        wagers: Mapping[str, Mapping[int, int]],
        *,
        command: str,
        actor: str,
        happened: int | None = None,
    ) -> Answer:
        """Count rounds that a table kept while it was cut off: by jackpot and seat how many wagers (M-10)."""
        plain = {name: [[seat, each] for seat, each in by_seat.items()] for name, by_seat in wagers.items()}
        decide = counting.batch_counted(table, last_round, rounds, wagers)
        return self._submit(command, actor, ["count-batch", last_round, rounds, plain], decide, table, happened)

    def count_missed(
        self,
        name: str,
        table: str,
        round_number: int,
        seats: Sequence[int],
        *,
        words: str,
        command: str,
        actor: str,
        approved_by: str,
    ) -> Answer:
        """Count wagers of an earlier round that the tabulator missed (G-11)."""
        decide = counting.missed_counted(name, table, round_number, seats, words=words, approved_by=approved_by)
        content = ["count-missed", name, round_number, list(seats), words, approved_by]
        return self._submit(command, actor, content, decide, table)

    def correct_count(
        self,
        name: str,
        sequence: int,
        wagers: Mapping[int, int],
        *,
        words: str,
        command: str,
        actor: str,
        approved_by: str,
    ) -> Answer:
        """Take back wagers that the tabulator counted wrongly in an entry: by seat how many (G-11)."""
        entry, counted, terms = self.counted_entry(name, sequence)
        decide = counting.corrected(name, counted, sequence, wagers, terms, words, approved_by)
        content = ["correct-count", name, sequence, [[seat, each] for seat, each in wagers.items()], words, approved_by]
        return self._submit(command, actor, content, decide, entry.table)

    def void_round(self, table: str, round_number: int, *, words: str, command: str, actor: str) -> Answer:
        """Refund the jackpot wagers of a void round, by the house (G-11)."""
        content = ["void", round_number, words]
        return self._submit(command, actor, content, counting.voided(table, round_number, words), table)

    # What people do to the money.

    def adjust(
        self,
        name: str,
        units: int,
        reason: DecreaseReason | None = None,
        *,
        fund: Account = Account.DISPLAYED,
        source: Account = Account.HOUSE,
        words: str,
        command: str,
        actor: str,
        approved_by: str,
    ) -> Answer:
        """Raise a fund by hand, or lower it for one of the five permitted reasons (J-09, J-14)."""
        told = None if reason is None else str(reason)
        content = ["adjust", name, units, told, str(fund), str(source), words, approved_by]
        decide = adjustments.adjusted(name, units, reason, words, approved_by, fund, source)
        return self._submit(command, actor, content, decide)

    def book_receipts(
        self, name: str, units: int, *, fund: Account, words: str, command: str, actor: str, approved_by: str
    ) -> Answer:
        """Book nondisplayed funds as gross receipts (J-03, J-14)."""
        content = ["receipts", name, units, str(fund), words, approved_by]
        return self._submit(command, actor, content, adjustments.receipts_booked(name, units, fund, words, approved_by))

    def seed_other(
        self,
        name: str,
        other: str,
        units: int,
        *,
        fund: Account,
        permitted_by: str,
        words: str,
        command: str,
        actor: str,
        approved_by: str,
    ) -> Answer:
        """Seed another progressive with nondisplayed funds, naming the dated rule that permits it (J-15)."""
        content = ["seed-other", name, other, units, str(fund), permitted_by, words, approved_by]
        decide = adjustments.other_seeded(name, other, units, fund, permitted_by, words, approved_by)
        return self._submit(command, actor, content, decide)

    def post_bonus(self, name: str, cents: int, *, words: str, command: str, actor: str) -> Answer:
        """Post another amount of a Bonus; a round is played under the amount shown at its press (E-07, C-10)."""
        return self._submit(command, actor, ["post", name, cents, words], adjustments.bonus_posted(name, cents, words))

    # Removal.

    def notice_removal(self, notice: RemovalNoticed, *, command: str, actor: str) -> Answer:
        """Give notice that a progressive is removed on a later day, and where its money goes (J-17)."""
        return self._submit(command, actor, ["notice", notice.to_json()], removal.noticed(notice, self.clock()))

    def remove(self, name: str, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        """Remove a jackpot for good: its money goes where the notice says, to the last unit (J-17, T-23)."""
        content = ["remove", name, words, approved_by]
        return self._submit(command, actor, content, removal.removed(name, words, approved_by, self.clock()))

    # Escrow.

    def escrow(self, name: str) -> Escrow:
        """How the escrow of a progressive stands now."""
        return escrow_of(self.record(name), self.accounts(name), self.clock())

    def forecast(self, name: str) -> Forecast:
        """When the escrow of a progressive will be short if nothing is deposited."""
        return forecast_of(self.record(name), self.accounts(name), self.clock())

    def warnings(self) -> list[str]:
        """Which escrows are short, or will be within days."""
        return escrow.warnings(self.books.state(self.book), self.clock())

    def send_deposit(self, name: str, cents: int, *, command: str, actor: str) -> Answer:
        """Send money to the escrow bank."""
        return self._submit(command, actor, ["deposit", name, cents], escrow.sent(name, cents))

    def deposit_arrived(self, name: str, sequence: int, *, command: str, actor: str) -> Answer:
        """Note that the deposit that an entry sent has come to the bank (J-20)."""
        return self._submit(command, actor, ["arrived", name, sequence], escrow.arrived(name, sequence))

    def withdraw(self, name: str, cents: int, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        """Take money from the escrow bank, for prizes paid or because it was seized (J-18)."""
        content = ["withdraw", name, cents, words, approved_by]
        return self._submit(command, actor, content, escrow.withdrawn(name, cents, words, approved_by))

    def review_escrow(self, *, command: str, actor: str) -> Answer | None:
        """Suspend every open jackpot whose escrow is short (J-19); nothing is written where none is."""
        now = self.clock()
        if not escrow.short_names(self.books.state(self.book), now):
            return None
        return self._submit(command, actor, ["review-escrow", now], escrow.reviewed(now))

    # Reading entries, and putting commands in line.

    def counted_entry(self, name: str, sequence: int) -> tuple[Entry, Movement, MeterTerms]:
        """An entry that counted wagers of a jackpot, what it says, and the terms they were counted under."""
        entry = self.books.store.entry(self.book, sequence)
        value = None if entry is None else read_payload(entry.kind, entry.payload)
        if entry is None or not isinstance(value, Movement) or (value.kind, value.jackpot) != ("wagers-counted", name):
            raise RefusedError([f"entry {sequence!r} counted no wagers of {name}"])
        return entry, value, self._definition_at(name, sequence).meter

    def _definition_at(self, name: str, sequence: int) -> Jackpot:
        entry = self.books.store.entry(self.book, self.record(name).set_before(sequence))
        assert entry is not None
        value = read_payload(entry.kind, entry.payload)
        assert isinstance(value, JackpotSet)
        return value.jackpot

    def _submit(
        self, command: str, actor: str, content: Any, decide: Decide, table: str = "", happened: int | None = None
    ) -> Answer:
        return self.books.submit(self._command(command, actor, content, decide, table, happened))

    def _command(
        self, command: str, actor: str, content: Any, decide: Decide, table: str, happened: int | None
    ) -> Command:
        def drafts(state: BookState) -> list[Draft]:
            try:
                return [Draft(value) for value in decide(state)]
            except MeterRefusedError as error:
                raise RefusedError(map(str, error.problems)) from None

        return Command(
            book=self.book, id=command, actor=actor, content=content, decide=drafts, table=table, happened=happened
        )
