"""What presses and corrections say of each sensor: its life, and whether it behaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss.tabulator.entries import Place, RoundCorrected
from pitboss.tabulator.values import SensorRecord, TableRecord, place_text

_DISAGREED_WITHIN = 200
"""Corrections of one sensor count together when they are of so many rounds."""


def pressed_sensors(
    table: TableRecord, seen: Sequence[Place], *, counts: Mapping[str, tuple[int, ...]] | None = None
) -> Mapping[str, SensorRecord]:
    """What every sensor of a table comes to after a press that saw these places; `counts` where it counted a round.

    A sensor is silent in rounds in which another one has counted, so that a table nobody plays at raises no alarm.
    """
    places = set(seen)
    playing = counts is not None and any(counts.values())
    found = dict(table.sensors)
    for sensor in table.setup.sensors:
        place = (sensor.position, sensor.number)
        was = found.get(place_text(place), SensorRecord())
        if place in places:
            counted = counts is not None and sensor.position in counts.get(sensor.wager, ())
            found[place_text(place)] = was._replace(counted=was.counted + counted, silent=0, lit=was.lit + 1)
        else:
            found[place_text(place)] = was._replace(silent=was.silent + playing, lit=0)
    return found


def with_disagreement(table: TableRecord, value: RoundCorrected) -> TableRecord:
    """Put a correction down to the sensors of its seats (F-08)."""
    found = dict(table.sensors)
    for seat in value.seats:
        sensor = table.setup.sensor_of(seat, value.wager)
        if sensor is None:
            continue
        place = place_text((sensor.position, sensor.number))
        was = found.get(place, SensorRecord())
        recent = tuple(each for each in was.disagreed if each > value.round - _DISAGREED_WITHIN)
        found[place] = was._replace(
            missed=was.missed + (value.cause == "missed"),
            miscounted=was.miscounted + (value.cause == "miscounted"),
            disagreed=(*recent, value.round),
        )
    return table._replace(sensors=found)
