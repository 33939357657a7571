"""For those who watch over the server: health, the description of the API, and metrics, which each app counts."""

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from pitboss.room.people.roles import ANYONE, DEVICE_KINDS, PEOPLE_ROLES
from pitboss.server.auth import CurrentRoom, allow
from pitboss.server.metrics import Metrics, Readiness

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


@router.get("/livez", tags=["watching"], dependencies=[ANYBODY])
async def live() -> JSONResponse:
    """Return that the process answers; a server that does not is started anew."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz", tags=["watching"], dependencies=[ANYBODY])
async def ready(request: Request) -> JSONResponse:
    """Return whether the server is ready: books writable, their tail verified, disk left, devices heard."""
    readiness: Readiness = request.app.state.readiness
    answer = await run_in_threadpool(readiness.look)
    return JSONResponse(answer.view(), answer.status)


@router.get("/metrics", tags=["watching"], dependencies=[WATCHER])
async def metrics(request: Request) -> Response:
    """Return the metrics in the format of Prometheus."""
    figures: Metrics = request.app.state.metrics
    text = await run_in_threadpool(figures.text)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/api/v1/openapi.json", include_in_schema=False, dependencies=[SIGNED_IN])
async def openapi(request: Request) -> dict[str, Any]:
    """Describe the API."""
    described: dict[str, Any] = request.app.openapi()
    return described
