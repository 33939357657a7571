"""A game written in the test folder is simulated as well, with no line changed in src."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pitboss.games import register, unregister
from pitboss.simulate.playing import make_ready
from pitboss.simulate.setup import NEVER_FOLD, OPTIMAL
from tests.relatives import twenty_one_plus_three
from tests.relatives.three_card_poker import GAME
from tests.simulate.cases import Case, readings_of
from tests.simulate.test_same_cents import Z_MAX, check_same_cents, z_scores


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    games = (GAME, twenty_one_plus_three.GAME)
    for game in games:
        register(game)
    yield
    for game in games:
        unregister(game.name)


@pytest.mark.parametrize("readings", readings_of(GAME), ids=str)
@pytest.mark.parametrize("strategy", [OPTIMAL, NEVER_FOLD])
def test_the_sixth_game_is_dealt_decided_and_settled_alike(
    readings: tuple[tuple[str, str], ...], strategy: str
) -> None:
    case = Case(game=GAME.name, readings=readings, seats=5, strategy=strategy)
    check_same_cents(make_ready(case.setup), 1, 2_500)
    scores = z_scores(case, 1)
    assert set(GAME.by_name) == set(scores)
    assert all(abs(score) < Z_MAX for score in scores.values()), scores


def test_a_game_without_rounds_says_so() -> None:
    game = twenty_one_plus_three.GAME
    with pytest.raises(ValueError, match="has no rounds to simulate"):
        make_ready(Case(game=game.name, decks=game.decks_allowed[0] if game.decks_allowed else None).setup)
