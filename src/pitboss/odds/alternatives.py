"""What every decision is worth with one hand; no search is needed for that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy

from pitboss.cards import Card, card_text, overdealt
from pitboss.odds.kit import CountingKit
from pitboss.odds.pricing import UnitPays, unit_pays
from pitboss.odds.solving import counts_of
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
    own = alone(game, asked, terms)
    looking = looking_of(game, asked)
    hand = _asked(game, own, looking.hands_asked(asked.name), player, public)
    found: Found = looking.find(asked.name, kit_of(game, asked, own), player, public)
    counts = counts_of(game, asked, own, store=store)
    values = _Values(counts, _pays(asked, own)).of_node(hand.level, found.node)
    order = sorted(values, key=lambda decision: _order(values[decision]))
    return tuple(
        Alternative(found.decisions[decision], values[decision].net / values[decision].deals, place == 0)
        for place, decision in enumerate(order)
    )


_pays = lru_cache(maxsize=8)(unit_pays)


def looking_of(game: Game, wager: Wager) -> Any:
    """Give the module that says what a person looks at in a wager with decisions."""
    if game.strategy is None:
        raise ValueError(f"{game.title} does not say what a person looks at")
    looking = import_module(game.strategy)
    if not looking.hands_asked(wager.name):
        raise ValueError(f"{wager.title} of {game.title} has no decision of its own")
    return looking


def alone(game: Game, wager: Wager, terms: Terms) -> Terms:
    """Give the terms under which a wager stands alone: without the tables of the main wager, if it may stand beside."""
    if wager.shares is None:
        return terms
    beside = {slot.name for slot in game.by_name[wager.shares.main].slots}
    return replace(terms, tables={name: table for name, table in terms.tables.items() if name not in beside})


def kit_of(game: Game, wager: Wager, terms: Terms, ranks: int = 13) -> CountingKit:
    """Give the kit that a wager is counted with."""
    readings = game.reading_codes(terms) if wager.switches else ()
    return CountingKit(ranks=ranks, decks=terms.deck.decks, readings=readings)


def _asked(
    game: Game, terms: Terms, asked: tuple[HandAsked, ...], player: tuple[Card, ...], public: tuple[Card, ...]
) -> HandAsked:
    """Find which decision these cards ask for, or raise an error that names all that is wrong with them."""
    problems = []
    if len(player) not in {each.player for each in asked}:
        numbers = " or ".join(str(each.player) for each in asked)
        problems.append(f"the player decides with {numbers} cards, not with {len(player)}")
    wanted = asked[0].public
    if len(public) != wanted:
        what = f"{wanted} card{'s' if wanted > 1 else ''} of the {game.board.name} up" if wanted else "no card up"
        problems.append(f"there must be {what}, not {len(public)}")
    for card in overdealt(terms.deck, (*player, *public)):
        copies = terms.deck.copies(card)
        held = "not in the deck" if not copies else "there more often than in the deck"
        problems.append(f"{card_text(card)} is {held}")
    if problems:
        raise ValueError("; ".join(problems))
    return next(each for each in asked if each.player == len(player))


class _Value(NamedTuple):
    """Sums over the deals: net and its square and the chips at risk, and how many deals there are."""

    net: Fraction
    staked: Fraction
    square: Fraction
    deals: int


def _order(value: _Value) -> tuple[Fraction, Fraction, Fraction]:
    """Order decisions as optimal play prefers them: worth, smaller wager, smaller variance, the first (G-18)."""
    return -value.net, value.staked, value.square


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
            taken = min(self.of_node(place, node).values(), key=_order)
            net += weight * taken.net
            staked += weight * taken.staked
            square += weight * taken.square
            deals += weight * taken.deals
        return _Value(net, staked, square, deals)
