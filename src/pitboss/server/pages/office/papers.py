"""Papers of a table: each as a picture, in its sizes, to open and to print."""

import asyncio
import base64
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from pitboss.books import RefusedError
from pitboss.papers.catalogue import BY_NAME, PAPERS, PaperKind
from pitboss.papers.posting import review_papers, versions_at
from pitboss.papers.source import PaperSource, source_of_table
from pitboss.room.configurations import configuration_at
from pitboss.room.people.roles import READERS
from pitboss.room.posted_papers import PostPapers, RemovePaper
from pitboss.room.room import Room, tables_of
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.pages.forms import Form, form_values, text_of
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.papers import PAPERS as PAPERS_PAGE
from pitboss.server.views.office.papers import POST, PaperCard, PaperStatus, paper_statuses, papers_address
from pitboss.server.views.office.tables import local_today
from pitboss.server.worker.papers import PaperJob, PaperPictureJob, paper_fields
from pitboss.server.worker.pool import Figure, figure_of

router = APIRouter(include_in_schema=False)
READER = allow(*READERS)
Reader = Annotated[Caller, READER]
Poster = Annotated[Caller, forms.allow_commands(PostPapers, RemovePaper)]
_BASE = PAPERS_PAGE
_PATIENCE_SECONDS, _PAUSE_SECONDS = 20.0, 0.1
"""A picture in a page waits for the worker so long, looking so often."""
_SIZES = {
    "letter": "Letter",
    "11x17": "11 x 17 in",
    "5x7": "5 x 7 in",
    "4x6": "4 x 6 in",
    "full": "Full size",
}


MESSAGES = {"post": "Marked as posted.", "remove": "Marked as removed."}
_ORIGINS = {"floor": "/floor", "start": "/office/start"}
"""Other pages with a form that marks papers as posted, and where they are."""


def _configured(room: Room) -> list[str]:
    return [table for table in tables_of(room.state) if configuration_at(room.state, table) is not None]


def _source(room: Room, table: str) -> PaperSource:
    if table not in _configured(room):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"table {table!r} has no configuration in force"])
    return source_of_table(room.state, room.name, table, local_today(room.state, room.clock()))


def _card(table: str, paper: PaperKind, statuses: Mapping[str, PaperStatus]) -> PaperCard:
    address = f"{_BASE}/{quote(table, safe='')}/{paper.name}"
    return PaperCard(
        title=paper.title,
        audience=paper.audience,
        picture=f"{address}/picture",
        files=tuple((_SIZES[size], f"{address}/pdf?size={size}") for size in paper.sizes),
        status=statuses.get(paper.name),
    )


@router.get(_BASE)
def papers(request: Request, caller: Reader, room: CurrentRoom, table: str = "") -> Response:
    """Render the papers of a table, the first one where none is named."""
    return _page(request, room, caller, table)


def _page(request: Request, room: Room, caller: Caller, table: str, problems: Sequence[str] = ()) -> Response:
    tables = _configured(room)
    chosen = table or next(iter(tables), "")
    context: dict[str, Any] = {"tables": tables, "table": chosen, "cards": [], "drafts": [], "game": ""}
    if chosen:
        source = _source(room, chosen)
        kinds = [paper for paper in PAPERS if source.configuration.profile in paper.profiles]
        versions = versions_at(room.state, chosen)
        statuses = paper_statuses(room.state, chosen, forms.viewer_of(room, caller), versions)
        by_name = {status.name: status for status in statuses}
        context["cards"] = [_card(chosen, paper, by_name) for paper in kinds]
        context["unposted"] = [status for status in statuses if status.post.is_active]
        context["drafts"] = [str(problem) for problem in source.problems]
        context["game"] = source.game.title
    return forms.render_form(request, "office/papers.html", context, problems=problems, messages=MESSAGES)


@router.post(POST)
def post_papers(request: Request, caller: Poster, room: CurrentRoom, form: Form) -> Response:
    """Mark papers as posted: of each table those in the versions that the form shows."""
    review_papers(room)
    values, told = form_values(form), form.get("command")
    hung: dict[str, dict[str, str]] = {}
    for table, paper, version in zip(*(values.get(name, []) for name in ("table", "paper", "version")), strict=False):
        hung.setdefault(table, {})[paper] = version
    tables = list(hung)

    def action() -> str:
        if not tables:
            raise RefusedError(["Nothing is to be marked as posted."])
        done = [
            forms.perform(room, caller, PostPapers, {"command": f"{told}-{number}", "table": table, "papers": papers})
            for number, (table, papers) in enumerate(hung.items())
        ]
        # The log has an entry for each paper: what was booked is told where there is one.
        return done[0] if len(hung) == len(values["paper"]) == 1 else "post"

    address = _ORIGINS.get(text_of(form.get("from"))) or papers_address(next(iter(tables), ""))
    return forms.answer(
        address, action, lambda problems: _page(request, room, caller, next(iter(tables), ""), problems)
    )


@router.post(f"{_BASE}/remove")
def remove_paper(request: Request, caller: Poster, room: CurrentRoom, form: Form) -> Response:
    """Record that a paper hangs at its table no more."""
    table = text_of(form.get("table"))
    return forms.answer(
        papers_address(table),
        lambda: forms.submit(room, caller, RemovePaper, form),
        lambda problems: _page(request, room, caller, table, problems),
    )


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
