"""The command `simulate`: rounds again by their key, JSON beside the table, pictures, and one message for bad input."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import Result

from tests.cli.running import run as run_line

KEY = "00" * 32


def run(*typed: str) -> Result:
    return run_line(shlex.join(typed))


def test_the_same_key_gives_the_same_report_with_any_workers() -> None:
    typed = ["simulate", "three-card-prime", "--rounds", "70000", "--seats", "2", "--key", KEY]
    first, again = (run(*typed, "--workers", workers) for workers in ("1", "3"))
    assert first.exit_code == 0
    assert first.stdout == again.stdout
    assert "70,000 rounds, 2 seats, strategy optimal" in first.stdout
    assert f"key {KEY}" in first.stdout
    told = json.loads(run(*typed, "--json").stdout)
    assert told["rounds"] == 70_000
    assert told["key"] == KEY
    names = ["ante-play", "prime", "pair-bonus", "all-six", "final-four", "all-seven"]
    assert names == [each["wager"] for each in told["wagers"]]
    main = told["wagers"][0]
    assert main["exact"] == "-226743/7830200"
    assert main["placed"] == 140_000
    assert sum(event["count"] for event in main["events"]) == 70_000
    assert told["won_cents"] == sum(each["staked_cents"] - each["paid_cents"] for each in told["wagers"])


def test_a_strategy_file_is_what_strategy_prints(tmp_path: Path) -> None:
    file = tmp_path / "lines.json"
    file.write_text(run("strategy", "three-card-prime", "--json").stdout)
    typed = ["simulate", "three-card-prime", "--rounds", "20000", "--wager", "ante-play=5", "--key", KEY, "--json"]
    simple, own = (json.loads(run(*typed, "--strategy", each).stdout) for each in ("simple", str(file)))
    assert simple["wagers"] == own["wagers"]
    assert simple["wagers"][0]["exact"] == "-2947689/101792600"


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_is_drawn_with_the_same_bytes_every_time(tmp_path: Path, ending: str) -> None:
    drawn = []
    for name in ("one", "two"):
        file = tmp_path / f"{name}.{ending}"
        typed = ("--rounds", "5000", "--wager", "ante-play=5", "--key", KEY, "-o", str(file))
        assert run("simulate", "three-card-prime", *typed).exit_code == 0
        drawn.append(file.read_bytes())
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) > 5000


def test_a_configuration_states_terms_seats_and_least_wagers(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(run("config", "three-card-prime").stdout)
    told = json.loads(run("simulate", "three-card-prime", "--config", str(file), "--rounds", "1000", "--json").stdout)
    assert told["seats"] > 1
    assert told["wagers"][0]["staked_cents"] >= 1000 * told["seats"] * 500


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (["--key", "abc"], "64 hexadecimal digits"),
        (["--rounds", "0"], "rounds is 0"),
        (["--workers", "0"], "at least one"),
        (["--wager", "treasure=5"], "has no wager 'treasure'"),
        (["--wager", "prime=5"], "must place Ante and Play"),
        (["--wager", "ante-play=x"], "isn't an amount of money"),
        (["--seats", "99"], "99 must be from 1"),
        (["--strategy", "no-such-file"], "cannot read no-such-file"),
        (["-o", "picture.bmp"], ".svg, .png or .pdf"),
        (["--scheduler", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_is_one_message_and_nothing_is_printed(typed: list[str], words: str) -> None:
    got = run("simulate", "three-card-prime", "--rounds", "1000", *typed)
    assert got.exit_code == 2
    assert words in " ".join(got.stderr.split())
    assert got.stdout == ""


def test_a_broken_strategy_file_names_all_that_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "lines.json"
    lines = [{"words": "a good hand", "decision": "play"}, {"words": "Q-6-4 or better", "decision": "call"}]
    file.write_text(json.dumps({"decisions": [{"question": "Play or fold?", "lines": lines}]}))
    got = run("simulate", "three-card-prime", "--rounds", "1000", "--strategy", str(file))
    assert got.exit_code == 2
    said = " ".join(got.stderr.split())
    for words in ("'a good hand' is nothing", "'call' is no answer", "the last line must be 'otherwise'"):
        assert words in said


def test_g_4_jackpots_pay_their_percentages_from_meters_that_grow_and_are_reseeded() -> None:
    typed = ["simulate", "three-card-prime", "--rounds", "300000", "--seats", "6", "--key", KEY]
    told = json.loads(run(*typed, "--meter", "final-four=5000", "--json").stdout)
    found = {each["wager"]: each for each in told["jackpots"]}
    four = found["final-four"]
    assert four["opened_cents"] == four["reseed_cents"] == 500_000
    rows = {row["event"]: row for wager in told["wagers"] if wager["wager"] == "final-four" for row in wager["events"]}
    assert four["hits"] > 0
    assert set(four["winners"]) <= {event for event, row in rows.items() if row["pays"].endswith("of the meter")}
    assert four["from_fund_cents"] == sum(each["paid_cents"] for each in four["winners"].values())
    assert found["all-seven"]["opened_cents"] == 1_000_000
    said = run(*typed).stdout
    assert "final-four: a progressive meter, opened and reseeded at $10,000.00, 17.3000% to the display" in said


def test_a_meter_of_what_is_no_jackpot_is_refused() -> None:
    got = run("simulate", "three-card-prime", "--meter", "prime=100")
    assert got.exit_code == 2
    assert "no jackpot 'prime'" in got.stderr
