"""The floor desk: every table at a glance, the queue, and alarms with their owners, as one person sees them."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pitboss.books import LEDGER, BookState
from pitboss.games import find_game
from pitboss.jackpot import HITS, JACKPOTS, JackpotRecord
from pitboss.room.alarms import OWNERS, ActiveAlarm, active_alarms
from pitboss.room.configurations import configuration_at
from pitboss.room.displays import DISPLAYS, shown_at
from pitboss.server.views.formatting import clock_text, dollars
from pitboss.server.views.paytables import titled
from pitboss.server.views.queue import NOBODY, ApprovalView, HitCard, Viewer, approval_views, hit_cards
from pitboss.server.views.table_state import room_name, room_zone, tables_of
from pitboss.tabulator import TABLES, TableRecord

_SENSOR_KINDS = ("silent", "stuck", "disagreeing", "fault", "refused", "clock", "link", "lost", "counter")
_OWNING = frozenset({"supervisor", "surveillance", "manager"})
_CLEARING = frozenset({"supervisor", "manager"})


class Health(NamedTuple):
    """How something is: good, warn, bad, or none where there is nothing; and why, in a few words."""

    state: str
    words: str


class FloorMeter(NamedTuple):
    """A meter of a table: its title, its amount, and whether it is played."""

    name: str
    title: str
    amount: str
    play: str


class FloorTable(NamedTuple):
    """A table at a glance."""

    name: str
    game: str
    state: str
    told: str
    dealer: str
    round: int
    meters: tuple[FloorMeter, ...]
    sensors: Health
    displays: Health
    vision: str
    console: str


class AlarmView(NamedTuple):
    """An alarm: what, where and since when; who has it; and what this person can do about it.

    A sign that is set by hand is confirmed: `shows` has by jackpot what it must show.
    """

    key: str
    kind: str
    table: str
    words: str
    since: str
    owner: str
    may_take: bool
    may_clear: bool
    malfunction: int
    due: str
    reported: bool
    sign: str = ""
    shows: tuple[tuple[str, int, str], ...] = ()


class FloorView(NamedTuple):
    """The floor desk after the entry of this sequence."""

    room: str
    sequence: int
    tables: tuple[FloorTable, ...]
    hits: tuple[HitCard, ...]
    approvals: tuple[ApprovalView, ...]
    alarms: tuple[AlarmView, ...]

    @property
    def summary(self) -> tuple[tuple[str, int, str], ...]:
        """How much there is to do, for who looks from afar, and where on the page it is."""
        unowned = sum(not each.owner for each in self.alarms)
        is_open = sum(each.state != "closed" for each in self.tables)
        return (
            (f"table{_s(is_open)} open", is_open, "tables-title"),
            (f"hit{_s(len(self.hits))} being handled", len(self.hits), "hits-title"),
            ("waiting for approval", len(self.approvals), "approvals-title"),
            (f"alarm{_s(unowned)} without an owner", unowned, "alarms-title"),
        )


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _meters(state: BookState, table: str) -> tuple[FloorMeter, ...]:
    ledger = state.of(LEDGER)

    def meter(record: JackpotRecord) -> FloorMeter:
        jackpot = record.jackpot
        title = titled(jackpot.game_and_wager(jackpot.offer_at(table))[1].title)
        accounts = ledger.get(jackpot.name)
        amount = "" if accounts is None else dollars(accounts.meter_state.displayed_cents)
        return FloorMeter(jackpot.name, title, amount, record.play)

    return tuple(meter(record) for record in state.of(JACKPOTS).at(table))


def _sensors(state: BookState, record: TableRecord | None) -> Health:
    if record is None:
        return Health("none", "no equipment")
    room = state.of(TABLES)
    if record.down is not None:
        return Health("bad", "equipment down")
    device = room.devices.get(record.setup.device)
    if device is not None and device.lost:
        return Health("bad", "line lost")
    alarms = [each for each in room.alarms.values() if each.table == record.table and each.kind in _SENSOR_KINDS]
    if alarms:
        return Health("warn", f"{len(alarms)} alarm{_s(len(alarms))}")
    return Health("good", "counted by hand" if record.is_by_hand else f"{len(record.setup.sensors)} sensors")


def _displays(state: BookState, table: str, has_jackpot: bool) -> Health:
    records = [each for each in state.of(DISPLAYS).values() if each.active and each.display.table == table]
    if not records:
        return Health("bad", "no display (T-04)") if has_jackpot else Health("none", "no jackpot shown")
    true = sum(each.is_true for each in records)
    if true == len(records):
        return Health("good", f"{true} display{_s(true)} showing")
    if true:
        return Health("warn", f"{true} of {len(records)} displays showing")
    unseen = all(each.condition == "unseen" for each in records)
    return Health("warn", "display not heard yet") if unseen else Health("bad", f"display {records[0].condition}")


def _state(state: BookState, table: str, record: TableRecord | None) -> tuple[str, str]:
    if any(hit.table == table and not hit.is_finished for hit in state.of(HITS).open.values()):
        return "hit", "hit"
    if record is None:
        return "closed", "not set up"
    if record.life == "suspended":
        return "suspended", "suspended"
    if record.life == "closed":
        return "closed", "closed"
    return "open", "in play" if record.phase == "tabulated" else "open"


def _table(state: BookState, table: str) -> FloorTable:
    record, configuration = state.of(TABLES).tables.get(table), configuration_at(state, table)
    meters = _meters(state, table)
    known = [each.jackpot.offer_at(table).game for each in state.of(JACKPOTS).at(table)]
    games = [record.setup.game] if record is not None else [configuration.game] if configuration is not None else known
    address = f"/tables/{quote(table, safe='')}"
    short, told = _state(state, table, record)
    return FloorTable(
        name=table,
        game=find_game(games[0]).title if games else "",
        state=short,
        told=told,
        dealer="" if record is None else record.dealer,
        round=0 if record is None else record.round,
        meters=meters,
        sensors=_sensors(state, record),
        displays=_displays(state, table, bool(meters)),
        vision=f"{address}/vision",
        console=f"{address}/console",
    )


def _alarm(found: ActiveAlarm, owner: str, viewer: Viewer, zone: ZoneInfo) -> AlarmView:
    may_clear = bool(viewer.roles & _CLEARING) and found.kind != "display"
    return AlarmView(
        key=found.key,
        kind=found.kind,
        table=found.table,
        words=found.words,
        since=clock_text(found.since, zone, with_day=True),
        owner=owner,
        may_take=bool(viewer.roles & _OWNING) and owner != viewer.name,
        may_clear=may_clear,
        malfunction=found.malfunction,
        due=clock_text(found.due, zone, with_day=True) if found.due else "",
        reported=found.reported,
    )


def _sign(state: BookState, view: AlarmView, viewer: Viewer) -> AlarmView:
    """Let the floor confirm a sign that is set by hand, by the amounts it must show now (T-05)."""
    record = state.of(DISPLAYS).get(view.key.removeprefix("display ")) if view.kind == "display" else None
    if record is None or record.display.make != "sign" or not viewer.roles & _CLEARING:
        return view
    shows = tuple((name, cents, dollars(cents)) for name, cents in shown_at(state, view.table).items())
    return view._replace(sign=record.display.name, shows=shows)


def floor_view(state: BookState, viewer: Viewer = NOBODY, *, everything: bool = False) -> FloorView:
    """Work the floor desk out, as it is for this person; alarms that nobody has come first."""
    zone, owners = room_zone(state), state.of(OWNERS)
    names = {each.key: owners[each.key].name if each.key in owners else "" for each in active_alarms(state)}
    alarms = [_sign(state, _alarm(each, names[each.key], viewer, zone), viewer) for each in active_alarms(state)]
    return FloorView(
        room=room_name(state),
        sequence=state.sequence,
        tables=tuple(_table(state, table) for table in tables_of(state)),
        hits=hit_cards(state, viewer),
        approvals=approval_views(state, viewer, everything=everything),
        alarms=tuple(sorted(alarms, key=lambda each: bool(each.owner))),
    )


def floor_live(state: BookState) -> dict[str, Any]:
    """What an open floor desk must know of a new state: its shape, and the amounts that move while the shape stays."""
    view = floor_view(state, everything=True)
    texts = {f"meter:{each.name}": each.amount for table in view.tables for each in table.meters}
    rounds = {f"round:{table.name}": str(table.round) for table in view.tables}
    still = [
        table._replace(round=0, meters=tuple(each._replace(amount="") for each in table.meters))
        for table in view.tables
    ]
    said = json.dumps(view._replace(sequence=0, tables=tuple(still)), ensure_ascii=False)
    return {"shape": hashlib.sha256(said.encode()).hexdigest()[:16], "texts": texts | rounds}
