"""Commands about equipment: it is down and restored, its counter is read, malfunctions, alarms, lost lines."""

from collections.abc import Mapping
from typing import Annotated

from pitboss import law
from pitboss.books import BookState, Draft, Payload
from pitboss.commands import (
    Bounds,
    By,
    Command,
    Count,
    Description,
    Name,
    Now,
    Seat,
    Words,
    command,
    is_same_person,
    refuse,
    roles,
)
from pitboss.commands.description import Change, counted, fact, moment_words
from pitboss.jackpot.state import local_day
from pitboss.tabulator import descriptions, entries
from pitboss.tabulator.rounds import BATCH_MAX, ButtonPress, batch_drafts
from pitboss.tabulator.state import RECONCILIATION, TABLES, shift_at, table_of
from pitboss.tabulator.tables import reason_problems
from pitboss.tabulator.values import Malfunction, TableRecord

_HOUR = 60 * 60 * 1_000_000


def _malfunction(now: Now, table: str, reason: str, by: By, place: entries.Place | None) -> entries.MalfunctionKnown:
    """Build a malfunction with its deadline (O-02); rooms that the law does not bind have the same one."""
    day, profile = local_day(now.state, now.at), table_of(now.state, table).setup.profile
    hours, _ = law.value_kept("malfunction_report_within_hours", day, profile)
    due = now.at + hours * _HOUR
    return entries.MalfunctionKnown(known=now.at, due=due, words=reason, by=by.name, place=place)


@command("tables/malfunction", roles=roles.FLOOR, pin=True)
class RecordMalfunction(Command):
    """Record a malfunction; it must be reported in time.

    It is known from the instant at which the command happened; `place` is position and number of a sensor that failed.
    """

    table: Name
    words: Words
    place: Annotated[tuple[Seat, Seat], Bounds(2, 2, text="Position and number of the sensor.")] | None = None

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the malfunction with the time by which it must be reported."""
        record, problems = table_of(now.state, self.table), reason_problems(self.words)
        place = None if self.place is None else (self.place[0], self.place[1])
        if place is not None and place not in record.setup.by_place:
            problems.append(f"table {self.table} has no sensor {place[0]}.{place[1]} (E-04)")
        refuse(problems)
        return [_malfunction(now, self.table, self.words, by, place)]


def _open_malfunction(state: BookState, number: int) -> Malfunction:
    malfunctions = state.of(TABLES).malfunctions
    if str(number) not in malfunctions:
        refuse([f"there is no open malfunction {number!r}; open are: {', '.join(malfunctions) or 'none'} (O-02)"])
    return malfunctions[str(number)]


@command("tables/report", roles=roles.FLOOR, pin=True)
class ReportMalfunction(Command):
    """Record that a malfunction was reported to the commission."""

    malfunction: Count
    reference: Words

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the report, at the table of the malfunction (O-02)."""
        malfunction, problems = _open_malfunction(now.state, self.malfunction), []
        if malfunction.reported is not None:
            problems.append(f"malfunction {self.malfunction} was reported already: {malfunction.reference} (O-02)")
        if not self.reference.strip():
            problems.append("name the reference of the report (O-02)")
        if now.at < malfunction.known:
            problems.append("it was reported after it was known, and not later than now (O-02)")
        refuse(problems)
        report = entries.MalfunctionReported(
            malfunction=self.malfunction, reported=now.at, reference=self.reference, by=by.name
        )
        return [Draft(report, table=malfunction.table)]


@command("tables/mend", roles=roles.FLOOR, pin=True)
class EndMalfunction(Command):
    """Mark a malfunction as repaired."""

    malfunction: Count
    words: Words

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the end of the malfunction, at its table."""
        malfunction, problems = _open_malfunction(now.state, self.malfunction), reason_problems(self.words)
        problems += [f"malfunction {self.malfunction} is mended already (O-02)"] if malfunction.mended else []
        refuse(problems)
        end = entries.MalfunctionMended(malfunction=self.malfunction, words=self.words, by=by.name)
        return [Draft(end, table=malfunction.table)]


@command("tables/down", roles=roles.FLOOR, pin=True)
class TakeDown(Command):
    """Take equipment out of service by the configured method.

    The malfunction is written down too, and its clock starts (E-09, O-02).
    """

    table: Name
    words: Words

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the malfunction, and the equipment that is down."""
        record = table_of(now.state, self.table)
        refuse(_down_problems(record, self.words))
        method = record.setup.down_method
        return [
            _malfunction(now, self.table, self.words, by, None),
            entries.EquipmentDown(reason="malfunction", method=method, words=self.words, by=by.name),
        ]


def _down_problems(record: TableRecord, reason: str) -> list[str]:
    problems = reason_problems(reason)
    if record.down is not None:
        problems.append(f"the equipment of table {record.table} is down already (E-09)")
    if not record.setup.sensors:
        problems.append(f"table {record.table} has no equipment that could be down (E-09)")
    return problems


