"""What reports are made of: a book, a period, what stood at its ends, and which table or jackpot is asked for."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from typing import Any
from zoneinfo import ZoneInfo

from pitboss.books import (
    EPOCH,
    LEDGER,
    ROOM,
    BookState,
    Calendar,
    Damage,
    Entry,
    Invariant,
    JackpotAccounts,
    JournalStore,
    Projection,
    RefusedError,
)
from pitboss.jackpot import HITS, JACKPOTS, JackpotRecord, RoomHits, RoomJackpots
from pitboss.reports.journal import last_before, part_at, state_at
from pitboss.reports.period import Period, period_of
from pitboss.reports.report import Column, ExceptionLine, Report, Row
from pitboss.reports.state import DESK, RoomDesk
from pitboss.tabulator import INVARIANTS as _TABULATOR_INVARIANTS
from pitboss.tabulator import PROJECTIONS as _TABULATOR
from pitboss.tabulator import TABLES

_NEEDED = _TABULATOR


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which report is asked for: days or a shift, a table, a jackpot; what is left out means all, or the last day."""

    first_day: datetime.date | None = None
    last_day: datetime.date | None = None
    shift: str | None = None
    table: str | None = None
    jackpot: str | None = None
    profile: str = "wa-commercial"

    @property
    def filters(self) -> tuple[tuple[str, str], ...]:
        """What narrows the report besides its period."""
        named = (("table", self.table), ("jackpot", self.jackpot))
        return tuple((name, value) for name, value in named if value is not None)


@dataclass(frozen=True)
class Scope:
    """A book as a report sees it: the period, the state before its first entry and after its last, and the head."""

    store: JournalStore = field(repr=False)
    book: str
    calendar: Calendar
    period: Period
    asked: Asked
    opening: BookState = field(repr=False)
    closing: BookState = field(repr=False)
    desk: RoomDesk = field(repr=False)
    head: Entry
    made: int
    as_of: int
    projections: tuple[Projection[Any], ...] = field(repr=False)
    invariants: tuple[Invariant, ...] = field(repr=False)
    damages: tuple[Damage, ...] = ()

    @property
    def room(self) -> str:
        """The name of the room on the last day of the period."""
        return self.calendar.settings_on(self.period.last_day).room

    @cached_property
    def zone(self) -> ZoneInfo:
        """The time zone of the room's clocks."""
        return ZoneInfo(self.calendar.settings_on(self.period.last_day).time_zone)

    @property
    def jackpots(self) -> RoomJackpots:
        """The jackpots at the end of the period."""
        return self.closing.of(JACKPOTS)

    @property
    def hits(self) -> RoomHits:
        """The hits not finished at the end of the period."""
        return self.closing.of(HITS)

    def wants(self, jackpot: str, table: str | None = None) -> bool:
        """Whether a jackpot, and a table where one is concerned, is asked for."""
        asked = self.asked
        return asked.jackpot in (None, jackpot) and (table is None or asked.table in (None, table))

    def records(self) -> list[JackpotRecord]:
        """The jackpots that are asked for, by name, defined at the end of the period."""
        found = sorted(self.jackpots.jackpots.items())
        return [each for name, each in found if self.wants(name) and self._linked(each)]

    def _linked(self, record: JackpotRecord) -> bool:
        return self.asked.table is None or record.jackpot.linked(self.asked.table) is not None

    def accounts(self, state: BookState, jackpot: str) -> JackpotAccounts | None:
        """The accounts of a jackpot, where it has been opened."""
        return state.of(LEDGER).get(jackpot)

    def clock(self, instant: int) -> datetime.datetime:
        """What the room's clocks showed at an instant."""
        return (EPOCH + datetime.timedelta(microseconds=instant)).astimezone(self.zone)

    def day(self, instant: int) -> datetime.date:
        """The gambling day of an instant."""
        return self.calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=instant))

    def line(self, key: str, words: str, units: int | None = None, people: tuple[str, ...] = ()) -> ExceptionLine:
        """Make a line that somebody must look at, with what the books hold of it (M-07)."""
        held = self.desk.by_key(key)
        if held is None:
            return ExceptionLine(key, words, units, people)
        return ExceptionLine(key, words, units, people, held.number, held.owner, held.state)

    def report(
        self, name: str, title: str, says: str, columns: tuple[Column, ...], rows: list[Row], **said: Any
    ) -> Report:
        """Put a report together: what it says, under everything that each of them carries (M-06)."""
        notes = tuple(said.pop("notes", ()))
        if self.damages:
            told = "; ".join(map(str, self.damages[:3]))
            notes = (f"The journal is damaged: {told}. Figures count what can be read (G-29).", *notes)
        return Report(
            name=name,
            title=title,
            says=says,
            room=self.room,
            book=self.book,
            version=version("pitboss"),
            period=self.period,
            made=self.made,
            as_of=self.as_of,
            head=self.head.digest.hex(),
            head_entry=self.head.sequence,
            first=self.opening.sequence + 1,
            last=self.closing.sequence,
            filters=self.asked.filters,
            columns=columns,
            rows=tuple(rows),
            notes=notes,
            **said,
        )


