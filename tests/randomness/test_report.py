"""The report from end to end: the same for the same key, over what the collectors write, and able to fail."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import numpy
import pytest

from pitboss.games import all_games
from pitboss.odds.store import default_store
from pitboss.randomness import battery, report
from pitboss.randomness.battery import BYTES_MIN, Shoes, deal_shoes
from pitboss.randomness.live import dealt_shoes, raw_bytes
from pitboss.randomness.report import RandomnessReport, RandomnessRequest, ReportError, make_report, steps_of

KEY = bytes(range(32))
SMALL = RandomnessRequest(key=KEY, block=3, rounds=10_000, length=BYTES_MIN, programs=False)


def made(asked: RandomnessRequest = SMALL) -> RandomnessReport:
    return make_report(asked, store=default_store())


@cache
def small() -> RandomnessReport:
    return made()


def sha256(pieces: Iterator[bytes]) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def test_r_01_a_report_on_a_good_key_passes_and_tries_every_game() -> None:
    found = small()
    assert found.passed
    assert found.failing == frozenset()
    tried = {trial.of.split()[0] for trial in found.trials if trial.test == "hand frequency"}
    assert {game.name for game in all_games()} == tried
    assert {game for dealt in found.decks for game in dealt.games} == tried


def test_r_02_the_battery_has_these_tests() -> None:
    assert {trial.test for trial in small().trials} == {
        "frequency",
        "frequency by place",
        "serial",
        "serial by place",
        "runs",
        "gap",
        "permutation",
        "card by position",
        "neighbor pairs",
        "fixed points",
        "carried over",
        "hand frequency",
        "repeated streams",
    }


def test_r_10_cards_by_position_have_all_degrees_of_every_deck() -> None:
    by_deck = {trial.of: trial.degrees for trial in small().trials if trial.test == "card by position"}
    assert by_deck == {"one 52-card deck": 2601, "one 53-card deck with a joker": 2704, "six 52-card decks": 311**2}


def test_r_07_a_report_is_over_the_bytes_that_the_collectors_write() -> None:
    found = small()
    assert sha256(raw_bytes(KEY, 3, BYTES_MIN)) == found.raw_sha256
    one_deck = found.decks[0]
    assert sha256(dealt_shoes(KEY, 4, 10_000, one_deck.deck, as_bytes=True)) == one_deck.sha256


def test_r_07_a_report_tells_what_it_was_computed_from() -> None:
    told = small().as_json(show_key=False)
    assert json.loads(json.dumps(told)) == told
    assert told["key"] is None
    assert hashlib.sha256(KEY).hexdigest() == told["key_sha256"]
    assert told["raw"]["bytes"] == BYTES_MIN
    assert told["raw"]["block"] == 3
    assert told["rounds"] == {"first_block": 4, "rounds": 10_000}
    assert {"pitboss", "python", "cryptography", "numpy", "numba", "source"} == set(told["versions"])
    assert KEY.hex() == small().as_json(show_key=True)["key"]


def test_the_same_key_gives_the_same_report_on_any_number_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 5)
    again = made()
    assert again.trials == small().trials
    assert again.decks == small().decks


def test_another_key_gives_another_report_and_passes_too() -> None:
    other = made(replace(SMALL, key=bytes(32)))
    assert other.passed
    assert all(mine.sha256 != theirs.sha256 for mine, theirs in zip(other.decks, small().decks, strict=True))


def test_done_is_told_of_every_round() -> None:
    told: list[tuple[str, int]] = []
    make_report(SMALL, store=default_store(), done=lambda what, rounds: told.append((what, rounds)))
    assert sum(rounds for _, rounds in told) == steps_of(SMALL) == 30_000
    assert "six 52-card decks" in {what for what, _ in told}


def test_r_01_a_broken_stream_fails_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "raw_bytes", lambda _key, _block, length: iter([bytes(range(256)) * (length // 256)]))
    found = made()
    assert not found.passed
    assert {"serial", "permutation"} <= {found.trials[place].test for place in found.failing}
    assert not found.as_json(show_key=False)["passed"]


def broken(change: Callable[[Shoes], None]) -> Callable[..., Shoes]:
    def deal(key: bytes, first: int, rounds: int, size: int) -> Shoes:
        shoes = deal_shoes(key, first, rounds, size)
        # Single rounds are those compared with the live door.
        if rounds > 1:
            change(shoes)
        return shoes

    return deal


def turn_round(shoes: Shoes) -> None:
    """The first two places are exchanged wherever the first is the larger."""
    first, second = shoes.orders[:, 0].copy(), shoes.orders[:, 1].copy()
    shoes.orders[:, 0], shoes.orders[:, 1] = numpy.minimum(first, second), numpy.maximum(first, second)


def repeat_openings(shoes: Shoes) -> None:
    shoes.openings[5] = shoes.openings[6]


@pytest.mark.parametrize(
    ("change", "test"),
    [(turn_round, "card by position"), (repeat_openings, "repeated streams")],
    ids=["order", "opening"],
)
def test_r_01_broken_shoes_fail_the_report(
    change: Callable[[Shoes], None], test: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(battery, "deal_shoes", broken(change))
    found = made()
    assert not found.passed
    assert test in {found.trials[place].test for place in found.failing}


def test_r_07_a_report_that_does_not_count_what_is_dealt_live_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        battery, "deal_shoes", lambda _key, first, rounds, size: deal_shoes(bytes(32), first, rounds, size)
    )
    with pytest.raises(ReportError, match="block 4: the shoe that was counted is not the one dealt live"):
        made()


def test_all_that_is_wrong_with_what_was_asked_is_said_at_once() -> None:
    asked = RandomnessRequest(key=KEY, block=2**96 - 5, rounds=10, length=7)
    with pytest.raises(ValueError, match=r"10 rounds are too few: 10,000 .*; 7 bytes are too few: .*; block 7922"):
        make_report(asked, store=None)
