"""Rooms of tests have days of their own: a server with the clock of this machine believes what they are dated (G-77)."""

from __future__ import annotations

from collections.abc import Callable

from pitboss.books import ClockWatch, microseconds_running
from pitboss.room import room

__all__ = ["START", "before_tests", "watch_of_tests"]

START = 1_797_753_600_000_000
"""The first day on which tests play rooms."""
_watch = room._clock_watch


def watch_of_tests(clock: Callable[[], int], monotonic: Callable[[], int]) -> ClockWatch | None:
    """Watch a clock that a test gives, and not the machine's own, which is of another year than the test's books."""
    return None if monotonic is microseconds_running else _watch(clock, monotonic)


def before_tests(clock: Callable[[], int]) -> Callable[[], int]:
    """Return a clock that stops an hour before the first day on which tests play rooms, however late it is now."""
    return lambda: min(clock(), START - 3_600_000_000)
