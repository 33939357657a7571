"""Jackpots, hits and slips: lists of them, and why a display shows or a hit paid its amount."""

import json
from pathlib import Path
from typing import Any

from pitboss.books import LEDGER, ROOM, BookState, JournalStore, instant_text
from pitboss.cli.books.sources import check_book, explaining, open_store, state_of, time_of
from pitboss.cli.output import BROKEN_RULE, console, fail, plain_table
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS, jackpot_title
from pitboss.jackpot.display_history import find_shown
from pitboss.jackpot.escrow import escrow_of, forecast_of, warnings
from pitboss.jackpot.explain import Explanation, HitExplanation, explain_display, explain_hit, find_prizes
from pitboss.jackpot.hits.history import History, Story, read_history
from pitboss.jackpot.hits.values import STATE_WORDS, Won
from pitboss.jackpot.hits.workflow import METHOD_WORDS
from pitboss.jackpot.state import JackpotRecord
from pitboss.meters import units_text
from pitboss.rules import MoneyError, dollars, parse_dollars


@explaining
def list_jackpots(path: Path, book: str, *, as_json: bool) -> int:
    """List the jackpots of a book; those of a backup as of its last entry."""
    with open_store(path) as store:
        check_book(store, book)
        state = state_of(store, book)
    now = time_of(path, state)
    rows = [_jackpot_row(record, state, now) for _, record in sorted(state.of(JACKPOTS).jackpots.items())]
    warned = warnings(state, now)
    if as_json:
        print(json.dumps({"book": book, "as_of": instant_text(now), "jackpots": rows, "warnings": warned}, indent=2))
        return 0
    console.print(f"book {book}, as of {instant_text(now)}")
    _tables(rows, state)
    for words in warned:
        console.print(words, style="bold", markup=False)
    return 0


def _jackpot_row(record: JackpotRecord, state: BookState, now: int) -> dict[str, Any]:
    jackpot = record.jackpot
    row: dict[str, Any] = {
        "name": jackpot.name,
        "type": jackpot.meter.jackpot_type,
        "play": record.play,
        "play_reason": record.play_reason,
        "tables": [list(table) for table in jackpot.tables],
        "offers": [[offer.game, offer.wager, offer.paytable] for offer in jackpot.offers],
        "notices": list(jackpot.notices),
        "displayed_cents": None,
    }
    accounts = state.of(LEDGER).get(jackpot.name)
    if accounts is None:
        return row
    meter = accounts.meter_state
    row |= {"displayed_cents": meter.displayed_cents, "displayed_units": meter.displayed_units}
    row |= {"reserve_units": meter.reserve_units, "overflow_units": meter.overflow_units}
    row |= {"wagers": meter.wagers_counted - meter.wagers_reversed, "hits": meter.hits - meter.hits_rejected}
    if jackpot.is_progressive:
        escrow, forecast = escrow_of(record, accounts, now), forecast_of(record, accounts, now)
        row["escrow"] = {name: value for name, value in escrow._asdict().items() if name not in ("now", "oldest")}
        row["escrow"] |= {"age_days": escrow.age_days, "short_in_days": forecast.days(now)}
    return row


def _tables(rows: list[dict[str, Any]], state: BookState) -> None:
    table = plain_table(
        *("jackpot", "id", "type", "play", "meter>", "reserve>", "overflow>", "wagers>", "hits>", "tables")
    )
    escrows = plain_table("escrow of", "owed>", "at the bank>", "in transit>", "to deposit>", "days old>", "short in>")
    for row in rows:
        title = jackpot_title(state, row["name"])
        linked = ", ".join(linked_table[0] for linked_table in row["tables"])
        if row["displayed_cents"] is None:
            table.add_row(title, row["name"], row["type"], row["play"], "not opened yet", "", "", "", "", linked)
            continue
        amounts = [units_text(row[name]) if row[name] else "" for name in ("reserve_units", "overflow_units")]
        counts = [f"{row[name]:,}" for name in ("wagers", "hits")]
        displayed = dollars(row["displayed_cents"])
        table.add_row(title, row["name"], row["type"], row["play"], displayed, *amounts, *counts, linked)
        if "escrow" in row:
            escrows.add_row(title, *_escrow_cells(row["escrow"]))
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
    with open_store(path) as store:
        check_book(store, book)
        state = state_of(store, book)
        display = _display_of(store, state, book, what, as_json=as_json)
        if display is None:
            return 0
        jackpot, sequence = display
        explanation = explain_display(store, book, jackpot, sequence, state.of(ROOM))
    if as_json:
        print(json.dumps(explanation.to_json(), indent=2))
    else:
        show_display(explanation, jackpot_title(state, jackpot))
    return 0 if explanation.is_complete else BROKEN_RULE


