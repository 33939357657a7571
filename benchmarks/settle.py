"""How fast round records settle, against reading and writing the same records as JSON in the same run."""

from __future__ import annotations

import datetime
import json
import time
from collections.abc import Iterable
from random import Random
from typing import Any

from pitboss.cards import KeyStream, shuffled
from pitboss.games import all_games
from pitboss.rules import Game
from pitboss.rules.pays import Dollars, ForOne, ToOne
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

ROUNDS = 400
SEATS = 3
TURNS = 5
COLUMNS = ("JSON", "one seat", "three seats", "other stakes", "own amounts")
DAY = datetime.date(2024, 1, 15)
Record = dict[str, Any]


def played_round(game: Game, number: int, rng: Random, seats: int = SEATS) -> Round:
    """Play a round with up to four wagers a seat, deciding at random."""
    table = default_configuration(game, DAY)
    shoe = shuffled(table.terms.deck.cards, KeyStream(bytes(32), block=number))
    played = Round(configuration=table, shoe=shoe, meters=table.meters)
    names = [game.main.name, *(name for name in table.offered if name != game.main.name)][:4]
    for seat in range(1, seats + 1):
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


def _other_stakes(game: Game, record: Record, rng: Random) -> Record:
    """Stake amounts that hardly come twice, within every limit."""
    seats = [
        seat
        | {
            "wagers": {
                name: cents if game.by_name[name].jackpot else rng.randint(1, 500)
                for name, cents in seat["wagers"].items()
            }
        }
        for seat in record["seats"]
    ]
    return record | {"seats": seats}


def _own_amounts(game: Game, record: Record, rng: Random) -> Record:
    """State first prizes of one's own in every pay table, so that no two rounds have the same terms."""

    def changed(table_id: str) -> Record:
        row = next(row for row in game.paytables[table_id].rows if isinstance(row.pay, ToOne | ForOne | Dollars))
        sign = "$" if isinstance(row.pay, Dollars) else ""
        return {"id": table_id, "pays": {row.event: f"{sign}{rng.randint(1, 10**6)}"}}

    tables = {name: [changed(table_id) for table_id in ids] for name, ids in record["paytables"].items()}
    return record | {"paytables": tables}


def _texts(records: Iterable[Record]) -> list[str]:
    return [json.dumps(record) for record in records]


def _json_both_ways(line: str) -> str:
    return json.dumps(json.loads(line))


def _rates(game: Game, rng: Random) -> list[float]:
    """Rounds per second of each column, the best of turns: a busy moment of the machine meets all columns."""
    one, three = (
        [round_record(played_round(game, number, rng, seats)) for number in range(ROUNDS)] for seats in (1, SEATS)
    )
    best = [0.0] * len(COLUMNS)
    for _ in range(TURNS):
        # Stakes and amounts are drawn anew: what was settled in another turn must not be found again.
        staked = [_other_stakes(game, record, rng) for record in three]
        changed = [_own_amounts(game, record, rng) for record in three]
        for column, records in enumerate((three, one, three, staked, changed)):
            lines = _texts(records)
            work = settle_line if column else _json_both_ways
            start = time.perf_counter()
            for line in lines:
                work(line)
            best[column] = max(best[column], ROUNDS / (time.perf_counter() - start))
    return best


def main() -> None:
    """Print a line for each game."""
    rng = Random(1)
    print(f"Rounds a second, {ROUNDS} rounds of three seats with four wagers each, where there are so many.")
    print("JSON: only read and written. Other stakes: hardly any comes twice. Own amounts: new pay tables every round.")
    print(" " * 24 + "".join(f"{column:>14}" for column in COLUMNS))
    for game in all_games():
        print(f"{game.name:24}" + "".join(f"{rate:14,.0f}" for rate in _rates(game, rng)))


if __name__ == "__main__":
    main()
