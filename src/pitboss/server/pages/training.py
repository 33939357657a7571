"""Training of dealers: sets of exercises on the room's own tables, a table test, and results by person in the books."""

import base64
import secrets
import time
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import RedirectResponse

from pitboss.books import ROOM
from pitboss.games import find_game
from pitboss.learn.exercises import Recipe, chips_of, of_jackpots
from pitboss.learn.training import (
    ImaginedRoom,
    TrainingRun,
    TrainingRuns,
    done_at,
    training_problems,
    training_table,
)
from pitboss.room.configurations import configuration_at, configuration_by_hash
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room, room_zone, tables_of
from pitboss.room.settings import today_of
from pitboss.room.training import TABLE_TEST, TRAINING, RecordTraining, TrainingResult
from pitboss.rules import MoneyError, parse_dollars
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.console import ConsolePlace, act_at, console_base, show_call, show_console
from pitboss.server.pages.forms import Form, allow_commands, text_of, with_id
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.training import (
    TITLES,
    console_exercise,
    exercise_view,
    record_view,
    result_view,
    summary_view,
)
from pitboss.server.worker.learning import CatalogueJob, RecordPdfJob
from pitboss.server.worker.pool import awaited_figure, figure_of
from pitboss.table import Configuration
from pitboss.tabulator import TABLES, Press

router = APIRouter(include_in_schema=False)
Trainee = Annotated[Caller, allow_commands(RecordTraining)]
Looks = Annotated[Caller, allow(*dict.fromkeys((*RecordTraining.spec.roles, *READERS)))]
Number = Annotated[int, Path(ge=1, le=2**53)]
_HOME, _RUN = "/training", "/training/run"
_SUPERVISES = frozenset({"supervisor", "manager", *READERS})


def _runs(request: Request) -> TrainingRuns:
    runs: TrainingRuns = request.app.state.training
    return runs


def _tables(room: Room) -> dict[str, Configuration]:
    found = {table: configuration_at(room.state, table) for table in tables_of(room.state)}
    return {table: configuration for table, configuration in found.items() if configuration is not None}


def _results(room: Room, caller: Caller) -> list[TrainingResult]:
    """Return one's own results, and those of everybody to who supervises, the newest first."""
    results = room.state.of(TRAINING)
    names = list(results) if caller.roles & _SUPERVISES else [caller.name]
    return sorted((result for name in names for result in results.get(name, ())), key=lambda each: -each.sequence)[:200]


@router.get(_HOME)
def home_page(request: Request, caller: Looks, room: CurrentRoom) -> Response:
    """Show what can be trained at each table, and results."""
    run = _runs(request).find(caller.name)
    context = {
        "tables": [
            (table, find_game(made.game).title, _kinds(room, caller, table)) for table, made in _tables(room).items()
        ],
        "results": [result_view(result, room_zone(room.state)) for result in _results(room, caller)],
        "run": run if run is not None and not run.is_over else None,
        "may_train": caller.may(RecordTraining),
        "test": TABLE_TEST,
    }
    return render(request, "training/home.html", context)


def _kinds(room: Room, caller: Caller, table: str) -> dict[str, str]:
    """Return what somebody can train at a table, with titles; the console for those who deal where there is one."""
    has_console = caller.may(Press) and not caller.is_elsewhere(table) and not training_problems(room.state, table)
    return {kind: title for kind, title in TITLES.items() if kind != "jackpot" or has_console}


def _settings(room: Room) -> Any:
    calendar = room.state.of(ROOM)
    assert calendar is not None
    return calendar.settings_on(today_of(calendar, room.clock()))


def _begin(request: Request, caller: Caller, room: Room, table: str, kind: str) -> TrainingRun:
    configuration = _tables(room).get(table)
    if configuration is None or kind not in _kinds(room, caller, table):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"Nothing can be trained at table {table!r}."])
    found = awaited_figure(request, room, CatalogueJob(configuration=configuration.canonical))
    catalogue = tuple((mark, Recipe(*recipe)) for mark, *recipe in found["marks"])
    settings = _settings(room)
    of_test = {
        "length": settings.test_hands,
        "seconds": 60 * settings.test_minutes,
        "pass_percent": settings.test_percent,
    }
    on_console = kind == "jackpot"
    if on_console and not of_jackpots(configuration, catalogue):
        raise ProblemError(HTTPStatus.CONFLICT, [f"No jackpot prize comes up at table {table}."])
    run = TrainingRun(
        room=training_table(room.state, room.clock, table, caller.name) if on_console else None,
        table=table,
        configuration=configuration,
        kind=kind,
        seed=secrets.token_hex(8),
        catalogue=catalogue,
        shown_at=time.monotonic(),
        **(of_test if kind == TABLE_TEST else {}),
    )
    _runs(request).keep(caller.name, run)
    return run


@router.post("/training/begin")
def begin(request: Request, caller: Trainee, room: CurrentRoom, form: Form) -> Response:
    """Start a set of exercises, replacing a running one."""
    table, kind = text_of(form.get("table")), text_of(form.get("kind"))
    configuration = _tables(room).get(table)
    if configuration is not None:
        figure = figure_of(request, CatalogueJob(configuration=configuration.canonical))
        if figure.status == "computing":
            return render(request, "training/wait.html", {"table": table, "kind": kind})
    _begin(request, caller, room, table, kind)
    return RedirectResponse(_RUN, HTTPStatus.SEE_OTHER)


