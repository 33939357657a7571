"""Rankings of hands, and hands."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Final

from pitboss.cards import DEUCE, JOKER, SPADES, Card, card_text, cards_text, rank_of, suit_of
from pitboss.poker._category import Category
from pitboss.poker._classes import WILD, Classes, classes_of
from pitboss.poker._strength import Pattern
from pitboss.poker._words import hand_words

_ALL_SUITS: Final = 0b1111


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The cards of a hand with their place in a ranking.

    Two hands are equal when they tie. Hands of different rankings are never equal and cannot be ordered.
    """

    ranking: str
    """The name of the ranking."""
    value: int
    category: Category = field(compare=False)
    cards: tuple[Card, ...] = field(compare=False)
    """The cards as a dealer lays them: multiplied ranks first, then kickers; straights from the top down."""
    stands_for: tuple[Card, ...] = field(compare=False)
    """What each of the cards counts as; differs from `cards` only where one is wild."""
    wild_count: int = field(default=0, compare=False)

    @property
    def words(self) -> str:
        """What a dealer would say, such as "pair of nines, king kicker"."""
        return hand_words(self.category, self.stands_for, self.wild_count)

    def __str__(self) -> str:
        return f"{cards_text(self.cards)} ({self.words})"

    def __lt__(self, other: "Hand") -> bool:
        return self.value < other.value if self._comparable(other) else NotImplemented

    def __le__(self, other: "Hand") -> bool:
        return self.value <= other.value if self._comparable(other) else NotImplemented

    def __gt__(self, other: "Hand") -> bool:
        return self.value > other.value if self._comparable(other) else NotImplemented

    def __ge__(self, other: "Hand") -> bool:
        return self.value >= other.value if self._comparable(other) else NotImplemented

    def _comparable(self, other: object) -> bool:
        return isinstance(other, Hand) and self.ranking == other.ranking


@dataclass(frozen=True)
class Ranking:
    """Hands of so many cards in rank order: the order of the categories, best first, is the ranking.

    A value is an integer from 0, the worst, to `classes` - 1, the best; two hands have the same value exactly when
    they tie (G-9).
    """

    name: str
    size: int
    categories: tuple[Category, ...]
    many_decks: bool = False
    """Hands come from a shoe, where a card may be held more than once."""
    wild_deuces: bool = False
    """The deuces and the joker are wild and may stand for any card, also one already held (DW-1)."""

    @property
    def classes(self) -> int:
        """How many values there are."""
        return len(self._classes.strengths)

    def value(self, cards: Sequence[Card]) -> int:
        """Give the value of exactly as many cards as a hand has, in any order."""
        if len(cards) != self.size:
            raise ValueError(f"a hand of {self.name} has {self.size} cards, not {len(cards)}")
        self._check(cards)
        return self._value(cards)

    def category_of(self, value: int) -> Category:
        """Give the category of a value."""
        if not 0 <= value < self.classes:
            raise ValueError(f"{value} is no value of {self.name}; they are 0 to {self.classes - 1}")
        return self.categories[-self._classes.strengths[value].place]

    def ranks_of(self, value: int) -> tuple[int, ...]:
        """Give the ranks of a value in the order they are compared; of a straight, from the top down."""
        return self._classes.strengths[value].ranks

    def hand(self, cards: Sequence[Card]) -> Hand:
        """Lay out a hand of exactly as many cards as a hand has."""
        return self._laid_out(cards, self.value(cards))

    def best(self, cards: Sequence[Card]) -> Hand:
        """Lay out the best hand among these cards, at least as many as a hand has."""
        if len(cards) < self.size:
            raise ValueError(f"a hand of {self.name} has {self.size} cards; {len(cards)} are too few")
        self._check(cards)
        # Sorted, so that among hands that tie the same cards are chosen however they were dealt.
        choices = combinations(sorted(cards, reverse=True), self.size)
        value, chosen = max(((self._value(choice), choice) for choice in choices), key=lambda pair: pair[0])
        return self._laid_out(chosen, value)

    @cached_property
    def _classes(self) -> Classes:
        return classes_of(self.categories, self.size, many_decks=self.many_decks, wild_deuces=self.wild_deuces)

    def _check(self, cards: Sequence[Card]) -> None:
        last = JOKER if self.wild_deuces else JOKER - 1
        if min(cards) < 0 or max(cards) > last:
            raise ValueError(f"{cards} are not all cards of {self.name}, which are 0 to {last}")
        if not self.many_decks and len(set(cards)) != len(cards):
            twice = next(card for card in cards if list(cards).count(card) > 1)
            raise ValueError(f"{card_text(twice)} is held more than once; {self.name} is dealt from one deck")

    @cached_property
    def _wild(self) -> tuple[bool, ...]:
        return tuple(self.wild_deuces and (card == JOKER or rank_of(card) == DEUCE) for card in range(JOKER + 1))

    @cached_property
    def _ranks(self) -> tuple[int, ...]:
        return tuple(WILD if wild else rank_of(card) for card, wild in enumerate(self._wild))

    @cached_property
    def _suits(self) -> tuple[int, ...]:
        """The suits a card can be of, one bit each."""
        return tuple(_ALL_SUITS if wild else 1 << suit_of(card) for card, wild in enumerate(self._wild))

    def _value(self, cards: Sequence[Card]) -> int:
        ranks, suits = self._ranks, self._suits
        shared = _ALL_SUITS
        for card in cards:
            shared &= suits[card]
        pattern = Pattern.SUITED if shared else Pattern.PLAIN
        if self.many_decks and not shared and len(set(cards)) < len(cards):
            pattern = Pattern.PAIRED
        return self._classes.values[tuple(sorted([ranks[card] for card in cards])), pattern]

    def _laid_out(self, cards: Sequence[Card], value: int) -> Hand:
        naturals = sorted((card for card in cards if not self._wild[card]), reverse=True)
        wilds = sorted((card for card in cards if self._wild[card]), reverse=True)
        wild_count = len(wilds)
        suits = {suit_of(card) for card in naturals}
        # A wild card takes the suit of the others if they share one; otherwise its suit is of no use.
        suit_of_wilds = suits.pop() if len(suits) == 1 else SPADES
        laid: list[Card] = []
        stands_for: list[Card] = []
        for rank in self._classes.strengths[value].ranks:
            held = next((card for card in naturals if rank_of(card) == rank), None)
            if held is None:
                laid.append(wilds.pop(0))
                stands_for.append(rank * 4 + suit_of_wilds)
            else:
                naturals.remove(held)
                laid.append(held)
                stands_for.append(held)
        return Hand(
            ranking=self.name,
            value=value,
            category=self.category_of(value),
            cards=tuple(laid),
            stands_for=tuple(stands_for),
            wild_count=wild_count,
        )