@command("tables/by-hand", roles=roles.FLOOR, pin=True)
class GoByHand(Command):
    """Go on without the link at a table, by the method that its setup states."""

    table: Name
    words: Words

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the equipment that is down, by the method of its set-up: by hand, or suspended (G-43, E-09)."""
        record = table_of(now.state, self.table)
        problems = _down_problems(record, self.words)
        device = now.state.of(TABLES).devices.get(record.setup.device)
        if device is None or not device.lost:
            problems.append(f"the line of table {self.table} is not lost: its presses are counted (T-09)")
        refuse(problems)
        method = record.setup.down_method
        return [entries.EquipmentDown(reason="link-lost", method=method, words=self.words, by=by.name)]


@command("tables/enter-counts", roles=roles.FLOOR, approvers=roles.APPROVERS, pin=True)
class EnterCounts(Command):
    """Enter counts of rounds that were played by hand: by wager and seat how many."""

    table: Name
    rounds: Count
    wagers: Mapping[Name, Mapping[Seat, Count]]
    words: Words

    def describe(self, state: BookState) -> Description:
        """Return the rounds, and by wager how many lay at each seat."""
        rows, total = [], 0
        for wager, by_seat in self.wagers.items():
            total += sum(by_seat.values())
            at_seats = ", ".join(f"seat {seat}: {count}" for seat, count in sorted(by_seat.items()) if count)
            text = f"{counted(sum(by_seat.values()), 'wager')} ({at_seats})"
            rows.append(fact(descriptions.wager_name(state, self.table, wager), text))
        title = f"Enter {counted(self.rounds, 'round')} played by hand at table {self.table}"
        return Description(f"{title}: {counted(total, 'jackpot wager')}", tuple(rows), self.words)

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the rounds counted together (E-09, M-10), and what they add to the jackpots."""
        record = table_of(now.state, self.table)
        refuse([*reason_problems(self.words), *_entry_problems(now.state, record), *self._count_problems(record)])
        wagers = {
            wager: {seat: count for seat, count in by_seat.items() if count} for wager, by_seat in self.wagers.items()
        }
        people = {"words": self.words, "by": by.name, "approved_by": by.approved_by}
        press = ButtonPress(now.at, source="hand")
        return batch_drafts(now.state, record, self.rounds, wagers, press, (), **people)

    def _count_problems(self, record: TableRecord) -> list[str]:
        problems, rounds = [], self.rounds
        if type(rounds) is not int or not 1 <= rounds <= BATCH_MAX:
            problems.append(f"{rounds!r} rounds: from 1 to {BATCH_MAX} (M-10)")
        for wager, by_seat in self.wagers.items():
            if wager not in record.setup.wagers:
                problems.append(f"{record.setup.title(wager)} is not counted at table {self.table} (E-01)")
            for seat, count in by_seat.items():
                if type(seat) is not int or not 1 <= seat <= record.setup.seats:
                    problems.append(f"seat {seat!r}: a number from 1 to {record.setup.seats} (G-16)")
                elif type(count) is not int or type(rounds) is not int or not 0 <= count <= rounds:
                    title = record.setup.title(wager)
                    problems.append(f"seat {seat} has {count!r} wagers of {title} in {rounds} rounds (E-01)")
        return problems


def _entry_problems(state: BookState, record: TableRecord) -> list[str]:
    problems = _release_problems(record)
    if record.down is not None and record.down.method == "suspend":
        problems.append(f"the jackpots of table {record.table} are suspended while its equipment is down (E-09)")
    elif not record.is_by_hand and f"{RECONCILIATION} {record.table}" not in state.of(TABLES).alarms:
        problems.append(f"table {record.table} is counted by its {record.setup.equipment.title}, not by hand (E-02)")
    return problems


def _release_problems(record: TableRecord) -> list[str]:
    if record.phase == "open":
        return []
    return [f"round {record.on_table} of table {record.table} is on the table: press first (E-02)"]


