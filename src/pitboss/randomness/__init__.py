"""Randomness on trial: the door through which live rounds are dealt, collectors for test labs, and a battery of tests.

`live` deals under health tests that lock dealing when they fail; `collect` writes raw words and dealt shoes of that
same door; `report` tries the generator with a stated confidence for all tests together. Dealing loads neither numpy nor
numba: everything here is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitboss.randomness.collect import Written, dealt_shoes, raw_bytes, write_all
    from pitboss.randomness.health import HealthError, HealthMonitor, HealthySource, check_known_answers
    from pitboss.randomness.live import DealingLockedError, LiveDealing, LiveShoe
    from pitboss.randomness.locks import DealingLock, Failure, FileLock, MemoryLock, default_lock
    from pitboss.randomness.report import Report, ReportAsked, ReportError, make_report
    from pitboss.randomness.trials import Trial

__all__ = [
    "DealingLock",
    "DealingLockedError",
    "Failure",
    "FileLock",
    "HealthError",
    "HealthMonitor",
    "HealthySource",
    "LiveDealing",
    "LiveShoe",
    "MemoryLock",
    "Report",
    "ReportAsked",
    "ReportError",
    "Trial",
    "Written",
    "check_known_answers",
    "dealt_shoes",
    "default_lock",
    "make_report",
    "raw_bytes",
    "write_all",
]

_HOMES = {
    "collect": ("Written", "dealt_shoes", "raw_bytes", "write_all"),
    "health": ("HealthError", "HealthMonitor", "HealthySource", "check_known_answers"),
    "live": ("DealingLockedError", "LiveDealing", "LiveShoe"),
    "locks": ("DealingLock", "Failure", "FileLock", "MemoryLock", "default_lock"),
    "report": ("Report", "ReportAsked", "ReportError", "make_report"),
    "trials": ("Trial",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
