"""Tables in the back office: what is in force at each, what is prepared or asked for, and what was in force when."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pitboss.books import BookState
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS
from pitboss.room.agreement import disagreements
from pitboss.room.approvals import APPROVALS, Pending
from pitboss.room.configurations import (
    ActiveConfiguration,
    PreparedConfiguration,
    blockers,
    configuration_at,
    configuration_by_hash,
    configurations_at,
    opening_instant,
)
from pitboss.server.views.formatting import day_text
from pitboss.server.views.table_state import room_zone, tables_of
from pitboss.table import Configuration, read_configuration
from pitboss.tabulator import TABLES
from pitboss.tabulator.equipment import NONE

POST = "tables/post"
_SET_UP = "tables/set-up"


class PreparedView(NamedTuple):
    """A configuration that is approved: its number, hash, opening time, people, and what keeps it back now."""

    number: int
    entry: int
    hash: str
    opens: str
    by: str
    approved_by: str
    words: str
    held: tuple[str, ...]
    game: str


class AskedView(NamedTuple):
    """A configuration that waits for a second person; what speaks against this person giving it."""

    number: int
    hash: str
    opens: str
    by: str
    since: str
    words: str
    can_give: bool
    is_own: bool
    approvers: str


class SpanView(NamedTuple):
    """A configuration and from when to when, and after which round, it was in force."""

    hash: str
    game: str
    entry: int
    since: str
    until: str
    after_round: int
    by: str
    approved_by: str
    words: str


class TableCard(NamedTuple):
    """A table at a glance."""

    table: str
    address: str
    game: str
    life: str
    hash: str
    since: str
    by: str
    prepared: tuple[PreparedView, ...]
    asked: int
    equipment: str
    jackpots: str
    problems: tuple[str, ...]


class TablePage(NamedTuple):
    """A table, whole."""

    card: TableCard
    configuration: Configuration | None
    asked: tuple[AskedView, ...]
    set_ups: int
    history: tuple[SpanView, ...]


def table_address(table: str) -> str:
    """Where a table's page is."""
    return f"/office/tables/{quote(table, safe='')}"


def approval_of(by: str, approved_by: str) -> str:
    """Write who asked and who approved."""
    return f"{by}, approved by {approved_by}" if approved_by else by


def _opens(instant: int, zone: ZoneInfo) -> str:
    return day_text(instant, zone) if instant else "as soon as no round is on the table"


def _prepared(state: BookState, table: str, each: PreparedConfiguration, now: int, zone: ZoneInfo) -> PreparedView:
    configuration = configuration_by_hash(state, each.hash)
    held = () if configuration is None or each.opens > now else tuple(blockers(state, table, configuration))
    title = "" if configuration is None else find_game(configuration.game).title
    return PreparedView(
        each.number,
        each.sequence,
        each.hash,
        _opens(each.opens, zone),
        each.by,
        each.approved_by,
        each.words,
        held,
        title,
    )


def _equipment(state: BookState, table: str) -> tuple[str, str]:
    """How a table is equipped, and whether it is open."""
    record = state.of(TABLES).tables.get(table)
    if record is None:
        return "not set up", ""
    setup = record.setup
    model = "without equipment" if setup.model == NONE else setup.equipment.title
    return f"{model}, {setup.seats} seats", record.life


def table_card(state: BookState, table: str, now: int) -> TableCard:
    """Lay out a table at a glance."""
    zone, posts = room_zone(state), configurations_at(state, table)
    configuration = configuration_at(state, table)
    equipment, life = _equipment(state, table)
    jackpots = ", ".join(f"{each.jackpot.name} ({each.play})" for each in state.of(JACKPOTS).at(table))
    problems = () if configuration is None else tuple(map(str, disagreements(state, table, configuration)))
    standing = posts.now
    return TableCard(
        table=table,
        address=table_address(table),
        game="" if configuration is None else find_game(configuration.game).title,
        life=life,
        hash="" if standing is None else standing.hash,
        since="" if standing is None else day_text(standing.since, zone),
        by="" if standing is None else approval_of(standing.by, standing.approved_by),
        prepared=tuple(_prepared(state, table, each, now, zone) for each in posts.prepared),
        asked=len(_asked_at(state, table)),
        equipment=equipment,
        jackpots=jackpots,
        problems=problems,
    )


def table_cards(state: BookState, now: int) -> tuple[TableCard, ...]:
    """Every table of the room, those for which something is only asked included."""
    asked = {str(each.said.get("table")) for each in state.of(APPROVALS).values() if each.what == POST}
    known = tables_of(state)
    return tuple(table_card(state, each, now) for each in (*known, *sorted(asked - set(known))))


def _asked_at(state: BookState, table: str) -> list[Pending]:
    return [each for each in state.of(APPROVALS).values() if each.what == POST and each.said.get("table") == table]


def _is_set_up(pending: Pending, table: str) -> bool:
    return pending.what == _SET_UP and pending.said.get("setup", {}).get("table") == table


def asked_configuration(pending: Pending) -> Configuration | None:
    """The configuration that somebody asks for."""
    return read_configuration(str(pending.said.get("configuration"))).configuration


def _asked(pending: Pending, name: str, roles: frozenset[str], zone: ZoneInfo) -> AskedView:
    configuration = asked_configuration(pending)
    opens = opening_instant(str(pending.said.get("opens") or ""), zone)
    return AskedView(
        number=pending.number,
        hash="" if configuration is None else configuration.content_hash,
        opens=_opens(opens, zone),
        by=pending.by,
        since=day_text(pending.asked, zone),
        words=str(pending.said.get("words") or ""),
        can_give=not pending.problems(name, roles),
        is_own=pending.by.casefold() == name.casefold(),
        approvers=" or ".join(pending.approvers),
    )


def _span(
    state: BookState, each: ActiveConfiguration, following: ActiveConfiguration | None, zone: ZoneInfo
) -> SpanView:
    configuration = configuration_by_hash(state, each.hash)
    return SpanView(
        each.hash,
        "" if configuration is None else find_game(configuration.game).title,
        each.sequence,
        day_text(each.since, zone),
        "" if following is None else day_text(following.since, zone),
        each.after_round,
        each.by,
        each.approved_by,
        each.words,
    )


def table_page(state: BookState, table: str, now: int, name: str, roles: frozenset[str]) -> TablePage:
    """Lay out a table, with what this person can do about what is asked."""
    zone = room_zone(state)
    return TablePage(
        table_card(state, table, now),
        configuration_at(state, table),
        tuple(_asked(each, name, roles, zone) for each in _asked_at(state, table)),
        sum(_is_set_up(each, table) for each in state.of(APPROVALS).values()),
        tuple(_span(state, each, after, zone) for each, after in configurations_at(state, table).spans()),
    )
