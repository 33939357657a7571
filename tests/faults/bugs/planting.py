"""How bugs are planted: each is a function whose docstring is the promise that it breaks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pitboss.books.journal import books
from pitboss.room import room

Plant = Callable[[pytest.MonkeyPatch], None]
BUGS: dict[str, Plant] = {}


def bug(plant: Plant) -> Plant:
    """Have a bug under its own name."""
    BUGS[plant.__name__.replace("_", "-")] = plant
    return plant


def without_invariants(patch: pytest.MonkeyPatch) -> None:
    """Have the invariants silent that would refuse what a bug does: the floor must find what both have missed."""
    patch.setattr(room, "INVARIANTS", ())
    patch.setattr(books, "INVARIANTS", ())