@command("tables/restore", roles=roles.FLOOR, approvers=roles.OPENERS, pin=True)
class RestoreEquipment(Command):
    """Restore equipment, so that it counts again.

    Rounds played by hand are compared with those entered; a difference raises an alarm (E-09, O-12).
    """

    table: Name
    rounds_played: Count
    words: Words

    def describe(self, state: BookState) -> Description:
        """Return since when it is down, and the rounds of meanwhile."""
        record = descriptions.record_at(state, self.table)
        down = None if record is None else record.down
        rows = [Change("Equipment", "Out of service", "In service")]
        if down is not None:
            rows.append(fact("Out since", f"{moment_words(state, down.since)}: {down.words}"))
            rows.append(fact("Rounds entered meanwhile", f"{down.rounds_entered:,}"))
        rows.append(fact("Rounds played meanwhile", f"{self.rounds_played:,}"))
        return Description(f"Return the equipment of table {self.table} to service", tuple(rows), self.words)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the restoration, with the rounds that were played and entered meanwhile."""
        record, problems = table_of(now.state, self.table), reason_problems(self.words)
        if record.down is None:
            problems.append(f"the equipment of table {self.table} is not down (E-09)")
        problems += _release_problems(record)
        if type(self.rounds_played) is not int or self.rounds_played < 0:
            problems.append(f"{self.rounds_played!r} is no number of rounds (E-09)")
        refuse(problems)
        assert record.down is not None
        return [
            entries.EquipmentRestored(
                rounds_played=self.rounds_played,
                rounds_entered=record.down.rounds_entered,
                words=self.words,
                by=by.name,
                approved_by=by.approved_by,
            )
        ]


@command("tables/lose-link", roles=roles.SYSTEM, is_exposed=False)
class LoseLink(Command):
    """Write down that nothing is heard of a device any more: its table's jackpots are not played meanwhile."""

    device: Name
    words: Words

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the lost line, at the table of the device (T-09)."""
        device = now.state.of(TABLES).devices.get(self.device)
        if device is None:
            refuse([f"there is no device {self.device!r} (T-09)"])
        assert device is not None
        refuse([f"the line of {self.device} is lost already (T-09)"] if device.lost else reason_problems(self.words))
        return [Draft(entries.LinkLost(device=self.device, words=self.words), table=device.table)]


@command("tables/give-up", roles=roles.FLOOR, approvers=roles.OPENERS, pin=True)
class GiveUpMessages(Command):
    """Write off messages of a device that will never come, up to this number.

    Those after them can be done then (M-10).
    """

    device: Name
    last: Count
    words: Words

    def describe(self, state: BookState) -> Description:
        """Return the messages that are not waited for any more."""
        device = state.of(TABLES).devices.get(self.device)
        table = "" if device is None else f" at table {device.table}"
        first = 1 if device is None else device.sequence + 1
        missing = f"message {first}" if first >= self.last else f"messages {first} to {self.last}"
        title = f"Write off {missing} of tabulator {self.device}{table}"
        rows = (fact("What they counted", "is lost: enter those rounds by hand"),)
        return Description(title, rows, self.words)

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the messages that are lost, at the table of the device."""
        device, problems = now.state.of(TABLES).devices.get(self.device), reason_problems(self.words)
        if device is None:
            problems.append(f"there is no device {self.device!r} (T-09)")
        elif type(self.last) is not int or self.last <= device.sequence:
            done = f"the last message of {self.device} that is done is {device.sequence}"
            problems.append(f"{done}, not before {self.last!r} (M-10, G-40)")
        refuse(problems)
        assert device is not None
        lost = entries.SequencesLost(
            device=self.device,
            first=device.sequence + 1,
            last=self.last,
            words=self.words,
            by=by.name,
            approved_by=by.approved_by,
        )
        return [Draft(lost, table=device.table)]


@command("tables/read-counter", roles=roles.TABLE, pin=True)
class ReadCounter(Command):
    """Record what a non-resettable counter shows, for the shift."""

    table: Name
    reading: Count
    rolled_over: bool = False
    replaced: bool = False
    words: Words = ""

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the reading, beside what the books have counted: it never falls (M-11)."""
        record, shift = table_of(now.state, self.table), shift_at(now.state, now.at)
        problems = [] if shift is not None else ["the room has no shifts yet: set them first (O-07)"]
        refuse([*problems, *self._reading_problems(record)])
        assert shift is not None
        return [
            entries.CounterRead(
                day=shift.day.isoformat(),
                shift=shift.name,
                reading=self.reading,
                counted=record.counter,
                by=by.name,
                rolled_over=self.rolled_over,
                replaced=self.replaced,
                words=self.words,
            )
        ]

    def _reading_problems(self, record: TableRecord) -> list[str]:
        model, digits, last, reading = record.setup.equipment, record.setup.counter_digits, record.reading, self.reading
        if not model.counter:
            return [f"{model.title} has no counter that is read by hand ({model.source.id})"]
        if type(reading) is not int or reading < 0 or (digits is not None and reading >= 10**digits):
            return [f"{reading!r} is no reading of a counter with {digits or 'any'} digits (M-11)"]
        problems = reason_problems(self.words) if self.replaced or self.rolled_over else []
        if self.rolled_over and (digits is None or last is None or reading >= last.reading):
            problems.append("a counter rolls over only at the width that is declared for it (M-11)")
        if last is not None and reading < last.reading and not self.rolled_over and not self.replaced:
            fall = f"{reading} is below {last.reading}, read on {last.day} in shift {last.shift}"
            problems.append(f"{fall}: a counter never falls; read it again, or say that it was replaced (M-11)")
        return problems


@command("tables/clear-alarm", roles=roles.FLOOR, pin=True)
class ClearAlarm(Command):
    """Resolve an alert, with what was found."""

    alarm: Name
    words: Words

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the clearing, at the table of the alarm (M-07)."""
        alarms, problems = now.state.of(TABLES).alarms, reason_problems(self.words)
        if self.alarm not in alarms:
            problems.append(f"there is no alarm {self.alarm!r}; there are: {', '.join(alarms) or 'none'} (M-07)")
        elif is_same_person(alarms[self.alarm].by, by.name):
            problems.append(f"{by.name} does not confirm their own correction (G-39)")
        refuse(problems)
        cleared = entries.AlarmCleared(alarm=self.alarm, words=self.words, by=by.name)
        return [Draft(cleared, table=alarms[self.alarm].table)]
