"""Building the tables of the rankings, once each and in milliseconds."""

from functools import cache
from itertools import permutations
from typing import Final

from pitboss.cards import DEUCE, JOKER, Card, rank_of, suit_of
from pitboss.poker._classes import WILD
from pitboss.poker._ranking import Ranking
from pitboss.poker._rankings import FIVE_CARD, FOUR_CARD, SHOE_THREE_CARD, THREE_CARD, WILD_FIVE_CARD, WILD_THREE_CARD
from pitboss.poker._strength import Pattern
from pitboss.poker._tables import RankTables, SumTables

# The sums of three, or of five with at most four alike, all differ; five times the first, 0, differs as well.
_KEYS_OF_RANKS: Final = {
    3: (0, 1, 4, 13, 32, 71, 124, 218, 375, 572, 744, 1208, 1556),
    5: (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415),
}
_ALL_SUITS: Final = 0x1111


@cache
def three_card_tables() -> RankTables:
    """Give the tables of `THREE_CARD`."""
    return _rank_tables(THREE_CARD)


@cache
def shoe_three_card_tables() -> RankTables:
    """Give the tables of `SHOE_THREE_CARD`."""
    return _rank_tables(SHOE_THREE_CARD)


@cache
def four_card_tables() -> RankTables:
    """Give the tables of `FOUR_CARD`."""
    return _rank_tables(FOUR_CARD)


@cache
def five_card_tables() -> SumTables:
    """Give the tables of `FIVE_CARD`."""
    return _sum_tables(FIVE_CARD)


@cache
def wild_five_card_tables() -> SumTables:
    """Give the tables of `WILD_FIVE_CARD`."""
    return _sum_tables(WILD_FIVE_CARD)


@cache
def wild_three_card_tables() -> SumTables:
    """Give the tables of `WILD_THREE_CARD`."""
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
    return [-each.place for each in ranking._classes.strengths]  # noqa: SLF001