def _display_of(
    store: JournalStore, state: BookState, book: str, what: str, *, as_json: bool
) -> tuple[str, int] | None:
    """Return the jackpot of that name, or the one whose display last showed that amount, and the entry.

    Prizes of the amount are printed; nothing is returned where there are those alone.
    """
    ledger = state.of(LEDGER)
    if what in ledger:
        return what, state.sequence
    try:
        cents = parse_dollars(what.removeprefix("$"))
    except MoneyError:
        names = ", ".join(ledger) or "none"
        raise fail(f"{what!r} is neither an amount such as $1,234.56 nor a jackpot of book {book}: {names}") from None
    displays = find_shown(store, book, cents, state.sequence)
    prizes = find_prizes(store, book, cents, state.sequence)
    if not displays and not prizes:
        raise fail(f"No meter or prize of {dollars(cents)} was found. Try `pitboss hits`, or check the cents.")
    if as_json and not displays:
        print(json.dumps({"book": book, "prizes": [prize._asdict() for prize in prizes]}, indent=2))
    for prize in () if as_json else prizes:
        name = f"hit-{prize.hit}" if prize.hit else f"entry {prize.sequence}"
        place = f"table {prize.table}, round {prize.round}, seat {prize.seat}, {prize.row}"
        title = jackpot_title(state, prize.jackpot)
        console.print(f"{name}: {title}, {place}, {dollars(prize.cents)}", markup=False)
    if not displays:
        return None
    for other in displays[:-1]:
        console.print(
            f"{jackpot_title(state, other.jackpot)} showed {dollars(cents)} too, from entry {other.sequence} on"
        )
    return displays[-1]


