"""What a command would do, for the person who approves it: a sentence, what changes, and the reason.

Plain text for pages, the terminal and the API alike: names as displays have them, money in dollars, days and times by
the room's clocks. Amounts are written in one way everywhere, as in the journal and on papers.
"""

import datetime
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import EPOCH, ROOM, BookState, instant_of


class Change(NamedTuple):
    """One thing that a command changes: what it is called, what it is now (empty where it is new), what it becomes."""

    label: str
    before: str
    after: str

    @property
    def text(self) -> str:
        """The change in one line."""
        return f"{self.before} \N{RIGHTWARDS ARROW} {self.after}" if self.before else self.after


class Description(NamedTuple):
    """What a command does: a sentence that names its object and amount, what changes, and why."""

    title: str
    changes: tuple[Change, ...] = ()
    reason: str = ""


def fact(label: str, text: object) -> Change:
    """Return something that a command states, and that nothing stands in place of now."""
    return Change(label, "", str(text))


def facts(texts: Mapping[str, str]) -> tuple[Change, ...]:
    """Return what a command states, without what is empty."""
    return tuple(fact(label, text) for label, text in texts.items() if text)


def changes(before: Mapping[str, str] | None, after: Mapping[str, str], none: str = "none") -> tuple[Change, ...]:
    """Return what differs by label; everything where there was nothing before."""
    if before is None:
        return facts(after)
    labels = dict.fromkeys((*after, *before))
    pairs = [(label, before.get(label, ""), after.get(label, "")) for label in labels]
    return tuple(Change(label, was or none, becomes or none) for label, was, becomes in pairs if was != becomes)


def listed(items: Iterable[object], last_word: str = "and") -> str:
    """Return items in words: `1`, `1 and 2`, `1, 2 and 3`."""
    *first, last = [str(item) for item in items] or [""]
    return f"{', '.join(first)} {last_word} {last}" if first else last


_WITHOUT_ARTICLE = frozenset({"accounting", "surveillance"})


def role_phrase(roles: Iterable[str]) -> str:
    """Return one of several roles in words: `a manager or accounting`."""
    return listed((role if role in _WITHOUT_ARTICLE else f"a {role}" for role in roles), "or")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 round`, `1,200 rounds`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def seats_text(seats: Iterable[int]) -> str:
    """Return seats in words: `seat 2`, `seats 1 and 4`, `no seat`."""
    numbers = sorted(seats)
    return f"seat{'s' if len(numbers) > 1 else ''} {listed(numbers)}" if numbers else "no seat"


def day_words(day: datetime.date) -> str:
    """Return a day: `Nov 16, 2026`."""
    return f"{day:%b} {day.day}, {day.year}"


def zone_of(state: BookState) -> ZoneInfo:
    """Return the room's time zone; UTC where the room has none yet."""
    calendar = state.of(ROOM)
    return ZoneInfo("UTC" if calendar is None else calendar.history[-1][1].time_zone)


def moment_words(state: BookState, instant: int) -> str:
    """Return an instant by the room's clocks: `Nov 16, 2026, 5:57 AM`."""
    time = (EPOCH + datetime.timedelta(microseconds=instant)).astimezone(zone_of(state))
    return f"{day_words(time)}, {time.hour % 12 or 12}:{time:%M %p}"


def typed_moment(state: BookState, text: str, empty: str) -> str:
    """Return a time that somebody typed by the room's clocks as it is read; what stands for an empty one."""
    instant = instant_of(text, zone_of(state)) if text.strip() else None
    return (text.strip() or empty) if instant is None else moment_words(state, instant)
