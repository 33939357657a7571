"""How fast round records settle, against reading and writing the same records as JSON in the same run."""

from __future__ import annotations

import datetime
import json
import time
from collections.abc import Callable
from random import Random

from pitboss.cards import KeyStream, shuffled
from pitboss.games import all_games
from pitboss.rules import Game
from pitboss.table import (
    Deal,
    Decide,
    Phase,
    PlaceWagers,
    Reveal,
    Round,
    Settle,
    default_configuration,
    round_record,
    settle_line,
)
from pitboss.table.records import forget_terms

ROUNDS = 400
SEATS = 3
DAY = datetime.date(2024, 1, 15)


def played_round(game: Game, number: int, rng: Random) -> Round:
    """Play a round of three seats with up to four wagers each, deciding at random."""
    table = default_configuration(game, DAY)
    shoe = shuffled(table.terms.deck.cards, KeyStream(bytes(32), block=number))
    played = Round(configuration=table, shoe=shoe, meters=table.meters)
    names = [game.main.name, *(name for name in table.offered if name != game.main.name)][:4]
    for seat in range(1, SEATS + 1):
        played = played.apply(PlaceWagers(seat, tuple((name, table.limits(name)[0]) for name in names)))
    while played.phase is not Phase.FINISHED:
        asked = played.question()
        if asked is not None:
            played = played.apply(Decide(asked[0], asked[1].key, rng.choice(asked[1].options())))
        elif played.phase is Phase.REVEAL:
            played = played.apply(Reveal())
        elif played.phase is Phase.SETTLE:
            played = played.apply(Settle())
        else:
            played = played.apply(Deal())
    return played


def _rate(work: Callable[[str], object], lines: list[str]) -> float:
    """Rounds per second, the best of three."""
    best = 0.0
    for _ in range(3):
        start = time.perf_counter()
        for line in lines:
            work(line)
        best = max(best, len(lines) / (time.perf_counter() - start))
    return best


def _json_both_ways(line: str) -> str:
    return json.dumps(json.loads(line))


def _settle_afresh(line: str) -> str:
    forget_terms()
    return settle_line(line)


def main() -> None:
    """Print a line for each game."""
    rng = Random(1)
    print(f"{ROUNDS} rounds of {SEATS} seats, four wagers a seat where there are; baseline: JSON read and written")
    print(f"{'game':24}{'baseline/s':>12}{'settled/s':>12}{'ratio':>8}{'new terms/s':>13}{'ratio':>8}")
    for game in all_games():
        lines = [json.dumps(round_record(played_round(game, number, rng))) for number in range(ROUNDS)]
        baseline, settled, afresh = (_rate(work, lines) for work in (_json_both_ways, settle_line, _settle_afresh))
        ratios = f"{settled:12,.0f}{settled / baseline:8.3f}{afresh:13,.0f}{afresh / baseline:8.3f}"
        print(f"{game.name:24}{baseline:12,.0f}{ratios}")


if __name__ == "__main__":
    main()
