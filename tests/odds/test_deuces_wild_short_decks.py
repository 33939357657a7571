"""Deuces Wild counted on shortened decks: every wager, table and reading equals the naive tree through the settlement."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from pitboss.games.deuces_wild import loops
from pitboss.odds.context import NumbaContext, count
from pitboss.odds.pricing import price
from pitboss.odds.printed import catalogue
from tests.odds.deuces_wild_tree import (
    ANTE,
    APR,
    FCF,
    FORTUNE,
    GAME,
    JACKPOT,
    POOR,
    SHORT,
    TREASURE,
    Label,
    add,
    beside_ante,
    counted,
    deck_of,
    labels_taken,
    naive_ante,
    naive_selection,
    pays_of,
    read,
    sums_of,
)


@pytest.mark.parametrize("ranks", SHORT)
@pytest.mark.parametrize("table", [*APR, POOR])
def test_dw_3_ante_play_raise_equals_the_naive_tree(ranks: int, table: str) -> None:
    pays = pays_of(ANTE, table)
    priced = price(counted(ANTE, ranks), pays)
    (worth, risk, spread), taken, _ = naive_ante(ranks, table)
    assert (worth, spread) == sums_of(priced, pays)
    assert risk == sum(pays.staked[code] * number for code, number in priced.histogram.items())
    at_three, at_four = priced.decisions
    assert (at_three["play"], at_three["fold"]) == (taken["play", True], taken["play", False])
    assert (at_four["raise"], at_four["fold"]) == (taken["raise", True], taken["raise", False])
    if table == POOR:
        assert min(at_three.values()) > 0
        assert min(at_four.values()) > 0


@pytest.mark.parametrize(
    ("table", "ranks"),
    [
        pytest.param(table, ranks, marks=[pytest.mark.slow] if ranks > SHORT[0] and table != FCF[0] else [])
        for table in FCF
        for ranks in SHORT
    ],
)
def test_dw_6_fortune_alone_equals_the_naive_tree(table: str, ranks: int) -> None:
    counts, pays = counted(FORTUNE, ranks), pays_of(FORTUNE, table)
    naive = [naive_selection(ranks, three, table) for three in combinations(deck_of(ranks), 3)]
    worth, _, spread = add(value for value, _ in naive)
    assert (worth, spread) == sums_of(price(counts, pays), pays)
    sets = loops.sets_of(NumbaContext(ranks=ranks))
    assert Counter(label for _, label in naive) == labels_taken(counts, pays, sets.cards[sets.of_size(3)])


@pytest.mark.parametrize("ranks", SHORT)
def test_dw_6_fortune_alone_is_counted_alike_in_both_readings(ranks: int) -> None:
    selects = counted(FORTUNE, ranks).levels[0]
    takes_best = count(GAME, FORTUNE, NumbaContext(ranks=ranks, readings=(1,))).levels[0]
    for name in ("weights", "counts", "groups", "codes", "allowed"):
        assert (getattr(selects, name) == getattr(takes_best, name)).all()


@pytest.mark.parametrize("table", FCF)
def test_dw_6_fortune_from_four_cards_equals_the_naive_tree(table: str) -> None:
    counts, pays = loops.fortune_from_four(NumbaContext(ranks=3)), pays_of(FORTUNE, table)
    naive = [naive_selection(3, four, table) for four in combinations(deck_of(3), 4)]
    worth, _, spread = add(value for value, _ in naive)
    assert (worth, spread) == sums_of(price(counts, pays), pays)
    sets = loops.sets_of(NumbaContext(ranks=3))
    assert Counter(label for _, label in naive) == labels_taken(counts, pays, sets.cards[sets.of_size(4)])


@pytest.mark.parametrize("ante", [*APR, POOR])
def test_dw_6_fortune_beside_the_ante_equals_the_naive_tree(ante: str) -> None:
    """The Ante as if alone; then a selection from three cards, or from four with the community of the other cards."""
    deck = deck_of(3)
    _, _, plays = naive_ante(3, ante)
    counts = beside_ante(3, ante)
    sets = loops.sets_of(NumbaContext(ranks=3))
    for table in FCF:
        total, taken = [], Counter[Label]()
        for three, played in plays.items():
            if played:
                fours = [tuple(sorted((*three, card))) for card in deck if card not in three]
                below = [naive_selection(3, four, table) for four in fours]
                total += [value for value, _ in below]
                taken.update(label for _, label in below)
            else:
                # The unseen fourth card is any that is neither held nor in the community.
                (worth, risk, spread), label = naive_selection(3, three, table)
                unseen = len(deck) - 7
                total.append((worth * unseen, risk * unseen, spread * unseen))
                taken[label] += unseen
        pays = pays_of(FORTUNE, table)
        worth, _, spread = add(total)
        assert (worth, spread) == sums_of(price(counts, pays), pays)
        assert taken == labels_taken(counts, pays, sets.cards[sets.of_size(3).start :])


@pytest.mark.parametrize("wager", [TREASURE, JACKPOT])
@pytest.mark.parametrize("ranks", SHORT)
def test_dw_7_dw_8_wagers_without_a_decision_equal_every_hand(wager: str, ranks: int) -> None:
    size = 3 if wager == TREASURE else 5
    naive = Counter(read(wager, cards, (), ()) for cards in combinations(deck_of(ranks), size))
    histogram = counted(wager, ranks).levels[0].counts[0, 0]
    assert naive == Counter({(code,): number for code, number in enumerate(histogram.tolist()) if number})


def test_every_table_and_reading_of_the_catalogue_is_among_those_dealt_out() -> None:
    """Beside an Ante the reading `dealer_takes_best` is dealt out in test_deuces_wild_after_raise."""
    readings = tuple(GAME.switches[0].readings)
    beside = {(FORTUNE, reading, fortune, ante) for reading in readings for fortune in FCF for ante in APR}
    alone = {(FORTUNE, reading, fortune, None) for reading in readings for fortune in FCF}
    found = set()
    for wager, terms in catalogue(GAME):
        if wager.name in (ANTE, FORTUNE):
            tables = [terms.tables[name].id if name in terms.tables else None for name in (FORTUNE, ANTE)]
            found.add((wager.name, terms.readings["fortune_after_raise"], *tables))
    assert beside | alone | {(ANTE, readings[0], None, ante) for ante in APR} == found
