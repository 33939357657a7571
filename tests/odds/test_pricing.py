"""Pricing by compiled loops against the plain road, on every game's own counts of a shortened deck."""

from __future__ import annotations

import pytest

from pitboss.games import find_game
from pitboss.odds.pricing import price, unit_pays
from pitboss.odds.printed import catalogue
from pitboss.odds.solving import counts_of, solve
from pitboss.rules import Terms, Wager
from tests.odds import plain_pricing

CASES = [
    pytest.param(wager, terms, ranks, id=f"{name} {' '.join(table.id for table in terms.tables.values())}")
    for name, main, ranks in (
        ("three-card-prime", "ante-play", 5),
        ("deuces-wild", "ante-play-raise", 4),
        ("deuces-wild", "five-card-fortune", 4),
        ("four-card-prime", "ante-raise", 4),
        ("three-card-double-play", "high-low", 4),
    )
    for wager, terms in [pair for pair in catalogue(find_game(name)) if pair[0].name == main][:3]
]


@pytest.mark.parametrize(("wager", "terms", "ranks"), CASES)
def test_g_18_compiled_and_plain_pricing_take_the_same_decisions(wager: Wager, terms: Terms, ranks: int) -> None:
    counts = counts_of(find_game(terms.game), wager, terms, ranks=ranks)
    pays = unit_pays(wager, terms)
    assert plain_pricing.price(counts, pays) == price(counts, pays)


def test_pays_too_large_for_the_loops_are_refused_and_not_rounded() -> None:
    pays = {"Straight Flush": "999999999999"}
    with pytest.raises(OverflowError, match="too large"):
        solve("three-card-prime", "ante-play", [{"id": "PW/BB-1", "pays": pays}])


def test_a_wager_without_a_decision_is_priced_whatever_it_pays() -> None:
    result = solve("three-card-prime", "all-six", ["A6-5"])
    assert result.ev.denominator > 1
    assert result.variance > 0
