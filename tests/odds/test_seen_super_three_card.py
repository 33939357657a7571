"""What another seat's cards are worth in Super Three Card: shortened shoes through the settlement, and sums."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy
import pytest

from pitboss.games import find_game
from pitboss.games.super_three_card import seen
from pitboss.games.super_three_card.loops import COMPARISONS, MASKS, ByValue, count_left, dealer_values, nodes
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import UnitPays, best_decisions, price, unit_pays
from pitboss.odds.printed import catalogue
from pitboss.odds.seen import kinds_of, seen_counts, seen_play, seen_value
from pitboss.odds.solving import counts_of, solve_terms
from pitboss.rules import FinishedSeat, Settler
from pitboss.rules.facts import Hands, decode, encode
from pitboss.rules.pays import ToOne

GAME = find_game("super-three-card")
MAIN = GAME.by_name["ante-odds-play"]
TERMS = next(terms for wager, terms in catalogue(GAME) if wager is MAIN)
DECKS = TERMS.deck.decks
KIND, BOTH = "another-card", "another-hand"
RANKS = 2


def ways(cards: tuple[int, ...], left: list[int]) -> int:
    """In how many ways a set of cards by kinds comes from what is left, which loses them."""
    number = 1
    for card in set(cards):
        number *= comb(left[card], cards.count(card))
    for card in cards:
        left[card] -= 1
    return number


def net_of(hand: tuple[int, ...], dealer: tuple[int, ...]) -> Fraction:
    """What one unit wins by the settlement code if it is played, in whatever order the cards came."""
    return _net_of(tuple(sorted(hand)), tuple(sorted(dealer)))


@cache
def _net_of(hand: tuple[int, ...], dealer: tuple[int, ...]) -> Fraction:
    outcome = Settler(GAME, TERMS).outcome(MAIN, FinishedSeat(1, {MAIN.name: 100}, hand, (1,)), dealer)
    won = Fraction(0)
    for part in outcome.parts:
        won += (part.multiple if part.returned else 0) - part.multiple
        won += sum(prize.times * part.multiple for prize in part.prizes if isinstance(prize, ToOne))
    return won


def after(own: tuple[int, ...], left: list[int]) -> tuple[int, Fraction]:
    """How many deals follow two cards and an up card, and what playing them wins in all, deal by deal."""
    deals, won = 0, Fraction(0)
    kinds = range(len(left))
    for third in kinds:
        for two in combinations_with_replacement(kinds, 2):
            rest = list(left)
            number = ways((third,), rest) * ways(two, rest)
            if number:
                deals += number
                won += number * net_of((*own[:2], third), (own[2], *two))
    return deals, won


def naive(penalty: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Play every deal of a shortened shoe: expectation without and with, and how often the decision is another one."""
    kinds, deals = range(4 * RANKS), 0
    without = seeing = Fraction(0)
    changed = 0
    for two in combinations_with_replacement(kinds, 2):
        for up in kinds:
            left = [DECKS] * len(kinds)
            number = ways(two, left) * ways((up,), left)
            plain_deals, plain_won = after((*two, up), left)
            plays = plain_won - penalty * plain_deals > -plain_deals
            sets = sum(left)
            without += number * sets * max(plain_won / plain_deals - penalty, Fraction(-1))
            for other in combinations_with_replacement(kinds, 1):
                rest = list(left)
                times = number * ways(other, rest)
                if not times:
                    continue
                own_deals, won = after((*two, up), rest)
                deals += times
                mean = won / own_deals - penalty
                seeing += times * max(mean, Fraction(-1))
                changed += times if (mean > -1) != plays else 0
    return without / deals, seeing / deals, Fraction(changed, deals)


def with_penalty(penalty: Fraction) -> UnitPays:
    """The pays, with every hand that is played costing so much more, which makes decisions close on a short shoe."""
    pays = unit_pays(MAIN, TERMS)
    net = [value - penalty * decode(code, MAIN.bounds)[0] for code, value in enumerate(pays.net)]
    return replace(pays, net=tuple(net))


def mean_of(counts: Any, pays: UnitPays, choices: list[Any]) -> Fraction:
    priced = price(counts, pays, choices)
    return sum((pays.net[code] * number for code, number in priced.histogram.items()), Fraction(0)) / priced.total


