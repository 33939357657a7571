"""Rooms to test reports with: an empty one to copy, and two days of the example room, made once for a module."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.books.conftest import (
    _quick_folder,
    postgresql,
    postgresql_template,
    quick_path,
    room,
    sqlite_room,
    sqlite_template,
)
from tests.reports.making import make_template
from tests.reports.sample import make_sample

__all__ = [
    "postgresql",
    "postgresql_template",
    "quick_path",
    "room",
    "sample",
    "sqlite_room",
    "sqlite_template",
    "template",
]


@pytest.fixture(scope="session")
def template() -> Iterator[Path]:
    """The books of an empty room."""
    with tempfile.TemporaryDirectory(dir=_quick_folder(), prefix="pitboss-") as folder:
        yield make_template(Path(folder) / "template")


@pytest.fixture(scope="session")
def sample() -> Iterator[Path]:
    """The example room after two days, which nobody writes to."""
    with tempfile.TemporaryDirectory(dir=_quick_folder(), prefix="pitboss-") as folder:
        yield make_sample(Path(folder) / "room").path
