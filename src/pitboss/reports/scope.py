"""The input of reports: a book, a period, the state at its ends, and the table or jackpot that is requested.

Collectors see the entries of the period once, one after another. Many reports can be made of one reading; only entries
of kinds that some report asks for leave the database.
"""

import datetime
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from pitboss import books, installation
from pitboss.books import Entry, Payload, UnreadableError, last_before, read_payload, state_at
from pitboss.jackpot import HITS, JACKPOTS, JackpotRecord, Offer, RoomHits, RoomJackpots, descriptions
from pitboss.jackpot.hits.values import STATE_WORDS
from pitboss.reports.report import Column, ExceptionLine, Period, Report, ReportRow, period_of
from pitboss.reports.state import ACCOUNTING, RoomAccounting
from pitboss.tabulator import INVARIANTS as _TABULATOR_INVARIANTS
from pitboss.tabulator import PROJECTIONS as _TABULATOR
from pitboss.tabulator import TABLES
from pitboss.tabulator.descriptions import CAUSE_TITLES

_NEEDED = _TABULATOR
_STATES = {**STATE_WORDS, "found": "new", "raised": "open", "taken": "assigned"}
_TITLES: Mapping[str, Mapping[str, str]] = {
    key: {name: f"{title[0].upper()}{title[1:]}" for name, title in titles.items()}
    for key, titles in (
        ("fund", descriptions.FUND_TITLES),
        ("reason", descriptions.DECREASE_TITLES),
        ("cause", CAUSE_TITLES),
        ("state", _STATES),
    )
}
"""What people read for causes, funds and reasons in cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """A request for a report: days or a shift, a table, a jackpot; what is left out means all, or the last day."""

    first_day: datetime.date | None = None
    last_day: datetime.date | None = None
    shift: str | None = None
    table: str | None = None
    jackpot: str | None = None
    profile: str = "wa-commercial"

    @property
    def filters(self) -> tuple[tuple[str, str], ...]:
        """The filters of the report besides its period."""
        named = (("table", self.table), ("jackpot", self.jackpot))
        return tuple((name, value) for name, value in named if value is not None)


ChanceSource = Callable[[Offer, str], Mapping[str, Fraction]]
"""Counts the exact probability of every row of an offer, for a type of jackpot."""


@dataclass(frozen=True)
class Scope:
    """A book as a report sees it: the period, the state before its first entry and after its last, and the head."""

    store: books.JournalStore = field(repr=False)
    book: str
    calendar: books.Calendar
    period: Period
    request: ReportRequest
    opening: books.BookState = field(repr=False)
    closing: books.BookState = field(repr=False)
    accounting: RoomAccounting = field(repr=False)
    head: books.Entry
    made_at: int
    as_of: int
    projections: tuple[books.Projection[Any], ...] = field(repr=False)
    invariants: tuple[books.Invariant, ...] = field(repr=False)
    damages: tuple[books.Damage, ...] = ()
    chances: ChanceSource | None = field(default=None, repr=False)

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
        """True if a jackpot, and a table where one is concerned, is requested."""
        request = self.request
        return request.jackpot in (None, jackpot) and (table is None or request.table in (None, table))

    def records(self) -> list[JackpotRecord]:
        """Return the jackpots that are requested, by name, defined at the end of the period."""
        records = sorted(self.jackpots.jackpots.items())
        return [record for name, record in records if self.wants(name) and self._linked(record)]

    def _linked(self, record: JackpotRecord) -> bool:
        return self.request.table is None or record.jackpot.linked(self.request.table) is not None

    def accounts(self, state: books.BookState, jackpot: str) -> books.JackpotAccounts | None:
        """The accounts of a jackpot, where it has been opened."""
        return state.of(books.LEDGER).get(jackpot)

    def clock(self, instant: int) -> datetime.datetime:
        """Return the time of an instant by the room's clocks."""
        return (books.EPOCH + datetime.timedelta(microseconds=instant)).astimezone(self.zone)

    def day(self, instant: int) -> datetime.date:
        """The gambling day of an instant."""
        return self.calendar.gambling_day(books.EPOCH + datetime.timedelta(microseconds=instant))

    def title(self, jackpot: str) -> str:
        """Return what people call a jackpot."""
        return self.jackpots.title(jackpot)

    @cached_property
    def titles(self) -> dict[str, Mapping[str, str]]:
        """What people read for the names in cells, by column."""
        jackpots = {name: self.title(name) for name in self.jackpots.jackpots}
        return {"jackpot": jackpots, "what_of": jackpots, **_TITLES}

    @cached_property
    def wager_titles(self) -> dict[str, str]:
        """What people call the wagers that are counted at tables."""
        tables = self.closing.of(TABLES).tables.values()
        return {wager: record.setup.title(wager) for record in tables for wager in record.setup.wagers}

    def line(
        self,
        key: str,
        words: str,
        units: int | None = None,
        people: tuple[str, ...] = (),
        *,
        about: int = 0,
        before: str = "",
    ) -> ExceptionLine:
        """Make a line that somebody must look at, with what the books hold of it (M-07).

        `before` is the key that books of before have for the same.
        """
        held = self.accounting.by_key(key)
        if held is None and before and (held := self.accounting.by_key(before)) is not None:
            key = before
        if held is None:
            return ExceptionLine(key, words, units, people, about=about)
        return ExceptionLine(key, words, units, people, held.number, held.owner, held.state, about)

    def report(
        self, name: str, title: str, says: str, columns: tuple[Column, ...], rows: list[ReportRow], **parts: Any
    ) -> Report:
        """Build a report: what it says, under everything that each of them carries (M-06)."""
        notes = tuple(parts.pop("notes", ()))
        if self.damages:
            damages = "; ".join(map(str, self.damages[:3]))
            notes = (f"The journal is damaged: {damages}. Figures count what can be read (G-29).", *notes)
        return Report(
            name=name,
            title=title,
            says=says,
            room=self.room,
            book=self.book,
            version=installation.software_text(),
            period=self.period,
            made_at=self.made_at,
            as_of=self.as_of,
            head=self.head.digest.hex(),
            head_entry=self.head.sequence,
            first=self.opening.sequence + 1,
            last=self.closing.sequence,
            filters=self.request.filters,
            columns=columns,
            rows=tuple(rows),
            notes=notes,
            titles={**self.titles, **parts.pop("titles", {})},
            **parts,
        )


