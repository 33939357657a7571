"""Item 9, G-65: what an aggregate limit costs a player, counted on a short deck by a settlement of the tests' own."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.games import find_game
from pitboss.odds.limited import price_limit
from pitboss.odds.pricing import price, unit_pays
from pitboss.odds.solving import counts_of, solve_terms
from pitboss.odds.store import default_store
from pitboss.rules import Terms, TermsInput, make_terms
from tests.cli.running import run
from tests.odds import plain_pricing
from tests.rules.test_aggregate_limits import reduce_by_hand
from tests.table.test_aggregate_limits import limited as limited_table

DW = find_game("deuces-wild")
FORTUNE, TREASURE, ANTE = "five-card-fortune", "three-card-treasure", "ante-play-raise"


def terms_of(wager: str, table: str, **limit: int) -> Terms:
    stated = TermsInput(paytables={wager: [table]}, readings={}, aggregate_limits={wager: limit})
    terms, problems = make_terms(DW, stated)
    assert not problems
    return terms


def test_g_65_treasure_under_a_limit_is_the_sum_over_its_events() -> None:
    """No decision is made, so the events of the plain odds give the limited ones by hand, cent by cent."""
    stake, limit = 333_33, 1_000_00
    terms = terms_of(TREASURE, "TCT-A", player_cents=limit)
    priced = price_limit(DW, DW.by_name[TREASURE], terms, stake, seats=6, store=default_store())
    pays = {"Mini Royal (QKA suited)": 20, "Straight Flush": 6, "Three of a Kind": 5, "Straight": 2, "Flush": 2}
    expected = Fraction(0)
    for event in priced.plain.events:
        won = min(pays[event.event] * stake, limit) if event.event in pays else -stake
        expected += event.probability * Fraction(won, stake)
    assert priced.limited is not None
    assert expected == priced.limited.ev
    assert priced.cost == priced.plain.ev - expected > 0
    assert sum(event.count for event in priced.limited.events) == priced.limited.events[0].of


@pytest.mark.parametrize(("wager", "table"), [(FORTUNE, "FCF-A"), (ANTE, "APR-A")])
def test_g_65_play_under_a_limit_is_as_good_as_can_be(wager: str, table: str) -> None:
    """More than the plain play brings under the limit, never more than without it; nothing changes that is not bound."""
    stake = 200_00
    store = default_store()
    costs = []
    for limit in (500_00, 5_000_00, 20_000_00, 199_999_99, 200_000_00):
        priced = price_limit(
            DW, DW.by_name[wager], terms_of(wager, table, player_cents=limit), stake, seats=6, store=store
        )
        top = 400 if wager == FORTUNE else 250 * 4
        assert priced.largest_cents == top * stake
        assert (priced.limited is not None) == (limit < top * stake)
        assert priced.binds_from_cents == limit // top + 1
        costs.append(priced.cost)
        if priced.limited is not None:
            capped = sum(
                event.probability * min(event.net, Fraction(limit - 2, stake)) for event in priced.plain.events
            )
            assert capped <= priced.limited.ev < priced.plain.ev
            assert max(event.net for event in priced.limited.events) <= Fraction(limit, stake)
        assert priced.plain == solve_terms(DW, DW.by_name[wager], terms_of(wager, table, player_cents=limit))
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == 0 or wager == ANTE


@pytest.mark.parametrize("limit", [777_77, 20_000_01])
def test_g_65_the_ante_under_a_limit_by_the_plain_road(limit: int) -> None:
    """Every code is reduced by hand, chip by chip, and decided by the pricing that is not compiled."""
    stake, ante = 199_50, DW.by_name[ANTE]
    terms = terms_of(ANTE, "APR-A", player_cents=limit)
    counts, pays = counts_of(DW, ante, terms, store=default_store()), unit_pays(ante, terms)
    net = []
    for unit in pays.net:
        if unit <= 0:
            net.append(unit)
            continue
        chips = [unit / 4 * stake * number for number in (1, 1, 2)]
        assert all(chip.denominator == 1 for chip in chips)
        net.append(Fraction(sum(reduce_by_hand([int(chip) for chip in chips], limit)), stake))
    by_hand = replace(pays, net=tuple(net))
    priced = price(counts, by_hand, plain_pricing.best_decisions(counts, by_hand))
    expected = sum(net[code] * number for code, number in priced.histogram.items()) / priced.total
    limited = price_limit(DW, ante, terms, stake, seats=6, store=default_store()).limited
    assert limited is not None
    assert expected == limited.ev


def test_g_65_it_says_whether_the_limit_can_bind_and_why() -> None:
    def words(stake: int, **limit: int) -> str:
        terms = terms_of(TREASURE, "TCT-A", **limit)
        return price_limit(DW, DW.by_name[TREASURE], terms, stake, seats=6, store=default_store()).words

    alone = words(100_00, player_cents=2_000_00)
    assert "cannot bind on one player at a stake of $100.00: the largest prize is $2,000.00" in alone
    assert "exact whatever other seats win" in alone
    assert "binds at a stake of $100.01" in words(100_01, player_cents=2_000_00)
    assert "the least stake where it can is $100.01" in words(400_00, player_cents=2_000_00)
    assert "nor can 6 seats together come above $12,000.00" in words(100_00, table_cents=12_000_00)
    assert "is divided with what other seats win in the same deal" in words(100_00, table_cents=11_999_99)


def test_item_9_odds_of_a_configuration(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(limited_table(FORTUNE, player_limit_cents=20_000_00).canonical)
    (result,) = json.loads(run(f"odds deuces-wild {FORTUNE} --config {file} --json").stdout)
    limit = result["aggregate_limit"]
    assert (limit["player_cents"], limit["stake_cents"], limit["binds"]) == (20_000_00, 400_00, True)
    assert Fraction(limit["cost"]) == Fraction(result["ev"]) - Fraction(limit["limited"]["ev"]) > 0
    told = run(f"odds deuces-wild {FORTUNE} --config {file}").stdout
    assert "aggregate limit, $20,000.00 a player: binds at a stake of $400.00" in told
    assert len(json.loads(run(f"odds deuces-wild --config {file} --json").stdout)) == 4
    for wrong in (
        f"three-card-prime --config {file}",
        f"deuces-wild prime --config {file}",
        f"deuces-wild --config {file} --paytable FCF-A",
    ):
        assert run(f"odds {wrong}").exit_code == 2
