"""Rooms for the tests of operations, made once in each process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.operations.making import fresh_room, worked_room


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fresh_room(tmp_path_factory.mktemp("fresh") / "room")


@pytest.fixture(scope="session")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return worked_room(tmp_path_factory.mktemp("worked") / "room")
