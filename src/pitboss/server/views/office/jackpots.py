"""A jackpot in the back office: meter and funds, terms, tables, escrow, and what waits for a second person."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pitboss.books import LEDGER, BookState, JackpotAccounts
from pitboss.games import UnknownGameError, find_game
from pitboss.jackpot import JACKPOTS, REMOVALS, Jackpot, JackpotRecord
from pitboss.jackpot.escrow import escrow_of, forecast_of, warnings
from pitboss.reports.render import clock_text, money_places, money_text, units_words
from pitboss.room.approvals import APPROVALS, Pending
from pitboss.server.views.formatting import dollars
from pitboss.server.views.office.audit import Field
from pitboss.server.views.office.jackpot_form import percent_text
from pitboss.server.views.paytables import titled
from pitboss.server.views.table_state import room_zone

Said = Mapping[str, Any]


def _money(cents: Any) -> str:
    return "none" if cents is None else dollars(cents)


def _rate(text: str) -> str:
    try:
        return f"{percent_text(Fraction(text))} %"
    except (ValueError, ZeroDivisionError):
        return text


def _offer(said: Said) -> str:
    paytable = said["paytable"]
    stated = paytable if isinstance(paytable, Mapping) else {"id": paytable}
    try:
        title = find_game(said["game"]).title
    except UnknownGameError:
        title = said["game"]
    set_by_us = [
        f"{event} {cell}{' Envy' if column == 'envy' else ''}"
        for column in ("pays", "envy")
        for event, cell in sorted(dict(stated.get(column, {})).items())
    ]
    return f"{title}, {said['wager']}, {stated.get('id')}{f' ({chr(59).join(set_by_us)})' if set_by_us else ''}"


def _change_text(said: Said) -> dict[str, str]:
    meter = said["meter"]
    found = {
        "type": meter["jackpot_type"],
        "pay tables": "; ".join(_offer(each) for each in said["offers"]),
        "wager": _money(meter.get("wager_cents", 100)),
        "seed": _money(meter["seed_cents"]),
        "reseed": _money(meter["reseed_cents"]),
        "to the display": _rate(meter.get("display_rate", "0")),
        "to the reserve": _rate(meter.get("reserve_rate", "0")),
        "cap": _money(meter.get("cap_cents")),
        "most wagers in one count": str(meter.get("batch_wagers_max") or "not set"),
        "dollar prizes paid by": said.get("fixed_prizes", "house"),
        "small prizes below": _money(said.get("small_prize_cents", 0)),
        "display": said["display"],
        "several winners": said.get("bonus_sharing", "full"),
        "tables": ", ".join(each["table"] for each in said["tables"]) or "none",
    }
    if meter["jackpot_type"] == "bonus":
        for name in ("reseed", "to the display", "to the reserve", "cap"):
            del found[name]
    return found


def _as_said(jackpot: Jackpot) -> Said:
    """A jackpot in force as people would say it."""
    said = jackpot.to_json()
    offers = [{**each, "paytable": each["stated"] or each["paytable"]} for each in said["offers"]]
    tables = [{"table": each[0]} for each in said["tables"]]
    return {**said, "offers": offers, "tables": tables}


def asked_fields(said: Said, before: Jackpot | None) -> tuple[Field, ...]:
    """Tell a definition, or of a change what was and what is asked for."""
    now = _change_text(said)
    if before is None:
        return tuple(Field(name, text) for name, text in now.items())
    was = _change_text(_as_said(before))
    return tuple(
        Field(name, f"{was.get(name, 'none')} \N{RIGHTWARDS ARROW} {text}")
        for name, text in now.items()
        if was.get(name) != text
    ) or (Field("definition", "stays as it is"),)


_WHAT = {
    "jackpots/define": "to define the jackpot",
    "jackpots/change": "to change the jackpot",
    "jackpots/open": "to open play",
    "jackpots/adjust": "to adjust a fund",
    "jackpots/receipts": "to book receipts",
    "jackpots/withdraw": "to take money from the bank",
    "jackpots/notice": "to give notice that it is removed",
    "jackpots/remove": "to remove the jackpot",
}
_PLAY = {"open": "open", "closed": "closed", "suspended": "suspended"}


class Fund(NamedTuple):
    """An account of the meter and what stands on it, exact."""

    name: str
    amount: str


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


class WaitingView(NamedTuple):
    """What waits for a second person, and whether who looks can give it or take it back."""

    number: int
    what: str
    about: str
    by: str
    since: str
    said: tuple[Field, ...]
    can_give: bool
    is_own: bool


class JackpotCard(NamedTuple):
    """A jackpot in short."""

    name: str
    title: str
    kind: str
    amount: str
    play: str
    tables: str
    held: str
    escrow: str
    escrow_short: bool
    address: str


class JackpotsView(NamedTuple):
    """All jackpots, what their escrows warn of, and those that wait for a second person to be defined."""

    warnings: tuple[str, ...]
    cards: tuple[JackpotCard, ...]
    waiting: tuple[WaitingView, ...] = ()


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
    waiting: tuple[WaitingView, ...]
    adjustments: str
    is_bonus: bool = False
    is_removed: bool = False
    notice: str = ""
    takers: tuple[str, ...] = ()


def _address(name: str) -> str:
    return f"/office/jackpots/{quote(name, safe='')}"


def _card(state: BookState, record: JackpotRecord, now: int) -> JackpotCard:
    jackpot, accounts = record.jackpot, state.of(LEDGER).get(record.jackpot.name)
    game, wager = jackpot.game_and_wager(jackpot.offers[0])
    escrow, short = "the house\N{RIGHT SINGLE QUOTATION MARK}s own money", False
    if accounts is None:
        escrow = "not opened yet"
    elif jackpot.is_progressive:
        found = escrow_of(record, accounts, now)
        short = found.is_short
        escrow = f"short by {units_words(found.shortfall_units)}" if short else "covered"
        if not short and found.undeposited_units:
            escrow = f"{units_words(found.undeposited_units)} to be deposited"
    return JackpotCard(
        name=jackpot.name,
        title=f"{titled(wager.title)}, {game.title}",
        kind="Progressive" if jackpot.is_progressive else "Bonus",
        amount="not opened" if accounts is None else dollars(accounts.meter_state.displayed_cents),
        play=_PLAY[record.play] if jackpot.tables else "removed",
        tables=", ".join(each.table for each in jackpot.tables) or "none",
        held="" if accounts is None or not jackpot.is_progressive else units_words(accounts.held_units),
        escrow=escrow,
        escrow_short=short,
        address=_address(jackpot.name),
    )


def jackpots_view(state: BookState, now: int, who: str = "", roles: frozenset[str] = frozenset()) -> JackpotsView:
    """Work out the list of jackpots, as somebody sees it."""
    records = state.of(JACKPOTS).jackpots.values()
    asked = (each for each in state.of(APPROVALS).values() if each.what == "jackpots/define")
    waiting = tuple(_waiting(each, room_zone(state), who, roles, state) for each in asked)
    return JackpotsView(tuple(warnings(state, now)), tuple(_card(state, each, now) for each in records), waiting)


def _terms(record: JackpotRecord) -> tuple[Field, ...]:
    jackpot, meter = record.jackpot, record.jackpot.meter
    found = [
        Field("Wager", dollars(meter.wager_cents)),
        Field("Seed, then reseed", f"{dollars(meter.seed_cents)}, then {dollars(meter.reseed_cents)}"),
    ]
    if jackpot.is_progressive:
        found += [
            Field("Of each wager to the display", units_words(meter.display_units)),
            Field("Of each wager to the reserve", units_words(meter.reserve_units)),
            Field("Cap", "none" if meter.cap_cents is None else dollars(meter.cap_cents)),
        ]
    return (
        *found,
        Field("Display", jackpot.display),
        Field("Prizes from the tray below", dollars(jackpot.small_prize_cents)),
        Field("Dollar prizes are paid by the", jackpot.fixed_prizes),
    )


def _escrow(record: JackpotRecord, accounts: JackpotAccounts, now: int, zone: ZoneInfo) -> EscrowView:
    """Say how the escrow stands (J-19)."""
    found, left = escrow_of(record, accounts, now), forecast_of(record, accounts, now).days(now)
    age = "" if found.oldest is None else f", {found.age_days} days old"
    figures = [
        Field("Held for the players", units_words(found.held_units)),
        Field("At the bank", units_words(found.bank_units)),
        Field("On its way", units_words(found.transit_units + found.stale_units)),
        Field("Not deposited", f"{units_words(found.undeposited_units)}{age}"),
        Field("Short by", units_words(found.shortfall_units)),
        Field("The game would stop", "not to be foreseen" if left is None else f"in {left} days"),
    ]
    deposits = tuple(
        Deposit(entry, clock_text(since, zone), units_words(units)) for entry, since, units in record.in_transit
    )
    return EscrowView(tuple(figures), found.is_short, deposits)


def _funds(accounts: JackpotAccounts) -> tuple[Fund, ...]:
    amounts = {name: accounts.balances[name] for name in ("displayed", "reserve", "overflow")}
    if accounts.is_progressive:
        amounts["held for the players"] = accounts.held_units
    places = money_places(amounts.values())
    return tuple(Fund(name, money_text(units, places)) for name, units in amounts.items())


def _waiting(pending: Pending, zone: ZoneInfo, name: str, roles: frozenset[str], state: BookState) -> WaitingView:
    said = {key: value for key, value in pending.said.items() if key not in ("name", "jackpot")}
    told = tuple(Field(*_told(key, value)) for key, value in said.items() if value is not None)
    jackpot = pending.said.get("jackpot")
    if isinstance(jackpot, dict):
        record = state.of(JACKPOTS).jackpots.get(str(jackpot.get("name")))
        told = (*asked_fields(jackpot, None if record is None else record.jackpot), *told)
    return WaitingView(
        number=pending.number,
        what=_WHAT.get(pending.what, pending.what.replace("/", ", ").replace("-", " ")),
        about=str(jackpot.get("name") if isinstance(jackpot, dict) else pending.said.get("name", "")),
        by=pending.by,
        since=clock_text(pending.asked, zone),
        said=told,
        can_give=not pending.problems(name, roles),
        is_own=name.casefold() == pending.by.casefold(),
    )


def _told(key: str, value: Any) -> tuple[str, str]:
    """Say what was asked as people say it: money as dollars."""
    if key == "units" and isinstance(value, int):
        return "amount", units_words(value)
    if key == "cents" and isinstance(value, int):
        return "amount", dollars(value)
    return key.replace("_", " "), str(value)


def _concerns(pending: Pending, name: str) -> bool:
    jackpot = pending.said.get("jackpot")
    defined = jackpot.get("name") if isinstance(jackpot, dict) else None
    return pending.what.startswith("jackpots/") and name in (pending.said.get("name"), defined)


def _takers(state: BookState, record: JackpotRecord) -> tuple[str, ...]:
    """The progressives to which the money of a removed one may go (T-23)."""
    found = state.of(JACKPOTS).jackpots.values()
    others = (each.jackpot for each in found if each.jackpot.name != record.jackpot.name)
    return tuple(each.name for each in others if each.is_progressive and each.tables and each.name in state.of(LEDGER))


def jackpot_page(
    state: BookState, name: str, now: int, zone: ZoneInfo, who: str, roles: frozenset[str]
) -> JackpotView | None:
    """Work out the page of a jackpot as somebody sees it."""
    record = state.of(JACKPOTS).jackpots.get(name)
    if record is None:
        return None
    jackpot, accounts = record.jackpot, state.of(LEDGER).get(name)
    waiting = (each for each in state.of(APPROVALS).values() if _concerns(each, name))
    counts = {} if accounts is None else accounts.counts
    notices = state.of(REMOVALS)
    return JackpotView(
        card=_card(state, record, now),
        sequence=state.sequence,
        funds=() if accounts is None else _funds(accounts),
        counts=tuple(
            Field(title, f"{counts[key]:,}")
            for key, title in (("wagers_counted", "Wagers counted"), ("hits", "Hits"), ("generation", "Generation"))
            if key in counts
        ),
        terms=_terms(record),
        offers=tuple((find_game(each.game).title, each.wager, each.paytable) for each in jackpot.offers),
        tables=tuple(
            (each.table, find_game(each.game).title, each.location, f"/office/odds/{quote(each.table, safe='')}")
            for each in jackpot.tables
        ),
        escrow=None if accounts is None or not jackpot.is_progressive else _escrow(record, accounts, now, zone),
        warnings=tuple(each for each in warnings(state, now) if each.startswith(f"{name}:")),
        waiting=tuple(_waiting(each, zone, who, roles, state) for each in waiting),
        adjustments=f"/office/reports/adjustments?jackpot={quote(name)}",
        is_bonus=not jackpot.is_progressive,
        is_removed=not jackpot.tables,
        notice="" if name not in notices else notices[name].sentence,
        takers=_takers(state, record),
    )
