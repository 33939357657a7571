"""The application: every route of every area, the checks around them, and what happens beside them."""

import asyncio
import datetime
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI, Response
from starlette.concurrency import run_in_threadpool
from starlette.staticfiles import StaticFiles

from pitboss.books import ROOM, BookState, StoreError
from pitboss.books.store.base import AwayError
from pitboss.learn.practice import PracticeSessions
from pitboss.learn.training import TrainingRuns
from pitboss.papers.posting import review_papers
from pitboss.room.room import Room, room_locale
from pitboss.room.settings import today_of
from pitboss.server.api import health, people, queries, stream, summary
from pitboss.server.api.commands import approvals_router, command_routers, dealt_router
from pitboss.server.api.schemas import DescribedApp
from pitboss.server.auth import Cookies, caller_of, guard_bodies, require_declared_roles, roles_by_page
from pitboss.server.live import TOPICS, Hub, figure_topic
from pitboss.server.metrics import AuditRun, Metrics, Readiness
from pitboss.server.middleware import Passage
from pitboss.server.pages import (
    console,
    displays,
    disputes,
    floor,
    fonts,
    front,
    hits,
    home,
    odds,
    office,
    play,
    practice,
    service,
    sign_in,
    training,
)
from pitboss.server.pages.layout import FOLDER, STATIC, compile_pages, environment, navigation_of
from pitboss.server.problems import add_handlers
from pitboss.server.settings import Listening
from pitboss.server.views.formatting import set_locale
from pitboss.server.worker.backups import back_up_when_due
from pitboss.server.worker.jobs import VerifyBooksJob
from pitboss.server.worker.pool import BusyError, Figure, Worker, is_long

_LOOK_SECONDS, _OPEN_SECONDS = 5, 1
_AUDIT_AFTER_SECONDS, _AUDIT_LOOK_SECONDS = 20, 60
_log = logging.getLogger(__name__)


ROUTERS = (
    # Routes are tried in this order, and what devices and displays send comes most often.
    people.equipment_router,
    front.router,
    fonts.router,
    home.router,
    sign_in.router,
    people.router,
    people.device_router,
    stream.router,
    queries.router,
    queries.figures_router,
    summary.router,
    dealt_router,
    approvals_router,
    console.router,
    play.router,
    odds.router,
    practice.router,
    training.router,
    office.router,
    floor.router,
    service.router,
    displays.router,
    disputes.router,
    hits.router,
    health.router,
)


def create_app(room: Room, listening: Listening | None = None, more: Iterable[APIRouter] = ()) -> FastAPI:
    """Build the application of a room; raises where a route declares no role."""
    listening = listening or Listening()
    app = DescribedApp(title="Pitboss", version="1", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_life)
    app.state.room = room
    room.access.factor_roles = frozenset(listening.second_factor)
    app.state.cookies = Cookies(listening.is_secure)
    app.state.templates = environment()
    app.state.is_demo, app.state.caller_of = listening.demo, caller_of
    app.state.worker = worker = Worker()
    app.state.practice, app.state.training = PracticeSessions(), TrainingRuns()
    room.services.probabilities.count, room.services.edges.count = worker.count_offer, worker.count_edges
    figures_topic = figure_topic(worker.keys, lambda key: (worker.figure(key) or Figure(key, "failed")).announcement())
    app.state.hub = Hub(localized_state(room), (*TOPICS, figures_topic), clock=room.clock)
    worker.on_ready = app.state.hub.moved
    app.state.readiness = Readiness(room, listening.disk_floor)
    app.state.metrics = Metrics(room, app.state.hub, worker, app.state.readiness, listening)
    app.state.ending = app.state.hub.end
    for router in (*ROUTERS, *command_routers(), *more, *_gallery(listening), *_demo(listening)):
        # Taken over as they are, and not by reference: so each can be looked at before the server starts.
        app.router.routes.extend(router.routes)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    if (FOLDER / "parts").is_dir():
        app.mount("/parts", _PartFiles(directory=FOLDER / "parts"), name="parts")
    app.state.navigation = navigation_of(roles_by_page(app.routes), room)
    add_handlers(app)
    require_declared_roles(app)
    guard_bodies(app)
    app.add_middleware(
        Passage, room=room, metrics=app.state.metrics, is_secure=listening.is_secure, hosts=listening.hosts
    )
    return app


