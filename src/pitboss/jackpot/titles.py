"""The one name of a jackpot for people: the title that displays show; its id stands in the books and the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pitboss.games import UnknownGameError, find_game

if TYPE_CHECKING:
    from pitboss.books import BookState
    from pitboss.jackpot.state import JackpotRecord


def wager_title(game: str, wager: str) -> str:
    """Return the title of a wager as displays show it: with a capital, the rest as the rules print it."""
    try:
        described = find_game(game).by_name.get(wager)
    except UnknownGameError:
        described = None
    title = wager if described is None else described.title
    return title[:1].upper() + title[1:]


def tables_text(tables: Sequence[str]) -> str:
    """Return tables in words: `table 1`, `tables 1, 2 and 4`; nothing where there is none."""
    *first, last = tables or ("",)
    if not last:
        return ""
    return f"tables {', '.join(first)} and {last}" if first else f"table {last}"


def jackpot_title(state: BookState, name: str) -> str:
    """Return what a jackpot is called on every screen, report and paper; its id where it is unknown."""
    room = state.parts.get("jackpots")
    return name if room is None else title_among(room.jackpots, name)


def title_among(jackpots: Mapping[str, JackpotRecord], name: str) -> str:
    """Return the title of a jackpot's wager, as displays have it.

    Where several jackpots that are played have one title, each is told apart by its tables; a removed one says that
    it is; an id is added only where nothing else differs.
    """
    record = jackpots.get(name)
    if record is None:
        return name
    title, is_removed = record.jackpot.title, not record.jackpot.tables
    namesakes = [
        other
        for other in jackpots.values()
        if other.jackpot.name != name and other.jackpot.title == title and (not other.jackpot.tables) is is_removed
    ]
    if is_removed:
        return f"{title} (removed, {name})" if namesakes else f"{title} (removed)"
    if not namesakes:
        return title
    place = _place(record)
    return f"{title}, {place}" if all(_place(other) != place for other in namesakes) else f"{title}, {name}"


def _place(record: JackpotRecord) -> str:
    return tables_text([link.table for link in record.jackpot.tables])
