"""What a situation pays, in units of the base stake: the naive settlement of `tests/twin`, on cards that show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.golden.entries import Entry
from tests.twin.amounts import tables_of
from tests.twin.rounds import GAMES, SLOTS
from tests.twin.tables import OPERATOR_SET, transcription
from tests.twin.twin import settle

__all__ = ["net_units", "printed"]

_STAKE_CENTS = 100
# A base wager must stand beside every other (G-19); which table it has changes nothing for them.
_BASE_TABLES = {
    "three-card-prime": ["PW/BB-1"],
    "super-three-card": ["PT-FLT-STC-01"],
    "four-card-prime": ["Win-1", "BB-1"],
    "three-card-double-play": ["LWB-1"],
}


def net_units(
    entry: Entry, *, cards: Sequence[str], board: Sequence[str], decisions: Mapping[str, Any] | None = None
) -> Fraction:
    """Settle one round and give what the wager wins, in units of its stake; meters show nothing, nobody else plays."""
    game = GAMES[entry.game]
    tables = {entry.wager: [entry.table_of(family) for family in SLOTS[entry.game, entry.wager]]}
    wagers = {entry.wager: _STAKE_CENTS}
    if game.base_required and entry.wager != game.base:
        tables[game.base] = _BASE_TABLES[entry.game]
        wagers[game.base] = _STAKE_CENTS
    record: dict[str, Any] = {
        "game": entry.game,
        "paytables": tables,
        "readings": dict(entry.readings),
        "meters": {wager: 0 for wager in wagers if wager in game.jackpots},
        "community" if entry.game == "deuces-wild" else "dealer": list(board),
        "seats": [{"seat": 1, "cards": list(cards), "wagers": wagers, "decisions": dict(decisions or {})}],
    }
    if entry.decks is not None:
        record["decks"] = entry.decks
    out = settle(record)
    assert "error" not in out, (record, out)
    return Fraction(out["seats"][0]["wagers"][entry.wager]["net_cents"], _STAKE_CENTS)


def printed(game: str, family: str) -> list[str]:
    """The tables of a family that leave no amount to the operator, in the second transcription."""
    return [
        table
        for table in tables_of(game, family)
        if not any(row["printed"] in OPERATOR_SET for row in transcription()[table]["rows"])
    ]
