"""Money, days and times as the room writes them: the one place where pages format, by the room's locale.

A server serves one room; each request, and each look at the books for the stream, states its locale first. Journal,
reports, slips and other papers are written in one way everywhere, and do not ask here.
"""

import datetime
import re
from contextvars import ContextVar
from decimal import Decimal
from functools import cache, lru_cache
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_skeleton, format_time
from babel.numbers import format_currency

from pitboss.books import EPOCH, LOCALES

_SPACE = "\N{NO-BREAK SPACE}"
_NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
_CITATIONS = re.compile(r"^(?P<sentence>.*\S)\s*\((?P<citations>[^()]*[A-Z][^()]*[0-9][^()]*)\)\.?$", re.DOTALL)
_locale: ContextVar[str] = ContextVar("locale", default=LOCALES[0])


def set_locale(name: str) -> None:
    """Write in this locale from here on, in this request or turn; one that is unknown is en-US."""
    _locale.set(name if name in LOCALES else LOCALES[0])


def current_locale() -> str:
    """Return the name of the locale that is written in here."""
    return _locale.get()


@cache
def _parsed(name: str) -> Locale:
    return Locale.parse(name, sep="-")


def _currency(name: str) -> str:
    """Return the currency of a locale's country, whose sign is the plain dollar there."""
    return "CAD" if name.endswith("-CA") else "USD"


@lru_cache(maxsize=4096)
def _money(name: str, cents: int, *, decimals: bool) -> str:
    # Figures after the point are two or none; an amount is exact, and no float comes near it.
    pattern = None if decimals else _parsed(name).currency_formats["standard"].pattern.replace(".00", "")
    amount = Decimal(cents).scaleb(-2)
    text = format_currency(amount, _currency(name), pattern, locale=_parsed(name), currency_digits=decimals)
    return str(text).replace(_NARROW_SPACE, _SPACE)


def dollars(cents: int) -> str:
    """Return an amount with its cents."""
    return _money(_locale.get(), cents, decimals=True)


def whole_dollars(cents: int) -> str:
    """Return an amount without cents where it has none."""
    return _money(_locale.get(), cents, decimals=bool(cents % 100))


def field_dollars(cents: int) -> str:
    """Return an amount as an input field has it, in every locale: 1234.50."""
    return f"{cents // 100}.{cents % 100:02d}"


def short_day(day: datetime.date) -> str:
    """Return a day without its year: Nov 16."""
    return format_skeleton("MMMd", day, locale=_parsed(_locale.get()))


def long_day(day: datetime.date) -> str:
    """Return a day in full: Monday, November 16, 2026."""
    return format_date(day, "full", locale=_parsed(_locale.get()))


def clock(time: datetime.datetime) -> str:
    """Return a time of day: 2:05 PM."""
    text = format_time(time.time(), "short", locale=_parsed(_locale.get()))
    return text.replace(_NARROW_SPACE, " " if ":" in text else _SPACE)


def time_of(instant: int) -> datetime.datetime:
    """Return an instant in microseconds as a time with its zone, which is UTC."""
    return EPOCH + datetime.timedelta(microseconds=instant)


def local(instant: int, zone: ZoneInfo) -> datetime.datetime:
    """Return what the room's clocks showed at an instant in microseconds."""
    return time_of(instant).astimezone(zone)


def clock_text(instant: int, zone: ZoneInfo, *, with_day: bool = False) -> str:
    """Return a time such as 2:05 PM; with its day, Nov 16, 2:05 PM."""
    time = local(instant, zone)
    return f"{short_day(time)}, {clock(time)}" if with_day else clock(time)


def day_text(instant: int, zone: ZoneInfo) -> str:
    """Return a day of any year with its time, such as 2026-11-16, 2:05 PM."""
    return f"{local(instant, zone):%Y-%m-%d}, {clock_text(instant, zone)}"


def cited(text: str) -> tuple[str, str]:
    """Return a problem's sentence and the citations in parentheses at its end, which stand behind a mark."""
    match = _CITATIONS.match(text)
    return (text, "") if match is None else (match["sentence"], match["citations"])
