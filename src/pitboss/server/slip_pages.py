"""A slip printed once more from the page of its hit: journalled with its reason, and marked as a reprint (F-15)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.server.access.door import Caller, allow
from pitboss.server.access.roles import READERS
from pitboss.server.access.service import BOOK
from pitboss.server.commands import BY_NAME
from pitboss.server.declared import RoomOf
from pitboss.server.hit_log import HIT_LOG, slip_copy, story_at
from pitboss.server.hits_pages import hit_page
from pitboss.server.pages import render
from pitboss.server.performing import number_of, problems_of, submit, text_of
from pitboss.server.problems import ProblemError
from pitboss.server.room import Room

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
Reprints = Annotated[Caller, allow(*BY_NAME["hits/reprint"].roles)]


def _reprint(room: Room, caller: Caller, slip: str, form: FormData) -> int:
    """Write down that a slip is printed again; gives the entry that says so."""
    said = {"command": form.get("command"), "slip": number_of(slip), "words": text_of(form.get("words"))}
    return submit(room, caller, "hits/reprint", said).entries[0].sequence


@router.post("/office/hits/{number}/slips/{slip}")
async def reprint(request: Request, number: str, slip: str, caller: Reprints, room: RoomOf) -> Response:
    """Print a slip of a hit once more, for a reason; or everything that speaks against it."""
    form = await request.form()
    try:
        entry = await run_in_threadpool(_reprint, room, caller, slip, form)
    except (RefusedError, ValueError) as error:
        return await run_in_threadpool(hit_page, request, room, number, problems_of(error), form)
    address = f"/office/hits/{number_of(number)}/slips/{number_of(slip)}?entry={entry}"
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)


@router.get("/office/hits/{number}/slips/{slip}", dependencies=[allow(*READERS)])
def slip_page(
    request: Request, number: str, slip: str, room: RoomOf, entry: Annotated[int, Query(ge=0, le=2**53)] = 0
) -> Response:
    """Show a reprint as it is printed, by the entry that says that it was made."""
    state, store = room.state, room.books.store
    story = story_at(store, BOOK, state.of(HIT_LOG), number_of(number))
    found = None if story is None else slip_copy(story, room.name, number_of(slip), store.entry(BOOK, entry))
    if found is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"entry {entry} is no reprint of slip {slip!r} of hit {number!r}"])
    assert found.copy is not None
    given = {"slip": found, "text": found.text(), "hit": number_of(number)}
    return render(request, "floor_slip.html", given)
