"""Dealing from a block's stream: the same cards as a plain twin deals, every deal equally likely."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import perm

import numpy
import pytest

from pitboss.cards import JOKER_DECK, STANDARD_DECK, Deck, KeyStream, draw_below
from pitboss.odds.compiled import compiled
from pitboss.simulate.playing import Dealer, loop_deal
from tests.simulate.cases import KEY

WORD = 1 << 32


class Words:
    """Words given one by one."""

    word_bits = 32

    def __init__(self, words: list[int]) -> None:
        self.words = list(words)

    def word(self) -> int:
        return self.words.pop(0)


def twin_deal(deck: tuple[int, ...], cards: int, source: KeyStream | Words) -> list[int]:
    """The first steps of Fisher and Yates from the top, on a fresh deck."""
    order = list(deck)
    for place in range(cards):
        other = place + draw_below(source, len(order) - place)
        order[place], order[other] = order[other], order[place]
    return order[:cards]


def loop_dealt(deck: tuple[int, ...], cards: int, words: list[int], rounds: int) -> tuple[list[list[int]], int, int]:
    dealt = numpy.zeros((rounds, cards), dtype=numpy.int64)
    place_of, swapped = numpy.arange(len(deck)), numpy.zeros(cards, dtype=numpy.int64)
    given = (place_of, swapped, numpy.array(deck), dealt)
    number, at = compiled(loop_deal)(numpy.array(words, dtype=numpy.uint32), 0, rounds, *given)
    assert place_of.tolist() == list(range(len(deck))), "the deck is not put back in order"
    return dealt[:number].tolist(), number, at


@pytest.mark.parametrize(
    ("deck", "cards"), [(STANDARD_DECK, 7), (JOKER_DECK, 39), (Deck(decks=8), 30), (STANDARD_DECK, 52)], ids=str
)
def test_a_block_deals_what_a_plain_twin_deals_across_every_refill(deck: Deck, cards: int) -> None:
    dealer, stream = Dealer(KEY, 5, deck, cards, 20), KeyStream(KEY, block=5)
    seen = 0
    for asked in (20, 1, 7, 20, 20, 3, 20):
        dealt = dealer.deal(asked)
        assert 1 <= dealt <= asked
        for row in dealer.cards[:dealt].tolist():
            assert row == twin_deal(deck.cards, cards, stream)
        seen += dealt
    assert seen > 80


def test_a_word_in_the_uneven_rest_is_thrown_away() -> None:
    # 2**32 mod 5 is 1 and mod 3 is 1: a word of zero is thrown away where five or three are left, not where four are.
    deck = (10, 11, 12, 13, 14)
    words = [0, 0, WORD - 1, 0, 0, 0, 1, 0, 0, 5]
    source = Words(words)
    expected = twin_deal(deck, 3, source)
    dealt, number, at = loop_dealt(deck, 3, words, 1)
    assert ([expected], 1) == (dealt, number)
    assert len(words) - len(source.words) == at == 7
    assert [14, 11, 12] == expected


def test_a_round_for_which_the_words_do_not_suffice_is_not_begun() -> None:
    deck = tuple(range(5))
    words = [WORD - 1, 7, WORD // 2, WORD - 1, WORD - 1]
    dealt, number, at = loop_dealt(deck, 3, words, 2)
    assert [twin_deal(deck, 3, Words(words))] == dealt
    assert (1, 3) == (number, at)


def test_words_thrown_away_at_the_end_do_not_make_a_round() -> None:
    assert ([], 0, 0) == loop_dealt((1, 2, 3), 2, [0, 0, 0], 1)


@pytest.mark.parametrize(("deck", "cards"), [(4, 4), (5, 3), (6, 2), (3, 2)])
def test_every_deal_of_a_tiny_deck_comes_equally_often(deck: int, cards: int) -> None:
    """All draws there are: of each number of cards left, one word for every card that it may draw."""
    draws = [[(draw * WORD + left - 1) // left + 1 for draw in range(left)] for left in range(deck, deck - cards, -1)]
    found: Counter[tuple[int, ...]] = Counter()
    for words in product(*draws):
        (cards_dealt,), number, at = loop_dealt(tuple(range(deck)), cards, list(words), 1)
        assert (1, cards) == (number, at)
        found[tuple(cards_dealt)] += 1
    assert found == Counter(permutations(range(deck), cards))
    assert perm(deck, cards) == len(found)


@pytest.mark.parametrize("left", [2, 3, 5, 7, 52, 53, 312, 416])
def test_as_many_words_draw_each_of_the_cards_left(left: int) -> None:
    """Found at the edges: the words that draw a card and are kept are one unbroken range of the same length for all."""
    deck = tuple(range(left))
    rest = WORD % left
    for draw in {0, 1, left // 2, left - 2, left - 1} & set(range(left)):
        low, high = -(-draw * WORD // left), -(-(draw + 1) * WORD // left) - 1
        kept = [word for word in range(low, low + 2) if word * left % WORD >= rest]
        assert high - kept[0] + 1 == WORD // left
        assert loop_dealt(deck, 1, [kept[0]], 1)[0] == loop_dealt(deck, 1, [high], 1)[0] == [[draw]]
        for word in range(low, kept[0]):
            assert ([], 0, 0) == loop_dealt(deck, 1, [word], 1)
