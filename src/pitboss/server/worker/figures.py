"""Figures of the back office: made at once where the room's journal is short, else by the worker beside the server."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import Request

from pitboss.room.room import Room
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.odds import Offered
from pitboss.server.worker.jobs import OFFICE_WORK
from pitboss.server.worker.pool import BusyError, Figure, Worker

_SECONDS_MAX = 120
_ENTRIES_AT_ONCE = 5_000
"""So many entries are read at once without play being slower for it; a longer journal is read by the worker."""


def is_long(room: Room) -> bool:
    """Whether the journal is too long to be read in the server's own process."""
    return room.state.sequence > _ENTRIES_AT_ONCE


def asked_figure(request: Request, what: str, **given: Any) -> Figure:
    """Ask the worker for a figure, ready or not."""
    worker: Worker = request.app.state.worker
    try:
        return worker.ask(what, **given)
    except BusyError as error:
        raise ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, [str(error)]) from None


def figure_or_none(request: Request) -> Callable[[Offered], Figure]:
    """Give how the odds of a wager are asked for; where the worker has too much to do, that is told in their place."""
    worker: Worker = request.app.state.worker

    def ask(offered: Offered) -> Figure:
        try:
            return worker.ask(offered.work, **offered.arguments)
        except BusyError as error:
            return Figure("", "failed", words=str(error))

    return ask


def office_figure(request: Request, room: Room, what: str, **given: Any) -> Figure:
    """Make a figure of the room's journal here and now, or have the worker make it."""
    said = {"path": str(room.path), **given}
    if is_long(room):
        return asked_figure(request, what, **said)
    return Figure("", "ready", OFFICE_WORK[what](**said))


def awaited_figure(request: Request, room: Room, what: str, **given: Any) -> dict[str, Any]:
    """Give a figure to a program that waits for it, while the server goes on."""
    figure = office_figure(request, room, what, **given)
    if figure.status == "computing":
        worker: Worker = request.app.state.worker
        figure = worker.wait(what, _SECONDS_MAX, path=str(room.path), **given)
    if figure.status == "computing":
        raise ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, ["it is being made: ask again later"])
    if figure.status == "failed":
        raise ProblemError(HTTPStatus.CONFLICT, [figure.words])
    found: dict[str, Any] = figure.value
    return found
