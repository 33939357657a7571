"""The operator's slides: what is shown between the pay tables, from when to when, and the pictures on them."""

import datetime
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile

from pitboss.room.people.roles import ANYONE, READERS
from pitboss.room.room import Room
from pitboss.room.slides import PICTURE_BYTES_MAX, PROMOTIONS, EndSlide, SetSlide, SlidePictures
from pitboss.server.api.schemas import api_router
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.tables import local_today
from pitboss.server.views.table_state import tables_of

router = APIRouter(include_in_schema=False)
_api = api_router("promotions")
Reader = Annotated[Caller, allow(*READERS)]
Manager = Annotated[Caller, forms.allow_commands(SetSlide)]
ANYBODY = allow(ANYONE, awake=False)
MESSAGES = {"set": "The slide is made.", "end": "The slide is taken away."}
_FIELDS = ("name", "title", "words", "small_print", "first_day", "last_day")
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
        "slides": [(slide, _when(slide.first_day, slide.last_day, today)) for slide in slides],
        "tables": tables_of(room.state),
        "may_change": caller.may(SetSlide),
        "ends": {slide.name: forms.button(room, caller, EndSlide(name=slide.name)) for slide in slides},
        "today": today,
        "megabytes_max": PICTURE_BYTES_MAX // 1_000_000,
    }
    return forms.render_form(
        request, "office/slides.html", context, problems=problems, messages=MESSAGES, sent=sent, area="slides"
    )


def _when(first: datetime.date, last: datetime.date, today: datetime.date) -> str:
    if today < first:
        return "to come"
    return "shown" if today <= last else "over"


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
def set_slide(request: Request, caller: Manager, room: CurrentRoom, form: forms.Form) -> Response:
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
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no picture {name!r}"])
    headers = {"cache-control": "public, max-age=31536000, immutable", "content-security-policy": "default-src 'none'"}
    return Response(slide_picture.content, media_type=slide_picture.media_type, headers=headers)


@_api.post(
    "/promotions/pictures",
    status_code=201,
    openapi_extra={"requestBody": {"content": {"image/png": {}, "image/jpeg": {}}, "required": True}},
)
async def keep_picture(request: Request, _caller: Manager, room: CurrentRoom) -> PictureKept:
    """Keep a picture, PNG or JPEG, sent as the body; a slide refers to it by the name that is given back."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > PICTURE_BYTES_MAX:
            break
    return PictureKept(picture=await run_in_threadpool(SlidePictures(room.path).keep, content))


router.routes.extend(_api.routes)
