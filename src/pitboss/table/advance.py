"""How an operation moves a round on: following the stages of the game up to where someone has to act."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pitboss.cards import Card
from pitboss.rules import (
    CardPlace,
    Face,
    FinishedRound,
    FinishedSeat,
    Game,
    Reason,
    Seat,
    Settlement,
    Settler,
    Stage,
    StageKind,
    void_round,
)
from pitboss.table.configuration import Configuration
from pitboss.table.operations import Deal, Decide, Operation, PlaceWagers, Reveal, Settle, Void
from pitboss.table.state import Phase, RoundState, SeatState

__all__ = ["advance"]

_PHASES = {
    StageKind.COLLECT: Phase.DEAL,
    StageKind.DEAL: Phase.DEAL,
    StageKind.LOOK: Phase.DEAL,
    StageKind.DECIDE: Phase.DECISIONS,
    StageKind.SHOW: Phase.REVEAL,
    StageKind.SETTLE: Phase.SETTLE,
}


def advance(
    game: Game,
    configuration: Configuration,
    shoe: tuple[Card, ...],
    meters: Mapping[str, int],
    state: RoundState,
    operation: Operation,
) -> RoundState:
    """Give the state after an operation that was verified."""
    mover = _Mover(game, configuration, shoe, meters)
    match operation:
        case PlaceWagers(number, wagers, person):
            seats = {**state.seats, number: SeatState(Seat(number, dict(wagers), person=person))}
            return replace(state, seats=seats)
        case Void():
            return mover.void(state, operation)
        case Decide(number, key, value):
            return mover.rest(_decided(state, number, key, value))
        case Deal() | Reveal() | Settle():
            return mover.rest(mover.run(state, _phase_of(game, state)))


def _phase_of(game: Game, state: RoundState) -> Phase:
    return _PHASES[game.stages[state.stage].kind]


def _decided(state: RoundState, number: int, key: str, value: Any) -> RoundState:
    old = state.seats[number]
    seat = old.seat._replace(decisions={**old.seat.decisions, key: value})
    return replace(state, seats={**state.seats, number: replace(old, seat=seat)})


class _Mover:
    """Moves one round through the stages of its game."""

    def __init__(
        self, game: Game, configuration: Configuration, shoe: tuple[Card, ...], meters: Mapping[str, int]
    ) -> None:
        self.game = game
        self.configuration = configuration
        self.shoe = shoe
        self.meters = meters

    def run(self, state: RoundState, phase: Phase) -> RoundState:
        """Do the stages of one phase that stand next to each other; a settlement is done one at a time."""
        while state.stage < len(self.game.stages) and _phase_of(self.game, state) is phase:
            state = self._do(self.game.stages[state.stage], state)
            state = replace(state, stage=state.stage + 1)
            if phase is Phase.SETTLE:
                break
        return state

    def rest(self, state: RoundState) -> RoundState:
        """Come to rest where someone has to act, passing stages in which nobody has anything to do."""
        while state.stage < len(self.game.stages):
            stage = self.game.stages[state.stage]
            if stage.kind is StageKind.LOOK:
                # Seats look by themselves as soon as they may.
                state = self._do(stage, state)
            elif self._someone_acts(stage, state):
                return replace(state, phase=_PHASES[stage.kind])
            state = replace(state, stage=state.stage + 1)
        return replace(state, phase=Phase.FINISHED)

    def _someone_acts(self, stage: Stage, state: RoundState) -> bool:
        """Tell whether anything happens here: a seat is concerned, a decision is open, or a wager is due."""
        if stage.kind is StageKind.DECIDE:
            readings = self.configuration.terms.readings
            return any(self.game.question(seat, readings) is not None for seat in state.all_seats)
        if stage.kind is StageKind.SETTLE:
            return any(name in seat.wagers for seat in state.all_seats for name in stage.wagers)
        return stage.who is not CardPlace.SEATS or any(stage.entitled(seat) for seat in state.all_seats)

    def _do(self, stage: Stage, state: RoundState) -> RoundState:
        match stage.kind:
            case StageKind.COLLECT:
                return replace(state, collected=True)
            case StageKind.DEAL:
                return self._deal(stage, state) if stage.needed(state.all_seats) else state
            case StageKind.LOOK:
                return self._turn(stage, state, Face.OWN)
            case StageKind.SHOW:
                return self._turn(stage, state, Face.UP)
            case StageKind.SETTLE:
                return self._settle(stage, state)
            case StageKind.DECIDE:
                return state

    def _deal(self, stage: Stage, state: RoundState) -> RoundState:
        if stage.who is CardPlace.DISCARD:
            count = len(stage.faces)
            return replace(state, used=state.used + count, discarded=state.discarded + count)
        if stage.who is CardPlace.BOARD:
            board, used = self._give(state.board, stage, state.used)
            return replace(state, board=board, used=used)
        seats, used = dict(state.seats), state.used
        for number in sorted(seats):
            if stage.entitled(seats[number].seat):
                seats[number], used = self._give(seats[number], stage, used)
        return replace(state, seats=seats, used=used)

    def _give(self, holder: SeatState, stage: Stage, used: int) -> tuple[SeatState, int]:
        for face in stage.faces:
            holder = holder.dealt(self.shoe[used], face)
            used += 1
        return holder, used

    def _turn(self, stage: Stage, state: RoundState, face: Face) -> RoundState:
        if stage.who is CardPlace.BOARD:
            return replace(state, board=state.board.turned(tuple(range(len(state.board.faces))), face))
        seats = {
            number: held.turned(stage.positions(held.seat), face) if stage.entitled(held.seat) else held
            for number, held in state.seats.items()
        }
        return replace(state, seats=seats)

    def _settle(self, stage: Stage, state: RoundState) -> RoundState:
        finished = FinishedRound(
            state.board.seat.cards,
            tuple(
                FinishedSeat(
                    seat.number,
                    {name: cents for name, cents in seat.wagers.items() if name in stage.wagers},
                    seat.cards,
                    self.game.choices(seat.decisions, seat.cards),
                    seat.person,
                )
                for seat in state.all_seats
            ),
        )
        settled = Settler(self.game, self.configuration.terms).settle(finished, self.meters)
        lines = {number: {**state.lines.get(number, {}), **settled.lines[number]} for number in settled.lines}
        jackpots = {**(state.settlement.jackpots if state.settlement else {}), **settled.jackpots}
        return replace(state, lines=lines, settlement=Settlement(lines, jackpots))

    def void(self, state: RoundState, operation: Void) -> RoundState:
        """Return every chip that was put down, also those already taken or paid (G-11)."""
        clause = next(stage.clause for stage in self.game.stages if stage.kind is StageKind.DEAL)
        words = f"the round is void ({operation.reason.value}): every wager is returned"
        staked = {seat.number: self._staked(seat, state) for seat in state.all_seats}
        settlement = void_round(staked, Reason(clause, words, "G-11"))
        return replace(state, phase=Phase.VOID, settlement=settlement)

    def _staked(self, seat: Seat, state: RoundState) -> dict[str, dict[str, int]]:
        """Count the chips on the layout by wager: those of settled wagers, else those put down so far."""
        staked = {}
        for name, cents in seat.wagers.items():
            line = state.lines.get(seat.number, {}).get(name)
            if line is not None:
                staked[name] = {chip.part: chip.staked_cents for chip in line.chips}
            else:
                staked[name] = self.game.by_name[name].chips_down(seat.decisions, cents)
        return staked
