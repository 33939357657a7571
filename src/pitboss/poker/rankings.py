"""The rankings of the games, declared best first."""

from typing import Final

from pitboss.poker.ranking import Category, Ranking, Suited

_MINI_ROYAL: Final = Category(
    name="mini-royal", words="mini-royal", spoken="mini-royal of {suit}", straight=True, suited=Suited.ALL, royal=True
)
_STRAIGHT_FLUSH: Final = Category(
    name="straight-flush",
    words="straight flush",
    spoken="straight flush, {first} high",
    straight=True,
    suited=Suited.ALL,
)
_FLUSH: Final = Category(name="flush", words="flush", spoken="flush, {ranks}", suited=Suited.ALL)
_STRAIGHT: Final = Category(name="straight", words="straight", spoken="straight, {first} high", straight=True)


def _quads(*shape: int) -> Category:
    return Category(name="quads", words="four of a kind", spoken="four {firsts}{kickers}", shape=shape)


def _trips(*shape: int) -> Category:
    return Category(name="trips", words="three of a kind", spoken="three {firsts}{kickers}", shape=shape)


def _two_pair(*shape: int) -> Category:
    return Category(name="two-pair", words="two pair", spoken="two pair, {firsts} and {seconds}{kickers}", shape=shape)


def _pair(*shape: int) -> Category:
    return Category(name="pair", words="pair", spoken="pair of {firsts}{kickers}", shape=shape)


def _high_card(*shape: int) -> Category:
    return Category(name="high-card", words="high card", spoken="{ranks} high", shape=shape)


# TCP-1, TDP-1
_THREE_CARD_ORDER: Final = (
    _MINI_ROYAL,
    _STRAIGHT_FLUSH,
    _trips(3),
    _STRAIGHT,
    _FLUSH,
    _pair(2, 1),
    _high_card(1, 1, 1),
)

THREE_CARD: Final = Ranking("three-card", 3, _THREE_CARD_ORDER)

# STC-1
SHOE_THREE_CARD: Final = Ranking(
    "shoe-three-card",
    3,
    (
        _MINI_ROYAL,
        Category(
            name="suited-trips",
            words="suited three of a kind",
            spoken="three suited {firsts}",
            shape=(3,),
            suited=Suited.ALL,
        ),
        _STRAIGHT_FLUSH,
        _trips(3),
        _STRAIGHT,
        Category(
            name="suited-pair",
            words="suited pair",
            spoken="pair of suited {firsts}{kickers}",
            shape=(2, 1),
            suited=Suited.PAIR,
        ),
        _FLUSH,
        _pair(2, 1),
        _high_card(1, 1, 1),
    ),
    many_decks=True,
)

# FCP-1
FOUR_CARD: Final = Ranking(
    "four-card",
    4,
    (
        _quads(4),
        _STRAIGHT_FLUSH,
        _trips(3, 1),
        _FLUSH,
        _STRAIGHT,
        _two_pair(2, 2),
        _pair(2, 1, 1),
        _high_card(1, 1, 1, 1),
    ),
)

_QUADS_AND_BELOW: Final = (
    _quads(4, 1),
    Category(name="full-house", words="full house", spoken="full house, {firsts} over {seconds}", shape=(3, 2)),
    _FLUSH,
    _STRAIGHT,
    _trips(3, 1, 1),
    _two_pair(2, 2, 1),
    _pair(2, 1, 1, 1),
    _high_card(1, 1, 1, 1, 1),
)


def _royal_flush(words: str, *, natural: bool = False) -> Category:
    return Category(
        name=words.replace(" ", "-"),
        words=words,
        spoken=f"{words} of {{suit}}",
        straight=True,
        suited=Suited.ALL,
        royal=True,
        natural=natural,
    )


FIVE_CARD: Final = Ranking("five-card", 5, (_royal_flush("royal flush"), _STRAIGHT_FLUSH, *_QUADS_AND_BELOW))

# DW-1
WILD_FIVE_CARD: Final = Ranking(
    "wild-five-card",
    5,
    (
        _royal_flush("natural royal flush", natural=True),
        _royal_flush("wild royal flush"),
        Category(name="five-of-a-kind", words="five of a kind", spoken="five {firsts}", shape=(5,)),
        _STRAIGHT_FLUSH,
        *_QUADS_AND_BELOW,
    ),
    wild_deuces=True,
)

WILD_THREE_CARD: Final = Ranking("wild-three-card", 3, _THREE_CARD_ORDER, wild_deuces=True)
