"""A person who reads the lines decides as the choices say that the figures were priced with, on random hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

import pytest

from pitboss.cards import parse_cards
from pitboss.games import find_game
from pitboss.odds.printed import catalogue
from pitboss.odds.strategy import Strategy, context_of, strategies
from pitboss.rules import Game, Terms, Wager
from pitboss.rules.features import NodeMatch
from tests.odds import strategy_reading as reading
from tests.poker import naive

HANDS = 400
WILD = (0, 1, 2, 3, 52)


def terms_of(game: Game, wager: Wager, table: str) -> Terms:
    """The first terms in which this table stands, the wager alone."""
    found = (terms for each, terms in catalogue(game) if each is wager)
    return next(terms for terms in found if table in {each.id for each in terms.tables.values()})


class Played:
    """Every step of a trade, with the decision that was priced for any hand."""

    def __init__(self, game: str, table: str, wager: str | None = None) -> None:
        self.game = find_game(game)
        self.wager = self.game.main if wager is None else self.game.by_name[wager]
        self.terms = terms_of(self.game, self.wager, table)
        self.trade = strategies(self.game, self.terms, wager=self.wager)
        self._module = import_module(self.game.strategy or "")
        self._context = context_of(self.game, self.wager, self.terms)

    def found(self, player: tuple[int, ...], public: tuple[int, ...] = ()) -> NodeMatch:
        found: NodeMatch = self._module.find(self.wager.name, self._context, player, public)
        return found

    @staticmethod
    def decision_of(strategy: Strategy, found: NodeMatch, level: int = 0) -> str:
        return found.decisions[int(strategy.choices[level][found.node])]


played = cache(Played)


def hands_of(cards: list[int], size: int, seed: int) -> list[tuple[int, ...]]:
    random = Random(seed)
    return [tuple(random.sample(cards, size)) for _ in range(HANDS)]


@pytest.mark.parametrize("table", ["PW/BB-1", pytest.param("PW/BB-3", marks=pytest.mark.slow)])
def test_three_card_prime(table: str) -> None:
    game = played("three-card-prime", table)
    for hand in hands_of([*range(52)], 3, 1):
        found = game.found(hand)
        for step in game.trade.steps:
            assert reading.three_card(step.decisions[0], hand) == game.decision_of(step, found)


@pytest.mark.parametrize("table", ["PT-FLT-STC-01", pytest.param("PT-FLT-STC-03", marks=pytest.mark.slow)])
def test_super_three_card(table: str) -> None:
    game = played("super-three-card", table)
    for first, second, up in hands_of([*range(52)] * 6, 3, 2):
        found = game.found((first, second), (up,))
        for step in game.trade.steps:
            assert reading.super_three_card(step.decisions[0], (first, second), up) == game.decision_of(step, found)


@pytest.mark.parametrize("table", ["APR-A", pytest.param("APR-F", marks=pytest.mark.slow)])
def test_deuces_wild_with_three_and_with_four_cards(table: str) -> None:
    game = played("deuces-wild", table)
    assert 2 == len(game.trade.recommended.decisions)
    for hand in hands_of([*range(53)], 4, 3):
        for size in (3, 4):
            found = game.found(hand[:size])
            for step in game.trade.steps:
                assert reading.deuces_wild(step, hand[:size]) == game.decision_of(step, found, size - 3)


def like(selected: Iterable[int], hand: tuple[int, ...]) -> list[tuple[int, int]]:
    """What tells selected cards apart: their ranks, wild ones alike, and how many cards of the suit are held."""
    natural = [card for card in hand if card not in WILD]
    held = Counter(card % 4 for card in natural)
    return sorted((card // 4, held[card % 4]) if card in natural else (0, 0) for card in selected)


@pytest.mark.parametrize("table", ["FCF-A", pytest.param("FCF-B", marks=pytest.mark.slow)])
def test_dw_6_five_card_fortune(table: str) -> None:
    game = played("deuces-wild", table, "five-card-fortune")
    for hand in hands_of([*range(53)], 3, 4):
        found = game.found(hand)
        for step in game.trade.steps:
            selected = parse_cards(game.decision_of(step, found).removeprefix("select "))
            assert like(reading.fortune(step.decisions[0], hand), hand) == like(selected, hand)


@pytest.mark.slow
def test_four_card_prime() -> None:
    game = played("four-card-prime", "BB-1")
    for *hand, up in hands_of([*range(52)], 6, 5):
        found = game.found(tuple(hand), (up,))
        for step in game.trade.steps:
            assert reading.four_card(step.decisions[0], hand, up) == game.decision_of(step, found)


@pytest.mark.slow
@pytest.mark.parametrize("table", ["LWB-1", "LWB-5"])
def test_three_card_double_play(table: str) -> None:
    game = played("three-card-double-play", table)
    for hand in hands_of([*range(52)], 6, 6):
        found = game.found(hand)
        for step in game.trade.steps:
            assert reading.high_low(step, hand) == as_set(game.decision_of(step, found))


def as_set(words: str) -> tuple[Any, Any, bool]:
    """The hands and the doubling of a decision in words."""
    high, low, doubled = words.removeprefix("High ").replace("Low ", "").split(", ")
    high_key, low_key = (naive.key(naive.THREE_CARD, parse_cards(cards)) for cards in (high, low))
    return high_key, low_key, doubled == "doubled"
