"""An entry of the catalogue as both methods are asked for it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Entry"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A wager with its pay tables, readings and shoe; hashable, and written as one line of a golden file."""

    game: str
    wager: str
    paytables: tuple[str, ...]
    readings: tuple[tuple[str, str], ...]
    decks: int | None
    basis: str

    def __str__(self) -> str:
        read = [f"{switch}={reading}" for switch, reading in self.readings]
        shoe = [] if self.decks is None else [f"{self.decks} decks"]
        return " ".join((self.game, self.wager, *self.paytables, *read, *shoe, self.basis))

    def table_of(self, family: str) -> str:
        """The pay table of a family, as `PB/LD` has `PB/LD-3`."""
        return next(table for table in self.paytables if table.rpartition("-")[0] == family)
