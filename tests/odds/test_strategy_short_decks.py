"""On shortened decks every deal, decided as the lines' choices say and settled, gives the expectation of the lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from itertools import combinations, permutations

import pytest

from pitboss.cards import JOKER, Deck, parse_cards
from pitboss.games import find_game
from pitboss.odds.printed import catalogue
from pitboss.odds.solving import counts_of
from pitboss.odds.strategy import Search, Strategy, context_of
from pitboss.rules import FinishedSeat, Game, Settler, Terms, Wager
from tests.odds.tree import settled

Cards = tuple[int, ...]
Deals = Iterator[tuple[Fraction, int]]
STEPS = 4


class Short:
    """A game on a shortened deck: strategies of up to so many lines, and the decision they take with a hand.

    Player's hands that differ in the names of the suits alone are dealt once and weighed, or all of them one by one.
    """

    def __init__(self, name: str, ranks: int, wager: str | None = None, *, one_by_one: bool) -> None:
        self.game: Game = find_game(name)
        self.wager: Wager = self.game.main if wager is None else self.game.by_name[wager]
        found = (terms for each, terms in catalogue(self.game) if each is self.wager)
        terms = next(found)
        self.terms: Terms = replace(terms, deck=Deck(decks=1, joker=terms.deck.joker))
        self.context = context_of(self.game, self.wager, self.terms, ranks)
        self._module = import_module(self.game.strategy or "")
        counts = counts_of(self.game, self.wager, self.terms, ranks=ranks)
        search = Search(self.game, self.wager, self.terms, counts, self.context)
        self.steps = [search.step(Fraction(0)) for _ in range(STEPS)]
        self._settler = Settler(self.game, self.terms)
        self._one_by_one = one_by_one

    def hands(self, deck: Cards, size: int) -> list[tuple[Cards, int]]:
        """Give the player's hands, and for how many each stands."""
        if self._one_by_one:
            return [(hand, 1) for hand in combinations(deck, size)]
        return list(Counter(min(renamed(hand)) for hand in combinations(deck, size)).items())

    def lost(self, step: Strategy, player: Cards, public: Cards = (), level: int = 0) -> str:
        found = self._module.find(self.wager.name, self.context, player, public)
        return str(found.decisions[int(step.choices[level][found.node])])

    def net(self, player: Cards, board: Cards, choices: Cards) -> Fraction:
        seat = FinishedSeat(1, {self.wager.name: 100}, player, choices)
        return settled(self._settler.outcome(self.wager, seat, board), for_one=False).net


def renamed(hand: Cards) -> Iterator[Cards]:
    """The hand under all names of the suits; the joker has none."""
    for suits in permutations(range(4)):
        yield tuple(sorted(card if card == JOKER else card - card % 4 + suits[card % 4] for card in hand))


def others(deck: Cards, *out: int) -> Cards:
    return tuple(card for card in deck if card not in out)


def mean(nets: Deals) -> Fraction:
    total, deals = Fraction(0), 0
    for net, times in nets:
        total += net * times
        deals += times
    return total / deals


def three_card_prime(short: Short, step: Strategy) -> Deals:
    deck = tuple(range(short.context.cards))
    for hand, times in short.hands(deck, 3):
        play = int(short.lost(step, hand) == "play")
        for dealer in combinations(others(deck, *hand), 3):
            yield short.net((*hand, others(deck, *hand)[0]), dealer, (play,)), times


def super_three_card(short: Short, step: Strategy) -> Deals:
    deck = tuple(range(short.context.cards))
    for hand, times in short.hands(deck, 2):
        for up in others(deck, *hand):
            play = int(short.lost(step, hand, (up,)) == "play")
            for third in others(deck, *hand, up):
                for more in combinations(others(deck, *hand, up, third), 2):
                    yield short.net((*hand, third), (up, *more), (play,)), times


def four_card_prime(short: Short, step: Strategy) -> Deals:
    deck = tuple(range(short.context.cards))
    raises = {"fold": 0, "raise 1": 1, "raise 2": 2, "raise 3": 3}
    for hand, times in short.hands(deck, 5):
        for up in others(deck, *hand):
            choice = raises[short.lost(step, hand, (up,))]
            for more in combinations(others(deck, *hand, up), 5):
                yield short.net(hand, (up, *more), (choice,)), times


def deuces_wild(short: Short, step: Strategy) -> Deals:
    deck = (*range(short.context.cards), JOKER)
    for hand, times in short.hands(deck, 3):
        play = int(short.lost(step, hand) == "play")
        for fourth in others(deck, *hand):
            four = (*hand, fourth)
            goes_on = play and int(short.lost(step, four, (), 1) == "raise")
            for fifth in others(deck, *four):
                yield short.net((*four, fifth), (), (play, goes_on, 0)), times


def fortune(short: Short, step: Strategy) -> Deals:
    deck = (*range(short.context.cards), JOKER)
    for hand, times in short.hands(deck, 3):
        selected = parse_cards(short.lost(step, hand).removeprefix("select "))
        mask = sum(1 << place for place, card in enumerate(hand) if card in selected)
        for community in combinations(others(deck, *hand), 4):
            yield short.net(hand, community, (0, 0, mask)), times


def three_card_double_play(short: Short, step: Strategy) -> Deals:
    deck = tuple(range(short.context.cards))
    for hand, times in short.hands(deck, 6):
        high, _, doubled = short.lost(step, hand).removeprefix("High ").split(", ")
        mask = sum(1 << place for place, card in enumerate(hand) if card in parse_cards(high))
        for dealer in combinations(others(deck, *hand), 5):
            yield short.net(hand, dealer, (mask, int(doubled == "doubled"))), times


QUICK = [
    ("three-card-prime", 4, None, three_card_prime),
    ("super-three-card", 3, None, super_three_card),
    ("four-card-prime", 3, None, four_card_prime),
    ("deuces-wild", 4, None, deuces_wild),
    ("deuces-wild", 3, "five-card-fortune", fortune),
    ("three-card-double-play", 3, None, three_card_double_play),
]
LONG = [
    ("three-card-prime", 5, None, three_card_prime),
    ("super-three-card", 4, None, super_three_card),
    ("three-card-double-play", 4, None, three_card_double_play),
]


@pytest.mark.parametrize(
    ("name", "ranks", "wager", "deals", "one_by_one"),
    [
        *(pytest.param(*case, False) for case in QUICK),
        *(pytest.param(*case, True, marks=pytest.mark.slow) for case in (*QUICK, *LONG)),
    ],
)
def test_the_expectation_of_the_choices_is_that_of_all_deals(
    name: str, ranks: int, wager: str | None, deals: object, one_by_one: bool
) -> None:
    short = Short(name, ranks, wager, one_by_one=one_by_one)
    assert callable(deals)
    # The first line alone and the last step found, which decides by the most lines.
    for step in (short.steps[0], short.steps[-1]):
        assert mean(deals(short, step)) == step.ev
    assert short.steps[0].ev <= short.steps[-1].ev
