"""The front page: the jackpots and the tables of the room, for anybody."""

from typing import Annotated

from fastapi import APIRouter, Request, Response

from pitboss.games import all_games
from pitboss.room.people.roles import ANYONE
from pitboss.room.room import has_practice, room_zone
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.console import CONSOLE_ROLES
from pitboss.server.pages.layout import render
from pitboss.server.views.formatting import time_of
from pitboss.server.views.front import front_view

router = APIRouter(include_in_schema=False)


@router.get("/")
def front_page(request: Request, caller: Annotated[Caller, allow(ANYONE)], room: CurrentRoom) -> Response:
    """Show the jackpots, the games, and to those who deal where the consoles are."""
    state = room.state
    context = {
        "view": front_view(state, time_of(room.clock())),
        "practice": all_games() if has_practice(state, room.clock()) else (),
        "zone": room_zone(state).key,
        "may_deal": bool(caller.roles & CONSOLE_ROLES),
        "parts": ("age", "odometer"),
    }
    return render(request, "front.html", context)
