"""Alarms: what somebody must look at, found by the fold, so that every reader of the journal finds the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from pitboss.books import Entry
from pitboss.games import find_game
from pitboss.tabulator.entries import CounterRead, EquipmentRestored
from pitboss.tabulator.setup import Sensor
from pitboss.tabulator.values import Alarm, RoomTables, SensorRecord, TableRecord, place_text

RECONCILIATION = "reconciliation"
"""The kind of alarm that stands until counts entered by hand are those that were played."""
Cause: TypeAlias = tuple[str, str, str]
"""The kind of an alarm, what it is about, and what is told."""
_STUCK_WHERE_IT_STAYS = 40
"""A wager that stays on the layout is seen at many more presses than one that is collected."""


def raised(room: RoomTables, entry: Entry, causes: Sequence[Cause]) -> RoomTables:
    """Put alarms beside those that stand; one that stands already stays as it is."""
    found = dict(room.alarms)
    for kind, about, words in causes:
        key = f"{kind} {about}"
        if key not in found:
            found[key] = Alarm(key, entry.table, kind, words, entry.sequence, entry.happened)
    return room._replace(alarms=found)


def sensor_alarms(table: TableRecord, before: TableRecord) -> Iterator[Cause]:
    """What sensors have come to that were not so before: silent for long, always on, or often corrected (F-08)."""
    for sensor in table.setup.sensors:
        place = place_text((sensor.position, sensor.number))
        now = table.sensors.get(place)
        if now is None or now == before.sensors.get(place):
            continue
        told = f"sensor {place} of table {table.table} ({sensor.wager})"
        about = f"{table.table} {place}"
        limits = table.setup.limits
        if now.silent >= limits.silent_rounds and sensor.position <= table.setup.seats:
            yield "silent", about, f"{told} has seen no wager in {now.silent} rounds that others were counted in"
        if now.lit >= _stuck_limit(table, sensor):
            yield "stuck", about, f"{told} has seen a wager at {now.lit} presses on end"
        if len(now.disagreed) >= limits.disagreements:
            yield "disagreeing", about, f"{told} was corrected {_corrections(now)}: look at it (F-08)"


def _stuck_limit(table: TableRecord, sensor: Sensor) -> int:
    collected = find_game(table.setup.game).by_name[sensor.wager].jackpot
    return table.setup.limits.stuck_presses * (1 if collected else _STUCK_WHERE_IT_STAYS)


def _corrections(sensor: SensorRecord) -> str:
    return f"in rounds {', '.join(map(str, sensor.disagreed))}"


def restored_alarm(table: str, value: EquipmentRestored) -> Iterator[Cause]:
    """Rounds played while the equipment was down that nobody entered, or the other way round (O-12)."""
    if value.rounds_played != value.rounds_entered:
        told = f"{value.rounds_played} rounds were played by hand and {value.rounds_entered} entered: {value.words}"
        yield RECONCILIATION, table, told


def reading_alarm(before: TableRecord, value: CounterRead) -> Iterator[Cause]:
    """A counter that was replaced, or that counted otherwise than the books since it was read last (M-11)."""
    last = before.reading
    about = before.table
    if value.replaced:
        yield "counter", about, f"the counter of table {about} was replaced: {value.words}"
    elif last is not None:
        more = value.reading - last.reading
        digits = before.setup.counter_digits
        if value.rolled_over and digits is not None:
            more += 10**digits
        counted = value.counted - last.counted
        if more != counted:
            told = f"the counter of table {about} went on by {more} and {counted} wagers were counted"
            yield "counter", about, f"{told} since {last.day}, {last.shift}"


def skew_alarm(value: Any) -> Iterator[Cause]:
    """A device whose clock is wrong (M-10)."""
    skew = getattr(value, "skew", 0)
    if skew:
        yield "clock", f"device {value.device}", f"its clock is wrong by {abs(skew) // 1_000_000} seconds"
