"""Rooms that are served."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.books.making import Room
from tests.programs import quick_folder
from tests.server.making import House, served


class Filled(NamedTuple):
    """A data directory with a person of every role and a device of every kind, and the tokens of the devices."""

    path: Path
    tokens: dict[str, str]


@pytest.fixture(scope="session")
def filled(sqlite_template: Room) -> Iterator[Filled]:
    with tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-") as folder:
        path = shutil.copytree(sqlite_template.path, Path(folder) / "room")
        with served(path) as house:
            house.fill()
        yield Filled(path, house.tokens)


@pytest.fixture(scope="module")
def shared(filled: Filled) -> Iterator[House]:
    """A house for tests that leave it as it was, or add what is theirs alone."""
    with tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-") as folder:
        path = shutil.copytree(filled.path, Path(folder) / "room")
        with served(path, None, filled.tokens) as found:
            yield found


@pytest.fixture
def house(filled: Filled, quick_path: Path) -> Iterator[House]:
    """A house of its own."""
    with served(shutil.copytree(filled.path, quick_path / "room"), None, filled.tokens) as found:
        yield found


@pytest.fixture
def empty_path(sqlite_template: Room, quick_path: Path) -> Path:
    """The data directory of a room that was never served."""
    return shutil.copytree(sqlite_template.path, quick_path / "room")
