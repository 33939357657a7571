"""The state of a table that its pages are built from, at one sequence of the journal."""

import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import LEDGER, BookState, Instant, microseconds
from pitboss.jackpot import HITS, JACKPOTS, REMOVALS, Hit, HitState, JackpotRecord
from pitboss.room.configurations import configuration_at
from pitboss.room.dealing.entries import DEALING, TableDealing
from pitboss.room.room import room_name, room_zone
from pitboss.room.slides import Promotion, showing
from pitboss.table import Configuration
from pitboss.tabulator import TABLES
from pitboss.tabulator.availability import Block, jackpot_block


class JackpotAtTable(NamedTuple):
    """A jackpot of the table: record, displayed cents once it was opened, open hits, notice of its removal (J-17).

    `block` is why its wager is not taken at this table, though the jackpot itself may be open.
    """

    record: JackpotRecord
    cents: int | None
    hits: tuple[Hit, ...]
    removal: str = ""
    block: Block = ""


class TableState(NamedTuple):
    """A table as the books have it after the entry of this sequence, looked at in an instant."""

    room: str
    zone: ZoneInfo
    table: str
    sequence: int
    day: datetime.date
    configuration: Configuration | None
    jackpots: tuple[JackpotAtTable, ...]
    promotions: tuple[Promotion, ...]
    at: Instant = 0


def _jackpot(state: BookState, record: JackpotRecord, block: Block) -> JackpotAtTable:
    accounts = state.of(LEDGER).get(record.jackpot.name)
    hits = (hit for hit in state.of(HITS).open.values() if hit.jackpot == record.jackpot.name)
    handled = tuple(hit for hit in hits if not hit.is_finished and hit.state is not HitState.REJECTED)
    notice = state.parts.get(REMOVALS.name, {}).get(record.jackpot.name)
    cents = None if accounts is None else accounts.meter_state.displayed_cents
    return JackpotAtTable(record, cents, handled, "" if notice is None else notice.sentence(state), block)


def table_state(state: BookState, table: str, now: datetime.datetime) -> TableState:
    """Return what concerns a table of the state of the books."""
    zone = room_zone(state)
    day = now.astimezone(zone).date()
    block = jackpot_block(state, table)
    return TableState(
        room=room_name(state, microseconds(now)),
        zone=zone,
        table=table,
        sequence=state.sequence,
        day=day,
        configuration=configuration_at(state, table),
        jackpots=tuple(_jackpot(state, record, block) for record in state.of(JACKPOTS).at(table)),
        promotions=showing(state, table, day),
        at=microseconds(now),
    )


def state_words(state: BookState, table: str) -> tuple[str, str]:
    """Return the state of a table by its short name and in the words of every page: open, In play."""
    record = state.of(TABLES).tables.get(table)
    if any(hit.table == table and not hit.is_finished for hit in state.of(HITS).open.values()):
        return "hit", "Jackpot pending"
    if state.of(DEALING).get(table, TableDealing()).cards == "dealt":
        return "dealt", "Dealt by Pitboss"
    if record is None:
        return "closed", "Not set up"
    if record.life == "suspended":
        return "suspended", "Jackpots suspended"
    if record.life == "closed":
        return "closed", "Closed"
    return "open", "In play" if record.phase == "tabulated" else "Open"


def unavailable_tables(state: BookState, record: JackpotRecord) -> tuple[str, ...]:
    """Return the tables of a jackpot that take no wagers on it now; of one that is not open that is told as such."""
    if record.play != "open":
        return ()
    return tuple(link.table for link in record.jackpot.tables if jackpot_block(state, link.table))
