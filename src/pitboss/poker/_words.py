"""What a dealer would say of a hand."""

from collections.abc import Sequence
from typing import Final

from pitboss.cards import Card, rank_of, rank_word, suit_of, suit_word
from pitboss.poker._category import Category

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five")


def hand_words(category: Category, cards: Sequence[Card], wild_count: int) -> str:
    """Say a hand, from the cards in order, each wild card as what it stands for."""
    ranks = [rank_of(card) for card in cards]
    groups = list(dict.fromkeys(ranks))
    kickers = [rank_word(rank) for rank in groups if ranks.count(rank) == 1]
    said = category.said.format(
        first=rank_word(groups[0]),
        firsts=rank_word(groups[0], plural=True),
        seconds=rank_word(groups[1], plural=True) if len(groups) > 1 else "",
        ranks=" ".join(map(rank_word, ranks)),
        kickers=_kicker_words(kickers),
        suit=suit_word(suit_of(cards[0])),
    )
    return said + _wild_words(len(cards), len(groups), wild_count)


def _kicker_words(kickers: Sequence[str]) -> str:
    if not kickers:
        return ""
    if len(kickers) == 1:
        return f", {kickers[0]} kicker"
    return f", {', '.join(kickers[:-1])} and {kickers[-1]} kickers"


def _wild_words(size: int, group_count: int, wild_count: int) -> str:
    if wild_count == 0:
        return ""
    number = _NUMBERS[wild_count]
    if wild_count == size:
        return f", all {number} cards wild"
    if group_count == 1:
        return f", {number} of them wild"
    return f", with {number} wild {'card' if wild_count == 1 else 'cards'}"
