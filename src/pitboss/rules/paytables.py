"""Pay tables as the documents print them, read from a game's `paytables.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable

from pitboss.law import Citation, Clauses
from pitboss.rules.pays import Odds, OperatorSet, Pay, parse_cell

__all__ = ["PayTable", "Row", "load_paytables"]


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the event as printed, the cell as printed, what it pays, and the Envy cell where there is one."""

    event: str
    printed: str
    pay: Pay
    envy_printed: str | None = None
    envy: Pay | None = None


@dataclass(frozen=True)
class PayTable:
    """One column of a pay table: rows in printed order, all "to 1" or all "for 1"."""

    id: str
    wager: str
    odds: Odds
    rows: tuple[Row, ...]
    source: Citation
    note: Citation

    def row(self, event: str) -> Row | None:
        """Return the row of an event as printed, if this table has one."""
        return next((row for row in self.rows if row.event == event), None)

    @cached_property
    def operator_set(self) -> tuple[Row, ...]:
        """The rows that still wait for an amount of the operator, Envy included."""
        return tuple(row for row in self.rows if isinstance(row.pay, OperatorSet) or isinstance(row.envy, OperatorSet))

    def with_rows(self, rows: tuple[Row, ...]) -> PayTable:
        """Return the table with other rows, as an operator has set them."""
        return PayTable(self.id, self.wager, self.odds, rows, self.source, self.note)


def _pay(text: str, odds: Odds, table_id: str) -> Pay:
    pay = parse_cell(text, odds)
    if pay is None:
        raise ValueError(f"{table_id}: {text!r} is no cell of a pay table 'odds {odds} 1'")
    return pay


def _row(event: str, printed: str, envy: str | None, odds: Odds, table_id: str) -> Row:
    envy_pay = None if envy in (None, "-") else _pay(str(envy), odds, table_id)
    return Row(event, printed, _pay(printed, odds, table_id), envy, envy_pay)


def load_paytables(file: Traversable, clauses: Clauses) -> dict[str, PayTable]:
    """Read every table of a file: each `[[grid]]` is an appendix with a column for every id."""
    tables: dict[str, PayTable] = {}
    for grid in tomllib.loads(file.read_text(encoding="utf-8"))["grid"]:
        for column, table_id in enumerate(grid["ids"]):
            rows = tuple(
                _row(event, cells[column], grid.get("envy", {}).get(event, [None] * 9)[column], grid["odds"], table_id)
                for event, cells in grid["rows"].items()
            )
            if table_id in tables:
                raise ValueError(f"pay table {table_id} stands twice in {file.name}")
            tables[table_id] = PayTable(
                table_id, grid["wager"], grid["odds"], rows, clauses[grid["source"]], clauses[grid["note"]]
            )
    return tables
