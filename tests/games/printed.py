"""What a pay table prints, from the second transcription, and what that is in cents; nothing here comes from `src`."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent.parent / "transcription" / "paytables.json"
_TABLES: list[dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
_CELLS: dict[str, dict[str, str]] = {
    table["id"]: {row["event"]: row["printed"] for row in table["rows"]} for table in _TABLES
}
_LEFT_TO_THE_OPERATOR = {"Bonus", "Jackpot", "Bonus or Jackpot"}


def printed(table_id: str, event: str) -> str:
    """The cell as printed."""
    return _CELLS[table_id][event]


def events_of(table_id: str) -> tuple[str, ...]:
    """The rows of a table in printed order."""
    return tuple(_CELLS[table_id])


def ids_of(prefix: str) -> list[str]:
    """The tables whose id is this prefix and a number or letter, those all left to the operator aside."""
    found = [table_id for table_id in _CELLS if table_id.rpartition("-")[0] == prefix]
    return [table_id for table_id in found if set(_CELLS[table_id].values()) != {"Bonus"}]


def rows(game: str, wager: str, prefix: str = "") -> list[tuple[str, str, str]]:
    """Every row of a wager's tables that leave nothing to the operator: pay table id, event, cell."""
    return [
        (table["id"], event, cell)
        for table in _TABLES
        if table["game"] == game and table["wager"] == wager and table["id"].startswith(prefix)
        for event, cell in _CELLS[table["id"]].items()
        if not _LEFT_TO_THE_OPERATOR & set(_CELLS[table["id"]].values())
    ]


def back_to_one(cell: str, stake_cents: int) -> int:
    """The chips handed back for a stake at odds "to 1", as the cell prints them."""
    if cell.lower() == "loss":
        return 0
    if cell.lower() == "push":
        return stake_cents
    return stake_cents + int(Fraction(cell.replace(",", "")) * stake_cents)


def prize_for_one(cell: str, wager_cents: int, meter_cents: int) -> int:
    """The gross prize of a jackpot wager: dollars, a percentage of the meter, or a multiple of the wager."""
    amount = cell.replace(",", "").strip("$%")
    if cell.endswith("%"):
        return int(Fraction(amount) * meter_cents / 100)
    return int(Fraction(amount) * (100 if cell.startswith("$") else wager_cents))
