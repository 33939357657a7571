"""The tables of a room as a fold over the journal, and what commands read of a state."""

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from pitboss.books import (
    ROOM,
    BookState,
    Entry,
    Instant,
    Movement,
    Payload,
    Projection,
    RefusedError,
    Run,
    Shift,
    kinds_of,
)
from pitboss.games import find_game
from pitboss.jackpot.definitions import RoundSeatsNamed
from pitboss.jackpot.state import JACKPOTS, JackpotRecord, seat_counts
from pitboss.tabulator import entries, values
from pitboss.tabulator.setup import Sensor
from pitboss.tabulator.values import CountedRound, RoomTables, RoundPhase, TableRecord, place_text

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
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


def _last_rounds(table: TableRecord, counted_round: CountedRound) -> tuple[CountedRound, ...]:
    return (*table.rounds[1 - ROUNDS_KEPT :], counted_round)


def _ones(counted: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[tuple[int, int], ...]]:
    return {wager: tuple((seat, 1) for seat in seats) for wager, seats in counted.items()}


def _total(counted: Mapping[str, tuple[tuple[int, int], ...]]) -> int:
    return sum(wagers for pairs in counted.values() for _, wagers in pairs)


def _tabulated(table: TableRecord, entry: Entry, value: entries.RoundTabulated) -> TableRecord:
    counted = _ones(value.counted)
    counted_round = CountedRound(
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
    down, sensors = after.down, table.sensors
    if value.source == "panel":
        after = after._replace(stated=(*table.stated, value.round))
    elif value.source == "device":
        sensors = _pressed_sensors(table, value.seen, counts=value.counted)
    elif down is not None:
        down = down._replace(rounds_entered=down.rounds_entered + 1)
    return after._replace(
        round=value.round,
        pressed=table.pressed if value.source == "panel" else entry.happened if value.at is None else value.at,
        lights=value.lights
        if value.source != "panel" and (before is None or value.source != "device")
        else table.lights,
        rounds=_last_rounds(table, counted_round),
        rounds_counted=table.rounds_counted + 1,
        wagers_counted=table.wagers_counted + _total(counted),
        counts=_counted(table.counts, counted),
        counter=table.counter + (_total(counted) if before is None or value.source == "device" else 0),
        sensors=sensors,
        down=down,
    )


def _at_phase(table: TableRecord, source: entries.Source, phase: RoundPhase, number: int) -> TableRecord:
    """Move the round on; a press from before the equipment went down moves only what the equipment stood at."""
    if source == "panel":
        return table
    if source == "device" and table.down is not None:
        return table._replace(down=table.down._replace(device_phase=phase, device_round=number))
    return table._replace(phase=phase, on_table=number)


def _released(table: TableRecord, entry: Entry, value: entries.RoundReleased) -> TableRecord:
    sensors = _pressed_sensors(table, value.seen) if value.source == "device" else table.sensors
    pressed = entry.happened if value.at is None else value.at
    after = _at_phase(table, value.source, "open", value.round)
    lights = table.lights if value.source == "device" and table.down is not None else ()
    after = after._replace(pressed=pressed, lights=lights, sensors=sensors)
    return _late(after, value.round, value.late)


def _late(table: TableRecord, number: int, late: tuple[entries.Place, ...]) -> TableRecord:
    return _changed_round(table, number, lambda counted: counted._replace(late=tuple(sorted({*counted.late, *late}))))


def _changed_round(table: TableRecord, number: int, change: Callable[[CountedRound], CountedRound]) -> TableRecord:
    rounds = (change(counted) if counted.holds(number) else counted for counted in table.rounds)
    return table._replace(rounds=tuple(rounds))


def _batch(table: TableRecord, entry: Entry, value: entries.BatchTabulated) -> TableRecord:
    seats = {wager: tuple(seat for seat, _ in pairs) for wager, pairs in value.counted.items()}
    counted_round = CountedRound(
        value.round,
        entry.sequence,
        entry.happened,
        value.dealer,
        value.source,
        seats,
        rounds=value.rounds,
        commands=(entry.command,),
        by_round=tuple(_named_seats(table, value, seen) for _, seen in value.seen) if value.rounds > 1 else (),
        totals={} if value.seen or value.rounds == 1 else _counted({}, value.counted),
    )
    after = table
    for _, seen in value.seen:
        after = after._replace(sensors=_pressed_sensors(after, seen, counts=table.setup.counted(seen)))
    by_hand = value.source == "hand"
    down = table.down
    if by_hand and down is not None:
        down = down._replace(rounds_entered=down.rounds_entered + value.rounds)
    return after._replace(
        round=value.round,
        pressed=None if by_hand else entry.happened,
        rounds=_last_rounds(table, counted_round),
        rounds_counted=table.rounds_counted + value.rounds,
        wagers_counted=table.wagers_counted + _total(value.counted),
        counts=_counted(table.counts, value.counted),
        counter=table.counter + (0 if by_hand else _total(value.counted)),
        down=down,
    )


def _confirmed(table: TableRecord, __: Entry, value: entries.LightsConfirmed) -> TableRecord:
    numbers = {*value.missing, *(number for number, _, _ in value.confirmed)}
    after = table._replace(stated=tuple(number for number in table.stated if number not in numbers))
    for _, _, seen in value.confirmed:
        after = after._replace(sensors=_pressed_sensors(after, seen, counts=table.setup.counted(seen)))
    return after


def _named_seats(
    table: TableRecord, value: entries.BatchTabulated, seen: tuple[entries.Place, ...]
) -> dict[str, tuple[int, ...]]:
    """Return the seats of one round of a batch by wager, of those that were counted."""
    counted = table.setup.counted(seen)
    return {wager: tuple(sorted(counted.get(wager, ()))) for wager in value.counted}


def _corrected(table: TableRecord, entry: Entry, value: entries.RoundCorrected) -> TableRecord:
    def change(before: CountedRound) -> CountedRound:
        if before.rounds > 1:
            return before.without(value.round, value.wager, value.seats)
        wager, seats = value.wager, set(before.counted.get(value.wager, ()))
        if value.cause == "missed":
            counted = {**before.counted, wager: tuple(sorted(seats | set(value.seats)))}
            return before._replace(counted=counted, commands=(*before.commands, entry.command))
        removed = tuple(sorted({*before.removed.get(wager, ()), *value.seats}))
        left = tuple(sorted(seats - set(value.seats)))
        return before._replace(counted={**before.counted, wager: left}, removed={**before.removed, wager: removed})

    after = _changed_round(table, value.round, change)
    pairs = _ones({value.wager: value.seats})
    if value.cause == "missed":
        more = len(value.seats)
        after = after._replace(counts=_counted(after.counts, pairs), wagers_counted=after.wagers_counted + more)
    elif value.cause == "miscounted":
        after = after._replace(reversed=_counted(after.reversed, pairs))
    return after if value.cause == "refunded" else _with_disagreement(after, value)


def _voided(table: TableRecord, _: Entry, value: entries.RoundVoided) -> TableRecord:
    after = _changed_round(
        table,
        value.round,
        lambda counted: counted if counted.rounds > 1 else counted._replace(voided=True, items=value.items),
    )
    return after._replace(void_rounds=(*table.void_rounds, value.round)) if value.open_hits else after


def _opened(table: TableRecord, _: Entry, value: entries.TableOpened) -> TableRecord:
    setup, later = table.setup_on(value.day), tuple(change for change in table.prepared if change[0] > value.day)
    return table._replace(setup=setup, prepared=later, life="open", phase="open", lights=(), persons=())


def _closed(table: TableRecord, _: Entry, __: entries.TableClosed) -> TableRecord:
    return table._replace(life="closed", dealer="", persons=(), lights=(), phase="open")


def _down(table: TableRecord, entry: Entry, value: entries.EquipmentDown) -> TableRecord:
    down = values.Down(
        entry.happened, entry.sequence, value.reason, value.method, value.words, 0, table.phase, table.on_table
    )
    return table._replace(down=down, phase="open", lights=())


def _restored(table: TableRecord, _: Entry, __: entries.EquipmentRestored) -> TableRecord:
    return table._replace(down=None, phase="open", lights=())


def _read_counter(table: TableRecord, entry: Entry, value: entries.CounterRead) -> TableRecord:
    reading = values.CounterReading(entry.sequence, value.day, value.shift, value.reading, value.counted, value.by)
    return table._replace(reading=reading)


_TABLE_FOLDS: dict[type, Callable[[TableRecord, Entry, Any], TableRecord]] = {
    entries.RoundTabulated: _tabulated,
    entries.RoundReleased: _released,
    entries.LateNoticed: lambda table, _, value: _late(table, value.round, value.late),
    entries.BatchTabulated: _batch,
    entries.RoundCorrected: _corrected,
    entries.RoundVoided: _voided,
    entries.TableOpened: _opened,
    entries.TableClosed: _closed,
    entries.JackpotsSuspended: lambda table, entry, __: table._replace(life="suspended", suspended=entry.happened),
    entries.JackpotsResumed: lambda table, _, __: table._replace(life="open", suspended=None),
    entries.DealerChanged: lambda table, _, value: table._replace(dealer=value.dealer),
    entries.SeatsMarked: lambda table, _, value: table._replace(persons=value.persons),
    entries.EquipmentDown: _down,
    entries.EquipmentRestored: _restored,
    entries.CounterRead: _read_counter,
    entries.LightsConfirmed: _confirmed,
    RoundSeatsNamed: lambda table, _, value: _changed_round(
        table, value.round, lambda counted: counted._replace(named={**counted.named, str(value.round): value.wagers})
    ),
}


_COUNTING = (entries.RoundTabulated, entries.BatchTabulated, entries.RoundCorrected, entries.RoundVoided)
"""Entries whose command may count wagers, or take them back."""


def _set_up(room: RoomTables, value: entries.TableSetUp) -> RoomTables:
    setup, before = value.setup, room.tables.get(value.setup.table)
    if value.since and before is not None:
        prepared = {**dict(before.prepared), value.since: setup}
        table = before._replace(prepared=tuple(sorted(prepared.items(), key=lambda change: change[0])))
    elif before is not None:
        table = before._replace(setup=setup)
    else:
        table = TableRecord(setup, before=room.strangers.get(setup.table, {}))
    devices = room.devices
    if setup.device:
        device = devices.get(setup.device, values.DeviceRecord(setup.device, setup.table))
        devices = {**devices, setup.device: device._replace(table=setup.table)}
    return room._replace(tables={**room.tables, setup.table: table}, devices=devices)


def _heard(room: RoomTables, entry: Entry, value: Any) -> RoomTables:
    """Fold a message of a device: the last one that is done, and whether it is heard."""
    record = room.devices[value.device]
    if isinstance(value, entries.LinkLost | entries.LinkFound):
        record = record._replace(lost=isinstance(value, entries.LinkLost), since=entry.happened)
    elif isinstance(value, entries.SequencesLost):
        record = record._replace(sequence=value.last)
    else:
        refused = record.refused + isinstance(value, entries.MessageRefused)
        record = record._replace(sequence=max(record.sequence, value.device_sequence), refused=refused)
    return room._replace(devices={**room.devices, value.device: record})


def _malfunction(room: RoomTables, entry: Entry, value: Any) -> RoomTables:
    if isinstance(value, entries.MalfunctionKnown):
        malfunction = values.Malfunction(
            entry.sequence, entry.table, value.known, value.due, value.words, value.by, value.place
        )
    elif isinstance(value, entries.MalfunctionReported):
        before = room.malfunctions[str(value.malfunction)]
        malfunction = before._replace(reported=value.reported, reference=value.reference)
    else:
        malfunction = room.malfunctions[str(value.malfunction)]._replace(mended=True)
    malfunctions = {**room.malfunctions, str(malfunction.number): malfunction}
    if malfunction.mended and malfunction.reported is not None:
        del malfunctions[str(malfunction.number)]
    return room._replace(malfunctions=malfunctions)


def _cleared(room: RoomTables, value: entries.AlarmCleared) -> RoomTables:
    alarm = room.alarms[value.alarm]
    left = {key: other for key, other in room.alarms.items() if key != value.alarm}
    table = room.tables.get(alarm.table)
    if table is None or alarm.kind not in ("silent", "stuck", "disagreeing"):
        return room._replace(alarms=left)
    place = value.alarm.rpartition(" ")[2]
    sensor = table.sensors[place]._replace(silent=0, lit=0, disagreed=())
    after = table._replace(sensors={**table.sensors, place: sensor})
    return room._replace(alarms=left, tables={**room.tables, alarm.table: after})


def _stranger(room: RoomTables, entry: Entry, value: Movement) -> RoomTables:
    """Fold what is counted at a table that is not set up, so that it adds up when it is."""
    if not _is_stranger(room, entry, value):
        return room
    seats = dict(room.strangers.get(entry.table, ()))
    _count_stranger(seats, value)
    return room._replace(strangers={**room.strangers, entry.table: seats})


def _is_stranger(room: RoomTables, entry: Entry, value: Movement) -> bool:
    return entry.table not in room.tables and value.kind in _STRANGER_KINDS


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


def _with_alarms(before: RoomTables, after: RoomTables, entry: Entry, value: Payload) -> RoomTables:
    """Raise the alarms that an entry gives cause for; one that stands stays as it was raised."""
    table, was = after.tables.get(entry.table), before.tables.get(entry.table)
    causes = list(_skew_alarm(value))
    if isinstance(value, entries.MessageRefused):
        kind = "twin" if value.twin else "refused"
        causes.append((kind, f"device {value.device}", "; ".join(value.problems)))
    elif isinstance(value, entries.FaultTold):
        causes.append(("fault", f"device {value.device}", f"{value.code}: {value.words}"))
    elif isinstance(value, entries.LinkLost):
        causes.append(("link", f"device {value.device}", value.words))
    elif isinstance(value, entries.SequencesLost):
        lost = f"messages {value.first} to {value.last} are lost: {value.words}"
        causes.append(("lost", f"device {value.device}", lost))
    elif table is not None and was is not None:
        if isinstance(value, entries.EquipmentRestored):
            causes += _restored_alarm(entry.table, value)
        elif isinstance(value, entries.CounterRead):
            causes += _reading_alarm(was, value)
        elif isinstance(value, entries.LightsConfirmed):
            causes += _logger_alarms(was, value)
        elif isinstance(
            value, entries.RoundTabulated | entries.RoundReleased | entries.BatchTabulated | entries.RoundCorrected
        ):
            causes += _sensor_alarms(table, was)
        if isinstance(value, entries.RoundCorrected) and value.to_confirm:
            alarm = correction_alarm(entry, value, was.setup.title(value.wager))
            after = after._replace(alarms={**after.alarms, alarm.key: alarm})
    return _raised(after, entry, causes) if causes else after


# Sensors and alarms.

RECONCILIATION = "reconciliation"
"""The kind of alarm that stands until counts entered by hand are those that were played."""
CORRECTION = "correction"
"""The kind of alarm that stands until a count that one person took off a meter is confirmed by another (G-39)."""
Cause: TypeAlias = tuple[str, str, str]
"""The kind of an alarm, what it is about, and its text."""
_DISAGREED_WITHIN = 200
"""Corrections of one sensor count together when they are of so many rounds."""
_STUCK_WHERE_IT_STAYS = 40
"""A wager that stays on the layout is seen at many more presses than one that is collected."""


_NEW_SENSOR = values.SensorRecord()


def _pressed_sensors(
    table: TableRecord, seen: Sequence[entries.Place], *, counts: Mapping[str, tuple[int, ...]] | None = None
) -> Mapping[str, values.SensorRecord]:
    """Return every sensor of a table after a press that saw these places; `counts` where it counted a round.

    A sensor is silent in rounds in which another one has counted, so that a table nobody plays at raises no alarm.
    """
    places = set(seen)
    playing = counts is not None and any(counts.values())
    sensors = dict(table.sensors)
    for sensor in table.setup.sensors:
        place = (sensor.position, sensor.number)
        name = place_text(place)
        was = sensors.get(name, _NEW_SENSOR)
        if place in places:
            counted = counts is not None and sensor.position in counts.get(sensor.wager, ())
            sensors[name] = was._replace(counted=was.counted + counted, silent=0, lit=was.lit + 1)
        elif playing or was.lit or name not in sensors:
            sensors[name] = was._replace(silent=was.silent + playing, lit=0)
    return sensors


def _with_disagreement(table: TableRecord, value: entries.RoundCorrected) -> TableRecord:
    """Return a table with a correction put down to the sensors of its seats (F-08)."""
    sensors = dict(table.sensors)
    for seat in value.seats:
        sensor = table.setup.sensor_of(seat, value.wager)
        if sensor is None:
            continue
        place = place_text((sensor.position, sensor.number))
        was = sensors.get(place, values.SensorRecord())
        recent = tuple(number for number in was.disagreed if number > value.round - _DISAGREED_WITHIN)
        sensors[place] = was._replace(
            missed=was.missed + (value.cause == "missed"),
            miscounted=was.miscounted + (value.cause == "miscounted"),
            disagreed=(*recent, value.round),
        )
    return table._replace(sensors=sensors)


def _raised(room: RoomTables, entry: Entry, causes: Sequence[Cause]) -> RoomTables:
    """Return a room with more alarms; one that stands already stays as it is."""
    alarms = dict(room.alarms)
    for kind, about, text in causes:
        key = f"{kind} {about}"
        if key not in alarms:
            alarms[key] = values.Alarm(key, entry.table, kind, text, entry.sequence, entry.happened)
    return room._replace(alarms=alarms)


def _sensor_alarms(table: TableRecord, before: TableRecord) -> Iterator[Cause]:
    """Yield alarms of sensors that were not so before: silent for long, always on, or often corrected (F-08)."""
    for sensor in table.setup.sensors:
        place = place_text((sensor.position, sensor.number))
        now = table.sensors.get(place)
        if now is None or now == before.sensors.get(place):
            continue
        limits = table.setup.limits
        disagreed = len(now.disagreed) >= limits.disagreements
        if not disagreed and now.silent < limits.silent_rounds and now.lit < limits.stuck_presses:
            continue
        name = f"the seat {sensor.position} sensor of {table.setup.title(sensor.wager)}"
        about = f"{table.table} {place}"
        if now.silent >= limits.silent_rounds and sensor.position <= table.setup.seats:
            yield "silent", about, f"{name} has seen no wager in {now.silent} rounds that others were counted in (F-08)"
        if now.lit >= _stuck_limit(table, sensor):
            yield "stuck", about, f"{name} has seen a wager at {now.lit} presses in a row (F-08)"
        if disagreed:
            rounds = ", ".join(map(str, now.disagreed))
            times = f"has been corrected {len(now.disagreed)} times (rounds {rounds})"
            yield "disagreeing", about, f"{name} {times}: have it checked (F-08)"


def _stuck_limit(table: TableRecord, sensor: Sensor) -> int:
    return table.setup.limits.stuck_presses * (
        1 if _is_collected(table.setup.game, sensor.wager) else _STUCK_WHERE_IT_STAYS
    )


@cache
def _is_collected(game: str, wager: str) -> bool:
    return find_game(game).by_name[wager].jackpot


def correction_alarm(entry: Entry, value: entries.RoundCorrected, title: str = "") -> values.Alarm:
    """Return the alarm of a count that one person took off a meter: another confirms it (G-39)."""
    seats = f"seat{'s' if len(value.seats) > 1 else ''} {', '.join(map(str, value.seats))}"
    taken = f"{value.by} took the count of {seats} of {title or value.wager} in round {value.round} off the meter"
    words = f"{taken} ({value.words}): a supervisor confirms it before the shift ends (G-39)"
    key = f"{CORRECTION} {entry.table} {entry.sequence}"
    return values.Alarm(key, entry.table, CORRECTION, words, entry.sequence, entry.happened, value.by)


def _logger_alarms(table: TableRecord, value: entries.LightsConfirmed) -> Iterator[Cause]:
    """Yield an alarm for each stated round that the logger does not know, or knows with other seats (E-05)."""
    for number in value.missing:
        words = f"round {number} of table {table.table} was stated from the panel, and the logger has no such round"
        yield "logger", f"{table.table} {number}", f"{words}: look at the camera (E-05, G-62)"
    for number, _, seen in value.confirmed:
        stated, logged = table.find_round(number), table.setup.counted(seen)
        for wager, seats in logged.items():
            lit = () if stated is None else stated.counted.get(wager, ())
            if stated is not None and not stated.voided and set(lit) != set(seats):
                title = table.setup.title(wager)
                words = (
                    f"round {number} of table {table.table}: the panel was stated with {title} at {_seats_text(lit)}"
                )
                text = f"{words}, the logger has {_seats_text(seats)}: correct it by two people (E-05, G-62, G-11)"
                yield "logger", f"{table.table} {number} {wager}", text


def _seats_text(seats: Sequence[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))}" if seats else "no seat"


