"""Whether jackpot wagers are taken at a table now, for everybody who looks at it: what refuses a count says so here."""

from typing import Literal, TypeAlias

from pitboss.books import BookState
from pitboss.tabulator.state import tables_of

Block: TypeAlias = Literal["", "closed", "suspended", "equipment-down", "line-lost"]
"""Why no jackpot wager is taken at a table; empty where they are taken."""


def jackpot_block(state: BookState, table: str) -> Block:
    """Return why a table takes no jackpot wagers, by the conditions by which its presses are refused (T-09, E-09).

    A table that is counted without a set-up of its own has nothing that speaks against them.
    """
    room = tables_of(state)
    record = None if room is None else room.tables.get(table)
    if room is None or record is None:
        return ""
    if record.life == "closed":
        return "closed"
    if record.is_suspended_at():
        return "suspended"
    if record.is_down_without_wagers:
        return "equipment-down"
    device = room.devices.get(record.setup.device)
    if record.down is None and device is not None and device.lost:
        return "line-lost"
    return ""
