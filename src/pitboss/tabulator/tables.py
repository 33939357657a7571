"""The tables of a room: what dealers, supervisors and devices do there, as commands to the books."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pitboss.books import Answer, Books, BookState, Command, Draft, RefusedError
from pitboss.books.commands import microseconds_now
from pitboss.jackpot import Jackpots, Person
from pitboss.jackpot.room import BOOK, PITBOSS
from pitboss.meters import MeterRefusedError
from pitboss.tabulator import lifecycle, outages, rounds
from pitboss.tabulator.devices import receive
from pitboss.tabulator.entries import CorrectionCause, Place, VoidCause
from pitboss.tabulator.guards import Decide
from pitboss.tabulator.rounds import Correction, Press, corrected, reversal_of, voided
from pitboss.tabulator.setup import TableSetup
from pitboss.tabulator.state import TABLES
from pitboss.tabulator.values import RoomTables, TableRecord

LINK_SECONDS = 30
"""A device that has not been heard for so long has lost its line (T-05, T-09)."""


class Tables:
    """The tables in the books of a room, which must have been opened with this package's projections.

    Every method that changes something takes the client's command id and who acts; where two people must, also who
    approves. It returns when what it did is on disk, or raises `RefusedError` with everything that speaks against it,
    and nothing has changed. `heard` says when each device was last heard by our clock: the one thing that is not in the
    books, because it says nothing once the process is gone.
    """

    def __init__(self, books: Books, book: str = BOOK, *, clock: Callable[[], int] = microseconds_now) -> None:
        self.books, self.book, self.clock = books, book, clock
        self.jackpots = Jackpots(books, book, clock=clock)
        self.heard: dict[str, int] = {}

    # What stands there.

    @property
    def room(self) -> RoomTables:
        """All tables, devices, malfunctions and alarms, after the last commit."""
        return self.books.state(self.book).of(TABLES)

    def table(self, name: str) -> TableRecord:
        """What the books say of a table."""
        found = self.room.tables.get(name)
        if found is None:
            raise RefusedError([f"there is no table {name!r}; there are: {', '.join(self.room.tables) or 'none'}"])
        return found

    # Devices.

    def receive(self, message: bytes | str, *, device: str | None = None) -> dict[str, Any]:
        """Take a message of a device, and answer it; see docs/devices.md.

        `device` is whose token came with it, where tokens are checked. Nothing that a device may send raises.
        """
        return receive.receive(self, message, device)

    def watch(self, *, command: str) -> list[str]:
        """Write down which devices of open tables have not been heard for long; give their names (T-09)."""
        now, lost = self.clock(), []
        for name, device in self.room.devices.items():
            table = self.room.tables.get(device.table)
            if table is None or table.setup.device != name or table.life == "closed" or device.lost:
                continue
            if table.setup.equipment.counts == "at-once" and now - self.heard.setdefault(name, now) > (
                LINK_SECONDS * 1_000_000
            ):
                self.lose_link(name, words=f"nothing heard for {LINK_SECONDS} seconds", command=f"{command}-{name}")
                lost.append(name)
        return lost

    def lose_link(self, device: str, *, words: str, command: str, actor: str = PITBOSS) -> Answer:
        """Write down that the line of a device is lost; its table's jackpots are not played meanwhile (T-09)."""
        return self.submit(command, actor, ["link-lost", device, words], outages.link_lost(device, words))

    def give_up(self, device: str, last: int, *, words: str, command: str, by: Person, approved_by: str) -> Answer:
        """Give messages of a device up that will never come, up to this number (M-10)."""
        content = [by.role, "give-up", device, last, words, approved_by]
        return self.submit(command, by.name, content, outages.sequences_lost(device, last, words, by, approved_by))

    # The life of a table.

    def set_up(
        self,
        setup: TableSetup,
        *,
        words: str,
        command: str,
        by: Person,
        approved_by: str,
        since: datetime.date | None = None,
    ) -> Answer:
        """Set a closed table up, or prepare it for the first opening of a later gambling day."""
        decide = lifecycle.set_up(setup, words, by, approved_by, since, self.clock())
        content = [by.role, "set-up", setup.to_json(), words, approved_by, since and since.isoformat()]
        return self.submit(command, by.name, content, decide, setup.table)

    def open(self, table: str, *, command: str, by: Person, words: str = "") -> Answer:
        """Open a table; what was prepared for today is in force."""
        decide = lifecycle.opened(table, by, words, self.clock())
        return self.submit(command, by.name, [by.role, "open", words], decide, table)

    def close(self, table: str, *, command: str, by: Person, words: str = "") -> Answer:
        """Close a table between rounds."""
        return self.submit(command, by.name, [by.role, "close", words], lifecycle.closed(table, by, words), table)

    def suspend(self, table: str, *, words: str, command: str, by: Person) -> Answer:
        """Suspend the jackpots of a table between rounds."""
        return self.submit(command, by.name, [by.role, "suspend", words], lifecycle.suspended(table, by, words), table)

    def resume(self, table: str, *, words: str, command: str, by: Person, approved_by: str) -> Answer:
        """Play the jackpots of a table again."""
        decide = lifecycle.resumed(table, by, approved_by, words, self.clock())
        return self.submit(command, by.name, [by.role, "resume", words, approved_by], decide, table)

    def change_dealer(self, table: str, dealer: str, *, command: str, by: Person) -> Answer:
        """Put another dealer in charge; a round that is on the table goes on."""
        content = [by.role, "dealer", dealer]
        return self.submit(command, by.name, content, lifecycle.dealer_changed(table, dealer), table)

    def mark_seats(self, table: str, persons: Sequence[Sequence[int]], *, command: str, by: Person) -> Answer:
        """Mark seats that one person plays; these marks are in place of those before (FCP-5, G-12)."""
        content = [by.role, "mark", [list(group) for group in persons]]
        return self.submit(command, by.name, content, lifecycle.marked(table, persons, by), table)

    # Rounds.

    def press(
        self,
        table: str,
        seats: Mapping[str, Sequence[int]] | None = None,
        *,
        command: str,
        by: Person,
        happened: int | None = None,
    ) -> Answer:
        """Press at the console of a table that is counted by hand: by wager the seats that have one (E-02, F-05).

        The next press ends the round and names no seats.
        """
        named = {wager: tuple(each) for wager, each in (seats or {}).items()}
        press = Press(self.clock() if happened is None else happened, seats=named, source="console")
        content = [by.role, "press", {wager: list(each) for wager, each in named.items()}, happened]
        try:
            return self.submit(command, by.name, content, rounds.pressed(table, press), table)
        except RefusedError:
            self.review_escrow(command)
            raise

    def review_escrow(self, command: str) -> None:
        """Suspend the jackpots whose escrow has become short, after a round was refused for it (J-19)."""
        with suppress(RefusedError):
            self.jackpots.review_escrow(command=f"{command}-escrow", actor=PITBOSS)

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
        by: Person,
        approved_by: str = "",
    ) -> Answer:
        """Correct a counted round: the dealer before the next press, afterwards a supervisor with a second person.

        Without a second person the table acts, and whoever corrects it approves (F-07, G-31).
        """
        said = Correction(table, round_number, wager, cause, tuple(seats), words, by, approved_by)
        content = [list(by), "correct", round_number, wager, cause, list(seats), words, approved_by]
        actor = by.name if approved_by else f"table {table}"
        return self.submit(command, actor, content, corrected(said, reversal_of(self, said)), table)

    def void(
        self,
        table: str,
        round_number: int,
        cause: VoidCause,
        *,
        words: str,
        command: str,
        by: Person,
        approved_by: str,
    ) -> Answer:
        """Make a round void, by two people; the house refunds its counted jackpot wagers (G-11)."""
        decide = voided(table, round_number, cause, words, by, approved_by)
        content = [by.role, "void", round_number, cause, words, approved_by]
        return self.submit(command, by.name, content, decide, table)

    # Equipment that is down, readings, malfunctions, alarms.

    def down(self, table: str, *, words: str, command: str, by: Person, known: int | None = None) -> Answer:
        """Take equipment out of play by the configured method, and start the clock of its malfunction."""
        now = self.clock()
        decide = outages.down(table, words, by, now if known is None else known, now)
        return self.submit(command, by.name, [by.role, "down", words, known], decide, table)

    def go_by_hand(self, table: str, *, words: str, command: str, by: Person) -> Answer:
        """Let a table whose line is lost go on by hand (T-09)."""
        return self.submit(command, by.name, [by.role, "by-hand", words], outages.by_hand(table, words, by), table)

    def enter_counts(
        self,
        table: str,
        rounds: int,
        wagers: Mapping[str, Mapping[int, int]],
        *,
        words: str,
        command: str,
        by: Person,
        approved_by: str,
    ) -> Answer:
        """Enter counts of rounds that were played by hand: by wager and seat how many (E-09)."""
        decide = outages.counts_entered(table, rounds, wagers, words, by, approved_by, self.clock())
        plain = {wager: [[seat, each] for seat, each in by_seat.items()] for wager, by_seat in wagers.items()}
        content = [by.role, "counts", rounds, plain, words, approved_by]
        return self.submit(command, by.name, content, decide, table)

    def restore(
        self, table: str, rounds_played: int, *, words: str, command: str, by: Person, approved_by: str
    ) -> Answer:
        """Let equipment count again; a difference to the rounds that were entered raises an alarm."""
        decide = outages.restored(table, rounds_played, words, by, approved_by)
        content = [by.role, "restore", rounds_played, words, approved_by]
        return self.submit(command, by.name, content, decide, table)

    def read_counter(
        self,
        table: str,
        reading: int,
        *,
        command: str,
        by: Person,
        rolled_over: bool = False,
        replaced: bool = False,
        words: str = "",
    ) -> Answer:
        """Write down what a non-resettable counter shows, for the shift (M-11)."""
        decide = outages.counter_read(
            table, reading, by, self.clock(), rolled_over=rolled_over, replaced=replaced, words=words
        )
        content = [by.role, "read", reading, rolled_over, replaced, words]
        return self.submit(command, by.name, content, decide, table)

    def malfunction(
        self,
        table: str,
        *,
        words: str,
        command: str,
        by: Person,
        known: int | None = None,
        place: Place | None = None,
    ) -> Answer:
        """Write a malfunction down; it must be reported within the hours that the law gives (O-02)."""
        now = self.clock()
        decide = outages.malfunction_known(table, words, by, now if known is None else known, now, place)
        content = [by.role, "malfunction", words, known, place and list(place)]
        return self.submit(command, by.name, content, decide, table)

    def report(
        self, malfunction: int, *, reference: str, command: str, by: Person, reported: int | None = None
    ) -> Answer:
        """Write down that a malfunction was reported to the commission (O-02)."""
        now = self.clock()
        decide = outages.malfunction_reported(malfunction, now if reported is None else reported, reference, by, now)
        return self.submit(command, by.name, [by.role, "report", malfunction, reference, reported], decide)

    def mend(self, malfunction: int, *, words: str, command: str, by: Person) -> Answer:
        """Write down that a malfunction is over."""
        content = [by.role, "mend", malfunction, words]
        return self.submit(command, by.name, content, outages.malfunction_mended(malfunction, words, by))

    def clear_alarm(self, key: str, *, words: str, command: str, by: Person) -> Answer:
        """Write down that somebody has looked at an alarm, and what he found (M-07)."""
        return self.submit(command, by.name, [by.role, "clear", key, words], outages.alarm_cleared(key, words, by))

    def submit(self, command: str, actor: str, content: Any, decide: Decide, table: str = "") -> Answer:
        """Submit a command; what a meter refuses is told as everything else is."""

        def drafts(state: BookState) -> Sequence[Draft]:
            try:
                return decide(state)
            except MeterRefusedError as error:
                raise RefusedError(map(str, error.problems)) from None

        asked = Command(book=self.book, id=command, actor=actor, content=content, decide=drafts, table=table)
        return self.books.submit(asked)
