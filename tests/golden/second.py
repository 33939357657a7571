"""The second method: what a unit of any wager wins, without a line of the analyser."""

from __future__ import annotations

from fractions import Fraction

from tests.golden import deuces_wild, four_card_prime, super_three_card, three_card_double_play, three_card_prime
from tests.golden.entries import Entry

__all__ = ["expectation", "method"]

_GAMES = {
    "three-card-prime": (three_card_prime.expectation, three_card_prime.METHODS),
    "deuces-wild": (deuces_wild.expectation, deuces_wild.METHODS),
    "super-three-card": (super_three_card.expectation, super_three_card.METHODS),
    "four-card-prime": (four_card_prime.expectation, four_card_prime.METHODS),
    "three-card-double-play": (three_card_double_play.expectation, three_card_double_play.METHODS),
}


def expectation(entry: Entry) -> Fraction:
    """The exact expectation of an entry."""
    return _GAMES[entry.game][0](entry)


def method(entry: Entry) -> str:
    """How it was counted, in words; beside another wager it may be counted otherwise than alone."""
    methods = _GAMES[entry.game][1]
    return methods.get(f"{entry.wager} {entry.basis}", methods[entry.wager])
