"""The terminal in tests that are about what it refuses, and not about who sits at it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pytest

from pitboss.books import Answer
from pitboss.commands import By, Command
from pitboss.room.people.people import PEOPLE
from pitboss.room.room import Room


@pytest.fixture
def typed_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the terminal take the names that are typed, as before a room has people; signing in is tested by G-71."""
    # The package has a deferred module of that name.
    tables = import_module("pitboss.cli.room.tables")
    seconds: list[str] = []
    carry_out = tables.carry_out

    def remembering(
        room: Room, name: str, fields: Mapping[str, Any], person: str, role: str = "", approved_by: str = ""
    ) -> Answer:
        seconds.append(approved_by)
        answer: Answer = carry_out(room, name, fields, person, role, approved_by)
        return answer

    def by_name(room: Room, cls: type[Command], person: str, role: str) -> By:
        by: By = tables._by(room.state.of(PEOPLE), cls, person, role, seconds[-1])
        return by

    monkeypatch.setattr(tables, "carry_out", remembering)
    monkeypatch.setattr(tables, "_signed_in", by_name)
