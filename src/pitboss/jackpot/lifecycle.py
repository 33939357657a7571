"""The life of a jackpot, as entries: defined, changed while closed, opened with its seed, closed, suspended."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pitboss.books import LEDGER, BookState, Payload, RefusedError, movement_of
from pitboss.jackpot.checks import jackpot_problems, room_problems
from pitboss.jackpot.definitions import Jackpot
from pitboss.jackpot.entries import JackpotSet, Play, PlayReason, PlaySet
from pitboss.jackpot.state import JACKPOTS, JackpotRecord
from pitboss.meters import change_terms, open_meter

Decide = Callable[[BookState], Sequence[Payload]]


def record_of(state: BookState, name: str) -> JackpotRecord:
    """Find a jackpot in a state, or refuse."""
    room = state.of(JACKPOTS)
    if name not in room.jackpots:
        raise RefusedError([f"there is no jackpot {name!r}; there are: {', '.join(room.jackpots) or 'none'}"])
    return room.jackpots[name]


def defined(jackpot: Jackpot, words: str, approved_by: str) -> Decide:
    """Write a new definition."""
    # What needs no state is checked before the command is in line.
    own = jackpot_problems(jackpot)

    def decide(state: BookState) -> list[Payload]:
        problems = [*map(str, own)]
        if jackpot.name in state.of(JACKPOTS).jackpots or jackpot.name in state.of(LEDGER):
            problems.append(f"there is a jackpot {jackpot.name!r} already")
        problems += [] if own else map(str, room_problems(jackpot, state.of(JACKPOTS)))
        if problems:
            raise RefusedError(problems)
        return [JackpotSet(jackpot=jackpot, words=words, approved_by=approved_by, first=True)]

    return decide


def changed(jackpot: Jackpot, words: str, approved_by: str) -> Decide:
    """Write a changed definition, and new terms of the meter where it has been opened."""
    own = jackpot_problems(jackpot)

    def decide(state: BookState) -> list[Payload]:
        before = record_of(state, jackpot.name)
        problems = [*map(str, own)]
        problems += [] if own else map(str, room_problems(jackpot, state.of(JACKPOTS)))
        if not before.jackpot.tables:
            problems.append(f"{jackpot.name} is removed: define another (J-17)")
        if before.play != "closed":
            problems.append(f"{jackpot.name} is {before.play}: its parameters change only while it is closed (T-16)")
        if jackpot.meter.jackpot_type != before.jackpot.meter.jackpot_type:
            problems.append("the type of a jackpot does not change: define another (J-01)")
        if problems:
            raise RefusedError(problems)
        made: list[Payload] = [JackpotSet(jackpot=jackpot, words=words, approved_by=approved_by, first=False)]
        accounts = state.of(LEDGER).get(jackpot.name)
        if accounts is not None and jackpot.meter != before.jackpot.meter:
            meter = accounts.meter_state
            change = change_terms(meter, before.jackpot.meter, jackpot.meter, words=words)
            said = {"words": words, "approved_by": approved_by}
            made.append(movement_of("terms-changed", jackpot.name, meter, change, **said))
        return made

    return decide


def opened(name: str, words: str, approved_by: str) -> Decide:
    """Open play, and the meter with its seed where it has none."""

    def decide(state: BookState) -> list[Payload]:
        record = record_of(state, name)
        if record.play == "open":
            raise RefusedError([f"{name} is open already"])
        if not record.jackpot.tables:
            raise RefusedError([f"{name} is removed: define another (J-17)"])
        made: list[Payload] = []
        if name not in state.of(LEDGER):
            change = open_meter(record.jackpot.meter)
            made.append(movement_of("jackpot-opened", name, None, change, approved_by=approved_by))
        reason = PlayReason.BUSINESS
        return [*made, PlaySet(name=name, play="open", reason=reason, words=words, approved_by=approved_by)]

    return decide


def stopped(name: str, play: Play, words: str, reason: PlayReason = PlayReason.BUSINESS) -> Decide:
    """Close or suspend play."""

    def decide(state: BookState) -> list[Payload]:
        record = record_of(state, name)
        if record.play == play:
            raise RefusedError([f"{name} is {play} already"])
        return [PlaySet(name=name, play=play, reason=reason, words=words)]

    return decide
