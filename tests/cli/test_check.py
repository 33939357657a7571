"""`pitboss config` prints a table that may open; `pitboss check` says what a table is, or everything that is wrong with it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.running import GAMES, one_line, run

BROKEN = """\
game = "three-card-prime"
on = 2024-01-15
profile = "wa-commercial"
dealt = "hand"
seats = 13
smallest_chip = "1.00"
colour = "green"

[wagers.ante-play]
paytables = ["PW/BB-2"]
minimum = "50.00"
maximum = "500.00"

[wagers.prime]
paytables = ["PRW-2"]
minimum = "1.00"
maximum = "25.00"

[wagers.pair-bonus]
paytables = ["PB-1"]
minimum = "30.00"
maximum = "25.00"

[wagers.sidekick]
paytables = ["X-1"]

[jackpots]
type = "both"

[jackpots.final-four]
paytables = ["F4P-1"]
wager = "2.00"

[jackpots.all-seven]
paytables = ["A7P-1"]
wager = "1.00"
meter = "abc"
"""
# Path, line and ruling of what is wrong above, in the order of the lines.
PROBLEMS = (
    ("dealt", 4, None),
    ("seats", 5, "G-16"),
    ("colour", 7, None),
    ("wagers.ante-play.maximum", 12, "G-14"),
    ("wagers.prime.paytables.PRW-2", 15, "G-6"),
    ("wagers.pair-bonus.paytables", 20, None),
    ("wagers.pair-bonus.minimum", 21, None),
    ("wagers.sidekick", 24, None),
    ("jackpots", 27, "G-13"),
    ("jackpots.type", 28, None),
    ("jackpots.final-four.meter", 30, "G-4"),
    ("jackpots.all-seven.meter", 37, "G-3"),
)


def written(tmp_path: Path, text: str | bytes) -> Path:
    file = tmp_path / "table.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def default(game: str, *options: str) -> str:
    result = run(" ".join(["config", game, *options]))

    assert 0 == result.exit_code, result.output
    return result.stdout


@pytest.mark.parametrize("profile", ["wa-commercial", "wa-tribal"])
@pytest.mark.parametrize("game", GAMES)
def test_the_default_table_may_open(game: str, profile: str, tmp_path: Path) -> None:
    file = written(tmp_path, default(game, "--on 2024-01-31", f"--profile {profile}"))
    result = run(f"check {file}")
    as_json = json.loads(run(f"check {file} --json").stdout)

    assert 0 == result.exit_code, result.output
    assert f"may open: {game}, hash {as_json['hash']}" in one_line(result.stdout)
    assert "It is the default table." in result.stdout
    assert ([], []) == (as_json["problems"], as_json["differences"])


def test_what_rests_on_papers_we_do_not_hold_is_noted(tmp_path: Path) -> None:
    for game in ("deuces-wild", "four-card-prime", "three-card-double-play"):
        words = one_line(run(f"check {written(tmp_path, default(game))}").stdout)

        assert re.search(r"(Confirm (it|them) with the Commission|must be confirmed) \(G-15\)", words), words


def test_only_what_differs_from_the_default_is_told(tmp_path: Path) -> None:
    text = (
        default("three-card-prime", "--on 2024-01-31")
        .replace("seats = 7", "seats = 5")
        .replace('"PRW-1"', '{ id = "OUR-1", like = "PRW-1", pays = { "others" = "Push" } }')
    )
    result = run(f"check {written(tmp_path, text)}")
    words = one_line(result.stdout)

    assert 0 == result.exit_code, result.output
    assert "Differs from the default table:" in words
    assert "seats = 5" in words
    assert "wagers.prime.paytables" in words
    assert "ante-play" not in words.partition("largest prize")[0].partition("wager at most")[0]


def test_the_hash_is_of_the_content_not_of_how_it_is_written(tmp_path: Path) -> None:
    text = default("super-three-card", "--on 2024-01-31")
    others = (
        text.replace("\n", "\r\n"),
        "# a note\n" + text,
        text.replace(" = ", "="),
        text.replace("seats = 7", "seats = 6"),
    )

    def content_hash(content: str) -> str:
        return str(json.loads(run(f"check {written(tmp_path, content)} --json").stdout)["hash"])

    first = content_hash(text)

    assert [True, True, True, False] == [first == content_hash(other) for other in others]


def test_every_problem_comes_at_once_with_its_line_and_ruling(tmp_path: Path) -> None:
    file = written(tmp_path, BROKEN)
    result = run(f"check {file} --json")
    found = {(problem["path"], problem["line"], problem["ruling"]) for problem in json.loads(result.stdout)["problems"]}
    message = one_line(run(f"check {file}").stderr)

    assert 1 == result.exit_code
    assert [problem for problem in PROBLEMS if problem not in found] == []
    assert ("readings.bad_beat_flush_or_lower", None, "TCP-4") in found
    assert f"{len(found)} problems" in message
    assert "line 5: seats: 13 seats, but at most 7 (G-16)" in message
    assert "hash" not in json.loads(result.stdout)


def test_a_jackpot_wager_of_two_dollars_is_found_on_its_line(tmp_path: Path) -> None:
    problems = json.loads(run(f"check {written(tmp_path, BROKEN)} --json").stdout)["problems"]

    assert ("jackpots.final-four.wager", 32, "G-7") in [
        (problem["path"], problem["line"], problem["ruling"]) for problem in problems
    ]


def test_tcp_4_opens_only_with_the_reading_stated(tmp_path: Path) -> None:
    text = default("three-card-prime", "--on 2024-01-31").replace("PW/BB-1", "PW/BB-2")

    assert 1 == run(f"check {written(tmp_path, text)}").exit_code
    assert (
        0
        == run(
            f"check {written(tmp_path, text + '[readings]' + chr(10) + 'bad_beat_flush_or_lower = ' + chr(34) + 'loses' + chr(34))}"
        ).exit_code
    )


def test_a_game_before_its_letter_may_not_open(tmp_path: Path) -> None:
    result = run(f"check {written(tmp_path, default('super-three-card').replace('on = 20', 'on = 19'))}")

    assert 1 == result.exit_code
    assert "line 2: on:" in one_line(result.stderr)


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("garbage [", 1, "not TOML"),
        ("", 1, "game: unknown game None: expected one of three-card-prime"),
        ('game = "deuces-wild"\ngame = "deuces-wild"\n', 1, "not TOML: Cannot overwrite a value (at line 2"),
        (b"\xff\xfe\x00", 2, "cannot read"),
    ],
    ids=["no TOML", "empty", "a key twice", "no text"],
)
def test_what_is_no_configuration_is_refused(text: str | bytes, code: int, says: str, tmp_path: Path) -> None:
    result = run(f"check {written(tmp_path, text)}")

    assert code == result.exit_code
    assert says in one_line(result.stderr)


def test_a_byte_order_mark_does_not_matter(tmp_path: Path) -> None:
    assert 0 == run(f"check {written(tmp_path, default('deuces-wild').encode('utf-8-sig'))}").exit_code


@pytest.mark.parametrize("name", ["missing.toml", "."])
def test_a_file_that_cannot_be_read_is_a_command_typed_wrongly(name: str, tmp_path: Path) -> None:
    result = run(f"check {tmp_path / name}")

    assert 2 == result.exit_code
    assert "cannot read" in one_line(result.stderr)


@pytest.mark.parametrize("options", ["--on yesterday", "--profile wa-moon", "--on 2024-02-30"])
def test_a_configuration_is_printed_only_for_a_day_and_a_profile(options: str) -> None:
    result = run(f"config three-card-prime {options}")

    assert 2 == result.exit_code
    assert not result.stdout
    assert result.stderr


@pytest.mark.parametrize("options", ["--profile wa-moon", "--on banana"])
def test_a_check_for_a_day_or_a_room_that_there_is_none_of_ends_as_any_wrong_argument(options: str) -> None:
    """Seen: a wrong --profile was told as a fault in line 4 of the file, and ended with 1."""
    result = run(f"check examples/three-card-prime.toml {options}")
    assert result.exit_code == 2
    assert options.split(maxsplit=1)[0] in result.stderr
    assert not result.stdout
