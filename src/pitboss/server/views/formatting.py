"""Money, days and times as the room writes them: the one place where pages format, by the room's locale.

A server serves one room; each request, and each look at the books for the stream, states its locale first. Journal,
reports, slips and other papers are written in one way everywhere, and do not ask here (G-55).
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
from pitboss.meters import UNITS_PER_CENT
from pitboss.reports.render import units_words

_SPACE = "\N{NO-BREAK SPACE}"
_NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
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


def signed_dollars(cents: int) -> str:
    """Return what somebody has won or lost, with its sign: +$40.00."""
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def whole_dollars(cents: int) -> str:
    """Return an amount without cents where it has none."""
    return _money(_locale.get(), cents, decimals=bool(cents % 100))


def field_dollars(cents: int) -> str:
    """Return an amount as an input field has it, in every locale: 1234.50."""
    return f"{cents // 100}.{cents % 100:02d}"


def sentence(text: str) -> str:
    """Return a text as a sentence without the rules it ends in: a capital letter, and one full stop."""
    words = cited(text)[0].strip()
    return f"{words[:1].upper()}{words[1:]}" + ("" if words.endswith((".", "!", "?")) else ".")


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


def medium_day(day: datetime.date) -> str:
    """Return a day with its year: Nov 16, 2026."""
    return format_date(day, "medium", locale=_parsed(_locale.get()))


def iso_day(day: str) -> str:
    """Return a day as the books write it, as people read it: Nov 16, 2026."""
    return medium_day(datetime.date.fromisoformat(day))


def clock_text(instant: int, zone: ZoneInfo, *, with_day: bool = False) -> str:
    """Return a time such as 2:05 PM; with its day, Nov 16, 2026, 2:05 PM."""
    time = local(instant, zone)
    return f"{medium_day(time)}, {clock(time)}" if with_day else clock(time)


_MINUTE, _HOUR, _DAY = 60_000_000, 3_600_000_000, 86_400_000_000


def age_text(since: int, now: int) -> str:
    """Return how long ago an instant was, in short: 12 min, 3 h 5 min, 2 days."""
    age = max(0, now - since)
    if age < _HOUR:
        return f"{age // _MINUTE} min" if age >= _MINUTE else "just now"
    if age < _DAY:
        return f"{age // _HOUR} h {age % _HOUR // _MINUTE} min"
    return f"{age // _DAY} day{'' if age // _DAY == 1 else 's'}"


def day_text(instant: int, zone: ZoneInfo) -> str:
    """Return a day with its time: Nov 16, 2026, 2:05 PM."""
    return clock_text(instant, zone, with_day=True)


def units_dollars(units: int) -> str:
    """Return a balance in units with its cents, the rest cut off; below a dollar, such as a rate, it is exact.

    The exact figures of balances stand in the reconciliation.
    """
    if abs(units) < 100 * UNITS_PER_CENT:
        return units_words(units)
    cents = abs(units) // UNITS_PER_CENT
    return dollars(cents if units > 0 else -cents)


_CITATION = re.compile(
    r"(?:[A-Z]-\d|(?:TCP|DW|STC|TDP|FCP|NM|GLI)[- ]|REGULATION |RULING |WAC |RCW |WSR |IRS |IRC |\d+ (?:CFR|USC) )"
)


def cited(text: str) -> tuple[str, str]:
    """Split a problem that ends in a parenthesis of citations into its sentence and those citations.

    Staff read the sentence; the rules stand behind an info mark. Words before the first citation stay where they are.
    """
    body = text.rstrip()
    end = "." if body.endswith(").") else ""
    start = _last_parenthesis(body.removesuffix("."))
    if start < 0:
        return text, ""
    parts = body[start + 1 : len(body) - len(end) - 1].split("; ")
    first = next((place for place, part in enumerate(parts) if _CITATION.match(part)), len(parts))
    if first == len(parts):
        return text, ""
    words = f" ({'; '.join(parts[:first])})" if first else ""
    return body[:start].rstrip() + words + end, "; ".join(parts[first:])


def _last_parenthesis(text: str) -> int:
    """Return where the parenthesis that ends a text begins; -1 where it ends in none."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[place], 0)
        if not depth:
            return place if text[place] == "(" and place else -1
    return -1


def log_time(instant: int, zone: ZoneInfo) -> str:
    """Return an instant as the audit log has it, to the second: Nov 16, 2026, 5:57:08 AM."""
    time, locale = local(instant, zone), _parsed(_locale.get())
    text = f"{medium_day(time)}, {format_time(time.time(), 'medium', locale=locale)}"
    return text.replace(_NARROW_SPACE, " ")
