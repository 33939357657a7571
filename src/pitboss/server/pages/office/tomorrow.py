"""May we open tomorrow: one page that asks everything an opening asks, for the next gambling day or another one."""

import datetime
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from pitboss.papers.readiness import next_day, room_readiness
from pitboss.room.people.roles import READERS
from pitboss.server.auth import CurrentRoom, allow
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.tomorrow import tomorrow_view

router = APIRouter(include_in_schema=False)
TOMORROW = "/office/tomorrow"


@router.get(TOMORROW, dependencies=[allow(*READERS)])
def tomorrow(request: Request, room: CurrentRoom, on: str = "") -> Response:
    """Render whether the room may open on a day, tomorrow where none is named."""
    state, now = room.state, room.clock()
    try:
        day = datetime.date.fromisoformat(on) if on else next_day(state, now)
    except ValueError:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"{on!r} is no day"]) from None
    view = None if day is None else tomorrow_view(room_readiness(state, day, now))
    return render(request, "office/tomorrow.html", {"view": view})
