"""The page of the displays: what each is and shows, and the log of a day: what was published, who was connected."""

import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from pitboss.books import LEDGER, ROOM, BookState, microseconds, part_at
from pitboss.commands.command import BOOK
from pitboss.jackpot import JACKPOTS
from pitboss.reports.journal import entries_of_kinds, last_before
from pitboss.room.displays import DISPLAYS
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.layout import render
from pitboss.server.views.displays import LogLine, LogStart, displays_view, log_lines, published, publishing_kinds
from pitboss.server.views.formatting import time_of
from pitboss.server.views.table_state import room_zone, tables_of

router = APIRouter(include_in_schema=False)
_LINES_MAX = 300


def _before_day(room: Room, state: BookState, after: int) -> LogStart:
    """Return the state at the begin of a day's log; displays and jackpots stand where they stand now."""
    ledger = part_at(room.books.store, BOOK, after, LEDGER)
    return LogStart(
        displays={name: (record.display.table,) for name, record in state.of(DISPLAYS).items()},
        jackpots={
            name: tuple(link.table for link in record.jackpot.tables)
            for name, record in state.of(JACKPOTS).jackpots.items()
        },
        units={name: accounts.balances["displayed"] for name, accounts in ledger.items()},
    )


def _log(room: Room, state: BookState, day: datetime.date, table: str) -> tuple[LogLine, ...]:
    """The log of a gambling day."""
    calendar, store, head = state.of(ROOM), room.books.store, state.sequence
    if calendar is None or not head:
        return ()
    after, upto = (
        last_before(store, BOOK, microseconds(calendar.begins(begin)), head)
        for begin in (day, day + datetime.timedelta(days=1))
    )
    records = published(entries_of_kinds(store, BOOK, publishing_kinds(), after, upto), _before_day(room, state, after))
    return log_lines(records, room_zone(state), table)


def _day(room: Room, state: BookState, text: str) -> tuple[datetime.date, datetime.date]:
    """The day asked for, and today, by the gambling days of the room; what is no day is today."""
    now, calendar = time_of(room.clock()), state.of(ROOM)
    today = now.date() if calendar is None else calendar.gambling_day(now)
    try:
        wanted_day = datetime.date.fromisoformat(text)
    except ValueError:
        return today, today
    least = today.replace(year=today.year - 20)
    return (wanted_day if least <= wanted_day <= today else today), today


@router.get("/floor/displays")
def displays(
    request: Request,
    _caller: Annotated[Caller, allow(*READERS)],
    room: CurrentRoom,
    day: Annotated[str, Query(max_length=10)] = "",
    table: Annotated[str, Query(max_length=120)] = "",
) -> Response:
    """Show every display, and what was published on a day."""
    state = room.state
    log_day, today = _day(room, state, day)
    lines = _log(room, state, log_day, table)
    context = {
        "view": displays_view(state, room.displays.last_beats(), room.clock()),
        "lines": lines[:_LINES_MAX],
        "more": max(0, len(lines) - _LINES_MAX),
        "day": log_day,
        "today": today,
        "before": log_day - datetime.timedelta(days=1),
        "after": log_day + datetime.timedelta(days=1),
        "table": table,
        "tables": tables_of(state),
    }
    return render(request, "displays.html", context)
