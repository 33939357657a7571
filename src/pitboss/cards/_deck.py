"""Decks: which cards there are to deal, and how many of each."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pitboss.cards._card import JOKER, Card

_CARDS_WITHOUT_JOKER: Final = frozenset(range(JOKER))
_CARDS_WITH_JOKER: Final = frozenset(range(JOKER + 1))
_NUMBER_WORDS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """One or more whole decks dealt as one; with `joker`, each holds one joker."""

    decks: int = 1
    joker: bool = False

    def __post_init__(self) -> None:
        """Refuse values that describe no deck."""
        if type(self.decks) is not int or self.decks < 1:
            raise ValueError(f"decks is {self.decks!r}; it must be a whole number from 1")
        if type(self.joker) is not bool:
            raise ValueError(f"joker is {self.joker!r}; it must be True or False")

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in new-deck order.

        That is from the deuce of clubs, diamonds, hearts and spades to the ace of
        spades, then the joker if there is one, then the next deck in the same order.
        """
        return _new_deck_order(self.decks, self.joker)

    @property
    def size(self) -> int:
        """How many cards there are."""
        return self.decks * (JOKER + self.joker)

    def copies(self, card: Card) -> int:
        """Say how many times the deck holds a card; 0 if it does not."""
        return self.decks if card in _kinds(self.joker) else 0

    @property
    def words(self) -> str:
        """The deck in words, such as "six 52-card decks"."""
        count = _NUMBER_WORDS[self.decks] if self.decks < len(_NUMBER_WORDS) else str(self.decks)
        noun = "deck" if self.decks == 1 else "decks"
        each = "" if self.decks == 1 else " each"
        joker = f" with a joker{each}" if self.joker else ""
        return f"{count} {JOKER + self.joker}-card {noun}{joker}"


STANDARD_DECK: Final = Deck()
JOKER_DECK: Final = Deck(joker=True)


def overdealt(deck: Deck, cards: Collection[Card]) -> tuple[Card, ...]:
    """Find the cards that appear more often than the deck holds them.

    Each is named once, in ascending order; a card that is not in the deck at all,
    such as the joker in a 52-card deck, is among them. No card found is `()`.

    >>> overdealt(STANDARD_DECK, [51, 7, 51, JOKER])
    (51, 52)
    """
    kinds = _kinds(deck.joker)
    distinct = set(cards)
    # A card seen k times is k - 1 cards more than there are kinds, so a hand with
    # fewer repeats than decks needs no counting.
    if len(cards) - len(distinct) < deck.decks and distinct <= kinds:
        return ()
    counts = Counter(cards)
    return tuple(sorted(card for card in counts if counts[card] > deck.copies(card)))


def _kinds(joker: bool) -> frozenset[Card]:
    return _CARDS_WITH_JOKER if joker else _CARDS_WITHOUT_JOKER


@lru_cache(maxsize=16)
def _new_deck_order(decks: int, joker: bool) -> tuple[Card, ...]:
    return tuple(range(JOKER + joker)) * decks
