"""Bugs that the floor must find, one for each promise: each plants itself by replacing a piece of the product."""

from __future__ import annotations

from tests.faults.bugs import devices, money, people, storage, time
from tests.faults.bugs.planting import BUGS, finds

__all__ = ["BUGS", "devices", "finds", "money", "people", "storage", "time"]
