"""What every decision is worth with one hand; no search is needed for that."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any, NamedTuple

import numpy

from pitboss.cards import Card, card_text, overdealt
from pitboss.odds.kit import CountingKit
from pitboss.odds.pricing import UnitPays, unit_pays
from pitboss.odds.solve import counts_of
from pitboss.odds.store import Store
from pitboss.rules import Game, Terms, Wager
from pitboss.rules.counts import GOES_ON, Counts
from pitboss.rules.looking import Found, HandAsked

__all__ = ["Alternative", "best"]


@dataclass(frozen=True)
class Alternative:
    """A decision with a hand: what it wins per base wager, and whether it is the one that optimal play takes."""

    decision: str
    ev: Fraction
    best: bool


def best(
    game: Game,
    terms: Terms,
    player: tuple[Card, ...],
    public: tuple[Card, ...] = (),
    *,
    wager: Wager | None = None,
    store: Store | None = None,
) -> tuple[Alternative, ...]:
    """Give the value of every decision with this hand, the best first (G-18); all that is wrong is one ValueError."""
    asked = wager or game.main
    if game.strategy is None:
        raise ValueError(f"{game.title} does not say what a person looks at")
    module = import_module(game.strategy)
    hand = _asked(game, asked, terms, module.hands_asked(asked.name), player, public)
    readings = game.reading_codes(terms) if asked.switches else ()
    kit = CountingKit(decks=terms.deck.decks, readings=readings)
    counts = counts_of(game, asked, terms, store=store)
    found: Found = module.find(asked.name, kit, player, public)
    values = _Values(counts, unit_pays(asked, terms)).of_node(hand.level, found.node)
    order = sorted(values, key=lambda decision: (-values[decision].net, values[decision].staked, values[decision].square))
    return tuple(
        Alternative(found.decisions[decision], Fraction(values[decision].net) / values[decision].deals, place == 0)
        for place, decision in enumerate(order)
    )


def _asked(
    game: Game,
    wager: Wager,
    terms: Terms,
    asked: tuple[HandAsked, ...],
    player: tuple[Card, ...],
    public: tuple[Card, ...],
) -> HandAsked:
    """Find which decision these cards ask for, or raise an error that names all that is wrong with them."""
    problems = []
    if not asked:
        raise ValueError(f"{wager.title} of {game.title} has no decision")
    if len(player) not in {each.player for each in asked}:
        numbers = " or ".join(str(each.player) for each in asked)
        problems.append(f"the player has {numbers} cards when deciding, not {len(player)}")
    wanted = {each.public for each in asked}
    if len(public) not in wanted:
        cards = " or ".join("no card" if not number else f"{number} card{'s'[: number > 1]}" for number in sorted(wanted))
        given = ", ".join(map(card_text, public)) or "none"
        problems.append(f"the player sees {cards} of the {game.board.name} face up, and {given} was given")
    for card in overdealt(terms.deck, (*player, *public)):
        held = terms.deck.copies(card)
        problems.append(f"{card_text(card)} is {'there more than once' if held == 1 else 'there too often' if held else 'not in the deck'}")
    if problems:
        raise ValueError("; ".join(problems))
    return next(each for each in asked if each.player == len(player))


class _Value(NamedTuple):
    """Sums over the deals: net and its square and the chips at risk, and how many deals there are."""

    net: Fraction
    staked: Fraction
    square: Fraction
    deals: int


class _Values:
    """The values of decisions at nodes, exactly."""

    def __init__(self, counts: Counts, pays: UnitPays) -> None:
        self._counts = counts
        self._pays = pays

    def of_node(self, place: int, node: int) -> dict[int, _Value]:
        """Give the value of every decision that a node has."""
        level = self._counts.levels[place]
        values = {}
        for decision, branch in enumerate(level.branches):
            if level.allowed is not None and not level.allowed[node, decision]:
                continue
            if branch == GOES_ON:
                values[decision] = self._carried(place + 1, node)
            else:
                codes = level.codes[decision, level.groups[node, branch]]
                values[decision] = self._sum(level.counts[node, branch], codes)
        return values

    def _sum(self, counts: Any, codes: Any) -> _Value:
        net = staked = square = Fraction(0)
        for count, code in zip(counts.tolist(), codes.tolist(), strict=True):
            net += count * self._pays.net[code]
            staked += count * self._pays.staked[code]
            square += count * self._pays.net[code] ** 2
        return _Value(net, staked, square, int(counts.sum()))

    def _carried(self, place: int, parent: int) -> _Value:
        """Add up the best decisions of the nodes below one."""
        level = self._counts.levels[place]
        net = staked = square = Fraction(0)
        deals = 0
        for node in numpy.flatnonzero(level.parents == parent).tolist():
            weight = int(level.weights[node])
            taken = min(self.of_node(place, node).values(), key=lambda value: (-value.net, value.staked, value.square))
            net += weight * taken.net
            staked += weight * taken.staked
            square += weight * taken.square
            deals += weight * taken.deals
        return _Value(net, staked, square, deals)