def look(
    store: JournalStore,
    book: str,
    asked: Asked,
    *,
    made: int,
    now: int | None = None,
    projections: Iterable[Projection[Any]] = _NEEDED,
    invariants: Iterable[Invariant] = _TABULATOR_INVARIANTS,
) -> Scope:
    """Look at a book for a report; `now` is where the clock stands, for a backup where its journal ends.

    `projections` are the parts of the room's state and `invariants` what it keeps: packages below this one have more,
    which a verification asks too.
    """
    head = store.head(book)
    if head is None:
        raise RefusedError([f"there is no book {book!r}; there are: {', '.join(store.books()) or 'none'}"])
    now = head.recorded if now is None else now
    # States are of the parts that reports are made of: one that was sealed before others were there will do.
    last = state_at(store, book, head.sequence, _NEEDED)
    calendar = last.state.of(ROOM)
    if calendar is None:
        raise RefusedError([f"book {book!r} has no room settings: it is not known when its days begin"])
    period = _period(calendar, asked, head)
    _refuse_unknown(asked, last.state)
    before = last_before(store, book, period.begins, head.sequence)
    upto = last_before(store, book, period.ends, head.sequence)
    opening = state_at(store, book, before, _NEEDED)
    closing = last if upto == head.sequence else state_at(store, book, upto, _NEEDED)
    return Scope(
        store=store,
        book=book,
        calendar=calendar,
        period=period,
        asked=asked,
        opening=opening.state,
        closing=closing.state,
        desk=part_at(store, book, head.sequence, DESK),
        head=head,
        made=made,
        projections=tuple(projections),
        invariants=tuple(invariants),
        as_of=max(closing.state.recorded, min(period.ends, now)),
        damages=tuple(dict.fromkeys((*opening.damages, *closing.damages))),
    )


def _period(calendar: Calendar, asked: Asked, head: Entry) -> Period:
    first = asked.first_day or asked.last_day
    if first is None:
        first = calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=head.recorded))
    return period_of(calendar, first, asked.last_day, asked.shift)


def _refuse_unknown(asked: Asked, state: BookState) -> None:
    jackpots = state.of(JACKPOTS).jackpots
    linked = {linked.table for each in jackpots.values() for linked in each.jackpot.tables}
    tables = sorted(
        linked | {table for each in jackpots.values() for table in each.counted} | set(state.of(TABLES).tables)
    )
    problems = []
    if asked.jackpot is not None and asked.jackpot not in jackpots:
        problems.append(f"there is no jackpot {asked.jackpot!r}; there are: {', '.join(sorted(jackpots)) or 'none'}")
    if asked.table is not None and asked.table not in tables:
        problems.append(f"no jackpot is linked to table {asked.table!r}; there are: {', '.join(tables) or 'none'}")
    if problems:
        raise RefusedError(problems)
