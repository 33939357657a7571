"""The room's own entries: its settings through time."""

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from pitboss.books.calendar import Calendar, RoomSettings, settings_problems
from pitboss.books.journal.entries import EPOCH, Entry
from pitboss.books.journal.payloads import EntryPayload, Payload, entry_kind, kinds_of
from pitboss.books.journal.state import EntryStep, Invariant, Projection


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSet(EntryPayload):
    """The room's settings, in force from the beginning of a gambling day on."""

    KIND: ClassVar[str] = "room-set"
    since: datetime.date
    settings: RoomSettings

    def payload_problems(self) -> Iterable[str]:
        """Return what is wrong with the settings."""
        return settings_problems(self.settings)


def _fold(calendar: Calendar | None, _: Entry, value: Payload) -> Calendar | None:
    assert isinstance(value, RoomSet)
    earlier = () if calendar is None else tuple(change for change in calendar.history if change[0] < value.since)
    return Calendar((*earlier, (value.since, value.settings)))


ROOM: Projection[Calendar | None] = Projection(
    name="room", shape=Calendar | None, empty=None, fold=_fold, kinds=kinds_of(RoomSet)
)


def _in_future(step: EntryStep) -> Iterator[str]:
    """New settings are in force from a later gambling day on: a day that has begun keeps its bounds (O-07)."""
    calendar = step.before.of(ROOM)
    if calendar is None:
        return
    today = calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=step.entry.recorded))
    if step.value.since <= today:
        yield f"settings from {step.value.since} on: the gambling day of {today} has begun, name a later one"


INVARIANTS = (
    Invariant(
        name="settings",
        says="a day that has begun keeps its bounds",
        sources=("O-07", "J-04"),
        kinds=kinds_of(RoomSet),
        step=_in_future,
    ),
)
