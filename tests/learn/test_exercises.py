"""Issue 20, Training: exercises for every row and clause, made from the definition, and marked by the settlement."""

from __future__ import annotations

import datetime
import json
from functools import cache
from typing import Any

import pytest

from pitboss.games import all_games, find_game
from pitboss.learn.exercises import (
    Catalogue,
    Recipe,
    chips_of,
    exercise_round,
    lines_of,
    make_catalogue,
    make_exercise,
    mark_exercise,
    marks_of,
    row_marks,
)
from pitboss.learn.training import TrainingRun, by_mark, marked_again
from pitboss.rules import Game
from pitboss.table import Configuration, Round, default_configuration

DAY = datetime.date(2026, 11, 18)
GAMES = all_games()
QUICK = "super-three-card"


@cache
def table(name: str) -> Configuration:
    return default_configuration(find_game(name), DAY)


@cache
def catalogue(name: str) -> Catalogue:
    return make_catalogue(table(name), 24)


def run_of(kind: str, **fields: Any) -> TrainingRun:
    marks = tuple(sorted(catalogue(QUICK).items()))
    return TrainingRun(table="1", configuration=table(QUICK), kind=kind, seed="abc", catalogue=marks, **fields)


@pytest.mark.parametrize("game", [pytest.param(game, marks=() if game.name == QUICK else pytest.mark.slow) for game in GAMES], ids=lambda game: game.name)  # fmt: skip
def test_every_row_of_every_pay_table_and_every_clause_met_has_an_exercise(game: Game) -> None:
    """Every row of the room's tables is met by cards; and every clause that any of these rounds settles by."""
    rows, found = row_marks(table(game.name)), catalogue(game.name)
    assert rows
    assert rows <= set(found), sorted(rows - set(found))
    clauses = {mark for mark in found if ": row " not in mark}
    assert {mark.partition(":")[0] for mark in clauses} == set(table(game.name).offered)
    for mark, recipe in list(found.items())[:12]:
        played = exercise_round(table(game.name), recipe)
        assert played is not None
        assert any(mark in marks_of(line) for _, line in lines_of(played)), mark


def test_a_round_of_an_exercise_replays_to_the_same_bytes_by_checked_operations() -> None:
    played = exercise_round(table(QUICK), Recipe(3, 5))
    assert played is not None
    assert Round.from_text(played.to_text()) == played


def test_take_and_pay_is_marked_by_the_settlement_with_the_clause_and_what_a_mispay_costs() -> None:
    exercise = make_exercise(table(QUICK), sorted(catalogue(QUICK).items()), "pay", "seed", 1)
    right = {chip.name: chip.paid_cents for chip in chips_of(exercise.played)}
    assert all(answer.is_right and not answer.cost_cents for answer in mark_exercise(exercise, right))
    name = next(iter(right))
    wrong = mark_exercise(exercise, {**right, name: right[name] + 300})
    assert [answer.name for answer in wrong if not answer.is_right] == [name]
    assert wrong[0].cost_cents == 300
    assert wrong[0].because[0][1].startswith("STC")
    assert not any(answer.is_right for answer in mark_exercise(exercise, {}))


def test_a_mistake_is_one_chip_paid_otherwise_than_settled_or_none() -> None:
    marks, kinds = sorted(catalogue(QUICK).items()), set()
    for number in range(60):
        exercise = make_exercise(table(QUICK), marks, "mistake", "seed", number)
        chips = {chip.name: chip for chip in chips_of(exercise.played)}
        kinds.add(exercise.wrong is None)
        name = "" if exercise.wrong is None else exercise.wrong[0]
        if exercise.wrong is not None:
            assert exercise.wrong[1] != chips[name].paid_cents
        assert mark_exercise(exercise, {"mistake": name})[0].is_right
        assert not mark_exercise(exercise, {"mistake": "nothing"})[0].is_right
    assert kinds == {True, False}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_comes_next_is_the_stage_of_the_game_among_others(game: Game) -> None:
    recipe = Recipe(0, 1)
    for number in range(6):
        exercise = make_exercise(table(game.name), [("any", recipe)], "procedure", "seed", number)
        right = game.stages[exercise.stage]
        assert right.words in exercise.options
        assert 2 <= len(exercise.options) <= 4
        [answer] = mark_exercise(exercise, {"next": right.words})
        assert answer.is_right
        assert answer.because == ((right.words, right.clause.id),)


def test_a_run_counts_marks_and_is_marked_again_from_its_seed_and_answers() -> None:
    run = run_of("test", length=3, seconds=600, pass_percent=60)
    for number in range(3):
        right = {chip.name: chip.paid_cents for chip in chips_of(run.exercise.played)}
        answers = right if number < 2 else dict.fromkeys(right, 1)
        run = run.answer(answers, run.shown_at + 20).answer({}, 0).go_on(run.shown_at)
    assert run.is_over
    fields = run.fields()
    assert (fields["exercises"], fields["seconds"], fields["seed"]) == (3, 60, "abc")
    assert 0 < fields["right"] < fields["asked"]
    again = marked_again(run_of("test", length=3, seconds=600, pass_percent=60), json.loads(fields["answers"]))
    assert again.fields()["right"] == fields["right"]
    assert sum(done for _, done, _, _ in by_mark(run.results)) == 3


def test_a_table_test_ends_with_its_time_and_what_was_not_reached_is_wrong() -> None:
    run = run_of("test", length=5, seconds=30, pass_percent=60)
    right = {chip.name: chip.paid_cents for chip in chips_of(run.exercise.played)}
    over = run.answer(right, run.shown_at + 31)
    assert over.is_over
    assert over.fields()["asked"] == len(right) + 4