def _restored_alarm(table: str, value: entries.EquipmentRestored) -> Iterator[Cause]:
    """Yield an alarm where rounds were played by hand that nobody entered, or the other way round (O-12)."""
    played, entered = value.rounds_played, value.rounds_entered
    if played != entered:
        yield RECONCILIATION, table, f"{played} rounds were played by hand and {entered} entered: {value.words}"


def _reading_alarm(before: TableRecord, value: entries.CounterRead) -> Iterator[Cause]:
    """Yield an alarm for a counter that was replaced, or counted otherwise than the books since its reading (M-11)."""
    last, about = before.reading, before.table
    if value.replaced:
        yield "counter", about, f"the counter of table {about} was replaced: {value.words}"
    elif last is not None:
        more = value.reading - last.reading
        digits = before.setup.counter_digits
        if value.rolled_over and digits is not None:
            more += 10**digits
        counted = value.counted - last.counted
        if more != counted:
            difference = f"the counter of table {about} went on by {more} and {counted} wagers were counted"
            yield "counter", about, f"{difference} since {last.day}, {last.shift}"


def _skew_alarm(value: Any) -> Iterator[Cause]:
    """Yield an alarm for a device whose clock is wrong (M-10)."""
    skew = getattr(value, "skew", 0)
    if skew:
        yield "clock", f"device {value.device}", f"its clock is wrong by {abs(skew) // 1_000_000} seconds"


