"""The statements of the store as text for its drivers, read from where they are kept compiled."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["DIALECTS", "IDS", "KEPT", "REVISION", "Statement", "Statements", "statements_for"]

REVISION = "0001"
"""The migration that the code of this version works with."""
IDS = tuple(f"id_{number}" for number in range(64))
"""Places for the ids of commands that are looked for at once."""
DIALECTS = ("sqlite", "postgresql")
KEPT = Path(__file__).with_name("statements.json")


class Statement(NamedTuple):
    """A statement as text for a driver, with the names of its places in order, and what stands in some already."""

    text: str
    names: tuple[str, ...]
    standing: Mapping[str, Any]

    def places(self, **values: Any) -> tuple[Any, ...]:
        """Put values in their places."""
        return tuple(values[name] if name in values else self.standing[name] for name in self.names)


class Statements(NamedTuple):
    """All of them, for one dialect whose places are positional."""

    insert_entry: Statement
    insert_snapshot: Statement
    next_book: Statement
    head: Statement
    page: Statement
    commands: Statement
    command: Statement
    snapshots: Statement
    revision: Statement


@cache
def statements_for(dialect: str) -> Statements:
    """Read the statements of a dialect."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))[dialect]
    return Statements(
        **{name: Statement(text, tuple(names), standing) for name, (text, names, standing) in kept.items()}
    )
