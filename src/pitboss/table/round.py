"""A round as a state machine: operations in, settlement out. A round is a value; an operation makes the next.

`verify` names everything that is wrong with an operation, `can` is true if nothing is, `apply` does it; `view` is what
one seat, or everybody, may see of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any

from pitboss import law, rules
from pitboss.cards import Card, card_text, cards_text, parse_cards
from pitboss.games import find_game
from pitboss.table.checks import check_jackpots_together, check_money, check_options, check_persons
from pitboss.table.configuration import Configuration
from pitboss.table.operations import (
    Deal,
    Decide,
    Operation,
    PlaceWagers,
    Reveal,
    Settle,
    Void,
    from_json,
    to_json,
    void_reason,
)
from pitboss.table.reading import read_configuration


class Phase(Enum):
    """What the round waits for."""

    WAGERS = "wagers"
    DEAL = "deal"
    DECISIONS = "decisions"
    REVEAL = "reveal"
    SETTLE = "settle"
    FINISHED = "finished"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat with the faces of its cards: who may see each."""

    seat: rules.Seat
    faces: tuple[rules.Face, ...] = ()

    def dealt(self, card: Card, face: rules.Face) -> SeatState:
        """Deal the seat one more card."""
        return SeatState(self.seat._replace(cards=(*self.seat.cards, card)), (*self.faces, face))

    def turned(self, positions: tuple[int, ...], face: rules.Face) -> SeatState:
        """Turn the cards at these places; a card that is face up stays so."""
        faces = tuple(
            face if place in positions and old is not rules.Face.UP else old for place, old in enumerate(self.faces)
        )
        return SeatState(self.seat, faces)


@dataclass(frozen=True, slots=True)
class RoundState:
    """Where a round stands: the phase, the stage to come, seats in rotation, the board, cards used, lines settled."""

    phase: Phase = Phase.WAGERS
    stage: int = 0
    seats: Mapping[int, SeatState] = field(default_factory=dict)
    board: SeatState = field(default_factory=lambda: SeatState(rules.Seat(0, {})))
    discarded: int = 0
    used: int = 0
    collected: bool = False
    lines: Mapping[int, Mapping[str, rules.SettledLine]] = field(default_factory=dict)
    settlement: rules.Settlement | None = None

    @property
    def all_seats(self) -> tuple[rules.Seat, ...]:
        """The seats in rotation, from the dealer's left."""
        return tuple(self.seats[number].seat for number in sorted(self.seats))


_PHASES = {
    rules.StageKind.COLLECT: Phase.DEAL,
    rules.StageKind.DEAL: Phase.DEAL,
    rules.StageKind.LOOK: Phase.DEAL,
    rules.StageKind.DECIDE: Phase.DECISIONS,
    rules.StageKind.SHOW: Phase.REVEAL,
    rules.StageKind.SETTLE: Phase.SETTLE,
}


def advance(
    game: rules.Game,
    configuration: Configuration,
    shoe: tuple[Card, ...],
    meters: Mapping[str, int],
    state: RoundState,
    operation: Operation,
) -> RoundState:
    """Return the state after an operation that was verified."""
    mover = _Mover(game, configuration, shoe, meters)
    match operation:
        case PlaceWagers(number, wagers, person):
            seats = {**state.seats, number: SeatState(rules.Seat(number, dict(wagers), person=person))}
            return replace(state, seats=seats)
        case Void():
            return mover.void(state, operation)
        case Decide(number, key, value):
            return mover.rest(_decided(state, number, key, value))
        case Deal() | Reveal() | Settle():
            return mover.rest(mover.run(state, _phase_of(game, state)))


def _phase_of(game: rules.Game, state: RoundState) -> Phase:
    return _PHASES[game.stages[state.stage].kind]


def _decided(state: RoundState, number: int, key: str, value: Any) -> RoundState:
    old = state.seats[number]
    seat = old.seat._replace(decisions={**old.seat.decisions, key: value})
    return replace(state, seats={**state.seats, number: replace(old, seat=seat)})


