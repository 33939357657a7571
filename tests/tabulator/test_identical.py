"""The rules of play are identical whatever the equipment: the same rounds are settled alike under every model (E-09).

Rounds are played at a table of each model that the game may use and counted as that model counts; then they are settled
under a configuration with that equipment, with the jackpot wagers that were counted.
"""

from __future__ import annotations

import datetime
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss.cards import Deck
from pitboss.games import all_games, find_game
from pitboss.rules import FinishedRound, FinishedSeat, Game, Settlement, Settler
from pitboss.table.configuration import Configuration, JackpotSettings, WagerSettings
from pitboss.tabulator import models
from tests.books.making import Room
from tests.jackpot.making import TCP, make_bonus
from tests.tabulator.making import FINAL_FOUR, PRIME, Floor, floor, make_setup

GAME = find_game(TCP)
MODELS = [name for name in models() if name in (*GAME.approval.equipment, "none")]
DAY = datetime.date(2026, 11, 16)
MAIN, MAIN_TABLE, PRIME_TABLE = "ante-play", "PW/BB-1", "PRW-1"


def configuration(model: str) -> Configuration:
    return Configuration(
        game=TCP,
        on=DAY,
        seats=7,
        equipment=None if model == "none" else model,
        wagers={
            MAIN: WagerSettings(paytables=(MAIN_TABLE,), minimum_cents=500, maximum_cents=100_00),
            PRIME: WagerSettings(paytables=(PRIME_TABLE,), minimum_cents=500, maximum_cents=100_00),
        },
        jackpot_type="bonus",
        jackpots={FINAL_FOUR: JackpotSettings(paytables=("F4P-1",), meter_cents=100_00)},
    )


@pytest.mark.parametrize("game", all_games(), ids=lambda game: str(game.name))
def test_e_09_what_a_settlement_depends_on_does_not_know_the_equipment(game: Game) -> None:
    """The terms of a configuration are the same values, with one hash, under every model."""
    wagers = {game.main.name: WagerSettings(paytables=(), minimum_cents=500, maximum_cents=100_00)}
    under = [
        Configuration(game=game.name, on=DAY, seats=6, equipment=model, wagers=wagers).terms_spec
        for model in (None, *game.approval.equipment)
    ]
    assert all(each == under[0] for each in under)


def counted_under(at: Floor, model: str, played: Sequence[frozenset[int]]) -> list[tuple[int, ...]]:
    """Count rounds as a model counts them; give the seats of each that the journal has."""
    if models()[model].counts == "batches":
        rounds = [[at.clock.now + number, [[seat, 1] for seat in sorted(seats)]] for number, seats in enumerate(played)]
        at.clock.add(60)
        assert at.send(at.message("batch", rounds=rounds))["status"] == "counted"
        return [at.four.setup.counted([(seat, 1) for seat in seats])[FINAL_FOUR] for seats in played]
    for seats in played:
        if models()[model].counts == "at-once":
            at.round(*sorted(seats))
        else:
            at.enter({FINAL_FOUR: sorted(seats)})
            at.enter()
    return [each.counted[FINAL_FOUR] for each in at.four.rounds]


def settled(model: str, seats: Sequence[int], seed: int, shown: int) -> Settlement:
    """Settle a round of random cards in which these seats have the jackpot wager, under a model."""
    cards = list(Deck().cards)
    random.Random(seed).shuffle(cards)
    finished = []
    for seat in range(1, 8):
        hand = tuple(cards[seat * 4 : seat * 4 + 4])
        wagers = {MAIN: 500, PRIME: 500} | ({FINAL_FOUR: 100} if seat in seats else {})
        finished.append(FinishedSeat(seat, wagers, hand, GAME.choices({"play": seat % 2}, hand)))
    return Settler(GAME, configuration(model).terms).settle(
        FinishedRound(tuple(cards[:3]), tuple(finished)), {FINAL_FOUR: shown}
    )


def assert_identical(played: list[frozenset[int]], seed: int, template: Room, folder: Path) -> None:
    found: dict[str, Any] = {}
    for model in MODELS:
        room = Room(shutil.copytree(template.path, folder / model), "sqlite")
        with floor(room, make_setup(model), jackpots=[make_bonus()]) as at:
            counted = counted_under(at, model, played)
            shown = at.jackpots.displayed_cents("daily")
            lines = [settled(model, seats, seed + number, shown).lines for number, seats in enumerate(counted)]
            found[model] = (counted, at.wagers("daily"), at.shown("daily"), at.four.counts, at.four.counter, lines)
            assert at.is_sound()
        shutil.rmtree(room.path)
    assert [set(seats) for seats in found[MODELS[0]][0]] == [set(seats) for seats in played]
    assert all(each == found[MODELS[0]] for each in found.values())


rounds = st.lists(st.frozensets(st.integers(1, 7)), min_size=1, max_size=3)
_quiet = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=3, deadline=None, suppress_health_check=_quiet)
@given(played=rounds, seed=st.integers(0, 2**32))
def test_e_09_the_same_rounds_come_to_the_same_whatever_the_equipment(
    played: list[frozenset[int]], seed: int, sqlite_template: Room, quick_path: Path
) -> None:
    assert_identical(played, seed, sqlite_template, quick_path)


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=_quiet)
@given(played=rounds, seed=st.integers(0, 2**32))
def test_e_09_many_rounds_come_to_the_same_whatever_the_equipment(
    played: list[frozenset[int]], seed: int, sqlite_template: Room, quick_path: Path
) -> None:
    assert_identical(played, seed, sqlite_template, quick_path)
