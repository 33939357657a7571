"""How bugs are planted: each is a function whose docstring is the promise that it breaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.books.journal import books
from pitboss.room import room

Plant = Callable[[pytest.MonkeyPatch], None]
BUGS: dict[str, Plant] = {}
FOUND_BY = {
    "prize-paid-twice": "pays seat",
    "correction-counts-twice": "wagers-counted",
    "contribution-rounded-up": "wagers-counted",
}
"""What the finding must say, where a bug is let through by an invariant that would stop others too."""


def finds(name: str, findings: list[str]) -> bool:
    """Whether these findings are of a bug, and not of how it was planted."""
    return any(FOUND_BY.get(name, "") in words and not words.startswith("ended by") for words in findings)


def bug(plant: Plant) -> Plant:
    """Have a bug under its own name."""
    BUGS[plant.__name__.replace("_", "-")] = plant
    return plant


def without_invariants(patch: pytest.MonkeyPatch, *names: str) -> None:
    """Have the invariants silent that would refuse what a bug does: the floor must find what both have missed."""
    for module in (room, books):
        invariants: tuple[Any, ...] = module.INVARIANTS
        patch.setattr(module, "INVARIANTS", tuple(each for each in invariants if each.name not in names))
