"""Papers of a table: each as a picture, in its sizes, to open and to print."""

import asyncio
import base64
import time
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from pitboss.papers.catalogue import BY_NAME, PAPERS, PaperKind
from pitboss.papers.source import PaperSource, source_of_table
from pitboss.room.configurations import configuration_at
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room, tables_of
from pitboss.server.auth import CurrentRoom, allow
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.tables import local_today
from pitboss.server.worker.papers import PaperJob, PaperPictureJob, paper_fields
from pitboss.server.worker.pool import Figure, figure_of

router = APIRouter(include_in_schema=False)
READER = allow(*READERS)
_BASE = "/office/papers"
_PATIENCE_SECONDS, _PAUSE_SECONDS = 20.0, 0.1
"""A picture in a page waits for the worker so long, looking so often."""
_SIZES = {
    "letter": "Letter",
    "11x17": "11 x 17 in",
    "5x7": "5 x 7 in",
    "4x6": "4 x 6 in",
    "full": "Full size",
}


class PaperCard(NamedTuple):
    """A paper: its title, whom it is for, whether it hangs at the table, its picture, and its files by size."""

    title: str
    audience: str
    is_posted: bool
    picture: str
    files: tuple[tuple[str, str], ...]


def _configured(room: Room) -> list[str]:
    return [table for table in tables_of(room.state) if configuration_at(room.state, table) is not None]


def _source(room: Room, table: str) -> PaperSource:
    if table not in _configured(room):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"table {table!r} has no configuration in force"])
    return source_of_table(room.state, room.name, table, local_today(room.state, room.clock()))


def _card(table: str, paper: PaperKind) -> PaperCard:
    address = f"{_BASE}/{quote(table, safe='')}/{paper.name}"
    return PaperCard(
        title=paper.title,
        audience=paper.audience,
        is_posted=paper.is_posted,
        picture=f"{address}/picture",
        files=tuple((_SIZES[size], f"{address}/pdf?size={size}") for size in paper.sizes),
    )


@router.get(_BASE, dependencies=[READER])
def papers(request: Request, room: CurrentRoom, table: str = "") -> Response:
    """Render the papers of a table, the first one where none is named."""
    tables = _configured(room)
    chosen = table or next(iter(tables), "")
    context: dict[str, Any] = {"tables": tables, "table": chosen, "cards": [], "problems": [], "game": ""}
    if chosen:
        source = _source(room, chosen)
        kinds = [paper for paper in PAPERS if source.configuration.profile in paper.profiles]
        context["cards"] = [_card(chosen, paper) for paper in kinds]
        context["problems"] = [str(problem) for problem in source.problems]
        context["game"] = source.game.title
    return render(request, "office/papers.html", context)


def _paper(name: str) -> PaperKind:
    if name not in BY_NAME:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no paper {name!r}"])
    return BY_NAME[name]


def _ready(figure: Figure) -> Figure:
    if figure.status == "failed":
        raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, [figure.words])
    return figure


@router.get(f"{_BASE}/{{table}}/{{name}}/pdf", dependencies=[READER])
def paper_pdf(request: Request, table: str, name: str, room: CurrentRoom, size: str = "") -> Response:
    """Return a paper as a PDF, or a page that waits for it."""
    paper = _paper(name)
    size = size or paper.sizes[0]
    if size not in paper.sizes:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"{paper.title} has no size {size!r}"])
    job = PaperJob(**paper_fields(_source(room, table)), paper=name, size=size)
    figure = _ready(figure_of(request, job))
    if figure.status == "computing":
        context = {"title": paper.title, "waits": figure.key, "back": f"{_BASE}?table={quote(table)}"}
        return render(request, "office/waits.html", context, status=HTTPStatus.ACCEPTED)
    plain = "".join(char for char in table if char.isascii() and char.isalnum()) or "table"
    headers = {"content-disposition": f'inline; filename="table-{plain}-{name}.pdf"'}
    return Response(base64.b64decode(figure.value["pdf"]), media_type="application/pdf", headers=headers)


@router.get(f"{_BASE}/{{table}}/{{name}}/picture", dependencies=[READER])
async def paper_picture(request: Request, table: str, name: str, room: CurrentRoom) -> Response:
    """Return the first page of a paper as a picture; it waits for the worker, since a page shows it in its place."""
    paper = _paper(name)
    job = PaperPictureJob(**paper_fields(_source(room, table)), paper=name, size=paper.sizes[0])
    until = time.monotonic() + _PATIENCE_SECONDS
    figure = _ready(figure_of(request, job))
    while figure.status == "computing" and time.monotonic() < until:
        # No thread of the pool waits: every page of the staff needs one.
        await asyncio.sleep(_PAUSE_SECONDS)
        figure = _ready(figure_of(request, job))
    if figure.status == "computing":
        raise ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, ["The picture is not ready yet."])
    return Response(base64.b64decode(figure.value["png"]), media_type="image/png")
