"""Issue 20: what the first hand of a drill, and the coach's first figure, wait for."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from pitboss.games import all_games
from pitboss.odds import solving, strategy
from pitboss.rules import Game, Wager
from pitboss.server.worker.learning import CoachCountsJob
from pitboss.table import default_configuration


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_drill_waits_for_the_counts_of_decisions_alone(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen: a first hand of 3 Card Double Play waited for the odds of Pick 3 and Pick 5, which no coach reads."""
    counted: list[str] = []

    def count(_game: Game, wager: Wager, _terms: Any, **_named: Any) -> None:
        counted.append(wager.name)

    for module in (solving, strategy):
        monkeypatch.setattr(module, "counts_of", count)
    configuration = default_configuration(game, datetime.date(2026, 11, 18))
    CoachCountsJob(configuration=configuration.canonical).run()
    deciding = {wager.name for wager in game.wagers if strategy.strategy_module(game, game.main).hand_specs(wager.name)}
    assert set(counted) == deciding & set(configuration.wagers)
