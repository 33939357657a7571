"""Rooms to test jackpots with, as the tests of the books make them, and a floor on which hits are called."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.books.conftest import postgresql, postgresql_template, quick_path, room, sqlite_room, sqlite_template
from tests.jackpot.hit_making import Floor, floor

__all__ = ["at", "postgresql", "postgresql_template", "quick_path", "room", "sqlite_room", "sqlite_template"]


@pytest.fixture
def at(quick_path: Path) -> Iterator[Floor]:
    """A floor with a progressive, whose books are sound whatever was done."""
    with floor(quick_path / "room") as found:
        yield found
        found.check()
