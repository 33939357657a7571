"""On the full deck a random sample of hands is dealt out by plain loops and gives the analyser's counts.

Here are Three Card Prime, Deuces Wild and Super Three Card; Four Card Prime and 3 Card Double Play have theirs in
test_four_card_prime_counts and test_three_card_double_play_full_deck.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import pytest

from pitboss.games import find_game
from pitboss.games.deuces_wild import loops as deuces_wild_loops
from pitboss.games.deuces_wild.after_raise import after_raise
from pitboss.games.super_three_card import loops as super_three_card_loops
from pitboss.odds.context import NumbaContext
from pitboss.odds.solving import counts_of
from pitboss.poker import shoe_three_card_tables, three_card_tables
from pitboss.rules import Game, TermsInput, make_terms
from pitboss.rules.counting import Counts
from pitboss.rules.facts import Hands, decode
from tests.odds.sampling_loops import every_raised_fortune, every_round_of_a_shoe

FULL = NumbaContext()


def counted(game: Game, decks: int | None = None) -> Counts:
    terms, problems = make_terms(game, TermsInput(paytables={}, readings={}, decks=decks))
    assert () == problems
    return counts_of(game, game.main, terms)


def with_suits_renamed(cards: list[int], random: Random) -> tuple[int, ...]:
    """The same hand under other names of the suits, in another order; the joker stays the joker."""
    names = random.sample(range(4), 4)
    renamed = [card if card == 52 else card // 4 * 4 + names[card % 4] for card in cards]
    return tuple(random.sample(renamed, len(renamed)))


def check_three_card_prime(seed: int, size: int) -> None:
    """A hand of each category and some at random against every dealer's hand, through facts."""
    game, random, tables = find_game("three-card-prime"), Random(seed), three_card_tables()
    wager, (level,) = game.main, counted(game).levels
    hands, _ = FULL.classes(3)
    groups = level.groups[:, 0]
    nodes = [int(random.choice(np.flatnonzero(groups == group))) for group in np.unique(groups)]
    for node in (*nodes, *random.sample(range(len(hands)), size)):
        hand = with_suits_renamed(hands[node].tolist(), random)
        left = [card for card in range(52) if card not in hand]
        dealt = Counter(
            tuple(wager.read(Hands((*hand, left[0]), board, (1,), (0, 0)), tables)) for board in combinations(left, 3)
        )
        codes = level.codes[0, groups[node]].tolist()
        found = zip(codes, level.counts[node, 0].tolist(), strict=True)
        assert dealt == Counter({decode(code, wager.bounds): often for code, often in found if often})


def test_three_card_prime_against_every_dealers_hand() -> None:
    check_three_card_prime(1, 3)


@pytest.mark.slow
def test_three_card_prime_many_hands_against_every_dealers_hand() -> None:
    check_three_card_prime(2, 100)


def check_deuces_wild(seed: int, size: int) -> None:
    """Every fourth and fifth card: as many fourth cards lead to each set of fifths, and these make the same."""
    game, random = find_game("deuces-wild"), Random(seed)
    wager, (at_three, at_four) = game.main, counted(game).levels
    assert at_four.parents is not None
    sets = deuces_wild_loops.sets_of(FULL)
    threes = sets.cards[sets.of_size(3)]
    codes = [decode(code, wager.bounds) for code in at_four.codes[0, 0].tolist()]
    wild = [random.choice(np.flatnonzero(sets.wilds[sets.of_size(3)] == number)) for number in range(4)]
    for node in (*map(int, wild), *random.sample(range(len(at_three.weights)), size)):
        hand = with_suits_renamed(threes[node, :3].tolist(), random)
        dealt: Counter[frozenset[tuple[tuple[int, ...], int]]] = Counter()
        for fourth in set(range(53)) - set(hand):
            fifths = Counter(
                tuple(wager.read(Hands((*hand, fourth, fifth), (), (1, 1, 0), (0,)), None))
                for fifth in set(range(53)) - {*hand, fourth}
            )
            dealt[frozenset(fifths.items())] += 1
        found: Counter[frozenset[tuple[tuple[int, ...], int]]] = Counter()
        for four in np.flatnonzero(at_four.parents == node):
            row = zip(codes, at_four.counts[four, 0].tolist(), strict=True)
            found[frozenset((facts, often) for facts, often in row if often)] += int(at_four.weights[four])
        assert dealt == found


def test_deuces_wild_with_every_fourth_and_fifth_card() -> None:
    check_deuces_wild(1, 6)


@pytest.mark.slow
def test_deuces_wild_many_hands_with_every_fourth_and_fifth_card() -> None:
    check_deuces_wild(2, 300)


@pytest.mark.slow
def test_dw_6_raised_hands_with_every_fifth_card_and_community_the_dealer_taking_the_best() -> None:
    """A hand of four cards with few wild cards, and one with many: they are counted by different roads."""
    random = Random(7)
    sets = deuces_wild_loops.sets_of(FULL)
    masks, counts = after_raise(FULL)
    fours, wilds = sets.cards[sets.of_size(4)], sets.wilds[sets.of_size(4)]
    run = FULL.compiled(every_raised_fortune)
    for number in (0, 1, 3):
        node = int(random.choice(np.flatnonzero(wilds == number)))
        hand = np.array(with_suits_renamed(fours[node].tolist(), random))
        left = np.array([card for card in range(53) if card not in hand])

        def piece(start: int, stop: int, hand: np.ndarray = hand, left: np.ndarray = left) -> np.ndarray:
            found = np.zeros(2048, dtype=np.int64)
            run(start, stop, hand, left, found)
            return found

        dealt = sum(FULL.spread(piece, len(left)))
        expected = np.zeros(2048, dtype=np.int64)
        expected[masks] = counts[node]
        assert expected.tolist() == dealt.tolist()


def check_super_three_card(decks: int, seed: int, size: int) -> None:
    """Every third card and every two more of the dealer's, of a shoe in which each card is its own."""
    game, random = find_game("super-three-card"), Random(seed)
    wager, (level,) = game.main, counted(game, decks).levels
    context = NumbaContext(decks=decks)
    nodes, _ = super_three_card_loops.nodes(context)
    run, tables = context.compiled(every_round_of_a_shoe), context.arrays(shoe_three_card_tables())
    for node in random.sample(range(len(nodes)), size):
        names = random.sample(range(4), 4)
        known = np.array([card // 4 * 4 + names[card % 4] for card in nodes[node].tolist()])
        copies = Counter(dict.fromkeys(range(52), decks))
        copies.subtract(known.tolist())
        left = np.array(list(copies.elements()))

        def piece(start: int, stop: int, known: np.ndarray = known, left: np.ndarray = left) -> np.ndarray:
            found = np.zeros((wager.bounds[1], 3), dtype=np.int64)
            run(start, stop, known, left, tables, found)
            return found

        dealt = sum(context.spread(piece, len(left)))
        expected = np.zeros_like(dealt)
        for code, often in zip(level.codes[0, 0].tolist(), level.counts[node, 0].tolist(), strict=True):
            played, made, comparison = decode(code, wager.bounds)
            assert 1 == played
            expected[made, comparison] = often
        assert expected.tolist() == dealt.tolist()


def test_stc_7_super_three_card_of_six_decks_card_by_card() -> None:
    check_super_three_card(6, 1, 3)


@pytest.mark.slow
@pytest.mark.parametrize("decks", [6, 8])
def test_stc_7_many_hands_of_super_three_card_card_by_card(decks: int) -> None:
    check_super_three_card(decks, 2, 20)
