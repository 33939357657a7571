"""Invariants of jackpots: what the law demands of their entries, asked before an entry is written and in every audit.

They look only where the jackpots are part of the state; books that were opened without this package have none.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.books import LEDGER, BookState, Invariant, Movement, Step, register_invariants
from pitboss.jackpot.entries import JackpotSet, PlaySet
from pitboss.jackpot.state import JackpotRecord, found, seat_counts

__all__: list[str] = []


def _record(state: BookState, name: str) -> JackpotRecord | None:
    room = found(state)
    return None if room is None else room.jackpots.get(name)


def _two_people(step: Step) -> Iterator[str]:
    """Section 10, 10: a definition, a change and an opening have the approval of a second person (T-06, T-18)."""
    value = step.value
    if isinstance(value, JackpotSet) or (isinstance(value, PlaySet) and value.play == "open"):
        if not value.approved_by.strip():
            yield f"a {value.kind} needs the approval of a second person"
        elif value.approved_by.casefold() == step.entry.actor.casefold():
            yield f"{step.entry.actor} approves a change of his own"
    if isinstance(value, JackpotSet | PlaySet) and not value.words.strip():
        yield f"a {value.kind} says why in words"


def _closed_changes(step: Step) -> Iterator[str]:
    """Parameters of a jackpot change only while it is closed (T-16)."""
    value = step.value
    name = value.jackpot.name if isinstance(value, JackpotSet) else getattr(value, "jackpot", None)
    if isinstance(value, JackpotSet) or (isinstance(value, Movement) and value.kind == "terms-changed"):
        before = _record(step.before, str(name))
        if isinstance(value, JackpotSet) and value.first and before is not None:
            yield f"jackpot {name} is defined already"
        elif before is not None and before.play != "closed":
            yield f"jackpot {name} is {before.play}: its parameters change only while it is closed"


def _counts(step: Step) -> Iterator[str]:
    """Section 10, 4: a round's wagers are those of its seats, counted once, at a linked table, while play is open."""
    movement = step.value
    if not isinstance(movement, Movement) or movement.kind != "wagers-counted":
        return
    before = _record(step.before, movement.jackpot)
    if before is None:
        return
    name, table = movement.jackpot, step.entry.table
    if before.play != "open":
        yield f"{name} is {before.play}: no wager is counted"
    if before.jackpot.linked(table) is None:
        yield f"table {table!r} is not linked to {name}"
    wagers = movement.counts.get("wagers_counted", 0)
    by_seat = sum(seat_counts(movement).values())
    if wagers != by_seat:
        yield f"{wagers} wagers of {name} are counted and {by_seat} at its seats"
    room = found(step.before)
    last = None if room is None else room.last_round(table)
    number = movement.details.get("round")
    if last is not None and not _follows(last.round, last.command, last.seats, number, step):
        yield f"round {number!r} of table {table} does not follow round {last.round}"


def _follows(last: int, command: str, counted: object, number: object, step: Step) -> bool:
    if type(number) is not int:
        return False
    if number > last:
        return True
    # Two jackpots on one layout are counted by one press, each by an entry of its own.
    assert isinstance(step.value, Movement)
    return number == last and command == step.entry.command and step.value.jackpot not in counted  # type: ignore[operator]


def _agree(state: BookState) -> Iterator[str]:
    """Section 10, 4: seats = tables = rounds = the counter; and the definition in force is that of the ledger."""
    room = found(state)
    if room is None:
        return
    ledger = state.of(LEDGER)
    for name, record in room.jackpots.items():
        accounts = ledger.get(name)
        if accounts is None:
            continue
        counts = accounts.counts
        by_seat = sum(sum(seats.values()) for seats in record.counted.values())
        if by_seat != counts["wagers_counted"] - counts["wagers_reversed"]:
            yield f"the seats of {name} have {by_seat} wagers, the counter {counts['wagers_counted']}"
        if accounts.balances["displayed"] != record.displayed_units:
            yield f"the display of {name} is followed at {record.displayed_units}, the ledger says otherwise"
        meter = record.jackpot.meter
        if tuple(accounts.terms) != (meter.jackpot_type, meter.wager_cents, meter.cap_cents):
            yield f"the terms of {name} in the ledger are not those of its definition"


register_invariants(
    Invariant(
        name="jackpot-approval",
        says="nobody defines, changes or opens a jackpot alone",
        sources=("section 10 no. 10", "T-06", "T-18"),
        step=_two_people,
    ),
    Invariant(
        name="jackpot-closed",
        says="parameters change only while a jackpot is closed",
        sources=("T-16",),
        step=_closed_changes,
    ),
    Invariant(
        name="jackpot-counts",
        says="seats are the table's count, rounds are counted once",
        sources=("section 10 no. 4", "M-11", "E-02"),
        step=_counts,
        end=_agree,
    ),
)
