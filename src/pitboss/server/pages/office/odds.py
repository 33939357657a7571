"""The odds of the table in force, one click from its jackpots: counted beside the server, told when they are there."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from pitboss.room.configurations import configuration_at
from pitboss.room.people.roles import READERS
from pitboss.server.auth import CurrentRoom, allow
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.odds import odds_view, offered_at
from pitboss.server.views.table_state import tables_of
from pitboss.server.worker.figures import figure_of

router = APIRouter(include_in_schema=False)


@router.get("/office/odds/{table}", dependencies=[allow(*READERS)])
def odds(request: Request, table: str, room: CurrentRoom) -> Response:
    """Show edge, volatility, hit rate and break-even meter of every wager at a table."""
    state = room.state
    if table not in tables_of(state):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no table {table!r}"])
    configuration = configuration_at(state, table)
    offered = offered_at(state, table, configuration)
    view = odds_view(table, configuration, offered, partial(figure_of, request))
    return render(request, "office/odds.html", {"table": table, "view": view, "waits": view.waits})
