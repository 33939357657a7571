"""Forecasts: periods and meters against every round settled by itself, exact figures against odds, refusals, Ctrl-C."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.games import find_game
from pitboss.meters import Account, balances, units_of
from pitboss.odds.solving import solve
from pitboss.simulate import running
from pitboss.simulate.forecasts import forecasting as forecast_rounds
from pitboss.simulate.forecasts.forecasting import exact_win_cents, forecast, gather
from pitboss.simulate.forecasts.plan import (
    ForecastPlan,
    ForecastRefusedError,
    MeterSettings,
    make_request,
    usual_stakes,
)
from pitboss.simulate.forecasts.values import PERCENTS, TableForecast, spread_of
from pitboss.simulate.running import BlockResult, run_block
from pitboss.simulate.setup import BLOCK_ROUNDS
from pitboss.table import Configuration, default_configuration
from pitboss.table.configuration import JackpotSettings
from tests.simulate import one_by_one
from tests.simulate.test_folding import MIXED, OFTEN

KEY = bytes(range(32))
DAY = datetime.date(2026, 11, 15)
GAME = find_game("three-card-prime")
SMALL = ForecastPlan(rounds_per_hour=7, hours_per_day=4, shift_hours=2, days=3, runs=5)
STATED = {"final-four": MeterSettings(seed_cents=300_00, rate=Fraction("0.173"), reserve_rate=Fraction("0.05"))}


def table(pays: dict[str, str] | None = None, **fields: Any) -> Configuration:
    """The default table, its jackpot with these rows."""
    plain = default_configuration(GAME, DAY)
    if pays is None:
        return replace(plain, **fields)
    kept = {name: fields.pop(name) for name in ("fixed_prizes", "meter_cents") if name in fields}
    given: dict[str, Any] = {"paytables": ({"id": "F4P-1", "pays": pays},), "meter_cents": 500_00}
    jackpot = JackpotSettings(**given | kept)
    return replace(plain, jackpots={"final-four": jackpot}, **fields)


@lru_cache
def usual() -> TableForecast:
    return forecast(table(), plan=ForecastPlan(runs=12), seats=5, key=KEY, grid=True)


# --- the house's win, period by period ---------------------------------------------------------------------------


def house_by_round(configuration: Configuration, plan: ForecastPlan, meters: dict[str, MeterSettings]) -> list[int]:
    """What the house wins in every round, in units, by the settlement of each with the meter of that instant.

    Chips that change hands, what the fund makes good of the prizes, less contributions and the seed that it lends.
    """
    request = make_request(configuration, plan=plan, seats=6, meters=meters)
    every = list(one_by_one.finished_rounds(request.setup, KEY, 0, plan.runs * plan.run_rounds))
    won = []
    for run in range(plan.runs):
        own = every[run * plan.run_rounds : (run + 1) * plan.run_rounds]
        for instant in one_by_one.play_finished(request.setup, own, dict(request.meters)):
            house = 0
            for transfer in instant.settlement.transfers:
                house += units_of(transfer.cents) * ((transfer.payee == "house") - (transfer.payer == "house"))
            for transfers in instant.transfers.values():
                moved = balances(transfers)
                funded = -moved[Account.WAGERS] - moved[Account.HOUSE_SHARE]
                house += moved[Account.SEED] - funded
            won.append(house)
    return won


@pytest.mark.parametrize(
    "configuration",
    [
        table(OFTEN),
        table(MIXED, fixed_prizes="meter", meter_cents=60_00),
        table(OFTEN, jackpot_type="bonus"),
        table(OFTEN, jackpot_type="bonus", bonus_sharing="split"),
    ],
    ids=["progressive", "fixed prizes from the meter", "bonus in full", "bonus split"],
)
def test_g_4_g_5_wins_of_all_periods_are_those_of_every_round_settled_by_itself(configuration: Configuration) -> None:
    meters = STATED if configuration.jackpot_type == "progressive" else {}
    by_round = house_by_round(configuration, SMALL, meters)
    found = forecast(configuration, plan=SMALL, seats=6, meters=meters, key=KEY)

    assert sum(found.run_wins) == sum(by_round)
    for period in found.periods:
        wins = [sum(by_round[at : at + period.rounds]) for at in range(0, len(by_round), period.rounds)]
        assert period.win == spread_of(wins)
        assert period.losing == sum(win < 0 for win in wins)
    assert [period.name for period in found.periods] == ["shift of 2 hours", "day of 4 hours", "run of 3 days"]
    assert list(found.run_wins) == wins


def test_a_period_may_begin_in_one_block_and_end_in_the_next() -> None:
    plan = ForecastPlan(rounds_per_hour=90, hours_per_day=24, shift_hours=24, days=31, runs=1)
    assert plan.run_rounds > BLOCK_ROUNDS
    request = make_request(table(), plan=plan, seats=1)
    gathered = gather(request.setup, plan, KEY)
    both = [run_block(request.setup, KEY, 0, span=1), run_block(request.setup, KEY, 1, span=1)]
    wins = numpy.concatenate([result.wins for result in both])[: plan.run_rounds]

    assert gathered.shift_cents.tolist() == wins.reshape(31, -1).sum(axis=1).tolist()


def test_the_exact_win_is_the_edge_of_every_wager_times_what_is_staked() -> None:
    stakes = {"ante-play": 1_000, "prime": 500, "pair-bonus": 200, "final-four": 100}
    request = make_request(table(), plan=SMALL, seats=3, stakes=stakes)
    tables = {"ante-play": ["PW/BB-1"], "prime": ["PRW-1"], "pair-bonus": ["PB-1", "PB/LD-1"], "final-four": ["F4P-1"]}
    per_round = sum((-solve(GAME.name, name, tables[name]).ev * cents for name, cents in stakes.items()), Fraction(0))

    assert exact_win_cents(request.setup) == 3 * per_round


def test_the_simulated_mean_agrees_with_the_exact_one() -> None:
    found = forecast(table(), plan=ForecastPlan(runs=40), seats=2, key=KEY)
    for period in found.periods:
        away = period.before.mean - period.exact
        assert away * away < 16 * period.before.error_squared


def test_g_28_j_03_contributions_are_not_the_houses() -> None:
    more = {"final-four": MeterSettings(rate=Fraction("0.3"), reserve_rate=Fraction("0.1"))}
    less = {"final-four": MeterSettings(rate=Fraction("0.1"), reserve_rate=Fraction("0.1"))}
    first, second = (forecast(table(), plan=SMALL, seats=6, meters=each, key=KEY) for each in (more, less))
    for low, high in zip(first.periods, second.periods, strict=True):
        assert high.exact - low.exact == units_of(low.rounds * 6 * 20)
        assert high.before.mean - low.before.mean == units_of(low.rounds * 6 * 20)


# --- meters -------------------------------------------------------------------------------------------------------


def test_the_chance_of_the_top_award_is_that_of_the_odds() -> None:
    top = solve(GAME.name, "final-four", ["F4P-1"]).events[0]
    one = forecast(table(), plan=SMALL, seats=1, key=KEY).jackpots[0]

    assert one.top_events == (top.event,) == ("4-card diamond Royal",)
    assert one.top_chance == top.probability
    # One deck has one diamond Royal: no two seats hold it at a time, and the chances of five seats add up.
    assert usual().jackpots[0].top_chance == 5 * top.probability


def test_the_sufficient_reserve_rate_gathers_one_seed_from_win_to_win() -> None:
    jackpot = usual().jackpots[0]
    assert jackpot.sufficient_reserve_rate is not None
    assert jackpot.top_chance is not None
    a_round = jackpot.sufficient_reserve_rate * jackpot.meter.wager_cents * jackpot.wagers_a_round

    assert a_round / jackpot.top_chance == jackpot.meter.reseed_cents


def test_growth_a_day_is_what_the_wagers_of_a_day_add() -> None:
    jackpot = usual().jackpots[0]

    # 640 rounds of five wagers, 17.3 cents of each.
    assert jackpot.growth_units == units_of(640 * 5 * 173) // 10


def often(**settings: Any) -> TableForecast:
    meters = {"final-four": replace(STATED["final-four"], **settings)}
    return forecast(table(OFTEN), plan=SMALL, seats=6, meters=meters, key=KEY, grid=True)


def test_top_prizes_gaps_and_lacking_seed_are_those_of_one_meter_round_by_round() -> None:
    found = often()
    jackpot = found.jackpots[0]
    request = make_request(table(OFTEN), plan=SMALL, seats=6, meters=STATED)
    tops, prizes, lacked, covered, hits = [], [], [], 0, 0
    for number, instant in enumerate(one_by_one.play(request.setup, KEY, 0, found.rounds, dict(request.meters))):
        before, after = instant.shown["final-four"], instant.after["final-four"]
        hits += after.hits - before.hits
        payment = instant.settlement.jackpots.get("final-four")
        covered += 0 if payment is None else payment.from_house_cents
        if after.generation > before.generation:
            tops.append(number)
            prizes.append(units_of(before.displayed_cents))
            lacked.append(after.seed_units - before.seed_units)

    assert jackpot.top_hits == len(tops) > 5
    assert jackpot.rounds_between == spread_of(b - a for a, b in zip([-1, *tops[:-1]], tops, strict=True))
    assert jackpot.top_prize == spread_of(prizes)
    assert jackpot.lacked == spread_of(lacked)
    assert jackpot.lent_units == sum(lacked) > 0
    assert (jackpot.cover.hits, jackpot.cover.cents) == (hits, covered)
    assert covered > 0


def test_the_fan_opens_at_the_meter_and_has_the_quantiles_of_all_runs() -> None:
    found = often()
    fan = found.jackpots[0].fan
    request = make_request(table(OFTEN), plan=SMALL, seats=6, meters=STATED)
    every = list(one_by_one.finished_rounds(request.setup, KEY, 0, found.rounds))
    shown: list[list[int]] = [[500_00] * SMALL.runs] + [[] for _ in range(SMALL.days)]
    for run in range(SMALL.runs):
        own = every[run * SMALL.run_rounds : (run + 1) * SMALL.run_rounds]
        states = list(one_by_one.play_finished(request.setup, own, dict(request.meters)))
        for day in range(SMALL.days):
            shown[day + 1].append(states[(day + 1) * SMALL.day_rounds - 1].after["final-four"].displayed_cents)

    assert fan.runs == 5
    assert fan.percents == (5, 25, 50, 75, 95)
    # Of five numbers these are the least, the second, the middle one, the fourth and the greatest.
    assert fan.bands == tuple(tuple(sorted(day)) for day in shown)


def test_the_grid_has_the_meter_itself_and_seed_and_rate_move_it_as_they_must() -> None:
    jackpot = often().jackpots[0]
    by_terms = {(row.seed_cents, row.rate): row for row in jackpot.grid}
    itself = by_terms[300_00, Fraction("0.173")]

    assert len(jackpot.grid) == 9
    assert (itself.top_prize, itself.lacked, itself.cover) == (jackpot.top_prize, jackpot.lacked, jackpot.cover)
    assert (itself.growth_units, itself.lent_units) == (jackpot.growth_units, jackpot.lent_units)
    for (seed, rate), row in by_terms.items():
        alone = often(seed_cents=seed, rate=rate).jackpots[0]
        assert (row.top_prize, row.lacked, row.cover) == (alone.top_prize, alone.lacked, alone.cover)


def test_a_grid_leaves_out_what_cannot_be_a_meter() -> None:
    rows = often(rate=Fraction("0.8"), cap_cents=500_00).jackpots[0].grid

    # 1.2 of the wager, and a seed of $600 above the cap of $500, are none.
    assert {(row.seed_cents, row.rate) for row in rows} == {
        (seed, rate) for seed in (150_00, 300_00) for rate in (Fraction("0.4"), Fraction("0.8"))
    }


def test_a_bonus_jackpot_neither_grows_nor_is_reseeded() -> None:
    jackpot = forecast(table(OFTEN, jackpot_type="bonus"), plan=SMALL, seats=6, key=KEY, grid=True).jackpots[0]

    assert jackpot.growth_units == jackpot.lent_units == 0
    assert jackpot.sufficient_reserve_rate is None
    assert jackpot.grid == ()
    assert jackpot.cover.covered == jackpot.cover.hits > 0
    assert set(jackpot.fan.bands) == {(500_00,) * 5}


# --- the value ----------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=60))
def test_a_spread_is_what_its_numbers_say(numbers: list[int]) -> None:
    spread = spread_of(numbers)
    assert spread is not None
    count = len(numbers)

    assert spread.mean * count == sum(numbers)
    squares = sum((number - Fraction(sum(numbers), count)) ** 2 for number in numbers)
    assert spread.variance * max(1, count - 1) == squares
    for percent, value in zip(PERCENTS, spread.quantiles, strict=True):
        assert value in numbers
        assert 100 * sum(number <= value for number in numbers) >= percent * count
        assert 100 * sum(number < value for number in numbers) < percent * count


def test_nothing_has_no_spread() -> None:
    assert spread_of([]) is None


def test_the_same_key_gives_the_same_forecast_and_says_so() -> None:
    again = forecast(table(), plan=ForecastPlan(runs=12), seats=5, key=KEY, grid=True)
    other = forecast(table(), plan=SMALL, seats=5)

    assert again == usual()
    assert usual().key == KEY.hex()
    assert other.key != forecast(table(), plan=SMALL, seats=5).key
    assert usual().rounds == 12 * 30 * 640


def test_a_forecast_as_json_has_exact_numbers_as_ratios() -> None:
    told = usual().as_json()

    assert told["simulated"]["rounds"] == usual().rounds
    assert told["jackpots"][0]["exact"]["top_chance_a_round"] == "1/108290"
    assert told["jackpots"][0]["exact"]["rounds_between"] == "108290/1"
    assert told["jackpots"][0]["meter"]["assumed"] == ["seed", "rate", "reserve-rate"]
    assert told["win"][0]["simulated"]["quantiles"].keys() == {str(percent) for percent in PERCENTS}
    exact = Fraction(told["win"][2]["before_prizes_and_seed"]["exact"])
    assert exact * 100 * 10_000 == usual().periods[2].exact


# --- what is asked ------------------------------------------------------------------------------------------------


def test_g_12_the_usual_seat_stakes_the_least_on_four_options_the_jackpot_among_them() -> None:
    assert usual_stakes(table()) == {"ante-play": 500, "final-four": 100, "prime": 100, "pair-bonus": 100}


def test_all_that_is_wrong_comes_at_once() -> None:
    with pytest.raises(ForecastRefusedError) as caught:
        forecast(
            table(),
            plan=ForecastPlan(rounds_per_hour=0, hours_per_day=25, runs=-1),
            seats=9,
            stakes={"ante-play": 1, "insurance": 500},
            meters={"all-seven": MeterSettings()},
        )
    told = [problem.path for problem in caught.value.problems]

    assert told == [
        "rounds_per_hour",
        "hours_per_day",
        "runs",
        "seats",
        "wager ante-play",
        "wager insurance",
        "jackpot all-seven",
    ]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"plan": ForecastPlan(hours_per_day=16, shift_hours=5)}, "divide the 16 hours"),
        ({"stakes": {"ante-play": 500, "final-four": 200}}, "must be $1.00"),
        ({"stakes": {"prime": 500}}, "is required for every other wager"),
        ({"stakes": dict.fromkeys(("ante-play", "prime", "pair-bonus", "all-six"), 600)}, "at least one must be $5.00"),
        ({"meters": {"final-four": MeterSettings(rate=Fraction("0.9"), reserve_rate=Fraction("0.2"))}}, "whole wager"),
        ({"meters": {"final-four": MeterSettings(rate=Fraction(1, 3))}}, "no whole number of units"),
        ({"meters": {"final-four": MeterSettings(cap_cents=100_00)}}, "above the cap of $100.00"),
        ({"meters": {"final-four": MeterSettings(seed_cents=-1)}}, "whole number, 0 or more"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ForecastRefusedError) as caught:
        forecast(table(), **{"plan": SMALL, **wrong})

    assert says in str(caught.value)


def test_a_bonus_display_takes_no_contribution() -> None:
    with pytest.raises(ForecastRefusedError, match="takes nothing from a wager"):
        forecast(table(OFTEN, jackpot_type="bonus"), plan=SMALL, meters=STATED)


# --- Ctrl-C -------------------------------------------------------------------------------------------------------


def stopping_after(blocks: int) -> Any:
    def run_blocks(setup: Any, key: bytes, rounds: int, *, span: int) -> Iterator[BlockResult]:
        for number, result in enumerate(every(setup, key, rounds, span=span)):
            if number == blocks:
                raise KeyboardInterrupt
            yield result

    every = running.run_blocks
    return run_blocks


LONG = ForecastPlan(rounds_per_hour=100, hours_per_day=20, shift_hours=10, days=20, runs=4)


def test_ctrl_c_ends_with_the_whole_runs_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = forecast(table(), plan=replace(LONG, runs=1), seats=2, key=KEY)
    monkeypatch.setattr(forecast_rounds, "run_blocks", stopping_after(1))
    found = forecast(table(), plan=LONG, seats=2, key=KEY)

    assert found.interrupted
    assert not whole.interrupted
    assert found.runs == BLOCK_ROUNDS // LONG.run_rounds == 1
    assert replace(found, plan=whole.plan, interrupted=False) == whole


def test_ctrl_c_before_the_first_whole_run_is_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast_rounds, "run_blocks", stopping_after(0))
    with pytest.raises(KeyboardInterrupt):
        forecast(table(), plan=LONG, seats=2, key=KEY)


def test_progress_is_told_and_ends_at_all_rounds() -> None:
    told: list[tuple[int, int]] = []
    forecast(table(), plan=LONG, seats=1, key=KEY, tell=lambda done, of: told.append((done, of)))

    assert told == [(65_536, 160_000), (131_072, 160_000), (160_000, 160_000)]
