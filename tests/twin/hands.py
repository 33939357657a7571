"""Cards and hands, by counting and by trying all combinations. Nothing clever on purpose.

A card is `(rank, suit)`: ranks 2..14 (14 is the Ace), suits `s h d c`; the joker is `(0, "*")`.
A *trait* is a plain word for something a hand has ("straight", "pair"). Traits include one
another as the cards do: a mini-royal is a straight flush, which is a straight and a flush;
quads hold trips, trips hold a pair. What a hand *is* (one category) is `category`.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Card = tuple[int, str]
RANKS = "23456789TJQKA"
SUITS = "shdc"
JOKER: Card = (0, "*")


def parse_card(text: str) -> Card:
    """`As` -> (14, "s"), `*` -> the joker; ValueError for anything else."""
    if text == "*":
        return JOKER
    if len(text) == 2 and text[0] in RANKS and text[1] in SUITS:
        return (RANKS.index(text[0]) + 2, text[1])
    raise ValueError(text)


def card_text(card: Card) -> str:
    return "*" if card == JOKER else RANKS[card[0] - 2] + card[1]


def is_wild(card: Card) -> bool:
    """Deuces Wild only: the four deuces and the joker."""
    return card[0] in (0, 2)


def colour(card: Card) -> str:
    return "red" if card[1] in "hd" else "black"


def counts(ranks: Iterable[int]) -> list[int]:
    """How often each rank occurs, most frequent first: a full house gives [3, 2]."""
    ranks = list(ranks)
    return sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)


def run_top(ranks: Sequence[int]) -> int:
    """The top rank if the ranks are a sequence without repetition, else 0. Aces high or low, no wrap (G-8)."""
    for aces_as in (14, 1):
        values = sorted(aces_as if rank == 14 else rank for rank in ranks)
        if values == list(range(values[0], values[0] + len(values))):
            return values[-1]
    return 0


def one_suit(cards: Sequence[Card]) -> bool:
    return len({suit for _, suit in cards}) == 1


def traits(ranks: Sequence[int], suited: bool, identical: int = 1) -> frozenset[str]:
    """Everything that 3, 4 or 5 cards of these ranks have; `identical`: most copies of one very card."""
    found: set[str] = set()
    size, many = len(ranks), counts(ranks)
    top = run_top(ranks)
    if top:
        found.add("straight")
    if suited:
        found.add("flush")
    if top and suited:
        found.add("straight flush")
        if top == 14:
            found.add("royal")
    for name, need in (("pair", 2), ("trips", 3), ("quads", 4), ("five of a kind", 5)):
        if many[0] >= need:
            found.add(name)
    if len(many) >= 2 and many[1] >= 2:
        found.add("two pair")
    if size == 5 and many == [3, 2]:
        found.add("full house")
    if identical >= 2:
        found.add("suited pair")
    if identical >= 3:
        found.add("suited trips")
    return frozenset(found)


def traits_of(cards: Sequence[Card]) -> frozenset[str]:
    """Traits of exactly these cards, all used."""
    identical = max(list(cards).count(card) for card in cards)
    return traits([rank for rank, _ in cards], one_suit(cards), identical)


def traits_of_best(cards: Sequence[Card], size: int) -> frozenset[str]:
    """Traits of any hand of `size` out of the cards."""
    found: set[str] = set()
    for hand in combinations(cards, size):
        found |= traits_of(hand)
    return frozenset(found)


@cache
def _wild_traits(naturals: tuple[int, ...], suited: bool, wilds: int) -> frozenset[str]:
    found: set[str] = set()
    for stand_ins in combinations_with_replacement(range(2, 15), wilds):
        found |= traits(naturals + stand_ins, suited)
    if "royal" in found:
        found.add("wild royal" if wilds else "natural royal")
    if wilds == 5:
        found.add("five wild cards")
    return frozenset(found)


def wild_traits_of(cards: Sequence[Card]) -> frozenset[str]:
    """Traits of exactly these cards, deuces and joker standing for any card, also one already held (DW-1).

    Every choice of ranks for the wild cards is tried. The suit of a wild card is free, so the hand
    can be of one suit exactly when its natural cards are.
    """
    naturals = [card for card in cards if not is_wild(card)]
    suited = len({suit for _, suit in naturals}) <= 1
    return _wild_traits(tuple(sorted(rank for rank, _ in naturals)), suited, len(cards) - len(naturals))


def wild_traits_of_best(cards: Sequence[Card], size: int) -> frozenset[str]:
    found: set[str] = set()
    for hand in combinations(cards, size):
        found |= wild_traits_of(hand)
    return frozenset(found)


# Rank orders, best first. What none of them names is a high card.
THREE_CARDS = ("royal", "straight flush", "trips", "straight", "flush", "pair")
THREE_CARDS_MANY_DECKS = (
    "royal",
    "suited trips",
    "straight flush",
    "trips",
    "straight",
    "suited pair",
    "flush",
    "pair",
)
FOUR_CARDS = ("quads", "straight flush", "trips", "flush", "straight", "two pair", "pair")

Strength = tuple[int, tuple[int, ...]]


def category(cards: Sequence[Card], order: Sequence[str]) -> str:
    """The best name in `order` that the cards have, else "high card"."""
    has = traits_of(cards)
    return next((name for name in order if name in has), "high card")


def strength(cards: Sequence[Card], order: Sequence[str]) -> Strength:
    """A value that compares like the hands: category, then ranks, multiplied ranks first (G-9)."""
    name = category(cards, order)
    place = len(order) - order.index(name) if name in order else 0
    ranks = [rank for rank, _ in cards]
    if name in ("royal", "straight flush", "straight"):
        return place, (run_top(ranks),)
    return place, tuple(sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True))


def best_hand(cards: Sequence[Card], size: int, order: Sequence[str]) -> tuple[Card, ...]:
    return max(combinations(cards, size), key=lambda hand: strength(hand, order))
