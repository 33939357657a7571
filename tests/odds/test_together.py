"""Two wagers that share a decision, against naive trees on shortened decks and against what no best play may break."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import combinations
from typing import Any

import numpy
import pytest

from pitboss.cards import JOKER
from pitboss.games import find_game
from pitboss.games.three_card_double_play.facts import hand_values
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import price, unit_pays
from pitboss.odds.solving import solve_terms, stated_terms
from pitboss.odds.together import Pair, pair_of, solve_pair, solve_together, turning_ratio
from pitboss.poker import three_card_tables
from pitboss.poker.made import is_wild
from pitboss.rules import Game, Terms
from pitboss.rules.facts import Hands, encode

RATIOS = (Fraction(0), Fraction(1, 3), Fraction(1), Fraction(13, 2), Fraction(200))
FORTUNE_READINGS = ("player_selects", "dealer_takes_best")


@cache
def deuces_wild(reading: str) -> tuple[Game, Terms]:
    game = find_game("deuces-wild")
    tables = {"five-card-fortune": ["FCF-A"], "ante-play-raise": ["APR-A"]}
    return game, stated_terms(game, tables, readings={"fortune_after_raise": reading})[0]


@cache
def double_play() -> tuple[Game, Terms]:
    game = find_game("three-card-double-play")
    return game, stated_terms(game, {"pick-3": ["P3-1"], "high-low": ["LWB-1"]}, readings={"pick3_basis": "as_set"})[0]


def worth_of(game: Game, terms: Terms, wager_name: str, tables: Any) -> Callable[..., Fraction]:
    """Settle hands, cards and choices given, and give what the wager brings per unit."""
    wager = game.by_name[wager_name]
    pays, readings = unit_pays(wager, terms), game.reading_codes(terms)

    def worth(player: tuple[int, ...], board: tuple[int, ...], choices: tuple[int, ...]) -> Fraction:
        return pays.net[encode(wager.read(Hands(player, board, choices, readings), tables), wager.bounds)]

    return worth


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def selections(hand: tuple[int, ...]) -> list[int]:
    """Every selection the rules allow: one natural card, or any number of wild ones."""
    places = range(len(hand))
    wild = [place for place in places if is_wild(hand[place])]
    several = [sum(1 << place for place in some) for n in range(1, len(wild) + 1) for some in combinations(wild, n)]
    return [1 << place for place in places if not is_wild(hand[place])] + several


class NaiveDeucesWild:
    """Ante and Five Card Fortune of a shortened deck, every card dealt out."""

    def __init__(self, reading: str, ranks: int) -> None:
        game, terms = deuces_wild(reading)
        self.deck = (*range(4 * ranks), JOKER)
        self.takes_best = reading == "dealer_takes_best"
        self.ante = worth_of(game, terms, "ante-play-raise", None)
        self.fortune = worth_of(game, terms, "five-card-fortune", None)
        self.fours = {four: self._at_four(four) for four in combinations(sorted(self.deck), 4)}

    def left(self, held: tuple[int, ...]) -> list[int]:
        return [card for card in self.deck if card not in held]

    def _selected(self, hand: tuple[int, ...], choices: tuple[int, int]) -> Fraction:
        boards = list(combinations(self.left(hand), 4))
        return max(
            mean([self.fortune(hand, board, (*choices, chosen)) for board in boards]) for chosen in selections(hand)
        )

    def _at_four(self, four: tuple[int, ...]) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """What raising and folding bring in both wagers."""
        fifths = [(*four, card) for card in self.left(four)]
        raised = mean([self.ante(five, (), (1, 1, 0)) for five in fifths])
        selected = self._selected(four, (1, 0))
        taken = selected
        if self.takes_best:
            taken = mean(
                [self.fortune(five, board, (1, 1, 0)) for five in fifths for board in combinations(self.left(five), 4)]
            )
        return (raised, taken), (self.ante(four, (), (1, 0, 0)), selected)

    def best(self, ratio: Fraction | None) -> Fraction:
        """What both bring under the best play of both."""

        def joined(pair: tuple[Fraction, Fraction]) -> Fraction:
            return pair[1] if ratio is None else pair[0] + ratio * pair[1]

        four = {hand: max(map(joined, pairs)) for hand, pairs in self.fours.items()}
        total = []
        for three in combinations(sorted(self.deck), 3):
            fold = joined((self.ante(three, (), (0, 0, 0)), self._folded(three)))
            play = mean([four[tuple(sorted((*three, card)))] for card in self.left(three)])
            total.append(max(fold, play))
        return mean(total)

    @cache  # noqa: B019 - one instance a test
    def _folded(self, three: tuple[int, ...]) -> Fraction:
        return self._selected(three, (0, 0))


@pytest.mark.parametrize("reading", FORTUNE_READINGS)
def test_ante_with_five_card_fortune_equals_the_naive_tree_of_a_shortened_deck(reading: str) -> None:
    game, terms = deuces_wild(reading)
    naive = NaiveDeucesWild(reading, 2)
    pair = pair_of(game, game.by_name["five-card-fortune"], terms, ranks=2)
    for ratio in (*RATIOS, None):
        found = solve_pair(game, terms, pair, ratio)
        assert (found.side_ev if ratio is None else found.ev) == naive.best(ratio), ratio


@cache
def naive_settings(ranks: int) -> list[list[tuple[Fraction, Fraction]]]:
    """For each hand of a shortened deck what High-Low and Pick-3 as set bring in every setting, every card dealt out."""
    game, terms = double_play()
    tables = three_card_tables()
    main, side = (worth_of(game, terms, name, tables) for name in ("high-low", "pick-3"))
    masks = [sum(1 << place for place in high) for high in combinations(range(6), 3)]
    found = []
    for hand in combinations(range(4 * ranks), 6):
        boards = list(combinations([card for card in range(4 * ranks) if card not in hand], 5))
        values = []
        for high in masks:
            ours, theirs = hand_values(hand, high, tables)
            if ours < theirs:
                continue
            made = side(hand, (0,) * 5, (high, 0))
            brings = (mean([main(hand, board, (high, doubled)) for board in boards]) for doubled in (0, 1))
            values += [(worth, made) for worth in brings]
        found.append(values)
    return found


def naive_double_play(ratio: Fraction | None, ranks: int) -> Fraction:
    """What the best setting of each hand brings."""
    return mean(
        [
            max(made if ratio is None else brings + ratio * made for brings, made in values)
            for values in naive_settings(ranks)
        ]
    )


def test_high_low_with_pick_3_as_set_equals_the_naive_tree_of_a_shortened_deck() -> None:
    game, terms = double_play()
    pair = pair_of(game, game.by_name["pick-3"], terms, ranks=3)
    for ratio in (*RATIOS, None):
        found = solve_pair(game, terms, pair, ratio)
        assert (found.side_ev if ratio is None else found.ev) == naive_double_play(ratio, 3), ratio


@pytest.mark.parametrize("reading", FORTUNE_READINGS)
def test_playing_for_both_is_never_worse_than_apart_and_convex_in_the_ratio(reading: str) -> None:
    game, terms = deuces_wild(reading)
    wager = game.by_name["five-card-fortune"]
    found = [solve_together(game, wager, terms, ratio) for ratio in (Fraction(0), Fraction(3), Fraction(6))]
    assert all(each.gain is not None and each.gain >= 0 for each in found)
    assert found[0].ev == solve_terms(game, game.main, stated_terms(game, {"ante-play-raise": ["APR-A"]})[0]).ev
    assert 2 * found[1].ev <= found[0].ev + found[2].ev


@pytest.mark.parametrize("reading", FORTUNE_READINGS)
def test_no_other_choices_bring_more_at_the_ratio(reading: str) -> None:
    game, terms = deuces_wild(reading)
    pair = pair_of(game, game.by_name["five-card-fortune"], terms, ranks=5)
    ratio, generator = Fraction(4), numpy.random.default_rng(1)
    best = solve_pair(game, terms, pair, ratio).ev
    for _ in range(5):
        choices = [generator.integers(0, 2, len(level.weights)) for level in pair.counts.levels]
        assert value_of(game, terms, pair, choices, ratio) <= best


def value_of(game: Game, terms: Terms, pair: Pair, choices: list[Any], ratio: Fraction) -> Fraction:
    context = NumbaContext(ranks=pair.ranks, readings=game.reading_codes(terms))
    side = import_module(game.loops or "").beside(pair.side.name, context, choices)
    ours, theirs = price(pair.counts, pair.pays, choices), price(side, pair.side_pays)
    total = Fraction(0)
    for pays, priced, times in ((pair.pays, ours, Fraction(1)), (pair.side_pays, theirs, ratio)):
        total += times * sum(pays.net[code] * number for code, number in priced.histogram.items()) / priced.total
    return total


def test_where_the_dealer_takes_the_best_a_large_fortune_wager_turns_the_game() -> None:
    game, terms = deuces_wild("dealer_takes_best")
    wager = game.by_name["five-card-fortune"]
    ratio = turning_ratio(game, wager, terms)
    assert ratio is not None
    a_little = Fraction(1, 10**9)
    before, at, after = (
        solve_together(game, wager, terms, each) for each in (ratio - a_little, ratio, ratio + a_little)
    )
    assert before.ev < 0 == at.ev < after.ev


@pytest.mark.parametrize("case", ["deuces-wild", pytest.param("three-card-double-play", marks=pytest.mark.slow)])
def test_where_the_side_wager_loses_under_any_play_no_ratio_turns_the_game(case: str) -> None:
    game, terms = deuces_wild("player_selects") if case == "deuces-wild" else double_play()
    (wager,) = (wager for wager in game.wagers if wager.shares is not None)
    assert solve_together(game, wager, terms, None).side_ev < 0
    assert turning_ratio(game, wager, terms) is None


def test_a_wager_that_shares_no_decision_is_refused() -> None:
    game, terms = deuces_wild("player_selects")
    with pytest.raises(ValueError, match="shares no decision"):
        turning_ratio(game, game.by_name["three-card-treasure"], terms)