def close_penalty() -> Fraction:
    """Some hundredths between what two cards seen make of playing a hand, so that they decide it."""
    for hand in ((0, 1, 6), (0, 4, 5), (0, 5, 1), (0, 0, 4), (4, 4, 0)):
        means = []
        for other in range(4 * RANKS):
            left = [DECKS] * 4 * RANKS
            for card in (*hand, other):
                left[card] -= 1
            deals, won = after(hand, left)
            means.append(won / deals + 1)
        middle = Fraction(int(max(means) * 50), 50)
        if min(means) < middle < max(means):
            return middle
    raise AssertionError("no hand is close")


# The same with two cards of another seat runs every day.
@pytest.mark.slow
def test_item_16_every_deal_of_a_shortened_shoe_through_the_settlement() -> None:
    penalty = close_penalty()
    pays = with_penalty(penalty)
    plain, counts = counts_of(GAME, MAIN, TERMS, ranks=RANKS), seen_counts(GAME, TERMS, KIND, ranks=RANKS)
    usual, best = best_decisions(plain, pays), best_decisions(counts, pays)
    before, level = counts.levels
    deals = before.weights[level.parents] * level.weights * level.counts[:, 0].sum(axis=1)
    changed = Fraction(int(deals[usual[0][level.parents] != best[1]].sum()), counts.total)

    assert changed > 0
    assert naive(penalty) == (mean_of(plain, pays, usual), mean_of(counts, pays, best), changed)


