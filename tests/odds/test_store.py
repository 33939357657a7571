"""What is kept on disk: found again exactly, never when damaged, made by other sources, or counted by other code."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import pytest

from pitboss.games import all_games, find_game
from pitboss.odds import store as store_module
from pitboss.odds.context import NumbaContext, count
from pitboss.odds.results import OddsResult, result_from_json
from pitboss.odds.solving import solve, solve_terms, stated_terms
from pitboss.odds.store import OddsStore
from pitboss.rules.counting import Counts


def refuse() -> Any:
    raise AssertionError("made again though it was kept")


@pytest.fixture
def store(tmp_path: Path) -> OddsStore:
    return OddsStore(tmp_path)


@pytest.fixture
def result() -> OddsResult:
    return solve("three-card-prime", "prime", ["PRW-1"])


def the_file(store: OddsStore, kind: str) -> Path:
    (file,) = (store.folder / kind).rglob("*.*")
    return file


def same(first: Counts, second: Counts) -> bool:
    pairs = zip(first.levels, second.levels, strict=True)
    alike = all(getattr(first, name) == getattr(second, name) for name in ("wager", "total", "method", "basis"))
    return alike and all(
        (ours.decisions, ours.branches) == (theirs.decisions, theirs.branches)
        and all(
            (a is None) == (b is None) and (a is None or (a.dtype == b.dtype and numpy.array_equal(a, b)))
            for a, b in (
                (getattr(ours, name), getattr(theirs, name))
                for name in ("weights", "counts", "groups", "codes", "parents", "allowed")
            )
        )
        for ours, theirs in pairs
    )


def test_a_kept_result_is_found_again_and_equals_what_was_made(store: OddsStore, result: OddsResult) -> None:
    assert store.result("key", lambda: result) == result
    assert store.result("key", refuse) == result
    with pytest.raises(AssertionError, match="made again"):
        store.result("another key", refuse)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_result_is_read_back_from_its_json_whole(game: Any) -> None:
    wager = game.jackpots[0]
    terms, open_events = stated_terms(game, {wager.name: [wager.slots[0].ids[-1]]})
    made = solve_terms(game, wager, terms, open_events=open_events)
    assert result_from_json(made.as_json()) == made


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"{}\n{}"])
def test_a_damaged_result_counts_as_absent(store: OddsStore, result: OddsResult, damage: bytes) -> None:
    store.result("key", lambda: replace(result, method="kept"))
    the_file(store, "results").write_bytes(damage)
    assert store.result("key", lambda: result).method == result.method
    assert store.result("key", refuse) == result


def test_a_result_with_one_digit_changed_counts_as_absent(store: OddsStore, result: OddsResult) -> None:
    store.result("key", lambda: result)
    file = the_file(store, "results")
    file.write_text(file.read_text().replace('"basis": "alone"', '"basis": "alonf"'))
    assert store.result("key", lambda: result) == result


@pytest.mark.parametrize(
    ("game", "wager", "readings"),
    [
        ("three-card-prime", "ante-play", ()),
        ("deuces-wild", "ante-play-raise", ()),
        ("three-card-double-play", "pick-3", (1,)),
        ("four-card-prime", "aces-baby", ()),
    ],
)
def test_kept_counts_are_found_again_array_by_array(
    store: OddsStore, game: str, wager: str, readings: tuple[int, ...]
) -> None:
    made = count(find_game(game), wager, NumbaContext(ranks=6, readings=readings))
    assert same(store.counts("key", lambda: made), made)
    assert same(store.counts("key", refuse), made)


def test_damaged_counts_count_as_absent(store: OddsStore) -> None:
    made = count(find_game("three-card-prime"), "ante-play", NumbaContext(ranks=6))
    store.counts("key", lambda: made)
    file = the_file(store, "counts")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0xFF
    file.write_bytes(content)
    assert same(store.counts("key", lambda: made), made)
    file.write_bytes(file.read_bytes()[:100])
    assert same(store.counts("key", lambda: made), made)


def test_what_other_sources_kept_is_not_found(
    store: OddsStore, result: OddsResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.result("key", lambda: result)
    monkeypatch.setattr(store_module, "source_hash", lambda: "other")
    with pytest.raises(AssertionError, match="made again"):
        store.result("key", refuse)


def test_a_folder_that_cannot_be_written_costs_no_answer(tmp_path: Path, result: OddsResult) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("")
    assert OddsStore(blocked).result("key", lambda: result) == result


def test_folders_unused_for_a_month_are_removed(store: OddsStore, result: OddsResult) -> None:
    for name, age in (("old", 40 * 86400), ("young", 86400)):
        folder = store.folder / "results" / name
        folder.mkdir(parents=True)
        then = folder.stat().st_mtime - age
        os.utime(folder, (then, then))
    store.result("key", lambda: result)
    assert {"old", "young"} & {folder.name for folder in (store.folder / "results").iterdir()} == {"young"}


def test_the_solver_keeps_and_finds_results_and_counts(store: OddsStore) -> None:
    first = solve("four-card-prime", "aces-baby", ["AB-1"], store=store)
    assert solve("four-card-prime", "aces-baby", ["AB-1"], store=store) == first
    assert solve("four-card-prime", "aces-baby", ["AB-1"]) == first
    assert len(list((store.folder / "results").rglob("*.json"))) == 1
    assert solve("four-card-prime", "aces-baby", ["AB-2"], store=store) != first
