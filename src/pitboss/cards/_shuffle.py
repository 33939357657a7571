"""Putting cards in an unbiased order."""

from collections.abc import Iterable

from pitboss.cards._card import Card
from pitboss.cards._stream import WordSource, draw_below


def shuffled(cards: Iterable[Card], stream: WordSource) -> tuple[Card, ...]:
    """Give the cards in an order drawn from the stream, every order equally likely.

    This is the shuffle of Fisher and Yates, and its steps are part of the interface,
    so that compiled code deals the very same cards: for i from n - 1 down to 1, draw
    j below i + 1 and swap the cards at i and j. The first card of the result is the
    first card dealt.
    """
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        j = draw_below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)
