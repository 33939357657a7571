"""Cards as text and in words; reading and writing text are inverse.

A card is written as its rank and suit, `As` or `Td`, and the joker as `*`. Reading
also takes `10` for `T`, either case of every letter, and the suits ♣ ♦ ♥ ♠.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final

from pitboss.cards._card import JOKER, RANKS, SUITS, Card, rank_of, suit_of

_RANK_WORDS: Final = (
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
)
_SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
_SUIT_SYMBOLS: Final = "♣♦♥♠"

_TEXT_OF_CARD: Final[dict[Card, str]] = {
    rank * 4 + suit: RANKS[rank] + SUITS[suit] for rank, suit in product(range(13), range(4))
} | {JOKER: "*"}

# Every spelling is a key: reading a card is one lookup when rounds are settled.
_CARD_OF_TEXT: Final[dict[str, Card]] = {
    rank_spelling + suit_spelling: rank * 4 + suit
    for rank, suit in product(range(13), range(4))
    for rank_spelling in (
        RANKS[rank],
        RANKS[rank].lower(),
        "10" if RANKS[rank] == "T" else RANKS[rank],
    )
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
    """Something given as a card, rank or suit is none."""


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
    """Say a rank, 0 to 12, in a word: "nine", "nines", "deuce", "sixes"."""
    if rank not in range(len(_RANK_WORDS)):
        raise CardError(f"{rank!r} is not a rank; ranks are 0 (deuce) to 12 (ace)")
    word = _RANK_WORDS[rank]
    if not plural:
        return word
    return word + ("es" if word.endswith("x") else "s")


def suit_word(suit: int) -> str:
    """Say a suit, 0 to 3, in a word, such as "spades"."""
    if suit not in range(len(_SUIT_WORDS)):
        raise CardError(f"{suit!r} is not a suit; suits are 0 (clubs) to 3 (spades)")
    return _SUIT_WORDS[suit]


def card_words(card: Card) -> str:
    """Say a card in words, such as "ace of spades" or "joker"."""
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
