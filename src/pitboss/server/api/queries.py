"""Reading what stands in the books: jackpots, hits, tables, entries, and figures, which a worker may compute."""

import datetime
import json
from http import HTTPStatus
from itertools import islice
from typing import Annotated, Any, Literal

from fastapi import Path, Query, Request, Response
from pydantic import BaseModel

from pitboss.books import LEDGER
from pitboss.commands.command import BOOK
from pitboss.games import UnknownGameError, find_game
from pitboss.jackpot import HITS, JACKPOTS
from pitboss.jackpot.escrow import escrow_of, forecast_of, warnings
from pitboss.jackpot.hits.values import without_papers
from pitboss.room.people.roles import ANYONE, PAPER_READERS, PEOPLE_ROLES, READERS
from pitboss.room.room import Room, tables_of
from pitboss.server.api.schemas import Name, api_router
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.live import hit_view, jackpot_view, room_view, table_view
from pitboss.server.problems import NoTableError, ProblemError
from pitboss.server.views.formatting import time_of
from pitboss.server.worker.jobs import DisplayExplanationJob, HitExplanationJob, OddsJob
from pitboss.server.worker.pool import awaited_figure, figure_of
from pitboss.tabulator import TABLES

router = api_router("reading")
ANYBODY, READER, PERSON = allow(ANYONE), allow(*READERS, pin=False), allow(*PEOPLE_ROLES, "console")
Sequence = Annotated[int, Path(ge=0, le=2**53)]
Json = dict[str, Any]


class Head(BaseModel):
    """Where the room's book ends: the last entry and its hash, as printed on slips and reports."""

    book: str
    sequence: int
    head: str
    halted: list[str]


def _now(room: Room) -> datetime.datetime:
    return time_of(room.clock())


def _existing_jackpot(room: Room, name: str) -> str:
    if name not in room.state.of(JACKPOTS).jackpots:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no jackpot {name!r}"])
    return name


@router.get("/room", dependencies=[ANYBODY])
def room_now(room: CurrentRoom) -> Json:
    """The room in short: jackpots with what they display, and tables."""
    return room_view(room.state, "", _now(room))


@router.get("/jackpots/{name}", dependencies=[ANYBODY])
def jackpot(name: str, room: CurrentRoom) -> Json:
    """A jackpot as it is posted."""
    return jackpot_view(room.state, _existing_jackpot(room, name), _now(room))


@router.get("/jackpots/{name}/accounts", dependencies=[READER])
def accounts(name: str, room: CurrentRoom) -> Json:
    """The definition of a jackpot, its balances and counters, and how its escrow stands."""
    state, now = room.state, room.clock()
    record, ledger = state.of(JACKPOTS).jackpots[_existing_jackpot(room, name)], state.of(LEDGER).get(name)
    view: Json = {"definition": record.jackpot.to_json(), "play": record.play, "balances": {}, "escrow": None}
    if ledger is not None:
        view["balances"] = {str(account): units for account, units in ledger.balances.items()}
        if record.jackpot.is_progressive:
            escrow, forecast = escrow_of(record, ledger, now), forecast_of(record, ledger, now)
            view["escrow"] = {**escrow._asdict(), "age_days": escrow.age_days, "short_in_days": forecast.days(now)}
    return view


@router.get("/jackpots/{name}/explanation", dependencies=[READER])
def explanation(request: Request, name: str, room: CurrentRoom) -> Json:
    """Why a display shows what it shows, part by part, back to its seed."""
    state = room.state
    if name not in state.of(LEDGER):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no jackpot {name!r} that was opened"])
    return awaited_figure(request, room, DisplayExplanationJob(path=str(room.path), jackpot=name, entry=state.sequence))


def reads_papers(caller: Caller) -> bool:
    """True if somebody has signed in who reads winners' papers (G-70)."""
    return caller.console is None and bool(caller.roles & set(PAPER_READERS))


