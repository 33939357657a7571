"""Backups on a schedule: when, where to, how many are kept, sealed to which key; and how the last ones ended.

The plan and every backup are entries of the journal. The room sees by them when the next one is due and whether one is
late; the worker makes it (`pitboss.room.backing_up`).
"""

import datetime
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

from pitboss import books
from pitboss.books import EPOCH, ROOM, BookState, Instant, Payload, RefusedError, time_of_day
from pitboss.books.store.keys import in_fours, key_id, public_problem
from pitboss.commands import Bounds, By, Change, Command, Count, Description, Name, Now, Words, command, refuse, roles
from pitboss.room.people.people import people_of

MARKER = ".pitboss-backups"
"""A file that the first backup leaves in its directory: where it is missing later, another disk is mounted, or none."""
BEGINS, ENDING = "pitboss-", ".sealed"
_HOUR = 60 * 60 * 1_000_000
_DAY = datetime.timedelta(days=1)
_GRACE = _HOUR
_AGAIN = 15 * 60 * 1_000_000
_HOURS_MAX, _KEEP_MAX, _TIMES_MAX = 24, 1_000, 24


@books.json_object
class BackupPlan(NamedTuple):
    """When backups are made: at times of the room's clocks, or every so many hours; where to, and how many are kept."""

    directory: str
    public: str
    keep: int
    times: tuple[str, ...] = ()
    hours: int = 0

    @property
    def text(self) -> str:
        """When, as people read it."""
        return f"every {self.hours} hours" if self.hours else f"at {', '.join(self.times)}"


@books.json_object
class BackupResult(NamedTuple):
    """A backup: when it was begun, its file, what it holds, how long it took; or why there is none."""

    at: Instant
    file: str
    entries: int
    head: str
    bytes: int
    digest: str
    seconds: int
    pictures: int = 0
    problem: str = ""

    @property
    def is_good(self) -> bool:
        """True if it was made, restored and audited, sealed and read back."""
        return not self.problem


@books.entry_kind("backups-planned")
class BackupsPlanned(books.EntryPayload):
    """Backups are made by this plan from now on; without one, none are."""

    plan: BackupPlan | None
    reason: str
    approved_by: Annotated[str, books.OMIT_DEFAULT] = ""


@books.entry_kind("backup-made")
class BackupMade(books.EntryPayload):
    """A backup was made by the plan, restored and audited; or it failed, and why."""

    result: BackupResult


@books.json_object
class Backups(NamedTuple):
    """The plan in force and since when; the last backup, and the last good one."""

    plan: BackupPlan | None = None
    plan_since: Instant = 0
    last: BackupResult | None = None
    last_good: BackupResult | None = None


def _fold(backups: Backups, entry: books.Entry, value: Payload) -> Backups:
    if isinstance(value, BackupsPlanned):
        return backups._replace(plan=value.plan, plan_since=entry.recorded)
    assert isinstance(value, BackupMade)
    result = value.result
    return backups._replace(last=result, last_good=result if result.is_good else backups.last_good)


BACKUPS: books.Projection[Backups] = books.Projection(
    name="backups", shape=Backups, empty=Backups(), fold=_fold, kinds=books.kinds_of(BackupsPlanned, BackupMade)
)


def file_path(directory: str, at: Instant) -> str:
    """Return where a backup that was begun at an instant lies; names sort as instants do."""
    moment = EPOCH + datetime.timedelta(microseconds=at)
    return f"{directory}/{BEGINS}{moment:%Y%m%dT%H%M%SZ}{ENDING}"


def _zone(state: BookState) -> ZoneInfo:
    calendar = state.of(ROOM)
    return ZoneInfo("UTC" if calendar is None else calendar.history[-1][1].time_zone)