def _gallery(listening: Listening) -> tuple[APIRouter, ...]:
    """The gallery of parts, where it is wanted: nobody else loads it."""
    if not listening.parts:
        return ()
    from pitboss.server.pages.gallery import router  # noqa: PLC0415

    return (router,)


def _demo(listening: Listening) -> tuple[APIRouter, ...]:
    """The pages on which anybody becomes anybody: of the demo alone."""
    if not listening.demo:
        return ()
    from pitboss.server.pages.demo import router  # noqa: PLC0415

    return (router,)


class _PartFiles(StaticFiles):
    """The style sheets and scripts of parts; not their templates."""

    async def get_response(self, path: str, scope: Any) -> Response:
        if not path.endswith((".css", ".js")):
            return Response(status_code=404)
        return await super().get_response(path, scope)


@asynccontextmanager
async def _life(app: FastAPI) -> AsyncIterator[None]:
    """Run the background tasks while the server runs."""
    room: Room = app.state.room
    hub: Hub = app.state.hub
    # Between two rounds there may be only seconds in which a configuration that is due can open.
    often: tuple[tuple[str, Callable[[], object], float], ...] = (
        ("the room", room.look_after, _LOOK_SECONDS),
        ("what is due", room.open_due, _OPEN_SECONDS),
        ("posted papers", partial(review_papers, room), _LOOK_SECONDS),
    )
    tasks = [asyncio.create_task(_look_after(room, name, do, seconds)) for name, do, seconds in often]
    tasks.append(asyncio.create_task(hub.run()))
    tasks.append(asyncio.create_task(_audit_daily(room, app.state.worker, app.state.metrics.audit)))
    tasks.append(asyncio.create_task(back_up_when_due(room, app.state.worker)))
    if is_long(room):
        # Where people have worked for long, the first who looks waits no longer than others.
        app.state.worker.warm()
        tasks.append(asyncio.create_task(run_in_threadpool(compile_pages, app.state.templates)))
    stop = room.when_moved(hub.moved)
    try:
        yield
    finally:
        stop()
        hub.end()
        app.state.worker.close()
        for task in tasks:
            task.cancel()


async def _audit_daily(room: Room, worker: Worker, run: AuditRun) -> None:
    """Check all books whole by the worker, in the background: after the start, and on every new gambling day.

    Where the store does not let them be read it is asked again at the next look, however often that fails.
    """
    await asyncio.sleep(_AUDIT_AFTER_SECONDS)
    audited: object = None
    key = ""
    while True:
        day = gambling_day(room)
        if day != audited and not room.books.is_halted and room.is_leader:
            # A worker that has too much to do is asked again.
            with suppress(BusyError):
                job = VerifyBooksJob(path=str(room.path), heads=[], at=room.clock(), halts=True)
                key, audited = worker.ask(job).key, day
        figure = worker.figure(key)
        if figure is not None and figure.status != "computing":
            if isinstance(figure.error, StoreError):
                audited = None
                _log.warning("the books could not be audited, which is tried again: %s", figure.words)
            # A database that is away says nothing about what is in it, and is told by itself.
            if not isinstance(figure.error, AwayError):
                run.at, run.is_sound = room.clock(), bool((figure.value or {}).get("sound"))
            key = ""
        await asyncio.sleep(_AUDIT_LOOK_SECONDS)


def gambling_day(room: Room) -> datetime.date | None:
    """Return the gambling day of now; nothing before the room has one."""
    calendar = room.state.of(ROOM)
    return None if calendar is None else today_of(calendar, room.clock())


async def _look_after(room: Room, name: str, do: Callable[[], object], seconds: float) -> None:
    """Repeat a watch; a failure is an alarm, and the watch goes on."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await run_in_threadpool(room.watch, name, do)
        except Exception:  # noqa: BLE001 - told in the log, and what else there is goes on
            _log.exception("looking after the room %s fails", room.path)


def localized_state(room: Room) -> Callable[[], BookState]:
    """Return a function that sets the room's locale and returns the state of its books."""

    def state() -> BookState:
        current = room.state
        set_locale(room_locale(current))
        return current

    return state
