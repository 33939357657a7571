"""Three Card Prime counted: shortened decks through the settlement itself, and published figures on the full deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import pytest

from pitboss.games import find_game
from pitboss.odds.kit import CountingKit
from pitboss.odds.pricing import price, unit_pays
from pitboss.odds.solve import catalogue, counts_of, solve, solve_terms
from pitboss.rules import FinishedSeat, Settler, Terms
from pitboss.rules.facts import Hands, decode
from pitboss.rules.pays import ToOne

GAME = find_game("three-card-prime")
SHORT = 4  # ranks
Deal = tuple[tuple[int, ...], tuple[int, ...]]


def net_of(
    settler: Settler, wager: str, cards: tuple[int, ...], dealer: tuple[int, ...], choices: tuple[int, ...]
) -> Fraction:
    """What one unit wins by the settlement code."""
    outcome = settler.outcome(GAME.by_name[wager], FinishedSeat(1, {wager: 100}, cards, choices), dealer)
    won = Fraction(0)
    for part in outcome.parts:
        won += part.multiple if part.returned else 0
        won -= part.multiple
        for prize in part.prizes:
            if isinstance(prize, ToOne):
                won += prize.times * part.multiple
    return won


def best_by_the_tree(terms: Terms) -> tuple[Fraction, int]:
    """Every hand against every dealer's hand of a shortened deck: the expectation, and how many hands play."""
    settler = Settler(GAME, terms)
    total, plays, deals = Fraction(0), 0, 0
    for hand in combinations(range(4 * SHORT), 3):
        rest = [card for card in range(4 * SHORT) if card not in hand]
        played = folded = Fraction(0)
        for dealer in combinations(rest, 3):
            deals += 1
            played += net_of(settler, "ante-play", (*hand, 0), dealer, (1,))
            folded += net_of(settler, "ante-play", (*hand, 0), dealer, (0,))
        plays += played > folded
        total += max(played, folded)
    return total / deals, plays


MAIN = [terms for wager, terms in catalogue(GAME) if wager.name == "ante-play"]


def named(terms: Terms) -> str:
    return f"{terms.tables['bad-beat'].id} {' '.join(terms.readings.values())}"


# Every table and reading under `make prove`; one that tells them apart always.
@pytest.mark.parametrize(
    "terms",
    [
        pytest.param(terms, marks=[] if index == 10 else pytest.mark.prove, id=named(terms))
        for index, terms in enumerate(MAIN)
    ],
)
def test_the_whole_tree_of_a_shortened_deck_through_the_settlement(terms: Terms) -> None:
    wager = GAME.by_name["ante-play"]
    pays = unit_pays(wager, terms)
    priced = price(counts_of(GAME, wager, terms, ranks=SHORT), pays)
    expectation = sum(pays.net[code] * count for code, count in priced.histogram.items()) / priced.total
    assert best_by_the_tree(terms) == (expectation, priced.decisions[0]["play"])


def short_deals() -> Iterator[Deal]:
    """Three cards, a fourth and the dealer's three of the shortest deck in which seven cards lie."""
    deck = range(12)
    for hand in combinations(deck, 3):
        for fourth in deck:
            if fourth in hand:
                continue
            rest = [card for card in deck if card not in (*hand, fourth)]
            for dealer in combinations(rest, 3):
                yield (*hand, fourth), dealer


@pytest.mark.parametrize("wager_name", ["prime", "pair-bonus", "all-six", "final-four", "all-seven"])
def test_side_wagers_on_a_shortened_deck(wager_name: str) -> None:
    wager = GAME.by_name[wager_name]
    tables = GAME.tables()
    naive: Counter[tuple[int, ...]] = Counter()
    for cards, dealer in short_deals():
        naive[tuple(wager.read(Hands(cards, dealer, (1,), (0, 0)), tables))] += 1
    terms = next(terms for each, terms in catalogue(GAME) if each.name == wager_name)
    counts = counts_of(GAME, wager, terms, ranks=3)
    ours = {decode(code, wager.bounds): int(count) for code, count in enumerate(counts.levels[0].counts[0, 0]) if count}
    # The loops leave out what a wager does not look at; the proportions are the same.
    scale = sum(naive.values()) // counts.total
    assert dict(naive) == {facts: count * scale for facts, count in ours.items()}


