"""Sensors and alarms: what the fold makes of presses and corrections, so that every reader of the journal has the same.

A sensor has its life and its behaviour; an alarm is something that somebody must look at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pitboss.books import Entry
from pitboss.games import find_game
from pitboss.tabulator.entries import CounterRead, EquipmentRestored, Place, RoundCorrected
from pitboss.tabulator.setup import Sensor
from pitboss.tabulator.values import Alarm, RoomTables, SensorRecord, TableRecord, place_text

RECONCILIATION = "reconciliation"
"""The kind of alarm that stands until counts entered by hand are those that were played."""
Cause: TypeAlias = tuple[str, str, str]
"""The kind of an alarm, what it is about, and its text."""
_DISAGREED_WITHIN = 200
"""Corrections of one sensor count together when they are of so many rounds."""
_STUCK_WHERE_IT_STAYS = 40
"""A wager that stays on the layout is seen at many more presses than one that is collected."""


def pressed_sensors(
    table: TableRecord, seen: Sequence[Place], *, counts: Mapping[str, tuple[int, ...]] | None = None
) -> Mapping[str, SensorRecord]:
    """Return every sensor of a table after a press that saw these places; `counts` where it counted a round.

    A sensor is silent in rounds in which another one has counted, so that a table nobody plays at raises no alarm.
    """
    places = set(seen)
    playing = counts is not None and any(counts.values())
    sensors = dict(table.sensors)
    for sensor in table.setup.sensors:
        place = (sensor.position, sensor.number)
        was = sensors.get(place_text(place), SensorRecord())
        if place in places:
            counted = counts is not None and sensor.position in counts.get(sensor.wager, ())
            sensors[place_text(place)] = was._replace(counted=was.counted + counted, silent=0, lit=was.lit + 1)
        else:
            sensors[place_text(place)] = was._replace(silent=was.silent + playing, lit=0)
    return sensors


def with_disagreement(table: TableRecord, value: RoundCorrected) -> TableRecord:
    """Return a table with a correction put down to the sensors of its seats (F-08)."""
    sensors = dict(table.sensors)
    for seat in value.seats:
        sensor = table.setup.sensor_of(seat, value.wager)
        if sensor is None:
            continue
        place = place_text((sensor.position, sensor.number))
        was = sensors.get(place, SensorRecord())
        recent = tuple(number for number in was.disagreed if number > value.round - _DISAGREED_WITHIN)
        sensors[place] = was._replace(
            missed=was.missed + (value.cause == "missed"),
            miscounted=was.miscounted + (value.cause == "miscounted"),
            disagreed=(*recent, value.round),
        )
    return table._replace(sensors=sensors)


def raised(room: RoomTables, entry: Entry, causes: Sequence[Cause]) -> RoomTables:
    """Return a room with more alarms; one that stands already stays as it is."""
    alarms = dict(room.alarms)
    for kind, about, words in causes:
        key = f"{kind} {about}"
        if key not in alarms:
            alarms[key] = Alarm(key, entry.table, kind, words, entry.sequence, entry.happened)
    return room._replace(alarms=alarms)


def sensor_alarms(table: TableRecord, before: TableRecord) -> Iterator[Cause]:
    """Yield alarms of sensors that were not so before: silent for long, always on, or often corrected (F-08)."""
    for sensor in table.setup.sensors:
        place = place_text((sensor.position, sensor.number))
        now = table.sensors.get(place)
        if now is None or now == before.sensors.get(place):
            continue
        name = f"sensor {place} of table {table.table} ({sensor.wager})"
        about = f"{table.table} {place}"
        limits = table.setup.limits
        if now.silent >= limits.silent_rounds and sensor.position <= table.setup.seats:
            yield "silent", about, f"{name} has seen no wager in {now.silent} rounds that others were counted in"
        if now.lit >= _stuck_limit(table, sensor):
            yield "stuck", about, f"{name} has seen a wager at {now.lit} presses on end"
        if len(now.disagreed) >= limits.disagreements:
            rounds = ", ".join(map(str, now.disagreed))
            yield "disagreeing", about, f"{name} was corrected in rounds {rounds}: look at it (F-08)"


def _stuck_limit(table: TableRecord, sensor: Sensor) -> int:
    collected = find_game(table.setup.game).by_name[sensor.wager].jackpot
    return table.setup.limits.stuck_presses * (1 if collected else _STUCK_WHERE_IT_STAYS)


def restored_alarm(table: str, value: EquipmentRestored) -> Iterator[Cause]:
    """Yield an alarm where rounds were played by hand that nobody entered, or the other way round (O-12)."""
    played, entered = value.rounds_played, value.rounds_entered
    if played != entered:
        yield RECONCILIATION, table, f"{played} rounds were played by hand and {entered} entered: {value.words}"


def reading_alarm(before: TableRecord, value: CounterRead) -> Iterator[Cause]:
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


def skew_alarm(value: Any) -> Iterator[Cause]:
    """Yield an alarm for a device whose clock is wrong (M-10)."""
    skew = getattr(value, "skew", 0)
    if skew:
        yield "clock", f"device {value.device}", f"its clock is wrong by {abs(skew) // 1_000_000} seconds"
