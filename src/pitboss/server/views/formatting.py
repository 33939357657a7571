"""Money, days and times as the room writes them: the one place where pages format, by the room's locale.

A server serves one room; each request, and each look at the books for the stream, says in which locale it speaks.
Journal, reports, slips and other papers are written in one way everywhere, and do not ask here.
"""

from __future__ import annotations

import datetime
from contextvars import ContextVar
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import LOCALES as NAMES
from pitboss.books.entries import EPOCH

_SPACE = "\N{NO-BREAK SPACE}"
_ENGLISH = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_FRENCH = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
]
_SPANISH = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
]
_NOON = 12


class Locale(NamedTuple):
    """How amounts and days are written; `halves` are what is said of a time before and after noon, if it is said."""

    group: str
    point: str
    money: str
    months: list[str]
    short_months: list[str]
    weekdays: list[str]
    short_day: str
    long_day: str
    halves: tuple[str, str] | None


_WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_US = Locale(
    group=",",
    point=".",
    money="${}",
    months=_ENGLISH,
    short_months=[each[:3] for each in _ENGLISH],
    weekdays=_WEEKDAYS,
    short_day="{month} {day}",
    long_day="{weekday}, {month} {day}, {year}",
    halves=("AM", "PM"),
)
LOCALES: dict[str, Locale] = {
    "en-US": _US,
    "en-CA": _US._replace(
        short_months=[each if each == "May" else f"{each[:3]}." for each in _ENGLISH], halves=("a.m.", "p.m.")
    ),
    "fr-CA": Locale(
        group=_SPACE,
        point=",",
        money=f"{{}}{_SPACE}$",
        months=_FRENCH,
        short_months=[
            "janv.",
            "févr.",
            "mars",
            "avr.",
            "mai",
            "juin",
            "juill.",
            "août",
            "sept.",
            "oct.",
            "nov.",
            "déc.",
        ],
        weekdays=["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
        short_day="{day} {month}",
        long_day="{weekday} {day} {month} {year}",
        halves=None,
    ),
    "es-US": _US._replace(
        months=_SPANISH,
        short_months=[each[:3] for each in _SPANISH],
        weekdays=["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
        short_day="{day} {month}",
        long_day="{weekday}, {day} de {month} de {year}",
        halves=("a.m.", "p.m."),
    ),
}
assert tuple(LOCALES) == NAMES

_spoken: ContextVar[str] = ContextVar("locale", default="en-US")


def speak(locale: str) -> None:
    """Write in this locale from here on, in this request or turn; one that is unknown is en-US."""
    _spoken.set(locale if locale in LOCALES else "en-US")


def spoken() -> str:
    """The locale in which is written here."""
    return _spoken.get()


def _money(cents: int, figures: str) -> str:
    locale = LOCALES[_spoken.get()]
    whole = f"{abs(cents) // 100:,}".replace(",", locale.group)
    return f"{'-' if cents < 0 else ''}{locale.money.format(whole + figures)}"


def dollars(cents: int) -> str:
    """Write an amount with its cents."""
    return _money(cents, f"{LOCALES[_spoken.get()].point}{abs(cents) % 100:02d}")


def whole_dollars(cents: int) -> str:
    """Write an amount without cents where it has none."""
    return dollars(cents) if cents % 100 else _money(cents, "")


def short_day(day: datetime.date) -> str:
    """Write a day without its year: Nov 16."""
    locale = LOCALES[_spoken.get()]
    return locale.short_day.format(month=locale.short_months[day.month - 1], day=day.day)


def long_day(day: datetime.date) -> str:
    """Write a day in full: Monday, November 16, 2026."""
    locale = LOCALES[_spoken.get()]
    weekday, month = locale.weekdays[day.weekday()], locale.months[day.month - 1]
    return locale.long_day.format(weekday=weekday, month=month, day=day.day, year=day.year)


def clock(time: datetime.datetime) -> str:
    """Write a time of day: 2:05 PM."""
    halves = LOCALES[_spoken.get()].halves
    if halves is None:
        return f"{time.hour}{_SPACE}h{_SPACE}{time:%M}"
    return f"{time.hour % _NOON or _NOON}:{time:%M} {halves[time.hour >= _NOON]}"


def local(instant: int, zone: ZoneInfo) -> datetime.datetime:
    """What the room's clocks showed at an instant in microseconds."""
    return (EPOCH + datetime.timedelta(microseconds=instant)).astimezone(zone)


def clock_text(instant: int, zone: ZoneInfo, *, with_day: bool = False) -> str:
    """Write a time such as 2:05 PM; with its day, Nov 16, 2:05 PM."""
    found = local(instant, zone)
    return f"{short_day(found)}, {clock(found)}" if with_day else clock(found)


def day_text(instant: int, zone: ZoneInfo) -> str:
    """Write a day of any year with its time, such as 2026-11-16, 2:05 PM."""
    return f"{local(instant, zone):%Y-%m-%d}, {clock_text(instant, zone)}"
