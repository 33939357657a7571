"""Randomness on trial: the door through which live rounds are dealt, collectors for test labs, and a battery of tests.

`live` deals under health tests that lock dealing when they fail, and collects raw words and dealt shoes of that same
door; `report` tries the generator with a stated confidence for all tests together. Dealing loads neither numpy nor
numba: a report is imported from its module.
"""

from pitboss.randomness.live import DealingLockedError, Failure, FileLock, LiveDealing, MemoryLock, default_lock

__all__ = ["DealingLockedError", "Failure", "FileLock", "LiveDealing", "MemoryLock", "default_lock"]
