"""Merged nodes price as the nodes they stand for, exactly; and hands that stand for their value read as any other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pitboss.games import find_game
from pitboss.games.three_card_double_play import loops
from pitboss.games.three_card_double_play.facts import read_pick_3
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import (
    best_branches,
    best_decisions,
    best_play,
    follow_branches,
    merged_nodes,
    occurring_codes,
    price,
    unit_pays,
)
from pitboss.odds.printed import catalogue
from pitboss.odds.solving import counts_of
from pitboss.poker import three_card_tables
from pitboss.rules import Terms
from pitboss.rules.counting import Counts, DecisionLevel
from pitboss.rules.facts import Hands
from tests.odds import plain_pricing

GAME = find_game("three-card-double-play")
MAIN, PICK_3 = GAME.by_name["high-low"], GAME.by_name["pick-3"]
# Every Pick-3 table beside every table of the main wager.
BESIDE = [
    terms for wager, terms in catalogue(GAME) if wager is PICK_3 and all(s.name in terms.tables for s in MAIN.slots)
]


def tied_of(terms: Terms, ranks: int) -> Any:
    return best_branches(counts_of(GAME, MAIN, terms, ranks=ranks), unit_pays(MAIN, terms))


def check(terms: Terms, ranks: int) -> int:
    """Price Pick-3 on all nodes and on merged ones; give how many nodes were left."""
    counts, pays, tied = counts_of(GAME, PICK_3, terms, ranks=ranks), unit_pays(PICK_3, terms), tied_of(terms, ranks)
    merged, left = merged_nodes(counts, tied)
    ours = price(merged, pays, follow_branches(merged, pays, left))
    assert price(counts, pays, follow_branches(counts, pays, tied)) == ours
    return len(merged.levels[0].weights)


@pytest.mark.parametrize("terms", BESIDE[::4], ids=lambda terms: " ".join(t.id for t in terms.tables.values()))
def test_merged_nodes_price_as_all_nodes_on_a_short_deck(terms: Terms) -> None:
    check(terms, 4)


@pytest.mark.slow
def test_merged_nodes_price_as_all_nodes_on_the_full_deck() -> None:
    assert check(BESIDE[0], 13) < 10_000


def test_merged_nodes_keep_the_weight_of_every_kind() -> None:
    counts, tied = counts_of(GAME, PICK_3, BESIDE[0], ranks=4), tied_of(BESIDE[0], 4)
    level = counts.levels[0]
    expected: dict[tuple[int, ...], int] = {}
    for node, weight in enumerate(level.weights.tolist()):
        bits = int(tied[node])
        made = [int(group) if bits >> branch & 1 else -1 for branch, group in enumerate(level.groups[node])]
        expected[bits, *made] = expected.get((bits, *made), 0) + weight
    merged, left = merged_nodes(counts, tied)
    found = {}
    for node, weight in enumerate(merged.levels[0].weights.tolist()):
        bits = int(left[node])
        made = [int(group) if bits >> branch & 1 else -1 for branch, group in enumerate(merged.levels[0].groups[node])]
        found[bits, *made] = weight
    assert expected == found


def small_counts(rows: list[tuple[int, int]], groups: list[tuple[int, int]]) -> Counts:
    """Counts of two branches with one column each, every node weighing one more than the last."""
    level = DecisionLevel(
        decisions=("first", "second"),
        branches=(0, 1),
        weights=np.arange(1, len(rows) + 1),
        counts=np.array(rows)[:, :, None],
        groups=np.array(groups),
        codes=np.arange(2)[None, :, None].repeat(2, axis=0),
    )
    return Counts(wager="", total=0, levels=(level,), method="")


def test_nodes_that_differ_in_counts_groups_or_branches_left_stay_apart() -> None:
    rows = [(5, 7), (5, 7), (5, 8), (6, 7), (5, 7), (5, 7), (5, 9)]
    groups = [(0, 1), (0, 1), (0, 1), (0, 1), (1, 1), (0, 1), (0, 0)]
    tied = np.array([3, 3, 3, 3, 3, 1, 1])
    merged, left = merged_nodes(small_counts(rows, groups), tied)
    # The last two have only the first branch left, and there they are alike.
    assert [1 + 2, 3, 4, 5, 6 + 7] == merged.levels[0].weights.tolist()
    assert [3, 3, 3, 3, 1] == left.tolist()


@pytest.mark.parametrize("terms", BESIDE[::30], ids=lambda terms: " ".join(t.id for t in terms.tables.values()))
def test_best_play_is_the_best_decisions_and_all_the_best_branches(terms: Terms) -> None:
    counts, pays = counts_of(GAME, MAIN, terms, ranks=4), unit_pays(MAIN, terms)
    (choice,), tied = best_play(counts, pays)
    assert (choice == best_decisions(counts, pays)[0]).all()
    level = counts.levels[0]
    worth = plain_pricing.worth_of(level, pays)
    best = worth == worth.max(axis=1, keepdims=True)
    bits = np.zeros(len(tied), dtype=np.int64)
    for decision, branch in enumerate(level.branches):
        bits |= best[:, decision].astype(np.int64) << branch
    assert (bits == tied).all()


CASES = [
    pytest.param(game, wager, terms, id=f"{game.name} {wager.name}")
    for game in (find_game(name) for name in ("three-card-prime", "super-three-card", "four-card-prime", "deuces-wild"))
    for wager in game.wagers
    for terms in [next(terms for other, terms in catalogue(game) if other is wager)]
]


@pytest.mark.parametrize(("game", "wager", "terms"), CASES)
def test_settling_only_codes_that_occur_gives_the_same_price(game: Any, wager: Any, terms: Terms) -> None:
    counts = counts_of(game, wager, terms, ranks=5)
    every = unit_pays(wager, terms)
    some = unit_pays(wager, terms, occurring_codes(counts))
    priced = price(counts, some)
    assert price(counts, every) == priced
    settled = [(some.net[c], some.staked[c], some.outcomes[c]) for c in priced.histogram]
    assert settled == [(every.net[c], every.staked[c], every.outcomes[c]) for c in priced.histogram]


def test_tdp_3_what_a_setting_makes_for_pick_3_is_read_from_its_own_cards() -> None:
    """Hands of equal values stand for each other while counting: every 997th node of the full deck, card by card."""
    context = NumbaContext()
    hands, _ = context.classes(6)
    found, made = loops.settings(context), loops.pick_3_by_setting(context)
    for node in range(0, len(hands), 997):
        player = hands[node].tolist()
        for setting in range(int(found.used[node])):
            cards = Hands(player, (0,) * 5, (int(found.places[node, setting]), 0), (1,))
            assert read_pick_3(cards, three_card_tables()).events == made[node, setting]
