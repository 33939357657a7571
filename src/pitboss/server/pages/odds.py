"""The odds room, open to anybody: figures of every wager, pays changed by hand, tables side by side or designed."""

import base64
import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from pitboss.games import all_games, find_game
from pitboss.reports.render import csv_of, guarded_text
from pitboss.room.people.roles import ANYONE, READERS
from pitboss.server.auth import Caller, allow
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.odds import WhatIf, design_view, figures_view, games_view, part_view, wanted_of
from pitboss.server.worker.jobs import Job
from pitboss.server.worker.odds_room import (
    DesignJob,
    HandJob,
    StrategyJob,
    VulnerabilityJob,
    WhatIfJob,
    WhatIfSheetJob,
)
from pitboss.server.worker.pool import BusyError, Figure, Worker

router = APIRouter(include_in_schema=False)
_SECONDS = 3.0
_PARTS = {
    "sight": "Cards seen",
    "collusion": "Seats that share their cards",
    "cut-card": "A counted shoe",
    "meter": "Meters",
    "bank": "The bank",
    "misread": "A row read as the row above",
    "mispay": "The commonest mispay",
}
AnyCaller = Annotated[Caller, allow(ANYONE)]


def _figure(request: Request, job: Job, seconds: float = _SECONDS) -> Figure:
    """Return a figure, after waiting a moment for it: most are there in no time once the cards are counted."""
    worker: Worker = request.app.state.worker
    caller: Caller = request.state.caller
    try:
        return worker.wait(job, seconds, caller.name or caller.address or "somebody")
    except BusyError as error:
        return Figure("", "failed", words=str(error))


def _wanted(request: Request, game: str, wager: str) -> WhatIf:
    wish = wanted_of(game, wager, request.query_params)
    if wish is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"No wager {wager} in {game}."])
    return wish


def _context(request: Request, wish: WhatIf) -> dict[str, Any]:
    figure = _figure(request, WhatIfJob(**wish.job_fields()))
    other = _figure(request, WhatIfJob(**wish.job_fields(beside=True))) if wish.is_compared else None
    query = "" if not request.url.query else f"?{request.url.query}"
    return {"wish": wish, "view": figures_view(figure, wish, other), "query": query}


@router.get("/odds")
def games(request: Request, caller: AnyCaller) -> Response:
    """List every game and wager, and where it can be hurt to those who protect it."""
    protects = not caller.roles.isdisjoint(READERS)
    return render(request, "odds/games.html", {"games": games_view(all_games()), "protects": protects})


@router.get("/odds/{game}/vulnerability")
def vulnerability(request: Request, game: str, _caller: Annotated[Caller, allow(*READERS)]) -> Response:
    """Show where a game can be hurt, part by part; to those who protect it (G-78)."""
    try:
        chosen = find_game(game)
    except ValueError as error:
        raise ProblemError(HTTPStatus.NOT_FOUND, [str(error)]) from None
    views = [
        part_view(title, request.app.state.worker.ask_at_ease(VulnerabilityJob(game=game, part=part)))
        for part, title in _PARTS.items()
    ]
    context = {"game": chosen, "views": views, "waits": any(view.waits for view in views)}
    return render(request, "odds/vulnerability.html", context)


@router.get("/odds/{game}/{wager}")
def wager_page(request: Request, game: str, wager: str, _caller: AnyCaller) -> Response:
    """Show a wager's figures, and the form to change what it pays."""
    wish = _wanted(request, game, wager)
    hand = request.query_params.get("player", "")[:40]
    weighed, up = None, request.query_params.get("public", "")[:40]
    if hand:
        weighed = _figure(request, HandJob(**wish.job_fields(), player=hand, public=up))
    strategy = None
    if request.query_params.get("strategy"):
        strategy = _figure(request, StrategyJob(**wish.job_fields()))
    decides = wish.wager is wish.game.main
    more = {"hand": hand, "up": up, "weighed": weighed, "strategy": strategy, "decides": decides}
    context = {**_context(request, wish), **more}
    return render(request, "odds/wager.html", {**context, "parts": ("pick",)})


@router.get("/odds/{game}/{wager}/figures")
def figures(request: Request, game: str, wager: str, _caller: AnyCaller) -> Response:
    """Return the figures alone, for a page whose form was changed."""
    return render(request, "odds/figures.html", _context(request, _wanted(request, game, wager)))


@router.get("/odds/{game}/{wager}/design")
def design(
    request: Request,
    game: str,
    wager: str,
    _caller: AnyCaller,
    low: Annotated[float, Query(ge=-100, le=100)] = 2.0,
    high: Annotated[float, Query(ge=-100, le=100)] = 5.0,
    hit: Annotated[str, Query(max_length=8)] = "",
    top: Annotated[str, Query(max_length=6)] = "",
    slot: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """Search for pay tables, and draw edge against deviation."""
    wish = _wanted(request, game, wager)
    job = DesignJob(
        **wish.job_fields(),
        edge=[str(low), str(high)],
        hit=hit if hit.replace(".", "", 1).isdecimal() else None,
        top=int(top) if top.isdecimal() and int(top) else None,
        slot=slot or None,
    )
    figure = _figure(request, job)
    view = design_view(figure.value, wish) if figure.status == "ready" else None
    context = {"wish": wish, "view": view, "figure": figure, "low": low, "high": high, "hit": hit, "top": top}
    context["slot"] = slot
    return render(request, "odds/design.html", context)


def _ready(request: Request, job: Job) -> Mapping[str, Any]:
    figure = _figure(request, job, 60.0)
    if figure.status == "failed":
        raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, figure.words.split("; "))
    if figure.status == "computing":
        raise ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, ["it is being made: ask again later"])
    value: Mapping[str, Any] = figure.value
    return value


@router.get("/odds/{game}/{wager}/download/{form}")
def download(request: Request, game: str, wager: str, form: str, _caller: AnyCaller) -> Response:
    """Return the figures as JSON or CSV, or the PAR sheet."""
    wish = _wanted(request, game, wager)
    fields = wish.job_fields()
    headers = {"content-disposition": f'attachment; filename="{game}-{wager}.{form}"'}
    if form == "pdf":
        meters = [wish.meter_cents] if wish.meter_cents else []
        content = _ready(request, WhatIfSheetJob(**fields, meters=meters))
        return Response(base64.b64decode(content["pdf"]), media_type="application/pdf", headers=headers)
    if form == "json":
        text = json.dumps(_ready(request, WhatIfJob(**fields)), indent=2)
        return Response(text, media_type="application/json", headers=headers)
    if form == "csv":
        events = _ready(request, WhatIfJob(**fields))["events"]
        typed, counted = ("event", "pays"), ("count", "of", "contribution")
        rows = [
            [*(guarded_text(str(event[key])) for key in typed), *(event[key] for key in counted)] for event in events
        ]
        text = csv_of([[*typed, *counted], *rows])
        return Response(text, media_type="text/csv; charset=utf-8", headers=headers)
    raise ProblemError(HTTPStatus.NOT_FOUND, [f"No download {form}."])
