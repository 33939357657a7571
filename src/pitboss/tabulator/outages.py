"""What people do about equipment: it is down and restored, its counter is read, malfunctions, alarms, lost lines."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss import law
from pitboss.books import BookState, Draft, Payload
from pitboss.jackpot import Person
from pitboss.jackpot.hits.handling import local_day
from pitboss.tabulator.alarms import RECONCILIATION
from pitboss.tabulator.entries import (
    AlarmCleared,
    CounterRead,
    EquipmentDown,
    EquipmentRestored,
    LinkLost,
    MalfunctionKnown,
    MalfunctionMended,
    MalfunctionReported,
    Place,
    SequencesLost,
)
from pitboss.tabulator.guards import (
    FLOOR,
    Decide,
    approval_problems,
    refuse,
    role_problems,
    shift_at,
    table_of,
    words_problems,
)
from pitboss.tabulator.rounds import BATCH_MAX, Press, batch_drafts
from pitboss.tabulator.state import TABLES
from pitboss.tabulator.values import Malfunction, TableRecord

_HOUR = 60 * 60 * 1_000_000


def _known(state: BookState, table: str, words: str, by: str, known: int, place: Place | None) -> MalfunctionKnown:
    """A malfunction and when it must be reported at the latest (O-02); rooms that are not bound have the same clock."""
    profile = table_of(state, table).setup.profile
    found = law.on(local_day(state, known), profile).get("malfunction_report_within_hours")
    hours = (
        law.on(local_day(state, known), law.PROFILES[0])["malfunction_report_within_hours"] if found is None else found
    )
    return MalfunctionKnown(known=known, due=known + hours.value * _HOUR, words=words, by=by, place=place)


def malfunction_known(table: str, words: str, by: Person, known: int, now: int, place: Place | None = None) -> Decide:
    """Write a malfunction down, with the moment at which somebody knew of it."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        problems = words_problems(words)
        if known > now:
            problems.append("it cannot have been known later than now (O-02)")
        if place is not None and place not in record.setup.by_place:
            problems.append(f"table {table} has no sensor {place[0]}.{place[1]} (E-04)")
        refuse(problems)
        return [Draft(_known(state, table, words, by.name, known, place))]

    return decide


def _open_malfunction(state: BookState, number: int) -> Malfunction:
    found = state.of(TABLES).malfunctions
    if str(number) not in found:
        refuse([f"there is no open malfunction {number!r}; open are: {', '.join(found) or 'none'} (O-02)"])
    return found[str(number)]


def malfunction_reported(number: int, reported: int, reference: str, by: Person, now: int) -> Decide:
    """Write down that a malfunction was reported to the commission (O-02)."""

    def decide(state: BookState) -> list[Draft]:
        found = _open_malfunction(state, number)
        problems = role_problems(by, FLOOR, "a malfunction is reported")
        if found.reported is not None:
            problems.append(f"malfunction {number} was reported already: {found.reference} (O-02)")
        if not reference.strip():
            problems.append("name the reference of the report (O-02)")
        if not found.known <= reported <= now:
            problems.append("it was reported after it was known, and not later than now (O-02)")
        refuse(problems)
        said = MalfunctionReported(malfunction=number, reported=reported, reference=reference, by=by.name)
        return [Draft(said, table=found.table)]

    return decide


def malfunction_mended(number: int, words: str, by: Person) -> Decide:
    """Write down that a malfunction is over."""

    def decide(state: BookState) -> list[Draft]:
        found = _open_malfunction(state, number)
        problems = role_problems(by, FLOOR, "a malfunction is mended") + words_problems(words)
        problems += [f"malfunction {number} is mended already (O-02)"] if found.mended else []
        refuse(problems)
        return [Draft(MalfunctionMended(malfunction=number, words=words, by=by.name), table=found.table)]

    return decide