@pytest.mark.parametrize(
    ("wager", "tables", "edge"),
    [
        ("prime", ["PRW-1"], "0.0362"),
        ("all-six", ["A6-1"], "0.1022"),
        ("all-six", ["A6-2"], "0.1528"),
        ("all-six", ["A6-4"], "0.0856"),
    ],
)
def test_anchors_section_1_edges(wager: str, tables: list[str], edge: str) -> None:
    assert edge == f"{float(solve(GAME.name, wager, tables).house_edge):.4f}"


def test_anchors_section_1_pair_bonus_without_the_deuce_card() -> None:
    """With the PB column also standing for the deuce the fourth card does not matter."""
    for table, pays, edge in (
        (
            "PB-1",
            {"Mini Royal": "50", "Straight Flush": "40", "Trips": "30", "Straight": "6", "Flush": "3", "Pair": "1"},
            "0.0710",
        ),
        (
            "PB-2",
            {"Mini Royal": "40", "Straight Flush": "40", "Trips": "30", "Straight": "6", "Flush": "3", "Pair": "1"},
            "0.0728",
        ),
    ):
        result = solve(GAME.name, "pair-bonus", [table, {"id": "PB/LD-5", "pays": pays}])
        assert edge == f"{float(result.house_edge):.4f}"
        if table == "PB-2":
            assert Fraction(1608, 22100) == result.house_edge


def test_ante_play_pw_bb_1_is_what_the_first_count_found() -> None:
    """Counted by inclusion of every dealer's hand here and by a loop that shares no ranking code in tests/games."""
    result = solve(GAME.name, "ante-play", ["PW/BB-1"])
    assert Fraction(-226_743, 7_830_200) == result.ev
    assert Fraction(14_924, 22_100) == result.decisions[0]["play"]


@pytest.mark.parametrize("wager", [wager.name for wager in GAME.wagers])
def test_probabilities_of_events_sum_to_one_exactly(wager: str) -> None:
    terms = next(terms for each, terms in catalogue(GAME) if each.name == wager)
    result = solve_terms(GAME, GAME.by_name[wager], terms)
    assert 1 == sum((event.probability for event in result.events), Fraction(0))
    assert result.ev == sum((event.contribution for event in result.events), Fraction(0))


def test_optimal_play_is_never_below_a_restricted_strategy() -> None:
    wager = GAME.by_name["ante-play"]
    pays = unit_pays(wager, MAIN[0])
    counts = counts_of(GAME, wager, MAIN[0])

    def mean(histogram: dict[int, int]) -> Fraction:
        return sum((pays.net[code] * count for code, count in histogram.items()), Fraction(0)) / counts.total

    best = mean(price(counts, pays).histogram)
    always, never = ([choice * 0 + decision for choice in [counts.levels[0].weights]] for decision in (0, 1))
    assert best > mean(price(counts, pays, always).histogram)
    assert Fraction(-1) == mean(price(counts, pays, never).histogram)


def test_a_larger_pay_never_raises_the_edge() -> None:
    plain = solve(GAME.name, "prime", ["PRW-1"])
    richer = solve(GAME.name, "prime", [{"id": "PRW-1", "pays": {"Same Color Player Hand": "3.5"}}])
    assert richer.house_edge < plain.house_edge


def test_the_kit_counts_sets_of_cards_by_suit_class() -> None:
    for size, sets in ((2, 1326), (3, 22_100), (4, 270_725), (5, 2_598_960)):
        cards, weights = CountingKit().classes(size)
        assert sets == int(weights.sum())
        assert len({tuple(row) for row in cards.tolist()}) == len(cards)
