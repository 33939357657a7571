"""Cards, decks, their text notation, and shuffling that can be replayed.

Everything that is true of cards in any game: what a card is, how it is written and read, how many of each a deck holds,
and how a deck is put in an unbiased order from a key. The module knows no game, hand ranking, wager or amount of money,
and imports nothing but the standard library and `cryptography`.

A card is a small integer, `rank * 4 + suit`, so that compiled loops and plain Python share it: 0 is the deuce of clubs,
51 the ace of spades, 52 the joker. As text it is its rank and suit, `As` or `Td`, and the joker is `*`; reading also
takes `10` for `T`, either case of every letter, and the suits ♣ ♦ ♥ ♠.

A shuffled shoe follows from its deck, its key and its block number alone. The exact bytes of the stream are part of the
interface: a recorded key must give the same cards on every machine and in compiled code.

>>> key = parse_key("00" * 32)
>>> shoe = shuffled(STANDARD_DECK.cards, KeyStream(key))
>>> cards_text(shoe[:5])
'Kd 7h Qh Qc 5h'
"""

import os
import re
import struct
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, Protocol, TypeAlias

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

Card: TypeAlias = int

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

DEUCE: Final = 0
THREE: Final = 1
FOUR: Final = 2
FIVE: Final = 3
SIX: Final = 4
SEVEN: Final = 5
EIGHT: Final = 6
NINE: Final = 7
TEN: Final = 8
JACK: Final = 9
QUEEN: Final = 10
KING: Final = 11
ACE: Final = 12

CLUBS: Final = 0
DIAMONDS: Final = 1
HEARTS: Final = 2
SPADES: Final = 3

JOKER: Final = 52


def rank_of(card: Card) -> int:
    """Return the rank of a card, 0 for a deuce to 12 for an ace.

    The joker gives 13, one above the ace and the rank of no other card. Nothing is
    checked, so that numba can compile this function as it stands.
    """
    return card >> 2


def suit_of(card: Card) -> int:
    """Return the suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades.

    The joker has no suit but gives 0 like a club, so ask for its rank first.
    Nothing is checked, so that numba can compile this function as it stands.
    """
    return card & 3


_CARDS_WITHOUT_JOKER: Final = frozenset(range(JOKER))
_CARDS_WITH_JOKER: Final = frozenset(range(JOKER + 1))
_NUMBER_WORDS: Final = [
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
]


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
        """Count how many times the deck holds a card; 0 if it does not."""
        return self.decks if card in _kinds(self.joker) else 0

    @property
    def words(self) -> str:
        """The deck in words, such as "six 52-card decks"."""
        count = _NUMBER_WORDS[self.decks] if self.decks < len(_NUMBER_WORDS) else str(self.decks)
        noun = "deck" if self.decks == 1 else "decks"
        suffix = "" if self.decks == 1 else " each"
        joker = f" with a joker{suffix}" if self.joker else ""
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


_RANK_WORDS: Final = [
    "deuce",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
]
_SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
_SUIT_SYMBOLS: Final = "♣♦♥♠"

_TEXT_OF_CARD: Final[dict[Card, str]] = {
    rank * 4 + suit: RANKS[rank] + SUITS[suit] for rank, suit in product(range(13), range(4))
} | {JOKER: "*"}

# Every spelling is a key: reading a card is one lookup when rounds are settled.
_CARD_OF_TEXT: Final[dict[str, Card]] = {
    rank_spelling + suit_spelling: rank * 4 + suit
    for rank, suit in product(range(13), range(4))
    for rank_spelling in (RANKS[rank], RANKS[rank].lower(), "10" if RANKS[rank] == "T" else RANKS[rank])
    for suit_spelling in (SUITS[suit], SUITS[suit].upper(), _SUIT_SYMBOLS[suit])
} | {"*": JOKER}

_CARD_OF_PRINTED_TEXT: Final[dict[str, Card]] = {text: card for card, text in _TEXT_OF_CARD.items()} | {
    "10" + suit: RANKS.index("T") * 4 + index for index, suit in enumerate(SUITS)
}

# Built from the spellings: ignoring case instead would let look-alikes through,
# such as the Kelvin sign for K.
_ONE_CARD: Final = re.compile("|".join(map(re.escape, _CARD_OF_TEXT)))

_EXPECTED: Final = f"a card is a rank ({RANKS}, or 10 for T) and a suit ({SUITS}), such as As or Td, or * for the joker"
_PIECE_LENGTH_MAX: Final = 24


class CardError(ValueError):
    """A text that is no card, rank or suit."""


def parse_card(text: str) -> Card:
    """Read one card.

    >>> parse_card("As"), parse_card("10♣"), parse_card("*")
    (51, 32, 52)
    """
    try:
        return _CARD_OF_TEXT[text]
    except (KeyError, TypeError):
        raise _not_cards([text]) from None


