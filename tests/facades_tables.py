"""The tables of a room as methods, for tests: each builds a command and carries it out."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pitboss.books import Answer, Books, RefusedError, microseconds_now
from pitboss.commands import By, Command, Executor, Services
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.tabulator import (
    TABLES,
    Receiver,
    RoomTables,
    TableRecord,
    TableSetup,
    outages,
    review_escrow,
    rounds,
    table_of,
    tables,
)
from pitboss.tabulator.entries import CorrectionCause, Place, VoidCause
from tests.facades import Jackpots


class Tables:
    """The tables in the books of a room; whoever approves does so as a manager."""

    def __init__(self, books: Books, book: str = "room", *, clock: Callable[[], int] = microseconds_now) -> None:
        self.books, self.book, self.clock = books, book, clock
        self.executor = Executor(Services(books, lambda: self.clock()))  # noqa: PLW0108 - tests set the clock
        self.jackpots = Jackpots(books, clock=clock)
        self.receiver = Receiver(self.executor)
        self.receive, self.heard = self.receiver.receive, self.receiver.heard

    @property
    def room(self) -> RoomTables:
        """All tables, devices, malfunctions and alarms, after the last commit."""
        return self.books.state(self.book).of(TABLES)

    def table(self, name: str) -> TableRecord:
        """Return the record of a table."""
        return table_of(self.books.state(self.book), name)

    def do(
        self, value: Command, command: str, by: Any, approved_by: str | None = None, happened: int | None = None
    ) -> Answer:
        """Carry a command out."""
        approver = None if approved_by is None else By(approved_by, "manager")
        return self.executor.do(value, By(by.name, by.role, approver), id=command, happened=happened)

    def watch(self, *, command: str) -> list[str]:
        """Write down which devices of open tables have not been heard for long; return their names."""
        return self.receiver.watch(id=command)

    def lose_link(self, device: str, *, words: str, command: str) -> Answer:
        """Write down that the line of a device is lost."""
        return self.do(outages.LoseLink(device=device, words=words), command, SYSTEM_ACTOR)

    def give_up(self, device: str, last: int, *, words: str, command: str, by: Any, approved_by: str) -> Answer:
        """Write off messages of a device."""
        return self.do(outages.GiveUpMessages(device=device, last=last, words=words), command, by, approved_by)

    def set_up(
        self,
        setup: TableSetup,
        *,
        words: str,
        command: str,
        by: Any,
        approved_by: str,
        since: datetime.date | None = None,
    ) -> Answer:
        """Set a table up; a supervisor of the tests does so as a manager."""
        manager = By(by.name, "manager") if by.role == "supervisor" else by
        return self.do(tables.SetUpTable(setup=setup, words=words, since=since), command, manager, approved_by)

    def open(self, table: str, *, command: str, by: Any, words: str = "") -> Answer:
        """Open a table."""
        return self.do(tables.OpenTable(table=table, words=words), command, by)

    def close(self, table: str, *, command: str, by: Any, words: str = "") -> Answer:
        """Close a table."""
        return self.do(tables.CloseTable(table=table, words=words), command, by)

    def suspend(self, table: str, *, words: str, command: str, by: Any) -> Answer:
        """Suspend the jackpots of a table."""
        return self.do(tables.SuspendTable(table=table, words=words), command, by)

    def resume(self, table: str, *, words: str, command: str, by: Any, approved_by: str) -> Answer:
        """Play the jackpots of a table again."""
        return self.do(tables.ResumeTable(table=table, words=words), command, by, approved_by)

    def change_dealer(self, table: str, dealer: str, *, command: str, by: Any) -> Answer:
        """Put another dealer in charge."""
        return self.do(tables.ChangeDealer(table=table, dealer=dealer), command, by)

    def mark_seats(self, table: str, persons: Sequence[Sequence[int]], *, command: str, by: Any) -> Answer:
        """Mark seats that one person plays."""
        return self.do(tables.MarkSeats(table=table, persons=tuple(map(tuple, persons))), command, by)

    def press(
        self,
        table: str,
        seats: Mapping[str, Sequence[int]] | None = None,
        *,
        command: str,
        by: Any,
        happened: int | None = None,
    ) -> Answer:
        """Press at the console of a table, and review the escrow where that is refused."""
        numbers = None if seats is None else {wager: tuple(of_wager) for wager, of_wager in seats.items()}
        try:
            return self.do(rounds.Press(table=table, seats=numbers), command, by, happened=happened)
        except RefusedError:
            review_escrow(self.executor, command)
            raise

    def correct(
        self,
        table: str,
        round_number: int,
        wager: str,
        cause: CorrectionCause,
        seats: Sequence[int],
        *,
        words: str,
        command: str,
        by: Any,
        approved_by: str = "",
    ) -> Answer:
        """Correct a counted round, alone or with a second person."""
        kind = rounds.CorrectEarlierRound if approved_by else rounds.CorrectRound
        value = kind(table=table, round=round_number, wager=wager, cause=cause, seats=tuple(seats), words=words)
        return self.do(value, command, by, approved_by or None)

    def void(
        self,
        table: str,
        round_number: int,
        cause: VoidCause,
        *,
        words: str,
        command: str,
        by: Any,
        approved_by: str,
    ) -> Answer:
        """Make a round void."""
        value = rounds.VoidRound(table=table, round=round_number, cause=cause, words=words)
        return self.do(value, command, by, approved_by)

    def down(self, table: str, *, words: str, command: str, by: Any) -> Answer:
        """Put equipment out of play."""
        return self.do(outages.TakeDown(table=table, words=words), command, by)

    def go_by_hand(self, table: str, *, words: str, command: str, by: Any) -> Answer:
        """Play on by hand at a table whose line is lost."""
        return self.do(outages.GoByHand(table=table, words=words), command, by)

    def enter_counts(
        self,
        table: str,
        rounds: int,
        wagers: Mapping[str, Mapping[int, int]],
        *,
        words: str,
        command: str,
        by: Any,
        approved_by: str,
    ) -> Answer:
        """Enter counts of rounds that were played by hand."""
        value = outages.EnterCounts(table=table, rounds=rounds, wagers=wagers, words=words)
        return self.do(value, command, by, approved_by)

    def restore(self, table: str, rounds_played: int, *, words: str, command: str, by: Any, approved_by: str) -> Answer:
        """Restore equipment, so that it counts again."""
        value = outages.RestoreEquipment(table=table, rounds_played=rounds_played, words=words)
        return self.do(value, command, by, approved_by)

    def read_counter(
        self,
        table: str,
        reading: int,
        *,
        command: str,
        by: Any,
        rolled_over: bool = False,
        replaced: bool = False,
        words: str = "",
    ) -> Answer:
        """Write down what a counter shows."""
        value = outages.ReadCounter(
            table=table, reading=reading, rolled_over=rolled_over, replaced=replaced, words=words
        )
        return self.do(value, command, by)

    def malfunction(
        self,
        table: str,
        *,
        words: str,
        command: str,
        by: Any,
        known_at: int | None = None,
        place: Place | None = None,
    ) -> Answer:
        """Write a malfunction down."""
        return self.do(outages.RecordMalfunction(table=table, words=words, place=place), command, by, happened=known_at)

    def report(
        self, malfunction: int, *, reference: str, command: str, by: Any, reported_at: int | None = None
    ) -> Answer:
        """Write down that a malfunction was reported."""
        value = outages.ReportMalfunction(malfunction=malfunction, reference=reference)
        return self.do(value, command, by, happened=reported_at)

    def mend(self, malfunction: int, *, words: str, command: str, by: Any) -> Answer:
        """Write down that a malfunction is over."""
        return self.do(outages.EndMalfunction(malfunction=malfunction, words=words), command, by)

    def clear_alarm(self, key: str, *, words: str, command: str, by: Any) -> Answer:
        """Write down that somebody has looked at an alarm."""
        return self.do(outages.ClearAlarm(alarm=key, words=words), command, by)
