"""The displays of the room as the floor sees them: what each is, its last beat, its state, and what it must show."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import MOVEMENTS, BookState, Entry, Movement, Payload, read_payload
from pitboss.jackpot import JACKPOTS, JackpotSet, PlaySet, jackpot_title
from pitboss.meters import cents_shown
from pitboss.room import displays
from pitboss.room.alarms import OWNERS
from pitboss.room.configurations import TablePosted
from pitboss.room.room import room_zone
from pitboss.room.slides import PromotionEnded, PromotionSet
from pitboss.server.views.formatting import clock_text, dollars, medium_day


class Published(NamedTuple):
    """One line of the log: its entry, when it was recorded, who did it, at which tables, and what it was."""

    sequence: int
    recorded: int
    actor: str
    tables: tuple[str, ...]
    words: str


class LogStart(NamedTuple):
    """The state where a log begins: the tables of displays and jackpots, the units that meters display, and titles.

    A jackpot is called by its title, where there is one; else by its name in the books, as the terminal lists it.
    """

    displays: Mapping[str, tuple[str, ...]] = {}
    jackpots: Mapping[str, tuple[str, ...]] = {}
    units: Mapping[str, int] = {}
    titles: Mapping[str, str] = {}


AT_BEGINNING = LogStart()


def published(entries: Iterable[Entry], before: LogStart = AT_BEGINNING) -> Iterator[Published]:
    """Yield the log in the order of the journal; amounts that follow wagers stand in the journal itself."""
    tables_of_display, tables_of_jackpot = dict(before.displays), dict(before.jackpots)
    units: Counter[str] = Counter(before.units)
    for entry in entries:
        value = read_payload(entry.kind, entry.payload)
        if isinstance(value, displays.DisplaySet):
            tables_of_display[value.display.name] = (value.display.table,)
        elif isinstance(value, JackpotSet):
            tables_of_jackpot[value.jackpot.name] = tuple(link.table for link in value.jackpot.tables)
        words = _words(value, before.titles)
        if isinstance(value, Movement):
            units[value.jackpot] += _displayed(value)
            words = words and f"{words}; now {dollars(cents_shown(units[value.jackpot]))}"
        if words:
            at = _tables(value, tables_of_display, tables_of_jackpot)
            yield Published(entry.sequence, entry.recorded, entry.actor, at, words)


def _displayed(movement: Movement) -> int:
    """How much the display grows by a movement."""
    came = sum(transfer.units for transfer in movement.transfers if transfer.payee == "displayed")
    return came - sum(transfer.units for transfer in movement.transfers if transfer.payer == "displayed")


def _tables(
    value: Payload, by_display: dict[str, tuple[str, ...]], by_jackpot: dict[str, tuple[str, ...]]
) -> tuple[str, ...]:
    match value:
        case TablePosted():
            return (value.table,)
        case displays.DisplaySet():
            return (value.display.table,)
        case displays.DisplayTurned() | displays.DisplayConfirmed():
            return by_display.get(value.name, ())
        case PromotionSet():
            return value.promotion.tables
        case PlaySet():
            return by_jackpot.get(value.name, ())
        case Movement():
            return by_jackpot.get(value.jackpot, ())
    return ()


def _words(value: Payload, titles: Mapping[str, str]) -> str:
    """Return the text of an entry; empty where it changes no display by itself."""
    match value:
        case TablePosted():
            text_hash = hashlib.sha256(value.configuration.encode()).hexdigest()
            return f"limits and pay tables posted at table {value.table}, configuration {text_hash[:12]}"
        case PromotionSet():
            slide = value.promotion
            shows = f", picture {slide.picture}" if slide.picture else ""
            days = f"{medium_day(slide.first_day)} to {medium_day(slide.last_day)}"
            return f"promotion {slide.name}: {slide.title} ({days}){shows}"
        case PromotionEnded():
            return f"promotion {value.name} removed"
        case displays.DisplaySet():
            display = value.display
            driven = f", driven by the {display.driven_by}'s computer" if display.driven_by else ""
            return f"display {display.name}: {display.make}{driven}{'' if value.active else ', removed'}"
        case displays.DisplayTurned():
            return f"display {value.name} is {value.condition}: {value.words}"
        case displays.DisplayConfirmed():
            amounts = ", ".join(f"{titles.get(name, name)} {dollars(cents)}" for name, cents in value.amounts.items())
            return f"sign {value.name} confirmed: {amounts or 'nothing'}"
        case PlaySet():
            return f"{titles.get(value.name, value.name)} is {value.play}: {value.words}"
        case Movement() if value.kind in _AMOUNTS:
            return f"{titles.get(value.jackpot, value.jackpot)}: {_AMOUNTS[value.kind]}"
    return ""


_KINDS = (
    *("table-posted", "promotion-set", "promotion-ended", "display-set", "display-turned", "display-confirmed"),
    *("jackpot-defined", "jackpot-changed", "play-opened", "play-closed", "play-suspended"),
)


def publishing_kinds() -> tuple[str, ...]:
    """The kinds of entries that a log is made from; every movement, for the amounts between."""
    return (*_KINDS, *MOVEMENTS)


_AMOUNTS = {
    "jackpot-opened": "meter started",
    "bonus-posted": "amount changed",
    "prize-called": "prize reported",
    "prize-rejected": "report rejected",
    "prize-reversed": "small prize reversed",
    "meter-adjusted": "meter adjusted",
    "count-corrected": "miscount removed",
}


_MAKES = {"screen": "Screen", "monitor": "Monitor", "sign": "Sign (manual)"}
_CONDITIONS = {
    "showing": "Confirmed",
    "unseen": "Not seen yet",
    "stale": "Out of date",
    "dark": "Dark",
    "unconfirmed": "Not confirmed",
}
"""The state of a display, as pages have it."""
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


LogLine = tuple[Published, str]
"""A line of the log, and when it was recorded."""


class DisplaysView(NamedTuple):
    """Every display, those that were taken away last; and tables of jackpots that have none (T-04)."""

    rows: tuple[DisplayRow, ...]
    without: tuple[str, ...]
    bad: int


def _make(display: displays.Display) -> str:
    driven = {"server": " on the server", "table": " on the table computer"}.get(display.driven_by, "")
    return f"{_MAKES[display.make]}{driven}"


def _amounts(state: BookState, amounts: Mapping[str, int] | None) -> tuple[str, ...]:
    return tuple(f"{jackpot_title(state, name)} {dollars(cents)}" for name, cents in sorted((amounts or {}).items()))


def _heard(record: displays.DisplayRecord, beat: displays.Heartbeat | None, zone: ZoneInfo, now: int) -> str:
    if record.display.make == "sign":
        return "Confirmed by floor" if record.confirmed is not None else "Not confirmed yet"
    if beat is None:
        return "Not since the server started"
    seconds = max(0, (now - beat.at) // 1_000_000)
    ago = f"{seconds} s" if seconds < _MINUTES else f"{seconds // 60} min"
    return f"{clock_text(beat.at, zone)}, {ago} ago"


def _row(
    state: BookState, record: displays.DisplayRecord, beat: displays.Heartbeat | None, zone: ZoneInfo, now: int
) -> DisplayRow:
    display, owners = record.display, state.of(OWNERS)
    owner = owners.get(f"display {display.name}")
    shows = record.confirmed if display.make == "sign" else None if beat is None else beat.amounts
    return DisplayRow(
        name=display.name,
        table=display.table,
        make=_make(display),
        health=_HEALTH[record.condition] if record.active else "none",
        condition=_CONDITIONS[record.condition] if record.active else "Removed",
        words=record.words,
        since=clock_text(record.since, zone, with_day=True),
        heard=_heard(record, beat, zone, now),
        shows=_amounts(state, shows),
        must_show=_amounts(state, displays.shown_at(state, display.table)) if record.active else (),
        owner="" if owner is None else owner.name,
        active=record.active,
    )


def _order(row: DisplayRow) -> tuple[bool, bool, int, str]:
    return not row.active, not row.table.isdigit(), int(row.table) if row.table.isdigit() else 0, row.name


def displays_view(state: BookState, beats: Mapping[str, displays.Heartbeat], now: int) -> DisplaysView:
    """Build the list of displays from the books and the last beats."""
    zone = room_zone(state)
    rows = sorted(
        (_row(state, record, beats.get(name), zone, now) for name, record in state.of(displays.DISPLAYS).items()),
        key=_order,
    )
    without = displays.tables_without_display(state) if state.of(JACKPOTS).jackpots else ()
    return DisplaysView(tuple(rows), without, sum(row.health == "bad" for row in rows))


def log_lines(records: Iterable[Published], zone: ZoneInfo, table: str = "") -> tuple[LogLine, ...]:
    """Format the log, the newest first; only what concerns a table, where one is named."""
    shown = [record for record in records if not table or not record.tables or table in record.tables]
    return tuple((record, clock_text(record.recorded, zone)) for record in reversed(shown))
