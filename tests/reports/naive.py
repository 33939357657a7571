"""The second road: figures of reports once more, straight from the raw rows of the journal, with code of its own.

Nothing of `pitboss.reports`, of the ledger or of the fold is used here: plain SQL, JSON and sums.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

FUNDS = ("displayed", "reserve", "overflow")


class Raw(NamedTuple):
    """One row of the journal, its payload taken apart."""

    sequence: int
    happened: int
    recorded: int
    actor: str
    table: str
    kind: str
    said: dict[str, Any]
    command: str


def raw_rows(path: Path) -> list[Raw]:
    file = path if path.is_file() else path / "journal.sqlite3"
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        query = (
            'SELECT sequence, happened, recorded, actor, "table", kind, payload, command FROM entries ORDER BY sequence'
        )
        rows = connection.execute(query).fetchall()
    finally:
        connection.close()
    return [Raw(*row)._replace(said=json.loads(row[6])) for row in rows]


def within(rows: list[Raw], begins: int, ends: int) -> list[Raw]:
    return [row for row in rows if begins <= row.recorded < ends]


def balance(rows: list[Raw], jackpot: str, account: str, before: int) -> int:
    """What an account holds just before an instant: all that came less all that went."""
    total = 0
    for row in rows:
        if row.recorded < before and row.said.get("jackpot") == jackpot:
            for payer, payee, units, *_ in row.said.get("transfers", ()):
                total += units if payee == account else 0
                total -= units if payer == account else 0
    return total


def seats_of(said: dict[str, Any]) -> list[tuple[int, int]]:
    """By seat the wagers of a count."""
    details = said.get("details", {})
    if "seat_counts" in details:
        return [(seat, number) for seat, number in details["seat_counts"]]
    return [(seat, 1) for seat in details.get("seats", ())]


def wagers(rows: list[Raw], kind: str = "wagers-counted") -> Counter[tuple[str, str, int]]:
    """By jackpot, table and seat how many wagers entries of a kind speak of."""
    found: Counter[tuple[str, str, int]] = Counter()
    for row in rows:
        if row.kind == kind:
            for seat, number in seats_of(row.said):
                found[row.said["jackpot"], row.table, seat] += number
    return found


def moved(rows: list[Raw], jackpot: str, payer: str, payee: str, kind: str | None = None) -> int:
    """Units that went from one account to another."""
    return sum(
        units
        for row in rows
        if row.said.get("jackpot") == jackpot and kind in (None, row.kind)
        for giver, taker, units, *_ in row.said.get("transfers", ())
        if (giver, taker) == (payer, payee)
    )
