"""The second road to a folded meter: every simulated round through the plain settlement, one by one, with its meter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pitboss.games import find_game
from pitboss.meters import MeterState, MeterTerms, MeterTransfer, contribute, hit, open_meter
from pitboss.rules import FinishedRound, FinishedSeat, Settlement, Settler
from pitboss.simulate.playing import make_ready
from pitboss.simulate.setup import Setup


class Instant(NamedTuple):
    """What stands after a round: its settlement, the meters before its prizes and at its end, and all transfers."""

    settlement: Settlement
    shown: dict[str, MeterState]
    after: dict[str, MeterState]
    transfers: dict[str, tuple[MeterTransfer, ...]]


def finished_rounds(setup: Setup, key: bytes, block: int, rounds: int) -> Iterator[FinishedRound]:
    """The rounds of a block as a table would hand them to the settlement."""
    ready = make_ready(setup)
    names = list(find_game(setup.game).by_name)
    size = ready.seat_cards
    for chunk in ready.play(key, block, rounds):
        for cards, choices in zip(chunk.cards[: chunk.rounds].tolist(), chunk.choices.tolist(), strict=False):
            seats = tuple(
                FinishedSeat(
                    number,
                    {name: cents for name, cents in zip(names, setup.stakes[number], strict=True) if cents},
                    tuple(cards[size * number : size * (number + 1)]),
                    tuple(choices[number]),
                )
                for number in range(setup.seats)
            )
            yield FinishedRound(tuple(cards[size * setup.seats :]), seats)


def play(setup: Setup, key: bytes, block: int, rounds: int, meters: dict[str, MeterTerms]) -> Iterator[Instant]:
    """Settle the rounds of a block one after the other."""
    return play_finished(setup, finished_rounds(setup, key, block, rounds), meters)


def play_finished(setup: Setup, every: Iterable[FinishedRound], meters: dict[str, MeterTerms]) -> Iterator[Instant]:
    """Settle one round after the other, each with the meters of that instant; a level of 100 % reseeds."""
    settler = Settler(find_game(setup.game), setup.terms)
    whole = {
        (name, row.event)
        for name in meters
        for slot in find_game(setup.game).by_name[name].slots
        for row in setup.terms.tables[slot.name].rows
        if str(row.pay).startswith("100%") or str(row.pay).startswith("100 %")
    }
    opened = {name: open_meter(terms) for name, terms in meters.items()}
    states = {name: change.state for name, change in opened.items()}
    for finished in every:
        transfers = {}
        for name, terms in meters.items():
            wagers = sum(1 for seat in finished.seats if name in seat.wagers)
            change = contribute(states[name], terms, wagers)
            states[name], transfers[name] = change.state, change.transfers
        shown = dict(states)
        settlement = settler.settle(finished, {name: state.displayed_cents for name, state in states.items()})
        for name, payment in settlement.jackpots.items():
            lines = [by_wager[name] for by_wager in settlement.lines.values() if name in by_wager]
            change = hit(states[name], meters[name], payment, top=any((name, line.event) in whole for line in lines))
            states[name] = change.state
            transfers[name] += change.transfers
        yield Instant(settlement, shown, dict(states), transfers)
