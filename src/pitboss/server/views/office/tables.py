"""Tables in the back office: what is in force, prepared or requested, its history, and a configuration's form."""

import datetime
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pitboss import law
from pitboss.books import EPOCH, LEDGER, BookState
from pitboss.games import UnknownGameError, all_games, find_game
from pitboss.jackpot import JACKPOTS, JackpotRecord, jackpot_title
from pitboss.law.papers import equipment_title
from pitboss.room.agreement import disagreements
from pitboss.room.approvals import APPROVALS, Pending
from pitboss.room.bundles import AddTable, tables_asked_for
from pitboss.room.configurations import (
    ActiveConfiguration,
    PostConfiguration,
    PreparedConfiguration,
    blockers,
    configuration_at,
    configuration_by_hash,
    configurations_at,
)
from pitboss.room.room import room_zone, tables_of
from pitboss.rules import Game, Slot, TermsInput, Wager, full_words, make_terms, posted_rows
from pitboss.rules.pays import NotApplicable, OperatorSet
from pitboss.rules.paytables import PayTable, Row
from pitboss.server.views.formatting import day_text, dollars
from pitboss.server.views.office.jackpots import jackpot_address, play_text
from pitboss.server.views.office.new_table import PREFIXES
from pitboss.server.views.paytables import money_range, paytable_words, titled
from pitboss.server.views.table_state import state_words
from pitboss.table import Configuration, read_configuration
from pitboss.table.configuration import DEALT, flat
from pitboss.tabulator import TABLES, TableRecord
from pitboss.tabulator.equipment import NONE


class PreparedView(NamedTuple):
    """A configuration that is approved: its record, when it opens, what blocks it now, and its game."""

    record: PreparedConfiguration
    opens: str
    blockers: tuple[str, ...]
    game: str


class SpanView(NamedTuple):
    """A configuration that is or was in force: its record, its game, and from when to when."""

    record: ActiveConfiguration
    game: str
    since: str
    until: str


class JackpotLine(NamedTuple):
    """A jackpot at a table: its title, what its meter shows, how it is played, and its page."""

    title: str
    amount: str
    play: str
    address: str


class TableCard(NamedTuple):
    """A table at a glance."""

    table: str
    address: str
    game: str
    limits: str
    life: str
    status: str
    hash: str
    since: str
    by: str
    prepared: tuple[PreparedView, ...]
    requests: int
    equipment: str
    jackpots: tuple[JackpotLine, ...]
    problems: tuple[str, ...]


class TablePage(NamedTuple):
    """A table, whole."""

    card: TableCard
    configuration: Configuration | None
    history: tuple[SpanView, ...]


def table_address(table: str) -> str:
    """Return the address of a table's page."""
    return f"/office/tables/{quote(table, safe='')}"


def _approval_text(by: str, approved_by: str) -> str:
    return f"{by}, approved by {approved_by}" if approved_by else by


def _opens(instant: int, zone: ZoneInfo) -> str:
    return day_text(instant, zone) if instant else "between rounds, once approved"


def _game_title(configuration: Configuration | None) -> str:
    return "" if configuration is None else find_game(configuration.game).title


def _prepared(state: BookState, table: str, prepared: PreparedConfiguration, now: int, zone: ZoneInfo) -> PreparedView:
    configuration = configuration_by_hash(state, prepared.hash)
    is_due = prepared.opens <= now
    problems = tuple(blockers(state, table, configuration)) if configuration is not None and is_due else ()
    return PreparedView(prepared, _opens(prepared.opens, zone), problems, _game_title(configuration))


def _equipment(state: BookState, table: str) -> tuple[str, str]:
    """Return how a table is equipped, and whether it is open."""
    record = state.of(TABLES).tables.get(table)
    if record is None:
        return "Not set up", ""
    setup = record.setup
    model = "Manual" if setup.model == NONE else setup.equipment.title
    counts = ", no jackpot wagers" if setup.counts_nothing else ""
    return f"{model}, {setup.seats} seats{counts}", record.life


