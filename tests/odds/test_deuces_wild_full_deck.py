"""Deuces Wild counted on the full deck: the counts are complete, and hands dealt out by plain loops give the same."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from random import Random

import numpy as np
import pytest

from pitboss.games.deuces_wild import loops
from pitboss.odds.context import NumbaContext
from pitboss.poker.made import WILD_FIVE_EVENTS, is_wild, wild_five_card_made
from tests.odds.deuces_wild_kinds import BY_PLAIN_LOOPS, EVENTS, best_pay, masks_by_substitution
from tests.odds.deuces_wild_loops import every_community, plain_selections
from tests.odds.deuces_wild_tree import ANTE, FCF, FORTUNE, FULL, JACKPOT, TREASURE, counted


@pytest.mark.parametrize("ranks", [2, 3, 13])
def test_counts_are_complete(ranks: int) -> None:
    deck = 4 * ranks + 1
    context = NumbaContext(ranks=ranks)
    assert comb(deck, 3) == counted(TREASURE, ranks).total
    assert comb(deck, 5) == counted(JACKPOT, ranks).total
    ante = counted(ANTE, ranks)
    assert comb(deck, 3) * (deck - 3) * (deck - 4) == ante.total
    at_three, at_four = ante.levels
    assert comb(deck, 3) == at_three.weights.sum()
    assert {deck - 4} == set(at_four.counts.sum(axis=2).ravel().tolist())
    assert at_four.parents is not None
    assert (np.diff(at_four.parents) >= 0).all()
    fourths = np.zeros(len(at_three.weights), dtype=np.int64)
    np.add.at(fourths, at_four.parents, at_four.weights)
    assert {deck - 3} == set(fourths.tolist())
    for size, counts in ((3, counted(FORTUNE, ranks)), (4, loops.fortune_from_four(context))):
        level = counts.levels[0]
        assert comb(deck, size) == level.weights.sum()
        assert level.allowed is not None
        assert (level.counts >= 0).all()
        assert (level.counts.sum(axis=2) == level.allowed.astype(np.int64) * comb(deck - size, 4)).all()


def test_the_nodes_after_a_play_are_the_sets_of_three_and_four_cards() -> None:
    """Each hand leads to the node of its set, whatever its suits and whichever wild cards it holds."""
    random = Random(6)
    sets = loops.sets_of(FULL)
    parents, fourths, _ = loops.fourth_cards(sets)
    known = set(zip(parents.tolist(), fourths.tolist(), strict=True))
    fours = counted(ANTE).levels[1].counts[:, 0]
    seen = dict(zip(fourths.tolist(), range(len(fourths)), strict=True))
    for _ in range(300):
        hand = random.sample(range(53), 4)
        suits = random.sample(range(4), 4)
        other = [card if card == 52 else card // 4 * 4 + suits[card % 4] for card in hand]
        three, four = loops.node_of(sets, hand[:3]), loops.node_of(sets, hand)
        assert (three, four) in known
        assert (three, four) == (loops.node_of(sets, other[:3]), loops.node_of(sets, other))
        assert sum(map(is_wild, hand)) == sets.wilds[sets.of_size(4)][four]
        made = Counter(wild_five_card_made((*hand, card)) for card in range(53) if card not in hand)
        assert sorted(made.values()) == sorted(number for number in fours[seen[four]].tolist() if number)


def sample_of_hands() -> list[tuple[int, ...]]:
    """Two random hands of three and one of four cards for each number of wild cards."""
    random = Random(53)
    hands = []
    for size, wild in ((3, 0), (3, 0), (3, 1), (3, 1), (3, 2), (3, 3), (4, 0), (4, 1), (4, 2), (4, 4)):
        hands.append((*random.sample((0, 1, 2, 3, 52), wild), *random.sample(range(4, 52), size - wild)))
    return [tuple(random.sample(hand, len(hand))) for hand in hands]


def test_dw_6_a_sample_of_hands_equals_every_community() -> None:
    counted(FORTUNE)
    loop = FULL.compiled(every_community)
    hands = sample_of_hands()
    level = loops.fortune_of_hands(FULL, hands).levels[0]
    of_three, of_four = counted(FORTUNE).levels[0], loops.fortune_from_four(FULL).levels[0]
    sets = loops.sets_of(FULL)
    assert level.allowed is not None
    for node, hand in enumerate(hands):
        ordered = sorted(hand, key=lambda card: (not is_wild(card), -card))
        wild = sum(map(is_wild, hand))
        allowed = {wild + place: place for place in range(len(hand) - wild)}
        selections = [(1 << place, number) for place, number in allowed.items()]
        selections += [((1 << number) - 1, 3 + number) for number in range(1, wild + 1)]
        assert sorted(number for _, number in selections) == np.flatnonzero(level.allowed[node]).tolist()
        by_set = (of_three if len(hand) == 3 else of_four).counts[loops.node_of(sets, hand)]
        for selection, number in selections:
            histogram = np.zeros(2048, dtype=np.int64)
            loop(np.array(ordered, dtype=np.int64), selection, histogram)
            found = np.zeros(2048, dtype=np.int64)
            found[level.codes[number, 0]] = level.counts[node, number]
            assert comb(53 - len(hand), 4) == histogram.sum()
            assert histogram.tolist() == found.tolist()
        # The set has the same selections, equal ranks in any order.
        assert sorted(map(tuple, level.counts[node].tolist())) == sorted(map(tuple, by_set.tolist()))


@pytest.mark.slow
def test_dw_6_all_hands_equal_plain_loops_with_events_by_substitution() -> None:
    """Every set of three cards with every community; of four cards a sample. Then the expectations as printed."""
    sets = loops.sets_of(FULL)
    loop = FULL.compiled(plain_selections)
    masks = masks_by_substitution()
    chosen = sorted(Random(4).sample(range(sets.of_size(4).start, sets.of_size(4).stop), 60))
    for places, counts in (
        (np.arange(sets.of_size(3).start, sets.of_size(3).stop), counted(FORTUNE)),
        (np.array(chosen), loops.fortune_from_four(FULL)),
    ):
        level = counts.levels[0]
        found = level.codes[0, 0]
        columns = np.full(2048, -1, dtype=np.int64)
        columns[found] = range(len(found))
        size = int(sets.sizes[places[0]])
        given = (sets.cards[places], sets.sizes[places], sets.wilds[places], masks, columns)
        plain = np.zeros((len(places), 8, len(found)), dtype=np.int64)
        FULL.spread(lambda start, stop, given=given, plain=plain: loop(start, stop, *given, plain), len(places))  # type: ignore[misc]
        assert (plain == level.counts[places - sets.of_size(size).start]).all()
        for table in FCF if size == 3 else ():
            worth = plain @ np.array([best_pay(int(mask), table) for mask in found])
            worth[plain.sum(axis=2) == 0] = -comb(50, 4)
            total = int((worth.max(axis=1) * sets.weights[places]).sum())
            assert BY_PLAIN_LOOPS[table] == Fraction(total, comb(53, 3) * comb(50, 4))


def test_the_events_of_the_twin_are_those_of_the_facts() -> None:
    assert EVENTS == WILD_FIVE_EVENTS
