"""Rooms of tests have days of their own: a server with the clock of this machine believes what they are dated (G-77)."""

from __future__ import annotations

from collections.abc import Callable

from pitboss.books import ClockWatch, microseconds_running
from pitboss.room import room

__all__ = ["watch_of_tests"]

_watch = room._clock_watch


def watch_of_tests(clock: Callable[[], int], monotonic: Callable[[], int]) -> ClockWatch | None:
    """Watch a clock that a test gives, and not the machine's own, which is of another year than the test's books."""
    return None if monotonic is microseconds_running else _watch(clock, monotonic)