def counted_wagers(record: TableRecord | None) -> list[str]:
    """Return the titles of the wagers that are counted at a table."""
    return [] if record is None else [titled(record.setup.title(name)) for name in record.setup.wagers]


def _limits(configuration: Configuration) -> str:
    """Return what may be wagered on the main wager."""
    base = find_game(configuration.game).base
    first = next(iter(configuration.wagers.values()), None)
    settings = first if base is None else configuration.wagers.get(base.name)
    return "" if settings is None else money_range(settings.minimum_cents, settings.maximum_cents)


def _jackpot_line(state: BookState, record: JackpotRecord) -> JackpotLine:
    name, accounts = record.jackpot.name, state.of(LEDGER).get(record.jackpot.name)
    cents = record.jackpot.meter.seed_cents if accounts is None else accounts.meter_state.displayed_cents
    return JackpotLine(jackpot_title(state, name), dollars(cents), play_text(state, name), jackpot_address(name))


def table_card(state: BookState, table: str, now: int) -> TableCard:
    """Return the view of a table at a glance."""
    zone, posts = room_zone(state), configurations_at(state, table)
    configuration = configuration_at(state, table)
    equipment, life = _equipment(state, table)
    problems = () if configuration is None else tuple(map(str, disagreements(state, table, configuration)))
    in_force = posts.now
    return TableCard(
        table=table,
        address=table_address(table),
        game=_game_title(configuration),
        limits="" if configuration is None else _limits(configuration),
        life=life,
        status=titled(life) if life else state_words(state, table)[1],
        hash="" if in_force is None else in_force.hash,
        since="" if in_force is None else day_text(in_force.since, zone),
        by="" if in_force is None else _approval_text(in_force.by, in_force.approved_by),
        prepared=tuple(_prepared(state, table, prepared, now, zone) for prepared in posts.prepared),
        requests=len(_requests_at(state, table)),
        equipment=equipment,
        jackpots=tuple(_jackpot_line(state, record) for record in state.of(JACKPOTS).at(table)),
        problems=problems,
    )


def table_cards(state: BookState, now: int) -> tuple[TableCard, ...]:
    """Return the view of every table of the room, those with a request only included."""
    requested = {name for pending in _configuration_requests(state) for name in configured_tables(pending)}
    tables = tables_of(state)
    return tuple(table_card(state, table, now) for table in (*tables, *sorted(requested - set(tables))))


def is_configuration_request(pending: Pending) -> bool:
    """True if a configuration waits for a second person, alone or with the rest of a new table."""
    return pending.what in (PostConfiguration.spec.name, AddTable.spec.name)


def configured_tables(pending: Pending) -> tuple[str, ...]:
    """Return the tables for which a request has a configuration."""
    return tables_asked_for(pending.said) if is_configuration_request(pending) else ()


def _configuration_requests(state: BookState) -> list[Pending]:
    return [pending for pending in state.of(APPROVALS).values() if is_configuration_request(pending)]


def _requests_at(state: BookState, table: str) -> list[Pending]:
    return [pending for pending in _configuration_requests(state) if table in configured_tables(pending)]


def requested_configuration(pending: Pending) -> Configuration | None:
    """Return the configuration that somebody asks for."""
    return read_configuration(str(pending.said.get("configuration"))).configuration


def _span(
    state: BookState, posted: ActiveConfiguration, following: ActiveConfiguration | None, zone: ZoneInfo
) -> SpanView:
    until = "" if following is None else day_text(following.since, zone)
    game = _game_title(configuration_by_hash(state, posted.hash))
    return SpanView(posted, game, day_text(posted.since, zone), until)


def table_page(state: BookState, table: str, now: int) -> TablePage:
    """Return the view of a table."""
    zone = room_zone(state)
    return TablePage(
        table_card(state, table, now),
        configuration_at(state, table),
        tuple(_span(state, posted, following, zone) for posted, following in configurations_at(state, table).spans()),
    )


def local_today(state: BookState, now: int) -> datetime.date:
    """Return the date that the room's clocks show."""
    return (EPOCH + datetime.timedelta(microseconds=now)).astimezone(room_zone(state)).date()


