"""Jackpots in the back office: meters and funds, terms, escrow, what waits for a second person, and their form."""

import datetime
from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pitboss.books import LEDGER, BookState, JackpotAccounts
from pitboss.games import UnknownGameError, all_games, find_game
from pitboss.jackpot import (
    HITS,
    JACKPOTS,
    REMOVALS,
    Jackpot,
    JackpotRecord,
    Offer,
    jackpot_title,
    scheduled_for,
)
from pitboss.jackpot.escrow import Escrow, escrow_of, forecast_of, warnings
from pitboss.jackpot.postings import amount_problems
from pitboss.meters import UNITS_PER_CENT, cents_shown
from pitboss.reports.render import units_words
from pitboss.room.configurations import configuration_at
from pitboss.room.room import location_of, tables_of
from pitboss.rules import dollars as plain_dollars
from pitboss.rules.pays import OperatorSet, Pay, cell_text
from pitboss.server.views.formatting import day_text, dollars, local, short_day
from pitboss.server.views.office.audit import Field
from pitboss.server.views.paytables import paytable_words, titled
from pitboss.tabulator import TABLES

_SAMPLE = 4
_NO_EDGES: Mapping[str, str] = MappingProxyType({})


class Deposit(NamedTuple):
    """A deposit on its way to the bank."""

    entry: int
    since: str
    amount: str


class EscrowView(NamedTuple):
    """How the escrow stands: figures by name, whether it is short, and the deposits on their way."""

    figures: tuple[Field, ...]
    short: bool
    deposits: tuple[Deposit, ...]


class JackpotCard(NamedTuple):
    """A jackpot in short."""

    name: str
    title: str
    game: str
    kind: str
    amount: str
    play: str
    status: str
    tables: str
    held: str
    escrow: str
    escrow_short: bool
    address: str


class JackpotsView(NamedTuple):
    """All jackpots, and what their escrows warn of."""

    warnings: tuple[str, ...]
    cards: tuple[JackpotCard, ...]


class PostingView(NamedTuple):
    """An amount of a Bonus that waits for its time, and what would keep it from being posted."""

    entry: int
    text: str
    problems: tuple[str, ...]


class Fund(NamedTuple):
    """A fund: its title, what it holds to the cent, and exactly."""

    name: str
    text: str
    exact: str


class JackpotView(NamedTuple):
    """One jackpot."""

    card: JackpotCard
    sequence: int
    funds: tuple[Fund, ...]
    counts: tuple[Field, ...]
    terms: tuple[Field, ...]
    offers: tuple[tuple[str, str, str], ...]
    tables: tuple[tuple[str, str, str, str], ...]
    escrow: EscrowView | None
    warnings: tuple[str, ...]
    adjustments: str
    is_bonus: bool = False
    is_removed: bool = False
    unpaid: str = ""
    notice: str = ""
    successors: tuple[tuple[str, str], ...] = ()
    postings: tuple[PostingView, ...] = ()
    due: str = ""
    """What has to be deposited, as a field has it."""


def jackpot_address(name: str) -> str:
    """Return the address of a jackpot's page."""
    return f"/office/jackpots/{quote(name, safe='')}"


def play_text(state: BookState, name: str) -> str:
    """Return how a jackpot is played now, in the one word that every page uses (A24)."""
    if any(hit.jackpot == name for hit in state.of(HITS).open.values()):
        return "Jackpot pending"
    return titled(state.of(JACKPOTS).jackpots[name].play)


def _card(state: BookState, record: JackpotRecord, now: int) -> JackpotCard:
    jackpot, accounts = record.jackpot, state.of(LEDGER).get(record.jackpot.name)
    game, _ = jackpot.game_and_wager(jackpot.offers[0])
    escrow, short = "House-funded", False
    if accounts is None:
        escrow = "Not opened yet"
    elif jackpot.is_progressive:
        status = escrow_of(record, accounts, now)
        short = status.is_short
        escrow = f"Shortfall {dollars_up(status.shortfall_units)}" if short else "Funded"
        if not short and status.undeposited_units:
            escrow = f"Deposit {dollars_up(status.undeposited_units)}"
    return JackpotCard(
        name=jackpot.name,
        title=jackpot_title(state, jackpot.name),
        game=game.title,
        kind="Progressive" if jackpot.is_progressive else "Bonus",
        amount="Not opened" if accounts is None else dollars(accounts.meter_state.displayed_cents),
        play=record.play if jackpot.tables else "removed",
        status=play_text(state, jackpot.name) if jackpot.tables else "Retired",
        tables=", ".join(linked.table for linked in jackpot.tables) or "None",
        held="" if accounts is None or not jackpot.is_progressive else money_shown(accounts.held_units),
        escrow=escrow,
        escrow_short=short,
        address=jackpot_address(jackpot.name),
    )


def jackpots_view(state: BookState, now: int) -> JackpotsView:
    """Return the view of the list of jackpots."""
    records = state.of(JACKPOTS).jackpots.values()
    return JackpotsView(tuple(warnings(state, now)), tuple(_card(state, record, now) for record in records))


