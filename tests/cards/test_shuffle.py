"""Tests of shuffling: replayed to the card, and every order equally likely."""

from bisect import bisect_right, insort
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import factorial, sqrt
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import (
    JOKER_DECK,
    STANDARD_DECK,
    Deck,
    KeyStream,
    WordSource,
    cards_text,
    parse_cards,
    shuffled,
)

from . import enumerated, twin

KEY = bytes(range(32))
BLOCK = 7
SHOES = [
    (
        STANDARD_DECK,
        """
        4d 8h Kd 2d Qs 7d Qh 4s Jh 8d Th Tc 5c 7c Ts 3c Ad 7s 2c Js Jc 5s 9s 3d 6d Qd
        3h Kc Ac Jd 2h 6c 8s Ah 8c As Kh 5h 3s 9d 7h 9c 6s 2s 5d Ks Qc Td 4h 9h 4c 6h
    """,
    ),
    (
        JOKER_DECK,
        """
        5c Js 2d Jc 4d 8h 7d Jd 7c Kh 9d 8s Ks Kd Ah Qs 3c Kc 8c 2c Td Tc Qc Ts 3d 6d
        4h 3h Jh Ad 5s 2h 6c Qh As 8d 6h 7h 5h 3s 9h 7s 9c * 2s 5d Ac Qd Th 4s 9s 4c
        6s
    """,
    ),
    (
        Deck(decks=6),
        """
        6c 8c Jc 2d Jc 9c 9d Jc 6h Kd Qs 3d 6h 2h 3d 4s 3h 4c Jc Jh Ah Qs 2c Qs Ks Qs
        8s 4h Tc 6s 7h Ac 6d 8s 4h Jc 8c 5h As 7c 8d 3d 4h 4d 9d 2d Ad 2s 4d 2d 9h Qd
        7h Ts 3c Kh Ks Td 9c 3s 3h Jh 8h 3s Kc Tc 4d 9h 5c Ad Jh 7s Kh Qc Td 5s 7c 6c
        Jh Kd 2c 4h 2h Kc 5s 2d Jd 4c 5c 5s 5s 8s 8h Jd Jh 2s Th 8h Ah 4h Qd Qc 7s 8c
        8d 3s 6h 5d 2c 4c 7c 5d Ad 5h 2s 6s Tc Tc Js Th 5d As 2h Jc 9c 2h 3h 9s 3c 9c
        5d 9s Jd Ah Qh 6h 7c 3s 7s 5h 7d Qd Tc 5h 5h 9d 4s 8d Kc Ad Jd 3c Ks 7s 3s 4c
        Ah 7d Ks Ac 6c 4s 7s Ah Kh Kc Js 6s Ks 5c 7d 8c 5d 6c 5s Th 8h 5h Jd 8d 3d Jh
        9d 7h 3h Kd 7d Ac 2s 7c Qh 8h 4d 2c 4s Th Ac 9h 4c 9h Kh Qs 6d Ts Qd 3h Ah Qd
        5c Qh 6h Ad 6d Js As Ac 9c 7h Td 2s 3d 9s 9s 8d 7c Tc 8s 9h Kh Ts 4h 2d Ts 9c
        6h Js Kd Qh 7s 9s Td Th Kh 9s 6d 2c Qh Ks 6s 9d 6d 2c Qc 3d 5d 8c 8d Ad 3c 8s
        Qd Qc 7h 6s Kc 8s 4s Td 6s 2h 9d 5c 2d Qs 6c 8c Ac Td 3c Qh 4c Jd Th 4d Qc 3s
        6d Js 2s Qc 8h Kc Ts 7h As Kd 7d As 3c 5c 4s Kd 9h 7d Js 5s 2h 3h 6c Ts As 4d
    """,
    ),
]
SHUFFLE_COUNT = 20_000


@pytest.mark.parametrize(("deck", "shoe"), SHOES)
def test_a_given_key_gives_this_shoe_on_every_machine(deck: Deck, shoe: str) -> None:
    expected = cards_text(parse_cards(shoe))
    assert expected == cards_text(shuffled(deck.cards, KeyStream(KEY, BLOCK)))


@pytest.mark.parametrize(("deck", "shoe"), SHOES)
def test_the_independent_twin_gives_the_same_shoe(deck: Deck, shoe: str) -> None:
    expected = cards_text(parse_cards(shoe))
    places = twin.shoe(deck.size, KEY, BLOCK)
    assert expected == cards_text(deck.cards[place] for place in places)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 60))
def test_any_key_shuffles_as_the_twin_does(key: bytes, size: int) -> None:
    expected = tuple(twin.shoe(size, key, 0))
    assert expected == shuffled(range(size), KeyStream(key))


@pytest.mark.parametrize("decks", [1, 6, 8])
@pytest.mark.parametrize("joker", [False, True])
def test_a_shuffle_keeps_every_card(decks: int, joker: bool) -> None:
    deck = Deck(decks=decks, joker=joker)
    assert Counter(deck.cards) == Counter(shuffled(deck.cards, KeyStream(KEY)))


