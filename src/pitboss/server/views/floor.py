"""The floor desk: every table at a glance, hits, approvals, and alarms with their owners, as one person sees them."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pitboss.books import LEDGER, BookState
from pitboss.games import find_game
from pitboss.jackpot import HITS, JACKPOTS, ConfirmWager, JackpotRecord, jackpot_title
from pitboss.jackpot.hits.state import Claimed
from pitboss.room.alarms import OWNERS, TROUBLE_KINDS, ActiveAlarm, TakeAlarm, active_alarms
from pitboss.room.configurations import configuration_at
from pitboss.room.displays import DISPLAYS, ConfirmDisplay, shown_at
from pitboss.room.posted_papers import paper_alarm
from pitboss.room.room import room_zone, tables_of
from pitboss.server.views.approvals import ApprovalCard, approval_cards
from pitboss.server.views.formatting import clock_text, dollars
from pitboss.server.views.hits import NO_CARDS, HitCard, Verified, hit_cards
from pitboss.server.views.office.papers import paper_statuses, papers_text
from pitboss.server.views.paytables import titled
from pitboss.server.views.service import service_address
from pitboss.server.views.table_state import state_words
from pitboss.server.views.viewer import HIDDEN, NOBODY, SOME_TEXT, Button, Viewer
from pitboss.tabulator import TABLES, ClearAlarm, EndMalfunction, OpenTable, ReportMalfunction, TableRecord
from pitboss.tabulator.descriptions import ALARM_TITLES

_KINDS = {
    **ALARM_TITLES,
    "device": "Device stuck",
    "time": "Clock jumped",
    "backup": "Backup",
    "malfunction": "Equipment problem",
    "display": "Display not confirmed",
    "no-display": "No display",
    "escrow": "Deposit shortfall",
    "paper": "Paper to post",
    "store": "Nothing can be saved",
    "watch": "A check of the server fails",
    "software": "The server's software was changed",
}
"""The titles of alerts by their kind."""
_CONDITIONS = {"unconfirmed": "not confirmed", "dark": "dark", "stale": "out of date", "unseen": "not seen yet"}
_SENSOR_KINDS = ("silent", "stuck", "disagreeing", "fault", "refused", "twin", "clock", "link", "lost", "counter")


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
    """A table at a glance, with the viewer's button to open it where it is closed."""

    name: str
    game: str
    state: str
    label: str
    dealer: str
    round: int
    meters: tuple[FloorMeter, ...]
    sensors: Health
    displays: Health
    vision: str
    console: str
    service: str = ""
    is_down: bool = False
    open: Button = HIDDEN
    papers: Health = Health("none", "")

    @property
    def still(self) -> "FloorTable":
        """The table without what moves from round to round."""
        return self._replace(round=0, meters=tuple(meter._replace(amount="") for meter in self.meters))


class AlarmView(NamedTuple):
    """An alarm: what, where, since when; its owner; the viewer's buttons; by jackpot what a sign must show."""

    key: str
    title: str
    table: str
    words: str
    since: str
    since_at: int
    owner: str
    malfunction: int
    due: str
    reported: bool
    take: Button = HIDDEN
    clear: Button = HIDDEN
    report: Button = HIDDEN
    mend: Button = HIDDEN
    confirm: Button = HIDDEN
    post: Button = HIDDEN
    paper: str = ""
    version: str = ""
    sign: str = ""
    shows: tuple[tuple[str, int, str], ...] = ()


class AddedSeat(NamedTuple):
    """A seat that one person put into a round, until surveillance has seen that its wager lay there (G-39)."""

    table: str
    round: int
    jackpot: str
    seat: int
    by: str
    confirm: Button
    title: str = ""


