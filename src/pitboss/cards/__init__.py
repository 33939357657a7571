"""Cards, decks, their text notation, and shuffling that can be replayed.

This package is for everything that is true of cards in any game: what a card is,
how it is written and read, how many of each a deck holds, and how a deck is put in
an unbiased order from a key. It must not know any game, hand ranking, wager or
amount of money, and it imports nothing but the standard library and `cryptography`.

A shuffled shoe follows from its deck, its key and its block number alone:

>>> key = parse_key("00" * 32)
>>> shoe = shuffled(STANDARD_DECK.cards, KeyStream(key))
>>> cards_text(shoe[:5])
'Kd 7h Qh Qc 5h'
"""

from pitboss.cards._card import (
    ACE,
    CLUBS,
    DEUCE,
    DIAMONDS,
    EIGHT,
    FIVE,
    FOUR,
    HEARTS,
    JACK,
    JOKER,
    KING,
    NINE,
    QUEEN,
    RANKS,
    SEVEN,
    SIX,
    SPADES,
    SUITS,
    TEN,
    THREE,
    Card,
    rank_of,
    suit_of,
)
from pitboss.cards._deck import JOKER_DECK, STANDARD_DECK, Deck, overdealt
from pitboss.cards._keys import fresh_key, key_text, parse_key
from pitboss.cards._notation import (
    CardError,
    card_text,
    card_words,
    cards_text,
    parse_card,
    parse_cards,
    rank_word,
    suit_word,
)
from pitboss.cards._shuffle import shuffled
from pitboss.cards._stream import KeyStream, StreamSpentError, WordSource, draw_below, stream_cipher

__all__ = [
    "ACE",
    "CLUBS",
    "DEUCE",
    "DIAMONDS",
    "EIGHT",
    "FIVE",
    "FOUR",
    "HEARTS",
    "JACK",
    "JOKER",
    "JOKER_DECK",
    "KING",
    "NINE",
    "QUEEN",
    "RANKS",
    "SEVEN",
    "SIX",
    "SPADES",
    "STANDARD_DECK",
    "SUITS",
    "TEN",
    "THREE",
    "Card",
    "CardError",
    "Deck",
    "KeyStream",
    "StreamSpentError",
    "WordSource",
    "card_text",
    "card_words",
    "cards_text",
    "draw_below",
    "fresh_key",
    "key_text",
    "overdealt",
    "parse_card",
    "parse_cards",
    "parse_key",
    "rank_of",
    "rank_word",
    "shuffled",
    "stream_cipher",
    "suit_of",
    "suit_word",
]
