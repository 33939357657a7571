"""Small tables of values, built in milliseconds, and the plain functions that read them.

These functions are the hot path of settling and of counting alike: settling runs them as they are, and numba compiles
the same functions with the lists turned into arrays. So they hold nothing but integers, indexing and loops, and
check nothing: cards are those of the ranking's deck, and as many as the name says.

The best of more cards are found among the plain values first, and the suited are looked at only where enough cards
share a suit: of the same ranks, the suited hand is never the lower one.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations
from typing import Final, NamedTuple

from pitboss.cards import DEUCE, JOKER, Card, rank_of, suit_of
from pitboss.poker.ranking import WILD, Pattern, Ranking
from pitboss.poker.rankings import FIVE_CARD, FOUR_CARD, SHOE_THREE_CARD, THREE_CARD, WILD_FIVE_CARD, WILD_THREE_CARD


class RankTables(NamedTuple):
    """Values by rank, for a ranking of three or four cards without wild cards.

    The first three lists have an entry for ranks in any order, at `(r0 * 13 + r1) * 13 + r2` and so on; -1 stands
    where no hand can be.
    """

    plain: list[int]
    """Values of hands that are neither of the following."""
    suited: list[int]
    """Values of hands of one suit."""
    paired: list[int]
    """Values of hands with two identical cards, not all of one suit; empty unless the ranking knows them."""
    category: list[int]
    """The index of the category, 0 the best, of each value."""


class SumTables(NamedTuple):
    """Values by the sum of the cards' keys, for five cards and for rankings with wild cards.

    The low 16 bits of a key count suits, four bits each, so that those of a sum say how many cards are of each suit;
    a wild card counts for all four. The bits above stand for the rank: no two hands of different ranks have the same
    sum, and all wild cards are one rank.
    """

    keys: list[int]
    """The key of each card, the joker last."""
    plain: list[int]
    """Values of hands not of one suit, by rank sum; -1 where no hand can be."""
    suited: list[int]
    """Values of hands that are, or by their wild cards can be, of one suit, by rank sum; -1 where none can be."""
    category: list[int]
    """The index of the category, 0 the best, of each value."""


PAIRS_OF_SEVEN: Final = tuple(combinations(range(7), 2))

# Suited are counted in four bits each. What makes three, four or five of them eight is added to all of them at once,
# and one look at the highest bits says whether there are that many of any suit.
THREE_SUITED: Final = 0x5555
FOUR_SUITED: Final = 0x4444
FIVE_SUITED: Final = 0x3333
EIGHTS: Final = 0x8888


def three_card_value(tables: RankTables, a: Card, b: Card, c: Card) -> int:
    """Return the value of three cards of one deck."""
    index = ((a >> 2) * 13 + (b >> 2)) * 13 + (c >> 2)
    if ((a ^ b) | (a ^ c)) & 3:
        return tables.plain[index]
    return tables.suited[index]


def shoe_three_card_value(tables: RankTables, a: Card, b: Card, c: Card) -> int:
    """Return the value of three cards of a shoe of many decks, where identical cards count."""
    index = ((a >> 2) * 13 + (b >> 2)) * 13 + (c >> 2)
    if ((a ^ b) | (a ^ c)) & 3 == 0:
        return tables.suited[index]
    if a == b or a == c or b == c:  # noqa: PLR1714, SIM109 - said as it is meant
        return tables.paired[index]
    return tables.plain[index]


def four_card_value(tables: RankTables, a: Card, b: Card, c: Card, d: Card) -> int:
    """Return the value of four cards of one deck."""
    index = (((a >> 2) * 13 + (b >> 2)) * 13 + (c >> 2)) * 13 + (d >> 2)
    if ((a ^ b) | (a ^ c) | (a ^ d)) & 3:
        return tables.plain[index]
    return tables.suited[index]


def three_suited_value(tables: RankTables, a: Card, b: Card, c: Card) -> int:
    """Return the value of three cards of one suit; -1 where they are not."""
    if ((a ^ b) | (a ^ c)) & 3:
        return -1
    return tables.suited[((a >> 2) * 13 + (b >> 2)) * 13 + (c >> 2)]


def three_and_three_values(tables: RankTables, cards: Sequence[Card], places: int) -> tuple[int, int]:
    """Return the values of three of six cards of one deck, marked by bits of `places`, and of the other three."""
    here = there = here_suits = there_suits = 0
    for place in range(6):
        card = cards[place]
        # Without a branch, which compiled code would guess wrong as often as not.
        is_here = places >> place & 1
        here += is_here * (here * 12 + (card >> 2))
        there += (1 - is_here) * (there * 12 + (card >> 2))
        here_suits |= is_here << (card & 3)
        there_suits |= (1 - is_here) << (card & 3)
    first = tables.plain[here] if here_suits & (here_suits - 1) else tables.suited[here]
    second = tables.plain[there] if there_suits & (there_suits - 1) else tables.suited[there]
    return first, second


def best_three_of_five(tables: RankTables, cards: Sequence[Card]) -> int:
    """Return the value of the best three of five cards of one deck."""
    a, b, c, d, e = cards[0] >> 2, cards[1] >> 2, cards[2] >> 2, cards[3] >> 2, cards[4] >> 2
    ab, ac, ad = (a * 13 + b) * 13, (a * 13 + c) * 13, (a * 13 + d) * 13
    bc, bd, cd = (b * 13 + c) * 13, (b * 13 + d) * 13, (c * 13 + d) * 13
    plain = tables.plain
    best = max(
        plain[ab + c],
        plain[ab + d],
        plain[ab + e],
        plain[ac + d],
        plain[ac + e],
        plain[ad + e],
        plain[bc + d],
        plain[bc + e],
        plain[bd + e],
        plain[cd + e],
    )
    a, b, c, d, e = cards[0] & 3, cards[1] & 3, cards[2] & 3, cards[3] & 3, cards[4] & 3
    suits = (1 << a * 4) + (1 << b * 4) + (1 << c * 4) + (1 << d * 4) + (1 << e * 4)
    if (suits + THREE_SUITED) & EIGHTS:
        a, b, c, d, e = cards[0], cards[1], cards[2], cards[3], cards[4]
        best = max(
            best,
            three_suited_value(tables, a, b, c),
            three_suited_value(tables, a, b, d),
            three_suited_value(tables, a, b, e),
            three_suited_value(tables, a, c, d),
            three_suited_value(tables, a, c, e),
            three_suited_value(tables, a, d, e),
            three_suited_value(tables, b, c, d),
            three_suited_value(tables, b, c, e),
            three_suited_value(tables, b, d, e),
            three_suited_value(tables, c, d, e),
        )
    return best


def four_suited_value(tables: RankTables, a: Card, b: Card, c: Card, d: Card) -> int:
    """Return the value of four cards of one suit; -1 where they are not."""
    if ((a ^ b) | (a ^ c) | (a ^ d)) & 3:
        return -1
    return tables.suited[(((a >> 2) * 13 + (b >> 2)) * 13 + (c >> 2)) * 13 + (d >> 2)]


def best_four_of_five(tables: RankTables, cards: Sequence[Card]) -> int:
    """Return the value of the best four of five cards of one deck."""
    a, b, c, d, e = cards[0] >> 2, cards[1] >> 2, cards[2] >> 2, cards[3] >> 2, cards[4] >> 2
    ab, ac, bc = (a * 13 + b) * 169, (a * 13 + c) * 169, (b * 13 + c) * 169
    cd, ce, de = c * 13 + d, c * 13 + e, d * 13 + e
    plain = tables.plain
    best = max(plain[ab + cd], plain[ab + ce], plain[ab + de], plain[ac + de], plain[bc + de])
    a, b, c, d, e = cards[0] & 3, cards[1] & 3, cards[2] & 3, cards[3] & 3, cards[4] & 3
    suits = (1 << a * 4) + (1 << b * 4) + (1 << c * 4) + (1 << d * 4) + (1 << e * 4)
    if (suits + FOUR_SUITED) & EIGHTS:
        a, b, c, d, e = cards[0], cards[1], cards[2], cards[3], cards[4]
        best = max(
            best,
            four_suited_value(tables, a, b, c, d),
            four_suited_value(tables, a, b, c, e),
            four_suited_value(tables, a, b, d, e),
            four_suited_value(tables, a, c, d, e),
            four_suited_value(tables, b, c, d, e),
        )
    return best


def best_four_of_six(tables: RankTables, cards: Sequence[Card]) -> int:
    """Return the value of the best four of six cards of one deck."""
    a, b, c, d, e, f = cards[0] >> 2, cards[1] >> 2, cards[2] >> 2, cards[3] >> 2, cards[4] >> 2, cards[5] >> 2
    ab, ac, ad = (a * 13 + b) * 169, (a * 13 + c) * 169, (a * 13 + d) * 169
    bc, bd, cd = (b * 13 + c) * 169, (b * 13 + d) * 169, c * 13 + d
    ce, cf, de, df, ef = c * 13 + e, c * 13 + f, d * 13 + e, d * 13 + f, e * 13 + f
    plain = tables.plain
    best = max(
        plain[ab + cd],
        plain[ab + ce],
        plain[ab + cf],
        plain[ab + de],
        plain[ab + df],
        plain[ab + ef],
        plain[ac + de],
        plain[ac + df],
        plain[ac + ef],
        plain[ad + ef],
        plain[bc + de],
        plain[bc + df],
        plain[bc + ef],
        plain[bd + ef],
        plain[cd * 169 + ef],
    )
    a, b, c, d, e, f = cards[0] & 3, cards[1] & 3, cards[2] & 3, cards[3] & 3, cards[4] & 3, cards[5] & 3
    suits = (1 << a * 4) + (1 << b * 4) + (1 << c * 4) + (1 << d * 4) + (1 << e * 4) + (1 << f * 4)
    if (suits + FOUR_SUITED) & EIGHTS:
        a, b, c, d, e, f = cards[0], cards[1], cards[2], cards[3], cards[4], cards[5]
        best = max(
            best,
            four_suited_value(tables, a, b, c, d),
            four_suited_value(tables, a, b, c, e),
            four_suited_value(tables, a, b, c, f),
            four_suited_value(tables, a, b, d, e),
            four_suited_value(tables, a, b, d, f),
            four_suited_value(tables, a, b, e, f),
            four_suited_value(tables, a, c, d, e),
            four_suited_value(tables, a, c, d, f),
            four_suited_value(tables, a, c, e, f),
            four_suited_value(tables, a, d, e, f),
            four_suited_value(tables, b, c, d, e),
            four_suited_value(tables, b, c, d, f),
            four_suited_value(tables, b, c, e, f),
            four_suited_value(tables, b, d, e, f),
            four_suited_value(tables, c, d, e, f),
        )
    return best


def wild_three_card_value(tables: SumTables, a: Card, b: Card, c: Card) -> int:
    """Return the value of three cards of a deck with wild cards."""
    keys = tables.keys
    total = keys[a] + keys[b] + keys[c]
    if (total + THREE_SUITED) & EIGHTS:
        return tables.suited[total >> 16]
    return tables.plain[total >> 16]


def five_card_value(tables: SumTables, a: Card, b: Card, c: Card, d: Card, e: Card) -> int:
    """Return the value of five cards, with or without wild cards as the tables say."""
    keys = tables.keys
    total = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
    if (total + FIVE_SUITED) & EIGHTS:
        return tables.suited[total >> 16]
    return tables.plain[total >> 16]


def best_five_of_six(tables: SumTables, cards: Sequence[Card]) -> int:
    """Return the value of the best five of six cards."""
    keys, plain, suited = tables.keys, tables.plain, tables.suited
    a, b, c, d, e, f = keys[cards[0]], keys[cards[1]], keys[cards[2]], keys[cards[3]], keys[cards[4]], keys[cards[5]]
    six = a + b + c + d + e + f
    best = max(
        plain[(six - a) >> 16],
        plain[(six - b) >> 16],
        plain[(six - c) >> 16],
        plain[(six - d) >> 16],
        plain[(six - e) >> 16],
        plain[(six - f) >> 16],
    )
    if (six + FIVE_SUITED) & EIGHTS:
        for i in range(6):
            five = six - keys[cards[i]]
            if (five + FIVE_SUITED) & EIGHTS:
                best = max(best, suited[five >> 16])
    return best


def best_five_of_seven(tables: SumTables, cards: Sequence[Card]) -> int:
    """Return the value of the best five of seven cards."""
    keys, plain, suited = tables.keys, tables.plain, tables.suited
    a, b, c, d = keys[cards[0]], keys[cards[1]], keys[cards[2]], keys[cards[3]]
    e, f, g = keys[cards[4]], keys[cards[5]], keys[cards[6]]
    seven = a + b + c + d + e + f + g
    n = seven - a
    best = max(plain[(n - b) >> 16], plain[(n - c) >> 16], plain[(n - d) >> 16], plain[(n - e) >> 16])
    best = max(best, plain[(n - f) >> 16], plain[(n - g) >> 16])
    n = seven - b
    best = max(best, plain[(n - c) >> 16], plain[(n - d) >> 16], plain[(n - e) >> 16])
    best = max(best, plain[(n - f) >> 16], plain[(n - g) >> 16])
    n = seven - c
    best = max(best, plain[(n - d) >> 16], plain[(n - e) >> 16], plain[(n - f) >> 16], plain[(n - g) >> 16])
    n = seven - d
    best = max(best, plain[(n - e) >> 16], plain[(n - f) >> 16], plain[(n - g) >> 16])
    n = seven - e
    best = max(best, plain[(n - f) >> 16], plain[(n - g) >> 16], plain[(seven - f - g) >> 16])
    if (seven + FIVE_SUITED) & EIGHTS:
        for i, j in PAIRS_OF_SEVEN:
            five = seven - keys[cards[i]] - keys[cards[j]]
            if (five + FIVE_SUITED) & EIGHTS:
                best = max(best, suited[five >> 16])
    return best


DIVISIONS_OF_SIX: Final = (
    (0, 1, 2, 3, 4, 5),
    (0, 1, 3, 2, 4, 5),
    (0, 1, 4, 2, 3, 5),
    (0, 1, 5, 2, 3, 4),
    (0, 2, 3, 1, 4, 5),
    (0, 2, 4, 1, 3, 5),
    (0, 2, 5, 1, 3, 4),
    (0, 3, 4, 1, 2, 5),
    (0, 3, 5, 1, 2, 4),
    (0, 4, 5, 1, 2, 3),
)
"""The ten ways to divide six cards, by index, into two hands of three; the first three are the hand with index 0."""


# The sums of three, or of five with at most four alike, all differ; five times the first, 0, differs as well.
_KEYS_OF_RANKS: Final = {
    3: (0, 1, 4, 13, 32, 71, 124, 218, 375, 572, 744, 1208, 1556),
    5: (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415),
}
_ALL_SUITS: Final = 0x1111


@cache
def three_card_tables() -> RankTables:
    """Return the tables of `THREE_CARD`."""
    return _rank_tables(THREE_CARD)


@cache
def shoe_three_card_tables() -> RankTables:
    """Return the tables of `SHOE_THREE_CARD`."""
    return _rank_tables(SHOE_THREE_CARD)


@cache
def four_card_tables() -> RankTables:
    """Return the tables of `FOUR_CARD`."""
    return _rank_tables(FOUR_CARD)


@cache
def five_card_tables() -> SumTables:
    """Return the tables of `FIVE_CARD`."""
    return _sum_tables(FIVE_CARD)


@cache
def wild_five_card_tables() -> SumTables:
    """Return the tables of `WILD_FIVE_CARD`."""
    return _sum_tables(WILD_FIVE_CARD)


@cache
def wild_three_card_tables() -> SumTables:
    """Return the tables of `WILD_THREE_CARD`."""
    return _sum_tables(WILD_THREE_CARD)


def _rank_tables(ranking: Ranking) -> RankTables:
    size = 13**ranking.size
    lists = {
        Pattern.PLAIN: [-1] * size,
        Pattern.SUITED: [-1] * size,
        Pattern.PAIRED: [-1] * size if ranking.many_decks else [],
    }
    for (ranks, pattern), value in ranking._classes.values.items():  # noqa: SLF001
        for order in set(permutations(ranks)):
            index = 0
            for rank in order:
                index = index * 13 + rank
            lists[pattern][index] = value
    return RankTables(lists[Pattern.PLAIN], lists[Pattern.SUITED], lists[Pattern.PAIRED], _category_indexes(ranking))


def _sum_tables(ranking: Ranking) -> SumTables:
    key_of_rank = _KEYS_OF_RANKS[ranking.size]
    size = max(key_of_rank) * ranking.size + 1
    plain = [-1] * size
    suited = [-1] * size
    for (ranks, pattern), value in ranking._classes.values.items():  # noqa: SLF001
        total = sum(key_of_rank[rank] for rank in ranks)
        (suited if pattern is Pattern.SUITED else plain)[total] = value
    return SumTables(
        keys=[_key(ranking, card) for card in range(JOKER + 1)],
        plain=plain,
        suited=suited,
        category=_category_indexes(ranking),
    )


def _key(ranking: Ranking, card: Card) -> int:
    if card == JOKER or (ranking.wild_deuces and rank_of(card) == DEUCE):
        return _KEYS_OF_RANKS[ranking.size][WILD] << 16 | _ALL_SUITS
    return _KEYS_OF_RANKS[ranking.size][rank_of(card)] << 16 | 1 << suit_of(card) * 4


def _category_indexes(ranking: Ranking) -> list[int]:
    return [-strength.place for strength in ranking._classes.strengths]  # noqa: SLF001
