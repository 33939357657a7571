"""What a later package adds: kinds of entries, a part of the state, an invariant; all sealed, replayed and audited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from pitboss.books import (
    Draft,
    Entry,
    EntryStep,
    Invariant,
    MovementKind,
    Payload,
    Projection,
    RefusedError,
    UnreadableError,
    read_payload,
    register_kinds,
    register_movements,
)
from pitboss.books.audit import check_books, rebuild
from tests.books.making import BOOK, Room, command, counting, opening


@dataclass(frozen=True, slots=True)
class TableNoted:
    """A table was opened or closed."""

    table: str
    is_open: bool

    @property
    def kind(self) -> str:
        return "test-table-noted"

    def to_json(self) -> dict[str, Any]:
        return {"table": self.table, "is_open": self.is_open}


def _fold(tables: Mapping[str, bool], _: Entry, value: Payload) -> Mapping[str, bool]:
    return {**tables, value.table: value.is_open} if isinstance(value, TableNoted) else tables


TABLES: Projection[Mapping[str, bool]] = Projection(
    name="test-tables", shape=Mapping[str, bool], empty={}, fold=_fold, kinds=frozenset({"test-table-noted"})
)


def _no_news(step: EntryStep) -> Iterator[str]:
    if (
        isinstance(step.value, TableNoted)
        and step.before.parts.get("test-tables", {}).get(step.value.table) == step.value.is_open
    ):
        yield f"table {step.value.table} is {'open' if step.value.is_open else 'closed'} already"


register_kinds(["test-table-noted"], lambda _, said: TableNoted(**said))
register_movements(MovementKind("test-gift", "the house gives to a meter", words=True))
INVARIANTS = (
    Invariant(
        name="test-news",
        says="a table opens when it is closed",
        sources=("T-16",),
        kinds=frozenset({"test-table-noted"}),
        step=_no_news,
    ),
)


def noting(command_id: str, table: str, *, is_open: bool) -> Any:
    value = TableNoted(table, is_open)
    return command(command_id, lambda _: [Draft(value)], value.to_json())


def test_a_part_of_the_state_is_folded_sealed_and_rebuilt(room: Room) -> None:
    with room.open(projections=[TABLES], invariants=(), snapshot_every=4) as books:
        books.submit(opening())
        for number in range(6):
            books.submit(noting(f"n{number}", f"t{number % 2}", is_open=number % 4 < 2))
            books.submit(counting(f"c{number}"))
        assert {"t0": True, "t1": True} == books.state(BOOK).of(TABLES)
        state = books.state(BOOK)
    with room.open(projections=[TABLES], invariants=()) as books:
        assert state.parts == books.state(BOOK).parts
        assert books._readings[BOOK].entries < 12

    assert state.parts == rebuild(room.directory, projections=[TABLES], processes=1)[BOOK].state.parts
    assert check_books(room.directory, projections=[TABLES], invariants=()).is_sound


def test_an_invariant_of_a_later_package_is_asked_at_the_door_and_in_audits(room: Room) -> None:
    with room.open(projections=[TABLES], invariants=INVARIANTS) as books:
        books.submit(noting("a", "t", is_open=True))
        with pytest.raises(RefusedError, match="table t is open already"):
            books.submit(noting("b", "t", is_open=True))
    with room.open() as books:
        # Without its part of the state nobody knows better; an audit that has it does.
        books.submit(noting("c", "t", is_open=True))
    report = check_books(room.directory, projections=[TABLES], invariants=INVARIANTS)

    assert ["table t is open already"] == [finding.words for finding in report.findings]
    assert "test-news" in [invariant.name for invariant in report.invariants]


def test_books_without_a_later_package_still_check_what_they_know(room: Room) -> None:
    """A snapshot that was sealed with more parts is good for those that are known."""
    with room.open(projections=[TABLES], invariants=()) as books:
        books.submit(opening())
        books.submit(noting("a", "t", is_open=True))
        books.seal(BOOK)
        books.submit(counting("c"))
    plain = room.read(whole=False)

    assert 2 == plain.entries
    assert room.read().state.parts == plain.state.parts
    assert check_books(room.directory).is_sound


def test_a_kind_that_nobody_knows_is_not_passed_over_in_silence() -> None:
    with pytest.raises(UnreadableError, match="no entry of kind 'test-unknown' is known"):
        read_payload("test-unknown", "{}")
