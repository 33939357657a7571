"""The state of a table that its pages are built from, at one sequence of the journal."""

import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import LEDGER, BookState, Instant, microseconds
from pitboss.jackpot import HITS, JACKPOTS, REMOVALS, Hit, HitState, JackpotRecord
from pitboss.room.configurations import configuration_at
from pitboss.room.dealing.entries import DEALING, TableDealing
from pitboss.room.people.people import PEOPLE
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


def _jackpot(state: BookState, record: JackpotRecord) -> JackpotAtTable:
    accounts = state.of(LEDGER).get(record.jackpot.name)
    hits = (hit for hit in state.of(HITS).open.values() if hit.jackpot == record.jackpot.name)
    handled = tuple(hit for hit in hits if not hit.is_finished and hit.state is not HitState.REJECTED)
    notice = state.parts.get(REMOVALS.name, {}).get(record.jackpot.name)
    cents = None if accounts is None else accounts.meter_state.displayed_cents
    return JackpotAtTable(record, cents, handled, "" if notice is None else notice.sentence(state))


class _Shared:
    """What the tables of a room have in common: a look at all displays asks for each of them in one state."""

    def __init__(self, state: BookState, now: datetime.datetime) -> None:
        self.state, self.now, self.zone = state, now, room_zone(state)
        self.instant = microseconds(now)
        self.day, self.room = now.astimezone(self.zone).date(), room_name(state, self.instant)
        self.jackpots: dict[str, list[JackpotAtTable]] = {}
        for record in state.of(JACKPOTS).jackpots.values():
            seen = _jackpot(state, record)
            for table in {link.table for link in record.jackpot.tables}:
                self.jackpots.setdefault(table, []).append(seen)


class _Look:
    """The last look at a room; threads that look at other states replace it, and each has what it asked for."""

    def __init__(self) -> None:
        self._last: _Shared | None = None

    def at(self, state: BookState, now: datetime.datetime) -> _Shared:
        """Return what the tables have in common in a state, at a time."""
        last = self._last
        if last is None or last.state is not state or last.now != now:
            last = self._last = _Shared(state, now)
        return last


_look = _Look()


def table_state(state: BookState, table: str, now: datetime.datetime) -> TableState:
    """Return what concerns a table of the state of the books."""
    shared, block = _look.at(state, now), jackpot_block(state, table)
    jackpots = shared.jackpots.get(table, ())
    return TableState(
        room=shared.room,
        zone=shared.zone,
        table=table,
        sequence=state.sequence,
        day=shared.day,
        configuration=configuration_at(state, table),
        jackpots=tuple(seen._replace(block=block) if block else seen for seen in jackpots),
        promotions=showing(state, table, shared.day),
        at=shared.instant,
    )


def dealer_at(state: BookState, table: str) -> str:
    """Return who deals at a table: who is in charge of it; where nobody can be, who has tapped in; or nothing."""
    record, tapped = state.of(TABLES).tables.get(table), state.of(PEOPLE).dealer_at(table)
    in_charge = "" if record is None else record.dealer
    return in_charge or ("" if tapped is None else tapped.name)


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
