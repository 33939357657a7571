"""Rooms to test reports with: an empty one to copy, and two days of the example room, made once for a module."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.programs import quick_folder
from tests.reports.making import make_template
from tests.reports.sample import make_sample


@pytest.fixture(scope="session")
def template() -> Iterator[Path]:
    """The books of an empty room."""
    with tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-") as folder:
        yield make_template(Path(folder) / "template")


@pytest.fixture(scope="session")
def sample() -> Iterator[Path]:
    """The example room after two days, which nobody writes to."""
    with tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-") as folder:
        yield make_sample(Path(folder) / "room").path
