"""A round as a state machine: operations in, settlement out. A round is a value; applying an operation gives the next.

`verify` names everything that is wrong with an operation, `can` asks whether nothing is, `apply` does it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pitboss import law
from pitboss.cards import Card, cards_text, parse_cards
from pitboss.games import find_game
from pitboss.rules import Game, Problem, Question, Settlement, dollars
from pitboss.table.advance import advance
from pitboss.table.configuration import Configuration
from pitboss.table.limits import check_jackpots_together, check_money, check_options
from pitboss.table.operations import Deal, Decide, Operation, PlaceWagers, Reveal, Settle, Void, from_json, to_json
from pitboss.table.read_configuration import read_configuration
from pitboss.table.state import Phase, RoundState

__all__ = ["OperationRefusedError", "Round"]

_FORMAT = "pitboss-round-1"


class OperationRefusedError(ValueError):
    """An operation the round does not allow now, with every reason; the round is as it was."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True, kw_only=True, eq=False)
class Round:
    """One round at a table: its configuration, its shoe, what the meters showed, and all that was done."""

    configuration: Configuration
    shoe: tuple[Card, ...]
    meters: Mapping[str, int] = field(default_factory=dict)
    operations: tuple[Operation, ...] = ()

    @cached_property
    def game(self) -> Game:
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

    @property
    def settlement(self) -> Settlement | None:
        """The settlement, when the round is finished or void."""
        return self.state.settlement if self.phase in (Phase.FINISHED, Phase.VOID) else None

    def question(self) -> tuple[int, Question] | None:
        """The seat whose turn it is and what it must decide, or nothing."""
        if self.phase is not Phase.DECISIONS:
            return None
        for seat in self.state.all_seats:
            question = self.game.question(seat, self.configuration.terms.readings)
            if question is not None:
                return seat.number, question
        return None

    def verify(self, operation: Operation) -> tuple[Problem, ...]:
        """Name everything that speaks against an operation now."""
        match operation:
            case PlaceWagers():
                return self._verify_wagers(operation)
            case Deal():
                if self.phase is Phase.WAGERS and not self.state.seats:
                    return (Problem("deal", "no seat has made a wager"),)
                return self._verify_phase("deal", Phase.WAGERS, Phase.DEAL)
            case Decide():
                return self._verify_decision(operation)
            case Reveal():
                return self._verify_phase("reveal", Phase.REVEAL)
            case Settle():
                return self._verify_phase("settle", Phase.SETTLE)
            case Void():
                if self.phase in (Phase.FINISHED, Phase.VOID):
                    return (Problem("void", f"the round is {self.phase.value} already", ruling="G-11"),)
                return ()

    def can(self, operation: Operation) -> bool:
        """Tell whether an operation is allowed now."""
        return not self.verify(operation)

    def apply(self, operation: Operation) -> Round:
        """Do an operation and return the round after it; refuse it with every reason."""
        problems = self.verify(operation)
        if problems:
            raise OperationRefusedError(problems)
        return replace(self, operations=(*self.operations, operation))

    def _verify_phase(self, what: str, *phases: Phase) -> tuple[Problem, ...]:
        if self.phase in phases:
            return ()
        return (Problem(what, f"not now: the round waits for {self.phase.value}"),)

    def _verify_wagers(self, operation: PlaceWagers) -> tuple[Problem, ...]:
        problems = list(self._verify_phase("wager", Phase.WAGERS))
        configuration, wagers = self.configuration, dict(operation.wagers)
        path = f"seat {operation.seat} wagers"
        if isinstance(operation.seat, bool) or not 1 <= operation.seat <= configuration.seats:
            words = f"{operation.seat} must be a seat from 1 to {configuration.seats}"
            problems.append(Problem("seat", words, ruling="G-16"))
        if len(wagers) != len(operation.wagers):
            problems.append(Problem(path, "a wager stands twice"))
        known = {name: cents for name, cents in wagers.items() if name in configuration.offered}
        for name in wagers:
            if name not in known:
                words = f"not offered at this table; it offers: {', '.join(configuration.offered)}"
                problems.append(Problem(f"{path}.{name}", words))
        for name, cents in known.items():
            problems += self._verify_amount(f"{path}.{name}", name, cents)
        if len(known) == len(wagers) and all(type(cents) is int for cents in known.values()):
            rule_set = law.on(configuration.on, configuration.profile)
            problems += check_options(self.game, configuration.terms, operation.seat, known, rule_set)
            problems += check_money(self.game, operation.seat, known, rule_set)
            others = [seat.wagers for seat in self.state.all_seats if seat.number != operation.seat]
            problems += check_jackpots_together(self.game, {*known, *(name for made in others for name in made)})
        return tuple(problems)

    def _verify_amount(self, path: str, name: str, cents: Any) -> list[Problem]:
        if isinstance(cents, bool) or not isinstance(cents, int):
            return [Problem(path, f"{cents!r} must be a whole number of cents", ruling="G-3")]
        problems = []
        least, most = self.configuration.limits(name)
        chip = self.configuration.smallest_chip_cents
        if not self.game.by_name[name].jackpot:
            if not least <= cents <= most:
                words = f"{dollars(cents)} is outside the table's limits of {dollars(least)} to {dollars(most)}"
                problems.append(Problem(path, words))
            if cents % chip:
                words = f"{dollars(cents)} cannot be wagered with chips of {dollars(chip)}"
                problems.append(Problem(path, words, ruling="G-3"))
        return problems

    def _verify_decision(self, operation: Decide) -> tuple[Problem, ...]:
        wrong = self._verify_phase("decide", Phase.DECISIONS)
        if wrong:
            return wrong
        asked = self.question()
        assert asked is not None
        seat, question = asked
        path = f"seat {operation.seat} decisions.{operation.key}"
        if operation.seat != seat:
            return (Problem(path, f"it is seat {seat}'s turn", question.clause.id),)
        if operation.key != question.key:
            return (Problem(path, f"the question is {question.key!r}: {question.words}", question.clause.id),)
        if question.takes_cards and not isinstance(operation.value, tuple):
            return (Problem(path, "must be cards", question.clause.id),)
        refusal = question.refusal(operation.value)
        return () if refusal is None else (Problem(path, refusal, question.clause.id, question.ruling),)

    def to_text(self) -> str:
        """Write the round so that it replays to the same bytes."""
        head = {
            "format": _FORMAT,
            "configuration": self.configuration.canonical,
            "hash": self.configuration.content_hash,
            "shoe": cards_text(self.shoe),
            "meters": dict(sorted(self.meters.items())),
        }
        return "\n".join([json.dumps(head, separators=(",", ":")), *map(to_json, self.operations)]) + "\n"

    @staticmethod
    def from_text(text: str) -> Round:
        """Read a round and do its operations again, each of them checked."""
        first, *rest = text.splitlines()
        head = json.loads(first)
        if head.get("format") != _FORMAT:
            raise ValueError(f"not a round: the first line says {head.get('format')!r}")
        read = read_configuration(head["configuration"])
        if read.configuration is None or read.problems or read.configuration.content_hash != head["hash"]:
            raise ValueError("the configuration of the round is damaged: its hash does not agree")
        replayed = Round(configuration=read.configuration, shoe=parse_cards(head["shoe"]), meters=head["meters"])
        for line in rest:
            replayed = replayed.apply(from_json(line))
        return replayed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Round) and self.to_text() == other.to_text()

    def __hash__(self) -> int:
        return hash(self.to_text())