def down(table: str, words: str, by: Person, known: int, now: int) -> Decide:
    """Take equipment out of play: the configured method is in force, and the malfunction has its clock (E-09, O-02)."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        problems = _down_problems(record, by, words)
        if known > now:
            problems.append("it cannot have been known later than now (O-02)")
        refuse(problems)
        method = record.setup.down_method
        said: list[Payload] = [
            _known(state, table, words, by.name, known, None),
            EquipmentDown(reason="malfunction", method=method, words=words, by=by.name),
        ]
        return [Draft(each) for each in said]

    return decide


def _down_problems(record: TableRecord, by: Person, words: str) -> list[str]:
    problems = role_problems(by, FLOOR, "equipment is taken out of play") + words_problems(words)
    if record.down is not None:
        problems.append(f"the equipment of table {record.table} is down already (E-09)")
    if not record.setup.sensors:
        problems.append(f"table {record.table} has no equipment that could be down (E-09)")
    return problems


def by_hand(table: str, words: str, by: Person) -> Decide:
    """Let a table whose line is lost go on by hand, as a supervisor chooses (T-09, E-09)."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        problems = _down_problems(record, by, words)
        device = state.of(TABLES).devices.get(record.setup.device)
        if device is None or not device.lost:
            problems.append(f"the line of table {table} is not lost: its presses are counted (T-09)")
        refuse(problems)
        return [Draft(EquipmentDown(reason="link-lost", method="on-the-spot", words=words, by=by.name))]

    return decide


def counts_entered(
    table: str,
    rounds: int,
    wagers: Mapping[str, Mapping[int, int]],
    words: str,
    by: Person,
    approved_by: str,
    now: int,
) -> Decide:
    """Enter counts of rounds that were played by hand, together: by wager and seat how many (E-09, M-10)."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        problems = role_problems(by, FLOOR, "counts are entered") + words_problems(words)
        problems += approval_problems(by.name, approved_by, "counts are entered")
        problems += _entering_problems(state, record)
        if type(rounds) is not int or not 1 <= rounds <= BATCH_MAX:
            problems.append(f"{rounds!r} rounds: from 1 to {BATCH_MAX} (M-10)")
        for wager, by_seat in wagers.items():
            if wager not in record.setup.wagers:
                problems.append(f"{wager!r} is not counted at table {table} (E-01)")
            for seat, number in by_seat.items():
                if type(seat) is not int or not 1 <= seat <= record.setup.seats:
                    problems.append(f"seat {seat!r}: a number from 1 to {record.setup.seats} (G-16)")
                elif type(number) is not int or type(rounds) is not int or not 0 <= number <= rounds:
                    problems.append(f"seat {seat} has {number!r} wagers of {wager} in {rounds} rounds (E-01)")
        refuse(problems)
        there = {wager: {seat: n for seat, n in by_seat.items() if n} for wager, by_seat in wagers.items()}
        press = Press(now, source="hand")
        return batch_drafts(state, record, rounds, there, press, words=words, by=by.name, approved_by=approved_by)

    return decide


def _entering_problems(state: BookState, record: TableRecord) -> list[str]:
    problems = []
    if record.phase != "open":
        problems.append(f"round {record.on_table} of table {record.table} is on the table: press first (E-02)")
    if record.down is not None and record.down.method == "suspend":
        problems.append(f"the jackpots of table {record.table} are suspended while its equipment is down (E-09)")
    elif not record.is_by_hand and f"{RECONCILIATION} {record.table}" not in state.of(TABLES).alarms:
        problems.append(f"table {record.table} is counted by its {record.setup.equipment.title}, not by hand (E-02)")
    return problems


def restored(table: str, rounds_played: int, words: str, by: Person, approved_by: str) -> Decide:
    """Let equipment count again; rounds played by hand are compared with those entered (E-09, O-12)."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        problems = role_problems(by, FLOOR, "equipment is restored") + words_problems(words)
        problems += approval_problems(by.name, approved_by, "equipment is restored")
        if record.down is None:
            problems.append(f"the equipment of table {table} is not down (E-09)")
        if record.phase != "open":
            problems.append(f"round {record.on_table} of table {table} is on the table: press first (E-02)")
        if type(rounds_played) is not int or rounds_played < 0:
            problems.append(f"{rounds_played!r} is no number of rounds (E-09)")
        refuse(problems)
        assert record.down is not None
        entered = record.down.rounds_entered
        said = EquipmentRestored(
            rounds_played=rounds_played, rounds_entered=entered, words=words, by=by.name, approved_by=approved_by
        )
        return [Draft(said)]

    return decide


