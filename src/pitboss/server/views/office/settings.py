"""The settings of a room through time, and the form that makes or changes them."""

import datetime
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple
from zoneinfo import available_timezones

from pitboss.books import LOCALES, ROOM, BookState, RoomSettings
from pitboss.room.settings import today_of
from pitboss.server.views.formatting import clock, medium_day

_ROWS = 4
_USUAL = RoomSettings(room="", time_zone="", shifts=())
_FIRST_SHIFTS = (("day", "06:00"), ("swing", "14:00"), ("grave", "22:00"))
_ZONES = (
    "America/Los_Angeles",
    "America/Denver",
    "America/Phoenix",
    "America/Chicago",
    "America/New_York",
    "America/Anchorage",
    "Pacific/Honolulu",
)
"""The zones in which card rooms of this kind are, before all others."""


_ZONE_TITLES = dict(
    zip(_ZONES, ("Pacific", "Mountain", "Arizona", "Central", "Eastern", "Alaska", "Hawaii"), strict=True)
)


def zone_title(zone: str) -> str:
    """Return a time zone as people call it."""
    return f"{_ZONE_TITLES[zone]} time" if zone in _ZONE_TITLES else zone.replace("_", " ")


@cache
def _zones() -> tuple[tuple[str, str], ...]:
    """Return the zones of card rooms by name, then all other places of the world."""
    others = sorted(name for name in available_timezones() - set(_ZONES) if "/" in name and not name.startswith("Etc/"))
    return tuple((name, zone_title(name)) for name in (*_ZONES, *others))


class SettingsPeriod(NamedTuple):
    """Settings and since when they hold; `state` is Past, Active or Scheduled."""

    since: str
    shifts: str
    operator: str
    words: str
    state: str


class SignWords(NamedTuple):
    """A text of the room's own on its signs, as a field of the form."""

    name: str
    title: str
    note: str
    text: str


_WORDS = {
    "disputes": ("Disputes", "What a player does who disagrees, and who decides."),
    "employees": ("Employee play", "Whether and when employees may play."),
    "responsible": ("Responsible gambling", "The line at the foot of every card and sign."),
}


class RoomView(NamedTuple):
    """The page of the room; `shifts` are the rows of the form: the name of a shift and when it begins."""

    is_new: bool
    room: str
    time_zone: str
    time_zone_title: str
    operator: str
    licence: str
    locale: str
    practice: str
    test_hands: str
    test_minutes: str
    test_percent: str
    locales: tuple[str, ...]
    zones: tuple[tuple[str, str], ...]
    shifts: tuple[tuple[str, str], ...]
    since: str
    periods: tuple[SettingsPeriod, ...]
    words: tuple[SignWords, ...]


def _shifts(settings: RoomSettings) -> list[tuple[str, str]]:
    return [(name, f"{begins:%H:%M}") for name, begins in settings.shifts]


def _periods(state: BookState, now: int) -> tuple[SettingsPeriod, ...]:
    calendar = state.of(ROOM)
    if calendar is None:
        return ()
    today = today_of(calendar, now)
    in_force = max((day for day, _ in calendar.history if day <= today), default=calendar.history[0][0])
    return tuple(
        SettingsPeriod(
            medium_day(day),
            ", ".join(f"{name} from {clock(datetime.datetime.combine(day, at))}" for name, at in settings.shifts),
            ", ".join(text for text in (settings.room, settings.operator, settings.licence) if text),
            ", ".join(title for name, (title, _) in _WORDS.items() if getattr(settings, name)) or "Nothing yet",
            "Active" if day == in_force else "Scheduled" if day > today else "Past",
        )
        for day, settings in calendar.history
    )


def room_view(state: BookState, now: int, values: Mapping[str, list[str]] | None = None) -> RoomView:
    """Return the view of the settings; values are those of a form that was refused."""
    calendar = state.of(ROOM)
    last = None if calendar is None else calendar.history[-1][1]
    shifts = list(_FIRST_SHIFTS) if last is None else _shifts(last)
    since = "" if calendar is None else (today_of(calendar, now) + datetime.timedelta(days=1)).isoformat()
    texts = {
        "room": "" if last is None else last.room,
        "time_zone": _ZONES[0] if last is None else last.time_zone,
        "operator": "" if last is None else last.operator,
        "licence": "" if last is None else last.licence,
        "locale": LOCALES[0] if last is None else last.locale,
        "practice": "off" if last is not None and not last.practice else "on",
        **{name: str(getattr(last or _USUAL, name)) for name in ("test_hands", "test_minutes", "test_percent")},
        "since": since,
        **{name: "" if last is None else getattr(last, name) for name in _WORDS},
    }
    if values is not None:
        texts = {name: next(iter(values.get(name, [])), text if last else "") for name, text in texts.items()}
        shifts = list(zip(values.get("shift", []), values.get("begins", []), strict=False))
    words = tuple(SignWords(name, title, note, texts.pop(name)) for name, (title, note) in _WORDS.items())
    rows = [*shifts, *[("", "")] * max(0, _ROWS - len(shifts))]
    return RoomView(
        is_new=last is None,
        time_zone_title=zone_title(texts["time_zone"]),
        zones=_zones(),
        locales=LOCALES,
        shifts=tuple(rows),
        words=words,
        periods=_periods(state, now),
        **texts,
    )
