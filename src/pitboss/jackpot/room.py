"""The jackpots of a room: what people and tables do to them, as commands to the books, and what stands there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from pitboss.books import LEDGER, Answer, Books, BookState, Command, Draft, JackpotAccounts, Payload, RefusedError
from pitboss.jackpot import counting, life
from pitboss.jackpot.definitions import Jackpot
from pitboss.jackpot.entries import PlayReason
from pitboss.jackpot.state import JACKPOTS, JackpotRecord, RoomJackpots
from pitboss.meters import MeterRefusedError, MeterState

__all__ = ["BOOK", "Jackpots"]

BOOK = "room"
Decide = Callable[[BookState], Sequence[Payload]]


class Jackpots:
    """The jackpots in the books of a room, which must have been opened with this package's projections.

    Every method that changes something takes the client's command id and who acts; where the law demands two people
    also who approves, another person (T-06, T-18, P-05). It returns when what it did is on disk, or raises
    `RefusedError` with everything that speaks against it, and nothing has changed.
    """

    def __init__(self, books: Books, book: str = BOOK) -> None:
        self.books, self.book = books, book

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
        return self._submit(command, actor, content, life.defined(jackpot, words, approved_by))

    def change(self, jackpot: Jackpot, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        """Change a jackpot while it is closed (T-16): prizes, rates, cap, tables, and all but its type (J-01)."""
        content = ["change", jackpot.to_json(), words, approved_by]
        return self._submit(command, actor, content, life.changed(jackpot, words, approved_by))

    def open(self, name: str, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        """Open play: the first time the meter gets its seed."""
        content = ["open", name, words, approved_by]
        return self._submit(command, actor, content, life.opened(name, words, approved_by))

    def close(self, name: str, *, words: str, command: str, actor: str) -> Answer:
        """Close play; what stands on the meter stays (T-23)."""
        return self._submit(command, actor, ["close", name, words], life.stopped(name, "closed", words))

    def suspend(
        self, name: str, *, words: str, command: str, actor: str, reason: PlayReason = PlayReason.BUSINESS
    ) -> Answer:
        """Suspend play because of something that was found; opening it again needs a second person."""
        content = ["suspend", name, words, reason.value]
        return self._submit(command, actor, content, life.stopped(name, "suspended", words, reason))

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
        """Count the jackpot wagers of a round at the dealer's press: by jackpot the seats that have one (E-02)."""
        return self.tabulate_later(table, round_number, seats, command=command, actor=actor, happened=happened).result()

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
        """Put a round in line, for whoever waits for many tables at once."""
        content = ["tabulate", round_number, {name: list(each) for name, each in seats.items()}]
        decide = counting.tabulated(table, round_number, seats)
        return self.books.submit_later(self._command(command, actor, content, decide, table, happened))

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