class _Mover:
    """Moves one round through the stages of its game."""

    def __init__(
        self, game: rules.Game, configuration: Configuration, shoe: tuple[Card, ...], meters: Mapping[str, int]
    ) -> None:
        self.game = game
        self.configuration = configuration
        self.shoe = shoe
        self.meters = meters

    def run(self, state: RoundState, phase: Phase) -> RoundState:
        """Run the stages of one phase that stand next to each other; a settlement is done one at a time."""
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
            if stage.kind is rules.StageKind.LOOK:
                # Seats look by themselves as soon as they may.
                state = self._do(stage, state)
            elif self._someone_acts(stage, state):
                return replace(state, phase=_PHASES[stage.kind])
            state = replace(state, stage=state.stage + 1)
        return replace(state, phase=Phase.FINISHED)

    def _someone_acts(self, stage: rules.Stage, state: RoundState) -> bool:
        """Return whether anything happens here: a seat is concerned, a decision is open, or a wager is due."""
        if stage.kind is rules.StageKind.DECIDE:
            readings = self.configuration.terms.readings
            return any(self.game.question(seat, readings) is not None for seat in state.all_seats)
        if stage.kind is rules.StageKind.SETTLE:
            return any(name in seat.wagers for seat in state.all_seats for name in stage.wagers)
        return stage.who is not rules.CardPlace.SEATS or any(stage.entitled(seat) for seat in state.all_seats)

    def _do(self, stage: rules.Stage, state: RoundState) -> RoundState:
        match stage.kind:
            case rules.StageKind.COLLECT:
                return replace(state, collected=True)
            case rules.StageKind.DEAL:
                return self._deal(stage, state) if stage.needed(state.all_seats) else state
            case rules.StageKind.LOOK:
                return self._turn(stage, state, rules.Face.OWN)
            case rules.StageKind.SHOW:
                return self._turn(stage, state, rules.Face.UP)
            case rules.StageKind.SETTLE:
                return self._settle(stage, state)
            case rules.StageKind.DECIDE:
                return state

    def _deal(self, stage: rules.Stage, state: RoundState) -> RoundState:
        if stage.who is rules.CardPlace.DISCARD:
            count = len(stage.faces)
            return replace(state, used=state.used + count, discarded=state.discarded + count)
        if stage.who is rules.CardPlace.BOARD:
            board, used = self._give(state.board, stage, state.used)
            return replace(state, board=board, used=used)
        seats, used = dict(state.seats), state.used
        for number in sorted(seats):
            if stage.entitled(seats[number].seat):
                seats[number], used = self._give(seats[number], stage, used)
        return replace(state, seats=seats, used=used)

    def _give(self, holder: SeatState, stage: rules.Stage, used: int) -> tuple[SeatState, int]:
        for face in stage.faces:
            holder = holder.dealt(self.shoe[used], face)
            used += 1
        return holder, used

    def _turn(self, stage: rules.Stage, state: RoundState, face: rules.Face) -> RoundState:
        if stage.who is rules.CardPlace.BOARD:
            return replace(state, board=state.board.turned(tuple(range(len(state.board.faces))), face))
        seats = {
            number: held.turned(stage.positions(held.seat), face) if stage.entitled(held.seat) else held
            for number, held in state.seats.items()
        }
        return replace(state, seats=seats)

    def _settle(self, stage: rules.Stage, state: RoundState) -> RoundState:
        finished = rules.FinishedRound(
            state.board.seat.cards,
            tuple(
                rules.FinishedSeat(
                    seat.number,
                    {name: cents for name, cents in seat.wagers.items() if name in stage.wagers},
                    seat.cards,
                    self.game.choices(seat.decisions, seat.cards),
                    seat.person,
                )
                for seat in state.all_seats
            ),
        )
        settled = rules.Settler(self.game, self.configuration.terms).settle(finished, self.meters)
        lines = {number: {**state.lines.get(number, {}), **settled.lines[number]} for number in settled.lines}
        jackpots = {**(state.settlement.jackpots if state.settlement else {}), **settled.jackpots}
        return replace(state, lines=lines, settlement=rules.Settlement(lines, jackpots))

    def void(self, state: RoundState, operation: Void) -> RoundState:
        """Return every chip that was put down, also those already taken or paid (G-11)."""
        staked = {seat.number: self._staked(seat, state) for seat in state.all_seats}
        settlement = rules.void_round(staked, void_reason(self.game, operation.reason))
        return replace(state, phase=Phase.VOID, settlement=settlement)

    def _staked(self, seat: rules.Seat, state: RoundState) -> dict[str, dict[str, int]]:
        """Count the chips on the layout by wager: those of settled wagers, else those put down so far."""
        staked = {}
        for name, cents in seat.wagers.items():
            line = state.lines.get(seat.number, {}).get(name)
            if line is not None:
                staked[name] = {chip.part: chip.staked_cents for chip in line.chips}
            else:
                staked[name] = self.game.by_name[name].chips_down(seat.decisions, cents)
        return staked


