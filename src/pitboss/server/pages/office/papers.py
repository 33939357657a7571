"""Papers of a table: each as a picture, in its sizes, to open and to print."""

import asyncio
import base64
import io
import time
import zipfile
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from pitboss.books import RefusedError
from pitboss.commands.command import BOOK
from pitboss.games import find_game
from pitboss.papers.catalogue import BY_NAME, PAPERS, PaperKind, kind_problem
from pitboss.papers.forms import hit_forms, malfunction_form
from pitboss.papers.layout import layout, layout_svg
from pitboss.papers.posting import review_papers, versions_at
from pitboss.papers.source import PaperSource, source_of_table
from pitboss.reports.catalogue.equipment import TableLog
from pitboss.room.configurations import configuration_at
from pitboss.room.hit_index import HIT_INDEX, story_at
from pitboss.room.people.roles import PAPER_READERS, READERS
from pitboss.room.posted_papers import PostPapers, RemovePaper
from pitboss.room.room import Room, tables_of
from pitboss.room.settings import gambling_day_of
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.pages.forms import Form, form_values, number_of, text_of
from pitboss.server.pages.layout import render
from pitboss.server.problems import NoTableError, ProblemError
from pitboss.server.views.office.papers import PAPERS as PAPERS_PAGE
from pitboss.server.views.office.papers import POST, PaperCard, PaperStatus, paper_statuses, papers_address
from pitboss.server.worker.jobs import Job, report_request
from pitboss.server.worker.papers import (
    CaseFormsJob,
    PaperJob,
    PaperPictureJob,
    PaperSetJob,
    TableLogJob,
    paper_fields,
)
from pitboss.server.worker.pool import Figure, figure_of, figure_or_wait
from pitboss.tabulator import TABLES

router = APIRouter(include_in_schema=False)
READER = allow(*READERS)
Reader = Annotated[Caller, READER]
Poster = Annotated[Caller, forms.allow_commands(PostPapers, RemovePaper)]
_BASE = PAPERS_PAGE
_PATIENCE_SECONDS, _PAUSE_SECONDS = 1.5, 0.1
"""A picture in a page waits for the worker so long, looking so often."""
_BLANK_SHEET = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 17 22" width="17" height="22">'
    '<path fill="#fff" d="M0 0h17v22H0z"/>'
    '<path fill="none" stroke="#c9c9c4" stroke-width=".5" d="M3 4h8M3 7h11M3 9h11M3 11h11M3 13h9"/></svg>'
)
"""Stands for a picture that is being made; by its small size a page knows it (pictures.js)."""
_AT_ONCE = 2
"""So many sets are requested of the worker at once: others have work for it too."""
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
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"Table {table} has no active setup yet."])
    return source_of_table(room.state, room.name, table, gambling_day_of(room.state, room.clock()))


def _card(table: str, paper: PaperKind, statuses: Mapping[str, PaperStatus]) -> PaperCard:
    address = f"{_BASE}/{quote(table, safe='')}/{paper.name}"
    return PaperCard(
        title=paper.title,
        audience=paper.audience,
        picture=f"{address}/picture",
        files=(
            *((_SIZES[size], f"{address}/pdf?size={size}") for size in paper.sizes),
            *((("SVG", f"{address}/svg"),) if paper.view is layout else ()),
        ),
        status=statuses.get(paper.name),
    )


@router.get(_BASE)
def papers(request: Request, caller: Reader, room: CurrentRoom, table: str = "") -> Response:
    """Render the papers of a table, the first one where none is named."""
    return _page(request, room, caller, table)


