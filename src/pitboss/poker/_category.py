"""The words in which a ranking is declared."""

from dataclasses import dataclass
from enum import Enum


class Suited(Enum):
    """What a category asks of the suits of a hand."""

    ANY = "any"
    ALL = "all"
    """All cards are of one suit."""
    PAIR = "pair"
    """Two cards are identical; only a shoe of many decks can deal that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """One line of a ranking: what a hand must have to stand there.

    A hand belongs to the first category of its ranking whose demands it meets, so a
    declaration need not exclude what is ranked above it. A `shape` of None asks
    nothing; (2, 1) is a pair and one other rank.
    """

    name: str
    """The key, such as `straight-flush`."""
    words: str
    """The name as printed, such as "straight flush"."""
    said: str
    """What a dealer says of a hand in it, with the fields that `hand_words` fills."""
    shape: tuple[int, ...] | None = None
    straight: bool = False
    suited: Suited = Suited.ANY
    royal: bool = False
    """Only the straight from the ace down."""
    natural: bool = False
    """Only without a wild card."""