_FORMAT = "pitboss-round-1"


class OperationRefusedError(ValueError):
    """An operation the round does not allow now, with every reason; the round is as it was."""

    def __init__(self, problems: tuple[rules.Problem, ...]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True, kw_only=True, eq=False)
class Round:
    """One round at a table: its configuration, its shoe, what the meters showed, and all that was done.

    `dealt_before` has left the shoe in earlier rounds, where it is dealt on until a cut card comes out.
    """

    configuration: Configuration
    shoe: tuple[Card, ...]
    meters: Mapping[str, int] = field(default_factory=dict)
    operations: tuple[Operation, ...] = ()
    dealt_before: tuple[Card, ...] = ()

    @cached_property
    def game(self) -> rules.Game:
        """The game that is played."""
        return find_game(self.configuration.game)

    @cached_property
    def state(self) -> RoundState:
        """Where the round stands: the operations folded over the empty round."""
        state = RoundState()
        for operation in self.operations:
            state = advance(self.game, self.configuration, self.shoe, self.meters, state, operation)
        return state

    @property
    def phase(self) -> Phase:
        """What the round waits for."""
        return self.state.phase

    def following(self) -> Round | None:
        """Return the next round from the same shoe; nothing where a fresh shuffle comes first.

        That is always so without a cut card, when the cut card has come out, and after a void round.
        """
        cut_card, used = self.configuration.cut_card, self.state.used
        if cut_card is None or self.phase is not Phase.FINISHED or len(self.dealt_before) + used >= cut_card:
            return None
        before = (*self.dealt_before, *self.shoe[:used])
        return Round(configuration=self.configuration, shoe=self.shoe[used:], meters=self.meters, dealt_before=before)

    @property
    def settlement(self) -> rules.Settlement | None:
        """The settlement, when the round is finished or void."""
        return self.state.settlement if self.phase in (Phase.FINISHED, Phase.VOID) else None

    def question(self) -> tuple[int, rules.Question] | None:
        """The seat whose turn it is and what it must decide, or nothing."""
        if self.phase is not Phase.DECISIONS:
            return None
        for seat in self.state.all_seats:
            question = self.game.question(seat, self.configuration.terms.readings)
            if question is not None:
                return seat.number, question
        return None

    def verify(self, operation: Operation) -> tuple[rules.Problem, ...]:
        """Name everything that speaks against an operation now."""
        match operation:
            case PlaceWagers():
                return self._verify_wagers(operation)
            case Deal():
                if self.phase is Phase.WAGERS and not self.state.seats:
                    return (rules.Problem("deal", "no seat has made a wager"),)
                return self._verify_phase("deal", Phase.WAGERS, Phase.DEAL)
            case Decide():
                return self._verify_decision(operation)
            case Reveal():
                return self._verify_phase("reveal", Phase.REVEAL)
            case Settle():
                return self._verify_phase("settle", Phase.SETTLE)
            case Void():
                if self.phase in (Phase.FINISHED, Phase.VOID):
                    return (rules.Problem("void", f"the round is {self.phase.value} already", ruling="G-11"),)
                return ()

    def can(self, operation: Operation) -> bool:
        """Return whether an operation is allowed now."""
        return not self.verify(operation)

    def apply(self, operation: Operation) -> Round:
        """Apply an operation and return the round after it; refuse it with every reason."""
        problems = self.verify(operation)
        if problems:
            raise OperationRefusedError(problems)
        return replace(self, operations=(*self.operations, operation))

    def _verify_phase(self, what: str, *phases: Phase) -> tuple[rules.Problem, ...]:
        if self.phase in phases:
            return ()
        return (rules.Problem(what, f"not now: the round waits for {self.phase.value}"),)

    def _verify_wagers(self, operation: PlaceWagers) -> tuple[rules.Problem, ...]:
        problems = list(self._verify_phase("wager", Phase.WAGERS))
        configuration, wagers = self.configuration, dict(operation.wagers)
        path = f"seat {operation.seat} wagers"
        if isinstance(operation.seat, bool) or not 1 <= operation.seat <= configuration.seats:
            words = f"{operation.seat} must be a seat from 1 to {configuration.seats}"
            problems.append(rules.Problem("seat", words, ruling="G-16"))
        if len(wagers) != len(operation.wagers):
            problems.append(rules.Problem(path, "a wager stands twice"))
        offered = {name: cents for name, cents in wagers.items() if name in configuration.offered}
        for name in wagers:
            if name not in offered:
                words = f"not offered at this table; it offers: {', '.join(configuration.offered)}"
                problems.append(rules.Problem(f"{path}.{name}", words))
        for name, cents in offered.items():
            problems += self._verify_amount(f"{path}.{name}", name, cents)
        if len(offered) == len(wagers) and all(type(cents) is int for cents in offered.values()):
            rule_set = law.on(configuration.on, configuration.profile)
            problems += check_options(self.game, configuration.terms, operation.seat, offered, rule_set)
            problems += check_money(self.game, operation.seat, offered, rule_set)
            problems += self._verify_person(operation, offered, rule_set)
            others = [seat.wagers for seat in self.state.all_seats if seat.number != operation.seat]
            problems += check_jackpots_together(
                self.game, {*offered, *(name for wagers_of_seat in others for name in wagers_of_seat)}, configuration.on
            )
        return tuple(problems)

    def _verify_person(
        self, operation: PlaceWagers, offered: Mapping[str, int], rule_set: law.RuleSet
    ) -> list[rules.Problem]:
        """Find whether one person on several seats uses more options than one player may (G-41)."""
        if operation.person is None:
            return []
        seats = {seat.number: seat for seat in self.state.all_seats if seat.person == operation.person}
        wagers = {number: seat.wagers for number, seat in seats.items()} | {operation.seat: offered}
        return check_persons(wagers, dict.fromkeys(wagers, operation.person), rule_set)

    def _verify_amount(self, path: str, name: str, cents: Any) -> list[rules.Problem]:
        if isinstance(cents, bool) or not isinstance(cents, int):
            return [rules.Problem(path, f"{cents!r} must be a whole number of cents", ruling="G-3")]
        problems = []
        least, most = self.configuration.limits(name)
        chip = self.configuration.smallest_chip_cents
        if not self.game.by_name[name].jackpot:
            if not least <= cents <= most:
                limits = f"{rules.dollars(least)} to {rules.dollars(most)}"
                words = f"{rules.dollars(cents)} is outside the table's limits of {limits}"
                problems.append(rules.Problem(path, words))
            if cents % chip:
                words = f"{rules.dollars(cents)} cannot be wagered with chips of {rules.dollars(chip)}"
                problems.append(rules.Problem(path, words, ruling="G-3"))
        return problems

    def _verify_decision(self, operation: Decide) -> tuple[rules.Problem, ...]:
        wrong = self._verify_phase("decide", Phase.DECISIONS)
        if wrong:
            return wrong
        turn = self.question()
        assert turn is not None
        seat, question = turn
        path = f"seat {operation.seat} decisions.{operation.key}"
        if operation.seat != seat:
            return (rules.Problem(path, f"it is seat {seat}'s turn", question.clause.id),)
        if operation.key != question.key:
            return (rules.Problem(path, f"the question is {question.key!r}: {question.words}", question.clause.id),)
        if question.takes_cards and not isinstance(operation.value, tuple):
            return (rules.Problem(path, "must be cards", question.clause.id),)
        refusal = question.refusal(operation.value)
        return () if refusal is None else (rules.Problem(path, refusal, question.clause.id, question.ruling),)

    def to_text(self) -> str:
        """Write the round so that it replays to the same bytes."""
        head = {
            "format": _FORMAT,
            "configuration": self.configuration.canonical,
            "hash": self.configuration.content_hash,
            "shoe": cards_text(self.shoe),
            "meters": dict(sorted(self.meters.items())),
        }
        if self.dealt_before:
            head["dealt_before"] = cards_text(self.dealt_before)
        return "\n".join([json.dumps(head, separators=(",", ":")), *map(to_json, self.operations)]) + "\n"

    @staticmethod
    def from_text(text: str) -> Round:
        """Read a round and do its operations again, each of them checked."""
        first, *rest = text.splitlines() or [""]
        try:
            head = json.loads(first)
        except RecursionError:
            raise ValueError("not a round: its first line is nested too deeply") from None
        if not isinstance(head, dict) or head.get("format") != _FORMAT:
            raise ValueError(f"not a round: the first line says {first[:60]!r}")
        try:
            return Round._replayed(head, rest)
        except (AttributeError, KeyError, RecursionError, TypeError) as error:
            raise ValueError(f"the round is damaged: {type(error).__name__}: {error}") from error

    @staticmethod
    def _replayed(head: Mapping[str, Any], rest: Iterable[str]) -> Round:
        read = read_configuration(head["configuration"])
        if read.configuration is None or read.problems or read.configuration.content_hash != head["hash"]:
            raise ValueError("the configuration of the round is damaged: its hash does not agree")
        replayed = Round(
            configuration=read.configuration,
            shoe=parse_cards(head["shoe"]),
            meters=head["meters"],
            dealt_before=parse_cards(head.get("dealt_before", "")),
        )
        for line in rest:
            replayed = replayed.apply(from_json(line))
        return replayed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Round) and self.to_text() == other.to_text()

    def __hash__(self) -> int:
        return hash(self.to_text())