def look(
    store: books.JournalStore,
    book: str,
    request: ReportRequest,
    *,
    made_at: int,
    now: int | None = None,
    projections: Iterable[books.Projection[Any]] = _NEEDED,
    invariants: Iterable[books.Invariant] = _TABULATOR_INVARIANTS,
    chances: ChanceSource | None = None,
) -> Scope:
    """Look at a book for a report; `now` is where the clock stands, for a backup where its journal ends.

    `projections` are the parts of the room's state and `invariants` what it keeps: packages below this one have more,
    which a verification asks too. `chances` counts the exact odds of an offer, where whoever asks may wait for that.
    """
    head = store.head(book)
    if head is None:
        raise books.RefusedError([f"there is no book {book!r}; there are: {', '.join(store.books()) or 'none'}"])
    now = head.recorded if now is None else now
    # States are of the parts that reports are made of: one that was sealed before others were there will do.
    last = state_at(store, book, head.sequence, _NEEDED)
    calendar = last.state.of(books.ROOM)
    if calendar is None:
        raise books.RefusedError([f"book {book!r} has no room settings: it is not known when its days begin"])
    period = _period(calendar, request, head)
    _refuse_unknown(request, last.state)
    before = last_before(store, book, period.begins, head.sequence)
    upto = last_before(store, book, period.ends, head.sequence)
    opening = state_at(store, book, before, _NEEDED)
    closing = last if upto == head.sequence else state_at(store, book, upto, _NEEDED)
    return Scope(
        store=store,
        book=book,
        calendar=calendar,
        period=period,
        request=request,
        opening=opening.state,
        closing=closing.state,
        accounting=books.part_at(store, book, head.sequence, ACCOUNTING),
        head=head,
        made_at=made_at,
        projections=tuple(projections),
        invariants=tuple(invariants),
        as_of=max(closing.state.recorded, min(period.ends, now)),
        damages=tuple(dict.fromkeys((*opening.damages, *closing.damages))),
        chances=chances,
    )


