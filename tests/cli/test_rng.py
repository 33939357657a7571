"""`pitboss rng`: a test lab collects words and shoes, tries them, and a supervisor opens a lock."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from pitboss.cards import Deck, KeyStream, cards_text, shuffled
from pitboss.randomness import Failure, FileLock
from tests.cli.running import GAMES, one_line, run

KEY = "00112233445566778899aabbccddeeff" * 2
FAILURE = Failure("repetition count", "the word 0x00000000 came 3 times in a row", "2026-11-16T04:00:00+00:00")


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("length", [1, 3, 64, 65_537, 200_001])
def test_r_07_raw_words_are_written_to_the_byte(length: int, tmp_path: Path) -> None:
    file = tmp_path / "raw"
    result = run(f"rng raw --bytes {length} --key {KEY} --block 5 -o {file}")
    assert result.exit_code == 0, result.output
    stream = KeyStream(bytes.fromhex(KEY), 5)
    words = b"".join(stream.word().to_bytes(4, "little") for _ in range(-(-length // 4)))
    assert words[:length] == file.read_bytes()
    assert result.stdout == ""
    assert f"sha256: {sha256(words[:length])}" in result.stderr
    assert "key: " not in result.stderr


def test_r_07_raw_words_go_to_standard_output_alone() -> None:
    result = run(f"rng raw --bytes 128 --key {KEY} -o -")
    stream = KeyStream(bytes.fromhex(KEY))
    assert b"".join(stream.word().to_bytes(4, "little") for _ in range(32)) == result.stdout_bytes
    assert sha256(result.stdout_bytes) in result.stderr


@pytest.mark.parametrize("game", GAMES)
def test_r_07_shoes_are_a_line_each_and_replayed_from_the_key(game: str, tmp_path: Path) -> None:
    file = tmp_path / "shoes"
    told = run(f"rng deal --game {game} --rounds 3 --key {KEY} --block 9 -o {file} --json")
    about = json.loads(told.stdout)
    deck = Deck(decks=6) if "six" in about["deck"] else Deck(joker="joker" in about["deck"])
    shoes = [shuffled(deck.cards, KeyStream(bytes.fromhex(KEY), block)) for block in (9, 10, 11)]
    assert "".join(f"{cards_text(shoe)}\n" for shoe in shoes) == file.read_text(encoding="ascii")
    assert about == {
        "kind": "deal",
        "game": game,
        "deck": deck.words,
        "rounds": 3,
        "first_block": 9,
        "output": str(file),
        "bytes": file.stat().st_size,
        "sha256": sha256(file.read_bytes()),
    }


def test_r_07_shoes_as_bytes_are_a_byte_a_card_in_as_many_decks_as_asked(tmp_path: Path) -> None:
    file = tmp_path / "shoes"
    run(f"rng deal --game super-three-card --decks 8 --rounds 600 --format bytes --key {KEY} -o {file}")
    last = shuffled(Deck(decks=8).cards, KeyStream(bytes.fromhex(KEY), 600))
    assert len(file.read_bytes()) == 600 * 416
    assert bytes(last) == file.read_bytes()[-416:]


@pytest.mark.parametrize("command", ["raw --bytes 64", "deal --game three-card-prime --rounds 2"])
def test_r_04_without_a_key_a_fresh_one_is_drawn_and_told_and_deals_the_same_again(
    command: str, tmp_path: Path
) -> None:
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    key = json.loads(run(f"rng {command} -o {first} --json").stdout)["key"]
    run(f"rng {command} -o {second}")
    run(f"rng {command} --key {key} -o {third}")
    assert first.read_bytes() != second.read_bytes()
    assert first.read_bytes() == third.read_bytes()


REFUSED = [
    ("raw --bytes 0 --key xyz --block -1 -o {file}", ("--key: a key is exactly", "--bytes 0", "--block -1")),
    ("raw --bytes 274877906945 -o {file}", ("from 1 to 274877906944",)),
    (
        "deal --game super-three-card --decks 7 --rounds 0 --key 00 -o {file}",
        ("--key: ", "--rounds 0", "--decks 7: Super Three Card has 6 or 8"),
    ),
    ("deal --game deuces-wild --decks 2 -o {file}", ("--decks 2: Deuces Wild has no choice of decks",)),
    ("deal --game poker -o {file}", ("poker",)),
    (
        "deal --game deuces-wild --rounds 2 --block 79228162514264337593543950335 -o {file}",
        ("every round takes a block",),
    ),
    ("report --rounds 5 --bytes 5 --key 1 --no-programs", ("--key: ", "5 rounds are too few", "5 bytes are too few")),
    ("raw -o {file}/in/it", ("No such file or directory",)),
]


@pytest.mark.parametrize(("typed", "says"), REFUSED, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_typed_wrongly_is_named_all_at_once_and_nothing_is_written(
    typed: str, says: tuple[str, ...], tmp_path: Path
) -> None:
    result = run("rng " + typed.format(file=tmp_path / "file"))
    assert result.exit_code == 2
    assert all(piece in one_line(result.output) for piece in says), result.output
    assert not (tmp_path / "file").exists()


def test_r_06_a_collector_stops_at_a_failed_health_test(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("pitboss.randomness.health.shuffled", lambda cards, _stream: tuple(cards))
    result = run(f"rng deal --game three-card-prime -o {tmp_path / 'shoes'}")
    assert result.exit_code == 1
    assert "not to be used (R-06)" in one_line(result.output)


SMALL = "--rounds 10000 --bytes 4194304 --no-programs"


def test_r_01_a_report_says_what_it_rests_on_and_its_verdict() -> None:
    result = run(f"rng report --key {KEY} {SMALL}")
    shown = one_line(result.output)
    assert result.exit_code == 0, result.output
    assert f"key SHA-256 {sha256(bytes.fromhex(KEY))}" in shown
    assert KEY not in shown
    for piece in ("block 0, 4,194,304 bytes", "10,000 rounds of blocks 1 to 10,000", "99%", "Holm", "PASSED"):
        assert piece in shown


def test_r_01_a_report_on_a_fresh_key_tells_it() -> None:
    told = json.loads(run(f"rng report {SMALL} --json").stdout)
    assert sha256(bytes.fromhex(told["key"])) == told["key_sha256"]
    assert told["confidence"] == 0.99


def test_r_01_a_report_that_fails_ends_with_1_and_names_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.randomness.report.raw_bytes", lambda _key, _block, length: iter([bytes(length)]))
    result = run(f"rng report --key {KEY} {SMALL}")
    assert result.exit_code == 1
    assert "FAILED: 9 tests of ours" in one_line(result.output)
    assert "FAILS" in next(line for line in result.output.splitlines() if line.startswith("frequency by place"))


@pytest.mark.parametrize("broken", ["pitboss.randomness.health.shuffled", "pitboss.randomness.live.shuffled"])
def test_r_06_where_what_is_dealt_live_is_wrong_no_report_is_made(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broken, lambda cards, _stream: tuple(cards))
    result = run(f"rng report --key {KEY} {SMALL}")
    assert result.exit_code == 1
    assert "No report is made." in result.output


def test_r_06_the_lock_is_shown_and_opened_by_a_person(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PITBOSS_STATE_DIR", str(tmp_path))
    assert run("rng health").exit_code == 0
    FileLock(tmp_path).close(FAILURE)
    locked = run("rng health --json")
    assert locked.exit_code == 1
    assert json.loads(locked.stdout) == {"known_answers": "right", "locked": str(FAILURE)}
    nameless = run("rng reset --by '' --reason 'memory replaced'")
    assert nameless.exit_code == 2
    assert "say who opens it" in one_line(nameless.output)
    opened = run("rng reset --by 'Ada Byron' --reason 'memory replaced'")
    assert opened.exit_code == 0
    assert "Ada Byron opened it: memory replaced" in one_line(opened.output)
    assert "not locked" in run("rng health").output


def test_r_06_the_lock_stays_closed_while_the_known_answers_fail(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PITBOSS_STATE_DIR", str(tmp_path))
    FileLock(tmp_path).close(FAILURE)
    monkeypatch.setattr("pitboss.randomness.health.shuffled", lambda cards, _stream: tuple(cards))
    result = run("rng reset --by Ada --reason hope")
    assert result.exit_code == 1
    assert "stays locked" in one_line(result.output)
    assert FAILURE == FileLock(tmp_path).failure()
    assert run("rng health").exit_code == 1
