"""Pay tables: the second transcription, the cells, and the tables as a round has them in force (G-6)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

TRANSCRIPTION = Path(__file__).resolve().parent.parent / "transcription" / "paytables.json"
OPERATOR_SET = ("Bonus", "Jackpot", "Bonus or Jackpot")
_AMOUNT = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?")


@dataclass(frozen=True)
class Cell:
    """`kind`: number, dollars, percent, push, loss, none (n/a or a dash), or open (an operator-set word)."""

    kind: str
    value: Fraction = Fraction(0)


@dataclass(frozen=True)
class Row:
    event: str
    printed: str
    cell: Cell
    envy_printed: str | None
    envy: Cell


@dataclass(frozen=True)
class Table:
    id: str
    odds: str
    rows: tuple[Row, ...]

    @property
    def events(self) -> tuple[str, ...]:
        return tuple(row.event for row in self.rows)

    def has_percentage(self) -> bool:
        return any(row.cell.kind == "percent" for row in self.rows)


@lru_cache(maxsize=1)
def transcription() -> dict[str, dict[str, Any]]:
    tables = json.loads(TRANSCRIPTION.read_text(encoding="utf-8"))
    return {table["id"]: table for table in tables}


def family(table_id: str) -> str:
    """`PB/LD-3` -> `PB/LD`: tables of one family are sisters."""
    return table_id.rpartition("-")[0]


def parse_cell(text: str) -> Cell | None:
    """A printed cell, or None if no table could print it."""
    if text in OPERATOR_SET:
        return Cell("open")
    if text in ("n/a", "-"):
        return Cell("none")
    if text == "Push":
        return Cell("push")
    if text in ("loss", "Loss"):
        return Cell("loss")
    kind, body = "number", text
    if text.endswith("%"):  # also "$100%", which is 100% (STC-5)
        kind, body = "percent", text[:-1].removeprefix("$")
    elif text.startswith("$"):
        kind, body = "dollars", text[1:]
    if not _AMOUNT.fullmatch(body):
        return None
    return Cell(kind, Fraction(body.replace(",", "")))


def may_be_nothing(table_id: str, event: str, column: str) -> bool:
    """Whether a sister table prints a loss, a push, $0 or a dash in this row (G-6: zero or a loss is then allowed)."""
    for other in transcription().values():
        if family(other["id"]) == family(table_id):
            for row in other["rows"]:
                if row["event"] == event and row.get(column) in ("loss", "Loss", "Push", "$0", "-"):
                    return True
    return False


def _wrong_kind(cell: Cell, printed: str, table: dict[str, Any], jackpot_type: str, nothing_ok: bool) -> str | None:
    """Why an amount can't stand in a cell printed so, or None."""
    table_id, odds = table["id"], table["odds"]
    deuces = family(table_id) == "BJ"
    if printed == "n/a":
        return "this row can't happen, nothing can be set there"
    if cell.kind in ("open", "none"):
        return "not an amount"
    if cell.kind == "percent" and not 0 < cell.value <= 100:
        return "a percentage is above 0 and at most 100"
    nothing = cell.kind in ("loss", "push") or (cell.kind != "percent" and cell.value == 0)
    if odds == "to":
        allowed: tuple[str, ...] = ("number", "push", "loss")
    elif printed == "Jackpot" or (printed == "Bonus" and deuces and jackpot_type == "progressive"):
        allowed = ("percent",)
    elif printed == "Bonus":
        allowed = ("dollars", "number") if deuces else ("dollars", "loss")
    else:
        allowed = ("dollars", "percent", "loss", "number") if deuces else ("dollars", "percent", "loss")
    if cell.kind not in allowed:
        return f"wrong kind of amount, one of {allowed} wanted"
    if printed in OPERATOR_SET and nothing and not nothing_ok:
        return "zero, push or loss where no sister table loses (G-6)"
    return None


def _worth(cell: Cell, wager_cents: int) -> tuple[int, Fraction]:
    """For comparing a row with the one under it: a percentage is above every fixed amount (G-2)."""
    if cell.kind == "percent":
        return 1, cell.value
    if cell.kind == "loss":
        return 0, Fraction(-1)
    if cell.kind == "dollars":
        return 0, cell.value * 100
    return 0, cell.value * wager_cents