def _share(units: int, rate: Fraction) -> str:
    return f"{units_words(units)} ({percent_text(rate)}%)"


def _terms(record: JackpotRecord) -> tuple[Field, ...]:
    jackpot, meter = record.jackpot, record.jackpot.meter
    terms = [
        Field("Wager", dollars(meter.wager_cents)),
        Field("Start / reset", f"{dollars(meter.seed_cents)} / {dollars(meter.reseed_cents)}"),
    ]
    if jackpot.is_progressive:
        terms += [
            Field("Meter share per wager", f"{units_words(meter.display_units)} ({percent_text(meter.display_rate)}%)"),
            Field(
                "Reserve share per wager", f"{units_words(meter.reserve_units)} ({percent_text(meter.reserve_rate)}%)"
            ),
            Field("Cap", "None" if meter.cap_cents is None else dollars(meter.cap_cents)),
        ]
    return (
        *terms,
        Field("Display updates", _DISPLAYS[jackpot.display]),
        Field("Dealer pays prizes under", dollars(jackpot.small_prize_cents)),
        Field("Fixed prizes paid by", titled(jackpot.fixed_prizes)),
    )


def _escrow(record: JackpotRecord, accounts: JackpotAccounts | None, now: int, zone: ZoneInfo) -> EscrowView:
    """Return the view of how the escrow stands (J-19); the seed is at the bank before a jackpot opens (G-33)."""
    if accounts is None:
        seed = dollars(record.jackpot.meter.seed_cents)
        return EscrowView((Field("At the bank before play opens", seed),), False, ())
    status, left = escrow_of(record, accounts, now), forecast_of(record, accounts, now).days(now)
    age = "" if status.oldest is None else f", {status.age_days} days old"
    figures = [
        Field("Owed to players", money_shown(status.held_units)),
        Field("Owed to winners", money_shown(status.owed_units)),
        Field("At the bank", money_shown(status.bank_units)),
        Field("In transit", money_shown(status.transit_units + status.stale_units)),
        Field("To deposit", f"{dollars_up(status.undeposited_units)}{age}"),
        Field("Shortfall", dollars_up(status.shortfall_units)),
        Field("Deposit by", "No deadline in sight" if left is None else _deadline(status, left, zone)),
    ]
    deposits = tuple(
        Deposit(entry, day_text(since, zone), units_words(units)) for entry, since, units in record.in_transit
    )
    return EscrowView(tuple(figures), status.is_short, deposits)


_FUNDS = {"displayed": "Meter", "reserve": "Reserve", "overflow": "Overflow", "owed to players": "Owed to players"}
_DISPLAYS = {"real-time": "With each wager", "updatable": "When a new amount is posted", "static": "Only when closed"}


def money_shown(units: int) -> str:
    """Return units to the cent that players are shown; the exact amount stands in the reconciliation."""
    return dollars(cents_shown(units))


