"""The form by which a jackpot is defined or changed: pay tables to choose from, cells to fill in, tables to link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.books import BookState
from pitboss.games import UnknownGameError, all_games, find_game
from pitboss.jackpot import JACKPOTS, Jackpot, Offer
from pitboss.room.configurations import configuration_at
from pitboss.rules import Wager, dollars
from pitboss.rules.pays import OperatorSet, Pay, cell_text
from pitboss.rules.paytables import PayTable
from pitboss.server.views.paytables import titled
from pitboss.server.views.table_state import room_name, tables_of
from pitboss.tabulator import TABLES

_SAMPLE = 4


class OfferChoice(NamedTuple):
    """A pay table of a jackpot wager: its key in the form, and what is read of it."""

    key: str
    label: str


class OfferGroup(NamedTuple):
    """The pay tables of one jackpot wager."""

    title: str
    choices: tuple[OfferChoice, ...]


class OfferRow(NamedTuple):
    """A row of the pay table that was chosen; a cell that the operator sets has the name of its field."""

    event: str
    pays: str
    envy: str
    pays_field: str = ""
    envy_field: str = ""


class OfferView(NamedTuple):
    """The wager and pay table of a form: where it is from, its rows, and what else is chosen for it."""

    key: str
    game: str
    wager: str
    paytable: str
    source: str
    rows: tuple[OfferRow, ...]
    has_envy: bool
    decks: tuple[int, ...]
    readings: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


class TableBox(NamedTuple):
    """A table that can be linked: its name, the game dealt there, and the jackpots that it is on."""

    name: str
    game: str
    note: str


def offer_key(game: str, wager: str, paytable: str) -> str:
    """Return the key of an offer in a form."""
    return f"{game}|{wager}|{paytable}"


def _label(table: PayTable) -> str:
    cells = ", ".join(cell_text(row.pay) for row in table.rows[:_SAMPLE])
    return f"{table.id}: {cells}{' …' if len(table.rows) > _SAMPLE else ''}"


def _choices(game: str, wager: Wager, tables: Mapping[str, PayTable]) -> tuple[OfferChoice, ...]:
    ids = wager.slots[0].ids
    return tuple(OfferChoice(offer_key(game, wager.name, table_id), _label(tables[table_id])) for table_id in ids)


def offer_groups() -> tuple[OfferGroup, ...]:
    """Return every pay table of every jackpot wager."""
    return tuple(
        OfferGroup(f"{game.title}: {titled(wager.title)}", _choices(game.name, wager, game.paytables))
        for game in all_games()
        for wager in game.jackpots
    )


def _cell(pay: Pay | None) -> str:
    return "" if pay is None else cell_text(pay)


def offer_view(key: str) -> OfferView | None:
    """Lay out the pay table that a key names; nothing where it names none."""
    name, _, rest = key.partition("|")
    wager_name, _, paytable = rest.partition("|")
    try:
        game = find_game(name)
    except UnknownGameError:
        return None
    wager = game.by_name.get(wager_name)
    if wager is None or not wager.jackpot or paytable not in wager.slots[0].ids:
        return None
    table = game.paytables[paytable]
    has_envy = any(row.envy is not None for row in table.rows)
    rows = tuple(
        OfferRow(
            row.event,
            _cell(row.pay),
            _cell(row.envy),
            f"pays-{place}" if isinstance(row.pay, OperatorSet) else "",
            f"envy-{place}" if isinstance(row.envy, OperatorSet) else "",
        )
        for place, row in enumerate(table.rows)
    )
    # Of the readings only those about Envy concern a jackpot (FCP-5).
    readings = tuple(
        (switch.name, tuple(switch.readings.items()))
        for switch in game.switches
        if has_envy and switch.name.startswith("envy")
    )
    return OfferView(
        key, game.title, titled(wager.title), table.id, str(table.source), rows, has_envy, game.decks_allowed, readings
    )


def game_at(state: BookState, table: str) -> str:
    """Return the game of a table by its equipment, its configuration or its jackpots; else nothing."""
    tables = state.parts.get(TABLES.name)
    if tables is not None and table in tables.tables:
        return str(tables.tables[table].setup.game)
    configuration = configuration_at(state, table)
    if configuration is not None:
        return configuration.game
    links = (record.jackpot.linked(table) for record in state.of(JACKPOTS).at(table))
    return next((linked.game for linked in links if linked is not None), "")


def table_boxes(state: BookState, name: str) -> tuple[TableBox, ...]:
    """Return the tables of the room, as a form offers them to a jackpot."""
    boxes = []
    for table in tables_of(state):
        game = game_at(state, table)
        names = (record.jackpot.name for record in state.of(JACKPOTS).at(table))
        others = ", ".join(other for other in names if other != name)
        boxes.append(TableBox(table, find_game(game).title if game else "", f"on {others}" if others else ""))
    return tuple(boxes)


def percent_text(rate: Fraction) -> str:
    """Write a part of a wager in percent, exact where decimals end."""
    percent = rate * 100
    for places in range(10):
        if (percent * 10**places).denominator == 1:
            digits = f"{int(percent * 10**places):0{places + 1}d}"
            return digits if places == 0 else f"{digits[:-places]}.{digits[-places:]}"
    return str(percent)


Values = dict[str, list[str]]


def initial_values(state: BookState, jackpot_type: str) -> Values:
    """Return the values of the fields of a new jackpot."""
    usual = {
        "wager": "$1.00",
        "display_rate": "17.3",
        "reserve_rate": "0",
        "small": "$100.00",
        "fixed_prizes": "house",
        "display": "real-time" if jackpot_type == "progressive" else "updatable",
        "bonus_sharing": "full",
        "location": room_name(state),
    }
    return {name: [text] for name, text in usual.items()}


def _cells(offer: Offer) -> Values:
    view = offer_view(offer_key(offer.game, offer.wager, offer.paytable))
    terms: Mapping[str, Any] = offer.stated
    cells: Values = {}
    for row in () if view is None else view.rows:
        for field, column in ((row.pays_field, "pays"), (row.envy_field, "envy")):
            if field:
                cells[field] = [str(dict(terms.get(column, {})).get(row.event, ""))]
    return cells


def values_of(jackpot: Jackpot) -> Values:
    """Return the values of the fields of a jackpot that is changed."""
    meter, offer = jackpot.meter, jackpot.offers[0]
    amounts: Mapping[str, int | None] = {
        "wager": meter.wager_cents,
        "seed": meter.seed_cents,
        "reseed": meter.reseed_cents,
        "cap": meter.cap_cents,
        "small": jackpot.small_prize_cents,
    }
    texts: Mapping[str, Sequence[str]] = {
        "name": [jackpot.name],
        "display_rate": [percent_text(meter.display_rate)],
        "reserve_rate": [percent_text(meter.reserve_rate)],
        "batch": ["" if meter.batch_wagers_max is None else str(meter.batch_wagers_max)],
        "display": [jackpot.display],
        "fixed_prizes": [jackpot.fixed_prizes],
        "bonus_sharing": [jackpot.bonus_sharing],
        "decks": ["" if offer.decks is None else str(offer.decks)],
        "other": [offer_key(other.game, other.wager, other.paytable) for other in jackpot.offers[1:]],
        "table": [linked.table for linked in jackpot.tables],
        "location": [linked.location for linked in jackpot.tables[:1]],
    }
    readings = {f"reading-{name}": [reading] for name, reading in offer.readings.items()}
    money = {name: ["" if cents is None else dollars(cents)] for name, cents in amounts.items()}
    return {**{name: list(values) for name, values in texts.items()}, **money, **readings, **_cells(offer)}
