"""On shortened decks every deal, decided as the lines' choices say and settled, gives the expectation of the lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from itertools import combinations

import pytest

from pitboss.cards import JOKER, Deck, parse_cards
from pitboss.games import find_game
from pitboss.odds.alternatives import kit_of
from pitboss.odds.printed import catalogue
from pitboss.odds.solving import counts_of
from pitboss.odds.strategy import Search, Strategy
from pitboss.rules import FinishedSeat, Game, Settler, Terms, Wager
from tests.odds.tree import settled

Cards = tuple[int, ...]
STEPS = 4


class Short:
    """A game on a shortened deck: strategies of up to so many lines, and the decision they take with a hand."""

    def __init__(self, name: str, ranks: int, wager: str | None = None, decks: int = 1) -> None:
        self.game: Game = find_game(name)
        self.wager: Wager = self.game.main if wager is None else self.game.by_name[wager]
        found = (terms for each, terms in catalogue(self.game) if each is self.wager)
        terms = next(found)
        self.terms: Terms = replace(terms, deck=Deck(decks=decks, joker=terms.deck.joker))
        self.kit = kit_of(self.game, self.wager, self.terms, ranks)
        self._module = import_module(self.game.strategy or "")
        counts = counts_of(self.game, self.wager, self.terms, ranks=ranks)
        search = Search(self.game, self.wager, self.terms, counts, self.kit)
        self.steps = [search.step(Fraction(0)) for _ in range(STEPS)]
        self._settler = Settler(self.game, self.terms)

    def taken(self, step: Strategy, player: Cards, public: Cards = (), level: int = 0) -> str:
        found = self._module.find(self.wager.name, self.kit, player, public)
        return str(found.decisions[int(step.choices[level][found.node])])

    def net(self, player: Cards, board: Cards, choices: Cards) -> Fraction:
        seat = FinishedSeat(1, {self.wager.name: 100}, player, choices)
        return settled(self._settler.outcome(self.wager, seat, board), for_one=False).net


def others(deck: Cards, *out: int) -> Cards:
    return tuple(card for card in deck if card not in out)


def mean(nets: Iterator[Fraction]) -> Fraction:
    total, deals = Fraction(0), 0
    for net in nets:
        total += net
        deals += 1
    return total / deals


def three_card_prime(short: Short, step: Strategy) -> Iterator[Fraction]:
    deck = tuple(range(short.kit.cards))
    for hand in combinations(deck, 3):
        play = int(short.taken(step, hand) == "play")
        for dealer in combinations(others(deck, *hand), 3):
            yield short.net((*hand, others(deck, *hand)[0]), dealer, (play,))


def super_three_card(short: Short, step: Strategy) -> Iterator[Fraction]:
    deck = tuple(range(short.kit.cards))
    for hand in combinations(deck, 2):
        for up in others(deck, *hand):
            play = int(short.taken(step, hand, (up,)) == "play")
            for third in others(deck, *hand, up):
                for more in combinations(others(deck, *hand, up, third), 2):
                    yield short.net((*hand, third), (up, *more), (play,))


def four_card_prime(short: Short, step: Strategy) -> Iterator[Fraction]:
    deck = tuple(range(short.kit.cards))
    raised = {"fold": 0, "raise 1": 1, "raise 2": 2, "raise 3": 3}
    for hand in combinations(deck, 5):
        for up in others(deck, *hand):
            choice = raised[short.taken(step, hand, (up,))]
            for more in combinations(others(deck, *hand, up), 5):
                yield short.net(hand, (up, *more), (choice,))


def deuces_wild(short: Short, step: Strategy) -> Iterator[Fraction]:
    deck = (*range(short.kit.cards), JOKER)
    for hand in combinations(deck, 3):
        play = int(short.taken(step, hand) == "play")
        for fourth in others(deck, *hand):
            four = (*hand, fourth)
            goes_on = play and int(short.taken(step, four, (), 1) == "raise")
            for fifth in others(deck, *four):
                yield short.net((*four, fifth), (), (play, goes_on, 0))


def fortune(short: Short, step: Strategy) -> Iterator[Fraction]:
    deck = (*range(short.kit.cards), JOKER)
    for hand in combinations(deck, 3):
        selected = parse_cards(short.taken(step, hand).removeprefix("select "))
        mask = sum(1 << place for place, card in enumerate(hand) if card in selected)
        for community in combinations(others(deck, *hand), 4):
            yield short.net(hand, community, (0, 0, mask))


def three_card_double_play(short: Short, step: Strategy) -> Iterator[Fraction]:
    deck = tuple(range(short.kit.cards))
    for hand in combinations(deck, 6):
        high, _, doubled = short.taken(step, hand).removeprefix("High ").split(", ")
        mask = sum(1 << place for place, card in enumerate(hand) if card in parse_cards(high))
        for dealer in combinations(others(deck, *hand), 5):
            yield short.net(hand, dealer, (mask, int(doubled == "doubled")))


@pytest.mark.parametrize(
    ("name", "ranks", "wager", "deals"),
    [
        ("three-card-prime", 4, None, three_card_prime),
        pytest.param("three-card-prime", 5, None, three_card_prime, marks=pytest.mark.prove),
        ("super-three-card", 3, None, super_three_card),
        pytest.param("super-three-card", 4, None, super_three_card, marks=pytest.mark.prove),
        ("four-card-prime", 3, None, four_card_prime),
        ("deuces-wild", 4, None, deuces_wild),
        ("deuces-wild", 3, "five-card-fortune", fortune),
        ("three-card-double-play", 3, None, three_card_double_play),
        pytest.param("three-card-double-play", 4, None, three_card_double_play, marks=pytest.mark.prove),
    ],
)
def test_the_expectation_of_the_choices_is_that_of_all_deals(
    name: str, ranks: int, wager: str | None, deals: object
) -> None:
    short = Short(name, ranks, wager)
    assert callable(deals)
    # The first line alone and the last step found, which decides by the most lines.
    for step in (short.steps[0], short.steps[-1]):
        assert mean(deals(short, step)) == step.ev
    assert short.steps[0].ev <= short.steps[-1].ev
