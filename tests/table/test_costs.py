"""Item 8: what a table can cost, by the settlement itself, and advice about amounts that do not fit."""

from __future__ import annotations

import datetime
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from pitboss.games import all_games, find_game
from pitboss.paper.words import percent
from pitboss.server.views.office.odds import EdgeLine
from pitboss.table import Configuration, default_configuration
from pitboss.table.configuration import JackpotSettings, WagerSettings
from pitboss.table.costs import advice, cost_of
from tests.cli.running import run
from tests.jackpot.making import STC, TCP, TDP

DAY = datetime.date(2026, 11, 16)


def usual(game: str) -> Configuration:
    return default_configuration(find_game(game), DAY)


def test_item_8_a6_5_at_its_maximum_pays_eighty_million_dollars() -> None:
    all_six = WagerSettings(paytables=("A6-5",), minimum_cents=100, maximum_cents=400_00)
    configuration = replace(usual(TCP), wagers={**usual(TCP).wagers, "all-six": all_six})
    cost = next(cost for cost in cost_of(configuration).wagers if cost.wager == "all-six")
    assert (cost.stake_cents, cost.largest_cents) == (400_00, 80_000_000_00)
    assert cost_of(configuration).round_cents > 80_000_000_00


def test_item_8_a_share_of_the_meter_counts_at_the_seed() -> None:
    for game in all_games():
        configuration = usual(game.name)
        costs = {cost.wager: cost.largest_cents for cost in cost_of(configuration).wagers}
        assert set(costs) == set(configuration.offered)
        assert all(costs[name] == settings.meter_cents for name, settings in configuration.jackpots.items())


def test_j_26_advice_where_a_percentage_falls_under_dollars_and_where_a_seed_does_not_scale() -> None:
    settings = JackpotSettings(paytables=("PT-BJS-213-01",), wager_cents=500, meter_cents=100_00)
    told = [str(each) for each in advice(replace(usual(STC), jackpots={"twenty-one-plus-three": settings}))]
    assert any("a larger seed puts the rows in order" in text for text in told)
    assert any("percentages do not scale" in text and "J-26" in text for text in told)
    assert advice(usual(STC)) == ()


def test_g_3_advice_where_one_and_a_half_to_one_needs_half_dollars() -> None:
    assert ["1.5 to 1" in str(each) for each in advice(usual(TDP))] == [True]
    assert advice(replace(usual(TDP), smallest_chip_cents=50)) == ()


def test_t_07_a_wager_below_zero_is_refused_with_its_edge(tmp_path: Path) -> None:
    text = Path("examples/three-card-prime-operator-set.toml").read_text(encoding="utf-8")
    file = tmp_path / "table.toml"
    file.write_text(text.replace("flush_only", "as_printed"), encoding="utf-8")
    refused = run(f"check {file} --edges")
    assert refused.exit_code == 1
    assert "wagers.ante-play: the house edge is -83.8915%" in " ".join(refused.stderr.split())
    assert run(f"check {file}").exit_code == 0


def test_item_8_an_edge_below_zero_is_marked_where_configurations_are_compared() -> None:
    line = EdgeLine("Ante and Play", "", percent(Fraction(-838_915, 1_000_000)), "PW/BB-2")
    assert line.is_below_zero
    assert not line._replace(becomes="2.1 %").is_below_zero
    assert line._replace(becomes="60 %", now="-1 %").is_below_zero
