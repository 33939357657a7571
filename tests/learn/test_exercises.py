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
    Exercise,
    Kind,
    Recipe,
    case_marks,
    chips_of,
    exercise_round,
    lines_of,
    make_catalogue,
    make_exercise,
    mark_exercise,
    round_marks,
    row_marks,
)
from pitboss.learn.training import TrainingRun, by_mark, marked_again
from pitboss.rules import Game
from pitboss.rules.wagers import pay_array
from pitboss.table import Configuration, Round, VoidReason, default_configuration

DAY = datetime.date(2026, 11, 18)
GAMES = all_games()
QUICK = "three-card-prime"


@cache
def table(name: str) -> Configuration:
    return default_configuration(find_game(name), DAY)


@cache
def catalogue(name: str) -> Catalogue:
    return make_catalogue(table(name), 24)


def run_of(kind: str, **fields: Any) -> TrainingRun:
    marks = tuple(sorted(catalogue(QUICK).items()))
    return TrainingRun(table="1", configuration=table(QUICK), kind=kind, seed="abc", catalogue=marks, **fields)


def movers(configuration: Configuration) -> set[str]:
    """Every clause by which a wager of a table can move a chip: the settlement of every facts code there is."""
    game = find_game(configuration.game)
    outcomes = {name: pay_array(game.by_name[name], configuration.terms).outcomes for name in configuration.offered}
    marks = {f"{name}: {why.clause.id}" for name, every in outcomes.items() for each in every for why in each.reasons}
    envy = {name: rule for name in configuration.offered if (rule := game.by_name[name].envy) is not None}
    return marks | {f"{name}: {rule.clause.id}" for name, rule in envy.items()}


@pytest.mark.parametrize("game", [pytest.param(game, marks=() if game.name == QUICK else pytest.mark.slow) for game in GAMES], ids=lambda game: game.name)  # fmt: skip
def test_every_row_every_clause_that_moves_a_chip_and_every_odd_case_has_an_exercise(game: Game) -> None:
    """Rows by the pay tables, clauses by the settlement of all facts, odd cases by the table: each is met by cards."""
    configuration, entries = table(game.name), catalogue(game.name)
    rows, clauses, cases = row_marks(configuration), movers(configuration), case_marks(configuration)
    assert rows <= set(entries), sorted(rows - set(entries))
    assert clauses <= set(entries), sorted(clauses - set(entries))
    odd = set().union(*cases.values()) - set(entries)
    # Five wild cards win the whole meter, and there are five: nobody shares it.
    assert odd == ({"Shared percentage"} if game.name == "deuces-wild" else set())
    assert len(cases["void"]) == len(VoidReason)
    assert ("foul" in cases) == (game.name == "three-card-double-play")
    for mark, recipe in list(entries.items())[:12]:
        played = exercise_round(configuration, recipe)
        assert played is not None
        assert mark in round_marks(played, recipe.case), mark


def exercise_of(name: str, mark: str, kind: Kind = "pay") -> Exercise:
    return make_exercise(table(name), [(mark, catalogue(name)[mark])], kind, "seed", 1)


def test_a_void_round_hands_everything_back_and_its_procedure_says_so() -> None:
    exercise = exercise_of(QUICK, "Void: exposed card")
    assert exercise.note == "The floor voids the round: exposed card."
    assert {chip.action for chip in chips_of(exercise.played)} == {"push"}
    asked = exercise_of(QUICK, "Void: exposed card", "procedure")
    words, ruling = asked.next_step
    assert words == "Round void (exposed card): every wager is returned"
    assert words in asked.options
    assert mark_exercise(asked, {"next": words})[0].is_right
    assert ruling == "G-11"


def test_one_person_has_two_seats_and_a_percentage_is_shared_by_two_players() -> None:
    both = exercise_of(QUICK, "One person on two seats").played.state.all_seats
    assert [seat.person for seat in both] == ["A", "A"]
    shared = exercise_of(QUICK, "Shared percentage").played
    assert any("shared by seats 1, 2" in why.words for _, line in lines_of(shared) for why in line.reasons)


def test_an_envy_prize_is_handed_back_with_the_first_chip_of_its_wager() -> None:
    four = table("four-card-prime")
    rounds = (exercise_round(four, Recipe(top, number, "players")) for number in (1, 2) for top in range(20))
    played = next(each for each in rounds if each is not None and any(line.envy_cents for _, line in lines_of(each)))
    assert {seat.person for seat in played.state.all_seats} == {None}
    chips = {(seat, line.wager): 0 for seat, line in lines_of(played)}
    for chip in chips_of(played):
        chips[chip.seat, chip.wager] += chip.paid_cents
    assert chips == {(seat, line.wager): line.paid_cents for seat, line in lines_of(played)}


def test_a_foul_hand_lies_the_wrong_way_round_and_is_settled_turned() -> None:
    exercise = make_exercise(table("three-card-double-play"), [("Foul hand", Recipe(0, 1, "foul"))], "pay", "seed", 1)
    [seat] = exercise.played.state.all_seats
    laid = exercise.decided(seat)["high"]
    assert set(laid) | set(seat.decisions["high"]) == set(seat.cards)
    [first, *_] = mark_exercise(exercise, {})
    assert first.because[0][1] == "TDP-7"


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
    assert wrong[0].because[0][1].startswith("TCP")
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
