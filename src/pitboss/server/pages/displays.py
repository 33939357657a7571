"""Displays: TableVision, the page of what each shows and the log of a day, and the slides of the room."""

import datetime
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile

from pitboss.books import LEDGER, ROOM, BookState, last_before, microseconds, part_at
from pitboss.commands.command import BOOK
from pitboss.games import find_game, game_names
from pitboss.jackpot import JACKPOTS, jackpot_title
from pitboss.room.displays import DISPLAYS
from pitboss.room.people.roles import ANYONE, READERS
from pitboss.room.room import Room, room_zone, tables_of
from pitboss.room.slides import PICTURE_BYTES_MAX, PROMOTIONS, EndSlide, SetSlide, SlidePictures, contradictions
from pitboss.server.api.schemas import api_router
from pitboss.server.auth import BODY_BYTES_MAX, Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.pages.layout import render
from pitboss.server.pages.sign_in import keep_enrolled
from pitboss.server.problems import NoTableError, ProblemError
from pitboss.server.views.displays import LogLine, LogStart, displays_view, log_lines, published, publishing_kinds
from pitboss.server.views.formatting import clock_text, medium_day, short_day, time_of
from pitboss.server.views.office.tables import local_today
from pitboss.server.views.table_state import table_state
from pitboss.server.views.vision import VisionView, live_of, vision_view

router = APIRouter(include_in_schema=False)
_LINES_MAX = 300


def _before_day(room: Room, state: BookState, after: int) -> LogStart:
    """Return the state at the begin of a day's log; displays and jackpots stand where they stand now."""
    ledger = part_at(room.books.store, BOOK, after, LEDGER)
    return LogStart(
        displays={name: (record.display.table,) for name, record in state.of(DISPLAYS).items()},
        jackpots={
            name: tuple(link.table for link in record.jackpot.tables)
            for name, record in state.of(JACKPOTS).jackpots.items()
        },
        units={name: accounts.balances["displayed"] for name, accounts in ledger.items()},
        titles={name: jackpot_title(state, name) for name in state.of(JACKPOTS).jackpots},
    )


def _log(room: Room, state: BookState, day: datetime.date, table: str) -> tuple[LogLine, ...]:
    """The log of a gambling day."""
    calendar, store, head = state.of(ROOM), room.books.store, state.sequence
    if calendar is None or not head:
        return ()
    after, upto = (
        last_before(store, BOOK, microseconds(calendar.begins(begin)), head)
        for begin in (day, day + datetime.timedelta(days=1))
    )
    records = published(store.entries(BOOK, after, upto, kinds=publishing_kinds()), _before_day(room, state, after))
    return log_lines(records, room_zone(state), table)


def _day(room: Room, state: BookState, text: str) -> tuple[datetime.date, datetime.date]:
    """The day asked for, and today, by the gambling days of the room; what is no day is today."""
    now, calendar = time_of(room.clock()), state.of(ROOM)
    today = now.date() if calendar is None else calendar.gambling_day(now)
    try:
        wanted_day = datetime.date.fromisoformat(text)
    except ValueError:
        return today, today
    least = today.replace(year=today.year - 20)
    return (wanted_day if least <= wanted_day <= today else today), today


@router.get("/floor/displays")
def displays(
    request: Request,
    _caller: Annotated[Caller, allow(*READERS)],
    room: CurrentRoom,
    day: Annotated[str, Query(max_length=10)] = "",
    table: Annotated[str, Query(max_length=120)] = "",
) -> Response:
    """Show every display, and what was published on a day."""
    state = room.state
    log_day, today = _day(room, state, day)
    lines = _log(room, state, log_day, table)
    context = {
        "view": displays_view(state, room.displays.last_beats(), room.clock()),
        "lines": lines[:_LINES_MAX],
        "more": max(0, len(lines) - _LINES_MAX),
        "day": log_day,
        "day_words": short_day(log_day),
        "today": today,
        "before": log_day - datetime.timedelta(days=1),
        "after": log_day + datetime.timedelta(days=1),
        "table": table,
        "tables": tables_of(state),
        "head": (head := room.heads.shown),
        "head_at": "" if head is None else clock_text(head.recorded, room_zone(state), with_day=True),
    }
    return render(request, "displays.html", context)


THEMES = ("emerald", "midnight")
VISION_PARTS = ("odometer", "plaque", "paytable", "slides", "win", "promotion", "conduct", "limits", "notices", "age")


def vision_topic(table: str) -> str:
    """The topic whose states `live_of` makes."""
    return f"vision:{table}"


def vision_html(
    templates: Environment, view: VisionView, zone: ZoneInfo, theme: str = THEMES[0], *, beat: str = ""
) -> str:
    """Render the display of a table; `beat` is the token with which a display of the room reports what it shows."""
    return templates.get_template("vision.html").render(
        view=view,
        live=live_of(view),
        topics=vision_topic(view.table),
        zone=zone.key,
        theme=theme if theme in THEMES else THEMES[0],
        parts=VISION_PARTS,
        beat=beat,
    )


ANYBODY = allow(ANYONE, awake=False)


