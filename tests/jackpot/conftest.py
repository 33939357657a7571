"""A floor on which hits are called."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jackpot.hit_making import Floor, floor


@pytest.fixture
def at(quick_path: Path) -> Iterator[Floor]:
    """A floor with a progressive, whose books are sound whatever was done."""
    with floor(quick_path / "room") as found:
        yield found
        found.check()
