"""A strategy file: what `pitboss strategy --json` wrote is read back to the very same decisions."""

from __future__ import annotations

import json
from typing import Any

import numpy
import pytest
from typer.testing import CliRunner

from pitboss.cli.main import app
from pitboss.cli.odds.strategies import _as_json
from pitboss.games import find_game
from pitboss.odds import default_store, strategies
from pitboss.odds.solving import counts_of, first_tables, stated_terms
from pitboss.rules import Game, Terms
from pitboss.rules.features import Feature
from pitboss.simulate.strategies import _holds, choices_in_file
from tests.simulate.cases import GAMES


def terms_of(game: Game) -> Terms:
    return stated_terms(game, {game.main.name: first_tables(game, game.main)})[0]


def read_back(game: Game, terms: Terms, text: str) -> list[Any]:
    counts = counts_of(game, game.main, terms, store=default_store())
    return choices_in_file(game, game.main, terms, counts, text)


# The search over every setting of six cards, and that over three raises, take too long for every day.
LONG = ("three-card-double-play", "four-card-prime")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in GAMES]
)
def test_the_strategy_written_and_read_back_decides_alike_at_every_node(name: str) -> None:
    game = find_game(name)
    terms = terms_of(game)
    trade = strategies(game, terms, store=default_store())
    for step in (trade.recommended, trade.steps[-1]):
        for ours, theirs in zip(read_back(game, terms, json.dumps(_as_json(trade, step))), step.choices, strict=True):
            assert numpy.array_equal(ours, theirs)


def test_what_the_command_prints_can_be_played() -> None:
    game = find_game("three-card-prime")
    printed = CliRunner().invoke(app, ["strategy", game.name, "--json"])
    (plays,) = read_back(game, terms_of(game), printed.stdout)
    trade = strategies(game, terms_of(game), store=default_store())
    assert numpy.array_equal(plays, trade.recommended.choices[0])


def test_words_with_an_and_of_their_own_are_not_torn_apart() -> None:
    words = ["a pair", "queen and lower", "a pair and a flush"]
    features = tuple(
        Feature(values=numpy.array(values), at_least={1: word})
        for word, values in zip(words, ([1, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 0]), strict=True)
    )
    problems: list[str] = []
    assert [False, True, True, False] == _holds(features, "a pair and queen and lower", 4, problems).tolist()
    assert [False, False, True, False] == _holds(
        features, "queen and lower and a pair and a flush", 4, problems
    ).tolist()
    assert [] == problems
    _holds(features, "a pair and a straight and queen and lower", 4, problems)
    assert 1 == len(problems)
    assert "'a straight" in problems[0]


def test_all_that_is_wrong_with_a_file_is_said_at_once() -> None:
    game = find_game("three-card-prime")
    terms = terms_of(game)
    for text in ("no json", "[]", '{"decisions": []}', '{"decisions": [{"lines": [{"words": "otherwise"}]}]}'):
        with pytest.raises(ValueError, match=r"strategy file|every decision"):
            read_back(game, terms, text)
    lines = [{"words": "seven of a kind", "decision": "play"}, {"words": "a pair or better", "decision": "shove"}]
    with pytest.raises(ValueError, match="last line") as wrong:
        read_back(game, terms, json.dumps({"decisions": [{"lines": lines}]}))
    assert "seven of a kind" in str(wrong.value)
    assert "shove" in str(wrong.value)
