"""Counting wagers: what the tabulator saw at a press becomes one movement for each jackpot of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pitboss.books import LEDGER, BookState, Movement, RefusedError, movement_of
from pitboss.jackpot.life import record_of
from pitboss.jackpot.state import JACKPOTS
from pitboss.meters import contribute

__all__ = ["tabulated"]

Decide = Callable[[BookState], Sequence[Movement]]


def tabulated(table: str, round_number: int, seats: Mapping[str, Sequence[int]]) -> Decide:
    """Count a round: by jackpot one wager for each of these seats (E-01, E-02)."""

    def decide(state: BookState) -> list[Movement]:
        problems = _round_problems(state, table, round_number, seats)
        if problems:
            raise RefusedError(problems)
        made = []
        for name, present in seats.items():
            details = {"round": round_number, "seats": sorted(present)}
            made.append(_counted(state, name, len(present), details))
        return made

    return decide


def _counted(state: BookState, name: str, wagers: int, details: Mapping[str, object]) -> Movement:
    before = state.of(LEDGER)[name].meter_state
    change = contribute(before, record_of(state, name).jackpot.meter, wagers)
    return movement_of("wagers-counted", name, before, change, details=details)


def _round_problems(state: BookState, table: str, round_number: int, seats: Mapping[str, Sequence[int]]) -> list[str]:
    room = state.of(JACKPOTS)
    problems = []
    if not seats:
        problems.append("a press counts at least one jackpot, even if no seat has a wager on it")
    last = room.last_round(table)
    if type(round_number) is not int or round_number < 1:
        problems.append(f"round {round_number!r} must be a whole number, 1 or more")
    elif last is not None and round_number <= last.round:
        problems.append(f"round {round_number} of table {table} was counted already: the last was {last.round} (E-02)")
    for name, present in seats.items():
        record = room.jackpots.get(name)
        if record is None:
            problems.append(f"there is no jackpot {name!r}")
            continue
        if record.jackpot.linked(table) is None:
            problems.append(f"table {table} is not linked to {name} (T-09)")
        if record.play != "open":
            problems.append(f"{name} is {record.play}: no wager is counted (J-19, T-16)")
        if any(type(seat) is not int or seat < 1 for seat in present) or len(set(present)) != len(present):
            problems.append(f"seats {list(present)!r} of {name} must be different numbers from 1 (G-16)")
    return problems
