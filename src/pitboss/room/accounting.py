"""Accounting: chips counted, exceptions that somebody looks into, and prizes that are shared."""

import datetime
from contextlib import closing
from typing import Annotated, NamedTuple

from pitboss import law
from pitboss.books import EPOCH, PROJECTIONS, ROOM, BookState, Calendar, Draft, Payload, RefusedError, text_problem
from pitboss.commands import (
    LISTED_MAX,
    Bounds,
    By,
    Command,
    Count,
    Description,
    Name,
    Now,
    Number,
    Prepared,
    Services,
    Words,
    command,
    is_same_person,
    refuse,
)
from pitboss.commands.command import BOOK, SOMEBODY
from pitboss.commands.description import Change, counted, day_words, fact
from pitboss.jackpot import HITS, JACKPOTS
from pitboss.reports import (
    ACCOUNTING,
    REPORTS,
    ExceptionLine,
    ExceptionRecord,
    Report,
    ReportRequest,
    Share,
    look,
    make_report,
)
from pitboss.reports import state as records
from pitboss.room.hit_index import winner_problems
from pitboss.room.people.people import people_of
from pitboss.rules import dollars

_MONEY = ("accounting", "manager")
_INVESTIGATORS = ("accounting", "manager", "supervisor", "surveillance")
_CHIPS_CENTS_MAX = 100_000_000


@command("desk/collect", roles=_MONEY, approvers=_INVESTIGATORS)
class CollectChips(Command):
    """Enter the jackpot chips of a table and shift; who counted with one confirms the amount; a recount says why.

    Less than nothing is what the tray has paid in small prizes beyond the wagers it took (O-12, P-06). A count that
    comes after the end of the next gambling day is entered, and is an exception (G-45).
    """

    day: datetime.date
    shift: Name
    table: Name
    cents: Number
    counted_with: Name
    words: Words = ""

    def describe(self, state: BookState) -> Description:
        """Return the amount that was counted, and the one that it replaces."""
        before = state.of(ACCOUNTING).chips.get(records.place_of(self.day, self.shift, self.table))
        was = "" if before is None else dollars(before.cents)
        rows = (Change("Counted", was, dollars(self.cents)), fact("Counted with", self.counted_with))
        place = f"table {self.table}, {self.shift} shift, {day_words(self.day)}"
        title = f"{'Chip count' if before is None else 'Recount'} for {place}: {dollars(self.cents)}"
        return Description(title, rows, self.words)

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the count, which replaces one that was there, and the exception where it comes late."""
        count = TableCount(self.table, self.cents, self.words)
        problems = _shift_problems(now.state.of(ROOM), self.day, self.shift, now.at)
        problems += _place_problems(now, self.day, self.shift, count)
        refuse([*problems, *_witness_problems(now, self.counted_with, by)])
        return _count_entries(now, by, self.day, self.shift, count)


class TableCount(NamedTuple):
    """The jackpot chips of one table, in cents; the words say why they are counted again."""

    table: Name
    cents: Number
    words: Words = ""


@command("desk/count", roles=_MONEY, approvers=_INVESTIGATORS)
class CountShift(Command):
    """Enter the jackpot chips of a shift, table by table, all at once; who counted with one confirms them."""

    day: datetime.date
    shift: Name
    counts: Annotated[tuple[TableCount, ...], Bounds(1, LISTED_MAX)]
    counted_with: Name

    def describe(self, state: BookState) -> Description:
        """Return the amount of every table, and the one that it replaces."""
        counts = state.of(ACCOUNTING).chips
        rows = []
        for count in self.counts:
            before = counts.get(records.place_of(self.day, self.shift, count.table))
            was = "" if before is None else dollars(before.cents)
            note = f" (recount: {count.words})" if count.words else ""
            rows.append(Change(f"Table {count.table}", was, f"{dollars(count.cents)}{note}"))
        total = dollars(sum(count.cents for count in self.counts))
        tables = counted(len(self.counts), "table")
        title = f"Chip count, {self.shift} shift, {day_words(self.day)}: {total} at {tables}"
        return Description(title, (*rows, fact("Counted with", self.counted_with)))

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return every count, or refuse them all with what is wrong with each (O-12, P-06, G-45)."""
        tables = [count.table for count in self.counts]
        problems = _shift_problems(now.state.of(ROOM), self.day, self.shift, now.at)
        problems += [] if len(set(tables)) == len(tables) else ["a table is counted once at a time"]
        for count in self.counts:
            problems += [f"counts.{count.table}: {text}" for text in _place_problems(now, self.day, self.shift, count)]
        refuse([*problems, *_witness_problems(now, self.counted_with, by)])
        return [draft for count in self.counts for draft in _count_entries(now, by, self.day, self.shift, count)]


