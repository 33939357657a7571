"""Jobs of the worker for practice: the exact value of every answer, and the price of somebody's own play."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from pitboss import odds
from pitboss.games import find_game
from pitboss.learn.coach import Asked, decided_hand, option_values
from pitboss.server.worker.jobs import Job, SlowJob, configuration_of
from pitboss.table import Configuration


@lru_cache(maxsize=16)
def _configuration(text: str) -> Configuration:
    return configuration_of(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachCountsJob(SlowJob):
    """The counts that a game's coach reads, so that no quick job has to count; stored on disk."""

    configuration: str

    def run(self) -> dict[str, Any]:
        """Count the wagers with decisions."""
        configuration, store = _configuration(self.configuration), odds.default_store()
        game = find_game(configuration.game)
        for name in configuration.wagers:
            wager = game.by_name[name]
            if wager is game.main or wager.shares is not None:
                odds.solve_terms(game, wager, configuration.terms, store=store)
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachJob(Job):
    """The exact value of every answer to a question; the counts stay in the worker's memory."""

    configuration: str
    asked: dict[str, Any]

    def run(self) -> dict[str, Any]:
        """Look the hand up in the counts."""
        configuration = _configuration(self.configuration)
        best = partial(odds.best, store=odds.default_store())
        values = option_values(configuration, find_game(configuration.game), Asked.from_json(self.asked), best)
        return {"values": [None if value is None else str(value) for value in values]}


def values_of(result: dict[str, Any]) -> tuple[Fraction | None, ...]:
    """Read the values of a coach's job."""
    return tuple(None if text is None else Fraction(text) for text in result["values"])


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPlayJob(SlowJob):
    """The exact price of somebody's own way of playing, beside optimal play and the lines for people."""

    configuration: str
    decisions: list[dict[str, Any]]

    def run(self) -> dict[str, Any]:
        """Price the play by the classes of hands that were decided."""
        configuration, store = _configuration(self.configuration), odds.default_store()
        game = find_game(configuration.game)
        decided = [
            odds.DecidedHand(*decided_hand(Asked.from_json(item["asked"]), item["answer"])) for item in self.decisions
        ]
        own = odds.price_own(game, configuration.terms, decided, store=store)
        lines = odds.strategies(game, configuration.terms, store=store).recommended
        return {
            "own": str(own.ev),
            "optimal": str(own.optimal),
            "share": str(own.share),
            "lines": str(lines.ev),
            "how_many": lines.lines,
        }
