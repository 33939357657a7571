"""Counts: how often each facts code occurs at each information set under each decision, free of pay tables.

A game's `loops` makes them, `odds` prices them. Arrays are numpy's, which this module does not import.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Integers = NDArray[numpy.signedinteger[Any]]
else:
    Integers = Any

__all__ = ["GOES_ON", "Counts", "Level", "plain_counts"]

GOES_ON = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Level:
    """The information sets (nodes) at which one decision is made.

    `weights` says how many deals lead to each node, for the levels after the first per deal of its parent (`parents`,
    ascending). A decision reads the counts of its branch, or goes on to the next level. At a node the facts code of
    a column under a decision is `codes[decision, group of the node and branch, column]`.
    """

    decisions: tuple[str, ...]
    branches: tuple[int, ...]
    weights: Integers
    counts: Integers
    groups: Integers
    codes: Integers
    parents: Integers | None = None
    allowed: Integers | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counts:
    """All counts of one wager: the total number of deals and the levels of decisions."""

    wager: str
    total: int
    levels: tuple[Level, ...]
    method: str
    basis: str = "alone"


def plain_counts(wager: str, histogram: Integers, method: str) -> Counts:
    """Make the counts of a wager without a decision from how often each facts code occurs."""
    import numpy  # noqa: PLC0415

    width = len(histogram)
    level = Level(
        decisions=("",),
        branches=(0,),
        weights=numpy.ones(1, dtype=numpy.int64),
        counts=histogram.reshape(1, 1, width),
        groups=numpy.zeros((1, 1), dtype=numpy.int64),
        codes=numpy.arange(width, dtype=numpy.int64).reshape(1, 1, width),
    )
    return Counts(wager=wager, total=int(histogram.sum()), levels=(level,), method=method)