def _page(request: Request, room: Room, caller: Caller, table: str, problems: Sequence[str] = ()) -> Response:
    tables = _configured(room)
    chosen = table or next(iter(tables), "")
    context: dict[str, Any] = {
        "tables": tables,
        "table": chosen,
        "cards": [],
        "drafts": [],
        "missing": (),
        "game": "",
    }
    if chosen:
        source = _source(room, chosen)
        kinds = [paper for paper in PAPERS if source.configuration.profile in paper.profiles]
        versions = versions_at(room.state, chosen, gambling_day_of(room.state, room.clock()))
        statuses = paper_statuses(room.state, chosen, forms.viewer_of(room, caller), versions)
        by_name = {status.name: status for status in statuses}
        context["cards"] = [_card(chosen, paper, by_name) for paper in kinds]
        context["unposted"] = [status for status in statuses if status.post.is_active]
        context["drafts"] = [str(problem) for problem in source.problems]
        context["game"] = source.game.title
        context["missing"] = source.missing
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


def _paper(name: str, source: PaperSource) -> PaperKind:
    """Return a paper of a table; there is none of that name, or it is for another kind of room."""
    wrong = kind_problem(BY_NAME[name], source) if name in BY_NAME else f"No paper {name}."
    if wrong:
        raise ProblemError(HTTPStatus.NOT_FOUND, [wrong])
    return BY_NAME[name]


def _ready(figure: Figure) -> Figure:
    if figure.status == "failed":
        raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, [figure.words])
    return figure


def _named(content: bytes, name: str, kind: str = "application/pdf") -> Response:
    """Return a file that opens in its place, or is kept under its name."""
    return Response(content, media_type=kind, headers={"content-disposition": f'inline; filename="{name}"'})


def _plain(table: str) -> str:
    return "".join(char for char in table if char.isascii() and char.isalnum()) or "table"


def _pdf_of(request: Request, job: Job, title: str, name: str, back: str) -> Response:
    """Return the PDF of a job, or a page that waits for it."""
    figure = _ready(figure_of(request, job))
    if figure.status == "computing":
        context = {"title": title, "waits": figure.key, "back": back}
        return render(request, "office/waits.html", context, status=HTTPStatus.ACCEPTED)
    return _named(base64.b64decode(figure.value["pdf"]), name)


@router.get(f"{_BASE}/{{table}}/{{name}}/pdf", dependencies=[READER])
def paper_pdf(request: Request, table: str, name: str, room: CurrentRoom, size: str = "") -> Response:
    """Return a paper as a PDF, or a page that waits for it."""
    source = _source(room, table)
    paper = _paper(name, source)
    size = size or paper.sizes[0]
    if size not in paper.sizes:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"{paper.title} has no size {size!r}"])
    job = PaperJob(**paper_fields(source), paper=name, size=size)
    return _pdf_of(request, job, paper.title, f"table-{_plain(table)}-{name}.pdf", f"{_BASE}?table={quote(table)}")


@router.get(f"{_BASE}/{{table}}/layout/svg", dependencies=[READER])
def layout_drawing(table: str, room: CurrentRoom) -> Response:
    """Return the layout of a table as a drawing at full size, for the felt's printer."""
    source = _source(room, table)
    if source.problems:
        raise ProblemError(HTTPStatus.CONFLICT, [str(problem) for problem in source.problems])
    return _named(layout_svg(source).encode(), f"table-{_plain(table)}-layout.svg", "image/svg+xml")


@router.get(f"{_BASE}/set", dependencies=[READER])
def paper_set(request: Request, room: CurrentRoom, table: str = "") -> Response:
    """Return every paper of a table, or of all tables, in one file; or a page that shows how far they are."""
    tables = [table] if table else _configured(room)
    sets: dict[str, Any] = {}
    waits: list[str] = []
    for name in tables:
        if len(waits) < _AT_ONCE:
            figure = _ready(figure_of(request, PaperSetJob(**paper_fields(_source(room, name)), paper="", size="")))
            if figure.status == "ready":
                sets[name] = figure.value
            else:
                waits.append(figure.key)
    if waits or not tables:
        progress = {"done": len(sets), "total": len(tables)}
        context = {"title": "All papers", "waits": next(iter(waits), ""), "back": _BASE, "progress": progress}
        return render(request, "office/waits.html", context, status=HTTPStatus.ACCEPTED)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as written:
        for name, files in sets.items():
            for file, content in files.items():
                # The same papers are the same bytes: no time of day is written.
                written.writestr(zipfile.ZipInfo(f"table-{_plain(name)}/{file}"), base64.b64decode(content))
    return _named(archive.getvalue(), f"papers-{_plain(table) if table else 'all'}.zip", "application/zip")