def _period(calendar: books.Calendar, request: ReportRequest, head: books.Entry) -> Period:
    first = request.first_day or request.last_day
    if first is None:
        first = calendar.gambling_day(books.EPOCH + datetime.timedelta(microseconds=head.recorded))
    return period_of(calendar, first, request.last_day, request.shift)


def _refuse_unknown(request: ReportRequest, state: books.BookState) -> None:
    jackpots = state.of(JACKPOTS).jackpots
    linked = {linked.table for record in jackpots.values() for linked in record.jackpot.tables}
    tables = sorted(
        linked | {table for record in jackpots.values() for table in record.counted} | set(state.of(TABLES).tables)
    )
    problems = []
    if request.jackpot is not None and request.jackpot not in jackpots:
        problems.append(f"there is no jackpot {request.jackpot!r}; there are: {', '.join(sorted(jackpots)) or 'none'}")
    if request.table is not None and request.table not in tables:
        problems.append(f"no jackpot is linked to table {request.table!r}; there are: {', '.join(tables) or 'none'}")
    if problems:
        raise books.RefusedError(problems)


class Group(StrEnum):
    """The headings under which people look for reports."""

    MONEY = "Money"
    HITS = "Hits and tax"
    PLAY = "Play"
    EQUIPMENT = "Equipment and rounds"
    COMMISSION = "For the commission"


class Collector(ABC):
    """A report in the making; `kinds` are the entries it needs.

    `group` is the heading it stands under, before others of it where `group_place` is smaller; `packet_place` is its
    place in the agent's packet, 0 where it is not in it.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    says: ClassVar[str]
    group: ClassVar[Group]
    group_place: ClassVar[int] = 1
    packet_place: ClassVar[int] = 0
    kinds: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.rows: list[ReportRow] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Read one more entry of the period; a report of the state at its ends needs none."""
        del entry, value

    @abstractmethod
    def report(self) -> Report:
        """Make the report."""

    def build(self, columns: tuple[Column, ...], rows: list[ReportRow], **parts: Any) -> Report:
        """Build the report under its name and title; `parts` are totals, notes, exceptions and the like."""
        return self.scope.report(self.name, self.title, self.says, columns, rows, **parts)


def period_entries(scope: Scope, kinds: Iterable[str]) -> Iterator[tuple[Entry, Payload]]:
    """Read the entries of these kinds in the period, once; one that cannot be read is left out (G-29)."""
    needed = frozenset(kinds)
    if not needed:
        return
    after, upto = scope.opening.sequence, scope.closing.sequence
    for entry in scope.store.entries(scope.book, after, upto, kinds=needed):
        try:
            yield entry, read_payload(entry.kind, entry.payload)
        except UnreadableError:
            continue


def make_reports(scope: Scope, makers: Sequence[type[Collector]]) -> list[Report]:
    """Make reports of one reading of the journal."""
    collectors = [maker(scope) for maker in makers]
    by_kind: dict[str, list[Collector]] = {}
    for collector in collectors:
        for kind in collector.kinds:
            by_kind.setdefault(kind, []).append(collector)
    for entry, value in period_entries(scope, by_kind):
        for collector in by_kind[entry.kind]:
            collector.take(entry, value)
    return [collector.report() for collector in collectors]
