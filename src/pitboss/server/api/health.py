"""For those who watch over the server: health, figures, and the description of the API."""

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from pitboss.room.people.roles import ANYONE, DEVICE_KINDS, PEOPLE_ROLES
from pitboss.server.auth import CurrentRoom, allow
from pitboss.server.metrics import Metrics

router = APIRouter()
ANYBODY = allow(ANYONE, awake=False)
WATCHER = allow("administrator", "auditor", "monitor", awake=False)
SIGNED_IN = allow(*PEOPLE_ROLES, *DEVICE_KINDS)


@router.get("/healthz", tags=["watching"], dependencies=[ANYBODY])
async def health(room: CurrentRoom) -> JSONResponse:
    """Return whether the server can work: while the books are halted no money moves, and it cannot."""
    halted = bool(room.books.halted)
    body = {"status": "halted" if halted else "ok", "sequence": room.state.sequence}
    return JSONResponse(body, HTTPStatus.SERVICE_UNAVAILABLE if halted else HTTPStatus.OK)


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