def parse_cards(text_or_sequence: str | Sequence[str], *, as_printed: bool = False) -> tuple[Card, ...]:
    """Read cards from one text or from a sequence of texts of one card each.

    In one text the cards stand apart by spaces or commas or both, or run together.
    All that is no card is named in one error. Records that machines exchange are read `as_printed`: only the
    spelling that `card_text` writes, and `10` for `T`.

    >>> parse_cards("AsKd, Tc *") == parse_cards(["As", "Kd", "Tc", "*"])
    True
    """
    if isinstance(text_or_sequence, str):
        pieces: Sequence[str] = text_or_sequence.replace(",", " ").split()
    elif isinstance(text_or_sequence, (list, tuple, Sequence)):
        pieces = text_or_sequence
    else:
        raise _not_cards([text_or_sequence])
    spellings = _CARD_OF_PRINTED_TEXT if as_printed else _CARD_OF_TEXT
    try:
        return tuple([spellings[piece] for piece in pieces])
    except (KeyError, TypeError):
        if isinstance(text_or_sequence, str):
            return _parse_run_together(pieces)
        raise _not_cards(piece for piece in pieces if not _is_spelt(piece, spellings)) from None


def card_text(card: Card) -> str:
    """Write one card, so that `parse_card` reads it back.

    >>> card_text(51), card_text(JOKER)
    ('As', '*')
    """
    try:
        return _TEXT_OF_CARD[card]
    except (KeyError, TypeError):
        raise CardError(f"{card!r} is not a card; cards are 0 to {JOKER}") from None


def cards_text(cards: Iterable[Card]) -> str:
    """Write cards one space apart, so that `parse_cards` reads them back."""
    return " ".join([card_text(card) for card in cards])


def rank_word(rank: int, plural: bool = False) -> str:
    """Name a rank, 0 to 12, in a word: "nine", "nines", "deuce", "sixes"."""
    if rank not in range(len(_RANK_WORDS)):
        raise CardError(f"{rank!r} is not a rank; ranks are 0 (deuce) to 12 (ace)")
    word = _RANK_WORDS[rank]
    if not plural:
        return word
    return word + ("es" if word.endswith("x") else "s")


def suit_word(suit: int) -> str:
    """Name a suit, 0 to 3, in a word, such as "spades"."""
    if suit not in range(len(_SUIT_WORDS)):
        raise CardError(f"{suit!r} is not a suit; suits are 0 (clubs) to 3 (spades)")
    return _SUIT_WORDS[suit]


def card_words(card: Card) -> str:
    """Name a card in words, such as "ace of spades" or "joker"."""
    if card == JOKER:
        return "joker"
    card_text(card)
    return f"{rank_word(rank_of(card))} of {suit_word(suit_of(card))}"


def _parse_run_together(pieces: Sequence[str]) -> tuple[Card, ...]:
    """Read pieces that may hold several cards each, without a space between them."""
    cards: list[Card] = []
    bad: list[str] = []
    for piece in pieces:
        end = 0
        for match in _ONE_CARD.finditer(piece):
            bad.append(piece[end : match.start()])
            cards.append(_CARD_OF_TEXT[match[0]])
            end = match.end()
        bad.append(piece[end:])
    if any(bad):
        raise _not_cards(filter(None, bad))
    return tuple(cards)


def _is_spelt(piece: object, spellings: dict[str, Card]) -> bool:
    return isinstance(piece, str) and piece in spellings


def _not_cards(pieces: Iterable[object]) -> CardError:
    """Make the one error that names every bad piece, each once."""
    names = list(dict.fromkeys(map(_shortened, pieces)))
    verb = "is not a card" if len(names) == 1 else "are not cards"
    return CardError(f"{', '.join(names)} {verb}; {_EXPECTED}")


def _shortened(piece: object) -> str:
    """Quote a piece, cut where it is long: it may be anything somebody sent."""
    if isinstance(piece, str) and len(piece) > _PIECE_LENGTH_MAX:
        return repr(piece[:_PIECE_LENGTH_MAX]) + "..."
    text = repr(piece)
    return text if isinstance(piece, str) else text[: 2 * _PIECE_LENGTH_MAX]


KEY_LENGTH: Final = 32

_NOT_A_HEX_DIGIT: Final = re.compile("[^0-9a-fA-F]")
_KEY_EXPECTED: Final = f"a key is exactly {2 * KEY_LENGTH} hexadecimal digits"


def fresh_key() -> bytes:
    """Draw a new key from the operating system's cryptographic source."""
    return os.urandom(KEY_LENGTH)


def check_key(key: bytes) -> None:
    """Raise an error unless this is a key; its message does not show it."""
    if not isinstance(key, bytes):
        raise TypeError(f"a key is {KEY_LENGTH} bytes, not a {type(key).__name__}")
    if len(key) != KEY_LENGTH:
        raise ValueError(f"a key is {KEY_LENGTH} bytes; this has {len(key)}")