def _last_time(plan: BackupPlan, zone: ZoneInfo, now: Instant) -> Instant:
    """Return the last of the plan's times that is not later than now; in summer and winter by the room's clocks."""
    here = (EPOCH + datetime.timedelta(microseconds=now)).astimezone(zone)
    days = (here.date() - _DAY, here.date())
    moments = [datetime.datetime.combine(day, time_of_day(text), zone) for day in days for text in plan.times]
    return max((moment - EPOCH) // datetime.timedelta(microseconds=1) for moment in moments if moment <= here)


def is_due(state: BookState, now: Instant) -> bool:
    """True if a backup should be made now; one that failed is tried again after a quarter of an hour."""
    backups = state.of(BACKUPS)
    plan, last, good = backups.plan, backups.last, backups.last_good
    if plan is None or (last is not None and not last.is_good and now - last.at < _AGAIN):
        return False
    if plan.hours:
        return good is None or now - good.at >= plan.hours * _HOUR
    done = max(backups.plan_since, 0 if good is None else good.at)
    return _last_time(plan, _zone(state), now) > done


def is_late(state: BookState, now: Instant) -> bool:
    """True if a backup should have been made an hour ago, and there is none."""
    backups = state.of(BACKUPS)
    if backups.plan is None:
        return False
    done = max(backups.plan_since, 0 if backups.last_good is None else backups.last_good.at)
    if backups.plan.hours:
        return now - done > backups.plan.hours * _HOUR + _GRACE
    return _last_time(backups.plan, _zone(state), now - _GRACE) > done


def directory_problem(state: BookState) -> str:
    """Return why nothing can be written where backups go: it is not there, not mounted, or not ours to write."""
    backups = state.of(BACKUPS)
    if backups.plan is None:
        return ""
    directory = Path(backups.plan.directory)
    if not directory.is_dir():
        return f"there is no directory {directory}: is its disk mounted?"
    # Only what was written there by this plan shows that the marker was there.
    is_known = backups.last_good is not None and backups.last_good.file.startswith(f"{backups.plan.directory}/")
    if is_known and not (directory / MARKER).exists():
        return f"{directory} is not the directory of the last backups ({MARKER} is missing): is its disk mounted?"
    if not os.access(directory, os.W_OK | os.X_OK):
        return f"the server may not write in {directory}"
    return ""


def backup_trouble(state: BookState, now: Instant) -> str:
    """Return what somebody must do about backups, as an alert; empty where nothing is wrong."""
    backups = state.of(BACKUPS)
    if backups.plan is None:
        return ""
    if problem := directory_problem(state):
        return f"Backups can't be written: {problem}"
    if backups.last is not None and not backups.last.is_good:
        return f"The last backup failed: {backups.last.problem}"
    return "A backup is late. Ask whoever looks after the server to read its log." if is_late(state, now) else ""


def _plan_problems(plan: "PlanBackups") -> list[str]:
    problems = []
    if not plan.directory.strip():
        problems.append("directory: name the directory that backups are written to")
    elif not Path(plan.directory).is_absolute():
        problems.append(f"directory: {plan.directory!r} must be a whole path, such as /media/safe")
    if wrong := public_problem(plan.public):
        problems.append(f"public: {wrong}")
    if bool(plan.times) == bool(plan.hours):
        problems.append("state either times, such as 05:30, or every how many hours")
    for text in plan.times:
        try:
            time_of_day(text)
        except ValueError as error:
            problems.append(f"times: {error}")
    if len(set(plan.times)) != len(plan.times):
        problems.append("times: each once")
    if not 0 <= plan.hours <= _HOURS_MAX:
        problems.append(f"hours: from 1 to {_HOURS_MAX}")
    if not 1 <= plan.keep <= _KEEP_MAX:
        problems.append(f"keep: from 1 to {_KEEP_MAX} backups")
    return problems


@command("backups/plan", roles=("manager", "administrator"), approvers=roles.CONFIGURERS)
class PlanBackups(Command):
    """Schedule backups by the server: when, where to, how many are kept, and the key that they are sealed to."""

    directory: Annotated[str, Bounds(most=500, text="A whole path; it must be there.")]
    public: Annotated[str, Bounds(most=64, text="The public half of a key that is kept elsewhere.")]
    words: Words
    keep: Count = 14
    times: Annotated[tuple[Name, ...], Bounds(most=_TIMES_MAX)] = ()
    hours: Count = 0

    def needs_second(self, state: BookState, by: By) -> bool:
        """True once the room is in operation: whoever has the key reads every backup (G-68)."""
        return people_of(state).in_operation

    def describe(self, state: BookState) -> Description:
        """Return when, where and to which key, before and after."""
        before, after = state.of(BACKUPS).plan, self._plan
        rows = [
            Change(label, "" if before is None else text(before), text(after))
            for label, text in _SHOWN.items()
            if before is None or text(before) != text(after)
        ]
        return Description(f"Back up the room {after.text}", tuple(rows), self.words)

    @property
    def _plan(self) -> BackupPlan:
        return BackupPlan(self.directory, self.public, self.keep, self.times, self.hours)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the plan; all that is wrong comes in one refusal."""
        problems = _plan_problems(self)
        if not self.words.strip():
            problems.append("state the reason in words (M-02)")
        if now.state.of(BACKUPS).plan == self._plan:
            problems.append("backups are made by this plan already")
        if by.approver is None and self.needs_second(now.state, by):
            problems.append("backups/plan: another plan in a room in operation is for two people (G-68)")
        refuse(problems)
        return [BackupsPlanned(plan=self._plan, reason=self.words, approved_by=by.approved_by)]


_SHOWN: dict[str, Callable[[BackupPlan], str]] = {
    "When": lambda plan: plan.text,
    "Directory": lambda plan: plan.directory,
    "Kept": lambda plan: str(plan.keep),
    "Key": lambda plan: in_fours(key_id(plan.public)),
}


@command("backups/stop", roles=("manager", "administrator"), approvers=roles.CONFIGURERS)
class StopBackups(Command):
    """Stop the scheduled backups."""

    words: Words

    def needs_second(self, state: BookState, by: By) -> bool:
        """True once the room is in operation."""
        return people_of(state).in_operation

    def describe(self, state: BookState) -> Description:
        """Return what ends."""
        plan = state.of(BACKUPS).plan
        before = "none are planned" if plan is None else f"{plan.text}, to {plan.directory}"
        return Description("Make no more backups", (Change("Backups", before, "none"),), self.words)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return that there is no plan any more."""
        problems = [] if self.words.strip() else ["state the reason in words (M-02)"]
        if now.state.of(BACKUPS).plan is None:
            problems.append("no backups are planned")
        if by.approver is None and self.needs_second(now.state, by):
            problems.append("backups/stop: in a room in operation this is for two people (G-68)")
        refuse(problems)
        return [BackupsPlanned(plan=None, reason=self.words, approved_by=by.approved_by)]


@command("backups/record", roles=roles.SYSTEM, is_exposed=False)
class RecordBackup(Command):
    """Record how a backup has ended."""

    at: Count
    file: Annotated[str, Bounds(most=600)]
    entries_held: Count
    head: Annotated[str, Bounds(most=64)]
    bytes: Count
    digest: Annotated[str, Bounds(most=64)]
    seconds: Count
    pictures: Count = 0
    problem: Annotated[str, Bounds(most=2_000)] = ""

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the result."""
        if now.state.of(BACKUPS).plan is None:
            raise RefusedError(["no backups are planned"])
        return [
            BackupMade(
                result=BackupResult(
                    self.at,
                    self.file,
                    self.entries_held,
                    self.head,
                    self.bytes,
                    self.digest,
                    self.seconds,
                    self.pictures,
                    self.problem,
                )
            )
        ]
