"""Facts stay in the part of Python that numba compiles: compiled and plain, the same facts on random rounds."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from pitboss.games import find_game
from pitboss.rules import Game, Wager
from pitboss.rules.facts import Hands, encode
from tests.games.compiled import FACTS, arrays, compiled, hands_of

ROUNDS = 150
WAGERS = [
    (game.name, wager.name) for game in (find_game(name.replace("_", "-")) for name in FACTS) for wager in game.wagers
]
CARDS_OF_A_SEAT = {
    "three-card-prime": 4,
    "deuces-wild": 5,
    "super-three-card": 3,
    "four-card-prime": 5,
    "three-card-double-play": 6,
}


def a_choice(game: Game, random: Random, player: list[int]) -> tuple[int, ...]:
    """Decisions as the integers that facts read; of Deuces Wild also the Fortune selection, one card or all wild ones."""
    match game.name:
        case "deuces-wild":
            wild = sum(1 << place for place, card in enumerate(player) if card < 4 or card == 52)
            one = 1 << random.randrange(len(player))
            return (random.randrange(2), random.randrange(2), random.choice((one, wild or one)))
        case "three-card-double-play":
            return (sum(1 << place for place in random.sample(range(6), 3)), random.randrange(2))
        case "four-card-prime":
            return (random.randrange(4),)
        case _:
            return (random.randrange(2),)


def a_hand(game: Game, random: Random) -> tuple[list[int], list[int], tuple[int, ...], tuple[int, ...]]:
    """A random round; every second one is dealt from few ranks and suits, so that rare facts are frequent."""
    deck = list(game.deck.cards)
    size = CARDS_OF_A_SEAT[game.name]
    if random.randrange(2):
        ranks = set(random.sample(range(13), 4))
        few = [card for card in deck if card // 4 in ranks or card == 52]
        deck = few if len(few) >= size + game.board.cards else deck
    dealt = random.sample(deck, size + game.board.cards)
    player, board = dealt[:size], dealt[size:]
    readings = tuple(random.randrange(len(switch.readings)) for switch in game.switches)
    choices = a_choice(game, random, player)
    # An empty tuple has no type to compile for; no facts function reads a reading its game does not have.
    return player, board, choices, readings or (0,)


def wager_of(game_name: str, wager_name: str) -> tuple[Game, Wager]:
    game = find_game(game_name)
    return game, game.by_name[wager_name]


# Compiled rounds of every wager are settled in `tests/simulate/test_same_cents.py` every day.
@pytest.mark.parametrize(
    ("game_name", "wager_name"),
    [
        pytest.param(game, wager, marks=[] if wager == find_game(game).main.name else [pytest.mark.slow])
        for game, wager in WAGERS
    ],
)
def test_compiled_facts_are_the_plain_facts(game_name: str, wager_name: str) -> None:
    game, wager = wager_of(game_name, wager_name)
    tables = game.tables()
    table_arrays = None if tables is None else arrays(tables)
    read: Callable[..., Any] = compiled(wager.read)
    random = Random(f"{game_name} {wager_name}")
    seen = set()
    for _ in range(ROUNDS):
        player, board, choices, readings = a_hand(game, random)
        plain = wager.read(Hands(player, board, choices, readings), tables)
        fast = read(hands_of(player, board, choices, readings), table_arrays)
        assert plain == fast
        assert type(plain) is type(fast)
        seen.add(plain)
    assert len(seen) > 1


@pytest.mark.parametrize(("game_name", "wager_name"), WAGERS)
def test_facts_stay_inside_their_bounds(game_name: str, wager_name: str) -> None:
    game, wager = wager_of(game_name, wager_name)
    tables = game.tables()
    random = Random(f"bounds {game_name} {wager_name}")
    for _ in range(ROUNDS):
        facts = wager.read(Hands(*a_hand(game, random)), tables)
        assert len(wager.bounds) == len(facts)
        assert all(0 <= fact < bound for fact, bound in zip(facts, wager.bounds, strict=True))
        assert isinstance(encode(facts, wager.bounds), int)
