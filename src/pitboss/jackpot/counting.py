"""Counting wagers: the movements of a round, and those that correct or refund one."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pitboss import books
from pitboss.commands import refuse
from pitboss.commands.command import BOOK
from pitboss.jackpot.definitions import JackpotSet
from pitboss.jackpot.state import JACKPOTS, JackpotRecord, RoomJackpots, TabulatedRound, record_of, seat_counts
from pitboss.meters import MeterTerms, correct_count, refund_void


def count_round(
    state: books.BookState,
    table: str,
    round_number: int,
    seats: Mapping[str, Sequence[int]],
    persons: Sequence[Sequence[int]] = (),
    happened: int | None = None,
) -> list[books.Movement]:
    """Count a round: by jackpot one wager for each of these seats (E-01, E-02).

    `persons` are groups of seats that one person plays: they give one another no Envy (FCP-5). `happened` is when the
    press was, where it comes later (G-43).
    """
    problems = _press_problems(state, table, round_number, 1, list(seats), happened)
    for name, numbers in seats.items():
        problems += _seat_problems(state, name, numbers)
    refuse(problems)
    groups = {"persons": [sorted(group) for group in persons]} if persons else {}
    return [
        _count(state, name, len(numbers), {"round": round_number, "seats": sorted(numbers), **groups})
        for name, numbers in seats.items()
    ]


def count_batch(
    state: books.BookState,
    table: str,
    last_round: int,
    rounds: int,
    wagers: Mapping[str, Mapping[int, int]],
    by_round: Mapping[str, Sequence[Sequence[int]]] | None = None,
) -> list[books.Movement]:
    """Count rounds that a table kept while it was cut off, together: by jackpot the wagers of each seat (M-10).

    `by_round` has by jackpot the seats of each round, where the batch names them (G-35).
    """
    problems = _press_problems(state, table, last_round, rounds, list(wagers))
    for name, by_seat in wagers.items():
        problems += _seat_problems(state, name, list(by_seat))
        if any(type(number) is not int or not 0 <= number <= rounds for number in by_seat.values()):
            title = state.of(JACKPOTS).title(name)
            problems.append(f"a seat of {title} has at most one wager in each of {rounds} rounds: {dict(by_seat)}")
    refuse(problems)
    return [
        _count(
            state,
            name,
            sum(by_seat.values()),
            _batch_details(last_round, rounds, by_seat, () if by_round is None else by_round[name]),
        )
        for name, by_seat in wagers.items()
    ]


def _batch_details(
    last_round: int, rounds: int, by_seat: Mapping[int, int], by_round: Sequence[Sequence[int]]
) -> dict[str, Any]:
    pairs = [[seat, wagers] for seat, wagers in sorted(by_seat.items()) if wagers]
    seats = {"by_round": [sorted(seats) for seats in by_round]} if by_round and rounds > 1 else {}
    return {"round": last_round, "rounds": rounds, "seat_counts": pairs, **seats}


def count_missed(
    state: books.BookState,
    name: str,
    table: str,
    round_number: int,
    seats: Sequence[int],
    *,
    alone: str = "",
    **reason: str,
) -> list[books.Movement]:
    """Count wagers of an earlier round that the tabulator missed: they are counted anew (G-11).

    `alone` is the role of somebody who does so without a second person, before the next press (G-39).
    """
    room = state.of(JACKPOTS)
    problems = _play_problems(state, table, [name]) + _seat_problems(state, name, seats)
    last = room.last_round(table)
    if last is None or type(round_number) is not int or not 1 <= round_number <= last.round:
        problems.append(f"round {round_number!r} of table {table} has not been counted")
    problems += _not_played_problems(room, table, round_number, name)
    for recent in room.rounds.get(table, ()):
        again = sorted(set(recent.seats.get(name, ())) & set(seats)) if recent.round == round_number else []
        if again:
            problems.append(f"seats {again} were counted in round {round_number}")
    refuse(problems if seats else [*problems, "name the seats that were missed"])
    details = {"round": round_number, "seats": sorted(seats), "missed": True, **({"alone": alone} if alone else {})}
    return [_count(state, name, len(seats), details, **reason)]


def _not_played_problems(room: RoomJackpots, table: str, number: int, name: str) -> list[str]:
    """Return that a jackpot was not played in a round: no wager of it was taken, so none can have been missed."""
    rounds = room.rounds.get(table, ())
    if not rounds or number < rounds[0].round - rounds[0].rounds + 1:
        return []
    counted = next((recent for recent in rounds if recent.holds(number)), None)
    if counted is not None and name in counted.seats:
        return []
    title, gone = room.title(name), "every wager of it was given back"
    return [f"{title} was not played in round {number} of table {table}: {gone} (J-18, J-19)"]


def _count(
    state: books.BookState, name: str, wagers: int, details: Mapping[str, object], **reason: str
) -> books.Movement:
    displayed = state.of(books.LEDGER)[name].balances["displayed"]
    return books.count_of(name, displayed, record_of(state, name).jackpot.meter, wagers, details, **reason)


def refund_round(state: books.BookState, table: str, round_number: int, reason: str) -> list[books.Movement]:
    """Refund the counted wagers of a void round, by the house; the meters stay as they are (G-11)."""
    return [
        _refund(state, name, seats, {"round": round_number, "seats": list(seats)}, reason)
        for name, seats in _recent_round(state, table, round_number).seats.items()
        if seats
    ]


def refund_seats(
    state: books.BookState, name: str, table: str, round_number: int, seats: Sequence[int], reason: str
) -> list[books.Movement]:
    """Refund counted wagers of some seats of a round, by the house; the meter stays, and they win nothing (G-11)."""
    counted = _recent_round(state, table, round_number).seats.get(name, ())
    problems = _seat_problems(state, name, seats) if seats else ["name the seats whose wagers are refunded"]
    lacking = sorted(set(seats) - set(counted))
    if lacking:
        title = state.of(JACKPOTS).title(name)
        problems.append(f"seats {lacking} had no wager of {title} counted in round {round_number} (E-02)")
    refuse(problems)
    return [_refund(state, name, seats, {"round": round_number, "seats": sorted(seats), "some": True}, reason)]


def _refund(
    state: books.BookState, name: str, seats: Sequence[int], details: Mapping[str, object], reason: str
) -> books.Movement:
    before = state.of(books.LEDGER)[name].meter_state
    change = refund_void(before, record_of(state, name).jackpot.meter, len(seats))
    return books.movement_of("wagers-refunded", name, before, change, words=reason, details=details)


def _recent_round(state: books.BookState, table: str, round_number: int) -> TabulatedRound:
    rounds = {recent.round: recent for recent in state.of(JACKPOTS).rounds.get(table, ())}
    whole = next((recent for recent in rounds.values() if recent.holds(round_number)), None)
    recent = None if whole is None else whole.only(round_number) or whole
    place = f"round {round_number!r} of table {table}"
    if recent is None:
        numbers = ", ".join(map(str, rounds)) or "none"
        raise books.RefusedError([f"{place} is none of the last that were counted: {numbers} (G-11)"])
    if recent.voided:
        raise books.RefusedError([f"{place} was void already (G-11)"])
    if recent.rounds > 1:
        batch = f"{place} was counted in a batch of {recent.rounds}"
        raise books.RefusedError(
            [f"{batch} of which only totals were entered: its seats are not known (G-35); two people name them"]
        )
    return recent


class CountedEntry(NamedTuple):
    """An entry that counted wagers of a jackpot, and the terms it did so under."""

    entry: books.Entry
    movement: books.Movement
    terms: MeterTerms

    @property
    def sequence(self) -> int:
        """The number of the entry."""
        return self.entry.sequence

    def left(self, record: JackpotRecord) -> dict[int, int]:
        """Return the wagers of it that were not taken back, by seat."""
        removed = record.corrected.get(str(self.sequence), {})
        return {int(seat): wagers - removed.get(seat, 0) for seat, wagers in seat_counts(self.movement).items()}


def counted_entry(
    store: books.JournalStore, state: books.BookState, name: str, sequence: int, book: str = BOOK
) -> CountedEntry:
    """Return an entry that counted wagers of a jackpot, with the terms they were counted under, or refuse."""
    entry = store.entry(book, sequence)
    movement = None if entry is None else books.read_payload(entry.kind, entry.payload)
    is_count = isinstance(movement, books.Movement) and (movement.kind, movement.jackpot) == ("wagers-counted", name)
    definition_entry = store.entry(book, record_of(state, name).set_before(sequence)) if is_count else None
    if entry is None or definition_entry is None:
        raise books.RefusedError([f"entry {sequence!r} counted no wagers of {state.of(JACKPOTS).title(name)}"])
    definition = books.read_payload(definition_entry.kind, definition_entry.payload)
    assert isinstance(movement, books.Movement)
    assert isinstance(definition, JackpotSet)
    return CountedEntry(entry, movement, definition.jackpot.meter)


def take_back(
    state: books.BookState,
    counted: CountedEntry,
    wagers: Mapping[int, int],
    reason: str,
    approver: str,
    alone: str = "",
    round_number: int | None = None,
) -> list[books.Movement]:
    """Reverse wagers that the tabulator counted wrongly in an entry, as an equipment malfunction (G-11).

    `alone` is the role of somebody who does so without a second person, before the next press (G-39); `round_number`
    is the round that is meant, where several were counted together (G-35).
    """
    name, sequence = counted.movement.jackpot, counted.sequence
    record = record_of(state, name)
    left, problems = counted.left(record), _seat_problems(state, name, list(wagers))
    for seat, number in wagers.items():
        if type(number) is not int or not 1 <= number <= left.get(seat, 0):
            problems.append(
                f"seat {seat} has {left.get(seat, 0)} wagers of entry {sequence} to take back, not {number!r}"
            )
    refuse(problems if wagers else ["name the seats whose wagers were counted wrongly"])
    before = state.of(books.LEDGER)[name].meter_state
    change = correct_count(
        before,
        record.jackpot.meter,
        sum(wagers.values()),
        generation=record.generation_at(sequence),
        words=reason,
        counted_under=counted.terms,
    )
    pairs = [[seat, number] for seat, number in sorted(wagers.items())]
    meant = counted.movement.details["round"] if round_number is None else round_number
    details = {"round": meant, "seat_counts": pairs, **({"alone": alone} if alone else {})}
    why: dict[str, Any] = {
        "words": reason,
        "approved_by": approver,
        "reason": books.CorrectionReason.EQUIPMENT_MALFUNCTION.value,
        "corrects": sequence,
    }
    return [books.movement_of("count-corrected", name, before, change, details=details, **why)]


def _press_problems(
    state: books.BookState,
    table: str,
    round_number: int,
    rounds: int,
    names: Sequence[str],
    happened: int | None = None,
) -> list[str]:
    problems = [] if names else ["a press counts at least one jackpot, even if no seat has a wager on it"]
    last = state.of(JACKPOTS).last_round(table)
    if type(round_number) is not int or type(rounds) is not int or not 1 <= rounds <= round_number:
        problems.append(f"round {round_number!r}, the last of {rounds!r}: both must be whole numbers from 1 on")
    elif last is not None and round_number - rounds + 1 <= last.round:
        first = round_number - rounds + 1
        problems.append(f"round {first} of table {table} was counted already: the last was {last.round} (E-02)")
    return problems + _play_problems(state, table, names, happened)


def _play_problems(state: books.BookState, table: str, names: Sequence[str], happened: int | None = None) -> list[str]:
    problems = []
    for name in names:
        record = state.of(JACKPOTS).jackpots.get(name)
        if record is None:
            problems.append(f"there is no jackpot {name!r}")
            continue
        if record.jackpot.linked(table) is None:
            problems.append(f"table {table} is not linked to {record.jackpot.title} (T-09)")
        if record.play != "open" and (happened is None or not record.plays_at(happened)):
            problems.append(f"{record.jackpot.title} is {record.play}: no wager is counted (J-19, T-16)")
    return problems


def _seat_problems(state: books.BookState, name: str, seats: Sequence[int]) -> list[str]:
    if all(type(seat) is int and seat >= 1 for seat in seats) and len(set(seats)) == len(seats):
        return []
    return [f"{state.of(JACKPOTS).title(name)}, seats {list(seats)!r}: they must be different numbers from 1 (G-16)"]