def test_a_shuffle_leaves_what_it_is_given_alone() -> None:
    cards = list(STANDARD_DECK.cards)
    shuffled(cards, KeyStream(KEY))
    assert list(STANDARD_DECK.cards) == cards


def test_one_card_or_none_takes_no_word() -> None:
    stream = KeyStream(KEY)
    assert shuffled((), stream) == ()
    assert shuffled((9,), stream) == (9,)
    assert next(twin.words(KEY, 0)) == stream.word()


def test_one_stream_shuffles_again_in_another_order() -> None:
    stream = KeyStream(KEY)
    shoes = {shuffled(STANDARD_DECK.cards, stream) for _ in range(1000)}
    assert len(shoes) == 1000


@pytest.mark.parametrize(("size", "count"), [(2, 4), (3, 8), (4, 16), (5, 16)])
def test_r_09_every_order_comes_equally_often_exactly(size: int, count: int) -> None:
    """Try every sequence of size - 1 words of three bits: no more than one a draw."""
    counts, _ = enumerated.results(3, size - 1, lambda s: shuffled(range(size), s))
    assert factorial(size) == len(counts)
    assert {count} == set(counts.values())


def test_r_09_four_cards_stay_equally_likely_through_rejections() -> None:
    """Three words at least; of five, the draw below 3 may reject up to two.

    The first word is below 4 and never rejected, nor is the last; the draw below 3
    rejects two words of eight. So all three words in a row are rejected with
    probability (1/4)**3, and then the five words are not enough.
    """
    counts, unfinished = enumerated.results(3, 5, lambda s: shuffled(range(4), s))
    assert len(counts) == 24
    assert len(set(counts.values())) == 1
    assert Fraction(1, 64) == unfinished


def test_r_09_swapping_with_any_place_would_be_uneven() -> None:
    """Show that the enumeration catches the best known mistake."""

    def careless(source: WordSource) -> tuple[int, ...]:
        order = list(range(4))
        for i in range(4):
            j = source.word()
            order[i], order[j] = order[j], order[i]
        return tuple(order)

    counts, _ = enumerated.results(2, 4, careless)
    assert len(set(counts.values())) > 1


@lru_cache(maxsize=1)
def fixed_sample() -> tuple[tuple[int, ...], ...]:
    """Shuffle one deck many times from one fixed key: the same orders every time."""
    stream = KeyStream(KEY)
    return tuple(shuffled(STANDARD_DECK.cards, stream) for _ in range(SHUFFLE_COUNT))


def chi_square_limits(degrees: int, alpha: float) -> tuple[float, float]:
    """Give both two-sided limits by the cube of Wilson and Hilferty."""
    z = NormalDist().inv_cdf(1 - alpha / 2)
    spread = 2 / (9 * degrees)
    low, high = ((1 - spread + sign * z * sqrt(spread)) ** 3 for sign in (-1, 1))
    return degrees * low, degrees * high


def test_r_10_card_by_position_is_even_by_chi_square_at_99_percent() -> None:
    """Count how often each card lies at each position, against exactly N/52.

    Rows and columns both have fixed sums, so the sum over all cells has mean 52 * 51;
    times 51/52 it has the mean of its 51 * 51 = 2,601 degrees of freedom.
    """
    counts = Counter(position * 52 + card for order in fixed_sample() for position, card in enumerate(order))
    expected = Fraction(SHUFFLE_COUNT, 52)
    total = sum((counts[cell] - expected) ** 2 for cell in range(52 * 52)) / expected
    low, high = chi_square_limits(2601, alpha=0.01)
    assert low < total * Fraction(51, 52) < high


def test_r_10_cards_left_in_place_have_mean_one_and_variance_one() -> None:
    fixed = [sum(card == position for position, card in enumerate(order)) for order in fixed_sample()]
    mean = Fraction(sum(fixed), SHUFFLE_COUNT)
    second_moment = Fraction(sum(count**2 for count in fixed), SHUFFLE_COUNT)
    # As for a Poisson law of mean 1: E[X^2] = 2, E[X^4] = 15, so X^2 has variance 11.
    assert abs(mean - 1) < 3 * sqrt(1 / SHUFFLE_COUNT)
    assert abs(second_moment - 2) < 3 * sqrt(11 / SHUFFLE_COUNT)


def test_r_10_inversions_have_mean_663() -> None:
    total = 0
    for order in fixed_sample():
        seen: list[int] = []
        for card in order:
            total += len(seen) - bisect_right(seen, card)
            insort(seen, card)
    variance = Fraction(52 * 51 * (2 * 52 + 5), 72)
    assert abs(Fraction(total, SHUFFLE_COUNT) - 663) < 3 * sqrt(variance / SHUFFLE_COUNT)
