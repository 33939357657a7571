"""Corrections of a counted round, and rounds that are void (F-07, G-11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, get_args

from pitboss.books import BookState, Draft, Movement
from pitboss.games import find_game
from pitboss.jackpot import HITS, Person, counting
from pitboss.jackpot.hit_state import Claimed
from pitboss.tabulator.deciding import (
    FLOOR,
    Decide,
    approval_problems,
    jackpots_by_wager,
    refuse,
    role_problems,
    table_of,
    words_problems,
)
from pitboss.tabulator.entries import CorrectionCause, RoundCorrected, RoundVoided, VoidCause
from pitboss.tabulator.values import CountedRound, TableRecord

__all__ = ["Correction", "corrected", "is_before_next_press", "voided"]

CAUSES: tuple[CorrectionCause, ...] = get_args(CorrectionCause)
VOID_CAUSES: tuple[VoidCause, ...] = get_args(VoidCause)
Reversal = Callable[[str, Sequence[int]], Callable[[BookState], Sequence[Movement]]]
"""Gives the movement that takes a jackpot's counted wagers of some seats back, as an equipment malfunction."""


class Correction(NamedTuple):
    """What was wrong with a counted round: a wager's seats, and why (G-11).

    `missed`: a wager lay there and was not seen. `miscounted`: it was counted and did not lie there. `refunded`: it
    lay there, was counted, and is given back; no meter falls for that.
    """

    table: str
    round: int
    wager: str
    cause: CorrectionCause
    seats: tuple[int, ...]
    words: str
    by: Person
    approved_by: str = ""


def is_before_next_press(record: TableRecord, number: int) -> bool:
    """Whether a round is the one on the table: the press that ends it has not come yet."""
    return record.phase == "tabulated" and record.on_table == number


def corrected(said: Correction, reversal: Reversal) -> Decide:
    """Put a counted round right: the dealer before the next press, afterwards a supervisor with a second person."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, said.table)
        found = record.find_round(said.round)
        problems = [*_people_problems(record, said), *words_problems(said.words), *_round_problems(record, said)]
        if found is not None:
            problems += _seat_problems(state, record, found, said)
        refuse(problems)
        entry = RoundCorrected(
            round=said.round,
            wager=said.wager,
            cause=said.cause,
            seats=tuple(sorted(said.seats)),
            words=said.words,
            by=said.by.name,
            role=said.by.role,
            approved_by=said.approved_by,
        )
        return [Draft(entry), *(Draft(movement) for movement in _movements(state, said, reversal))]

    return decide


def _people_problems(record: TableRecord, said: Correction) -> list[str]:
    if is_before_next_press(record, said.round):
        problems = role_problems(said.by, ("dealer", *FLOOR), "the round on the table is corrected")
        if said.by.role == "dealer" and said.by.name != record.dealer:
            problems.append(f"{record.dealer} is in charge of table {record.table}, not {said.by.name} (E-02)")
        return problems
    problems = role_problems(said.by, FLOOR, f"after the next press round {said.round} is corrected")
    return problems + approval_problems(said.by.name, said.approved_by, "after the next press a round is corrected")


def _round_problems(record: TableRecord, said: Correction) -> list[str]:
    problems = []
    found = record.find_round(said.round)
    if said.cause not in CAUSES:
        problems.append(f"{said.cause!r} is none of the causes: {', '.join(CAUSES)} (G-11)")
    if found is None:
        kept = [each.round for each in record.rounds]
        told = f"{kept[0]} to {kept[-1]}" if kept else "none"
        problems.append(f"round {said.round} of table {record.table} is none of the last: {told} (F-07)")
    elif found.voided:
        problems.append(f"round {said.round} of table {record.table} is void (G-11)")
    if said.wager not in record.setup.wagers:
        problems.append(f"{said.wager!r} is not counted at table {record.table} (E-01)")
    wrong = [seat for seat in said.seats if type(seat) is not int or not 1 <= seat <= record.setup.seats]
    if wrong or not said.seats or len(set(said.seats)) != len(said.seats):
        problems.append(f"seats {list(said.seats)}: different numbers from 1 to {record.setup.seats} (G-16)")
    return problems


def _seat_problems(state: BookState, record: TableRecord, found: CountedRound, said: Correction) -> list[str]:
    there, gone = found.counted.get(said.wager, ()), found.removed.get(said.wager, ())
    linked = jackpots_by_wager(state, record.table).get(said.wager)
    is_jackpot = said.wager in record.setup.wagers and find_game(record.setup.game).by_name[said.wager].jackpot
    problems = []
    if found.rounds > 1 and (said.cause != "miscounted" or linked is None):
        problems.append(f"round {said.round} ends a batch of {found.rounds}: only a miscount of it is corrected (G-35)")
    if said.cause == "refunded" and not is_jackpot:
        problems.append(f"{said.wager} stays on the layout and is not collected: nothing is refunded (E-03)")
    if is_jackpot and linked is None:
        problems.append(f"no jackpot is linked to table {record.table} on {said.wager} (T-09)")
    for seat in said.seats:
        if said.cause == "missed" and (seat in there or seat in gone):
            problems.append(f"seat {seat} was counted in round {said.round} (G-11)")
        elif said.cause != "missed" and seat not in there:
            problems.append(f"seat {seat} has no wager on {said.wager} in round {said.round} (G-11)")
    if linked is not None and said.cause != "missed":
        claimed = state.of(HITS).claimed.get(record.table, ())
        paid = [seat for seat in said.seats if Claimed(said.round, linked.jackpot.name, seat) in claimed]
        problems += [
            f"seat {seat} has a prize of round {said.round}: reject or correct it first (G-2)" for seat in paid
        ]
    return problems


def _movements(state: BookState, said: Correction, reversal: Reversal) -> Sequence[Movement]:
    linked = jackpots_by_wager(state, said.table).get(said.wager)
    if linked is None:
        return ()
    name = linked.jackpot.name
    # Before the next press the table acts and whoever corrects it approves; afterwards two people do (G-31).
    approver = said.approved_by or said.by.name
    if said.cause == "missed":
        missed = {"words": said.words, "approved_by": approver}
        return counting.missed_counted(name, said.table, said.round, said.seats, **missed)(state)
    if said.cause == "refunded":
        return counting.refunded(name, said.table, said.round, said.seats, said.words)(state)
    return reversal(name, said.seats)(state)


def voided(table: str, number: int, cause: VoidCause, words: str, by: Person, approved_by: str) -> Decide:
    """Make a round void, by two people: counted jackpot wagers are refunded by the house (G-11)."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        found = record.find_round(number)
        problems = role_problems(by, FLOOR, "a round is made void")
        problems += approval_problems(by.name, approved_by, "a round is made void")
        problems += words_problems(words)
        if cause not in VOID_CAUSES:
            problems.append(f"{cause!r} is none of the causes: {', '.join(VOID_CAUSES)} (G-11)")
        if found is None:
            problems.append(f"round {number} of table {table} is none of the last that were counted (G-11)")
        elif found.voided:
            problems.append(f"round {number} of table {table} is void already (G-11)")
        elif found.rounds > 1:
            problems.append(f"round {number} was counted in a batch of {found.rounds}: its seats are not known (G-35)")
        refuse(problems)
        assert found is not None
        entry = RoundVoided(round=number, cause=cause, words=words, by=by.name, approved_by=approved_by)
        linked = jackpots_by_wager(state, table)
        refunds = any(found.counted.get(wager) for wager in linked)
        movements = counting.voided(table, number, words)(state) if refunds else ()
        return [Draft(entry), *(Draft(movement) for movement in movements)]

    return decide
