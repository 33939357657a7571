"""Playing a whole round at a table with a chooser: what property tests and examples share."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from pitboss.cards import KeyStream, shuffled
from pitboss.games import find_game
from pitboss.rules import Game
from pitboss.table import Configuration, Deal, Decide, Phase, PlaceWagers, Reveal, Round, Settle, default_configuration

T = TypeVar("T")
Choose = Callable[[Sequence[Any]], Any]
DAY = datetime.date(2024, 1, 15)


def opened(configuration: Configuration, key: bytes = bytes(32), block: int = 0) -> Round:
    """A round at a table with a shuffled shoe, before any wager."""
    shoe = shuffled(configuration.terms.deck.cards, KeyStream(key, block=block))
    return Round(configuration=configuration, shoe=shoe, meters=configuration.meters)


def table_of(name: str) -> Configuration:
    """The default table of a game on the tests' day."""
    return default_configuration(find_game(name), DAY)


def wagers_of(game: Game, configuration: Configuration, rng: Random) -> tuple[tuple[str, int], ...]:
    """A legal set of wagers at legal amounts: of four at least one is five dollars or less."""
    base = [] if game.base is None else [game.base.name]
    rest = [name for name in configuration.offered if name not in base]
    most = min(4 - len(base), len(rest))
    names = base + rng.sample(rest, rng.randint(1 - len(base), most))
    amounts = {}
    for name in names:
        least, largest = configuration.limits(name)
        steps = (largest - least) // configuration.smallest_chip_cents
        amounts[name] = least + configuration.smallest_chip_cents * rng.randint(0, min(steps, 40))
    if len(amounts) == 4 and min(amounts.values()) > 500:
        amounts[names[-1]] = configuration.limits(names[-1])[0]
    return tuple(amounts.items())


def step(played: Round, choose: Choose) -> Round:
    """Do whatever the round waits for; the chooser answers questions."""
    match played.phase:
        case Phase.WAGERS | Phase.DEAL:
            return played.apply(Deal())
        case Phase.DECISIONS:
            asked = played.question()
            assert asked is not None
            seat, question = asked
            return played.apply(Decide(seat, question.key, choose(question.options())))
        case Phase.REVEAL:
            return played.apply(Reveal())
        case _:
            return played.apply(Settle())


def finish(played: Round, choose: Choose) -> Round:
    """Play a round with its wagers placed to the end."""
    while played.phase not in (Phase.FINISHED, Phase.VOID):
        played = step(played, choose)
    return played


def random_round(configuration: Configuration, rng: Random, seats: int | None = None) -> Round:
    """A finished round with random seats, wagers, cards and decisions."""
    game = find_game(configuration.game)
    played = opened(configuration, rng.randbytes(32))
    count = rng.randint(1, configuration.seats) if seats is None else seats
    for seat in rng.sample(range(1, configuration.seats + 1), count):
        played = played.apply(PlaceWagers(seat, wagers_of(game, configuration, rng)))
    return finish(played, rng.choice)
