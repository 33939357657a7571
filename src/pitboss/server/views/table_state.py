"""The state of a table that its pages are built from, at one sequence of the journal."""

import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import LEDGER, BookState, microseconds
from pitboss.jackpot import HITS, JACKPOTS, REMOVALS, Hit, HitState, JackpotRecord
from pitboss.room.configurations import configuration_at
from pitboss.room.room import room_name, room_zone
from pitboss.room.slides import Promotion, showing
from pitboss.table import Configuration


class JackpotAtTable(NamedTuple):
    """A jackpot of the table: record, displayed cents once it was opened, open hits, notice of its removal (J-17)."""

    record: JackpotRecord
    cents: int | None
    hits: tuple[Hit, ...]
    removal: str = ""


class TableState(NamedTuple):
    """A table as the books have it after the entry of this sequence."""

    room: str
    zone: ZoneInfo
    table: str
    sequence: int
    day: datetime.date
    configuration: Configuration | None
    jackpots: tuple[JackpotAtTable, ...]
    promotions: tuple[Promotion, ...]


def _jackpot(state: BookState, record: JackpotRecord) -> JackpotAtTable:
    accounts = state.of(LEDGER).get(record.jackpot.name)
    hits = (hit for hit in state.of(HITS).open.values() if hit.jackpot == record.jackpot.name)
    handled = tuple(hit for hit in hits if not hit.is_finished and hit.state is not HitState.REJECTED)
    notice = state.parts.get(REMOVALS.name, {}).get(record.jackpot.name)
    cents = None if accounts is None else accounts.meter_state.displayed_cents
    return JackpotAtTable(record, cents, handled, "" if notice is None else notice.sentence)


def table_state(state: BookState, table: str, now: datetime.datetime) -> TableState:
    """Return what concerns a table of the state of the books."""
    zone = room_zone(state)
    day = now.astimezone(zone).date()
    return TableState(
        room=room_name(state, microseconds(now)),
        zone=zone,
        table=table,
        sequence=state.sequence,
        day=day,
        configuration=configuration_at(state, table),
        jackpots=tuple(_jackpot(state, record) for record in state.of(JACKPOTS).at(table)),
        promotions=showing(state, table, day),
    )
