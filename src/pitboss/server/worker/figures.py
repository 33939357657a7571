"""Figures of pages: computed at once where the room's journal is short, else by the worker beside the server."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from fastapi import Request

from pitboss.room.room import Room
from pitboss.server.problems import ProblemError
from pitboss.server.worker.jobs import Job
from pitboss.server.worker.pool import BusyError, Figure, Worker

_SECONDS_MAX = 120
_ENTRIES_AT_ONCE = 5_000
"""So many entries are read at once without play being slower for it; a longer journal is read by the worker."""


def is_long(room: Room) -> bool:
    """True if the journal is too long to be read in the server's own process."""
    return room.state.sequence > _ENTRIES_AT_ONCE


def figure_of(request: Request, job: Job) -> Figure:
    """Return the worker's figure of a job, ready or not."""
    worker: Worker = request.app.state.worker
    try:
        return worker.ask(job)
    except BusyError as error:
        raise ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, [str(error)]) from None


def figure_or_failure(request: Request) -> Callable[[Job], Figure]:
    """Return how odds are requested; where the worker has too much to do, a figure states that."""
    worker: Worker = request.app.state.worker

    def ask(job: Job) -> Figure:
        try:
            return worker.ask(job)
        except BusyError as error:
            return Figure("", "failed", words=str(error))

    return ask


def journal_figure(request: Request, room: Room, job: Job) -> Figure:
    """Return the figure of a job that reads the room's journal: run at once, or by the worker where that is long."""
    return figure_of(request, job) if is_long(room) else Figure("", "ready", job.run())


def awaited_figure(request: Request, room: Room, job: Job) -> dict[str, Any]:
    """Return a figure to a program that waits for it, while the server goes on."""
    figure = journal_figure(request, room, job)
    if figure.status == "computing":
        worker: Worker = request.app.state.worker
        figure = worker.wait(job, _SECONDS_MAX)
    if figure.status == "computing":
        raise ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, ["it is being made: ask again later"])
    if figure.status == "failed":
        raise ProblemError(HTTPStatus.CONFLICT, [figure.words])
    value: dict[str, Any] = figure.value
    return value