def _place_problems(now: Now, day: datetime.date, shift: str, count: TableCount) -> list[str]:
    """Return what is wrong with the count of a table and shift, whoever enters it."""
    before = now.state.of(ACCOUNTING).chips.get(records.place_of(day, shift, count.table))
    problems = _table_problems(now.state, count.table)
    if abs(count.cents) > _CHIPS_CENTS_MAX:
        problems.append(f"{dollars(abs(count.cents))} is more than a count can be: {dollars(_CHIPS_CENTS_MAX)} (G-3)")
    return problems + _recount_problems(before is not None, count.words)


def _witness_problems(now: Now, counted_with: str, by: By) -> list[str]:
    problems, people = text_problem("counted_with", counted_with), people_of(now.state)
    witness = people.named(counted_with)
    if people.people and (witness is None or not witness.active or not set(witness.roles) & set(_INVESTIGATORS)):
        problems.append(f"{counted_with!r} works nowhere here where they could confirm the amount (G-45, G-68)")
    if is_same_person(counted_with, by.name):
        problems.append(f"{by.name} counts with somebody else (O-12, P-06, G-45)")
    elif by.approved_by not in ("", SOMEBODY) and not is_same_person(by.approved_by, counted_with):
        problems.append(f"{counted_with} counted and confirms the amount, not {by.approved_by} (G-45)")
    return problems


def _count_entries(now: Now, by: By, day: datetime.date, shift: str, count: TableCount) -> list[Draft]:
    """Return a count that nothing speaks against, and the exception where it comes late."""
    before = now.state.of(ACCOUNTING).chips.get(records.place_of(day, shift, count.table))
    value = records.ChipsCollected(
        day=day,
        shift=shift,
        table=count.table,
        cents=count.cents,
        counted_with=by.approved_by,
        replaces=None if before is None else before.sequence,
        words=count.words,
    )
    late = _late_count(now, day, value.place, (by.name, by.approved_by))
    return [Draft(payload, table=count.table) for payload in (value, late) if payload is not None]


