"""How fast complete rounds are simulated on one core, against the bare six-card deal from the same stream in this run.

Every round is one seat with all its wagers; the key stream is counted in both. The same rounds through the plain
settlement, cards and decisions given, stand beside.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from pitboss.cards import STANDARD_DECK
from pitboss.games import all_games
from pitboss.odds.solving import first_tables, stated_terms
from pitboss.rules import Game, Settler
from pitboss.rules.settlement import FinishedRound, FinishedSeat
from pitboss.simulate import BLOCK_ROUNDS, Setup, make_setup
from pitboss.simulate.playing import CHUNK_ROUNDS, Dealer, Ready, make_ready
from pitboss.simulate.running import run_block

KEY = bytes(32)
# Of many short turns the least is nearest to what the processor can do when nobody else asks for it.
TURNS, PLAIN_TURNS = 40, 5
PLAIN_ROUNDS = 2000


def _seconds(work: Callable[[], object], turns: int = TURNS) -> float:
    """Give the least processor time of several turns; the first, which compiles, is not counted."""
    work()
    taken = []
    for _ in range(turns):
        begun = time.thread_time()
        work()
        taken.append(time.thread_time() - begun)
    return min(taken)


def _bare_deal() -> None:
    dealer = Dealer(KEY, 0, STANDARD_DECK, 6, CHUNK_ROUNDS)
    left = BLOCK_ROUNDS
    while left:
        left -= dealer.deal(left)


def _setup(game: Game) -> Setup:
    terms, _ = stated_terms(game, {wager.name: first_tables(game, wager) for wager in game.wagers})
    return make_setup(game, terms, {wager.name: 100 for wager in game.wagers})


def _settle_plainly(ready: Ready) -> Callable[[], None]:
    """Settle rounds of the first block one by one; dealing and deciding them is not counted."""
    chunk = next(iter(ready.play(KEY, 0, PLAIN_ROUNDS)))
    stakes = dict(zip(ready.game.by_name, ready.setup.stakes[0], strict=True))
    rounds = []
    for place in range(chunk.rounds):
        cards = tuple(chunk.cards[place].tolist())
        seat = FinishedSeat(1, stakes, cards[: ready.seat_cards], tuple(chunk.choices[place, 0].tolist()))
        rounds.append(FinishedRound(cards[ready.seat_cards :], (seat,)))
    meters = dict.fromkeys(stakes, 0)

    def settle() -> None:
        settler = Settler(ready.game, ready.terms)
        for each in rounds:
            settler.settle(each, meters)

    return settle


def main() -> None:
    """Print a line for each game."""
    bare = _seconds(_bare_deal) / BLOCK_ROUNDS
    print(f"the bare six-card deal: {1 / bare:,.0f} a second and core, the baseline")
    print(f"{'game':24}{'rounds/s':>12}{'of the deal':>13}{'plain/s':>10}{'times plain':>13}")
    for game in all_games():
        if game.rounds is None:
            continue
        setup = _setup(game)
        ready = make_ready(setup)
        one = _seconds(lambda setup=setup: run_block(setup, KEY, 0)) / BLOCK_ROUNDS  # type: ignore[misc]
        plain = _seconds(_settle_plainly(ready), PLAIN_TURNS) / PLAIN_ROUNDS
        ratio = f"1/{one / bare:.1f}"
        print(f"{game.name:24}{1 / one:>12,.0f}{ratio:>13}{1 / plain:>10,.0f}{plain / one:>13,.0f}")


if __name__ == "__main__":
    main()
