"""`pitboss jackpots` and `pitboss explain`: what stands on the meters of a room, and why."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from pitboss.books import LEDGER, ROOM, BookState, Directory, folding_of, instant_text, read_book
from pitboss.books.check import open_source
from pitboss.books.commands import microseconds_now
from pitboss.books.store import Store
from pitboss.cli.books.sources import explaining, source_of
from pitboss.cli.output import BROKEN_RULE, console, fail, plain_table
from pitboss.jackpot import JACKPOTS
from pitboss.jackpot.display_history import find_shown
from pitboss.jackpot.escrow import escrow_of, forecast_of, warnings
from pitboss.jackpot.explain import Explanation, explain_display
from pitboss.jackpot.state import JackpotRecord
from pitboss.meters import units_text
from pitboss.room.projections import PROJECTIONS
from pitboss.rules import MoneyError, dollars, parse_dollars


@explaining
def list_jackpots(path: Path, book: str, *, as_json: bool) -> int:
    """List the jackpots of a book; a backup is told as of its last entry."""
    source = source_of(path)
    with closing(open_source(source)) as store:
        state = _state(store, book)
    now = microseconds_now() if isinstance(source, Directory) else state.recorded
    rows = [_told(record, state, now) for _, record in sorted(state.of(JACKPOTS).jackpots.items())]
    warned = warnings(state, now)
    if as_json:
        print(json.dumps({"book": book, "as_of": instant_text(now), "jackpots": rows, "warnings": warned}, indent=2))
        return 0
    console.print(f"book {book}, as of {instant_text(now)}")
    _tables(rows)
    for words in warned:
        console.print(words, style="bold", markup=False)
    return 0


def _state(store: Store, book: str) -> BookState:
    if book not in store.books():
        raise fail(f"there is no book {book!r}; there are: {', '.join(store.books()) or 'none'}")
    return read_book(store, folding_of(PROJECTIONS), book).state


def _told(record: JackpotRecord, state: BookState, now: int) -> dict[str, Any]:
    jackpot = record.jackpot
    told: dict[str, Any] = {
        "name": jackpot.name,
        "type": jackpot.meter.jackpot_type,
        "play": record.play,
        "play_reason": record.play_reason,
        "tables": [list(each) for each in jackpot.tables],
        "offers": [[offer.game, offer.wager, offer.paytable] for offer in jackpot.offers],
        "notices": list(jackpot.notices),
        "displayed_cents": None,
    }
    accounts = state.of(LEDGER).get(jackpot.name)
    if accounts is None:
        return told
    meter = accounts.meter_state
    told |= {"displayed_cents": meter.displayed_cents, "displayed_units": meter.displayed_units}
    told |= {"reserve_units": meter.reserve_units, "overflow_units": meter.overflow_units}
    told |= {"wagers": meter.wagers_counted - meter.wagers_reversed, "hits": meter.hits - meter.hits_rejected}
    if jackpot.is_progressive:
        escrow, forecast = escrow_of(record, accounts, now), forecast_of(record, accounts, now)
        told["escrow"] = {name: value for name, value in escrow._asdict().items() if name not in ("now", "oldest")}
        told["escrow"] |= {"age_days": escrow.age_days, "short_in_days": forecast.days(now)}
    return told


def _tables(rows: list[dict[str, Any]]) -> None:
    table = plain_table("jackpot", "type", "play", "displays>", "reserve>", "overflow>", "wagers>", "hits>", "tables")
    escrows = plain_table("escrow of", "held>", "at the bank>", "on its way>", "undeposited>", "days old>", "short in>")
    for row in rows:
        linked = ", ".join(each[0] for each in row["tables"])
        if row["displayed_cents"] is None:
            table.add_row(row["name"], row["type"], row["play"], "not opened yet", "", "", "", "", linked)
            continue
        amounts = [units_text(row[name]) if row[name] else "" for name in ("reserve_units", "overflow_units")]
        counts = [f"{row[name]:,}" for name in ("wagers", "hits")]
        shown = dollars(row["displayed_cents"])
        table.add_row(row["name"], row["type"], row["play"], shown, *amounts, *counts, linked)
        if "escrow" in row:
            escrows.add_row(row["name"], *_escrow_cells(row["escrow"]))
    console.print(table)
    console.print(escrows)


def _escrow_cells(escrow: dict[str, Any]) -> list[str]:
    amounts = [units_text(escrow[f"{name}_units"]) for name in ("held", "bank", "transit", "undeposited")]
    if escrow["shortfall_units"]:
        return [*amounts, str(escrow["age_days"]), f"short by {units_text(escrow['shortfall_units'])}"]
    days = escrow["short_in_days"]
    return [*amounts, str(escrow["age_days"]), "" if days is None else f"{days} days"]


@explaining
def explain_amount(path: Path, book: str, what: str, *, as_json: bool) -> int:
    """Explain a jackpot's display as it stands, or the last time a display showed an amount."""
    with closing(open_source(source_of(path))) as store:
        state = _state(store, book)
        jackpot, sequence = _asked(store, state, book, what)
        told = explain_display(store, book, jackpot, sequence, state.of(ROOM))
    if as_json:
        print(json.dumps(told.to_json(), indent=2))
    else:
        show_display(told)
    return 0 if told.is_complete else BROKEN_RULE


def _asked(store: Store, state: BookState, book: str, what: str) -> tuple[str, int]:
    """Tell what was asked: a jackpot by its name, or the one whose display last showed an amount."""
    ledger = state.of(LEDGER)
    if what in ledger:
        return what, state.sequence
    try:
        cents = parse_dollars(what.removeprefix("$"))
    except MoneyError:
        known = ", ".join(ledger) or "none"
        raise fail(f"{what!r} is no amount such as $1,234.56, and no jackpot of book {book}: {known}") from None
    found = find_shown(store, book, cents, state.sequence)
    if not found:
        raise fail(f"no display of book {book} has ever shown {dollars(cents)}")
    for other in found[:-1]:
        console.print(f"{other.jackpot} showed {dollars(cents)} too, from entry {other.sequence} on")
    return found[-1]


def show_display(told: Explanation) -> None:
    """Print why a display shows what it shows."""
    shown = dollars(told.displayed_units // 10_000)
    exact = units_text(told.displayed_units)
    console.print(
        f"{told.jackpot} shows {shown} after entry {told.sequence} of book {told.book}, generation {told.generation}"
    )
    table = plain_table("amount>", "what", "day", "table", "wagers>", "entries>", "from>", "to>")
    for part in told.parts:
        wagers = f"{part.wagers:,}" if part.table else ""
        numbers = (f"{part.entries:,}", f"{part.first:,}", f"{part.last:,}")
        table.add_row(units_text(part.units), part.what, part.day, part.table, wagers, *numbers)
    console.print(table)
    said = "which is all of it" if told.is_complete else "WHICH IS NOT WHAT IS DISPLAYED"
    console.print(f"together {units_text(sum(part.units for part in told.parts))} of {exact}, {said}")
