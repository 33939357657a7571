"""The room: people, displays and equipment, escrow, counts, papers, and backups."""

import datetime
from collections.abc import Iterator
from contextlib import closing

from pitboss.books import EPOCH, LEDGER, ROOM, Shift, StoreError, last_before, microseconds
from pitboss.commands.command import BOOK
from pitboss.jackpot import JACKPOTS
from pitboss.jackpot.escrow import escrow_of
from pitboss.meters import UNITS_PER_CENT
from pitboss.operations.doctor.context import DoctorCheck, DoctorContext
from pitboss.reports.state import ACCOUNTING, place_of
from pitboss.room.accounting import counted_tables
from pitboss.room.alarms import active_alarms
from pitboss.room.displays import unshown_tables
from pitboss.room.people.people import PEOPLE
from pitboss.rules import dollars

_BACKUP_HOURS, _COUNT_HOURS, _DAYS_BACK = 26, 24, 2
_DAY = datetime.timedelta(days=1)


def _administrators(context: DoctorContext) -> Iterator[str]:
    people = context.state.of(PEOPLE)
    if people.people and not people.with_role("administrator"):
        yield "nobody active is an administrator"


def _second_person(context: DoctorContext) -> Iterator[str]:
    people = context.state.of(PEOPLE)
    deciding = {person.login for role in ("manager", "accounting", "surveillance") for person in people.with_role(role)}
    if people.in_operation and len(deciding) < 2:
        yield "fewer than two people are manager, accounting or surveillance: nothing can be approved"


def _no_display(context: DoctorContext) -> Iterator[str]:
    yield from (f"table {table} plays a jackpot and has no display (T-04)" for table in unshown_tables(context.state))


def _displays(context: DoctorContext) -> Iterator[str]:
    own = {f"display of table {table}" for table in unshown_tables(context.state)}
    alarms = active_alarms(context.state)
    yield from (alarm.words for alarm in alarms if alarm.kind == "display" and alarm.key not in own)


def _equipment(context: DoctorContext) -> Iterator[str]:
    others = {"display", "escrow", "paper"}
    alarms = active_alarms(context.state)
    yield from (f"table {alarm.table}: {alarm.words}" for alarm in alarms if alarm.kind not in others)


def _escrow(context: DoctorContext) -> Iterator[str]:
    ledger, room = context.state.of(LEDGER), context.state.of(JACKPOTS)
    for name, record in room.jackpots.items():
        short = 0 if name not in ledger else escrow_of(record, ledger[name], context.system.now()).shortfall_units
        if short:
            yield f"{room.title(name)}: the bank lacks {dollars(short // UNITS_PER_CENT)} that should be there"


def _papers(context: DoctorContext) -> Iterator[str]:
    alarms = active_alarms(context.state)
    yield from (f"table {alarm.table}: {alarm.words}" for alarm in alarms if alarm.kind == "paper")


def _over_shifts(context: DoctorContext) -> list[Shift]:
    """Return the shifts of the last days whose count is due."""
    calendar = context.state.of(ROOM)
    if calendar is None:
        return []
    now = EPOCH + datetime.timedelta(microseconds=context.system.now())
    today = calendar.gambling_day(now)
    shifts = [shift for back in range(_DAYS_BACK + 1, -1, -1) for shift in calendar.shifts(today - back * _DAY)]
    return [shift for shift in shifts if shift.ends + datetime.timedelta(hours=_COUNT_HOURS) <= now]


def _uncounted(context: DoctorContext) -> Iterator[str]:
    state, shifts = context.state, _over_shifts(context)
    chips, linked = state.of(ACCOUNTING).chips, counted_tables(state)
    if not shifts or not linked:
        return
    with closing(context.directory.open_store(write=False)) as store:
        for shift in shifts:
            after = last_before(store, BOOK, microseconds(shift.begins), state.sequence)
            upto = last_before(store, BOOK, microseconds(shift.ends), state.sequence)
            entries = store.entries(BOOK, after, upto, kinds={"wagers-counted"})
            played = linked.intersection(entry.table for entry in entries)
            missing = sorted(table for table in played if place_of(shift.day, shift.name, table) not in chips)
            if missing:
                yield f"{shift.name} shift of {shift.day}: the chips of {', '.join(missing)} are not counted"


def _backups(context: DoctorContext) -> Iterator[str]:
    if context.backups is None:
        raise StoreError("no folder of backups was named: --backups DIR")
    files = [file for file in context.backups.glob("*.backup*") if not file.name.endswith(".partial")]
    if not files:
        yield f"there is no backup in {context.backups}"
        return
    newest = max(files, key=lambda file: file.stat().st_mtime)
    hours = (context.system.now() / 1_000_000 - newest.stat().st_mtime) / 3_600
    if hours > _BACKUP_HOURS:
        yield f"the newest backup, {newest.name}, is {hours:,.0f} hours old"


CHECKS = (
    DoctorCheck(
        "administrator-missing",
        _administrators,
        "Start the server: it makes an administrator and prints a one-time link.",
    ),
    DoctorCheck("second-person-missing", _second_person, "Add a manager, accounting or surveillance under *People*."),
    DoctorCheck(
        "display-missing", _no_display, "Register a display for the table under *Devices*, or close its jackpots."
    ),
    DoctorCheck(
        "display-dark", _displays, "Switch the display on and look at its network; *Displays* says what it lacks."
    ),
    DoctorCheck("equipment-alarm", _equipment, "Look at the table under *Floor*, *Service*.", "warning"),
    DoctorCheck("escrow-late", _escrow, "Have accounting deposit what is short: *Accounting*, *Escrow*."),
    DoctorCheck("shift-uncounted", _uncounted, "Have accounting enter the count: *Count*."),
    DoctorCheck("paper-missing", _papers, "Print the paper, hang it, and mark it as posted."),
    DoctorCheck(
        "backup-old",
        _backups,
        "Look at the timer of the backups and at the disk they go to; then take one: `pitboss backup`.",
    ),
)
