"""For those who watch over the server: health, the description of the API, and metrics, which each app counts."""

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

from pitboss.room.people.roles import ANYONE, DEVICE_KINDS, PEOPLE_ROLES
from pitboss.room.room import Room
from pitboss.server.auth import CurrentRoom, allow
from pitboss.server.live import Hub


class Metrics:
    """The figures of one app."""

    def __init__(self, room: Room, hub: Hub) -> None:
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "pitboss_requests",
            "Requests that were answered.",
            ["method", "route", "status"],
            registry=self._registry,
        )
        streams = Gauge("pitboss_streams", "Streams that are open.", registry=self._registry)
        streams.set_function(lambda: hub.open)
        sequence = Gauge("pitboss_journal_sequence", "The last entry of the room's book.", registry=self._registry)
        sequence.set_function(lambda: room.state.sequence)
        halted = Gauge(
            "pitboss_books_halted", "Whether a person must decide before money moves.", registry=self._registry
        )
        halted.set_function(lambda: room.books.is_halted)
        people = Gauge("pitboss_people_signed_in", "People who are signed in.", registry=self._registry)
        people.set_function(lambda: room.access.sessions.signed_in)

    def text(self) -> bytes:
        """All figures, as they are now."""
        return generate_latest(self._registry)


router = APIRouter()
ANYBODY = allow(ANYONE, awake=False)
WATCHER = allow("administrator", "auditor", "monitor", awake=False)
SIGNED_IN = allow(*PEOPLE_ROLES, *DEVICE_KINDS)


@router.get("/healthz", tags=["watching"], dependencies=[ANYBODY])
async def health(room: CurrentRoom) -> JSONResponse:
    """Return whether the server can work: while the books are halted or cannot be written, it cannot.

    `role` is `leader` where it writes to the books, and `standby` while another server of the room does.
    """
    status = "halted" if room.books.is_halted else "unwritable" if room.books.unwritable else "ok"
    body = {"status": status, "sequence": room.state.sequence, "role": room.role}
    return JSONResponse(body, HTTPStatus.OK if status == "ok" else HTTPStatus.SERVICE_UNAVAILABLE)


@router.get("/metrics", tags=["watching"], dependencies=[WATCHER])
async def metrics(request: Request) -> Response:
    """Return the metrics in the format of Prometheus."""
    figures: Metrics = request.app.state.metrics
    return Response(figures.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/api/v1/openapi.json", include_in_schema=False, dependencies=[SIGNED_IN])
async def openapi(request: Request) -> dict[str, Any]:
    """Describe the API."""
    described: dict[str, Any] = request.app.openapi()
    return described
