"""The room's own entries: its settings through time."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pitboss.books.days import Calendar, RoomSettings, settings_problems
from pitboss.books.entries import EPOCH, Entry
from pitboss.books.invariants import Invariant, Step, register_invariants
from pitboss.books.payloads import Payload, register_kinds
from pitboss.books.state import Projection

__all__ = ["ROOM", "RoomSet"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSet:
    """The room's settings, in force from the beginning of a gambling day on."""

    since: datetime.date
    settings: RoomSettings

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "room-set"

    def to_json(self) -> dict[str, Any]:
        """Write the day and the settings."""
        return {"since": self.since.isoformat(), "settings": self.settings.to_json()}


def _read_room(_: str, said: dict[str, Any]) -> RoomSet:
    settings = RoomSettings.from_json(said["settings"])
    problems = settings_problems(settings)
    if problems:
        raise ValueError("; ".join(problems))
    return RoomSet(since=datetime.date.fromisoformat(said["since"]), settings=settings)


register_kinds(["room-set"], _read_room)


def _fold(calendar: Calendar | None, _: Entry, value: Payload) -> Calendar | None:
    if not isinstance(value, RoomSet):
        return calendar
    earlier = () if calendar is None else tuple(each for each in calendar.history if each[0] < value.since)
    return Calendar((*earlier, (value.since, value.settings)))


def _write(calendar: Calendar | None) -> Any:
    if calendar is None:
        return None
    return [[since.isoformat(), settings.to_json()] for since, settings in calendar.history]


def _read(said: Any) -> Calendar | None:
    if said is None:
        return None
    return Calendar(tuple((datetime.date.fromisoformat(day), RoomSettings.from_json(each)) for day, each in said))


ROOM: Projection[Calendar | None] = Projection(
    name="room", empty=None, fold=_fold, write=_write, read=_read, kinds=frozenset({"room-set"})
)


def _in_future(step: Step) -> Iterator[str]:
    """New settings are in force from a later gambling day on: a day that has begun keeps its bounds (O-07)."""
    calendar = step.before.of(ROOM)
    if not isinstance(step.value, RoomSet) or calendar is None:
        return
    today = calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=step.entry.recorded))
    if step.value.since <= today:
        yield f"settings from {step.value.since} on: the gambling day of {today} has begun, name a later one"


register_invariants(
    Invariant(
        name="settings",
        says="a day that has begun keeps its bounds",
        sources=("O-07", "J-04"),
        step=_in_future,
        about=RoomSet,
    )
)
