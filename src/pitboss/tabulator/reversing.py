"""Which entry counted the wagers that a correction takes back: looked up before the command is in line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pitboss.books import BookState, Movement, RefusedError, read_payload
from pitboss.jackpot import JACKPOTS, counting
from pitboss.jackpot.state import seat_counts
from pitboss.tabulator.correcting import Correction, Reversal

if TYPE_CHECKING:
    from pitboss.tabulator.tables import Tables

__all__ = ["reversal_of"]


class _Counted(NamedTuple):
    """An entry that counted wagers of a jackpot, and the terms it did so under."""

    sequence: int
    movement: Movement
    terms: Any

    def left(self, gone: Mapping[str, int]) -> dict[int, int]:
        """The wagers of it that were not taken back, by seat."""
        return {int(seat): wagers - gone.get(seat, 0) for seat, wagers in seat_counts(self.movement).items()}


def reversal_of(tables: Tables, said: Correction) -> Reversal:
    """Find the entries that counted a round, and give the function that takes seats of one of them back."""
    found = _counted_entries(tables, said) if said.cause == "miscounted" else []
    approver = said.approved_by or said.by.name

    def reversal(name: str, seats: Sequence[int]) -> counting.Decide:
        def decide(state: BookState) -> Sequence[Movement]:
            for each in found:
                gone = state.of(JACKPOTS).jackpots[name].corrected.get(str(each.sequence), {})
                left = each.left(gone)
                if each.movement.jackpot == name and all(left.get(seat, 0) > 0 for seat in seats):
                    wagers = dict.fromkeys(seats, 1)
                    taken = counting.corrected(
                        name, each.movement, each.sequence, wagers, each.terms, said.words, approver
                    )
                    return taken(state)
            told = f"seats {sorted(seats)} of round {said.round} were not counted by one entry of {name}"
            raise RefusedError([f"{told}: correct them one after the other (G-11)"])

        return decide

    return reversal


def _counted_entries(tables: Tables, said: Correction) -> list[_Counted]:
    record = tables.room.tables.get(said.table)
    counted = None if record is None else record.find_round(said.round)
    if counted is None:
        return []
    found = []
    written = tables.books.store.commands(tables.book, list(counted.commands))
    for entries in written.values():
        for entry in entries:
            value = read_payload(entry.kind, entry.payload)
            if isinstance(value, Movement) and value.kind == "wagers-counted":
                _, movement, terms = tables.jackpots.counted_entry(value.jackpot, entry.sequence)
                found.append(_Counted(entry.sequence, movement, terms))
    return found