HIDDEN = "??"


@dataclass(frozen=True, slots=True)
class View:
    """A round as one seat may see it: hidden cards are `??`."""

    phase: Phase
    board: tuple[str, ...]
    hands: Mapping[int, tuple[str, ...]]
    wagers: Mapping[int, Mapping[str, int]]
    decisions: Mapping[int, Mapping[str, Any]]
    lines: Mapping[int, Mapping[str, rules.SettledLine]]
    question: rules.Question | None


def _seen(held: SeatState, *, own: bool) -> tuple[str, ...]:
    visible = (rules.Face.UP, rules.Face.OWN) if own else (rules.Face.UP,)
    return tuple(
        card_text(card) if face in visible else HIDDEN for card, face in zip(held.seat.cards, held.faces, strict=True)
    )


def _public(decisions: Mapping[str, Any], *, own: bool) -> dict[str, Any]:
    """A selection of cards lies face down until it is shown; only its owner knows it."""
    return {key: value for key, value in decisions.items() if own or not isinstance(value, tuple)}


def view(played: Round, seat: int | None = None) -> View:
    """Show a round as a seat may see it, or as everybody may where no seat is named."""
    state = played.state
    turn = played.question()
    return View(
        phase=state.phase,
        board=_seen(state.board, own=False),
        hands={number: _seen(held, own=number == seat) for number, held in sorted(state.seats.items())},
        wagers={number: held.seat.wagers for number, held in sorted(state.seats.items())},
        decisions={
            number: _public(held.seat.decisions, own=number == seat) for number, held in sorted(state.seats.items())
        },
        lines=state.lines if played.phase is not Phase.VOID else {},
        question=turn[1] if turn is not None and turn[0] == seat else None,
    )


