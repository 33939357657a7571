"""Doing what has happened: a clock that is set, and presses that go through the doors and are committed together."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, cast

from pitboss.books import Answer, Books, BookState, Submission
from pitboss.commands import By, Command, Executor, Services
from pitboss.demo.room import DemoRoom
from pitboss.room.room import Room
from pitboss.tabulator import Press, Receiver

SECOND = 1_000_000
MINUTE = 60 * SECOND


class GivenClock:
    """A clock that stands where it is set; while a group is committed it shows each command the time it was made."""

    def __init__(self, now: int) -> None:
        self.now = now
        self.times: deque[int] = deque()

    def __call__(self) -> int:
        """The time it shows."""
        return self.times.popleft() if self.times else self.now

    def until(self, moment: int) -> None:
        """Go on to a moment; a clock never goes back."""
        self.now = max(self.now, moment)

    def add(self, microseconds: int) -> None:
        """Go on by so much."""
        self.now += microseconds


class _GatheredError(Exception):
    def __init__(self, command: Submission) -> None:
        self.command = command
        super().__init__("a command that waits for its group")


class _GatheringBooks:
    """Books that are read as they are; what is submitted waits for its group."""

    def __init__(self, books: Books) -> None:
        self.store, self._books = books.store, books

    def state(self, book: str) -> BookState:
        return self._books.state(book)

    def submit(self, command: Submission) -> Answer:
        raise _GatheredError(command)

    def submit_later(self, command: Submission) -> Future[Answer]:
        raise _GatheredError(command)


class Past:
    """The room while its past is made: its doors, and those whose commands are gathered."""

    def __init__(self, demo: DemoRoom, room: Room, clock: GivenClock) -> None:
        self.demo, self.room, self.clock = demo, room, clock
        books = cast("Books", _GatheringBooks(room.books))
        # The times that wait in the clock are for the writer alone.
        self._later = Executor(Services(books, lambda: clock.now))
        self._devices = Receiver(self._later)
        self._gathered: list[tuple[int, Submission]] = []
        self._sequences: dict[str, int] = {}
        self._numbers = 0

    def id(self) -> str:
        """A command id of its own, the same every time the past is made."""
        self._numbers += 1
        return f"past-{self._numbers}"

    def do(self, command: Command, by: By) -> Answer:
        """Carry a command out now; who approves it is named with who acts."""
        return self.room.do(command, by, id=self.id())

    def do_later(self, command: Command, by: By) -> None:
        """Carry a command out with others of its group."""
        self.gather(lambda: self._later.do(command, by, id=self.id()))

    def gather(self, act: Callable[[], object]) -> None:
        """Do something through a door whose command is committed with others."""
        try:
            act()
        except _GatheredError as gathered:
            self._gathered.append((self.clock.now, gathered.command))
        else:
            raise AssertionError("nothing was submitted")

    def commit(self) -> None:
        """Commit what was gathered, in its order; what is refused is told here."""
        self.clock.times.extend(moment for moment, _ in self._gathered)
        answers = [self.room.books.submit_later(command) for _, command in self._gathered]
        self._gathered.clear()
        for answer in answers:
            answer.result()

    def press(self, table: str, seats: Sequence[Sequence[int]]) -> None:
        """Press the button of a table: for each of its sensors the seats that have a wager there."""
        found = self.demo.table(table)
        if found.device:
            places = [[seat, number] for number, each in enumerate(seats, start=1) for seat in each]
            self.gather(lambda: self._devices.receive(self._message(found.device, table, sorted(places))))
        else:
            wagers = (
                {name: tuple(places) for name, places in zip(found.said["wagers"], seats, strict=True)}
                if seats
                else None
            )
            self.do_later(Press(table=table, seats=wagers), self.demo.dealer_at(table))

    def _message(self, device: str, table: str, places: list[list[int]]) -> str:
        sequence = self._sequences[device] = self._sequences.get(device, 0) + 1
        said: dict[str, Any] = {"device": device, "table": table, "type": "press", "sequence": sequence}
        return json.dumps(said | {"at": self.clock.now, "sent": self.clock.now, "sensors": places})
