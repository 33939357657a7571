"""Hand rankings once more, by sorting and looking. Nothing is shared with `pitboss.poker`."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

Key = tuple[int, list[int]]

THREE_CARD = ["mini-royal", "straight-flush", "trips", "straight", "flush", "pair", "high-card"]
SHOE_THREE_CARD = [
    "mini-royal",
    "suited-trips",
    "straight-flush",
    "trips",
    "straight",
    "suited-pair",
    "flush",
    "pair",
    "high-card",
]
FOUR_CARD = ["quads", "straight-flush", "trips", "flush", "straight", "two-pair", "pair", "high-card"]
FIVE_CARD = [
    "royal-flush",
    "straight-flush",
    "quads",
    "full-house",
    "flush",
    "straight",
    "trips",
    "two-pair",
    "pair",
    "high-card",
]
WILD_FIVE_CARD = ["natural-royal-flush", "wild-royal-flush", "five-of-a-kind", *FIVE_CARD[1:]]

JOKER = 52


def key(order: Sequence[str], cards: Iterable[int]) -> Key:
    """Give a key that sorts hands: the best name the hand has in this order, then ranks from 2 to 14."""
    names, compared = _read(tuple(sorted(cards)))
    best = min(order.index(name) for name in names if name in order)
    if "straight" in order[best] or "royal" in order[best]:
        return -best, [_top(compared)]
    return -best, list(compared)


def wild_key(order: Sequence[str], cards: Sequence[int]) -> Key:
    """Give the key of the best hand that any substitution of real cards for deuces and joker makes."""
    natural = [card for card in cards if card >= 4 and card != JOKER]
    wild_count = len(cards) - len(natural)
    if wild_count == 0:
        return key(order, cards)
    without_natural_royal = ["-" if name == "natural-royal-flush" else name for name in order]
    return max(
        key(without_natural_royal, [*natural, *stand_ins])
        for stand_ins in combinations_with_replacement(range(52), wild_count)
    )


@lru_cache(maxsize=400_000)
def _read(cards: tuple[int, ...]) -> tuple[list[str], tuple[int, ...]]:
    """Name everything the cards are, and put their ranks in the order in which they are compared."""
    ranks = [card // 4 + 2 for card in cards]
    suits = {card % 4 for card in cards}
    held = Counter(ranks)
    counts = sorted(held.values())
    compared = tuple(sorted(ranks, key=lambda rank: (-held[rank], -rank)))
    names = ["high-card"]
    if 2 in counts:
        names.append("pair")
    if counts.count(2) == 2:
        names.append("two-pair")
    if 3 in counts:
        names.append("trips")
    if counts == [2, 3]:
        names.append("full-house")
    if 4 in counts:
        names.append("quads")
    if counts == [5]:
        names.append("five-of-a-kind")
    if counts == [1, 2] and len(set(cards)) == 2:
        names.append("suited-pair")
    if len(suits) == 1:
        names.append("flush")
        if counts == [3]:
            names.append("suited-trips")
    if _top(compared):
        names.append("straight")
        if len(suits) == 1:
            names.append("straight-flush")
            if _top(compared) == 14:
                names += ["mini-royal", "royal-flush", "wild-royal-flush", "natural-royal-flush"]
    return names, compared


def _top(ranks: Sequence[int]) -> int:
    """Give the top rank of a straight, aces high or low; 0 if it is none."""
    for ranks_now in (sorted(ranks), sorted(1 if rank == 14 else rank for rank in ranks)):
        if ranks_now == list(range(ranks_now[0], ranks_now[0] + len(ranks_now))):
            return ranks_now[-1]
    return 0


def category(order: Sequence[str], hand: Key) -> str:
    return order[-hand[0]]