def to_undo(played: Round) -> tuple[tuple[int, rules.SettledLine], ...]:
    """List what was already taken or paid in a round that is void, for the floor to make good (G-11)."""
    if played.phase is not Phase.VOID:
        return ()
    settled = played.state.lines.items()
    return tuple((seat, line) for seat, lines in settled for line in lines.values() if line.net_cents)


def round_record(played: Round) -> dict[str, Any]:
    """Write a finished round as docs/ROUND_FORMAT.md describes it."""
    configuration, game, state = played.configuration, played.game, played.state
    record: dict[str, Any] = {
        "game": game.name,
        "paytables": {name: list(tables) for name, tables in configuration.terms_spec.paytables.items()},
        "readings": dict(configuration.readings),
        "jackpot_type": configuration.jackpot_type,
        "meters": dict(played.meters),
        "jackpot_wager_cents": {name: jackpot.wager_cents for name, jackpot in configuration.jackpots.items()},
        "bonus_sharing": configuration.bonus_sharing,
        **configuration.limit_fields,
        "on": configuration.on.isoformat(),
        "profile": configuration.profile,
        game.board.name: [card_text(card) for card in state.board.seat.cards],
        "seats": [
            {
                "seat": seat.number,
                "cards": [card_text(card) for card in seat.cards],
                "wagers": dict(seat.wagers),
                "decisions": {
                    key: [card_text(card) for card in value] if isinstance(value, tuple) else value
                    for key, value in seat.decisions.items()
                },
                **({} if seat.person is None else {"person": seat.person}),
            }
            for seat in state.all_seats
        ],
    }
    if configuration.decks is not None:
        record["decks"] = configuration.decks
    if configuration.cut_card is not None:
        record["cut_card"] = configuration.cut_card
        record["dealt_before"] = [card_text(card) for card in played.dealt_before]
    if void := next((operation for operation in played.operations if isinstance(operation, Void)), None):
        record["void"] = void.reason.cause
    return record
