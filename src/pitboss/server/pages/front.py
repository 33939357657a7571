"""The front page: what is on in the room, for anybody."""

import datetime
from typing import Annotated, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from pitboss.books import LEDGER, BookState, microseconds
from pitboss.games import find_game
from pitboss.jackpot import BONUS_SENTENCES, HITS, JACKPOTS, JackpotRecord
from pitboss.room.configurations import configuration_at
from pitboss.room.dealing.entries import DEALING, TableDealing
from pitboss.room.people.roles import ANYONE
from pitboss.room.room import room_name, room_zone, tables_of
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.console import CONSOLE_ROLES
from pitboss.server.pages.layout import render
from pitboss.server.views.formatting import dollars, long_day, time_of
from pitboss.server.views.paytables import titled
from pitboss.server.views.table_state import unavailable_tables

_PLAY = {"open": "open", "closed": "not open", "suspended": "not available"}


class FrontJackpot(NamedTuple):
    """A jackpot: its title, type, amount, whether it is played, whether a hit is pending, and its tables.

    `unavailable` are those of its tables that take no wagers on it now, by what refuses them there.
    """

    name: str
    title: str
    kind: str
    amount: str
    play: str
    label: str
    tables: tuple[str, ...]
    unavailable: tuple[str, ...] = ()


class FrontTable(NamedTuple):
    """A table: its name, its game, its jackpots, and the addresses of its pages; one that Pitboss deals is played."""

    name: str
    game: str
    jackpots: tuple[FrontJackpot, ...]
    vision: str
    console: str
    play: str


class FrontView(NamedTuple):
    """The front page of a room on a day."""

    room: str
    day: str
    sequence: int
    jackpots: tuple[FrontJackpot, ...]
    tables: tuple[FrontTable, ...]
    notice: str = ""


def _title(record: JackpotRecord) -> str:
    jackpot = record.jackpot
    return titled(jackpot.game_and_wager(jackpot.offers[0])[1].title)


def _jackpot(state: BookState, record: JackpotRecord) -> FrontJackpot:
    jackpot, accounts = record.jackpot, state.of(LEDGER).get(record.jackpot.name)
    pending = any(hit.jackpot == jackpot.name and not hit.is_finished for hit in state.of(HITS).open.values())
    return FrontJackpot(
        name=jackpot.name,
        title=_title(record),
        kind="Progressive" if jackpot.is_progressive else "Bonus",
        amount="" if accounts is None else dollars(accounts.meter_state.displayed_cents),
        play=record.play,
        label="hit, being handled" if pending and record.play == "open" else _PLAY[record.play],
        tables=tuple(link.table for link in jackpot.tables),
        unavailable=unavailable_tables(state, record),
    )


def _table(state: BookState, table: str) -> FrontTable:
    records = state.of(JACKPOTS).at(table)
    configuration = configuration_at(state, table)
    is_dealt = state.of(DEALING).get(table, TableDealing()).cards == "dealt"
    games = [record.jackpot.offer_at(table).game for record in records]
    game = configuration.game if configuration is not None else next(iter(games), "")
    address = f"/tables/{quote(table, safe='')}"
    return FrontTable(
        name=table,
        game=find_game(game).title if game else "",
        jackpots=tuple(_jackpot(state, record) for record in records),
        vision=f"{address}/vision",
        console=f"{address}/console",
        play=f"{address}/play" if is_dealt else "",
    )


def front_view(state: BookState, now: datetime.datetime) -> FrontView:
    """Build the front page; where a Bonus amount stands, so do the sentences that belong to it (J-06)."""
    tables = tuple(_table(state, table) for table in tables_of(state))
    records = state.of(JACKPOTS).jackpots
    # In the order of the tables, and at the end those that are at no table.
    order = dict.fromkeys((*(jackpot.name for table in tables for jackpot in table.jackpots), *records))
    return FrontView(
        room=room_name(state, microseconds(now)),
        day=long_day(now.astimezone(room_zone(state)).date()),
        sequence=state.sequence,
        jackpots=tuple(_jackpot(state, records[name]) for name in order),
        tables=tables,
        notice="" if all(record.jackpot.is_progressive for record in records.values()) else BONUS_SENTENCES,
    )


router = APIRouter(include_in_schema=False)


@router.get("/")
def front_page(request: Request, caller: Annotated[Caller, allow(ANYONE)], room: CurrentRoom) -> Response:
    """Show what is on, the meters, and where the pages are."""
    state = room.state
    context = {
        "view": front_view(state, time_of(room.clock())),
        "zone": room_zone(state).key,
        "may_deal": bool(caller.roles & CONSOLE_ROLES),
        "parts": ("age",),
    }
    return render(request, "front.html", context)