class FloorView(NamedTuple):
    """The floor desk after the entry of this sequence."""

    sequence: int
    tables: tuple[FloorTable, ...]
    hits: tuple[HitCard, ...]
    approvals: tuple[ApprovalCard, ...]
    alarms: tuple[AlarmView, ...]
    added: tuple[AddedSeat, ...] = ()

    @property
    def summary(self) -> tuple[tuple[str, int, str], ...]:
        """How much there is to do, for who looks from afar, and where on the page it is."""
        unowned = sum(not alarm.owner for alarm in self.alarms)
        is_open = sum(table.state not in ("closed", "dealt") for table in self.tables)
        return (
            (f"table{_s(is_open)} open", is_open, "tables-title"),
            (f"jackpot{_s(len(self.hits))} pending", len(self.hits), "hits-title"),
            (f"approval{_s(len(self.approvals))}", len(self.approvals), "approvals-title"),
            (f"unassigned alert{_s(unowned)}", unowned, "alarms-title"),
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
        return Health("none", "No equipment")
    room = state.of(TABLES)
    if record.down is not None:
        is_manual = record.down.method == "on-the-spot"
        return Health("bad", "Out of service: manual" if is_manual else "Out of service")
    device = room.devices.get(record.setup.device)
    if device is not None and device.lost:
        return Health("bad", "Link lost")
    alarms = [alarm for alarm in room.alarms.values() if alarm.table == record.table and alarm.kind in _SENSOR_KINDS]
    if alarms:
        return Health("warn", f"{len(alarms)} alert{_s(len(alarms))}")
    return Health("good", "Manual" if record.is_by_hand else f"{len(record.setup.sensors)} sensors")


def _displays(state: BookState, table: str, has_jackpot: bool) -> Health:
    records = [record for record in state.of(DISPLAYS).values() if record.active and record.display.table == table]
    if not records:
        return Health("bad", "No display") if has_jackpot else Health("none", "No display needed")
    true = sum(record.is_true for record in records)
    if true == len(records):
        return Health("good", "Display OK" if true == 1 else f"{true} displays OK")
    if true:
        return Health("warn", f"{true} of {len(records)} displays OK")
    unseen = all(record.condition == "unseen" for record in records)
    condition = _CONDITIONS.get(records[0].condition, records[0].condition)
    return Health("warn", "Display not seen yet") if unseen else Health("bad", f"Display {condition}")


def _table(state: BookState, table: str, viewer: Viewer) -> FloorTable:
    record, configuration = state.of(TABLES).tables.get(table), configuration_at(state, table)
    meters = _meters(state, table)
    offered = [jackpot.jackpot.offer_at(table).game for jackpot in state.of(JACKPOTS).at(table)]
    if record is not None:
        offered = [record.setup.game]
    elif configuration is not None:
        offered = [configuration.game]
    address = f"/tables/{quote(table, safe='')}"
    short, label = state_words(state, table)
    return FloorTable(
        name=table,
        game=find_game(offered[0]).title if offered else "",
        state=short,
        label=label,
        dealer="" if record is None else record.dealer,
        round=0 if record is None else record.round,
        meters=meters,
        sensors=_sensors(state, record),
        displays=_displays(state, table, bool(meters)),
        vision=f"{address}/vision",
        console=f"{address}/console",
        service="" if record is None else service_address(table),
        is_down=record is not None and record.down is not None,
        papers=Health(*papers_text(paper_statuses(state, table))),
        open=viewer.button(OpenTable(table=table)) if record is not None and record.life == "closed" else HIDDEN,
    )


def alarm_title(kind: str, table: str) -> str:
    """Return what an alert is about: Link lost: table 1."""
    title = _KINDS.get(kind, kind.capitalize())
    return f"{title}: table {table}" if table else title


def _alarm(state: BookState, alarm: ActiveAlarm, viewer: Viewer, zone: ZoneInfo) -> AlarmView:
    owner = state.of(OWNERS).get(alarm.key)
    view = AlarmView(
        key=alarm.key,
        title=alarm_title("no-display" if alarm.key.startswith("display of table ") else alarm.kind, alarm.table),
        table=alarm.table,
        words=alarm.words,
        since=clock_text(alarm.since, zone, with_day=True),
        since_at=alarm.since,
        owner="" if owner is None else owner.name,
        malfunction=alarm.malfunction,
        due=clock_text(alarm.due, zone, with_day=True) if alarm.due else "",
        reported=alarm.reported,
    )
    if alarm.kind in TROUBLE_KINDS:
        # It is in no book, so that nobody can take it on: it goes when the server is well again.
        return view
    if view.owner != viewer.name:
        view = view._replace(take=viewer.button(TakeAlarm(alarm=alarm.key)))
    if alarm.kind == "display":
        return _sign(state, view, viewer)
    if alarm.kind == "paper":
        return _paper(state, view, viewer)
    if not alarm.malfunction:
        return view._replace(clear=viewer.button(ClearAlarm(alarm=alarm.key, words=SOME_TEXT)))
    report = ReportMalfunction(malfunction=alarm.malfunction, reference=SOME_TEXT)
    return view._replace(
        report=HIDDEN if alarm.reported else viewer.button(report),
        mend=viewer.button(EndMalfunction(malfunction=alarm.malfunction, words=SOME_TEXT)),
    )


def _paper(state: BookState, view: AlarmView, viewer: Viewer) -> AlarmView:
    """Add the button that marks a paper as posted in the version that the table has now (W-12)."""
    for status in paper_statuses(state, view.table, viewer):
        if view.key == paper_alarm(view.table, status.name):
            return view._replace(post=status.post, paper=status.name, version=status.version)
    return view


def _sign(state: BookState, view: AlarmView, viewer: Viewer) -> AlarmView:
    """Add the confirmation of a sign that is set by hand, by the amounts it must show now (T-05)."""
    record = state.of(DISPLAYS).get(view.key.removeprefix("display "))
    if record is None or record.display.make != "sign":
        return view
    name, amounts = record.display.name, shown_at(state, view.table)
    texts = " and ".join(dollars(cents) for cents in amounts.values())
    return view._replace(
        words=f"Set {name} to {texts}, then confirm.",
        confirm=viewer.button(ConfirmDisplay(name=name, amounts=amounts)),
        sign=name,
        shows=tuple((jackpot, cents, dollars(cents)) for jackpot, cents in amounts.items()),
    )


def floor_view(
    state: BookState, viewer: Viewer = NOBODY, *, everything: bool = False, verified: Verified = NO_CARDS
) -> FloorView:
    """Build the floor desk as the viewer sees it; alarms without an owner come first."""
    zone = room_zone(state)
    alarms = [_alarm(state, alarm, viewer, zone) for alarm in active_alarms(state)]
    return FloorView(
        sequence=state.sequence,
        tables=tuple(_table(state, table, viewer) for table in tables_of(state)),
        hits=hit_cards(state, viewer, verified),
        approvals=approval_cards(state, viewer, everything=everything),
        alarms=tuple(sorted(alarms, key=lambda alarm: bool(alarm.owner))),
        added=tuple(_added(state, viewer)),
    )


def _added(state: BookState, viewer: Viewer) -> Iterator[AddedSeat]:
    """Yield the seats of the last rounds that one person added and surveillance has not confirmed."""
    confirmed = state.of(HITS).confirmed
    for table, rounds in state.of(JACKPOTS).rounds.items():
        for counted in rounds:
            for jackpot, pairs in counted.added.items():
                for seat, by in pairs:
                    is_wagered = seat in counted.seats.get(jackpot, ()) and not counted.voided
                    if not is_wagered or Claimed(counted.round, jackpot, seat) in confirmed.get(table, ()):
                        continue
                    number = counted.round
                    confirm = ConfirmWager(jackpot=jackpot, table=table, seat=seat, round=number, words=SOME_TEXT)
                    title = jackpot_title(state, jackpot)
                    yield AddedSeat(table, number, jackpot, seat, by, viewer.button(confirm), title)


def floor_live(state: BookState) -> dict[str, Any]:
    """Return what an open floor desk follows: its shape, and the amounts that move while the shape stays."""
    view = floor_view(state, everything=True)
    texts = {f"meter:{meter.name}": meter.amount for table in view.tables for meter in table.meters}
    rounds = {f"round:{table.name}": str(table.round) for table in view.tables}
    still = tuple(table.still for table in view.tables)
    cards = tuple(card.still for card in view.approvals)
    return {"shape": shape_of(view._replace(sequence=0, tables=still, approvals=cards)), "texts": texts | rounds}


def shape_of(view: Any) -> str:
    """Return a short hash of a view: what is laid out from the same view looks the same."""
    return hashlib.sha256(json.dumps(view, ensure_ascii=False).encode()).hexdigest()[:16]