@router.get("/hits")
def hits(room: CurrentRoom, caller: Annotated[Caller, allow(*READERS, "dealer", "console")]) -> list[Json]:
    """The hits that are not finished; names and identification of winners for who reads their papers."""
    with_papers = reads_papers(caller)
    return [hit_view(hit, with_papers=with_papers) for hit in room.state.of(HITS).open.values() if not hit.is_finished]


@router.get("/hits/{number}/explanation", dependencies=[READER])
def hit_explanation(request: Request, number: Sequence, room: CurrentRoom) -> Json:
    """A hit from its prizes back to cards, rows, clauses, rulings, the meter and the entries."""
    return awaited_figure(request, room, HitExplanationJob(path=str(room.path), hit=number, entry=room.state.sequence))


@router.get("/tables/{table}", dependencies=[PERSON])
def table(table: str, room: CurrentRoom) -> Json:
    """A table: who deals, its jackpots, equipment and the last round."""
    state = room.state
    if table not in (*tables_of(state), *state.of(TABLES).tables):
        raise NoTableError(table)
    return table_view(state, table, _now(room))


@router.get("/alarms", dependencies=[allow(*READERS)])
def alarms(room: CurrentRoom) -> Json:
    """What somebody must look at: alarms, malfunctions and their clocks, devices that are not heard, escrow."""
    tables = room.state.of(TABLES)
    return {
        "alarms": [alarm._asdict() for alarm in tables.alarms.values()],
        "malfunctions": [malfunction._asdict() for malfunction in tables.malfunctions.values()],
        "devices": [device._asdict() for device in tables.devices.values() if device.lost],
        "warnings": warnings(room.state, room.clock()),
    }


@router.get("/head", dependencies=[READER])
def head(room: CurrentRoom) -> Head:
    """Where the room's book ends."""
    state = room.state
    halted = [str(damage) for damage in room.books.halted]
    halted += [room.books.clock_jump] if room.books.clock_jump else []
    return Head(book=BOOK, sequence=state.sequence, head=state.digest.hex(), halted=halted)


@router.get("/entries")
def entries(
    room: CurrentRoom,
    caller: Annotated[Caller, READER],
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    most: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> list[Json]:
    """Entries of the journal in order, whole, with their hashes."""
    whole = reads_papers(caller)
    stretch = islice(room.books.store.entries(BOOK, after, min(after + most, room.state.sequence)), most)
    return [
        {
            **entry._asdict(),
            "payload": json.loads(entry.payload) if whole else without_papers(json.loads(entry.payload)),
            "request": entry.request.hex(),
            "previous": entry.previous.hex(),
            "digest": entry.digest.hex(),
        }
        for entry in stretch
    ]


figures_router = api_router("figures")


class FigureStatus(BaseModel):
    """A figure: being computed, ready, or failed with the reason; `topic` is where the stream says when it is there."""

    key: str
    status: Literal["computing", "ready", "failed"]
    figure: dict[str, Any] | None
    words: str
    topic: str


@figures_router.get("/odds", dependencies=[allow(*PEOPLE_ROLES)])
def odds(
    request: Request,
    response: Response,
    game: Name,
    wager: Name,
    paytable: Annotated[list[Name], Query(max_length=8, description="One for each slot of the wager.")],
    decks: Annotated[int | None, Query(ge=1, le=8)] = None,
    jackpot_type: Literal["progressive", "bonus"] = "progressive",
) -> FigureStatus:
    """The exact odds of a wager: at once where they are counted, else 202: ask again when the stream says so."""
    try:
        wagers = find_game(game).by_name
    except UnknownGameError as error:
        raise ProblemError(HTTPStatus.NOT_FOUND, [str(error)]) from None
    if wager not in wagers:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"{game} has no wager {wager!r}; it has: {', '.join(wagers)}"])
    job = OddsJob(game=game, wager=wager, paytables=paytable, decks=decks, jackpot_type=jackpot_type)
    figure = figure_of(request, job)
    if figure.status == "computing":
        response.status_code = HTTPStatus.ACCEPTED
    return FigureStatus(**figure.view(), topic=f"figure:{figure.key}")
