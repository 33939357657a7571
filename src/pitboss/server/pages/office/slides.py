"""The operator's slides: what is shown between the pay tables, from when to when, and the pictures on them."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile

from pitboss.books import RefusedError
from pitboss.books.entries import EPOCH
from pitboss.room.people.roles import ANYONE, READERS
from pitboss.room.room import Room
from pitboss.room.slides import PICTURE_BYTES_MAX, PROMOTIONS, EndSlide, SetSlide, SlidePictures
from pitboss.server.api.schemas import api_router
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import SubmittedForm, perform, problems_of, text_of, with_id
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.table_state import room_zone, tables_of

router = APIRouter(include_in_schema=False)
_api = api_router("promotions")
Reader = Annotated[Caller, allow(*READERS)]
Manager = Annotated[Caller, allow("manager")]
ANYBODY = allow(ANYONE, awake=False)
_TOLD = {"set": "The slide is made.", "end": "The slide is taken away."}
_FIELDS = ("name", "title", "words", "small_print", "first_day", "last_day")


class PictureKept(BaseModel):
    """A picture that the room keeps from now on, by the name that a slide refers to."""

    picture: str


def _page(
    request: Request, room: Room, caller: Caller, problems: Sequence[str] = (), sent: SubmittedForm | None = None
) -> Response:
    today = (EPOCH + datetime.timedelta(microseconds=room.clock())).astimezone(room_zone(room.state)).date()
    given = {
        "slides": [(each, _when(each.first_day, each.last_day, today)) for each in room.state.of(PROMOTIONS).values()],
        "tables": tables_of(room.state),
        "may_change": "manager" in caller.roles,
        "problems": problems,
        "told": _TOLD.get(request.query_params.get("told", ""), ""),
        "sent": sent or SubmittedForm(),
        "today": today,
        "most": PICTURE_BYTES_MAX // 1_000_000,
        "command": partial(with_id, "slides"),
    }
    return render(request, "office/slides.html", given, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


def _when(first: datetime.date, last: datetime.date, today: datetime.date) -> str:
    if today < first:
        return "to come"
    return "shown" if today <= last else "over"


@router.get("/office/slides")
def slides_page(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Show every slide."""
    return _page(request, room, caller)


async def _picture(form: FormData) -> bytes:
    found = form.get("picture")
    return await found.read(PICTURE_BYTES_MAX + 1) if isinstance(found, UploadFile) else b""


def _set(room: Room, caller: Caller, form: FormData, picture: bytes) -> None:
    said: dict[str, Any] = {name: text_of(form.get(name)) for name in _FIELDS}
    said["tables"] = [each for each in tables_of(room.state) if each in form.getlist("table")]
    if picture:
        said["picture"] = SlidePictures(room.path).keep(picture)
    perform(room, caller, SetSlide, {"command": form.get("command"), "promotion": said})


@router.post("/office/slides")
async def set_slide(request: Request, caller: Manager, room: CurrentRoom) -> Response:
    """Make a slide, or make it anew under its name."""
    async with request.form() as form:
        try:
            await run_in_threadpool(_set, room, caller, form, await _picture(form))
        except (RefusedError, ValueError) as error:
            return await run_in_threadpool(_page, request, room, caller, problems_of(error), SubmittedForm("set", form))
    return RedirectResponse("/office/slides?told=set", HTTPStatus.SEE_OTHER)


@router.post("/office/slides/end")
async def end_slide(request: Request, caller: Manager, room: CurrentRoom) -> Response:
    """Take a slide away before its last day."""
    form = await request.form()
    said = {"command": form.get("command"), "name": text_of(form.get("name"))}
    try:
        await run_in_threadpool(perform, room, caller, EndSlide, said)
    except (RefusedError, ValueError) as error:
        return await run_in_threadpool(_page, request, room, caller, problems_of(error))
    return RedirectResponse("/office/slides?told=end", HTTPStatus.SEE_OTHER)


@router.get("/slides/{name}", dependencies=[ANYBODY])
def picture(name: str, room: CurrentRoom) -> Response:
    """Give a picture of a slide; its name is the hash of its bytes, so it never changes."""
    found = SlidePictures(room.path).find(name)
    if found is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no picture {name!r}"])
    headers = {"cache-control": "public, max-age=31536000, immutable", "content-security-policy": "default-src 'none'"}
    return Response(found.content, media_type=found.media_type, headers=headers)


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
