"""The clock of the computer that writes, and a watch over it (G-77)."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from pitboss.books.journal.entries import Instant, instant_text


def microseconds_now() -> Instant:
    """The time of this computer's clock, in microseconds since 1970 UTC."""
    return time.time_ns() // 1_000


def microseconds_running() -> int:
    """The time since this computer was started, in microseconds: no setting of a clock moves it."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(clock) // 1_000


@dataclass(slots=True)
class ClockWatch:
    """Compares the clock of a computer with how long it runs, and with the last entry when the books are opened.

    All in microseconds: more than `jump` against either is too much, and than `gap` after the last entry.
    """

    clock: Callable[[], Instant]
    running: Callable[[], int]
    jump: int
    gap: int
    seen: tuple[Instant, int] | None = None
    """What both have shown when they last agreed."""

    def opened(self, last: Instant) -> str:
        """Return what is wrong with the clock by the last entry of the books; empty where nothing is."""
        now = self.clock()
        if last and not last - self.jump <= now <= last + self.gap:
            return self._text(now, last, "the last entry is of")
        # From here on a jump shows, also one before anything is written.
        self.seen = (now, self.running())
        return ""

    def look(self) -> str:
        """Return what is wrong with the clock since it was last looked at; empty where nothing is."""
        now, running = self.clock(), self.running()
        expected = now if self.seen is None else self.seen[0] + running - self.seen[1]
        if abs(now - expected) > self.jump:
            return self._text(now, expected, "it should show")
        self.seen = (now, running)
        return ""

    @staticmethod
    def _text(now: Instant, other: Instant, said: str) -> str:
        return f"this computer's clock shows {instant_text(now)} and {said} {instant_text(other)}"
