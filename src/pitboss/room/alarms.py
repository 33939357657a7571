"""Alarms with an owner: everything that somebody must look at now, and who has taken it on (M-07, F-08)."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pitboss import books
from pitboss.commands import By, Command, Name, Now, command
from pitboss.jackpot import JACKPOTS, JackpotRecord, PlayReason
from pitboss.jackpot.definitions import PlaySet
from pitboss.room.displays import DISPLAYS, DisplaySet, DisplayTurned, unshown_tables
from pitboss.room.posted_papers import (
    POSTED_PAPERS,
    PaperChanged,
    PaperPosted,
    paper_alarm,
    paper_title,
    required_papers,
)
from pitboss.tabulator import TABLES
from pitboss.tabulator.entries import AlarmCleared, MalfunctionMended

_BAD = ("dark", "stale", "unconfirmed")


@books.entry_kind("alarm-taken")
class AlarmTaken(books.EntryPayload):
    """An alarm that somebody has taken on, from whoever had it before; the actor of the entry owns it."""

    alarm: str


class Owner(NamedTuple):
    """The owner of an alarm, and since when."""

    name: str
    since: books.Instant


Owners = Mapping[str, Owner]


def _without(owners: Owners, key: str) -> Owners:
    return {name: owner for name, owner in owners.items() if name != key} if key in owners else owners


def _fold(owners: Owners, entry: books.Entry, value: books.Payload) -> Owners:
    match value:
        case AlarmTaken():
            return {**owners, value.alarm: Owner(entry.actor, entry.happened)}
        case AlarmCleared():
            return _without(owners, value.alarm)
        case MalfunctionMended():
            return _without(owners, f"malfunction {value.malfunction}")
        case DisplayTurned() if value.condition not in _BAD:
            return _without(owners, f"display {value.name}")
        case DisplaySet() if value.active:
            return _without(owners, f"display of table {value.display.table}")
        case PlaySet() if value.play != "suspended":
            return _without(owners, f"escrow {value.name}")
        case PaperChanged() | PaperPosted():
            return _without(owners, paper_alarm(entry.table, value.paper))
    return owners


OWNERS: books.Projection[Owners] = books.Projection(
    name="alarm-owners",
    empty={},
    shape=Owners,
    fold=_fold,
    kinds=books.kinds_of(
        AlarmTaken,
        AlarmCleared,
        MalfunctionMended,
        DisplayTurned,
        DisplaySet,
        PlaySet,
        PaperChanged,
        PaperPosted,
    ),
)


TROUBLES = "troubles"
"""The part of a room's state that is not in its books: alarms about the server itself."""
TROUBLE_KINDS = ("store", "watch", "device", "time", "software", "backup")


class ActiveAlarm(NamedTuple):
    """An alarm that stands: its key, kind and table, what is told, since when; of a malfunction its clock."""

    key: str
    kind: str
    table: str
    words: str
    since: int
    malfunction: int = 0
    due: int = 0
    reported: bool = False


def _is_short(record: JackpotRecord) -> bool:
    return record.play == "suspended" and record.play_reason == PlayReason.ESCROW_SHORTFALL.value


def active_alarms(state: books.BookState) -> tuple[ActiveAlarm, ...]:
    """Return everything that somebody must look at: alarms of tables, malfunctions, and displays that are not true."""
    return tuple(sorted(_standing(state), key=lambda alarm: (alarm.since, alarm.key)))


def _standing(state: books.BookState) -> Iterator[ActiveAlarm]:
    yield from state.parts.get(TROUBLES, ())
    tables = state.of(TABLES)
    for alarm in tables.alarms.values():
        yield ActiveAlarm(alarm.key, alarm.kind, alarm.table, alarm.words, alarm.happened)
    for malfunction in tables.malfunctions.values():
        key, reported = f"malfunction {malfunction.number}", malfunction.reported is not None
        yield ActiveAlarm(
            key,
            "malfunction",
            malfunction.table,
            malfunction.words,
            malfunction.known,
            malfunction.number,
            malfunction.due,
            reported,
        )
    for name, record in state.of(DISPLAYS).items():
        if record.active and record.condition in _BAD:
            words = f"{name} is {record.condition}: {record.words}"
            yield ActiveAlarm(f"display {name}", "display", record.display.table, words, record.since)
    for table, since in unshown_tables(state).items():
        words = f"table {table} has no display of its jackpots: register one (T-04, G-51)"
        yield ActiveAlarm(f"display of table {table}", "display", table, words, since)
    yield from _paper_alarms(state)
    for name, jackpot in state.of(JACKPOTS).jackpots.items():
        if _is_short(jackpot) and jackpot.jackpot.tables:
            title = state.of(JACKPOTS).title(name)
            words = f"{title} is suspended: the bank does not hold what players are owed, tell a manager (G-33)"
            yield ActiveAlarm(f"escrow {name}", "escrow", jackpot.jackpot.tables[0].table, words, jackpot.play_since)


def _paper_alarms(state: books.BookState) -> Iterator[ActiveAlarm]:
    """Yield the required papers that are missing or out of date at open tables (W-12)."""
    papers = state.parts.get(POSTED_PAPERS.name)
    for table, name, paper in () if papers is None else papers.troubles():
        source = required_papers(state, table).get(name)
        if source is None:
            continue
        rule = source.removeprefix("REGULATION ")
        words = f"{paper_title(name)}: {paper.trouble}. Print it, hang it, then mark it as posted ({rule})"
        yield ActiveAlarm(paper_alarm(table, name), "paper", table, words, paper.wrong)


@command("floor/take-alarm", roles=("supervisor", "surveillance", "manager"))
class TakeAlarm(Command):
    """Assign an alert to oneself."""

    alarm: Name

    def entries(self, now: Now, by: By) -> list[books.Draft]:
        """Return the new owner of an alarm that stands, also where somebody else had it."""
        alarm = next((alarm for alarm in active_alarms(now.state) if alarm.key == self.alarm), None)
        if alarm is None:
            raise books.RefusedError([f"there is no alarm {self.alarm!r} that stands"])
        owner = now.state.of(OWNERS).get(self.alarm)
        if owner is not None and owner.name == by.name:
            raise books.RefusedError([f"{by.name} has this alarm already"])
        return [books.Draft(AlarmTaken(alarm=self.alarm), table=alarm.table)]