_STRANGER_KINDS = frozenset({"wagers-counted", "count-corrected"})
"""Movements that count at a table that is not set up."""
TABLES: Projection[RoomTables] = Projection(
    name="tables",
    shape=RoomTables,
    empty=RoomTables(),
    fold=_fold,
    kinds=entries.TABLE_KINDS | _STRANGER_KINDS | kinds_of(RoundSeatsNamed),
    version=5,
    fold_run=_fold_run,
)


def tables_of(state: BookState) -> RoomTables | None:
    """Return the tables of a state, or nothing where the books were opened without them."""
    part: RoomTables | None = state.parts.get(TABLES.name)
    return part


def table_of(state: BookState, table: str) -> TableRecord:
    """Return a table of a state, or refuse."""
    tables = state.of(TABLES).tables
    if table not in tables:
        raise RefusedError([f"there is no table {table!r}; there are: {', '.join(tables) or 'none'} (T-09)"])
    return tables[table]


def jackpots_by_wager(state: BookState, table: str) -> dict[str, JackpotRecord]:
    """Return the jackpots that a table is linked to, by the wager they are won on there."""
    return {record.jackpot.offer_at(table).wager: record for record in state.of(JACKPOTS).at(table)}


def shift_at(state: BookState, at: Instant) -> Shift | None:
    """Return the shift an instant belongs to, by the room's clocks; none where the room has no settings."""
    calendar = state.of(ROOM)
    return None if calendar is None else calendar.shift(_EPOCH + datetime.timedelta(microseconds=at))
