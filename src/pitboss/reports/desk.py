"""What people do at the accounting desk, as commands to the books: chips counted, exceptions, shared prizes."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from contextlib import closing

from pitboss.books import ROOM, Answer, Books, BookState, Calendar, Command, Draft, Payload, RefusedError
from pitboss.books.commands import microseconds_now
from pitboss.books.entries import EPOCH, text_problem
from pitboss.jackpot import HITS, JACKPOTS
from pitboss.jackpot.room import BOOK
from pitboss.reports.entries import (
    CHIPS_WITHIN_DAYS,
    ChipsCollected,
    ExceptionRaised,
    ExceptionResolved,
    ExceptionTaken,
    PrizeShared,
    Share,
    place_of,
)
from pitboss.reports.journal import BEGINNINGS
from pitboss.reports.registry import REPORTS, make_report
from pitboss.reports.report import Report
from pitboss.reports.scope import Asked, look
from pitboss.reports.state import DESK, Held, RoomDesk
from pitboss.rules import dollars

_CHIPS_CENTS_MAX = 100_000_000
Decide = Callable[[BookState], Sequence[Payload]]


class Desk:
    """The accounting desk of a room, whose books must have been opened with this package's projections.

    Every method takes the client's command id and who acts, and returns when what it did is on disk, or raises
    `RefusedError` with everything that speaks against it, and nothing has changed.
    """

    def __init__(self, books: Books, book: str = BOOK, *, clock: Callable[[], int] = microseconds_now) -> None:
        self.books, self.book, self.clock = books, book, clock

    @property
    def room(self) -> RoomDesk:
        """The desk after the last commit."""
        return self.books.state(self.book).of(DESK)

    def collect(
        self,
        day: datetime.date,
        shift: str,
        table: str,
        cents: int,
        *,
        counted_with: str,
        command: str,
        actor: str,
        words: str = "",
    ) -> Answer:
        """Enter the jackpot chips of a table and shift, counted by two people; a recount says why (O-12, P-06).

        Less than nothing is what the tray has paid in small prizes beyond the wagers it took.
        """
        now = self.clock()

        def decide(state: BookState) -> list[Payload]:
            before = state.of(DESK).chips.get(place_of(day, shift, table))
            problems = _shift_problems(state.of(ROOM), day, shift, now) + _table_problems(state, table)
            if type(cents) is not int or abs(cents) > _CHIPS_CENTS_MAX:
                problems.append(f"{cents!r} must be whole cents, at most {dollars(_CHIPS_CENTS_MAX)} (G-3)")
            problems += text_problem("counted_with", counted_with) + _recount_problems(before is not None, words)
            if counted_with == actor:
                problems.append(f"{actor} counts with somebody else (O-12, P-06)")
            _refuse(problems)
            said = {"replaces": before.sequence, "words": words} if before is not None else {}
            return [
                ChipsCollected(day=day, shift=shift, table=table, cents=cents, counted_with=counted_with, **said)  # type: ignore[arg-type]
            ]

        content = ["chips", day.isoformat(), shift, cents, counted_with, words]
        return self._submit(command, actor, content, decide, table)

    def raise_exception(
        self, key: str, words: str, *, units: int | None = None, people: Sequence[str] = (), command: str, actor: str
    ) -> Answer:
        """Raise something that a person has met; `people` are those it is about (M-07). A report raises its own."""

        def decide(state: BookState) -> list[Payload]:
            problems = text_problem("key", key) + text_problem("words", words)
            if (finder := key.partition("/")[0]) in REPORTS:
                problems.append(f"{key}: what the report {finder!r} finds is raised from it, with those it is about")
            for each in people:
                problems += text_problem("people", each)
            if any(each.key == key for each in state.of(DESK).open.values()):
                problems.append(f"{key} is raised already, and not resolved")
            _refuse(problems)
            return [ExceptionRaised(key=key, words=words, units=units, people=tuple(people))]

        return self._submit(command, actor, ["raise", key, words, units, list(people)], decide)

    def raise_found(self, report: Report, *, command: str, actor: str) -> Answer | None:
        """Raise every exception of a report that the books do not hold yet; nothing is written where there is none."""
        found = [each for each in report.exceptions if self.room.by_key(each.key) is None]
        if not found:
            return None

        def decide(state: BookState) -> list[Payload]:
            desk = state.of(DESK)
            fresh = [each for each in found if desk.by_key(each.key) is None]
            return [ExceptionRaised(key=e.key, words=e.words, units=e.units, people=e.people) for e in fresh]

        return self._submit(command, actor, ["raise-found", [each.key for each in found]], decide)

    def raise_reported(self, name: str, asked: Asked, key: str, *, command: str, actor: str) -> Answer:
        """Raise what a report finds under a key: the words, the amount and the people are the report's (M-07)."""
        parts = tuple(each for each in self.books.folding.projections if each not in BEGINNINGS)
        with closing(self.books.directory.open_store(write=False)) as store:
            scope = look(store, self.book, asked, made=self.clock(), projections=parts)
            found = [each for each in make_report(scope, name).exceptions if each.key == key]

        def decide(state: BookState) -> list[Payload]:
            if not found:
                raise RefusedError([f"the report {name!r} finds nothing under {key!r} in this period"])
            if state.of(DESK).by_key(key) is not None:
                raise RefusedError([f"{key} is raised already"])
            line = found[0]
            return [ExceptionRaised(key=key, words=line.words, units=line.units, people=line.people)]

        return self._submit(command, actor, ["raise-reported", name, key], decide)

    def take(self, number: int, owner: str, *, command: str, actor: str) -> Answer:
        """Give an exception to somebody, who owns it until it is resolved or taken over (M-07)."""

        def decide(state: BookState) -> list[Payload]:
            held = _found(state, number)
            problems = text_problem("owner", owner)
            if owner in held.people:
                problems.append(f"exception {number} is about {owner}: somebody else looks into it (M-07)")
            if owner == held.owner:
                problems.append(f"{owner} has exception {number} already")
            _refuse(problems)
            return [ExceptionTaken(number=number, owner=owner)]

        return self._submit(command, actor, ["take", number, owner], decide)

    def resolve(self, number: int, words: str, *, command: str, actor: str) -> Answer:
        """Resolve an exception by its owner, in words (M-07)."""

        def decide(state: BookState) -> list[Payload]:
            held = _found(state, number)
            problems = text_problem("words", words)
            if held.owner != actor:
                problems.append(f"exception {number} is resolved by its owner, {held.owner or 'whom it has not yet'}")
            _refuse(problems)
            return [ExceptionResolved(number=number, words=words)]

        return self._submit(command, actor, ["resolve", number, words], decide)

    def share(self, hit: int, seat: int, shares: Sequence[Share], *, command: str, actor: str) -> Answer:
        """Say who is entitled to which part of a prize, as Form 5754 asks, before its hit is closed (X-05)."""

        def decide(state: BookState) -> list[Payload]:
            found = state.of(HITS).open.get(hit)
            won = None if found is None else found.prize(seat)
            problems = [] if won is not None else [f"seat {seat} has no prize of a hit {hit} that is open"]
            problems += [words for each in shares for words in text_problem("winner", each.winner)]
            if len({each.winner for each in shares}) != len(shares) or len(shares) < 2:
                problems.append("a shared prize has two people at least, each once (X-05)")
            if any(type(each.cents) is not int or each.cents <= 0 for each in shares):
                problems.append("each part is cents from 1")
            elif won is not None and sum(each.cents for each in shares) != won.cents:
                told = dollars(sum(each.cents for each in shares))
                problems.append(f"the parts come to {told}, the prize is {dollars(won.cents)}")
            _refuse(problems)
            return [PrizeShared(hit=hit, seat=seat, shares=tuple(shares))]

        return self._submit(command, actor, ["share", hit, seat, [list(each) for each in shares]], decide)

    def _submit(self, command: str, actor: str, content: list[object], decide: Decide, table: str = "") -> Answer:
        def drafts(state: BookState) -> list[Draft]:
            return [Draft(value) for value in decide(state)]

        asked = Command(book=self.book, id=command, actor=actor, content=content, decide=drafts, table=table)
        return self.books.submit(asked)


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        raise RefusedError(problems)


