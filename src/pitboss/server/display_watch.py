"""Watching the displays: beats come in, turns go into the journal, and a table that shows nothing true is suspended."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress

from pitboss.books import Answer, Books, BookState, Command, Draft, RefusedError
from pitboss.books.commands import microseconds_now
from pitboss.jackpot import JACKPOTS, Jackpots, Person, PlayReason
from pitboss.server.displays import (
    DISPLAYS,
    USUAL_LIMITS,
    Beat,
    Display,
    DisplayConfirmed,
    DisplayLimits,
    DisplaySet,
    DisplayTurned,
    Watched,
    display_problems,
    is_bare_only,
    judged,
    shown_at,
    tables_to_suspend,
    watched,
)
from pitboss.tabulator import TABLES, Tables

__all__ = ["DisplayWatch"]

_PITBOSS = "pitboss"


class DisplayWatch:
    """The displays in the books of a room; beats are kept in memory, and only what they change is journalled."""

    def __init__(
        self,
        books: Books,
        book: str = "room",
        *,
        clock: Callable[[], int] = microseconds_now,
        limits: DisplayLimits = USUAL_LIMITS,
    ) -> None:
        self.books, self.book, self.clock, self.limits = books, book, clock, limits
        self._seen: dict[str, Watched] = {}
        self._lock = threading.Lock()

    @property
    def state(self) -> BookState:
        """The state of the room's book after the last commit."""
        return self.books.state(self.book)

    def register(self, display: Display, *, command: str, actor: str, active: bool = True) -> Answer:
        """Register a display at a table, anew or again; or take it away."""

        def problems(state: BookState) -> list[str]:
            return display_problems(display, bare_only=active and is_bare_only(state, display.table))

        return self._submit(command, actor, DisplaySet(display=display, active=active), problems)

    def confirm(self, name: str, amounts: Mapping[str, int], *, command: str, actor: str) -> Answer:
        """Confirm what a sign shows that is set by hand."""

        def problems(state: BookState) -> list[str]:
            record = state.of(DISPLAYS).get(name)
            if record is None or not record.active or record.display.make != "sign":
                return [f"{name!r} is no sign that is set by hand"]
            return []

        return self._submit(command, actor, DisplayConfirmed(name=name, amounts=dict(amounts)), problems)

    def beat(self, name: str, amounts: Mapping[str, int]) -> bool:
        """Take in what a display says it shows; give whether it is a display that is registered."""
        record = self.state.of(DISPLAYS).get(name)
        if record is None or not record.active:
            return False
        must_show = shown_at(self.state, record.display.table)
        with self._lock:
            before = self._seen.get(name, Watched())
            self._seen[name] = watched(before, Beat(self.clock(), dict(amounts)), must_show)
        return True

    def last_beats(self) -> dict[str, Beat]:
        """What each display last said of itself, since the server runs."""
        with self._lock:
            return {name: seen.beat for name, seen in self._seen.items() if seen.beat is not None}

    def review(self, *, command: str) -> tuple[str, ...]:
        """Write down every turn, and suspend what must be; give the tables that were suspended."""
        now = self.clock()
        for name, record in self.state.of(DISPLAYS).items():
            if not record.active:
                continue
            found = judged(
                record, self._seen.get(name, Watched()), shown_at(self.state, record.display.table), now, self.limits
            )
            if found.condition != record.condition:
                turned = DisplayTurned(name=name, condition=found.condition, words=found.words)
                self._submit(f"{command}-{name}", _PITBOSS, turned, lambda _: [])
        return tuple(
            table
            for table in tables_to_suspend(self.state.of(DISPLAYS).values(), now, self.limits)
            if self._suspend(table, command)
        )

    def _suspend(self, table: str, command: str) -> bool:
        """Suspend what is played at a table whose displays show nothing true (T-04, T-09)."""
        words = f"no display of table {table} shows the amount (T-04)"
        record = self.state.of(TABLES).tables.get(table) if TABLES.name in self.state.parts else None
        if record is not None:
            return record.life == "open" and self._suspend_table(table, words, command)
        jackpots = Jackpots(self.books, self.book, clock=self.clock)
        names = [each.jackpot.name for each in self.state.of(JACKPOTS).at(table) if each.play == "open"]
        for name in names:
            reason = PlayReason.EQUIPMENT_MALFUNCTION
            jackpots.suspend(name, words=words, command=f"{command}-{table}-{name}", actor=_PITBOSS, reason=reason)
        return bool(names)

    def _suspend_table(self, table: str, words: str, command: str) -> bool:
        """Suspend the jackpots of this table alone, between rounds: linked tables whose displays are true play on."""
        tables = Tables(self.books, self.book, clock=self.clock)
        with suppress(RefusedError):
            tables.suspend(table, words=words, command=f"{command}-{table}", by=Person(_PITBOSS, "supervisor"))
            return True
        return False

    def _submit(
        self,
        command: str,
        actor: str,
        value: DisplaySet | DisplayTurned | DisplayConfirmed,
        problems: Callable[[BookState], list[str]],
    ) -> Answer:
        def decide(state: BookState) -> list[Draft]:
            found = problems(state)
            if found:
                raise RefusedError(found)
            return [Draft(value)]

        content = [value.kind, value.to_json()]
        return self.books.submit(Command(book=self.book, id=command, actor=actor, content=content, decide=decide))