def key_text(key: bytes) -> str:
    """Write a key as 64 hexadecimal digits, so that `parse_key` reads it back."""
    check_key(key)
    return key.hex()


def parse_key(text: str) -> bytes:
    """Read a key from exactly 64 hexadecimal digits, in either case.

    The error says what is wrong without showing the text, which may be most of a
    secret key.
    """
    if not isinstance(text, str):
        raise TypeError(f"{_KEY_EXPECTED}, not a {type(text).__name__}")
    if bad := _NOT_A_HEX_DIGIT.search(text):
        raise ValueError(f"{_KEY_EXPECTED}; character {bad.start() + 1} is {bad[0]!r}")
    if len(text) != 2 * KEY_LENGTH:
        raise ValueError(f"{_KEY_EXPECTED}; this has {len(text)}")
    return bytes.fromhex(text)


_BLOCK_BITS: Final = 96
_WORDS_BUFFERED: Final = 256
_ZEROS: Final = bytes(4 * _WORDS_BUFFERED)
_WORDS: Final = struct.Struct(f"<{_WORDS_BUFFERED}I")

# ChaCha20 counts 64-byte pieces in 32 bits. One step further, cryptography 50 raises
# an error of its own, but 44 carries into the nonce and goes on with the words of the
# next block number.
_BUFFERS_MAX: Final = 2**32 * 64 // len(_ZEROS)


class WordSource(Protocol):
    """Where random words come from: a key stream, or a test that tries them all."""

    @property
    def word_bits(self) -> int:
        """How many bits a word has; words are 0 to 2**word_bits - 1."""

    def word(self) -> int:
        """Return the next word; all words are equally likely."""


class StreamSpentError(Exception):
    """A stream has given all its 2**36 words; going on would repeat another's."""


def draw_below(source: WordSource, n: int) -> int:
    """Draw one of 0 to n - 1, each equally likely, for n from 1 to 2**word_bits.

    This is Lemire's multiplication with rejection. With words of b bits: the product
    of a word and n has the number drawn above its low b bits; it is thrown away, and
    the next word taken, while these low bits are less than 2**b mod n. Each call
    takes at least one word, also when n is 1.
    """
    bits = source.word_bits
    size = 1 << bits
    if not 1 <= n <= size:
        raise ValueError(f"n is {n}; it must be from 1 to {size}")
    product = source.word() * n
    low = product & (size - 1)
    # The remainder is less than n: only when low is too, is the division needed.
    if low < n:
        reject_below = size % n
        while low < reject_below:
            product = source.word() * n
            low = product & (size - 1)
    return product >> bits


class KeyStream:
    """The ChaCha20 key stream (RFC 8439) of a key and a block number, in words.

    The 64-byte pieces of the stream are counted from 0, and the nonce is the block
    number as 12 bytes, little-endian. `cryptography` takes both as one value of 16
    bytes: four bytes of counter, zero, then the twelve of the nonce. The bytes of
    the stream are read in order as little-endian words of 32 bits.

    The same key and block number give the same words; live play takes a fresh key,
    or a block number never used with the key before.
    """

    __slots__ = ("_block", "_words")

    word_bits: Final = 32

    def __init__(self, key: bytes, block: int = 0) -> None:
        """Start the stream at its first word."""
        self._block = block
        self._words = _words_of(stream_cipher(key, block))

    def __repr__(self) -> str:
        """Name the stream without its key, which would tell the cards to come."""
        return f"<KeyStream of a hidden key, block={self._block}>"

    def word(self) -> int:
        """Return the next word, 0 to 2**32 - 1."""
        word = next(self._words, None)
        if word is None:
            raise StreamSpentError("this stream is spent; take another key or block")
        return word

    def below(self, n: int) -> int:
        """Draw one of 0 to n - 1, each equally likely; see `draw_below`."""
        return draw_below(self, n)


def stream_cipher(key: bytes, block: int) -> CipherContext:
    """Return the cipher whose key stream the words are read from, for code that reads many at a time."""
    check_key(key)
    if not 0 <= block < 1 << _BLOCK_BITS:
        raise ValueError(f"block is {block}; it must be 0 to 2**{_BLOCK_BITS} - 1")
    nonce = bytes(4) + block.to_bytes(_BLOCK_BITS // 8, "little")
    return Cipher(ChaCha20(key, nonce), mode=None).encryptor()


def _words_of(encryptor: CipherContext) -> Iterator[int]:
    for _ in range(_BUFFERS_MAX):
        yield from _WORDS.unpack(encryptor.update(_ZEROS))


def shuffled(cards: Iterable[Card], stream: WordSource) -> tuple[Card, ...]:
    """Return the cards in an order drawn from the stream, every order equally likely.

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