def link_lost(device: str, words: str) -> Decide:
    """Write down that nothing is heard of a device any more (T-09)."""

    def decide(state: BookState) -> list[Draft]:
        found = state.of(TABLES).devices.get(device)
        if found is None:
            refuse([f"there is no device {device!r} (T-09)"])
        assert found is not None
        refuse([f"the line of {device} is lost already (T-09)"] if found.lost else words_problems(words))
        return [Draft(LinkLost(device=device, words=words), table=found.table)]

    return decide


def sequences_lost(device: str, last: int, words: str, by: Person, approved_by: str) -> Decide:
    """Say that messages of a device up to this number will never come, so that those after them can (M-10)."""

    def decide(state: BookState) -> list[Draft]:
        found = state.of(TABLES).devices.get(device)
        problems = role_problems(by, FLOOR, "messages are given up") + words_problems(words)
        problems += approval_problems(by.name, approved_by, "messages are given up")
        if found is None:
            problems.append(f"there is no device {device!r} (T-09)")
        elif type(last) is not int or last <= found.sequence:
            problems.append(
                f"the last message of {device} that is done is {found.sequence}, not before {last!r} (M-10)"
            )
        refuse(problems)
        assert found is not None
        first = found.sequence + 1
        said = SequencesLost(device=device, first=first, last=last, words=words, by=by.name, approved_by=approved_by)
        return [Draft(said, table=found.table)]

    return decide


def counter_read(
    table: str,
    reading: int,
    by: Person,
    now: int,
    *,
    rolled_over: bool = False,
    replaced: bool = False,
    words: str = "",
) -> Decide:
    """Write the reading of a non-resettable counter down: it never falls (M-11)."""

    def decide(state: BookState) -> list[Draft]:
        record, shift = table_of(state, table), shift_at(state, now)
        problems = role_problems(by, ("dealer", *FLOOR), "a counter is read")
        problems += [] if shift is not None else ["the room has no shifts yet: set them first (O-07)"]
        problems += _reading_problems(record, reading, rolled_over, replaced, words)
        refuse(problems)
        assert shift is not None
        said = CounterRead(
            day=shift.day.isoformat(),
            shift=shift.name,
            reading=reading,
            counted=record.counter,
            by=by.name,
            rolled_over=rolled_over,
            replaced=replaced,
            words=words,
        )
        return [Draft(said)]

    return decide


def _reading_problems(record: TableRecord, reading: int, rolled_over: bool, replaced: bool, words: str) -> list[str]:
    model, digits, last = record.setup.equipment, record.setup.counter_digits, record.reading
    if not model.counter:
        return [f"{model.title} has no counter that is read by hand ({model.source.id})"]
    if type(reading) is not int or reading < 0 or (digits is not None and reading >= 10**digits):
        return [f"{reading!r} is no reading of a counter with {digits or 'any'} digits (M-11)"]
    problems = words_problems(words) if replaced or rolled_over else []
    if rolled_over and (digits is None or last is None or reading >= last.reading):
        problems.append("a counter rolls over only at the width that is declared for it (M-11)")
    if last is not None and reading < last.reading and not rolled_over and not replaced:
        told = f"{reading} is below {last.reading}, read on {last.day} in shift {last.shift}"
        problems.append(f"{told}: a counter never falls; read it again, or say that it was replaced (M-11)")
    return problems


def alarm_cleared(key: str, words: str, by: Person) -> Decide:
    """Write down that somebody has looked at an alarm, and what he found."""

    def decide(state: BookState) -> list[Draft]:
        found = state.of(TABLES).alarms
        problems = role_problems(by, FLOOR, "an alarm is cleared") + words_problems(words)
        if key not in found:
            problems.append(f"there is no alarm {key!r}; there are: {', '.join(found) or 'none'} (M-07)")
        refuse(problems)
        return [Draft(AlarmCleared(alarm=key, words=words, by=by.name), table=found[key].table)]

    return decide
