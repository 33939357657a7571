"""The product and the naive twin settle the same random rounds to the same cents, and both refuse spoiled ones."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from random import Random
from typing import Any

import pytest

from pitboss.table.records import RefusedRecordError, settle_line, settle_record
from tests.twin.generate import SPOILS, random_round, spoil
from tests.twin.twin import settle

GAMES = ("three-card-prime", "deuces-wild", "super-three-card", "four-card-prime", "three-card-double-play")
ROUNDS = 150
ROUNDS_PROVED = 20_000
SPOILED = 150
SPOILED_PROVED = 20_000
POOL = 200

# What the twin says nothing about.
_PRODUCT_ONLY = ("because", "paytable")


def settled_by_product(record: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = json.loads(settle_line(json.dumps(record)))
    for seat in out.get("seats", []):
        for wager in seat["wagers"].values():
            for key in _PRODUCT_ONLY:
                wager.pop(key, None)
    return out


def compare(game: str, seed: int, rounds: int) -> None:
    """Settle rounds both ways; a difference names the seed's round as a record to paste."""
    rng = Random(f"{game} {seed}")
    for number in range(rounds):
        record = random_round(rng, game)
        expected = settle(record)

        assert expected == settled_by_product(record), f"round {number} of seed {seed}: {json.dumps(record)}"


def is_refused(record: dict[str, Any]) -> bool:
    try:
        settle_record(record)
    except RefusedRecordError as error:
        return bool(error.problems)
    return False


def is_harmless(record: dict[str, Any], way: str) -> bool:
    """What the twin calls spoiled and the product may take."""
    if way == "not-a-card":
        # The product's notation reads both ways of writing a ten.
        return '"10' in json.dumps(record)
    if way == "card-too-few" and record["game"] == "deuces-wild":
        # Step 21, DW-10: the fourth community card is dealt for those who play on or have a Fortune wager; else never.
        return len(record["community"]) == 3
    if way in ("operator-set-wrong-kind", "envy-amount-wrong"):
        # G-24: a bare number in a "for 1" cell is a multiple of the wager.
        return any(f'"{number}"' in json.dumps(record) for number in ("5000", "500000", "500,000"))
    return False


def refuse(game: str, seed: int, rounds: int) -> None:
    rng = Random(f"spoiled {game} {seed}")
    for number in range(rounds):
        spoiled, way = spoil(rng, random_round(rng, game))

        assert is_refused(spoiled) or is_harmless(spoiled, way), (
            f"{way}, round {number} of seed {seed}: {json.dumps(spoiled)}"
        )


@pytest.mark.parametrize("game", GAMES)
def test_random_rounds_settle_to_the_same_cents_as_the_twin(game: str) -> None:
    compare(game, seed=1, rounds=ROUNDS)


@pytest.mark.parametrize("game", GAMES)
def test_spoiled_rounds_are_refused(game: str) -> None:
    refuse(game, seed=1, rounds=SPOILED)


@cache
def pool(game: str) -> tuple[dict[str, Any], ...]:
    """Rounds made once, among which every way to spoil one finds something to spoil."""
    rng = Random(f"pool {game}")
    return tuple(random_round(rng, game) for _ in range(POOL))


@pytest.mark.parametrize("way", sorted(SPOILS))
def test_every_way_to_spoil_a_round_is_refused(way: str) -> None:
    """Each way is tried on a few rounds of every game it applies to."""
    rng = Random(way)
    tried = 0
    for game in GAMES:
        for record in rng.sample(pool(game), POOL):
            try:
                spoiled, _ = spoil(rng, record, way)
            except LookupError:
                continue
            tried += 1
            assert is_refused(spoiled) or is_harmless(spoiled, way), json.dumps(spoiled)
            if tried % 3 == 0:
                break

    assert tried > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_random_rounds_settle_to_the_same_cents_as_the_twin(game: str) -> None:
    compare(game, seed=2, rounds=ROUNDS_PROVED)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_spoiled_rounds_are_refused(game: str) -> None:
    refuse(game, seed=2, rounds=SPOILED_PROVED)


WITHOUT_A_DAY = 60
SETTLED_BEFORE = {
    "three-card-prime": ("551b3e361296d3eb", "b78428e0c74154f1"),
    "deuces-wild": ("b958eb65a828f25d", "fa1bcbd548d94fad"),
    "super-three-card": ("877fade9b096e9d7", "ea80b836c4b1de65"),
    "four-card-prime": ("901ba65ebaa4f4d2", "0eebb27f470bb7ee"),
    "three-card-double-play": ("e71ac0a73434a959", "3256eee0021d9aee"),
}
"""Digests of rounds that state no day, and of their cents as the tree before issue 16 settled them."""


def digest_of(values: list[Any]) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


@pytest.mark.parametrize("game", GAMES)
def test_shown_by_rounds_without_a_day_are_settled_as_before_issue_16(game: str) -> None:
    """A dated ruling binds where a day is known: what a record without one came to before, it comes to now."""
    rng = Random(f"{game} without a day")
    records = [random_round(rng, game) for _ in range(WITHOUT_A_DAY)]
    for record in records:
        for field in ("on", "profile"):
            record.pop(field, None)
    settled = [settled_by_product(record) for record in records]
    assert SETTLED_BEFORE[game] == (digest_of(records), digest_of(settled))