def show_display(explanation: Explanation, title: str) -> None:
    """Print why a display shows what it shows."""
    displayed = dollars(explanation.displayed_units // 10_000)
    exact = units_text(explanation.displayed_units)
    console.print(
        f"{title} shows {displayed} after entry {explanation.sequence} of book {explanation.book}, "
        f"cycle {explanation.generation}"
    )
    table = plain_table("amount>", "what", "day", "table", "wagers>", "entries>", "from>", "to>")
    for part in explanation.parts:
        wagers = f"{part.wagers:,}" if part.table else ""
        numbers = (f"{part.entries:,}", f"{part.first:,}", f"{part.last:,}")
        table.add_row(units_text(part.units), part.what, part.day, part.table, wagers, *numbers)
    console.print(table)
    verdict = "which is all of it" if explanation.is_complete else "WHICH IS NOT WHAT IS DISPLAYED"
    console.print(f"together {units_text(sum(part.units for part in explanation.parts))} of {exact}, {verdict}")


@explaining
def show_hits(path: Path, book: str, *, open_only: bool, as_json: bool) -> int:
    """List the hits of a book."""
    with open_store(path) as store:
        history, state = read_history(store.entries(book)), state_of(store, book)
    stories = [story for story in history.stories.values() if not (open_only and story.hit.is_finished)]
    if as_json:
        print(json.dumps(_listing(history, stories), indent=2))
        return 0
    table = plain_table(
        "hit>", "jackpot", "table", "round>", "status", "seat and hand", "prize>", "slip", "reported by"
    )
    for story in stories:
        hit = story.hit
        slips = {paper.seat: paper.slip for paper in hit.papers}
        for index, won in enumerate(hit.won):
            status = STATE_WORDS[hit.state.value]
            first = (str(hit.number), jackpot_title(state, hit.jackpot), hit.table, str(hit.round), status)
            table.add_row(
                *(first if index == 0 else ("",) * len(first)),
                f"{won.seat}: {won.row}",
                dollars(won.cents),
                str(slips.get(won.seat, "")),
                f"{hit.done[0].person} ({hit.done[0].role})" if index == 0 else "",
            )
    console.print(table if stories else "No jackpots.")
    for jackpot, count in history.small_count.items():
        paid = dollars(history.small_cents[jackpot])
        title = jackpot_title(state, jackpot)
        console.print(f"{title}: {count:,} small and Envy prizes paid from the tray, {paid} in all", markup=False)
    return 0


def _listing(history: History, stories: list[Story]) -> dict[str, object]:
    return {
        "hits": [
            {
                "hit": story.hit.number,
                "jackpot": story.hit.jackpot,
                "table": story.hit.table,
                "round": story.hit.round,
                "state": story.hit.state.value,
                "late": story.hit.late,
                "meter_cents": story.hit.meter_cents,
                "prizes": [won._asdict() for won in story.hit.won],
                "slips": [paper.slip for paper in story.hit.papers],
                "steps": [done._asdict() for done in story.hit.done],
            }
            for story in stories
        ],
        "slips": len(history.slips),
        "small_prizes": {
            jackpot: {"count": count, "cents": history.small_cents[jackpot]}
            for jackpot, count in history.small_count.items()
        },
    }


@explaining
def explain_prize(path: Path, book: str, number: int, *, as_json: bool) -> int:
    """Explain a hit."""
    with open_store(path) as store:
        explanation, state = explain_hit(store, book, number), state_of(store, book)
    if as_json:
        print(json.dumps(explanation.to_json(), indent=2))
    else:
        _show_explanation(explanation, jackpot_title(state, explanation.hit.jackpot))
    return 0 if explanation.meter.is_complete else BROKEN_RULE


def _show_explanation(explanation: HitExplanation, title: str) -> None:
    hit = explanation.hit
    status = STATE_WORDS[hit.state.value].lower()
    heading = f"jackpot {hit.number}, {status}: {title} at table {hit.table}, round {hit.round}"
    console.print(heading, style="bold", markup=False)
    console.print(f"{find_game(explanation.game).title}, pay table {explanation.paytable}", markup=False)
    for place, cards in explanation.cards.items():
        console.print(f"{place if place == 'board' else f'seat {place}'}: {cards}", markup=False)
    for won in hit.won:
        _show_prize(explanation, won)
    for seat, cents, words in explanation.envy:
        console.print(f"\nEnvy for seat {seat}, {dollars(cents)}: {words}", markup=False)
    late = ", as the meter was when the next round was counted" if hit.late else ""
    console.print(f"\nThe meter was {dollars(hit.meter_cents)}{late}:")
    show_display(explanation.meter, title)
    table = plain_table("entry>", "happened", "kind", "person", "role", "note", "hash")
    for entry in explanation.entries:
        happened = entry.happened.partition(".")[0]
        table.add_row(str(entry.sequence), happened, entry.kind, entry.person, entry.role, entry.words, entry.head[:16])
    console.print()
    console.print(table)


def _show_prize(explanation: HitExplanation, won: Won) -> None:
    hit = explanation.hit
    console.print(f"\nSeat {won.seat}: {won.row}, {dollars(won.cents)}", style="bold", markup=False)
    for clause, ruling, words in explanation.because.get(won.seat, ()):
        console.print(f"  {words} ({'; '.join(part for part in (clause, ruling) if part)})", markup=False)
    demands, paper = hit.demands.get(won.seat), hit.paper(won.seat)
    if demands is not None and demands.sources:
        console.print(f"  Required: {', '.join(demands.titles)}", markup=False)
    if paper is not None:
        console.print(f"  Slip {paper.slip}, winner {paper.winner}", markup=False)
    for paid in hit.handed:
        if paid.seat == won.seat:
            net, withheld = dollars(won.cents - paid.withheld_cents), dollars(paid.withheld_cents)
            console.print(f"  Paid {METHOD_WORDS[paid.method]}: {net}, {withheld} withheld, entry {paid.sequence}")


@explaining
def show_slip(path: Path, book: str, number: int, copy: int, output: Path | None, paper: str, *, as_json: bool) -> int:
    """Print a slip, or a reprint that was logged; or write it as the paper that the pages print."""
    with open_store(path) as store:
        slip = read_history(store.entries(book)).slip(number, copy)
    if output is not None:
        from pitboss.paper.typesetting import SLIP_PAPERS, slip_pdf  # noqa: PLC0415 - typesetting takes long to load

        if paper not in SLIP_PAPERS:
            raise fail(f"{paper!r} isn't a paper for slips: choose {' or '.join(SLIP_PAPERS)}")
        output.write_bytes(slip_pdf(slip.view(), paper))
        console.print(f"wrote {output}", markup=False)
    elif as_json:
        print(json.dumps(slip.to_json(), indent=2))
    else:
        print(slip.text(), end="")
    return 0
