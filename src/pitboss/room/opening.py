"""What may open: all that is held against a table, asked by its opening, the first day and every page alike."""

from pitboss.books import BookState
from pitboss.jackpot import JACKPOTS
from pitboss.jackpot.state import local_day
from pitboss.room.approval_records import record_problems
from pitboss.room.configurations import configuration_at, own_table_problems, problems_on
from pitboss.room.displays import bare_problems, jackpot_games, jackpot_showing_problems, showing_problems
from pitboss.tabulator import TABLES
from pitboss.tabulator import setup as equipment
from pitboss.tabulator.state import shift_at


def _setup(state: BookState, table: str, at: int) -> equipment.TableSetup | None:
    """Return the set-up that holds when a table opens now: one that was prepared for today comes into force."""
    record, shift = state.of(TABLES).tables.get(table), shift_at(state, at)
    if record is None or shift is None:
        return None if record is None else record.setup
    return record.setup_on(shift.day.isoformat())


def approval_problems(state: BookState, table: str, at: int) -> list[str]:
    """Return which approvals are not on record for the game that a table opens with (O-16, P-04)."""
    setup = _setup(state, table, at)
    if setup is None:
        return []
    return record_problems(state, table, setup.game, setup.profile, on=local_day(state, at))


def opening_problems(state: BookState, table: str, at: int) -> list[str]:
    """Return what the room holds against opening a table now: today's rules, approvals, and its displays."""
    configuration = configuration_at(state, table)
    today = local_day(state, at)
    problems = [] if configuration is None else problems_on(configuration, today)
    problems += approval_problems(state, table, at)
    problems += [] if configuration is None else own_table_problems(state, table, configuration, today)
    for game in sorted(jackpot_games(state, table)):
        problems += bare_problems(state, {table: game})
    return [*problems, *showing_problems(state, table)]


def jackpot_opening_problems(state: BookState, name: str) -> list[str]:
    """Return what the room holds against opening a jackpot now: the displays of its tables."""
    record = state.of(JACKPOTS).jackpots.get(name)
    if record is None:
        return []
    games = {link.table: link.game for link in record.jackpot.tables}
    return [*bare_problems(state, games), *jackpot_showing_problems(state, record.jackpot)]


def table_problems(state: BookState, table: str, at: int) -> list[str]:
    """Return everything held against opening a table now: its equipment and jackpots, and what the room has."""
    setup = _setup(state, table, at)
    equipped = [] if setup is None else equipment.opening_problems(setup, state, local_day(state, at))
    return list(dict.fromkeys([*map(str, equipped), *opening_problems(state, table, at)]))
