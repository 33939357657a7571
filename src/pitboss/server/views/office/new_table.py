"""What a new table needs beside its configuration: equipment, approvals on file, and the money of its jackpots."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pitboss.books import BookState
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS
from pitboss.law.papers import NEEDED, PAPER_TITLES
from pitboss.room.approval_records import room_approvals
from pitboss.rules import Game
from pitboss.server.views.paytables import titled
from pitboss.table import Configuration, default_configuration
from pitboss.table.checks import check_configuration
from pitboss.tabulator.equipment import NONE, find_model

Typed = Mapping[str, str]
_MONEY_FIELDS = ("name:", "shared:", "reseed:", "rate:", "reserve:", "cap:", "small:", "batch:", "display:")
PREFIXES = ("also", "device", "counter_digits", "down_method", "number:", "day:", *_MONEY_FIELDS)
"""How the fields begin that a configuration does not have."""
_RATE, _RESERVE, _SMALL = "17.3", "0", "$100.00"
_SHARED = (("each", "One for each table"), ("one", "One for all of them (linked)"))
_CAP_NOTE = "Leave blank for no cap. Anything above goes to the overflow fund, which is the players'."


class NewField(NamedTuple):
    """A field: its name, label, a note and what stands in it; `choices` where it is chosen from a list."""

    name: str
    label: str
    note: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    kind: str = "text"


class NewTable(NamedTuple):
    """The fields of a new table: those of its equipment, of its approvals, and by jackpot those of its money."""

    equipment: tuple[NewField, ...]
    equipment_text: str
    approvals: tuple[NewField, ...]
    jackpots: tuple[tuple[str, tuple[NewField, ...]], ...]


def names_in(text: str) -> tuple[str, ...]:
    """Return the names of tables in a text with commas between them, each once."""
    return tuple(dict.fromkeys(name for part in text.split(",") if (name := part.strip())))


def tables_typed(table: str, typed: Typed) -> tuple[str, ...]:
    """Return the table of a form, and those that are set up like it."""
    return tuple(dict.fromkeys((table, *names_in(typed.get("also", "")))))


def usual_device(table: str) -> str:
    """Return what a tabulator is called where nobody has named it."""
    return f"BT-{table}"


def office_default(game: Game, on: datetime.date) -> Configuration:
    """Return the table that an office begins with: one jackpot, and equipment that can count it at once."""
    plain = default_configuration(game, on)
    first = dict(list(plain.jackpots.items())[:1])
    plain = replace(plain, jackpots=first)
    if not first:
        return plain
    equipped = [replace(plain, equipment=name) for name in game.approval.equipment if _counts_at_once(name)]
    plain_names = game.approval.equipment_to_confirm
    sure = sorted(equipped, key=lambda table: table.equipment in plain_names)
    return next((table for table in sure if not check_configuration(table)[0]), plain)


def _counts_at_once(name: str) -> bool:
    model = find_model(name)
    return model is not None and model.counts == "at-once"


def new_table_view(state: BookState, table: str, configuration: Configuration, typed: Typed) -> NewTable:
    """Return the fields that a configuration leaves open for a new table; one that nobody has seen has its default."""
    tables = tables_typed(table, typed)
    model = find_model(configuration.equipment or NONE) or find_model(NONE)
    assert model is not None
    fields: list[NewField] = []
    if model.is_linked and model.name != NONE:
        usual = typed.get("device", usual_device(table))
        label, note = "Tabulator name", "The name on the tabulator, such as A3-1001."
        if len(tables) > 1:
            usual = usual if "," in usual else ", ".join(map(usual_device, tables))
            label, note = "Tabulator names", f"One for each of tables {', '.join(tables)}, with commas between them."
        fields.append(NewField("device", label, note, usual))
    if model.counter:
        fields.append(NewField("counter_digits", "Counter digits (if any)", "", typed.get("counter_digits", "")))
    if model.name != NONE:
        methods = (("suspend", "Suspend jackpots"), ("on-the-spot", "Play manually"))
        method = typed.get("down_method", "suspend")
        fields.append(NewField("down_method", "If equipment fails", "", method, methods))
    text = model.title if model.name != NONE else "None: the dealer enters jackpot wagers at the console."
    jackpots = tuple(
        (
            titled(find_game(configuration.game).by_name[name].title),
            _money_fields(state, table, configuration, name, typed),
        )
        for name in configuration.jackpots
    )
    return NewTable(tuple(fields), text, _approval_fields(state, configuration, typed), jackpots)


def _approval_fields(state: BookState, configuration: Configuration, typed: Typed) -> tuple[NewField, ...]:
    """Return number and date of each paper; those that were recorded last for the game stand there already."""
    papers = {
        paper.kind: (paper, record.table)
        for record in room_approvals(state).records
        if record.game == configuration.game and not record.paytable and not record.is_example
        for paper in record.papers
    }
    fields: list[NewField] = []
    for kind in NEEDED.get(configuration.profile, ()):
        title = titled(PAPER_TITLES[kind])
        paper, table = papers.get(kind, (None, ""))
        number, day = ("", "") if paper is None else (paper.number, paper.day.isoformat())
        stands = typed.get(f"number:{kind}", number)
        note = f"Filled in from table {table}. Check that it covers this table." if number and stands == number else ""
        fields.append(NewField(f"number:{kind}", f"{title}: number", note, stands))
        fields.append(NewField(f"day:{kind}", f"{title}: date", "", typed.get(f"day:{kind}", day), kind="date"))
    return tuple(fields)


def jackpot_id(state: BookState, tables: Sequence[str], wager: str) -> str:
    """Return a short name for the jackpot of a wager that no other jackpot has; of several tables, before theirs."""
    names, table = state.of(JACKPOTS).jackpots, tables[0]
    if len(tables) > 1 and not any(f"{wager}-{name}" in names for name in tables):
        return wager
    return next(name for name in (wager, f"{wager}-{table}", f"{wager}-{table}-{len(names) + 1}") if name not in names)


def _money_fields(
    state: BookState, table: str, configuration: Configuration, wager: str, typed: Typed
) -> tuple[NewField, ...]:
    """Return what a configuration does not state of a jackpot: its short name, and how its meter moves."""

    def field(name: str, label: str, usual: str = "", note: str = "") -> NewField:
        return NewField(f"{name}:{wager}", label, note, typed.get(f"{name}:{wager}", usual))

    tables = tables_typed(table, typed)
    named = field("name", "Short name (can't be changed later)", jackpot_id(state, tables, wager))
    several: tuple[NewField, ...] = ()
    if len(tables) > 1:
        note = f"One for each: {', '.join(f'{named.value}-{name}' for name in tables)}."
        shared = typed.get(f"shared:{wager}", "each")
        several = (NewField(f"shared:{wager}", "Jackpot of these tables", note, shared, _SHARED),)
    last = (
        field("small", "Dealer pays prizes under", _SMALL, "Paid from the tray with one press."),
        field("batch", "Max wagers per count", note="Leave blank for no limit."),
    )
    if configuration.jackpot_type != "progressive":
        updates = (("updatable", "When a new amount is posted"), ("static", "Only when closed"))
        shown = NewField(f"display:{wager}", "Display updates", "", typed.get(f"display:{wager}", "updatable"), updates)
        return (named, *several, shown, *last)
    return (
        named,
        *several,
        field("rate", "Meter contribution (% of wager)", _RATE),
        field("reserve", "Reserve contribution (% of wager)", _RESERVE, "Not displayed; funds the next jackpot."),
        field("reseed", "Reset amount after a full win", note="Leave blank for the opening meter."),
        field("cap", "Cap", note=_CAP_NOTE),
        *last,
    )
