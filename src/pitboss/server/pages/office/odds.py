"""Odds: of the wagers of a table, its PAR sheet, and forecasts of jackpots, all computed by the worker."""

import base64
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from pitboss.books import LEDGER
from pitboss.jackpot import JACKPOTS
from pitboss.room.configurations import configuration_at
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room
from pitboss.server.auth import CurrentRoom, allow
from pitboss.server.pages.forms import number_of
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.jackpots import jackpot_address
from pitboss.server.views.office.odds import forecast_view, odds_view, offered_at
from pitboss.server.views.table_state import tables_of
from pitboss.server.worker.figures import figure_of
from pitboss.server.worker.jobs import JackpotForecastJob, ParSheetJob

router = APIRouter(include_in_schema=False)
READER = allow(*READERS)
_USUAL = {"rounds_per_hour": 40, "hours_per_day": 16, "days": 30, "runs": 100}
_MOST = {"rounds_per_hour": 1_000, "hours_per_day": 24, "days": 366, "runs": 1_000}
_LABELS = {
    "rounds_per_hour": "Rounds an hour, all linked tables together",
    "hours_per_day": "Hours a day",
    "days": "Days",
    "runs": "Runs",
}


def _plan(request: Request, tables: int) -> tuple[dict[str, int], list[str]]:
    """Read the plan, with the usual number in place of one that cannot be, and a problem for it."""
    plan, problems = {}, []
    for name, usual in _USUAL.items():
        text = request.query_params.get(name, "")
        number = number_of(text)
        if text and not 1 <= number <= _MOST[name]:
            problems.append(f"{_LABELS[name]}: {text!r} must be a whole number from 1 to {_MOST[name]:,}")
            number = 0
        plan[name] = number or (min(usual * max(1, tables), _MOST[name]) if name == "rounds_per_hour" else usual)
    return plan, problems


def _cents(room: Room, name: str) -> int:
    accounts = room.state.of(LEDGER).get(name)
    meter = room.state.of(JACKPOTS).jackpots[name].jackpot.meter
    return meter.seed_cents if accounts is None else accounts.meter_state.displayed_cents


@router.get("/office/odds/{table}", dependencies=[READER])
def odds(request: Request, table: str, room: CurrentRoom) -> Response:
    """Render edge, volatility, hit rate and break-even meter of every wager at a table."""
    state = room.state
    if table not in tables_of(state):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no table {table!r}"])
    configuration = configuration_at(state, table)
    offered = offered_at(state, table, configuration)
    view = odds_view(table, configuration, offered, partial(figure_of, request))
    return render(request, "office/odds/odds.html", {"table": table, "view": view, "waits": view.waits})


@router.get("/office/jackpots/{name}/forecast", dependencies=[READER])
def forecast_page(
    request: Request, name: str, room: CurrentRoom, table: Annotated[str, Query(max_length=60)] = ""
) -> Response:
    """Render what the meter may show in the days to come, from where it stands now."""
    record = room.state.of(JACKPOTS).jackpots.get(name)
    if record is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no jackpot {name!r}"])
    tables = [linked.table for linked in record.jackpot.tables]
    chosen = table if table in tables else next(iter(tables), "")
    plan, problems = _plan(request, len(tables))
    configuration = configuration_at(room.state, chosen) if chosen else None
    if configuration is None:
        problems.append(f"table {chosen or 'none'} has no configuration in force: nothing says how it is played")
    forecast: dict[str, Any] = {"view": None, "waits": "", "failed": ""}
    if configuration is not None and not problems:
        forecast = _forecast(request, room, name, chosen, configuration.canonical, plan)
    context = {
        **forecast,
        "name": name,
        "address": jackpot_address(name),
        "tables": tables,
        "table": chosen,
        "plan": [(field, _LABELS[field], number) for field, number in plan.items()],
        "problems": problems,
        "parts": ("chart", "fan"),
    }
    status = HTTPStatus.CONFLICT if problems else HTTPStatus.OK
    return render(request, "office/odds/forecast.html", context, status=status)


def _forecast(
    request: Request, room: Room, name: str, table: str, configuration: str, plan: dict[str, int]
) -> dict[str, Any]:
    jackpot = room.state.of(JACKPOTS).jackpots[name].jackpot
    job = JackpotForecastJob(
        configuration=configuration,
        jackpot=jackpot.to_json(),
        table=table,
        # From the whole dollar, so that a meter that moves does not make it another forecast with each wager.
        meter_cents=_cents(room, name) // 100 * 100,
        plan={**plan, "shift_hours": plan["hours_per_day"]},
        seats=0,
    )
    figure = figure_of(request, job)
    view = forecast_view(figure.value, jackpot.offer_at(table).wager) if figure.status == "ready" else None
    waits = figure.key if figure.status == "computing" else ""
    return {"view": view, "waits": waits, "failed": figure.words if figure.status == "failed" else ""}


@router.get("/office/odds/{table}/par", dependencies=[READER])
def par(request: Request, table: str, room: CurrentRoom) -> Response:
    """Return the PAR sheet of a table as it is configured, as a PDF that carries its figures (T-07)."""
    configuration = configuration_at(room.state, table) if table in tables_of(room.state) else None
    if configuration is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"table {table!r} has no configuration in force"])
    records = room.state.of(JACKPOTS).at(table)
    displayed = {
        record.jackpot.offer_at(table).wager: _cents(room, record.jackpot.name) // 100 * 100 for record in records
    }
    meters = {wager: cents for wager, cents in displayed.items() if wager in configuration.jackpots}
    figure = figure_of(request, ParSheetJob(configuration=configuration.canonical, meters=meters))
    if figure.status == "failed":
        raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, [figure.words])
    if figure.status == "computing":
        context = {"title": f"PAR sheet of table {table}", "waits": figure.key}
        return render(request, "office/waits.html", context, status=HTTPStatus.ACCEPTED)
    name = "".join(char for char in table if char.isascii() and char.isalnum()) or "table"
    headers = {"content-disposition": f'inline; filename="par-{name}.pdf"'}
    return Response(base64.b64decode(figure.value["pdf"]), media_type="application/pdf", headers=headers)