@command("desk/raise", roles=_INVESTIGATORS)
class RaiseException(Command):
    """Open an exception for something that one has met oneself; `people` are those it is about."""

    key: Name
    words: Words
    units: Number | None = None
    people: Annotated[tuple[Name, ...], Bounds(most=20)] = ()
    about: Annotated[Count | None, Bounds(text="The entry whose video is kept until it is closed.")] = None

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the exception; what a report finds is raised from the report (M-07)."""
        problems = text_problem("key", self.key) + text_problem("words", self.words)
        problems += winner_problems(now.state, f"{self.key} {self.words} {' '.join(self.people)}")
        if (finder := self.key.partition("/")[0]) in REPORTS:
            problems.append(f"{self.key}: what the report {finder!r} finds is raised from it, with those it is about")
        for person in self.people:
            problems += text_problem("people", person)
        if any(held.key == self.key for held in now.state.of(ACCOUNTING).open.values()):
            problems.append(f"{self.key} is raised already, and not resolved")
        refuse(problems)
        raised = records.ExceptionRaised(
            key=self.key, words=self.words, units=self.units, people=self.people, about=self.about
        )
        return [raised]


@command("desk/raise-found", roles=_INVESTIGATORS)
class RaiseFound(Command):
    """Open an exception for what a report finds in a period, with its text, amount and people."""

    report: Name
    first: datetime.date
    last: datetime.date
    key: Name

    def prepare(self, services: Services) -> Prepared:
        """Make the report: the words, the amount and the people are its own (M-07)."""
        books = services.books
        parts = tuple(part for part in books.folding.projections if part not in PROJECTIONS)
        period = ReportRequest(first_day=self.first, last_day=self.last)
        with closing(books.directory.open_store(write=False)) as store:
            scope = look(store, BOOK, period, made_at=services.clock(), projections=parts)
            lines = [line for line in make_report(scope, self.report).exceptions if line.key == self.key]
        if not lines:
            raise RefusedError([f"the report {self.report!r} finds nothing under {self.key!r} in this period"])
        return _Finding(_raised(lines[0]))

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Refuse: only what the report has found is written."""
        raise RefusedError([f"the report {self.report!r} was not made"])


def _raised(line: ExceptionLine) -> records.ExceptionRaised:
    return records.ExceptionRaised(
        key=line.key, words=line.words, units=line.units, people=line.people, about=line.about
    )


class _Finding(NamedTuple):
    value: records.ExceptionRaised

    def entries(self, now: Now, by: By) -> list[Payload]:
        if now.state.of(ACCOUNTING).by_key(self.value.key) is not None:
            raise RefusedError([f"{self.value.key} is raised already"])
        return [self.value]


@command("desk/raise-all", roles=("system",), is_exposed=False)
class RaiseReport(Command):
    """Raise every exception of a report that the books do not hold yet."""

    report: Report

    def content(self) -> list[str]:
        """Return the keys of what the report finds."""
        return [line.key for line in self.report.exceptions]

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return what is not raised yet."""
        accounting = now.state.of(ACCOUNTING)
        return [_raised(line) for line in self.report.exceptions if accounting.by_key(line.key) is None]


@command("desk/take", roles=_INVESTIGATORS)
class TakeException(Command):
    """Assign an exception to oneself."""

    number: Number

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the new owner; an exception is not for whom it is about (M-07)."""
        held = _open_exception(now.state, self.number)
        problems = []
        if any(is_same_person(by.name, person) for person in held.people):
            problems.append(f"exception {self.number} is about {by.name}: somebody else looks into it (M-07, G-46)")
        if by.name == held.owner:
            problems.append(f"{by.name} has exception {self.number} already")
        refuse(problems)
        return [records.ExceptionTaken(number=self.number, owner=by.name)]


@command("desk/resolve", roles=_INVESTIGATORS)
class ResolveException(Command):
    """Resolve an exception that one owns, with the resolution."""

    number: Number
    words: Words

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the resolution, by its owner."""
        held = _open_exception(now.state, self.number)
        problems = text_problem("words", self.words) + winner_problems(now.state, self.words)
        if held.owner != by.name:
            problems.append(
                f"exception {self.number} is resolved by its owner, {held.owner or 'whom it has not yet'} (G-46)"
            )
        refuse(problems)
        return [records.ExceptionResolved(number=self.number, words=self.words)]


@command("desk/share", roles=_MONEY, approvers=_MONEY, is_exposed=False)
class SharePrize(Command):
    """Record who is entitled to which part of a prize, as Form 5754 asks, before its hit is closed."""

    hit: Number
    seat: Number
    shares: tuple[Share, ...]

    def describe(self, state: BookState) -> Description:
        """Return whose part is what: the winner gets no more than theirs (G-31)."""
        rows = tuple(fact(share.winner, dollars(share.cents)) for share in self.shares)
        return Description(f"Share the prize of seat {self.seat}, jackpot {self.hit}", rows)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the parts of the prize (X-05)."""
        hit = now.state.of(HITS).open.get(self.hit)
        won = None if hit is None else hit.prize(self.seat)
        problems = [] if won is not None else [f"seat {self.seat} has no prize of a hit {self.hit} that is open"]
        problems += [text for share in self.shares for text in text_problem("winner", share.winner)]
        if len({share.winner for share in self.shares}) != len(self.shares) or len(self.shares) < 2:
            problems.append("a shared prize has two people at least, each once (X-05)")
        total = sum(share.cents for share in self.shares)
        if any(share.cents <= 0 for share in self.shares):
            problems.append("each part is cents from 1")
        elif won is not None and total != won.cents:
            problems.append(f"the parts come to {dollars(total)}, the prize is {dollars(won.cents)}")
        refuse(problems)
        return [records.PrizeShared(hit=self.hit, seat=self.seat, shares=self.shares)]


