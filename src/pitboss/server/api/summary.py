"""A room in one answer, for whoever looks at many: meters, hits, exposure, exceptions, health, and actual beside exact.

Every figure is that of a page or a report of the room: nothing is computed here that is computed elsewhere.
"""

import datetime
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, Request

from pitboss.books import LEDGER, ROOM, BookState, microseconds
from pitboss.jackpot import HITS, JACKPOTS
from pitboss.jackpot.escrow import escrow_of
from pitboss.jackpot.state import JackpotRecord
from pitboss.jackpot.titles import jackpot_title
from pitboss.papers.readiness import table_costs
from pitboss.reports import ACCOUNTING
from pitboss.room.room import Room, room_zone
from pitboss.room.settings import today_of
from pitboss.server.api.schemas import api_router
from pitboss.server.auth import CurrentRoom, allow
from pitboss.server.live import short_view
from pitboss.server.problems import ProblemError
from pitboss.server.views.formatting import time_of
from pitboss.server.views.shell import room_counts, shift_title
from pitboss.server.views.today import table_tiles
from pitboss.server.worker.pool import figure_of
from pitboss.server.worker.theory import TheoryJob
from pitboss.tabulator import TABLES

router: APIRouter = api_router("reading")
_DAYS = 365
Json = dict[str, Any]


@router.get("/summary", dependencies=[allow("accounting", "manager", "auditor", pin=False, awake=False)])
def summary(request: Request, room: CurrentRoom) -> Json:
    """Everything that a company looks at in one room; `theory` is of ended gambling days, and null while it is made."""
    return {**room_summary(room), "theory": _theory(request, room, room.clock())}


def room_summary(room: Room) -> Json:
    """Return what the state of a room has for its company."""
    state, now = room.state, room.clock()
    return {
        "room": room.name,
        "zone": room_zone(state).key,
        "at": now,
        **_day(state, now),
        "health": _health(room, state),
        "tables": _tables(state, now),
        "jackpots": [_jackpot(state, record, now) for _, record in sorted(state.of(JACKPOTS).jackpots.items())],
        "pending": [_pending(state, hit) for hit in state.of(HITS).open.values() if not hit.is_finished],
        "exceptions": len(state.of(ACCOUNTING).open),
    }


def _day(state: BookState, now: int) -> Json:
    calendar = state.of(ROOM)
    if calendar is None:
        return {"day": "", "shift": ""}
    shift = calendar.shift(time_of(now))
    return {"day": shift.day.isoformat(), "shift": shift_title(shift.name)}


def _health(room: Room, state: BookState) -> Json:
    devices = state.of(TABLES).devices.values()
    return {
        "status": "halted" if room.books.is_halted else "unwritable" if room.books.unwritable else "ok",
        "sequence": state.sequence,
        "head": state.digest.hex(),
        "alerts": room_counts(state).alerts,
        "devices_lost": sum(bool(device.lost) for device in devices),
    }


def _tables(state: BookState, now: int) -> Json:
    """Count the tables, and return what one seat can win at most in one round at the meters as they stand."""
    calendar = state.of(ROOM)
    tiles = table_tiles(state, "")
    costs = {} if calendar is None else table_costs(state, today_of(calendar, now), now)
    return {
        "all": len(tiles),
        "open": sum(tile.state not in ("closed", "dealt") for tile in tiles),
        "largest_cents": max((cost.round_cents for cost in costs.values()), default=0),
    }


def _jackpot(state: BookState, record: JackpotRecord, now: int) -> Json:
    """Return a jackpot: what it shows, where it is, and what was counted and paid since it was opened."""
    jackpot, accounts = record.jackpot, state.of(LEDGER).get(record.jackpot.name)
    view: Json = {
        **short_view(state, record),
        "title": jackpot_title(state, jackpot.name),
        "locations": sorted({link.location for link in jackpot.tables}),
        "rates": [jackpot.meter.display_units, jackpot.meter.reserve_units],
        "wagers": 0,
        "hits": 0,
        "won_cents": 0,
        "undeposited_units": 0,
        "is_short": False,
    }
    if accounts is None:
        return view
    meter = accounts.meter_state
    view["wagers"] = meter.wagers_counted - meter.wagers_reversed
    view["hits"] = meter.hits - meter.hits_rejected
    view["won_cents"] = meter.won_cents - meter.won_rejected_cents
    if jackpot.is_progressive:
        escrow = escrow_of(record, accounts, now)
        view["undeposited_units"], view["is_short"] = escrow.undeposited_units, escrow.is_short
    return view


def _pending(state: BookState, hit: Any) -> Json:
    title = jackpot_title(state, hit.jackpot)
    unpaid = sum(won.cents for won in hit.unpaid)
    place = {"number": hit.number, "table": hit.table, "title": title}
    return {**place, "cents": hit.cents, "unpaid_cents": unpaid, "state": hit.state.value}


def _theory(request: Request, room: Room, now: int) -> Json | None:
    """Return hits and accrual beside what is to be expected, of the gambling days that are over: once a day."""
    calendar = room.state.of(ROOM)
    if calendar is None:
        return None
    today = today_of(calendar, now)
    first, last = today - datetime.timedelta(days=_DAYS), today - datetime.timedelta(days=1)
    begun = microseconds(calendar.begins(today))
    job = TheoryJob(path=str(room.path), first=first.isoformat(), last=last.isoformat(), at=begun)
    with suppress(ProblemError):
        figure = figure_of(request, job)
        if figure.status == "ready":
            value: Json = figure.value
            return value
        if figure.status == "failed":
            return {"failed": figure.words}
    return None
