"""The pages of reports: each on screen, as CSV and as PDF, and the agent's packet."""

from __future__ import annotations

import base64
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from pitboss.books import RefusedError
from pitboss.reports import REPORTS
from pitboss.room.accounting import CollectChips, TakeException
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import with_id
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.reports import narrowed, reports_view
from pitboss.server.worker.figures import figure_of, is_long, journal_figure
from pitboss.server.worker.jobs import ReportCsvJob, ReportJob, ReportPdfJob, report_request
from pitboss.server.worker.pool import Figure

router = APIRouter(include_in_schema=False)
READER = allow(*READERS)
_WORDS = Field(default="", max_length=120)


class Narrowing(BaseModel):
    """What narrows a report, as the form sends it; `at` is the instant at which it was asked for."""

    first: str = _WORDS
    last: str = _WORDS
    shift: str = _WORDS
    table: str = _WORDS
    jackpot: str = _WORDS
    at: int | None = Field(default=None, ge=0, le=2**62)


class Filed(Narrowing):
    """What narrows a file: it names the instant, so that asking again gives the same file."""

    at: int = Field(ge=0, le=2**62)


Narrowed = Annotated[Narrowing, Query()]
ToFile = Annotated[Filed, Query()]


def _known(name: str) -> str:
    if name not in REPORTS:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no report {name!r}"])
    return name


@router.get("/office/reports", dependencies=[READER])
def reports_page(request: Request, room: CurrentRoom, said: Narrowed) -> Response:
    """Show which reports there are."""
    view = reports_view(room.state, narrowed(said.model_dump(exclude={"at"})), room.clock())
    return render(request, "office/reports.html", {"view": view})


def _page(request: Request, room: Room, name: str, said: Narrowing, figure: Figure, problems: tuple[str, ...]) -> Any:
    given = {
        "view": reports_view(room.state, narrowed(said.model_dump(exclude={"at"})), room.clock(), name),
        "report": figure.value,
        "name": name,
        "desk": _desk(request, room),
        "command": lambda: with_id("desk"),
        "waits": figure.key if figure.status == "computing" else "",
        "problems": problems or ((figure.words,) if figure.status == "failed" else ()),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if given["problems"] else HTTPStatus.OK
    return render(request, "office/report.html", given, status=HTTPStatus.ACCEPTED if given["waits"] else status)


def _desk(request: Request, room: Room) -> dict[str, Any]:
    """What who looks may do at the desk: enter chips, look into exceptions; and with whom chips are counted."""
    caller: Caller = request.state.caller
    people = sorted(each.name for each in room.access.people.people.values() if each.active)
    return {
        "enters": bool(caller.roles & set(CollectChips.spec.roles)),
        "looks": bool(caller.roles & set(TakeException.spec.roles)),
        "others": [each for each in people if each != caller.name],
    }


@router.get("/office/reports/{name}", dependencies=[READER])
def report_page(request: Request, name: str, room: CurrentRoom, said: Narrowed) -> Response:
    """Show a report, or what is wrong with what was asked, or that it is being made."""
    asked = narrowed(said.model_dump(exclude={"at"}))
    if is_long(room) and said.at is None and name in REPORTS:
        # Named, so that the page that asks for itself again gets the report that was made for it.
        query = urlencode({**asked, "at": room.clock()})
        return RedirectResponse(f"{request.url.path}?{query}", HTTPStatus.SEE_OTHER)
    try:
        report_request(asked)
        figure = journal_figure(
            request,
            room,
            ReportJob(path=str(room.path), name=_known(name), criteria=asked, at=said.at or room.clock()),
        )
    except RefusedError as error:
        return _page(request, room, name, said, Figure("", "failed"), error.problems)  # type: ignore[no-any-return]
    return _page(request, room, name, said, figure, ())  # type: ignore[no-any-return]


def _file(request: Request, figure: Figure, title: str, made: Callable[[Any], Response]) -> Response:
    """Give a file that is ready; else a page that waits for it."""
    if figure.status == "failed":
        raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, [figure.words])
    if figure.status == "computing":
        given = {"title": title, "waits": figure.key}
        return render(request, "office/waits.html", given, status=HTTPStatus.ACCEPTED)
    return made(figure.value)


def _pdf(request: Request, room: Room, name: str, said: Filed) -> Response:
    asked = narrowed(said.model_dump(exclude={"at"}))
    report_request(asked)
    figure = figure_of(request, ReportPdfJob(path=str(room.path), name=name, criteria=asked, at=said.at))
    title = REPORTS[name].title if name else "The agent\N{RIGHT SINGLE QUOTATION MARK}s packet"

    def made(value: Any) -> Response:
        return Response(
            base64.b64decode(value["pdf"]), media_type="application/pdf", headers=_named(name, asked, "pdf")
        )

    return _file(request, figure, title, made)


def _named(name: str, asked: dict[str, str], ending: str) -> dict[str, str]:
    """Name a file by its report and period."""
    parts = [name or "packet", *(asked[each] for each in ("first", "last", "shift") if each in asked)]
    plain = "-".join(
        "".join(char for char in part if char.isascii() and (char.isalnum() or char == "-")) for part in parts
    )
    how = "inline" if ending == "pdf" else "attachment"
    return {"content-disposition": f'{how}; filename="{plain}.{ending}"'}


@router.get("/office/reports/{name}/csv", dependencies=[READER])
def report_csv(request: Request, name: str, room: CurrentRoom, said: ToFile) -> Response:
    """Give a report for spreadsheets."""
    asked = narrowed(said.model_dump(exclude={"at"}))
    figure = journal_figure(
        request, room, ReportCsvJob(path=str(room.path), name=_known(name), criteria=asked, at=said.at)
    )

    def made(value: Any) -> Response:
        headers = _named(name, asked, "csv")
        return Response(value["text"].encode(), media_type="text/csv; charset=utf-8", headers=headers)

    return _file(request, figure, REPORTS[name].title, made)


@router.get("/office/reports/{name}/pdf", dependencies=[READER])
def report_pdf(request: Request, name: str, room: CurrentRoom, said: ToFile) -> Response:
    """Give a report as it is filed."""
    return _pdf(request, room, _known(name), said)


@router.get("/office/packet", dependencies=[READER])
def packet(request: Request, room: CurrentRoom, said: ToFile) -> Response:
    """Give what an agent of the commission asks for of a period, as one PDF."""
    return _pdf(request, room, "", said)
