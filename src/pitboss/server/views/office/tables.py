"""Tables in the back office: what is in force at each, what is prepared or requested, and what was in force when."""

from __future__ import annotations

import datetime
from typing import NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pitboss.books import BookState
from pitboss.books.entries import EPOCH
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS
from pitboss.room.agreement import disagreements
from pitboss.room.approvals import APPROVALS, Pending
from pitboss.room.configurations import (
    InForce,
    PreparedConfiguration,
    configuration_at,
    configuration_by_hash,
    posts_at,
)
from pitboss.room.posting import PostConfiguration, hindrances, opening_instant
from pitboss.server.views.formatting import day_text
from pitboss.server.views.table_state import room_zone, tables_of
from pitboss.table import Configuration, read_configuration
from pitboss.tabulator import TABLES, SetUpTable
from pitboss.tabulator.equipment import NONE


class PreparedView(NamedTuple):
    """A configuration that is approved: its number, hash, opening time, people, and what blocks it now."""

    number: int
    entry: int
    hash: str
    opens: str
    by: str
    approved_by: str
    words: str
    blockers: tuple[str, ...]
    game: str


class RequestView(NamedTuple):
    """A configuration that waits for a second person, and whether who looks can approve it."""

    number: int
    hash: str
    opens: str
    by: str
    since: str
    words: str
    can_approve: bool
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
    requests: int
    equipment: str
    jackpots: str
    problems: tuple[str, ...]


class TablePage(NamedTuple):
    """A table, whole."""

    card: TableCard
    configuration: Configuration | None
    requests: tuple[RequestView, ...]
    set_ups: int
    history: tuple[SpanView, ...]


def table_address(table: str) -> str:
    """Return the address of a table's page."""
    return f"/office/tables/{quote(table, safe='')}"


def _approval_text(by: str, approved_by: str) -> str:
    return f"{by}, approved by {approved_by}" if approved_by else by


def _opens(instant: int, zone: ZoneInfo) -> str:
    return day_text(instant, zone) if instant else "as soon as no round is on the table"


def _game_title(configuration: Configuration | None) -> str:
    return "" if configuration is None else find_game(configuration.game).title


def _prepared(state: BookState, table: str, prepared: PreparedConfiguration, now: int, zone: ZoneInfo) -> PreparedView:
    configuration = configuration_by_hash(state, prepared.hash)
    is_due = prepared.opens <= now
    blockers = tuple(hindrances(state, table, configuration)) if configuration is not None and is_due else ()
    return PreparedView(
        prepared.number,
        prepared.sequence,
        prepared.hash,
        _opens(prepared.opens, zone),
        prepared.by,
        prepared.approved_by,
        prepared.words,
        blockers,
        _game_title(configuration),
    )


def _equipment(state: BookState, table: str) -> tuple[str, str]:
    """Return how a table is equipped, and whether it is open."""
    record = state.of(TABLES).tables.get(table)
    if record is None:
        return "not set up", ""
    setup = record.setup
    model = "without equipment" if setup.model == NONE else setup.equipment.title
    return f"{model}, {setup.seats} seats", record.life


def table_card(state: BookState, table: str, now: int) -> TableCard:
    """Lay out a table at a glance."""
    zone, posts = room_zone(state), posts_at(state, table)
    configuration = configuration_at(state, table)
    equipment, life = _equipment(state, table)
    jackpots = ", ".join(f"{record.jackpot.name} ({record.play})" for record in state.of(JACKPOTS).at(table))
    problems = () if configuration is None else tuple(map(str, disagreements(state, table, configuration)))
    in_force = posts.now
    return TableCard(
        table=table,
        address=table_address(table),
        game=_game_title(configuration),
        life=life,
        hash="" if in_force is None else in_force.hash,
        since="" if in_force is None else day_text(in_force.since, zone),
        by="" if in_force is None else _approval_text(in_force.by, in_force.approved_by),
        prepared=tuple(_prepared(state, table, prepared, now, zone) for prepared in posts.prepared),
        requests=len(_requests_at(state, table)),
        equipment=equipment,
        jackpots=jackpots,
        problems=problems,
    )


def table_cards(state: BookState, now: int) -> tuple[TableCard, ...]:
    """Lay out every table of the room, those with a request only included."""
    requested = {str(pending.said.get("table")) for pending in _configuration_requests(state)}
    tables = tables_of(state)
    return tuple(table_card(state, table, now) for table in (*tables, *sorted(requested - set(tables))))


def is_configuration_request(pending: Pending) -> bool:
    """True if a configuration waits for a second person."""
    return pending.what == PostConfiguration.spec.name


def _configuration_requests(state: BookState) -> list[Pending]:
    return [pending for pending in state.of(APPROVALS).values() if is_configuration_request(pending)]


def _requests_at(state: BookState, table: str) -> list[Pending]:
    return [pending for pending in _configuration_requests(state) if pending.said.get("table") == table]


def _is_set_up(pending: Pending, table: str) -> bool:
    return pending.what == SetUpTable.spec.name and pending.said.get("setup", {}).get("table") == table


def requested_configuration(pending: Pending) -> Configuration | None:
    """Return the configuration that somebody asks for."""
    return read_configuration(str(pending.said.get("configuration"))).configuration


def _request(pending: Pending, name: str, roles: frozenset[str], zone: ZoneInfo) -> RequestView:
    configuration = requested_configuration(pending)
    opens = opening_instant(str(pending.said.get("opens") or ""), zone)
    return RequestView(
        number=pending.number,
        hash="" if configuration is None else configuration.content_hash,
        opens=_opens(opens, zone),
        by=pending.by,
        since=day_text(pending.asked, zone),
        words=str(pending.said.get("words") or ""),
        can_approve=not pending.problems(name, roles),
        is_own=pending.by.casefold() == name.casefold(),
        approvers=" or ".join(pending.approvers),
    )


def _span(state: BookState, posted: InForce, following: InForce | None, zone: ZoneInfo) -> SpanView:
    return SpanView(
        posted.hash,
        _game_title(configuration_by_hash(state, posted.hash)),
        posted.sequence,
        day_text(posted.since, zone),
        "" if following is None else day_text(following.since, zone),
        posted.after_round,
        posted.by,
        posted.approved_by,
        posted.words,
    )


def table_page(state: BookState, table: str, now: int, name: str, roles: frozenset[str]) -> TablePage:
    """Lay out a table, with what this person can do about the requests."""
    zone = room_zone(state)
    return TablePage(
        table_card(state, table, now),
        configuration_at(state, table),
        tuple(_request(pending, name, roles, zone) for pending in _requests_at(state, table)),
        sum(_is_set_up(pending, table) for pending in state.of(APPROVALS).values()),
        tuple(_span(state, posted, following, zone) for posted, following in posts_at(state, table).spans()),
    )


def local_today(state: BookState, now: int) -> datetime.date:
    """Return the date that the room's clocks show."""
    return (EPOCH + datetime.timedelta(microseconds=now)).astimezone(room_zone(state)).date()
