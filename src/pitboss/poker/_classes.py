"""All hands of a ranking in order, each class of hands that tie under one number."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from pitboss.cards import RANKS
from pitboss.poker._category import Category
from pitboss.poker._strength import Pattern, Ranks, Strength, form_of, strength

WILD: Final = 0
"""The rank under which wild cards are entered: deuces are wild whenever anything is."""

_SUIT_COUNT: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Classes:
    """The classes of a ranking: how strong each is, and which hands are in it."""

    strengths: tuple[Strength, ...]
    """The strength of each value, worst first."""
    values: dict[tuple[Ranks, Pattern], int]
    """The value of every hand there is, by its ranks in ascending order and its pattern."""


def classes_of(categories: Sequence[Category], size: int, *, many_decks: bool, wild_deuces: bool) -> Classes:
    """Find every hand of the deck and number the classes, 0 for the worst."""
    wilds = _Wilds(categories)
    found: dict[tuple[Ranks, Pattern], Strength] = {}
    for ranks in combinations_with_replacement(range(len(RANKS)), size):
        wild_count = ranks.count(WILD) if wild_deuces else 0
        for pattern in _patterns(ranks[wild_count:], many_decks=many_decks):
            found[ranks, pattern] = (
                wilds.best(ranks[wild_count:], wild_count, pattern)
                if wild_count
                else strength(categories, ranks, pattern, natural=True)
            )
    strengths = tuple(sorted(set(found.values())))
    value_of = {each: value for value, each in enumerate(strengths)}
    return Classes(strengths=strengths, values={hand: value_of[each] for hand, each in found.items()})


def _patterns(naturals: Ranks, *, many_decks: bool) -> Iterator[Pattern]:
    """Give the patterns that a hand can have, by the ranks of its cards that are not wild."""
    most = form_of(naturals).shape[0] if naturals else 0
    if many_decks:
        yield from Pattern if most > 1 else (Pattern.PLAIN, Pattern.SUITED)
        return
    if most > _SUIT_COUNT:
        return
    if len(naturals) > 1:
        yield Pattern.PLAIN
    if most <= 1:
        yield Pattern.SUITED


class _Wilds:
    """The best that wild cards can do, found by letting each in turn stand for every rank.

    Wild cards take the suit of the others when these share one: a suited hand meets every demand a plain one does.
    """

    def __init__(self, categories: Sequence[Category]) -> None:
        self._categories = categories
        self._known: dict[tuple[Ranks, int, Pattern], Strength] = {}

    def best(self, ranks: Ranks, wild_count: int, pattern: Pattern) -> Strength:
        """Give the best strength that ranks in ascending order have with so many wild cards, now or before."""
        known = self._known.get((ranks, wild_count, pattern))
        if known is not None:
            return known
        if wild_count == 0:
            best = strength(self._categories, ranks, pattern, natural=False)
        else:
            best = max([self.best(more, wild_count - 1, pattern) for more in _with_one_more(ranks)])
        self._known[ranks, wild_count, pattern] = best
        return best


@cache
def _with_one_more(ranks: Ranks) -> tuple[Ranks, ...]:
    return tuple([tuple(sorted((*ranks, rank))) for rank in range(len(RANKS))])
