"""The commands that read the books: what they hold, entry by entry, and rebuilt from nothing."""

from __future__ import annotations

import datetime
import json
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from pitboss.books import LEDGER, ROOM, BookState, Entry, LedgerAccount, folding_of, instant_text, read_book
from pitboss.books.check import open_source, rebuild
from pitboss.books.entries import EPOCH
from pitboss.books.movements import COUNTERS
from pitboss.books.reading import Reading
from pitboss.cli.books.sources import explaining, source_of
from pitboss.cli.output import BROKEN_RULE, console, plain_table, show_problems
from pitboss.meters import units_text
from pitboss.room.projections import PROJECTIONS


@explaining
def show_books(path: Path, *, as_json: bool) -> int:
    """Show what every book comes to, from its last snapshot on."""
    with closing(open_source(source_of(path))) as store:
        readings = {book: read_book(store, folding_of(PROJECTIONS), book) for book in store.books()}
    if as_json:
        print(json.dumps({book: _state_json(reading.state) for book, reading in readings.items()}, indent=2))
        return 0
    for book, reading in readings.items():
        _show_book(book, reading.state)
    return 0


def _day_and_shift(state: BookState) -> tuple[str, str, str] | None:
    calendar = state.of(ROOM)
    if calendar is None:
        return None
    shift = calendar.shift(EPOCH + datetime.timedelta(microseconds=state.recorded))
    return calendar.settings_on(shift.day).room, shift.day.isoformat(), shift.name


def _state_json(state: BookState) -> dict[str, Any]:
    found = _day_and_shift(state)
    return {
        "sequence": state.sequence,
        "head": state.digest.hex(),
        "recorded": instant_text(state.recorded),
        "room": None if found is None else dict(zip(("name", "gambling_day", "shift"), found, strict=True)),
        "jackpots": {
            name: {
                "terms": each.terms._asdict(),
                "balances_units": dict(each.balances),
                "counts": dict(each.counts),
            }
            for name, each in state.of(LEDGER).items()
        },
    }


def _show_book(book: str, state: BookState) -> None:
    console.print(f"[bold]book {book}[/]: {state.sequence:,} entries, the last of {instant_text(state.recorded)}")
    found = _day_and_shift(state)
    if found is not None:
        console.print(f"{found[0]}, gambling day {found[1]}, shift {found[2]}", markup=False)
    console.print(f"head {state.digest.hex()}")
    ledger = dict(sorted(state.of(LEDGER).items()))
    table = plain_table("account", *(f"{name}>" for name in ledger))
    for account in LedgerAccount:
        amounts = [each.balances[account] for each in ledger.values()]
        if any(amounts):
            table.add_row(account, *(units_text(amount) if amount else "" for amount in amounts))
    for counter in COUNTERS:
        counts = [each.counts[counter] for each in ledger.values()]
        if any(counts):
            table.add_row(counter.replace("_", " "), *(f"{count:,}" if count else "" for count in counts))
    console.print(table)


@explaining
def show_entries(path: Path, book: str, after: int, most: int | None, *, as_json: bool) -> int:
    """List entries; as JSON, one whole entry a line."""
    with closing(open_source(source_of(path))) as store:
        found = islice(store.entries(book, after), most)
        if as_json:
            for entry in found:
                print(json.dumps(_entry_json(entry)))
            return 0
        table = plain_table("entry>", "recorded", "actor", "table", "kind", "payload", "hash")
        for entry in found:
            table.add_row(
                str(entry.sequence),
                instant_text(entry.recorded).partition(".")[0],
                entry.actor,
                entry.table,
                entry.kind,
                entry.payload,
                entry.digest.hex()[:16],
            )
    console.print(table)
    return 0


def _entry_json(entry: Entry) -> dict[str, Any]:
    return {name: each.hex() if isinstance(each, bytes) else each for name, each in entry._asdict().items()}


@explaining
def rebuild_books(path: Path, processes: int, *, compare: bool, as_json: bool) -> int:
    """Rebuild from nothing; compare with the state that the books open with."""
    source = source_of(path)
    rebuilt = rebuild(source, projections=PROJECTIONS, processes=processes)
    differing: list[str] = []
    if compare:
        with closing(open_source(source)) as store:
            for book, reading in rebuilt.items():
                differing += _differences(book, reading, read_book(store, folding_of(PROJECTIONS), book))
    sound = not differing and all(not reading.open_damages for reading in rebuilt.values())
    if as_json:
        states = {book: _state_json(reading.state) for book, reading in rebuilt.items()}
        damages = [damage._asdict() for reading in rebuilt.values() for damage in reading.open_damages]
        print(json.dumps({"sound": sound, "books": states, "damages": damages, "differences": differing}, indent=2))
        return 0 if sound else BROKEN_RULE
    for book, reading in rebuilt.items():
        told = f"book {book}: entries folded from nothing {reading.entries:,}, snapshots compared {reading.snapshots:,}"
        agrees = "; equal to what the books open with" if compare and sound else ""
        console.print(f"{told}{agrees}\nhead {reading.state.digest.hex()}")
    if not sound:
        wrong = [str(damage) for reading in rebuilt.values() for damage in reading.open_damages]
        show_problems([*wrong, *differing], f"{path}: the books do not rebuild to what they say")
    return 0 if sound else BROKEN_RULE


def _differences(book: str, rebuilt: Reading, opened: Reading) -> list[str]:
    folding = folding_of(PROJECTIONS)
    if folding.seal(rebuilt.state) == folding.seal(opened.state):
        return []
    ours, theirs = rebuilt.state.of(LEDGER), opened.state.of(LEDGER)
    found = [
        f"book {book}: jackpot {name} is rebuilt to {ours.get(name)}, the books say {theirs.get(name)}"
        for name in sorted(ours.keys() | theirs.keys())
        if ours.get(name) != theirs.get(name)
    ]
    return found or [f"book {book}: the state is rebuilt to another than the books say"]
