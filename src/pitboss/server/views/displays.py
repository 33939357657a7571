"""The displays of the room as the floor sees them: what each is, its last beat, its state, and what it must show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import BookState
from pitboss.jackpot import JACKPOTS
from pitboss.server.alarm_owners import OWNERS
from pitboss.server.displays import DISPLAYS, Beat, Display, DisplayRecord, shown_at, tables_without_display
from pitboss.server.views.published import Published
from pitboss.server.views.speaking import dollars
from pitboss.server.views.table_state import room_zone
from pitboss.server.views.times import clock_text

__all__ = ["DisplayRow", "DisplaysView", "LogLine", "displays_view", "log_lines"]

_MAKES = {"screen": "screen with a browser", "monitor": "bare monitor", "sign": "sign, set by hand"}
_MINUTES = 120
_HEALTH = {"showing": "good", "unseen": "warn", "stale": "bad", "dark": "bad", "unconfirmed": "bad"}


class DisplayRow(NamedTuple):
    """A display: registered as what, its state and since when, when it was last heard, what it shows and must show."""

    name: str
    table: str
    make: str
    health: str
    condition: str
    words: str
    since: str
    heard: str
    shows: tuple[str, ...]
    must_show: tuple[str, ...]
    owner: str
    active: bool


class LogLine(NamedTuple):
    """A line of the log: its entry, when, who, at which tables, what."""

    sequence: int
    at: str
    by: str
    tables: str
    words: str


class DisplaysView(NamedTuple):
    """Every display, those that were taken away last; and tables of jackpots that have none (T-04)."""

    rows: tuple[DisplayRow, ...]
    without: tuple[str, ...]
    bad: int


def _make(display: Display) -> str:
    driven = f", driven by the {display.driven_by}'s computer" if display.driven_by else ""
    return f"{_MAKES[display.make]}{driven}"


def _amounts(amounts: Mapping[str, int] | None) -> tuple[str, ...]:
    return tuple(f"{name} {dollars(cents)}" for name, cents in sorted((amounts or {}).items()))


def _heard(record: DisplayRecord, beat: Beat | None, zone: ZoneInfo, now: int) -> str:
    if record.display.make == "sign":
        return "confirmed by a person" if record.confirmed is not None else "never confirmed"
    if beat is None:
        return "not since the server runs"
    seconds = max(0, (now - beat.at) // 1_000_000)
    ago = f"{seconds} s" if seconds < _MINUTES else f"{seconds // 60} min"
    return f"{clock_text(beat.at, zone)}, {ago} ago"


def _row(state: BookState, record: DisplayRecord, beat: Beat | None, zone: ZoneInfo, now: int) -> DisplayRow:
    display, owners = record.display, state.of(OWNERS)
    owner = owners.get(f"display {display.name}")
    shows = record.confirmed if display.make == "sign" else None if beat is None else beat.amounts
    return DisplayRow(
        name=display.name,
        table=display.table,
        make=_make(display),
        health=_HEALTH[record.condition] if record.active else "none",
        condition=record.condition if record.active else "taken away",
        words=record.words,
        since=clock_text(record.since, zone, with_day=True),
        heard=_heard(record, beat, zone, now),
        shows=_amounts(shows),
        must_show=_amounts(shown_at(state, display.table)) if record.active else (),
        owner="" if owner is None else owner.name,
        active=record.active,
    )


def _order(row: DisplayRow) -> tuple[bool, bool, int, str]:
    return not row.active, not row.table.isdigit(), int(row.table) if row.table.isdigit() else 0, row.name


def displays_view(state: BookState, beats: Mapping[str, Beat], now: int) -> DisplaysView:
    """Show the displays as the books and the last beats have them."""
    zone = room_zone(state)
    rows = sorted(
        (_row(state, each, beats.get(name), zone, now) for name, each in state.of(DISPLAYS).items()), key=_order
    )
    without = tables_without_display(state) if state.of(JACKPOTS).jackpots else ()
    return DisplaysView(tuple(rows), without, sum(each.health == "bad" for each in rows))


def log_lines(found: Iterable[Published], zone: ZoneInfo, table: str = "") -> tuple[LogLine, ...]:
    """Write the log, the newest first; only what concerns a table, where one is named."""
    lines = [
        LogLine(each.sequence, clock_text(each.recorded, zone), each.actor, ", ".join(each.tables) or "all", each.words)
        for each in found
        if not table or not each.tables or table in each.tables
    ]
    return tuple(reversed(lines))