@router.get("/office/hits/{number}/forms", dependencies=[allow(*PAPER_READERS)])
def forms_of_hit(request: Request, number: str, room: CurrentRoom) -> Response:
    """Return the forms of a jackpot with what the books know: verification, Form W-2G data, Form 5754."""
    story = story_at(room.books.store, BOOK, room.state.of(HIT_INDEX), number_of(number))
    if story is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"No jackpot {number}."])
    view, entry = hit_forms(room.state, story), story.entries[-1][0]
    job = CaseFormsJob(view=view, room=room.name, mark=f"Entry {entry.sequence}, {entry.digest.hex()}")
    return _pdf_of(request, job, "Forms", f"jackpot-{story.hit.number}-forms.pdf", f"/office/hits/{story.hit.number}")


@router.get("/office/malfunctions/{number}/report", dependencies=[READER])
def report_of_malfunction(request: Request, number: str, room: CurrentRoom) -> Response:
    """Return the report of an open malfunction for the commission, with until when it is due."""
    malfunction = room.state.of(TABLES).malfunctions.get(str(number_of(number)))
    if malfunction is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"No open equipment problem {number}."])
    configuration = configuration_at(room.state, malfunction.table)
    game = "" if configuration is None else find_game(configuration.game).title
    view = malfunction_form(room.state, malfunction, game)
    job = CaseFormsJob(view=view, room=room.name, mark=f"Entry {malfunction.number}")
    return _pdf_of(request, job, "Malfunction report", f"malfunction-{malfunction.number}.pdf", "/floor")


@router.get("/office/tables/{table}/log", dependencies=[READER])
def log_of_table(request: Request, table: str, room: CurrentRoom, day: str = "", at: int = 0) -> Response:
    """Return the log of a table on a gambling day, today's if none is named, filled with what the books know."""
    if table not in room.state.of(TABLES).tables:
        raise NoTableError(table)
    day = day or gambling_day_of(room.state, room.clock()).isoformat()
    address = f"/office/tables/{quote(table, safe='')}"
    if not at:
        # Named, so that the page that waits asks again for what is being made, and not for a later one.
        query = urlencode({"day": day, "at": room.clock()})
        return RedirectResponse(f"{address}/log?{query}", HTTPStatus.SEE_OTHER)
    criteria = {"first": day, "last": day, "table": table}
    try:
        report_request(criteria)
    except RefusedError as error:
        raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, error.problems) from None
    job = TableLogJob(path=str(room.path), name=TableLog.name, criteria=criteria, at=at)
    return _pdf_of(request, job, "Table log", f"table-{_plain(table)}-log-{day}.pdf", address)


@router.get(f"{_BASE}/{{table}}/{{name}}/picture", dependencies=[READER])
async def paper_picture(request: Request, table: str, name: str, room: CurrentRoom) -> Response:
    """Return the first page of a paper as a picture, or a blank sheet while the worker has not made it yet.

    The page asks for a blank sheet again. No answer waits long: a browser has few connections to a server.
    """
    source = _source(room, table)
    paper = _paper(name, source)
    job = PaperPictureJob(**paper_fields(source), paper=name, size=paper.sizes[0])
    until = time.monotonic() + _PATIENCE_SECONDS
    figure = _ready(figure_or_wait(request, job))
    while figure.status == "computing" and time.monotonic() < until:
        # No thread of the pool waits: every page of the staff needs one.
        await asyncio.sleep(_PAUSE_SECONDS)
        figure = _ready(figure_or_wait(request, job))
    if figure.status == "computing":
        return Response(_BLANK_SHEET, media_type="image/svg+xml", status_code=HTTPStatus.ACCEPTED)
    return Response(base64.b64decode(figure.value["png"]), media_type="image/png")