def naive_of_two(penalty: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """The same for two cards of another seat: every deal by kinds, its net by the settlement."""
    kinds, total, changed = range(4 * RANKS), 0, 0
    without = seeing = Fraction(0)
    for two in combinations_with_replacement(kinds, 2):
        for up in kinds:
            left = [DECKS] * len(kinds)
            number = ways(two, left) * ways((up,), left)
            follows = numpy.array(
                [
                    (third, *pair, int((net_of((*two, third), (up, *pair)) - penalty) * 100))
                    for third in kinds
                    for pair in combinations_with_replacement(kinds, 2)
                ]
            ).T
            plain_deals, plain_won = sums_of(follows, left)
            plays = plain_won > -plain_deals
            for other in combinations_with_replacement(kinds, 2):
                rest = list(left)
                times = number * ways(other, rest)
                if times:
                    deals, won = sums_of(follows, rest)
                    total += times * deals
                    seeing += times * max(won, Fraction(-deals))
                    without += times * (won if plays else Fraction(-deals))
                    changed += times * deals if (won > -deals) != plays else 0
    return without / total, seeing / total, Fraction(changed, total)


def sums_of(follows: Any, left: list[int]) -> tuple[int, Fraction]:
    """How many deals follow, given by third card, two of the dealer's and net in hundredths, and what they win in all."""
    third, x, y, net = follows
    held = numpy.array(left)
    of_x, of_y = held[x] - (x == third), held[y] - (y == third)
    number = held[third] * numpy.where(x == y, of_x * (of_x - 1) // 2, of_x * of_y)
    return int(number.sum()), Fraction(int((number * net).sum()), 100)


def test_item_16_two_cards_of_another_seat_on_a_shortened_shoe_through_the_settlement() -> None:
    penalty = close_penalty()
    pays = with_penalty(penalty)
    played = seen_play(GAME, TERMS, BOTH, pays, ranks=RANKS)
    assert played is not None
    plain = counts_of(GAME, MAIN, TERMS, ranks=RANKS)
    won = sum((pays.net[code] * number for code, number in played.seeing.items()), Fraction(0))
    changed = Fraction(sum(played.changes.values()), played.total)
    assert changed > 0
    without = mean_of(plain, pays, best_decisions(plain, pays))
    assert naive_of_two(penalty) == (without, won / played.total, changed)
    assert sum(played.seeing.values()) == played.total


@pytest.mark.parametrize("pair", [(0, 0), (3, 50), (17, 17), (8, 9)])
def test_item_16_what_two_cards_leave_of_a_whole_shoe_is_what_the_plain_loop_counts(pair: tuple[int, int]) -> None:
    """By inclusion and exclusion, and by taking the two cards out of the shoe."""
    context = NumbaContext(decks=DECKS)
    tables, values = dealer_values(context)
    for hand in (numpy.array([0, 17, 3]), numpy.array([8, 8, 9])):
        left = numpy.full(52, DECKS)
        numpy.subtract.at(left, hand, 1)
        size = MASKS * COMPARISONS
        removed = seen.Removed(
            numpy.zeros(size, dtype=numpy.int64),
            numpy.zeros((52, size), dtype=numpy.int64),
            numpy.zeros((52, 52, size), dtype=numpy.int64),
        )
        context.compiled(seen.count_removed)(hand, left, tables, values, numpy.arange(size), removed)
        one, other = pair
        rest = removed.every - removed.one[one] - removed.one[other] + removed.two[one, other]
        numpy.subtract.at(left, list(pair), 1)
        room = ByValue(*(numpy.zeros(length, dtype=numpy.int64) for length in (len(tables.category),) * 2 + (3,)))
        row = numpy.zeros(size, dtype=numpy.int64)
        context.compiled(count_left)(hand, left, tables, values, room, row)
        assert rest.tolist() == row.tolist()


@pytest.mark.slow
def test_item_16_two_cards_are_worth_more_than_one() -> None:
    one, both = (seen_value(GAME, TERMS, kind) for kind in (KIND, BOTH))
    assert both.without == one.without
    assert 0 < one.gain < both.gain
    assert one.decision_changes < both.decision_changes


def random_rows(count: int) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    rng, hands = random.Random(16), nodes(NumbaContext(decks=DECKS))[0]
    places = [rng.randrange(len(hands)) for _ in range(count)]
    return [(place, tuple(hands[place].tolist()), (rng.randrange(52),)) for place in places]


@pytest.mark.parametrize(("node", "hand", "other"), random_rows(2), ids=str)
def test_item_16_a_random_hand_of_the_whole_shoe_by_the_plain_loop(
    node: int, hand: tuple[int, ...], other: tuple[int, ...]
) -> None:
    left = [DECKS] * 52
    for card in (*hand, *other):
        left[card] -= 1
    tables, expected = GAME.tables(), dict[int, int]()
    for third in range(52):
        for two in combinations_with_replacement(range(52), 2):
            rest = list(left)
            number = ways((third,), rest) * ways(two, rest)
            read = MAIN.read(Hands((*hand[:2], third), (hand[2], *two), (1,), ()), tables)
            code = encode(read, MAIN.bounds)
            expected[code] = expected.get(code, 0) + number
    level = seen_counts(GAME, TERMS, KIND).levels[1]
    codes = level.codes[0, 0].tolist()
    rows = [
        {code: int(number) for code, number in zip(codes, level.counts[at, 0], strict=True) if number}
        for at in numpy.flatnonzero(level.parents == node)
    ]
    assert {code: number for code, number in expected.items() if number} in rows


def test_item_16_all_that_may_be_seen_adds_up_to_the_plain_counts() -> None:
    (plain,) = counts_of(GAME, MAIN, TERMS).levels
    before, level = seen_counts(GAME, TERMS, KIND).levels
    assert level.parents is not None
    sums = numpy.zeros(plain.counts.shape, dtype=object)
    numpy.add.at(sums, level.parents, level.counts.astype(object) * level.weights[:, None, None])
    numbers = numpy.zeros(len(plain.weights), dtype=numpy.int64)
    numpy.add.at(numbers, level.parents, level.weights)

    assert (plain.counts.astype(object) * (52 * DECKS - 6) == sums).all()
    assert (plain.weights == before.weights).all()
    assert {52 * DECKS - 3} == set(map(int, numbers))


def test_item_16_what_is_seen_never_costs_and_the_plain_figure_is_that_of_the_odds() -> None:
    value = seen_value(GAME, TERMS, KIND)

    assert solve_terms(GAME, MAIN, TERMS) == value.without
    assert value.gain > 0
    assert {(change.without, change.seeing) for change in value.changes} <= {
        ("play", "surrender"),
        ("surrender", "play"),
    }


def test_kinds_have_words_and_a_wager_without_a_decision_is_refused() -> None:
    assert [KIND, BOTH] == list(kinds_of(GAME)) == list(seen.KINDS)
    with pytest.raises(ValueError, match="big-hand-bonus has no decision"):
        seen.count(KIND, "big-hand-bonus", NumbaContext())