@router.get(_RUN)
def run_page(request: Request, caller: Trainee) -> Response:
    """Show the exercise that is on, or its marking."""
    run = _runs(request).find(caller.name)
    if run is None:
        return RedirectResponse(_HOME, HTTPStatus.SEE_OTHER)
    if run.room is not None and not run.is_marked:
        return RedirectResponse(_training_base(run.table), HTTPStatus.SEE_OTHER)
    view = exercise_view(run, find_game(run.configuration.game))
    context = {
        "view": view,
        "table": run.table,
        "summary": summary_view(run) if run.is_over else (),
        "parts": ("card",),
    }
    return render(request, "training/run.html", {**context, "body_theme": "pit"})


def _training_base(table: str) -> str:
    return f"/training{console_base(table)}"


def _training_console(request: Request, caller: Caller, table: str) -> tuple[TrainingRun, ImaginedRoom, ConsolePlace]:
    """Return the training table of somebody, with what lies on it now."""
    run = _runs(request).find(caller.name)
    if run is None or run.room is None or run.table != table:
        raise ProblemError(HTTPStatus.NOT_FOUND, ["This training has ended. Begin again under Training."])
    phase = run.room.state.of(TABLES).tables[table].phase
    exercise = console_exercise(run, find_game(run.configuration.game), phase)
    return run, run.room, ConsolePlace(table, _training_base(table), exercise=exercise)


@router.get("/training/tables/{table}/console")
def training_console(request: Request, table: str, caller: Trainee) -> Response:
    """Show the console of a training table: the console's own page."""
    run, imagined, place = _training_console(request, caller, table)
    if run.is_marked:
        return RedirectResponse(_RUN, HTTPStatus.SEE_OTHER)
    return show_console(request, imagined, caller, place)


@router.get("/training/tables/{table}/console/call")
def training_call(request: Request, table: str, caller: Trainee) -> Response:
    """Show the form for the cards of a hand at a training table."""
    _, imagined, place = _training_console(request, caller, table)
    return show_call(request, imagined, caller, place, request.query_params)


@router.post("/training/tables/{table}/console/{do}")
def act_in_training(request: Request, table: str, do: str, caller: Trainee, form: Form) -> Response:
    """Do what a trainee does at the console, in memory; the press that ends the round marks it."""
    run, imagined, place = _training_console(request, caller, table)
    if run.is_marked:
        return RedirectResponse(_RUN, HTTPStatus.SEE_OTHER)
    before = imagined.state
    answer = act_at(request, imagined, caller, place, do, form)
    phases = [state.of(TABLES).tables[table].phase for state in (before, imagined.state)]
    if phases == ["tabulated", "open"]:
        _runs(request).keep(caller.name, run.answer(done_at(before, table), time.monotonic()))
        return RedirectResponse(_RUN, HTTPStatus.SEE_OTHER)
    return answer


def _answers(run: TrainingRun, form: Form) -> dict[str, Any]:
    exercise = run.exercise
    if exercise.kind != "pay":
        name = "next" if exercise.kind == "procedure" else "mistake"
        return {name: text_of(form.get(name))}
    answers: dict[str, Any] = {}
    for chip in chips_of(exercise.played):
        action = text_of(form.get(f"do:{chip.name}"))
        if action == "take":
            answers[chip.name] = 0
        elif action == "push":
            answers[chip.name] = chip.staked_cents
        elif action == "pay":
            try:
                answers[chip.name] = parse_dollars(text_of(form.get(f"pay:{chip.name}")).removeprefix("$"))
            except MoneyError:
                answers[chip.name] = None
    return answers


@router.post("/training/answer")
def answer_exercise(request: Request, caller: Trainee, form: Form) -> Response:
    """Mark the answers of the exercise."""
    run = _runs(request).find(caller.name)
    if run is not None and text_of(form.get("number")) == str(run.number):
        _runs(request).keep(caller.name, run.answer(_answers(run, form), time.monotonic()))
    return RedirectResponse(_RUN, HTTPStatus.SEE_OTHER)


@router.post("/training/next")
def next_exercise(request: Request, caller: Trainee, room: CurrentRoom) -> Response:
    """Go on to the next exercise; after the last one the result is booked."""
    run = _runs(request).find(caller.name)
    if run is None:
        return RedirectResponse(_HOME, HTTPStatus.SEE_OTHER)
    if not run.is_over:
        _runs(request).keep(caller.name, run.go_on(time.monotonic()))
        return RedirectResponse(_RUN, HTTPStatus.SEE_OTHER)
    record = RecordTraining(**run.fields())
    room.do(record, caller.by(RecordTraining.spec.roles), id=f"{with_id('training')[:9]}{run.seed}")
    _runs(request).keep(caller.name, None)
    return RedirectResponse(_HOME, HTTPStatus.SEE_OTHER)


@router.get("/training/record/{sequence}/pdf")
def record_pdf(request: Request, sequence: Number, caller: Looks, room: CurrentRoom) -> Response:
    """Print the record of a table test."""
    result = next((each for each in _results(room, caller) if each.sequence == sequence), None)
    configuration = None if result is None else configuration_by_hash(room.state, result.done.configuration)
    if result is None or configuration is None or result.done.exercise != TABLE_TEST:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"Entry {sequence} is no table test."])
    view = record_view(result, configuration, room_zone(room.state), room.name, find_game(configuration.game))
    job = RecordPdfJob(configuration=configuration.canonical, room=room.name, table=result.table, view=dict(view))
    content = base64.b64decode(awaited_figure(request, room, job)["pdf"])
    headers = {"content-disposition": f'inline; filename="table-test-{sequence}.pdf"'}
    return Response(content, media_type="application/pdf", headers=headers)
