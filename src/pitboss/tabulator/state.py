"""The tables of a room as a fold over the journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pitboss.books import BookState, Entry, Movement, Payload, Projection, Run
from pitboss.jackpot.state import seat_counts
from pitboss.tabulator import entries
from pitboss.tabulator.alarms import raised, reading_alarm, restored_alarm, sensor_alarms, skew_alarm
from pitboss.tabulator.said import Said, plain, read_as
from pitboss.tabulator.sensors import pressed_sensors, with_disagreement
from pitboss.tabulator.values import (
    CountedRound,
    DeviceRecord,
    Down,
    Malfunction,
    Phase,
    Reading,
    RoomTables,
    TableRecord,
)

ROUNDS_KEPT = 50
"""So many rounds of a table can be corrected or made void by their number."""


def _counted(
    counts: Mapping[str, Mapping[str, int]], more: Mapping[str, tuple[tuple[int, int], ...]]
) -> Mapping[str, Mapping[str, int]]:
    after = dict(counts)
    for wager, pairs in more.items():
        seats = dict(after.get(wager, ()))
        for seat, wagers in pairs:
            seats[str(seat)] = seats.get(str(seat), 0) + wagers
        after[wager] = seats
    return after


def _kept(table: TableRecord, made: CountedRound) -> tuple[CountedRound, ...]:
    return (*table.rounds[1 - ROUNDS_KEPT :], made)


def _ones(counted: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[tuple[int, int], ...]]:
    return {wager: tuple((seat, 1) for seat in seats) for wager, seats in counted.items()}


def _total(counted: Mapping[str, tuple[tuple[int, int], ...]]) -> int:
    return sum(wagers for pairs in counted.values() for _, wagers in pairs)


def _tabulated(table: TableRecord, entry: Entry, value: entries.RoundTabulated) -> TableRecord:
    counted = _ones(value.counted)
    made = CountedRound(
        value.round,
        entry.sequence,
        entry.happened,
        value.dealer,
        value.source,
        value.counted,
        persons=value.persons,
        commands=(entry.command,),
    )
    before, after = table.down, _at_phase(table, value.source, "tabulated", value.round)
    down = after.down
    if down is not None and value.source != "device":
        down = down._replace(rounds_entered=down.rounds_entered + 1)
    return after._replace(
        round=value.round,
        pressed=entry.happened if value.at is None else value.at,
        lights=value.lights if before is None or value.source != "device" else table.lights,
        rounds=_kept(table, made),
        rounds_counted=table.rounds_counted + 1,
        wagers_counted=table.wagers_counted + _total(counted),
        counts=_counted(table.counts, counted),
        counter=table.counter + (_total(counted) if before is None or value.source == "device" else 0),
        sensors=pressed_sensors(table, value.seen, counts=value.counted) if value.source == "device" else table.sensors,
        down=down,
    )


def _at_phase(table: TableRecord, source: str, phase: Phase, number: int) -> TableRecord:
    """Move the round on; a press from before the equipment went down moves only what the equipment stood at."""
    if source == "device" and table.down is not None:
        return table._replace(down=table.down._replace(device_phase=phase, device_round=number))
    return table._replace(phase=phase, on_table=number)


def _released(table: TableRecord, entry: Entry, value: entries.RoundReleased) -> TableRecord:
    sensors = pressed_sensors(table, value.seen) if value.source == "device" else table.sensors
    pressed = entry.happened if value.at is None else value.at
    after = _at_phase(table, value.source, "open", value.round)
    lights = table.lights if value.source == "device" and table.down is not None else ()
    after = after._replace(pressed=pressed, lights=lights, sensors=sensors)
    return _late(after, value.round, value.late)


def _late(table: TableRecord, number: int, late: tuple[entries.Place, ...]) -> TableRecord:
    def noticed(each: CountedRound) -> CountedRound:
        return each._replace(late=tuple(sorted({*each.late, *late})))

    return _changed_round(table, number, noticed)


def _changed_round(table: TableRecord, number: int, change: Callable[[CountedRound], CountedRound]) -> TableRecord:
    return table._replace(rounds=tuple(change(each) if each.round == number else each for each in table.rounds))


def _batch(table: TableRecord, entry: Entry, value: entries.BatchTabulated) -> TableRecord:
    seats = {wager: tuple(seat for seat, _ in pairs) for wager, pairs in value.counted.items()}
    made = CountedRound(
        value.round,
        entry.sequence,
        entry.happened,
        value.dealer,
        value.source,
        seats,
        rounds=value.rounds,
        commands=(entry.command,),
    )
    after = table
    for _, seen in value.seen:
        after = after._replace(sensors=pressed_sensors(after, seen, counts=table.setup.counted(seen)))
    by_hand = value.source == "hand"
    down = table.down
    if by_hand and down is not None:
        down = down._replace(rounds_entered=down.rounds_entered + value.rounds)
    return after._replace(
        round=value.round,
        pressed=None if by_hand else entry.happened,
        rounds=_kept(table, made),
        rounds_counted=table.rounds_counted + value.rounds,
        wagers_counted=table.wagers_counted + _total(value.counted),
        counts=_counted(table.counts, value.counted),
        counter=table.counter + (0 if by_hand else _total(value.counted)),
        down=down,
    )


def _corrected(table: TableRecord, entry: Entry, value: entries.RoundCorrected) -> TableRecord:
    def change(each: CountedRound) -> CountedRound:
        if each.rounds > 1:
            # The seats of a batch are not known round by round: its counts alone are put right.
            return each
        there = set(each.counted.get(value.wager, ()))
        if value.cause == "missed":
            counted = {**each.counted, value.wager: tuple(sorted(there | set(value.seats)))}
            return each._replace(counted=counted, commands=(*each.commands, entry.command))
        gone = tuple(sorted({*each.removed.get(value.wager, ()), *value.seats}))
        left = tuple(sorted(there - set(value.seats)))
        return each._replace(counted={**each.counted, value.wager: left}, removed={**each.removed, value.wager: gone})

    after = _changed_round(table, value.round, change)
    pairs = _ones({value.wager: value.seats})
    if value.cause == "missed":
        more = len(value.seats)
        after = after._replace(counts=_counted(after.counts, pairs), wagers_counted=after.wagers_counted + more)
    elif value.cause == "miscounted":
        after = after._replace(reversed=_counted(after.reversed, pairs))
    return after if value.cause == "refunded" else with_disagreement(after, value)


def _voided(table: TableRecord, _: Entry, value: entries.RoundVoided) -> TableRecord:
    return _changed_round(table, value.round, lambda each: each._replace(voided=True))


def _opened(table: TableRecord, _: Entry, value: entries.TableOpened) -> TableRecord:
    due = [setup for since, setup in table.prepared if since <= value.day]
    left = tuple(each for each in table.prepared if each[0] > value.day)
    setup = due[-1] if due else table.setup
    return table._replace(setup=setup, prepared=left, life="open", phase="open", lights=(), persons=(), pressed=None)


def _closed(table: TableRecord, _: Entry, __: entries.TableClosed) -> TableRecord:
    return table._replace(life="closed", dealer="", persons=(), lights=(), phase="open")


def _down(table: TableRecord, entry: Entry, value: entries.EquipmentDown) -> TableRecord:
    down = Down(entry.happened, entry.sequence, value.reason, value.method, value.words, 0, table.phase, table.on_table)
    return table._replace(down=down, phase="open", lights=())


def _restored(table: TableRecord, _: Entry, __: entries.EquipmentRestored) -> TableRecord:
    return table._replace(down=None, phase="open", lights=(), pressed=None)


def _read_counter(table: TableRecord, entry: Entry, value: entries.CounterRead) -> TableRecord:
    made = Reading(entry.sequence, value.day, value.shift, value.reading, value.counted, value.by)
    return table._replace(reading=made)


_TABLE_FOLDS: dict[type, Callable[[TableRecord, Entry, Any], TableRecord]] = {
    entries.RoundTabulated: _tabulated,
    entries.RoundReleased: _released,
    entries.LateNoticed: lambda table, _, value: _late(table, value.round, value.late),
    entries.BatchTabulated: _batch,
    entries.RoundCorrected: _corrected,
    entries.RoundVoided: _voided,
    entries.TableOpened: _opened,
    entries.TableClosed: _closed,
    entries.JackpotsSuspended: lambda table, _, __: table._replace(life="suspended"),
    entries.JackpotsResumed: lambda table, _, __: table._replace(life="open"),
    entries.DealerChanged: lambda table, _, value: table._replace(dealer=value.dealer),
    entries.SeatsMarked: lambda table, _, value: table._replace(persons=value.persons),
    entries.EquipmentDown: _down,
    entries.EquipmentRestored: _restored,
    entries.CounterRead: _read_counter,
}


_COUNTING = (entries.RoundTabulated, entries.BatchTabulated, entries.RoundCorrected, entries.RoundVoided)
"""Entries whose command may count wagers, or take them back."""


def _set_up(room: RoomTables, value: entries.TableSetUp) -> RoomTables:
    setup, before = value.setup, room.tables.get(value.setup.table)
    if value.since and before is not None:
        prepared = sorted(
            [*(each for each in before.prepared if each[0] != value.since), (value.since, setup)],
            key=lambda each: each[0],
        )
        made = before._replace(prepared=tuple(prepared))
    else:
        stood = room.strangers.get(setup.table, {})
        made = TableRecord(setup, before=stood) if before is None else before._replace(setup=setup)
    devices = room.devices
    if setup.device:
        known = devices.get(setup.device, DeviceRecord(setup.device, setup.table))
        devices = {**devices, setup.device: known._replace(table=setup.table)}
    return room._replace(tables={**room.tables, setup.table: made}, devices=devices)


def _heard(room: RoomTables, entry: Entry, value: Any) -> RoomTables:
    """Follow the messages of a device: the last one that is done, and whether it is heard."""
    record = room.devices[value.device]
    if isinstance(value, entries.LinkLost | entries.LinkFound):
        record = record._replace(lost=isinstance(value, entries.LinkLost), since=entry.happened)
    elif isinstance(value, entries.SequencesLost):
        record = record._replace(sequence=value.last)
    else:
        refused = record.refused + isinstance(value, entries.MessageRefused)
        record = record._replace(sequence=value.device_sequence, refused=refused)
    return room._replace(devices={**room.devices, value.device: record})


def _malfunction(room: RoomTables, entry: Entry, value: Any) -> RoomTables:
    found = dict(room.malfunctions)
    if isinstance(value, entries.MalfunctionKnown):
        made = Malfunction(entry.sequence, entry.table, value.known, value.due, value.words, value.by, value.place)
        found[str(entry.sequence)] = made
    else:
        key = str(value.malfunction)
        if isinstance(value, entries.MalfunctionReported):
            found[key] = found[key]._replace(reported=value.reported, reference=value.reference)
        else:
            found[key] = found[key]._replace(mended=True)
        if found[key].mended and found[key].reported is not None:
            del found[key]
    return room._replace(malfunctions=found)


def _cleared(room: RoomTables, value: entries.AlarmCleared) -> RoomTables:
    alarm = room.alarms[value.alarm]
    left = {key: each for key, each in room.alarms.items() if key != value.alarm}
    table = room.tables.get(alarm.table)
    if table is None or alarm.kind not in ("silent", "stuck", "disagreeing"):
        return room._replace(alarms=left)
    place = value.alarm.rpartition(" ")[2]
    sensor = table.sensors[place]._replace(silent=0, lit=0, disagreed=())
    after = table._replace(sensors={**table.sensors, place: sensor})
    return room._replace(alarms=left, tables={**room.tables, alarm.table: after})


def _stranger(room: RoomTables, entry: Entry, value: Movement) -> RoomTables:
    """Follow what is counted at a table that is not set up, so that it adds up when it is."""
    if not _is_stranger(room, entry, value):
        return room
    seats = dict(room.strangers.get(entry.table, ()))
    _count_stranger(seats, value)
    return room._replace(strangers={**room.strangers, entry.table: seats})


def _is_stranger(room: RoomTables, entry: Entry, value: Movement) -> bool:
    return entry.table not in room.tables and value.kind in ("wagers-counted", "count-corrected")


def _count_stranger(seats: dict[str, int], value: Movement) -> None:
    """Count at the seats of a table, which nobody else has seen."""
    sign = 1 if value.kind == "wagers-counted" else -1
    for seat, wagers in seat_counts(value).items():
        seats[seat] = seats.get(seat, 0) + sign * wagers


def _fold_run(room: RoomTables, run: Run) -> RoomTables:
    """Fold entries that follow each other, copying the seats of a table that is not set up once."""
    copied: dict[str, dict[str, int]] = {}
    for entry, value in run:
        if not isinstance(value, Movement):
            room, copied = _fold(_with_strangers(room, copied), entry, value), {}
        elif _is_stranger(room, entry, value):
            seats = copied.get(entry.table)
            if seats is None:
                seats = copied[entry.table] = dict(room.strangers.get(entry.table, ()))
            _count_stranger(seats, value)
    return _with_strangers(room, copied)


def _with_strangers(room: RoomTables, copied: dict[str, dict[str, int]]) -> RoomTables:
    return room._replace(strangers={**room.strangers, **copied}) if copied else room


def _fold(room: RoomTables, entry: Entry, value: Payload) -> RoomTables:
    if isinstance(value, Movement):
        return _stranger(room, entry, value)
    if not isinstance(value, Said):
        return room
    if isinstance(value, entries.TableSetUp):
        return _set_up(room, value)
    if isinstance(value, entries.AlarmCleared):
        return _cleared(room, value)
    if isinstance(value, entries.MalfunctionKnown | entries.MalfunctionReported | entries.MalfunctionMended):
        return _malfunction(room, entry, value)
    after = room
    if getattr(value, "device", ""):
        after = _heard(after, entry, value)
    fold = _TABLE_FOLDS.get(type(value))
    if fold is not None:
        table = fold(after.tables[entry.table], entry, value)
        if isinstance(value, _COUNTING):
            table = table._replace(command=entry.command)
        after = after._replace(tables={**after.tables, entry.table: table})
    return _with_alarms(room, after, entry, value)


def _with_alarms(before: RoomTables, after: RoomTables, entry: Entry, value: Said) -> RoomTables:
    """Raise what an entry gives cause for; an alarm that stands stays as it was raised."""
    table, was = after.tables.get(entry.table), before.tables.get(entry.table)
    found = list(skew_alarm(value))
    if isinstance(value, entries.MessageRefused):
        found.append(("refused", f"device {value.device}", "; ".join(value.problems)))
    elif isinstance(value, entries.FaultTold):
        found.append(("fault", f"device {value.device}", f"{value.code}: {value.words}"))
    elif isinstance(value, entries.LinkLost):
        found.append(("link", f"device {value.device}", value.words))
    elif isinstance(value, entries.SequencesLost):
        told = f"messages {value.first} to {value.last} are lost: {value.words}"
        found.append(("lost", f"device {value.device}", told))
    elif table is not None and was is not None:
        if isinstance(value, entries.EquipmentRestored):
            found += restored_alarm(entry.table, value)
        elif isinstance(value, entries.CounterRead):
            found += reading_alarm(was, value)
        elif isinstance(
            value, entries.RoundTabulated | entries.RoundReleased | entries.BatchTabulated | entries.RoundCorrected
        ):
            found += sensor_alarms(table, was)
    return raised(after, entry, found) if found else after


def _write(room: RoomTables) -> Any:
    return plain(room)


def _read(said_before: Any) -> RoomTables:
    room: RoomTables = read_as(said_before, RoomTables, "tables")
    return room


TABLES: Projection[RoomTables] = Projection(
    name="tables", empty=RoomTables(), fold=_fold, write=_write, read=_read, fold_run=_fold_run
)


def found(state: BookState) -> RoomTables | None:
    """The tables of a state, or nothing where the books were opened without them."""
    part: RoomTables | None = state.parts.get(TABLES.name)
    return part