@router.get("/tables/{table}/vision")
def vision(
    request: Request, table: str, caller: Annotated[Caller, ANYBODY], room: CurrentRoom, theme: str = ""
) -> Response:
    """TableVision: what players see at a table."""
    state = room.state
    if table not in tables_of(state):
        raise NoTableError(table)
    seen = table_state(state, table, time_of(room.clock()))
    beat = caller.csrf if "display" in caller.roles else ""
    page = vision_html(request.app.state.templates, vision_view(seen), seen.zone, theme, beat=beat)
    answer = HTMLResponse(page)
    keep_enrolled(request, answer)
    return answer


_api = api_router("promotions")
Reader = Annotated[Caller, allow(*READERS)]
Manager = Annotated[Caller, forms.allow_commands(SetSlide)]
Sender = Annotated[Caller, allow(*SetSlide.spec.roles, body=PICTURE_BYTES_MAX + BODY_BYTES_MAX)]
MESSAGES = {"set": "Promotion saved.", "end": "Promotion ended."}
_FIELDS = (
    "name", "title", "words", "small_print", "first_day", "last_day", "wager", "prize", "paid_by", "consent",
)  # fmt: skip
_PAGE = "/office/slides"


class PictureKept(BaseModel):
    """A picture that the room keeps from now on, by the name that a slide refers to."""

    picture: str


def _page(
    request: Request, room: Room, caller: Caller, problems: Sequence[str] = (), sent: forms.SubmittedForm | None = None
) -> Response:
    today = local_today(room.state, room.clock())
    slides = room.state.of(PROMOTIONS).values()
    context = {
        "slides": [
            (
                *(slide, medium_day(slide.first_day), medium_day(slide.last_day)),
                *(_when(slide.first_day, slide.last_day, today), contradictions(room.state, slide)),
            )
            for slide in slides
        ],
        "wagers": dict(sorted((wager.name, wager.title) for name in game_names() for wager in find_game(name).wagers)),
        "tables": tables_of(room.state),
        "may_change": caller.may(SetSlide),
        "ends": {slide.name: forms.button(room, caller, EndSlide(name=slide.name)) for slide in slides},
        "today": today,
        "megabytes_max": PICTURE_BYTES_MAX // 1_000_000,
    }
    return forms.render_form(
        request, "office/slides.html", context, problems=problems, messages=MESSAGES, sent=sent, area="slides",
        field_of=_field_of,
    )  # fmt: skip


def _field_of(path: str) -> str:
    """Return the field that a problem is about; its path ends in the field's name."""
    field = path.rpartition(".")[2]
    return field if field in (*_FIELDS, "picture", "tables") else ""


def _when(first: datetime.date, last: datetime.date, today: datetime.date) -> str:
    if today < first:
        return "Scheduled"
    return "Showing" if today <= last else "Ended"


@router.get(_PAGE)
def slides_page(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Render every slide."""
    return _page(request, room, caller)


def _set(room: Room, caller: Caller, form: FormData) -> str:
    slide: dict[str, Any] = {name: forms.text_of(form.get(name)) for name in _FIELDS}
    slide["tables"] = [table for table in tables_of(room.state) if table in form.getlist("table")]
    upload = form.get("picture")
    picture = upload.file.read(PICTURE_BYTES_MAX + 1) if isinstance(upload, UploadFile) else b""
    if picture:
        slide["picture"] = SlidePictures(room.path).keep(picture)
    return forms.perform(room, caller, SetSlide, {"command": form.get("command"), "promotion": slide})


@router.post(_PAGE)
def set_slide(request: Request, caller: Sender, room: CurrentRoom, form: forms.Form) -> Response:
    """Make a slide, or make it anew under its name."""
    page = partial(_page, request, room, caller, sent=forms.SubmittedForm("set", form))
    return forms.answer(_PAGE, lambda: _set(room, caller, form), page)


@router.post("/office/slides/end")
def end_slide(request: Request, caller: Manager, room: CurrentRoom, form: forms.Form) -> Response:
    """Remove a slide before its last day."""
    return forms.answer(
        _PAGE, lambda: forms.submit(room, caller, EndSlide, form), partial(_page, request, room, caller)
    )


@router.get("/slides/{name}", dependencies=[ANYBODY])
def picture(name: str, room: CurrentRoom) -> Response:
    """Return a picture of a slide; its name is the hash of its bytes, so it never changes."""
    slide_picture = SlidePictures(room.path).find(name)
    if slide_picture is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"No picture {name}."])
    headers = {"cache-control": "public, max-age=31536000, immutable", "content-security-policy": "default-src 'none'"}
    return Response(slide_picture.content, media_type=slide_picture.media_type, headers=headers)


@_api.post(
    "/promotions/pictures",
    status_code=201,
    openapi_extra={"requestBody": {"content": {"image/png": {}, "image/jpeg": {}}, "required": True}},
)
async def keep_picture(request: Request, _caller: Sender, room: CurrentRoom) -> PictureKept:
    """Store a picture, PNG or JPEG, sent as the body; a slide refers to it by the name that is returned."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > PICTURE_BYTES_MAX:
            break
    return PictureKept(picture=await run_in_threadpool(SlidePictures(room.path).keep, content))


router.routes.extend(_api.routes)
