"""Item 9, G-65: what aggregate limits hold back of simulated rounds, beside the settlement of every round."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy

from pitboss.games import find_game
from pitboss.odds.limited import price_limit
from pitboss.odds.store import default_store
from pitboss.rules import Settler, TermsInput, make_terms
from pitboss.simulate.playing import make_ready
from pitboss.simulate.report import make_report
from pitboss.simulate.running import run, run_block
from pitboss.simulate.setup import Setup, make_setup
from tests.cli.running import run as run_command
from tests.simulate.cases import KEY
from tests.simulate.plain import finished, played_in
from tests.table.test_aggregate_limits import limited as limited_table

DW = find_game("deuces-wild")
ROUNDS = 600
TABLES = {"three-card-treasure": ["TCT-A"], "ante-play-raise": ["APR-A"]}


def setup_of(seats: int, **limits: dict[str, int]) -> Setup:
    stated = {name.replace("_", "-"): limit for name, limit in limits.items()}
    terms, problems = make_terms(DW, TermsInput(paytables=TABLES, readings={}, aggregate_limits=stated))
    assert not problems
    return make_setup(DW, terms, {"three-card-treasure": 1_001, "ante-play-raise": 2_503}, seats=seats)


def test_g_65_what_is_held_back_is_what_the_settlement_does_not_pay() -> None:
    setup = setup_of(
        4, three_card_treasure={"table_cents": 3_000}, ante_play_raise={"player_cents": 9_999, "table_cents": 12_345}
    )
    free = replace(setup, terms=replace(setup.terms, aggregate_limits={}))
    block, plain = run_block(setup, KEY, 0, rounds=ROUNDS, span=100), run_block(free, KEY, 0, rounds=ROUNDS, span=100)
    ready = make_ready(setup)
    with_limits, without = Settler(DW, setup.terms), Settler(DW, free.terms)
    places = {name: place for place, name in enumerate(DW.by_name)}
    expected, at = [], 0
    for chunk in ready.play(KEY, 0, ROUNDS):
        for played in played_in(ready, chunk):
            both = [settler.settle(finished(ready, played), {}) for settler in (with_limits, without)]
            for name in TABLES:
                paid, full = (sum(lines[name].paid_cents for lines in one.lines.values()) for one in both)
                if paid != full:
                    expected.append((at, places[name], full - paid))
            at += 1
    assert expected
    assert sorted(expected) == sorted(map(tuple, block.held.tolist()))
    assert (block.histogram == plain.histogram).all()
    gained = numpy.zeros(ROUNDS // 100, dtype=numpy.int64)
    for place, _, cents in expected:
        gained[place // 100] += cents
    assert (block.wins - plain.wins == gained).all()
    assert len(plain.held) == 0


def test_g_65_one_seat_holds_back_what_the_exact_price_says() -> None:
    setup = setup_of(1, three_card_treasure={"player_cents": 3_000})
    (report,) = [
        wager for wager in make_report(run(setup, KEY, 200_000)).wagers if wager.wager == "three-card-treasure"
    ]
    priced = price_limit(DW, DW.by_name["three-card-treasure"], setup.terms, 1_001, seats=1, store=default_store())
    assert report.held is not None
    assert abs(float(report.held.mean - priced.cost)) < 5 * report.held.standard_error
    assert report.hold == Fraction(report.staked_cents - report.paid_cents, report.staked_cents)
    assert report.mean == Fraction(report.paid_cents + report.held.cents - report.staked_cents, report.base_cents)


def test_item_9_simulate_reports_it(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    configuration = limited_table("five-card-fortune", profile="wa-tribal", table_limit_cents=100_00)
    file.write_text(configuration.canonical)
    command = f"simulate deuces-wild --config {file} --seats 3 --rounds 2000 --wager five-card-fortune=400"
    wagers = json.loads(run_command(f"{command} --json").stdout)["wagers"]
    (limit,) = [wager["aggregate_limit"] for wager in wagers]
    assert limit["rounds"] > 0
    assert limit["held_cents"] > 0
    assert limit["standard_error"] > 0
    assert "the aggregate limit held back $" in run_command(command).stdout