def _column(
    table: dict[str, Any], given: dict[str, Any], column: str, terms: tuple[str, int], problems: list[str]
) -> dict[str, Cell]:
    """The cells of the `printed` or the `envy` column with the given amounts in place."""
    jackpot_type, wager_cents = terms
    name = f"{table['id']}{' Envy' if column == 'envy' else ''}"
    cells: dict[str, Cell] = {}
    events = [row["event"] for row in table["rows"]]
    problems.extend(f"{name}: no row {event!r}" for event in given if event not in events)
    for row in table["rows"]:
        event, printed = row["event"], row[column]
        cell = parse_cell(printed)
        assert cell is not None, (table["id"], printed)
        if event in given:
            text = given[event]
            own = parse_cell(text) if isinstance(text, str) else None
            if own is None:
                problems.append(f"{name}, {event}: {text!r} is not a cell a table could print")
                continue
            nothing_ok = may_be_nothing(table["id"], event, column)
            why = _wrong_kind(own, printed, table, jackpot_type, nothing_ok)
            if column == "envy" and own.kind != "dollars":
                why = None if own.kind == "none" and nothing_ok else "an Envy prize is in dollars"
            if why:
                problems.append(f"{name}, {event}: {text!r}: {why}")
                continue
            cell = own
        elif cell.kind == "open":
            if column == "printed" and event == "5 Wild Cards" and jackpot_type == "progressive":
                cell = Cell("percent", Fraction(100))  # G-6: 100 % unless set
            else:
                problems.append(f"{name}, {event}: operator-set cell without an amount (G-6)")
                continue
        cells[event] = cell
    for upper, lower in pairwise(table["rows"]):
        if upper[column] in OPERATOR_SET and upper["event"] in cells and lower["event"] in cells:
            one, two = cells[upper["event"]], cells[lower["event"]]
            less = _worth(one, wager_cents) < _worth(two, wager_cents)
            problems.extend([f"{name}, {upper['event']}: pays less than the row under it (G-6)"] * less)
    return cells


def table_in_force(entry: Any, jackpot_type: str, wager_cents: int, problems: list[str]) -> Table | None:
    """One entry of a round's `paytables` (an id, or an object with amounts) as a table of cells."""
    custom = entry if isinstance(entry, dict) else {"id": entry}
    table_id = custom.get("id")
    if not isinstance(table_id, str) or table_id not in transcription():
        problems.append(f"unknown pay table {table_id!r}")
        return None
    printed = transcription()[table_id]
    before = len(problems)
    fields = ("id", "pays", "envy")
    problems.extend(f"{table_id}: unknown field {key!r}" for key in custom if key not in fields)
    pays, envy = custom.get("pays", {}), custom.get("envy", {})
    if not isinstance(pays, dict) or not isinstance(envy, dict):
        problems.append(f"{table_id}: pays and envy are objects")
        return None
    if "envy" in custom and table_id != "FCJ-3":
        problems.append(f"{table_id}: only FCJ-3 takes Envy amounts")
        return None
    if table_id == "Win-or-Copy" and pays:
        problems.append("Win-or-Copy is fixed")
    cells = _column(printed, pays, "printed", (jackpot_type, wager_cents), problems)
    envies: dict[str, Cell] = {}
    if family(table_id) == "FCJ":
        envies = _column(printed, envy, "envy", (jackpot_type, wager_cents), problems)
    if len(problems) > before:
        return None
    rows = tuple(
        Row(row["event"], row["printed"], cells[row["event"]], row.get("envy"), envies.get(row["event"], Cell("none")))
        for row in printed["rows"]
    )
    return Table(table_id, printed["odds"], rows)


def best_row(table: Table, events: Iterable[str]) -> Row | None:
    """The best-paying row among the events made, the first printed of equals (G-2); a jackpot's first printed."""
    made = set(events)
    unknown = made - set(table.events)
    assert not unknown, (table.id, unknown)
    rows = [row for row in table.rows if row.event in made]
    if not rows:
        return None
    if table.odds == "for":
        return rows[0]
    return max(rows, key=lambda row: _worth(row.cell, 100))  # max keeps the first of equals


def to_one(cell: Cell, stake_cents: int) -> int:
    """Chips handed back for one chip at odds "to 1": stake and prize, the prize rounded down (G-1, G-3)."""
    if cell.kind == "number":
        return stake_cents + int(cell.value * stake_cents)  # int() of a Fraction >= 0 rounds down
    if cell.kind == "push":
        return stake_cents
    assert cell.kind == "loss", cell
    return 0


def fixed_prize(cell: Cell, wager_cents: int, scaled: bool) -> int:
    """A fixed jackpot prize in cents: dollars (scaled with the wager in STC, G-7) or a multiple of the wager (DW)."""
    if cell.kind == "dollars":
        return int(cell.value * (wager_cents if scaled else 100))
    if cell.kind == "number":
        return int(cell.value * wager_cents)
    return 0