# The form of a configuration, which states what a text of TOML states.

Fields = Mapping[str, str]
"""The value of each field of the form, by its name; what is offered is `offer:WAGER`."""
_WHOLE = ("decks", "cut_card", "seats")
_TOP = ("game", "on", "profile", "dealt", "decks", "cut_card", "seats", "smallest_chip", "equipment")
_DIGITS_MAX = 9
_WAGER_KEYS = {
    "minimum": "minimum",
    "maximum": "maximum",
    "base_multiple_max": "cap",
    "player_limit": "player_limit",
    "table_limit": "table_limit",
}
_JACKPOT_KEYS = {"wager": "wager", "meter": "meter", "fixed_prizes": "fixed_prizes"}


def _text(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def _number(text: str) -> Any:
    """Read a whole number; what is none stays as it was typed, and is then named as a problem."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX else text


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


# From what a text states to fields.


def fields_of(content: Mapping[str, Any]) -> dict[str, str]:
    """Fill the fields of the form with what a configuration states."""
    fields = {name: _text(content[name]) for name in _TOP if name in content and not isinstance(content[name], dict)}
    fields |= {f"reading:{name}": _text(value) for name, value in _table(content.get("readings")).items()}
    jackpots = _table(content.get("jackpots"))
    fields |= {name: _text(jackpots[name]) for name in ("type", "bonus_sharing") if name in jackpots}
    try:
        game = find_game(content.get("game"))
    except UnknownGameError:
        return fields
    for wager in game.wagers:
        section = jackpots if wager.jackpot else _table(content.get("wagers"))
        if isinstance(section.get(wager.name), Mapping):
            fields |= _wager_fields(wager, section[wager.name])
    return fields


def _wager_fields(wager: Wager, content: Mapping[str, Any]) -> dict[str, str]:
    fields = {f"offer:{wager.name}": "yes"}
    keys = _JACKPOT_KEYS if wager.jackpot else _WAGER_KEYS
    fields |= {f"{field}:{wager.name}": _text(content[key]) for key, field in keys.items() if key in content}
    entries = content.get("paytables")
    left = list(entries) if isinstance(entries, list) else []
    free = []
    for slot in _open_slots(wager):
        match = next((entry for entry in left if _id_of(entry) in slot.ids), None)
        if match is None:
            free.append(slot)
        else:
            left.remove(match)
            fields |= _slot_fields(wager, slot, match)
    for slot, unknown in zip(free, left, strict=False):
        fields |= _slot_fields(wager, slot, unknown)
    return fields


def _open_slots(wager: Wager) -> list[Slot]:
    return [slot for slot in wager.slots if not slot.fixed]


def _id_of(entry: Any) -> str:
    """Return the id of the printed table that is stated, or from which one of the room's own departs."""
    return _text(entry.get("like", entry.get("id", ""))) if isinstance(entry, Mapping) else _text(entry)


def _slot_fields(wager: Wager, slot: Slot, entry: Any) -> dict[str, str]:
    place = f"{wager.name}:{slot.name}"
    fields = {f"table:{place}": _id_of(entry)}
    if isinstance(entry, Mapping) and "like" in entry:
        fields[f"own:{place}"] = _text(entry.get("id", ""))
    for column in ("pays", "envy"):
        amounts = _table(entry.get(column)) if isinstance(entry, Mapping) else {}
        fields |= {f"{column}:{place}:{event}": _text(cell) for event, cell in amounts.items()}
    return fields


# From fields to what a text would state.


def content_of(fields: Fields) -> dict[str, Any]:
    """Return what the fields of the form state, as a text would; a field that is left empty is not stated."""
    content: dict[str, Any] = {}
    for name in _TOP:
        if fields.get(name):
            content[name] = _number(fields[name]) if name in _WHOLE else fields[name]
    readings = {
        name.removeprefix("reading:"): value for name, value in fields.items() if name.startswith("reading:") and value
    }
    if readings:
        content["readings"] = readings
    try:
        game = find_game(content.get("game"))
    except UnknownGameError:
        return content
    content["wagers"] = _section(game, fields, (wager for wager in game.wagers if not wager.jackpot))
    jackpots = _section(game, fields, game.jackpots)
    if jackpots:
        kind = {name: fields[name] for name in ("type", "bonus_sharing") if fields.get(name)}
        content["jackpots"] = {**kind, **jackpots}
    return content


def _section(game: Game, fields: Fields, wagers: Iterable[Wager]) -> dict[str, Any]:
    return {wager.name: _wager_content(game, fields, wager) for wager in wagers if fields.get(f"offer:{wager.name}")}


def _wager_content(game: Game, fields: Fields, wager: Wager) -> dict[str, Any]:
    content: dict[str, Any] = {"paytables": []}
    for slot in _open_slots(wager):
        if fields.get(f"table:{wager.name}:{slot.name}"):
            content["paytables"].append(_entry(game, fields, f"{wager.name}:{slot.name}"))
    keys = _JACKPOT_KEYS if wager.jackpot else _WAGER_KEYS
    for key, field in keys.items():
        value = fields.get(f"{field}:{wager.name}", "")
        if value:
            content[key] = _number(value) if field == "cap" else value
    return content


def _entry(game: Game, fields: Fields, place: str) -> Any:
    table_id = fields[f"table:{place}"]
    table = game.paytables.get(table_id)
    own = fields.get(f"own:{place}")
    entry: dict[str, Any] = {"id": own, "like": table_id} if own else {"id": table_id}
    for column in ("pays", "envy"):
        events = [] if table is None else [row.event for row in table.rows]
        cells = {event: fields.get(f"{column}:{place}:{event}", "") for event in events}
        amounts = {event: cell for event, cell in cells.items() if cell}
        if amounts:
            entry[column] = amounts
    return entry if len(entry) > 1 else table_id


def lost_keys(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys of a text that the form has no field for, which would be lost."""
    remaining = flat(content_of(fields_of(content)))
    return tuple(key for key in flat(content) if key not in remaining)


_TO_FIELD = {**_WAGER_KEYS, **_JACKPOT_KEYS}


def field_of_path(fields: Fields) -> Callable[[str], str]:
    """Return how the path of a problem leads to a field of the form; one that has none stands above the form."""

    def field_of(path: str) -> str:
        first, *rest = path.split(".")
        if not rest:
            return first if first in _TOP or first.startswith(PREFIXES) else ""
        if first == "readings":
            return f"reading:{rest[0]}"
        if first == "jackpots" and rest[0] in ("type", "bonus_sharing"):
            return rest[0]
        if first not in ("wagers", "jackpots"):
            return ""
        if len(rest) == 1:
            return f"offer:{rest[0]}"
        if rest[1] == "paytables":
            return next((name for name in fields if name.startswith(f"table:{rest[0]}:")), f"offer:{rest[0]}")
        return f"{_TO_FIELD.get(rest[1], 'offer')}:{rest[0]}"

    return field_of


class FieldChoice(NamedTuple):
    """One of several values of a field: its value, title, whether it is chosen, a figure that waits, and its code."""

    value: str
    title: str
    chosen: bool
    waits: str = ""
    code: str = ""


Edges = Mapping[str, tuple[str, str]]
"""By `WAGER:SLOT:ID` the edge with a pay table, in words, and the figure that is being computed for it."""


TextField = tuple[str, str, str]
"""The name and the title of a field, and what stands there."""


class SlotField(NamedTuple):
    """A place for one pay table, the rows of the chosen one, and the amounts that it leaves to the operator."""

    name: str
    title: str
    choices: tuple[FieldChoice, ...]
    amounts: tuple[TextField, ...]
    rows: tuple[tuple[str, str, str], ...] = ()


class WagerField(NamedTuple):
    """A wager: whether it is offered, its pay tables, and its other fields."""

    name: str
    title: str
    offered: bool
    is_base: bool
    slots: tuple[SlotField, ...]
    fields: tuple[TextField, ...]
    fixed_prizes: tuple[FieldChoice, ...] = ()


class ReadingField(NamedTuple):
    """A clause with several readings."""

    name: str
    title: str
    source: str
    choices: tuple[FieldChoice, ...]


class FormView(NamedTuple):
    """The whole form of one game."""

    game: str
    games: tuple[FieldChoice, ...]
    tops: tuple[tuple[str, str, str, str], ...]
    selects: tuple[tuple[str, str, tuple[FieldChoice, ...]], ...]
    readings: tuple[ReadingField, ...]
    wagers: tuple[WagerField, ...]
    jackpot_selects: tuple[tuple[str, str, tuple[FieldChoice, ...]], ...]
    jackpots: tuple[WagerField, ...]


_PROFILES = {"wa-commercial": "House-banked card room", "wa-tribal": "Tribal casino"}
_DEALT = {"shuffler": "Shuffler", "shoe": "Shoe", "by-hand": "By hand"}
_TYPES = {"progressive": "Progressive (grows with each wager)", "bonus": "Bonus (fixed amount)"}
_SHARING = {"full": "Each paid in full", "split": "Split"}
_CUT_CARD = "Cut card after (blank = shuffle every round)"
_FIXED = {"house": "House", "meter": "Meter"}


def _choices(values: dict[str, str], chosen: str, empty: str | None = None) -> tuple[FieldChoice, ...]:
    """Return the choices in their order; a chosen value that is none of them is added."""
    titles = {**({} if empty is None else {"": empty}), **values}
    if chosen not in titles:
        titles |= {chosen: chosen or "Choose …"}
    return tuple(FieldChoice(value, title, value == chosen) for value, title in titles.items())


def form_view(fields: Fields, edges: Edges = MappingProxyType({})) -> FormView:
    """Return the view of the form of the game that stands in it; of an unknown one there is none."""
    game = find_game(fields.get("game"))
    profiles = {name: _PROFILES.get(name, name) for name in law.PROFILES}
    dealt = {name: _DEALT.get(name, name) for name in DEALT}
    equipment = {name: equipment_title(name) for name in game.approval.equipment}
    selects = [
        ("profile", "Property type", _choices(profiles, _of(fields, "profile", law.PROFILES[0]))),
        ("dealt", "Dealt from", _choices(dealt, _of(fields, "dealt", DEALT[0]))),
        ("equipment", "Equipment", _choices(equipment, _of(fields, "equipment"), "None (dealer enters wagers)")),
    ]
    if game.decks_allowed:
        decks = {str(number): f"{number} decks" for number in game.decks_allowed}
        selects.append(("decks", "Shoe", _choices(decks, _of(fields, "decks", str(game.decks_allowed[0])))))
    sharing = _choices(_SHARING, _of(fields, "bonus_sharing"), "Default by law")
    return FormView(
        game=game.title,
        games=tuple(FieldChoice(other.name, other.title, other is game) for other in all_games()),
        tops=(
            ("on", "Rules as of", _of(fields, "on"), "date"),
            ("seats", "Seats", _of(fields, "seats"), "text"),
            ("smallest_chip", "Smallest chip", _of(fields, "smallest_chip"), "text"),
            *([("cut_card", _CUT_CARD, _of(fields, "cut_card"), "text")] if game.cut_card else []),
        ),
        selects=tuple(selects),
        readings=tuple(_reading(game, fields, number) for number in range(len(game.switches))),
        wagers=tuple(_wager(game, fields, wager, edges) for wager in game.wagers if not wager.jackpot),
        jackpot_selects=(
            ("type", "Jackpot type", _choices(_TYPES, _of(fields, "type", "progressive"))),
            ("bonus_sharing", "If several players win", sharing),
        ),
        jackpots=tuple(_wager(game, fields, wager, edges) for wager in game.jackpots),
    )


def _of(fields: Fields, name: str, usual: str = "") -> str:
    return fields.get(name) or usual


def _reading(game: Game, fields: Fields, number: int) -> ReadingField:
    switch = game.switches[number]
    name = f"reading:{switch.name}"
    words = dict(switch.readings)
    usual = f"Default: {words[switch.default]}"
    choices = _choices(words, _of(fields, name), usual)
    return ReadingField(name, switch.title, f"{switch.clause.id}; {switch.ruling}", choices)


def _wager(game: Game, fields: Fields, wager: Wager, edges: Edges) -> WagerField:
    def field(name: str, title: str) -> TextField:
        return f"{name}:{wager.name}", title, _of(fields, f"{name}:{wager.name}")

    named: tuple[TextField, ...]
    if wager.jackpot:
        named = (field("wager", "Wager"), field("meter", "Opening meter"))
        fixed = _choices(_FIXED, _of(fields, f"fixed_prizes:{wager.name}", "house"))
    else:
        named = (field("minimum", "Minimum"), field("maximum", "Maximum"))
        if game.base is None or wager.name != game.base.name:
            named = (*named, field("cap", "Max multiple of base wager"))
        named = (
            *named,
            field("player_limit", "Max payout per player"),
            field("table_limit", "Max payout per table"),
        )
        fixed = ()
    slots = tuple(_slot(game, fields, wager, slot, edges) for slot in wager.slots if not slot.fixed)
    is_base = game.base is not None and wager.name == game.base.name
    offered = bool(_of(fields, f"offer:{wager.name}"))
    return WagerField(wager.name, titled(wager.title), offered, is_base, slots, named, fixed)


def _slot(game: Game, fields: Fields, wager: Wager, slot: Slot, edges: Edges) -> SlotField:
    place = f"{wager.name}:{slot.name}"
    chosen = _of(fields, f"table:{place}")
    title = "Pay table" if wager.heading(slot) == titled(wager.title) else f"Pay table, {wager.heading(slot)}"
    table = game.paytables.get(chosen) if chosen in slot.ids else None
    own = _of(fields, f"own:{place}")
    amounts = [(f"own:{place}", "Id of the room's own table", own)] if own else []
    for row in () if table is None else table.rows:
        amounts += _amounts(fields, place, row)
    known = {table_id: edges.get(f"{place}:{table_id}", ("", "")) for table_id in slot.ids}
    ids = {table_id: paytable_words(game.paytables[table_id], edge) for table_id, (edge, _) in known.items()}
    choices = tuple(
        choice._replace(waits=known[choice.value][1], code=choice.value) if choice.value in known else choice
        for choice in _choices(ids, chosen, "Choose …")
    )
    rows = () if table is None else _preview(game, fields, wager, slot, table)
    return SlotField(f"table:{place}", title, choices, tuple(amounts), rows)


def _preview(game: Game, fields: Fields, wager: Wager, slot: Slot, table: PayTable) -> tuple[TextField, ...]:
    """The rows of a chosen table as they are settled by what stands in the form; as printed while that cannot be."""
    content, kind = content_of(fields), _of(fields, "type", "progressive")
    decks = content.get("decks", game.decks_allowed[0] if game.decks_allowed else None)
    stated = {wager.name: _wager_content(game, fields, wager)["paytables"]}
    inputs = TermsInput(paytables=stated, readings=content.get("readings", {}), decks=decks, jackpot_type=kind)
    terms, problems = make_terms(game, inputs)
    if problems or slot.name not in terms.tables:
        return tuple((titled(full_words(row.event)), row.printed, row.envy_printed or "") for row in table.rows)
    never = {row.event: row.printed for row in table.rows if isinstance(row.pay, NotApplicable)}
    return tuple(
        (titled(full_words(row.event)), never.get(row.event) or titled(row.pays_words), str(row.envy or ""))
        for row in posted_rows(wager, slot, terms)
    )


def _amounts(fields: Fields, place: str, row: Row) -> list[TextField]:
    amounts = []
    for column, pay in (("pays", row.pay), ("envy", row.envy)):
        name = f"{column}:{place}:{row.event}"
        if isinstance(pay, OperatorSet) or _of(fields, name):
            title = f"{row.event} pays" if column == "pays" else f"{row.event} pays as Envy"
            amounts.append((name, title, _of(fields, name)))
    return amounts