def _found(state: BookState, number: int) -> Held:
    desk = state.of(DESK)
    if number not in desk.open:
        told = ", ".join(map(str, desk.open)) or "none"
        raise RefusedError([f"there is no open exception {number!r}; there are: {told}"])
    return desk.open[number]


def _shift_problems(calendar: Calendar | None, day: datetime.date, shift: str, now: int) -> list[str]:
    if calendar is None:
        return ["the room has no settings: it is not known when its shifts begin"]
    found = {each.name: each for each in calendar.shifts(day)}
    if shift not in found:
        return [f"{day} has no shift {shift!r}; it has: {', '.join(found)}"]
    instant = EPOCH + datetime.timedelta(microseconds=now)
    if found[shift].begins > instant:
        return [f"the {shift} shift of {day} has not begun"]
    if (calendar.gambling_day(instant) - day).days > CHIPS_WITHIN_DAYS:
        return [f"{day} is more than {CHIPS_WITHIN_DAYS} days ago: raise an exception instead (M-07)"]
    return []


def _table_problems(state: BookState, table: str) -> list[str]:
    known = {linked.table for each in state.of(JACKPOTS).jackpots.values() for linked in each.jackpot.tables}
    told = ", ".join(sorted(known)) or "none"
    return [] if table in known else [f"no jackpot is linked to table {table!r}; there are: {told}"]


def _recount_problems(counted: bool, words: str) -> list[str]:
    if counted and not words.strip():
        return ["these chips were counted already: a recount says why"]
    if words and not counted:
        return ["nothing was counted here yet: words are for a recount"]
    return text_problem("words", words, empty=True)
