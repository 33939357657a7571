"""`pitboss settle --rounds FILE`: a round a line in, an answer a line out, and the exit code says whether any was refused."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli.running import GAMES, one_line, run, run_json
from tests.twin.generate import random_round, spoil
from tests.twin.twin import settle

PITBOSS = (sys.executable, "-c", "from pitboss.cli.main import main; main()")


def records(count: int, seed: int = 1) -> list[dict[str, Any]]:
    rng = Random(seed)
    return [random_round(rng, GAMES[number % len(GAMES)]) for number in range(count)]


def text_of(rounds: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in rounds)


def written(tmp_path: Path, content: str | bytes) -> Path:
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def pitboss(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    started = [*PITBOSS, *arguments]
    return subprocess.run(started, input=stdin, capture_output=True, check=False, timeout=120)  # noqa: S603 - our own command


def answers(stdout: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stdout.splitlines()]


def test_each_line_is_settled_as_the_twin_settles_it(tmp_path: Path) -> None:
    rounds = records(50)
    result = run(f"settle --rounds {written(tmp_path, text_of(rounds))}")
    found = answers(result.stdout)
    for answer in found:
        for seat in answer["seats"]:
            for line in seat["wagers"].values():
                del line["because"]

    assert 0 == result.exit_code
    assert [settle(record) for record in rounds] == found


def test_two_workers_and_standard_input_give_the_same_bytes_as_one(tmp_path: Path) -> None:
    # A few small rounds over and over: more than one batch, so that both workers have something to do.
    rng = Random(7)
    rounds = [record for record in records(60, seed=7) if len(record["seats"]) == 1][:10]
    rounds.append(spoil(rng, rounds[0])[0])
    content = text_of(rounds * 190)
    file = written(tmp_path, content)
    one, two, piped = (
        pitboss("settle", "--rounds", str(file)),
        pitboss("settle", "--rounds", str(file), "--workers", "2"),
        pitboss("settle", "--rounds", "-", stdin=content.encode()),
    )

    assert 190 * len(rounds) == one.stdout.count(b"\n")
    assert one.stdout == two.stdout == piped.stdout
    assert 1 == one.returncode == two.returncode == piped.returncode
    assert b"" == one.stderr == two.stderr == piped.stderr


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("{", " {", 1),
    ],
    ids=["Windows line ends", "no line end after the last round", "indented"],
)
def test_how_lines_end_does_not_matter(spoilt: Any, tmp_path: Path) -> None:
    text = text_of(records(5))
    plain = run(f"settle --rounds {written(tmp_path, text)}")
    other = run(f"settle --rounds {written(tmp_path, spoilt(text))}")

    assert 0 == other.exit_code
    assert plain.stdout == other.stdout


def test_a_byte_order_mark_does_not_matter(tmp_path: Path) -> None:
    text = text_of(records(3))
    plain = run(f"settle --rounds {written(tmp_path, text)}")
    marked = run(f"settle --rounds {written(tmp_path, text.encode('utf-8-sig'))}")

    assert plain.stdout == marked.stdout
    assert 0 == marked.exit_code


def test_blank_lines_are_no_rounds(tmp_path: Path) -> None:
    text = text_of(records(2))
    first, second = text.splitlines()
    result = run(f"settle --rounds {written(tmp_path, f'{first}{chr(10)}{chr(10)}{second}{chr(10)}{chr(10)}')}")

    assert 0 == result.exit_code
    assert 2 == len(answers(result.stdout))


def test_an_empty_file_has_no_rounds_and_nothing_wrong(tmp_path: Path) -> None:
    result = run(f"settle --rounds {written(tmp_path, '')}")

    assert (0, "") == (result.exit_code, result.stdout)


@pytest.mark.parametrize("name", ["missing.jsonl", "."], ids=["missing", "a folder"])
def test_a_file_that_cannot_be_read_is_a_command_typed_wrongly(name: str, tmp_path: Path) -> None:
    result = run(f"settle --rounds {tmp_path / name}")

    assert 2 == result.exit_code
    assert "cannot read" in one_line(result.stderr)
    assert not result.stdout


def test_illegal_rounds_have_their_problems_on_their_lines_and_the_exit_code_says_so(tmp_path: Path) -> None:
    rng = Random(3)
    rounds = [spoil(rng, record)[0] for record in records(20, seed=3)]
    result = run(f"settle --rounds {written(tmp_path, text_of(rounds))}")
    found = answers(result.stdout)

    assert 1 == result.exit_code
    assert 20 == len(found)
    assert all(["error"] == list(answer) and answer["error"] for answer in found)


def test_one_illegal_round_does_not_stop_the_rest(tmp_path: Path) -> None:
    good = text_of(records(2)).splitlines()
    lines = [
        good[0],
        "rubbish",
        "[1]",
        "null",
        "{}",
        '{"game": "baccarat"}',
        '{"game": "deuces-wild", "game": "deuces-wild"}',
        good[1],
    ]
    result = run(f"settle --rounds {written(tmp_path, chr(10).join(lines))}")
    found = answers(result.stdout)

    assert 1 == result.exit_code
    assert ["seats", "error", "error", "error", "error", "error", "error", "seats"] == [
        next(iter(answer)) for answer in found
    ]
    assert "not a JSON object" in found[1]["error"][0]
    assert "must be a JSON object" in found[2]["error"][0]
    assert "unknown game 'baccarat': expected one of three-card-prime" in found[5]["error"][0]
    assert "the key 'game' stands twice" in found[6]["error"][0]


def test_a_file_and_a_typed_round_come_to_the_same_json(tmp_path: Path) -> None:
    record = {
        "game": "three-card-prime",
        "paytables": {"ante-play": ["PW/BB-1"]},
        "dealer": ["Td", "9h", "8c"],
        "seats": [
            {"seat": 1, "cards": ["9s", "8s", "7d", "Kc"], "wagers": {"ante-play": 500}, "decisions": {"play": True}}
        ],
    }
    typed = run_json(
        "settle three-card-prime --dealer 'Td 9h 8c' --seat '9s 8s 7d Kc | ante-play=5 | play' --paytable PW/BB-1 --json"
    )
    # The record of a round, as the format has it, does not name the pay table that paid.
    assert "PW/BB-1" == typed["seats"][0]["wagers"]["ante-play"].pop("paytable")

    assert [typed] == answers(run(f"settle --rounds {written(tmp_path, text_of([record]))}").stdout)


def test_a_typed_round_beside_a_file_is_refused(tmp_path: Path) -> None:
    result = run(f"settle three-card-prime --dealer 'Td 9h 8c' --rounds {written(tmp_path, text_of(records(1)))}")

    assert 2 == result.exit_code


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise there")
def test_a_reader_who_has_seen_enough_ends_the_command_quietly(tmp_path: Path) -> None:
    # Three hundred kilobytes: more than a pipe holds.
    started = [*PITBOSS, "settle", "--rounds", str(written(tmp_path, text_of(records(60))))]
    with subprocess.Popen(started, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603 - our own command
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        problems = process.stderr.read()

    assert b"" == problems
    assert -signal.SIGPIPE == process.returncode
