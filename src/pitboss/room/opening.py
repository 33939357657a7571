"""What may open: all that is held against a table, asked by its opening, the first day and every page alike."""

from pitboss.books import BookState
from pitboss.jackpot.state import local_day
from pitboss.room.configurations import configuration_at, problems_on
from pitboss.tabulator import TABLES
from pitboss.tabulator import setup as equipment


def opening_problems(state: BookState, table: str, at: int) -> list[str]:
    """Return what the room holds against opening a table now: the rules of today for its configuration in force."""
    configuration = configuration_at(state, table)
    return [] if configuration is None else problems_on(configuration, local_day(state, at))


def table_problems(state: BookState, table: str, at: int) -> list[str]:
    """Return everything held against opening a table now: its equipment and jackpots, and what the room has."""
    record = state.of(TABLES).tables.get(table)
    equipped = [] if record is None else equipment.opening_problems(record.setup, state, local_day(state, at))
    return list(dict.fromkeys([*map(str, equipped), *opening_problems(state, table, at)]))
