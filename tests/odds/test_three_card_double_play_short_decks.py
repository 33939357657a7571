"""3 Card Double Play counted on shortened decks: every hand, setting and dealer's hand through facts and settlement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import NamedTuple

import pytest

from pitboss.games.three_card_double_play import facts
from pitboss.games.three_card_double_play.loops import pick_3_by_setting
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import best_branches, follow_branches, price, unit_pays
from pitboss.odds.printed import catalogue
from pitboss.poker import THREE_CARD, three_card_tables
from pitboss.rules import Seat, Terms
from pitboss.rules.facts import EventFacts, Hands, encode
from pitboss.rules.outcomes import Outcome
from tests.games.counting import net
from tests.odds.three_card_double_play_deck import (
    AS_SET,
    BEST,
    GAME,
    LWB,
    MAIN,
    P3,
    PICK_3,
    SIDES,
    counted,
    expectation,
    level_of,
    main_pays,
    main_terms,
    side_histogram,
    terms_of,
)

pytestmark = pytest.mark.xdist_group("three_card_double_play_counts")


class NaiveSetting(NamedTuple):
    values: tuple[int, int]
    found: Counter[tuple[int, ...]]
    pick_3: int


class NaiveHand(NamedTuple):
    weight: int
    settings: list[NaiveSetting]
    made: dict[str, int]


def naive_setting(cards: tuple[int, ...], high: tuple[int, ...], boards: Sequence[tuple[int, ...]]) -> NaiveSetting:
    low = tuple(card for card in cards if card not in high)
    mask = sum(1 << cards.index(card) for card in high)
    tables = three_card_tables()
    found = Counter(tuple(MAIN.read(Hands(cards, board, (mask, 0), (AS_SET,)), tables)) for board in boards)
    (made,) = PICK_3.read(Hands(cards, boards[0], (mask, 0), (AS_SET,)), tables)
    return NaiveSetting((THREE_CARD.hand(high).value, THREE_CARD.hand(low).value), found, made)


@cache
def naive_hands(ranks: int, *, by_class: bool) -> list[NaiveHand]:
    deck = range(4 * ranks)
    weights = Counter[tuple[int, ...]]()
    for cards in combinations(deck, 6):
        alike = [tuple(sorted(card - card % 4 + names[card % 4] for card in cards)) for names in permutations(range(4))]
        weights[min(alike) if by_class else cards] += 1
    hands = []
    for cards, weight in weights.items():
        boards = list(combinations(sorted(set(deck) - set(cards)), 5))
        question = GAME.question(Seat(1, {"high-low": 100}, cards), {})
        assert question is not None
        by_values: dict[tuple[int, int], NaiveSetting] = {}
        for high in question.options():
            setting = naive_setting(cards, high, boards)
            assert by_values.setdefault(setting.values, setting)[1:] == setting[1:]
        ordered = [by_values[values] for values in sorted(by_values, reverse=True)]
        read = Hands(cards, boards[0], (0, 0), (BEST,))
        made = {name: GAME.by_name[name].read(read, three_card_tables())[0] for name in SIDES}
        hands.append(NaiveHand(weight, ordered, made))
    return hands


def settled(outcome: Outcome) -> tuple[Fraction, Fraction]:
    """What the chips won or lost, and how much was at risk."""
    return net(outcome), sum((Fraction(part.multiple) for part in outcome.parts), Fraction(0))


class NaiveResult(NamedTuple):
    worth: Fraction
    codes: Counter[int]
    decisions: Counter[str]


def naive_main(hands: list[NaiveHand], terms: Terms) -> NaiveResult:
    """Decide by G-18: the largest expectation, the smaller wager, the smaller variance, the first."""
    outcomes = {
        (doubled, *made): settled(MAIN.settle(facts.HighLow(doubled, *made), terms))
        for doubled in (0, 1)
        for made in {found[1:] for hand in hands for setting in hand.settings for found in setting.found}
    }
    total, codes, decisions = Fraction(0), Counter[int](), Counter[str]()
    for hand in hands:
        options = []
        for number, setting in enumerate(hand.settings, start=1):
            for doubled in (0, 1):
                results = [(outcomes[doubled, *made[1:]], often) for made, often in setting.found.items()]
                worth = sum(won * often for (won, _), often in results)
                risk = sum(staked * often for (_, staked), often in results)
                square = sum(won * won * often for (won, _), often in results)
                options.append((worth, -risk, -square, -number, -doubled))
        worth, _, _, number, doubled = max(options)
        total += worth * hand.weight
        decisions[f"setting {-number}{' doubled' if doubled else ''}"] += hand.weight
        for made, often in hand.settings[-number - 1].found.items():
            codes[encode((-doubled, *made[1:]), MAIN.bounds)] += often * hand.weight
    return NaiveResult(total, codes, decisions)


def check_main_on_short_deck(ranks: int, hands: list[NaiveHand], table: str) -> None:
    naive = naive_main(hands, main_terms(table))
    counts, pays = counted("high-low", ranks), main_pays(table)
    assert comb(4 * ranks, 6) * comb(4 * ranks - 6, 5) == counts.total == sum(naive.codes.values())
    priced = price(counts, pays)
    assert naive.worth / counts.total == expectation(priced.histogram.items(), pays, counts.total)
    assert dict(naive.codes) == priced.histogram
    assert dict(naive.decisions) == {name: often for name, often in priced.decisions[0].items() if often}


def check_pick_3_as_set_on_short_deck(ranks: int, hands: list[NaiveHand], main: str, table: str) -> None:
    terms, pick_terms = main_terms(main), terms_of("pick-3", table)
    total = Fraction(0)
    for hand in hands:
        valued = []
        for setting in hand.settings:
            worth = sum(net(MAIN.settle(facts.HighLow(*made), terms)) * often for made, often in setting.found.items())
            valued.append((worth, net(PICK_3.settle(EventFacts(setting.pick_3), pick_terms))))
        total += max(valued)[1] * hand.weight
    counts, pays = counted("pick-3", ranks, AS_SET), unit_pays(PICK_3, pick_terms)
    made = pick_3_by_setting(NumbaContext(ranks=ranks))
    assert (made == level_of(counts).groups).all()
    tied = best_branches(counted("high-low", ranks), main_pays(main))
    priced = price(counts, pays, follow_branches(counts, pays, tied))
    assert total / comb(4 * ranks, 6) == expectation(priced.histogram.items(), pays, priced.total)


@pytest.mark.parametrize("table", [*LWB, "upside down"])
def test_three_ranks_dealt_out_give_the_same_expectation_events_and_decisions(table: str) -> None:
    check_main_on_short_deck(3, naive_hands(3, by_class=False), table)


@pytest.mark.slow
@pytest.mark.parametrize("table", [*LWB, "upside down"])
def test_four_ranks_dealt_out_give_the_same_expectation_events_and_decisions(table: str) -> None:
    check_main_on_short_deck(4, naive_hands(4, by_class=True), table)


@pytest.mark.parametrize(
    ("main", "table"), [*((LWB[0], table) for table in P3), (LWB[5], P3[0]), ("upside down", P3[0])]
)
def test_three_ranks_dealt_out_give_the_same_pick_3_as_set(main: str, table: str) -> None:
    check_pick_3_as_set_on_short_deck(3, naive_hands(3, by_class=False), main, table)


@pytest.mark.slow
@pytest.mark.parametrize("table", P3)
@pytest.mark.parametrize("main", [*LWB, "upside down"])
def test_four_ranks_dealt_out_give_the_same_pick_3_as_set(main: str, table: str) -> None:
    check_pick_3_as_set_on_short_deck(4, naive_hands(4, by_class=True), main, table)


def check_sides_on_short_deck(ranks: int, hands: list[NaiveHand], wager: str) -> None:
    naive = Counter[int]()
    for hand in hands:
        naive[hand.made[wager]] += hand.weight
    assert dict(naive) == {code: often for code, often in enumerate(side_histogram(wager, ranks)) if often}


@pytest.mark.parametrize("wager", SIDES)
def test_three_ranks_dealt_out_make_the_same_sets_of_events(wager: str) -> None:
    check_sides_on_short_deck(3, naive_hands(3, by_class=False), wager)


@pytest.mark.slow
@pytest.mark.parametrize("wager", SIDES)
def test_four_ranks_dealt_out_make_the_same_sets_of_events(wager: str) -> None:
    check_sides_on_short_deck(4, naive_hands(4, by_class=True), wager)


def test_every_table_and_reading_of_the_catalogue_is_among_those_dealt_out() -> None:
    """Pick-3 in the reading `best` is a wager on six cards like the others: test_short_decks."""
    found = set()
    for wager, terms in catalogue(GAME):
        if wager is MAIN or (wager is PICK_3 and terms.readings["pick3_basis"] == "as_set"):
            found.add(tuple(table.id for table in terms.tables.values()))
    assert {(table,) for table in LWB} | {(pick, table) for pick in P3 for table in LWB} == found
