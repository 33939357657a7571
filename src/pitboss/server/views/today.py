"""Today: what a manager and accounting begin a day with, each thing with the page on which it is done."""

import datetime
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

from pitboss.books import LEDGER, ROOM, BookState
from pitboss.games import find_game
from pitboss.jackpot import HITS, JACKPOTS
from pitboss.jackpot.escrow import escrow_of, forecast_of
from pitboss.meters import UNITS_PER_CENT
from pitboss.reports import ACCOUNTING
from pitboss.reports.state import place_of
from pitboss.room.backups import BACKUPS, backup_trouble
from pitboss.room.configurations import configuration_at
from pitboss.room.room import room_name, room_zone, tables_of
from pitboss.server.views.formatting import clock_text, dollars, short_day, time_of
from pitboss.server.views.paytables import titled
from pitboss.server.views.shell import counted, open_alerts, shift_title, waiting_approvals
from pitboss.server.views.table_state import state_words
from pitboss.server.views.viewer import Viewer
from pitboss.tabulator import TABLES

_SHIFTS_SHOWN = 4


class TodayLine(NamedTuple):
    """A line of a card: its text, what it comes to, and where it leads."""

    text: str
    value: str = ""
    path: str = ""


class TodayCard(NamedTuple):
    """A card of the page: a figure with its words, whether somebody must act (`warn`, `danger`), and its lines."""

    title: str
    figure: str
    text: str
    state: str
    path: str
    action: str
    lines: tuple[TodayLine, ...] = ()


class TodayView(NamedTuple):
    """The page of a room at an instant."""

    room: str
    day: str
    shift: str
    until: str
    sequence: int
    cards: tuple[TodayCard, ...]


class TableTile(NamedTuple):
    """A table for who deals: its game, state and dealer, and its console, or the page where Pitboss deals."""

    name: str
    game: str
    state: str
    label: str
    dealer: str
    is_mine: bool
    path: str


def today_view(state: BookState, viewer: Viewer, now: int) -> TodayView:
    """Build the page as the viewer sees it."""
    zone, calendar = room_zone(state), state.of(ROOM)
    shift = None if calendar is None else calendar.shift(time_of(now))
    cards = (_jackpots(state), _approvals(state, viewer), _alerts(state), _counts(state, now), _escrow(state, now))
    return TodayView(
        room=room_name(state, now),
        day="" if shift is None else short_day(shift.day),
        shift="" if shift is None else shift_title(shift.name),
        until="" if shift is None else clock_text(int(shift.ends.timestamp()) * 1_000_000, zone),
        sequence=state.sequence,
        cards=(_tables(state), *cards, *_backups(state, now)),
    )


def _tables(state: BookState) -> TodayCard:
    tiles = table_tiles(state, "")
    is_open = sum(tile.state not in ("closed", "dealt") for tile in tiles)
    lines = tuple(TodayLine(f"Table {tile.name}, {tile.game or 'no game'}", tile.label, "/floor") for tile in tiles)
    text = f"of {counted(len(tiles), 'table')} open"
    return TodayCard("Tables", str(is_open), text, "" if is_open else "warn", "/floor", "Go to the floor", lines)


def _jackpots(state: BookState) -> TodayCard:
    hits = [hit for hit in state.of(HITS).open.values() if not hit.is_finished]
    lines = tuple(
        TodayLine(
            f"Table {hit.table}, {_jackpot_title(state, hit.jackpot)}", dollars(hit.cents), f"/office/hits/{hit.number}"
        )
        for hit in hits
    )
    words = "jackpot pending" if len(hits) == 1 else "jackpots pending"
    return TodayCard("Jackpots", str(len(hits)), words, "warn" if hits else "ok", "/floor#hits-title", "Handle", lines)


def _jackpot_title(state: BookState, name: str) -> str:
    jackpot = state.of(JACKPOTS).jackpots[name].jackpot
    return titled(jackpot.game_and_wager(jackpot.offers[0])[1].title)


def _approvals(state: BookState, viewer: Viewer) -> TodayCard:
    count = waiting_approvals(state, viewer)
    words = "request for you to approve" if count == 1 else "requests for you to approve"
    path = "#approvals-title" if count else "/floor#approvals-title"
    return TodayCard("Approvals", str(count), words, "warn" if count else "ok", path, "Review")


def _alerts(state: BookState) -> TodayCard:
    count = open_alerts(state)
    words = "unassigned alert" if count == 1 else "unassigned alerts"
    return TodayCard("Alerts", str(count), words, "danger" if count else "ok", "/floor#alarms-title", "See alerts")


