"""`pitboss games`, `rules`, `paytables`, and what help and a mistyped command say."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli.app import SECTIONS
from pitboss.cli.output import console
from tests.cli.running import GAMES, one_line, run, run_json

TRANSCRIPTION = Path(__file__).parents[1] / "transcription" / "paytables.json"
COMMANDS = ("games", "rules", "paytables", "settle", "check", "config", "play")

# Prints, after each `pitboss ... --help`, its exit code and the modules of ours or of weight that it has loaded.
HELP = """
import contextlib, io, json, sys
from pitboss.cli.main import app
for arguments in json.loads(sys.argv[1]):
    text = io.StringIO()
    try:
        with contextlib.redirect_stdout(text):
            app([*arguments, "--help"])
    except SystemExit as end:
        code = end.code
    heavy = ("pitboss.", "rich.table", "rich.console", "numba", "numpy", "cryptography")
    loaded = sorted(name for name in sys.modules if name.startswith(heavy) and not name.startswith("pitboss.cli"))
    print(json.dumps([code, loaded, text.getvalue()]))
"""


def transcribed() -> list[dict[str, Any]]:
    tables: list[dict[str, Any]] = json.loads(TRANSCRIPTION.read_text(encoding="utf-8"))
    return tables


def test_help_starts_nothing_heavy_and_each_command_has_an_example() -> None:
    asked = json.dumps([[], *([command] for command in COMMANDS)])
    started = [sys.executable, "-c", HELP, asked]
    result = subprocess.run(started, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603 - our own command
    answers = [json.loads(line) for line in result.stdout.splitlines()]

    assert 1 + len(COMMANDS) == len(answers)
    for code, loaded, text in answers:
        assert 0 == code
        assert [] == loaded
        assert text.startswith("Usage: ")
    assert all(f"\n  {command} " in answers[0][2] for command in COMMANDS)
    for command, (_, _, text) in zip(COMMANDS, answers[1:], strict=True):
        assert f"Example: pitboss {command}" in one_line(text)


def test_help_lists_every_command_in_a_section_with_its_whole_summary() -> None:
    shown = run("--help").stdout

    assert [title for title in SECTIONS if f"\n{title}:\n" not in shown] == []
    assert "More:" not in shown
    assert "..." not in shown.partition("Options:")[2]
    assert "…" not in shown


def test_the_version_is_printed() -> None:
    assert run("--version").stdout == f"pitboss {version('pitboss')}\n"


def test_help_as_people_start_it() -> None:
    started = [sys.executable, "-X", "importtime", "-c", "from pitboss.cli.main import main; main()", "--help"]
    result = subprocess.run(started, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603 - our own command
    imported = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}

    assert "pitboss.cli.main" in imported
    assert not [
        name for name in imported if name.startswith(("pitboss.games", "pitboss.table", "rich.table", "numba", "numpy"))
    ]


@pytest.mark.parametrize(
    "typed",
    ["frobnicate", "games --jsn", "rules", "check", "settle --paytables", "rules nope", "config nope", "play nope"],
)
def test_a_command_typed_wrongly_ends_with_2(typed: str) -> None:
    result = run(typed)

    assert 2 == result.exit_code
    assert result.stderr


def test_the_games_are_the_five_with_their_wagers() -> None:
    games = run_json("games --json")

    assert list(GAMES) == [game["name"] for game in games]
    assert ["three-card-prime", "2015-09-25", [1], False] == [
        games[0][key] for key in ("name", "approved", "decks", "joker")
    ]
    assert ([1], True) == (games[1]["decks"], games[1]["joker"])
    assert [6, 8] == games[2]["decks"]
    assert {
        "three-card-prime": ["ante-play", "prime", "pair-bonus", "all-six", "final-four*", "all-seven*"],
        "deuces-wild": ["ante-play-raise", "three-card-treasure", "five-card-fortune", "bonus-jackpot*"],
        "super-three-card": ["ante-odds-play", "big-hand-bonus", "twenty-one-plus-three*", "twenty-one-plus-three-b*"],
        "four-card-prime": ["ante-raise", "aces-baby", "prime", "five-card-jackpot*", "four-card-jackpot*"],
        "three-card-double-play": ["high-low", "pick-3", "pick-5", "super-3s*", "super-six*"],
    } == {game["name"]: [wager["name"] + "*" * wager["jackpot"] for wager in game["wagers"]] for game in games}
    assert {
        "play_when_not_qualified",
        "bad_beat_flush_or_lower",
        "fortune_after_raise",
        "envy_trigger",
        "pick3_basis",
    } == {switch for game in games for switch in game["switches"]}


def test_the_games_as_a_table_say_the_same() -> None:
    words = one_line(run("games").stdout)

    assert all(game in words for game in GAMES)
    assert "6 or 8 decks" in words
    assert "one 53-card deck with a joker" in words
    assert "final-four*" in words


def test_every_cell_is_the_one_of_the_second_transcription() -> None:
    tables = {table["id"]: table for table in run_json("paytables --json")}
    expected = transcribed()

    assert 122 == len(expected)
    assert {table["id"] for table in expected} == tables.keys()
    for table in expected:
        found = tables[table["id"]]
        assert {key: table[key] for key in ("game", "wager", "odds", "rows")} == {
            key: found[key] for key in ("game", "wager", "odds", "rows")
        }
        assert found["source"]["document"] == table["source"]["document"]
        assert found["source"]["place"].endswith(f"Appendix {table['source']['appendix']}")


@pytest.mark.parametrize("game", GAMES)
def test_the_pay_tables_of_a_game_on_paper_hold_every_cell(game: str) -> None:
    words = one_line(run(f"paytables --game {game}").stdout)
    tables = [table for table in transcribed() if table["game"] == game]

    assert f"{len(tables)} pay tables" in words
    for table in tables:
        assert table["id"] in words
        for row in table["rows"]:
            assert row["event"] in words
            assert row["printed"] in words


def test_the_pay_tables_of_one_wager() -> None:
    assert ["PRW-1", "PRW-2"] == [
        table["id"] for table in run_json("paytables --game three-card-prime --wager prime --json")
    ]
    assert {"three-card-prime", "four-card-prime"} == {
        table["game"] for table in run_json("paytables --wager prime --json")
    }

    result = run("paytables --game deuces-wild --wager prime")

    assert 2 == result.exit_code
    assert "no pay tables of wager 'prime': expected one of ante-play-raise, bonus-jackpot" in one_line(result.stderr)


@pytest.mark.parametrize("game", GAMES)
def test_rules_tell_wagers_stages_readings_and_rulings(game: str) -> None:
    told = run_json(f"rules {game} --json")
    words = one_line(run(f"rules {game}").stdout)

    assert all(wager["name"] in words for wager in told["wagers"])
    assert all(f"{number}. {one_line(stage['words'])}" in words for number, stage in enumerate(told["stages"], start=1))
    assert all(stage["clause"] for stage in told["stages"])
    for switch, readings in told["switches"].items():
        assert f"Disputed: {switch}" in words
        assert all(reading in words for reading in readings)
        assert 1 == words.count("(default)") / len(told["switches"])
    own = [ruling["id"] for ruling in told["rulings"] if not ruling["id"].startswith("G-")]
    assert own
    assert all(ruling in words for ruling in own)
    assert 19 <= len(told["rulings"]) - len(own)


def test_the_rules_of_a_game_are_paragraphs_that_the_terminal_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen at 80 columns: lines broken for 120 were broken once more in their middle."""
    monkeypatch.setattr(console, "_width", 80)
    lines = run("rules three-card-prime").stdout.splitlines()
    start, end = lines.index("One deck of 52 cards. Make three cards that beat the dealer's three."), len(lines)
    paragraph = lines[start + 2 : lines.index("", start + 2, end)]
    assert all(len(line) <= 80 for line in lines)
    assert all(len(line) > 60 for line in paragraph[:-1]), paragraph
