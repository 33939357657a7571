"""Tables to simulate in tests: every reading, every shoe, both types of jackpot, few seats and all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import cycle, product

from pitboss.games import find_game, game_names
from pitboss.odds.solving import first_tables, stated_terms
from pitboss.rules import Game, Terms
from pitboss.simulate.setup import NEVER_FOLD, OPTIMAL, Setup

GAMES = game_names()[:5]
SEATS_MAX = 9  # of a table; a shoe would deal to more
KEY = bytes(range(32))
_STAKES = (500, 700, 300, 900, 1100, 1300)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A table in words, so that a test can be named after it."""

    game: str
    readings: tuple[tuple[str, str], ...] = ()
    decks: int | None = None
    jackpot_type: str = "progressive"
    seats: int = 1
    strategy: str = OPTIMAL
    without: tuple[str, ...] = ()

    def __str__(self) -> str:
        words = [self.game, *(reading for _, reading in self.readings), self.jackpot_type, f"{self.seats}-seats"]
        words += [f"{self.decks}-decks"] if self.decks else []
        words += [f"without-{name}" for name in self.without]
        return "-".join([*words, self.strategy])

    @property
    def terms(self) -> Terms:
        game = find_game(self.game)
        tables = {wager.name: first_tables(game, wager) for wager in game.wagers}
        terms, _ = stated_terms(
            game, tables, readings=dict(self.readings), decks=self.decks, jackpot_type=self.jackpot_type
        )
        # One jackpot takes its fixed prizes from the meter too, so that both ways are seen (G-5).
        return replace(terms, fixed_from_meter=frozenset(wager.name for wager in game.jackpots[:1]))

    @property
    def setup(self) -> Setup:
        """Every seat stakes on every wager; every third leaves the jackpots out, which others' Envy must bear."""
        game = find_game(self.game)
        stakes = tuple(self._stakes(game, seat) for seat in range(self.seats))
        return Setup(game=self.game, terms=self.terms, stakes=stakes, strategy=self.strategy)

    def _stakes(self, game: Game, seat: int) -> tuple[int, ...]:
        amounts = []
        for place, wager in enumerate(game.wagers):
            left_out = wager.name in self.without or (wager.jackpot and seat % 3 == 2)
            amounts.append(0 if left_out else 100 if wager.jackpot else _STAKES[place] + 100 * seat)
        return tuple(amounts)


def cases_of(name: str) -> Iterator[Case]:
    """Every reading and shoe of a game with both types of jackpot; seats and strategies take turns."""
    game = find_game(name)
    seats, strategies = cycle((min(game.seats_max, SEATS_MAX), 1, 3)), cycle((OPTIMAL, OPTIMAL, NEVER_FOLD))
    tables = product(readings_of(game), game.decks_allowed or (None,), ("progressive", "bonus"))
    for readings, decks, jackpot_type in tables:
        yield Case(
            game=name,
            readings=readings,
            decks=decks,
            jackpot_type=jackpot_type,
            seats=next(seats),
            strategy=next(strategies),
        )
    if game.base is None:
        # Wagers that stand without the main one decide for themselves.
        for readings in readings_of(game):
            yield Case(game=name, readings=readings, seats=2, without=(game.main.name,))


def readings_of(game: Game) -> list[tuple[tuple[str, str], ...]]:
    """Every reading of every switch, the others being as they are by default; or nothing."""
    return [((switch.name, reading),) for switch in game.switches for reading in switch.readings] or [()]


CASES = [case for name in GAMES for case in cases_of(name)]
