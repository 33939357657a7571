"""Times as the room's clocks show them, and how the staff writes them."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

from pitboss.books.entries import EPOCH
from pitboss.server.views.speaking import clock, short_day

__all__ = ["clock_text", "day_text", "local"]


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
