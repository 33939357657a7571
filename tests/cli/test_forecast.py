"""`pitboss forecast`: tables that say what they were computed from, JSON, pictures, and one message for all that is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli.output import console
from pitboss.simulate import running
from pitboss.simulate.forecasts import forecasting as forecast_rounds
from tests.cli.running import one_line, run, run_json

KEY = "00112233445566778899aabbccddeeff" * 2
SHORT = f"--rounds-per-hour 20 --hours-per-day 4 --shift-hours 2 --days 10 --runs 8 --key {KEY}"


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "_width", 160)


def printed(command: str) -> str:
    result = run(command)

    assert result.exit_code == 0, result.output
    return result.stdout


def test_every_figure_says_what_it_was_computed_from() -> None:
    text = printed(f"forecast three-card-prime --seats 5 {SHORT}")

    assert "5 seats, each staking ante-play $5.00, prime $1.00, pair-bonus $1.00, final-four $1.00" in text
    assert f"simulated: 6,400 rounds in 8 runs of 10 days, key {KEY}" in text
    assert "exact: from the odds, terms" in text
    for period in ("shift of 2 hours", "day of 4 hours", "run of 10 days"):
        assert text.count(f"  {period} ") == 2
    assert "assumed, as neither the configuration nor an option states it: --seed, --rate, --reserve-rate" in text
    assert "exact: grows by $69.20 a day" in text
    assert "exact: 4-card diamond Royal wins it whole once in 108,290 rounds, 1353.6 days, on average" in text


def test_json_says_the_same_as_the_table() -> None:
    told = run_json(f"forecast three-card-prime --seats 5 {SHORT} --json")
    text = printed(f"forecast three-card-prime --seats 5 {SHORT}")

    assert told["simulated"] | {"rounds": 6400, "runs": 8, "key": KEY, "interrupted": False} == told["simulated"]
    for period in told["win"]:
        (line,) = [each for each in text.splitlines() if each.startswith(f"  {period['period']} ") and "±" in each][:1]
        assert f"${float(period['before_prizes_and_seed']['exact_dollars']):,.0f}" in line
    assert told["jackpots"][0]["exact"]["growth_a_day"] == "69.20"


def test_options_state_what_a_configuration_does_not() -> None:
    told = run_json(
        f"forecast examples/three-card-prime.toml {SHORT} --json --seats 1 --wager ante-play=25 --wager all-seven=1 "
        "--seed 5000 --rate 20% --reserve-rate all-seven=0.03 --cap 90000 --grid"
    )
    (jackpot,) = told["jackpots"]

    assert told["stakes"] == {"ante-play": "25.00", "all-seven": "1.00"}
    assert jackpot["meter"] == {
        "type": "progressive",
        "wager": "1.00",
        "opens_at": "25000.00",
        "seed": "5000.00",
        "rate": "1/5",
        "reserve_rate": "3/100",
        "cap": "90000.00",
        "assumed": [],
    }
    assert [(row["seed"], row["rate"]) for row in jackpot["grid"]] == [
        (seed, rate) for seed in ("2500.00", "5000.00", "10000.00") for rate in ("1/10", "1/5", "3/10")
    ]


def test_the_grid_is_a_table_of_seeds_and_rates() -> None:
    text = printed(f"forecast three-card-prime --seats 5 --grid {SHORT}")

    assert "under other seeds and rates, in the long run" in text
    assert text.count("25.95%") == 3
    assert text.count("$20,000.00") == 3


def test_pictures_are_drawn_as_asked_and_are_the_same_again(tmp_path: Path) -> None:
    names = [tmp_path / f"chart.{form}" for form in ("svg", "pdf", "png")]
    command = f"forecast three-card-prime --seats 5 {SHORT} " + " ".join(f"-o {name}" for name in names)
    printed(command)
    first = [name.read_bytes() for name in names]
    printed(command)

    assert [content[:4] for content in first[1:]] == [b"%PDF", b"\x89PNG"]
    assert b"<svg" in first[0]
    assert [name.read_bytes() for name in names] == first


def test_all_that_was_typed_wrongly_comes_in_one_message(tmp_path: Path) -> None:
    result = run(
        "forecast three-card-prime --seats 9 --rounds-per-hour 0 --wager ante-play --wager prime=x --rate much "
        f"--seed all-seven=5 --key 12 -o {tmp_path}/chart.gif -o {tmp_path}/none/chart.svg --strategy lucky"
    )
    told = one_line(result.output)

    assert result.exit_code == 2
    for words in (
        "'ante-play' must be NAME=DOLLARS",
        "'x' isn't an amount of money",
        "'much' is no part of a wager",
        "a key is exactly 64",
        "'lucky' is no file that can be read",
        "chart.gif must end in one of .svg, .pdf, .png",
        "there is no folder",
        "rounds_per_hour: 0 must be a whole number from 1 to 1,000",
        "seats: 9 must be from 1 to 7",
        "jackpot all-seven: is no jackpot of this table",
    ):
        assert words in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("typed", "says", "code"),
    [
        ("poker", "'poker' is no file and no game; there are: three-card-prime", 2),
        ("missing.toml", "cannot read missing.toml", 2),
        ("examples/broken.toml", "21 problems", 1),
        ("three-card-prime --shift-hours 7", "7 must divide the 16 hours of a day", 2),
        ("three-card-prime --rate 0.173 --rate 0.2", "final-four is stated twice", 2),
        ("three-card-prime --wager prime=5 --wager prime=6", "prime is stated twice", 2),
        ("examples/three-card-double-play.toml --rate 0.2", "say which jackpot", 2),
        ("three-card-prime --rooms 0", "Invalid value for '--rooms'", 2),
    ],
)
def test_what_cannot_be_forecast_says_why(typed: str, says: str, code: int) -> None:
    result = run(f"forecast {typed}")

    assert says in one_line(result.output)
    assert result.exit_code == code


def test_ctrl_c_prints_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    every = running.run_blocks

    def run_blocks(*given: Any, **said: Any) -> Any:
        yield next(iter(every(*given, **said)))
        raise KeyboardInterrupt

    monkeypatch.setattr(forecast_rounds, "run_blocks", run_blocks)
    result = run(f"forecast three-card-prime --seats 2 --days 20 --runs 9 --key {KEY} --json")

    assert result.exit_code == 130
    told = json.loads(result.stdout)
    assert told["simulated"]["interrupted"]
    assert told["simulated"]["runs"] == 65_536 // (20 * 640) == 5
    assert "stopped: 5 of 9 runs were simulated" in result.stderr
