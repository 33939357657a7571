"""The front page: the jackpots and the tables of a room, for anybody."""

import datetime
from typing import NamedTuple
from urllib.parse import quote

from pitboss.books import LEDGER, BookState, microseconds
from pitboss.games import find_game
from pitboss.jackpot import BONUS_SENTENCES, HITS, JACKPOTS, JackpotRecord
from pitboss.room.configurations import configuration_at
from pitboss.room.dealing.entries import DEALING, TableDealing
from pitboss.room.room import room_name, room_zone, tables_of
from pitboss.server.views.formatting import dollars, long_day
from pitboss.server.views.paytables import titled
from pitboss.tabulator import TABLES


class FrontJackpot(NamedTuple):
    """A jackpot: its title and type, the amount shown, its status (`open`, `pending` …) with its words, its tables."""

    name: str
    title: str
    kind: str
    cents: int | None
    amount: str
    status: str
    label: str
    tables: tuple[str, ...]
    vision: str

    @property
    def text(self) -> str:
        """The amount as an odometer takes it."""
        return self.amount


class FrontTable(NamedTuple):
    """A table: its name, its game, its jackpots, and the addresses of its pages; one that Pitboss deals is played."""

    name: str
    game: str
    jackpots: tuple[FrontJackpot, ...]
    vision: str
    console: str
    play: str


class FrontView(NamedTuple):
    """The front page of a room on a day: the largest meter that is played stands out."""

    room: str
    day: str
    sequence: int
    jackpots: tuple[FrontJackpot, ...]
    tables: tuple[FrontTable, ...]
    notice: str = ""

    @property
    def hero(self) -> FrontJackpot | None:
        """The largest meter, one that can be won before others."""
        meters = [jackpot for jackpot in self.jackpots if jackpot.cents is not None]
        return max(meters, key=lambda jackpot: (jackpot.status in _PLAYED, jackpot.cents or 0), default=None)

    @property
    def others(self) -> tuple[FrontJackpot, ...]:
        """Every jackpot but the largest."""
        return tuple(jackpot for jackpot in self.jackpots if jackpot != self.hero)


_PLAYED = ("open", "pending")
_STATUS_WORDS = {
    "pending": "Jackpot pending",
    "closed": "Not open",
    "suspended": "Not available",
    "down": "Not available",
}


def front_status(state: BookState, record: JackpotRecord) -> str:
    """Return how a jackpot stands for players: open, pending, closed, suspended, or down at all of its tables."""
    name, tables = record.jackpot.name, state.of(TABLES).tables
    if record.play != "open":
        return record.play
    linked = [tables[link.table] for link in record.jackpot.tables if link.table in tables]
    if linked and all(table.down is not None or table.life == "suspended" for table in linked):
        return "down"
    pending = any(hit.jackpot == name and not hit.is_finished for hit in state.of(HITS).open.values())
    return "pending" if pending else "open"


def _address(table: str) -> str:
    return f"/tables/{quote(table, safe='')}"


def _jackpot(state: BookState, record: JackpotRecord) -> FrontJackpot:
    jackpot, accounts = record.jackpot, state.of(LEDGER).get(record.jackpot.name)
    kind = "Progressive" if jackpot.is_progressive else "Bonus"
    status, tables = front_status(state, record), tuple(link.table for link in jackpot.tables)
    cents = None if accounts is None else accounts.meter_state.displayed_cents
    where = f"Table{'s' if len(tables) > 1 else ''} {', '.join(tables)}" if tables else ""
    return FrontJackpot(
        name=jackpot.name,
        title=titled(jackpot.game_and_wager(jackpot.offers[0])[1].title),
        kind=kind,
        cents=cents,
        amount="" if cents is None else dollars(cents),
        status=status,
        label=" · ".join(part for part in (_STATUS_WORDS.get(status, kind), where) if part),
        tables=tables,
        vision=f"{_address(tables[0])}/vision" if tables else "",
    )


def _table(state: BookState, table: str) -> FrontTable:
    records = state.of(JACKPOTS).at(table)
    configuration = configuration_at(state, table)
    is_dealt = state.of(DEALING).get(table, TableDealing()).cards == "dealt"
    games = [record.jackpot.offer_at(table).game for record in records]
    game = configuration.game if configuration is not None else next(iter(games), "")
    address = _address(table)
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
