"""The one name of a jackpot for people: the title that displays show; its id stands in the books and the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitboss.jackpot.definitions import tables_text, wager_title

if TYPE_CHECKING:
    from pitboss.books import BookState

__all__ = ("jackpot_title", "tables_text", "wager_title")


def jackpot_title(state: BookState, name: str) -> str:
    """Return what a jackpot is called on every screen, report and paper; its id where it is unknown."""
    room = state.parts.get("jackpots")
    return name if room is None else str(room.title(name))
