"""How strong a hand is, from its ranks and what its suits have in common."""

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from itertools import groupby
from typing import NamedTuple, TypeAlias

from pitboss.cards import ACE
from pitboss.poker._category import Category, Suited

Ranks: TypeAlias = tuple[int, ...]


class Pattern(IntEnum):
    """All that a ranking may know of the suits of a hand."""

    PLAIN = 0
    SUITED = 1
    """All cards are of one suit."""
    PAIRED = 2
    """Two cards are identical, and not all are of one suit."""


class Strength(NamedTuple):
    """A sort key: the place of the category, then the ranks that break ties (G-9)."""

    place: int
    """Minus the index of the category, so that more is better."""
    ranks: Ranks
    """The ranks in the order they are compared; of a straight, from the top down."""


class Form(NamedTuple):
    """What the ranks of a hand come to, whatever its suits."""

    compared: Ranks
    """The multiplied ranks before the kickers, then the higher first."""
    shape: tuple[int, ...]
    """How often each rank is held, the most first."""
    straight: Ranks | None
    """The ranks from the top down, the ace last in A-2-3, if they are a straight (G-8)."""


@cache
def form_of(ranks: Ranks) -> Form:
    """Find the form of ranks given in ascending order.

    >>> form_of((0, 1, 12)).straight, form_of((0, 11, 12)).straight
    ((1, 0, 12), None)
    >>> form_of((3, 7, 7))
    Form(compared=(7, 7, 3), shape=(2, 1), straight=None)
    """
    groups = sorted([(len(list(group)), rank) for rank, group in groupby(ranks)], reverse=True)
    compared = tuple([rank for count, rank in groups for _ in range(count)])
    shape = tuple([count for count, _ in groups])
    straight = _straight(compared) if shape[0] == 1 else None
    return Form(compared, shape, straight)


def _straight(ranks: Ranks) -> Ranks | None:
    """Order different ranks, given in descending order, as a straight."""
    below_top = len(ranks) - 1
    if ranks[0] - ranks[-1] == below_top:
        return ranks
    if ranks[0] == ACE and ranks[1] == below_top - 1:
        return (*ranks[1:], ACE)
    return None


def strength(categories: Sequence[Category], ranks: Ranks, pattern: Pattern, *, natural: bool) -> Strength:
    """Give the strength of a hand, its ranks in ascending order, in the first category that takes it."""
    form = form_of(ranks)
    for index, category in enumerate(categories):
        if category.shape is not None and category.shape != form.shape:
            continue
        if category.straight and (form.straight is None or (category.royal and form.straight[0] != ACE)):
            continue
        if category.natural and not natural:
            continue
        if not _suits_meet(category.suited, form.shape, pattern):
            continue
        in_order = form.straight if category.straight else None
        return Strength(-index, in_order or form.compared)
    raise ValueError(f"no category takes ranks {ranks} with suits {pattern.name}")


def _suits_meet(asked: Suited, shape: tuple[int, ...], pattern: Pattern) -> bool:
    if asked is Suited.ALL:
        return pattern is Pattern.SUITED
    if asked is Suited.PAIR:
        # Two cards of one rank and one suit are identical, so a suited hand with a pair has them.
        return pattern is Pattern.PAIRED or (pattern is Pattern.SUITED and shape[0] > 1)
    return True
