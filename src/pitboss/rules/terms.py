"""Terms: everything a settlement depends on besides cards, decisions and stakes, as one value with a content hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from pitboss.cards import Deck
from pitboss.rules.paytables import PayTable

__all__ = ["BonusSharing", "JackpotType", "Terms"]

JackpotType: TypeAlias = Literal["progressive", "bonus"]
BonusSharing: TypeAlias = Literal["full", "split"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Terms:
    """The pay tables in force by slot, the readings, the deck and the jackpots' terms of one table.

    `base_multiples_max` caps a wager at so many times the base wager of its seat, where the operator set that.
    Two terms are equal when their canonical texts are.
    """

    game: str
    deck: Deck
    tables: Mapping[str, PayTable]
    readings: Mapping[str, str]
    jackpot_type: JackpotType = "progressive"
    jackpot_wager_cents: Mapping[str, int] = field(default_factory=dict)
    bonus_sharing: BonusSharing = "full"
    fixed_from_meter: frozenset[str] = frozenset()
    base_multiples_max: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def canonical(self) -> str:
        """One line of text that says it all and is the same for equal terms."""
        tables = {
            slot: {
                "id": table.id,
                "rows": [
                    [row.event, str(row.pay)] + ([] if row.envy_printed is None else [str(row.envy or "-")])
                    for row in table.rows
                ],
            }
            for slot, table in self.tables.items()
        }
        content = {
            "game": self.game,
            "decks": self.deck.decks,
            "tables": tables,
            "readings": dict(self.readings),
            "jackpot_type": self.jackpot_type,
            "jackpot_wager_cents": dict(self.jackpot_wager_cents),
            "bonus_sharing": self.bonus_sharing,
            "fixed_from_meter": sorted(self.fixed_from_meter),
            "base_multiples_max": dict(self.base_multiples_max),
        }
        return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @cached_property
    def content_hash(self) -> str:
        """The SHA-256 of the canonical text, by which results name the terms they hold under."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terms) and self.canonical == other.canonical

    def __hash__(self) -> int:
        return hash(self.canonical)
