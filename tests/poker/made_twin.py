"""The events a set of cards makes, once more, by trying every hand and every substitution. Nothing is shared with the product."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement

JOKER = 52


def in_a_run(ranks: Iterable[int]) -> bool:
    """Ranks from 0 (deuce) to 12 (ace), all different and next to each other, the ace high or low."""
    held = sorted(ranks)
    low_ace = sorted(-1 if rank == 12 else rank for rank in held)
    return any(run == list(range(run[0], run[0] + len(run))) for run in (held, low_ace))


def is_wild(card: int) -> bool:
    return card == JOKER or card // 4 == 0


def names_of_five(cards: Sequence[int]) -> set[str]:
    """Everything that exactly five cards are."""
    held = Counter(card // 4 for card in cards)
    names = set()
    if len({card % 4 for card in cards}) == 1:
        names.add("flush")
    if in_a_run(card // 4 for card in cards):
        names.add("straight")
    if {"flush", "straight"} <= names:
        names.add("straight flush")
        if {8, 12} <= set(held):
            names.add("royal flush")
    counts = sorted(held.values())
    if max(counts) >= 2:
        names.add("pair")
    if max(counts) >= 3:
        names.add("trips")
    if max(counts) >= 4:
        names.add("quads")
    if counts == [2, 3]:
        names.add("full house")
    if sum(count >= 2 for count in counts) == 2:
        names.add("two pair")
    return names


def names_of_best_five(cards: Sequence[int]) -> set[str]:
    """Everything that some five of the cards are."""
    return set().union(*(names_of_five(five) for five in combinations(cards, 5)))


def four_card_shape(cards: Sequence[int]) -> tuple[int, int, int, int, int]:
    """What the four-card hands of five cards are, in the words of `four_card_made`."""
    pairs, trips, quads = set(), set(), set()
    straight_flush = flush = straight = 0
    for four in combinations(cards, 4):
        held = Counter(card // 4 for card in four)
        pairs |= {rank for rank, count in held.items() if count >= 2}
        trips |= {rank for rank, count in held.items() if count >= 3}
        quads |= {rank for rank, count in held.items() if count == 4}
        suited, run = len({card % 4 for card in four}) == 1, in_a_run(card // 4 for card in four)
        flush, straight = flush or int(suited), straight or int(run)
        if suited and run:
            straight_flush = max(straight_flush, 2 if set(held) == {9, 10, 11, 12} else 1)
    as_bits = [sum(1 << rank for rank in ranks) for ranks in (pairs, trips, quads)]
    return as_bits[0], as_bits[1], as_bits[2], straight_flush, 2 * flush + straight


def names_of_three_from_a_shoe(cards: Sequence[int]) -> tuple[set[str], int]:
    """Everything that three cards of many decks are, and the rank of their pair or trips, or -1."""
    held = Counter(card // 4 for card in cards)
    rank, count = held.most_common(1)[0]
    names = set()
    suited = len({card % 4 for card in cards}) == 1
    if suited:
        names.add("flush")
    if in_a_run(card // 4 for card in cards):
        names.add("straight")
        if suited:
            names.add("straight flush")
            if set(held) == {10, 11, 12}:
                names.add("mini-royal")
    if count >= 2:
        names.add("pair")
        if len(set(cards)) < 3:
            names.add("suited pair")
    if count == 3:
        names.add("trips")
        if suited:
            names.add("suited trips")
    return names, rank if count >= 2 else -1


@cache
def _names_of_wild_three(natural: tuple[int, ...]) -> frozenset[str]:
    names = set()
    for stand_ins in combinations_with_replacement(range(52), 3 - len(natural)):
        cards = (*natural, *stand_ins)
        ranks = {card // 4 for card in cards}
        suited, run = len({card % 4 for card in cards}) == 1, in_a_run(card // 4 for card in cards)
        found = {"flush": suited, "straight": run, "straight flush": suited and run, "trips": len(ranks) == 1}
        found["mini-royal"] = suited and ranks == {10, 11, 12}
        names |= {name for name, made in found.items() if made}
    return frozenset(names)


def names_of_wild_three(cards: Sequence[int]) -> frozenset[str]:
    """Everything that some substitution for deuces and joker makes of three cards."""
    return _names_of_wild_three(tuple(sorted(card for card in cards if not is_wild(card))))


def names_of_wild_five(cards: Sequence[int]) -> frozenset[str]:
    """Everything that some substitution for deuces and joker makes of five cards."""
    return _names_of_wild_five(tuple(sorted(card for card in cards if not is_wild(card))))


@cache
def _names_of_wild_five(natural: tuple[int, ...]) -> frozenset[str]:
    """A wild card's rank and suit are chosen apart: all ranks are tried, and the suit is that of the natural cards."""
    suited = len({card % 4 for card in natural}) <= 1
    names = set()
    if not natural:
        names.add("five wild cards")
    for stand_ins in combinations_with_replacement(range(13), 5 - len(natural)):
        ranks = [card // 4 for card in natural] + list(stand_ins)
        held = Counter(ranks)
        counts = sorted(held.values())
        run = in_a_run(ranks)
        found = {
            "five of a kind": counts == [5],
            "straight flush": suited and run,
            "quads": max(counts) >= 4,
            "full house": counts == [2, 3],
            "flush": suited,
            "straight": run,
            "trips": max(counts) >= 3,
            "two pair": sum(count >= 2 for count in counts) == 2,
        }
        royal = suited and run and {8, 12} <= set(held)
        found["natural royal flush" if len(natural) == 5 else "wild royal flush"] = royal
        names |= {name for name, made in found.items() if made}
    return frozenset(names)
