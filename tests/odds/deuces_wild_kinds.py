"""What five cards of Deuces Wild make by substitution for the wild ones, by kinds of hands, and the pays as printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from tests.poker import made_twin

# Appendix A and C as printed, an event for an event of `made_twin`; a push is nothing won and nothing lost.
EVENTS = (
    "natural royal flush",
    "five wild cards",
    "wild royal flush",
    "five of a kind",
    "straight flush",
    "quads",
    "full house",
    "flush",
    "straight",
    "trips",
    "two pair",
)
PRINTED = {
    "APR-A": (250, None, 30, 20, 10, 4, 4, 3, 3, 1, 1),
    "APR-B": (100, None, 30, 20, 10, 4, 4, 3, 3, 1, 1),
    "APR-C": (250, None, 40, 15, 8, 4, 4, 3, 3, 1, 1),
    "APR-D": (250, None, 35, 20, 8, 5, 4, 3, 2, 1, 1),
    "APR-E": (250, None, 30, 20, 9, 5, 4, 3, 2, 1, 1),
    "APR-F": (250, None, 30, 20, 10, 5, 4, 3, 2, 1, 1),
    "FCF-A": (400, 75, 20, 7, 5, 4, 3, 2, 1, 0, 0),
    "FCF-B": (500, 100, 20, 12, 8, 3, 3, 2, 1, 0, 0),
    "FCF-C": (400, 200, 25, 10, 5, 3, 3, 2, 1, 0, 0),
}

# Optimal expectations of the Five Card Fortune; the second road is every community for every three cards, events by
# substitution, pays as printed.
BY_PLAIN_LOOPS = {
    "FCF-A": Fraction(-250_781_131, 674_375_975),
    "FCF-B": Fraction(-519_187_047, 1_348_751_950),
    "FCF-C": Fraction(-40_763_069, 103_750_150),
}

Kind = tuple[tuple[int, ...], bool]  # the ranks of the natural cards in order, and whether they are of one suit


@cache
def names_of_kind(kind: Kind) -> frozenset[str]:
    """Everything that five cards of this kind are, by substitution for the wild ones."""
    ranks, suited = kind
    cards, taken = [], set()
    for place, rank in enumerate(ranks):
        suits = (0,) if suited else ((place % 2), 2, 3, 0, 1)
        card = next(4 * rank + suit for suit in suits if 4 * rank + suit not in taken)
        taken.add(card)
        cards.append(card)
    assert suited == (len({card % 4 for card in cards}) <= 1)
    return made_twin.names_of_wild_five([*cards, *(52, 0, 1, 2, 3)[len(ranks) :]])


def one_more_card(kind: Kind, cards: int) -> Iterator[tuple[Kind, int]]:
    """What a kind of hand becomes with one more card of 53, and by how many cards."""
    ranks, suited = kind
    yield kind, 5 - (cards - len(ranks))
    for rank in range(1, 13):
        more = tuple(sorted((*ranks, rank)))
        left = 4 - ranks.count(rank)
        in_suit = left if not ranks else 1 if suited and rank not in ranks else 0
        yield (more, True), in_suit
        yield (more, False), left - in_suit


def kinds_of_three() -> Counter[Kind]:
    kinds: Counter[Kind] = Counter({((), True): 1})
    for cards in range(3):
        grown: Counter[Kind] = Counter()
        for kind, ways in kinds.items():
            for more, number in one_more_card(kind, cards):
                grown[more] += ways * number
        kinds = +grown
    return kinds


@cache
def masks_by_substitution() -> Any:
    """By the ranks of five cards ascending (wild ones 0) and whether the natural ones are of one suit: what they make."""
    masks = np.zeros(2 * 13**5, dtype=np.int64)
    for ranks in combinations_with_replacement(range(13), 5):
        natural = [rank for rank in ranks if rank]
        if any(natural.count(rank) > 4 for rank in natural):
            continue
        key = 0
        for rank in ranks:
            key = key * 13 + rank
        for suited in (0, 1):
            if (suited and len(set(natural)) < len(natural)) or (not suited and len(natural) < 2):
                continue
            names = names_of_kind((tuple(natural), bool(suited)))
            masks[key * 2 + suited] = sum(1 << place for place, event in enumerate(EVENTS) if event in names)
    return masks


def best_pay(mask: int, table: str) -> int:
    """What the best event pays as printed; nothing made loses the stake."""
    return max((pay for place, pay in enumerate(PRINTED[table]) if pay is not None and mask >> place & 1), default=-1)
