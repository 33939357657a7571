"""What a cell of the transcribed pay tables hands back, worked out from the printed text alone."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent.parent / "transcription" / "paytables.json"
_TABLES: list[dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
_LEFT_TO_THE_OPERATOR = {"Bonus", "Jackpot", "Bonus or Jackpot"}


def rows(game: str, wager: str, prefix: str = "") -> list[tuple[str, str, str]]:
    """Every row with an amount of a wager's tables: pay table id, event, cell."""
    return [
        (table["id"], row["event"], row["printed"])
        for table in _TABLES
        if table["game"] == game and table["wager"] == wager and table["id"].startswith(prefix)
        for row in table["rows"]
        if not _LEFT_TO_THE_OPERATOR & {cell["printed"] for cell in table["rows"]}
    ]


def to_one(printed: str, stake_cents: int) -> int:
    """What is handed back on a chip by a cell "to 1"."""
    if printed.lower() == "loss":
        return 0
    if printed.lower() == "push":
        return stake_cents
    return stake_cents + int(Fraction(printed.replace(",", "")) * stake_cents)


def for_one(printed: str, meter_cents: int) -> int:
    """What is handed over for a one-dollar wager by a cell "for 1"."""
    amount = printed.replace(",", "").replace("$", "")
    if amount.endswith("%"):
        return int(Fraction(amount[:-1]) * meter_cents / 100)
    return int(Fraction(amount) * 100)
