"""Scales: the steps keep the order of the ranking, and their words name the hands on either side of a bound."""

from __future__ import annotations

import doctest

import pytest

import pitboss.poker.scales
from pitboss.cards import parse_cards
from pitboss.poker import FOUR_CARD, THREE_CARD, Ranking
from pitboss.poker.scales import Scale, scale_of

FINE = scale_of(
    THREE_CARD, {"high-card": 3, "pair": 2, "flush": 3, "straight": 1, "trips": 1, "straight-flush": 1, "mini-royal": 0}
)
COARSE = scale_of(THREE_CARD, {"high-card": 1, "pair": 1})
FOUR = scale_of(FOUR_CARD, {"high-card": 2, "pair": 1, "two-pair": 1})


def step(scale: Scale, ranking: Ranking, cards: str) -> int:
    return scale.steps[ranking.value(parse_cards(cards))]


@pytest.mark.parametrize(("scale", "ranking"), [(FINE, THREE_CARD), (COARSE, THREE_CARD), (FOUR, FOUR_CARD)])
def test_steps_never_fall_as_hands_get_better_and_none_is_left_out(scale: Scale, ranking: Ranking) -> None:
    assert len(scale.steps) == ranking.classes
    assert list(scale.steps) == sorted(scale.steps)
    assert set(scale.steps) == set(range(len(scale.hands)))


def test_a_scale_that_tells_every_rank_has_a_step_for_every_value() -> None:
    assert THREE_CARD.classes == len(FINE.hands)
    # The five ranks of seven-high and lower without a pair or a straight are told apart by their first card.
    assert len(set(COARSE.steps)) == 10 + 13 + 5


@pytest.mark.parametrize(
    ("scale", "ranking", "cards", "at_least", "at_most"),
    [
        (FINE, THREE_CARD, "Qs 6d 4h", "Q-6-4 or better", "Q-6-4 or worse"),
        (FINE, THREE_CARD, "Qs 6d 2h", "Q-6 or better", "Q-6-2 or worse"),
        (FINE, THREE_CARD, "Qs 3d 2h", "queen high or better", "Q-3 or worse"),
        (FINE, THREE_CARD, "As Kd Jh", "A-K-J or better", "less than a pair"),
        (FINE, THREE_CARD, "2s 2d 3h", "pair or better", "pair of deuces with 3 or worse"),
        (FINE, THREE_CARD, "9s 9d 2h", "pair of nines or better", "pair of nines with 2 or worse"),
        (FINE, THREE_CARD, "9s 9d Ah", "pair of nines with A or better", "pair of nines or worse"),
        (FINE, THREE_CARD, "As Ad Kh", "pair of aces with K or better", "less than a flush"),
        (FINE, THREE_CARD, "Qs 7s 2s", "flush Q-7 or better", "flush Q-7-2 or worse"),
        (FINE, THREE_CARD, "As 2s 3d", "straight or better", "three-high straight or worse"),
        (FINE, THREE_CARD, "As Ks Qd", "ace-high straight or better", "less than three of a kind"),
        (FINE, THREE_CARD, "6s 6d 6h", "three sixes or better", "three sixes or worse"),
        (COARSE, THREE_CARD, "Qs 7s 2s", "flush or better", "less than a straight"),
        (COARSE, THREE_CARD, "Qs 7s 2d", "queen high or better", "queen high or worse"),
        (FOUR, FOUR_CARD, "9s 9d 4h 4c", "two pair, nines up or better", "two pair, nines up or worse"),
        (FOUR, FOUR_CARD, "Ks Jd 4h 3c", "K-J or better", "K-J or worse"),
        (FOUR, FOUR_CARD, "As Ad 4h 4c", "two pair, aces up or better", "less than a straight"),
    ],
)
def test_bounds_in_words(scale: Scale, ranking: Ranking, cards: str, at_least: str, at_most: str) -> None:
    place = step(scale, ranking, cards)
    assert (at_least, at_most) == (scale.at_least(place), scale.at_most(place))


@pytest.mark.parametrize(
    ("scale", "first", "last", "words"),
    [
        (COARSE, "5s 5d 2h", "9s 9d 2h", "pair of fives to pair of nines"),
        (COARSE, "2s 2d 3h", "As Ad 2h", "pair"),
        (COARSE, "2s 2d 3h", "9s 9d 2h", "pair of deuces to pair of nines"),
        (COARSE, "9s 9d 2h", "9s 9d 2h", "pair of nines"),
        (COARSE, "Js Jd 2h", "9s 7s 2s", "pair of jacks to flush"),
        (COARSE, "9s 7s 2s", "9s 8s 7d", "flush to straight"),
        (COARSE, "9s 7s 2s", "Ks 7s 2s", "flush"),
        (FINE, "Js 7s 2s", "9s 8s 7d", "flush J-7-2 to nine-high straight"),
    ],
)
def test_two_bounds_in_words(scale: Scale, first: str, last: str, words: str) -> None:
    assert words == scale.between(step(scale, THREE_CARD, first), step(scale, THREE_CARD, last))


def test_no_two_bounds_are_said_alike() -> None:
    for scale in (FINE, COARSE, FOUR):
        steps = range(len(scale.hands))
        assert len(steps) - 1 == len({scale.at_least(place) for place in steps[1:]})
        assert len(steps) - 1 == len({scale.at_most(place) for place in steps[:-1]})


def test_the_example_in_the_source_is_right() -> None:
    assert 0 == doctest.testmod(pitboss.poker.scales).failed