def _ended_shifts(state: BookState, now: int) -> Iterator[tuple[datetime.date, str]]:
    """Yield the last shifts that are over, the newest first."""
    calendar = state.of(ROOM)
    if calendar is None:
        return
    instant, before = time_of(now), None
    while True:
        shift = calendar.shift(instant)
        if before is not None:
            yield shift.day, shift.name
        before, instant = shift, shift.begins - datetime.timedelta(microseconds=1)


def _counts(state: BookState, now: int) -> TodayCard:
    """List the last shifts with how many of the tables that have a jackpot were counted."""
    tables = [table for table in tables_of(state) if state.of(JACKPOTS).at(table) and table in state.of(TABLES).tables]
    chips, lines, missing = state.of(ACCOUNTING).chips, [], 0
    for number, (day, shift) in enumerate(_ended_shifts(state, now)):
        if number == _SHIFTS_SHOWN or not tables:
            break
        done = sum(place_of(day, shift, table) in chips for table in tables)
        missing += done < len(tables)
        lines.append(
            TodayLine(f"{short_day(day)}, {shift_title(shift)}", f"{done} of {counted(len(tables), 'table')} counted")
        )
    words = f"of the last {counted(len(lines), 'shift')} not fully counted"
    return TodayCard(
        "Count",
        str(missing),
        words,
        "warn" if missing else "ok",
        "/office/reports/takings",
        "Count chips",
        tuple(lines),
    )


def _escrow(state: BookState, now: int) -> TodayCard:
    """List the progressives with money to deposit, with the day by which play would stop without it."""
    lines, total, is_short = [], 0, False
    zone = room_zone(state)
    for name, record in sorted(state.of(JACKPOTS).jackpots.items()):
        accounts = state.of(LEDGER).get(name)
        if accounts is None or not record.jackpot.is_progressive:
            continue
        escrow = escrow_of(record, accounts, now)
        cents = -(-escrow.undeposited_units // UNITS_PER_CENT)
        if cents <= 0:
            continue
        total, is_short = total + cents, is_short or escrow.is_short
        stops = forecast_of(record, accounts, now).short_at
        due = "now" if escrow.is_short else "" if stops is None else f"by {short_day(time_of(stops).astimezone(zone))}"
        text = f"{_jackpot_title(state, name)}{f', {due}' if due else ''}"
        lines.append(TodayLine(text, dollars(cents), f"/office/jackpots/{quote(name, safe='')}"))
    text = "to deposit in escrow" if total else "Nothing to deposit"
    tone = "danger" if is_short else "warn" if total else "ok"
    return TodayCard("Escrow", dollars(total), text, tone, "/office/jackpots", "See jackpots", tuple(lines))


def _backups(state: BookState, now: int) -> Iterator[TodayCard]:
    """Yield how the last backup ended, and what somebody must do about it; nothing where none are planned."""
    backups, zone = state.of(BACKUPS), room_zone(state)
    if backups.plan is None:
        return
    last, good, trouble = backups.last, backups.last_good, backup_trouble(state, now)
    lines = [TodayLine("Planned", backups.plan.text)]
    if good is not None:
        lines.append(TodayLine("Entries", f"{good.entries:,}"))
        lines.append(TodayLine("Restored for a test and audited", f"in {good.seconds} seconds"))
    if last is not None and not last.is_good:
        lines.append(TodayLine("Last try", f"failed {clock_text(last.at, zone, with_day=True)}"))
    figure = "None yet" if good is None else short_day(time_of(good.at).astimezone(zone))
    done = "" if good is None else f"last good backup, {clock_text(good.at, zone)}"
    text = trouble or done or "The first one is made by the plan"
    yield TodayCard("Backups", figure, text, "danger" if trouble else "ok", "", "", tuple(lines))


def table_tiles(state: BookState, name: str) -> tuple[TableTile, ...]:
    """Return every table for somebody who may deal there."""
    return tuple(_tile(state, table, name) for table in tables_of(state))


def _tile(state: BookState, table: str, name: str) -> TableTile:
    record, configuration = state.of(TABLES).tables.get(table), configuration_at(state, table)
    game = record.setup.game if record is not None else configuration.game if configuration is not None else ""
    short, label = state_words(state, table)
    dealer = "" if record is None else record.dealer
    return TableTile(
        name=table,
        game=find_game(game).title if game else "",
        state=short,
        label=label,
        dealer=dealer,
        is_mine=bool(name) and dealer == name,
        path=f"/tables/{quote(table, safe='')}/{'play' if short == 'dealt' else 'console'}",
    )
