"""What always holds of configurations: each opens as it was approved, at or after its time, never within a round."""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.books import BookState, Invariant, Step, register_invariants
from pitboss.server.dealing.entries import DEALING, Dealt
from pitboss.server.posting import POSTED, TablePosted, posts_at
from pitboss.tabulator import TABLES

__all__ = ["round_problems"]


def round_problems(state: BookState, table: str) -> list[str]:
    """Say that a round is on a table: terms do not change within one (T-16)."""
    tables = state.parts.get(TABLES.name)
    record = None if tables is None else tables.tables.get(table)
    found = []
    if record is not None and record.life != "closed" and record.phase != "open":
        found.append(f"round {record.on_table} is on the table: it ends first (T-16)")
    dealt = state.parts.get(DEALING.name, {}).get(table, Dealt())
    if dealt.is_on:
        found.append(f"dealt round {dealt.round} is on the table: it ends first (T-16)")
    return found


def _sound(step: Step) -> Iterator[str]:
    """A configuration opens as it was approved, at or after its time, between rounds."""
    value = step.value
    if POSTED.name not in step.before.parts or not value.prepared:
        return
    found = next((each for each in posts_at(step.before, value.table).prepared if each.number == value.prepared), None)
    if found is None:
        yield f"configuration {value.prepared} was not prepared for table {value.table} (T-16)"
        return
    if found.opens > step.entry.recorded:
        yield f"configuration {value.prepared} opens later (T-16)"
    yield from round_problems(step.before, value.table)


register_invariants(
    Invariant(
        name="posted",
        says="a configuration opens as two people approved it, in time, between rounds",
        sources=("T-16", "T-06"),
        step=_sound,
        about=TablePosted,
    )
)