def dollars_up(units: int) -> str:
    """Return units to the next full cent, for what has to be paid in."""
    return dollars(-(-units // UNITS_PER_CENT))


def _deadline(status: Escrow, days: int, zone: ZoneInfo) -> str:
    day = short_day(local(status.now, zone).date() + datetime.timedelta(days=days))
    if status.undeposited_units == 0 and status.transit_units == 0:
        return f"Nothing is due now; about {day} at the current pace"
    return f"{day} or play stops"


def _offer_line(jackpot: Jackpot, offer: Offer) -> tuple[str, str, str]:
    game, wager = jackpot.game_and_wager(offer)
    top = ", ".join(f"{prize.event} {cell_text(prize.pay)}" for prize in offer.prizes[:_SAMPLE])
    return game.title, titled(wager.title), f"{offer.paytable}: {top}"


def _funds(accounts: JackpotAccounts) -> tuple[Fund, ...]:
    amounts = {name: accounts.balances[name] for name in ("displayed", "reserve", "overflow")}
    if accounts.is_progressive:
        amounts["owed to players"] = accounts.held_units
    return tuple(Fund(_FUNDS[name], money_shown(units), units_words(units)) for name, units in amounts.items())


def _counts(counts: Mapping[str, int]) -> tuple[Field, ...]:
    """Return what was counted, less what was reversed or rejected; a prize from the tray is one of the prizes."""
    wagers = counts["wagers_counted"] - counts["wagers_reversed"]
    prizes = counts["hits"] - counts["hits_rejected"]
    cycle = [Field("Cycle", f"{counts['generation']:,}")] if "generation" in counts else []
    return (Field("Wagers counted", f"{wagers:,}"), Field("Prizes recorded", f"{prizes:,}"), *cycle)


def _successors(state: BookState, record: JackpotRecord) -> tuple[tuple[str, str], ...]:
    """Return the progressives to which the money of a removed one may go (T-23)."""
    records = state.of(JACKPOTS).jackpots.values()
    others = (other.jackpot for other in records if other.jackpot.name != record.jackpot.name)
    return tuple(
        (other.name, jackpot_title(state, other.name))
        for other in others
        if other.is_progressive and other.tables and other.name in state.of(LEDGER)
    )


def _postings(state: BookState, name: str, zone: ZoneInfo) -> tuple[PostingView, ...]:
    """Return the view of the amounts of a Bonus that wait for their time (G-32)."""
    return tuple(
        PostingView(
            posting.entry,
            f"{dollars(posting.cents)} from {day_text(posting.at, zone)}, by {posting.by} and {posting.approved_by}",
            tuple(amount_problems(state, name, posting.cents)),
        )
        for posting in scheduled_for(state, name)
    )


def jackpot_page(state: BookState, name: str, now: int, zone: ZoneInfo) -> JackpotView | None:
    """Return the view of a jackpot; nothing where there is none."""
    record = state.of(JACKPOTS).jackpots.get(name)
    if record is None:
        return None
    jackpot, accounts = record.jackpot, state.of(LEDGER).get(name)
    notices = state.of(REMOVALS)
    return JackpotView(
        card=_card(state, record, now),
        sequence=state.sequence,
        funds=() if accounts is None else _funds(accounts),
        counts=() if accounts is None else _counts(accounts.counts),
        terms=_terms(record),
        offers=tuple(_offer_line(jackpot, offer) for offer in jackpot.offers),
        tables=tuple(
            (
                linked.table,
                find_game(linked.game).title,
                linked.location,
                f"/office/odds/{quote(linked.table, safe='')}",
            )
            for linked in jackpot.tables
        ),
        escrow=None if not jackpot.is_progressive else _escrow(record, accounts, now, zone),
        warnings=tuple(text for text in warnings(state, now) if text.startswith(f"{name}:")),
        adjustments=f"/office/reports/adjustments?jackpot={quote(name)}",
        is_bonus=not jackpot.is_progressive,
        is_removed=not jackpot.tables,
        unpaid=units_words(record.removed_units) if record.removed_units else "",
        notice="" if name not in notices else notices[name].sentence(state),
        successors=_successors(state, record),
        postings=_postings(state, name, zone),
        due=_due(record, accounts, now),
    )


def _due(record: JackpotRecord, accounts: JackpotAccounts | None, now: int) -> str:
    """Return what a deposit is for now: the starting amount before play opens, then what is not deposited."""
    if not record.jackpot.is_progressive:
        return ""
    if accounts is None:
        return dollars(record.jackpot.meter.seed_cents)
    missing = escrow_of(record, accounts, now).undeposited_units
    return dollars_up(missing) if missing else ""


# The form that defines or changes a jackpot: pay tables to choose from, cells to fill in, tables to link.


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


def offer_key(game: str, wager: str, paytable: str) -> str:
    """Return the key of an offer in a form."""
    return f"{game}|{wager}|{paytable}"


class OfferChoice(NamedTuple):
    """A pay table that can be chosen: its key in the form, what it is known by, and its code."""

    key: str
    title: str
    code: str


def offer_groups(state: BookState, edges: Mapping[str, str] = _NO_EDGES) -> dict[str, list[OfferChoice]]:
    """Return by the title of every jackpot wager its pay tables, those of games that are dealt at a table first.

    `edges` has by the key of an offer its edge in words.
    """
    dealt: dict[str, list[str]] = {}
    for table in tables_of(state):
        dealt.setdefault(game_at(state, table), []).append(table)
    groups = {}
    for game in sorted(all_games(), key=lambda game: game.name not in dealt):
        tables = dealt.get(game.name, [])
        place = f"table{'s' if tables[1:] else ''} {', '.join(tables)}" if tables else "no table yet"
        for wager in game.jackpots:
            choices = []
            for code in wager.slots[0].ids:
                key = offer_key(game.name, wager.name, code)
                title = f"{titled(wager.title)}: {paytable_words(game.paytables[code], edges.get(key, ''))}"
                choices.append(OfferChoice(key, title, code))
            groups[f"{game.title}, {place}: {titled(wager.title)}"] = choices
    return groups


def _cell(pay: Pay | None) -> str:
    return "" if pay is None else cell_text(pay)


def offer_view(key: str) -> OfferView | None:
    """Return the view of the pay table that a key names; nothing where it names none."""
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


def table_boxes(state: BookState, name: str) -> tuple[tuple[str, str, str], ...]:
    """Return the tables that a form offers to a jackpot: name, the game dealt there, and the jackpots that it is on."""
    boxes = []
    for table in tables_of(state):
        game = game_at(state, table)
        names = (record.jackpot.name for record in state.of(JACKPOTS).at(table))
        others = ", ".join(jackpot_title(state, other) for other in names if other != name)
        boxes.append((table, find_game(game).title if game else "", f"has {others}" if others else ""))
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
        "location": location_of(state),
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
    money = {name: ["" if cents is None else plain_dollars(cents)] for name, cents in amounts.items()}
    return {**{name: list(values) for name, values in texts.items()}, **money, **readings, **_cells(offer)}