def _open_exception(state: BookState, number: int) -> ExceptionRecord:
    exceptions = state.of(ACCOUNTING).open
    if number not in exceptions:
        numbers = ", ".join(map(str, exceptions)) or "none"
        raise RefusedError([f"there is no open exception {number!r}; there are: {numbers}"])
    return exceptions[number]


def _shift_problems(calendar: Calendar | None, day: datetime.date, shift: str, now: int) -> list[str]:
    if calendar is None:
        return ["the room has no settings: it is not known when its shifts begin"]
    shifts = {shift.name: shift for shift in calendar.shifts(day)}
    if shift not in shifts:
        return [f"{day} has no shift {shift!r}; it has: {', '.join(shifts)}"]
    instant = EPOCH + datetime.timedelta(microseconds=now)
    if shifts[shift].begins > instant:
        return [f"the {shift} shift of {day} has not begun"]
    return []


def _late_count(now: Now, day: datetime.date, place: str, people: tuple[str, ...]) -> records.ExceptionRaised | None:
    """Return the exception of chips that are entered later than by the end of the next gambling day (G-45)."""
    calendar, key = now.state.of(ROOM), f"chips/{place}"
    assert calendar is not None
    entered = calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=now.at))
    due = day + datetime.timedelta(days=law.value_on("chips_within_days", day))
    if entered <= due or now.state.of(ACCOUNTING).by_key(key) is not None:
        return None
    words = f"chips of {place} were entered on {entered}, due by the end of {due} (G-45)"
    return records.ExceptionRaised(key=key, words=words, people=people, about=0)


def counted_problems(state: BookState, table: str, at: int) -> list[str]:
    """Return that the chips of a table are counted for the shift of an instant: its prizes stay as they are (G-66)."""
    calendar = state.of(ROOM)
    if calendar is None:
        return []
    shift = calendar.shift(EPOCH + datetime.timedelta(microseconds=at))
    if records.place_of(shift.day, shift.name, table) not in state.of(ACCOUNTING).chips:
        return []
    return [f"The chips of table {table} are counted for the {shift.name} shift: its prizes stay as they are (G-66)"]


def counted_tables(state: BookState) -> frozenset[str]:
    """Return the tables whose jackpot chips are counted: those that a jackpot is linked to."""
    jackpots = state.of(JACKPOTS).jackpots.values()
    return frozenset(linked.table for record in jackpots for linked in record.jackpot.tables)


def _table_problems(state: BookState, table: str) -> list[str]:
    linked_tables = counted_tables(state)
    names = ", ".join(sorted(linked_tables)) or "none"
    return [] if table in linked_tables else [f"no jackpot is linked to table {table!r}; there are: {names}"]


def _recount_problems(counted: bool, words: str) -> list[str]:
    if counted and not words.strip():
        return ["Already counted. Add a reason to record a recount."]
    if words and not counted:
        return ["Not counted yet: a reason is for a recount."]
    return text_problem("words", words, empty=True)
