"""Super Three Card counted: tiny shoes card by card through the settlement, and published figures on full shoes."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from pitboss.games import find_game
from pitboss.odds.kit import CountingKit, count
from pitboss.odds.pricing import price, unit_pays
from pitboss.odds.solve import catalogue, solve
from pitboss.rules import FinishedSeat, Outcome, Settler
from pitboss.rules.pays import ToOne

GAME = find_game("super-three-card")


def net_of(outcome: Outcome) -> Fraction:
    won = Fraction(0)
    for part in outcome.parts:
        won += (part.multiple if part.returned else 0) - part.multiple
        won += sum((prize.times * part.multiple for prize in part.prizes if isinstance(prize, ToOne)), Fraction(0))
    return won


@pytest.mark.parametrize(
    ("ranks", "decks", "table"),
    [
        (3, 1, "PT-FLT-STC-02"),
        pytest.param(2, 2, "PT-FLT-STC-01", marks=pytest.mark.prove),
        pytest.param(2, 2, "PT-FLT-STC-03", marks=pytest.mark.prove),
        (1, 3, "PT-FLT-STC-01"),
    ],
)
def test_the_whole_tree_of_a_tiny_shoe_card_by_card(ranks: int, decks: int, table: str) -> None:
    """Each card is its own in the tree; kinds and their weights are the loop's."""
    shoe = [kind for kind in range(4 * ranks) for _ in range(decks)]
    cards = len(shoe)
    wager = GAME.by_name["ante-odds-play"]
    terms = next(terms for each, terms in catalogue(GAME) if each is wager and terms.tables[wager.name].id == table)
    settler = Settler(GAME, terms)
    total, deals = Fraction(0), 0
    for first in combinations(range(cards), 2):
        hand = tuple(shoe[place] for place in first)
        left = [place for place in range(cards) if place not in first]
        for up in left:
            rest = [place for place in left if place != up]
            played = surrendered = Fraction(0)
            for third in rest:
                for more in combinations([place for place in rest if place != third], 2):
                    dealer = (shoe[up], *(shoe[place] for place in more))
                    seat = FinishedSeat(1, {wager.name: 100}, (*hand, shoe[third]), (1,))
                    played += net_of(settler.outcome(wager, seat, dealer))
                    surrendered -= 1
                    deals += 1
            total += max(played, surrendered)
    counts = count(GAME, wager.name, CountingKit(ranks=ranks, decks=decks))
    pays = unit_pays(wager, terms)
    priced = price(counts, pays)
    assert deals == priced.total
    assert total == sum((pays.net[code] * n for code, n in priced.histogram.items()), Fraction(0))


def test_anchors_section_1_twenty_one_plus_three_of_six_decks() -> None:
    result = solve(GAME.name, "twenty-one-plus-three", ["PT-BJS-213-02"], decks=6)
    assert [240, 800, 10_368, 25_272, 155_520, 292_896] == [event.count for event in result.events[:6]]
    assert {5_013_320} == {event.of for event in result.events}
    assert "0.475444" == f"{float(1 + result.ev):.6f}"
    assert result.break_even_meter is not None
    assert "10957.37" == f"{float(result.break_even_meter):.2f}"


def test_anchors_section_3_eight_decks() -> None:
    result = solve(GAME.name, "twenty-one-plus-three", ["PT-BJS-213-01"], decks=8)
    counted = {event.event: event.count for event in result.events}
    suited = counted["Three-of-a-Kind Aces or Kings Suited"] + counted["Three-of-a-Kind Suited"]
    assert 2_912 == suited
    assert [24_576, 61_568, 368_640, 700_928] == [
        counted[name] for name in ("Straight Flush", "Three-of-a-Kind Offsuit", "Straight", "Flush")
    ]
