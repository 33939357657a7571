"""Facts: what a wager needs to know of cards and decisions, as a small tuple of bounded integers with a code.

The functions that read facts from cards are written in the part of Python that numba compiles; settlement runs
them as they are. `encode` and `decode` here are the bridge to arrays.
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

BELOW, EQUAL, ABOVE = 0, 1, 2


class Hands(NamedTuple):
    """All that facts are read from: a seat's cards, the dealer's or community cards, decisions and readings.

    Decisions and readings are small integers in the order in which the game declares them.
    """

    player: Sequence[int]
    board: Sequence[int]
    choices: Sequence[int]
    readings: Sequence[int]


class EventFacts(NamedTuple):
    """The facts of a wager that is paid by a table of events: the events that its cards make, a bit each."""

    events: int


def event_bits(names: tuple[str, ...]) -> tuple[int, ...]:
    """Return the bit of each event in a mask, in the order of the names."""
    return tuple(1 << index for index in range(len(names)))


def compare(ours: int, theirs: int) -> int:
    """Compare two values: ours is below, equal to or above theirs."""
    if ours < theirs:
        return BELOW
    if ours == theirs:
        return EQUAL
    return ABOVE


def encode(facts: Sequence[int], bounds: Sequence[int]) -> int:
    """Return the code of facts: a number in a mixed radix whose digits are the facts."""
    code = 0
    for index in range(len(bounds)):
        code = code * bounds[index] + facts[index]
    return code


def decode(code: int, bounds: Sequence[int]) -> tuple[int, ...]:
    """Return the facts that have this code."""
    digits: list[int] = []
    for bound in reversed(bounds):
        code, digit = divmod(code, bound)
        digits.append(digit)
    return tuple(reversed(digits))


def codes(bounds: Sequence[int]) -> range:
    """Return every code there is under these bounds."""
    return range(prod(bounds))
