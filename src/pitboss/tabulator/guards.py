"""What every decision about a table asks: whether it is there, who may act, and what day it is."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence

from pitboss.books import ROOM, BookState, Draft, RefusedError, Shift
from pitboss.jackpot import JACKPOTS, JackpotRecord, Person
from pitboss.tabulator.state import TABLES
from pitboss.tabulator.values import TableRecord

Decide = Callable[[BookState], Sequence[Draft]]
FLOOR = ("supervisor", "manager")
"""Who looks after tables on the floor."""
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def refuse(problems: Iterable[str]) -> None:
    """Refuse with all problems at once, or do nothing where there are none."""
    found = list(problems)
    if found:
        raise RefusedError(found)


def table_of(state: BookState, table: str) -> TableRecord:
    """Find a table in a state, or refuse."""
    known = state.of(TABLES).tables
    if table not in known:
        raise RefusedError([f"there is no table {table!r}; there are: {', '.join(known) or 'none'} (T-09)"])
    return known[table]


def role_problems(by: Person, roles: Sequence[str], what: str) -> list[str]:
    """Say that somebody may not do this, by his role."""
    if by.role in roles and by.name.strip():
        return []
    return [f"{what} by a {' or a '.join(roles)}, not by {by.name or 'nobody'} as a {by.role} (T-06)"]


def approval_problems(by: str, approved_by: str, what: str) -> list[str]:
    """Say that a second person must approve (G-31)."""
    if approved_by.strip() and approved_by.casefold() != by.casefold():
        return []
    return [f"{what} by two people: {approved_by or 'nobody'!r} is no second person (T-06, G-31)"]


def words_problems(words: str) -> list[str]:
    """Say that the reason is missing."""
    return [] if words.strip() else ["state the reason in words (M-02)"]


def jackpots_by_wager(state: BookState, table: str) -> dict[str, JackpotRecord]:
    """The jackpots that a table is linked to, by the wager they are won on there."""
    return {record.jackpot.offer_at(table).wager: record for record in state.of(JACKPOTS).at(table)}


def shift_at(state: BookState, instant: int) -> Shift | None:
    """The shift an instant belongs to, by the room's clocks; none where the room has no settings."""
    calendar = state.of(ROOM)
    return None if calendar is None else calendar.shift(_EPOCH + datetime.timedelta(microseconds=instant))
