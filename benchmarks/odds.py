"""How fast the main wagers are counted, against reading dealt-out hands one by one in plain Python in the same run."""

from __future__ import annotations

import time
from random import Random

from benchmarks.settle import ROUNDS, played_round
from pitboss.games import all_games
from pitboss.odds.kit import CountingKit, count
from pitboss.odds.solving import catalogue, solve_terms
from pitboss.rules import Game, Hands


def _plain_rate(game: Game, rng: Random) -> float:
    """Deals per second of the plain loop: the main wager's facts of dealt hands, read one after another."""
    wager, tables = game.main, game.tables()
    hands = []
    for number in range(ROUNDS):
        played = played_round(game, number, rng)
        readings = game.reading_codes(played.configuration.terms)
        for seat in played.state.all_seats:
            choices = game.choices(seat.decisions, seat.cards)
            hands.append(Hands(seat.cards, played.state.board.seat.cards, choices, readings))
    start = time.perf_counter()
    for each in hands:
        wager.read(each, tables)
    return len(hands) / (time.perf_counter() - start)


def _counted(game: Game) -> tuple[float, int]:
    """Seconds of the second count of a process, compiled loops warm, and the deals it covers."""
    kit = CountingKit(decks=(game.decks_allowed or (1,))[0], readings=(0,) * len(game.switches))
    count(game, game.main.name, kit)
    start = time.perf_counter()
    counts = count(game, game.main.name, kit)
    return time.perf_counter() - start, counts.total


def main() -> None:
    """Print a line for each game, then the time of the whole catalogue."""
    rng = Random(1)
    print("main wagers counted; baseline: facts of dealt hands read one by one in plain Python")
    print(f"{'game':24}{'seconds':>9}{'deals':>22}{'deals/s':>12}{'baseline/s':>12}{'ratio':>12}")
    for game in all_games():
        plain = _plain_rate(game, rng)
        seconds, deals = _counted(game)
        rate = deals / seconds
        print(f"{game.name:24}{seconds:9.2f}{deals:22,}{rate:12.3g}{plain:12.3g}{rate / plain:12.3g}")
    start = time.perf_counter()
    entries = [solve_terms(game, wager, terms) for game in all_games() for wager, terms in catalogue(game)]
    print(f"the whole catalogue, {len(entries)} results, nothing kept: {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
