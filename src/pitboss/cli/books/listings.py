"""The commands that read the books: what they hold, entry by entry, rebuilt from nothing, and every check of them."""

import datetime
import json
import re
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from rich.markup import escape

from pitboss import books, installation
from pitboss.books.audit import AuditReport, BookReport, check_books, rebuild
from pitboss.books.journal.heads import MARK, BookHead, Vouched, keys_of
from pitboss.books.store.keys import is_public
from pitboss.cli.books.sources import explaining, open_store, report_json, source_of, state_of
from pitboss.cli.output import BROKEN_RULE, console, fail, plain_table, show_problems
from pitboss.meters import units_text
from pitboss.room.projections import INVARIANTS, PROJECTIONS


@explaining
def show_books(path: Path, *, as_json: bool) -> int:
    """Show what every book comes to, from its last snapshot on."""
    with open_store(path) as store:
        states = {book: state_of(store, book) for book in store.books()}
    if as_json:
        print(json.dumps({book: _state_json(state) for book, state in states.items()}, indent=2))
        return 0
    for book, state in states.items():
        _show_book(book, state)
    return 0


def _day_and_shift(state: books.BookState) -> tuple[str, str, str] | None:
    calendar = state.of(books.ROOM)
    if calendar is None:
        return None
    shift = calendar.shift(books.EPOCH + datetime.timedelta(microseconds=state.recorded))
    return calendar.settings_on(shift.day).room, shift.day.isoformat(), shift.name


def _state_json(state: books.BookState) -> dict[str, Any]:
    day = _day_and_shift(state)
    return {
        "sequence": state.sequence,
        "head": state.digest.hex(),
        "recorded": books.instant_text(state.recorded),
        "room": None if day is None else dict(zip(("name", "gambling_day", "shift"), day, strict=True)),
        "jackpots": {
            name: {
                "terms": jackpot.terms._asdict(),
                "balances_units": dict(jackpot.balances),
                "counts": dict(jackpot.counts),
            }
            for name, jackpot in state.of(books.LEDGER).items()
        },
    }


def _show_book(book: str, state: books.BookState) -> None:
    console.print(f"[bold]book {book}[/]: {state.sequence:,} entries, the last of {books.instant_text(state.recorded)}")
    day = _day_and_shift(state)
    if day is not None:
        console.print(f"{day[0]}, gaming day {day[1]}, shift {day[2]}", markup=False)
    console.print(f"head {state.digest.hex()}")
    ledger = dict(sorted(state.of(books.LEDGER).items()))
    table = plain_table("account", *(f"{name}>" for name in ledger))
    for account in books.LedgerAccount:
        amounts = [jackpot.balances[account] for jackpot in ledger.values()]
        if any(amounts):
            table.add_row(account, *(units_text(amount) if amount else "" for amount in amounts))
    for counter in books.COUNTERS:
        counts = [jackpot.counts[counter] for jackpot in ledger.values()]
        if any(counts):
            table.add_row(counter.replace("_", " "), *(f"{count:,}" if count else "" for count in counts))
    console.print(table)


@explaining
def show_entries(path: Path, book: str, after: int, most: int | None, *, as_json: bool) -> int:
    """List entries; as JSON, one whole entry a line."""
    with open_store(path) as store:
        entries = islice(store.entries(book, after), most)
        if as_json:
            for entry in entries:
                print(json.dumps(_entry_json(entry)))
            return 0
        table = plain_table("entry>", "recorded", "actor", "table", "kind", "payload", "hash")
        for entry in entries:
            table.add_row(
                str(entry.sequence),
                books.instant_text(entry.recorded).partition(".")[0],
                entry.actor,
                entry.table,
                entry.kind,
                entry.payload,
                entry.digest.hex()[:16],
            )
    console.print(table)
    return 0


def _entry_json(entry: books.Entry) -> dict[str, Any]:
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in entry._asdict().items()}


@explaining
def rebuild_books(path: Path, processes: int, *, compare: bool, as_json: bool) -> int:
    """Rebuild from nothing; compare with the state that the books open with."""
    rebuilt = rebuild(source_of(path), projections=PROJECTIONS, processes=processes)
    differing: list[str] = []
    if compare:
        with open_store(path) as store:
            for book, reading in rebuilt.items():
                differing += _differences(book, reading.state, state_of(store, book))
    sound = not differing and all(not reading.open_damages for reading in rebuilt.values())
    if as_json:
        states = {book: _state_json(reading.state) for book, reading in rebuilt.items()}
        damages = [damage._asdict() for reading in rebuilt.values() for damage in reading.open_damages]
        print(json.dumps({"sound": sound, "books": states, "damages": damages, "differences": differing}, indent=2))
        return 0 if sound else BROKEN_RULE
    for book, reading in rebuilt.items():
        summary = (
            f"book {book}: entries folded from nothing {reading.entries:,}, snapshots compared {reading.snapshots:,}"
        )
        agrees = "; equal to what the books open with" if compare and sound else ""
        console.print(f"{summary}{agrees}\nhead {reading.state.digest.hex()}")
    if not sound:
        wrong = [str(damage) for reading in rebuilt.values() for damage in reading.open_damages]
        show_problems([*wrong, *differing], f"{path}: the books do not rebuild to what they say")
    return 0 if sound else BROKEN_RULE


def _differences(book: str, rebuilt: books.BookState, opened: books.BookState) -> list[str]:
    folding = books.folding_of(PROJECTIONS)
    if folding.seal(rebuilt) == folding.seal(opened):
        return []
    ours, theirs = rebuilt.of(books.LEDGER), opened.of(books.LEDGER)
    differences = [
        f"book {book}: jackpot {name} is rebuilt to {ours.get(name)}, the books say {theirs.get(name)}"
        for name in sorted(ours.keys() | theirs.keys())
        if ours.get(name) != theirs.get(name)
    ]
    return differences or [f"book {book}: the state is rebuilt to another than the books say"]


@explaining
def audit_books(
    path: Path, heads: list[str], kept: list[Path], keys: list[str], processes: int, *, as_json: bool
) -> int:
    """Run all checks; damage that is found halts the books until two people decide."""
    wrong = [head for head in heads if not re.fullmatch(r"[0-9a-fA-F]{64}", head)]
    if wrong:
        raise fail(f"--head {wrong[0]!r} must be the 64 hexadecimal digits of a head")
    source = source_of(path)
    report = check_books(
        source,
        heads=heads,
        projections=PROJECTIONS,
        invariants=INVARIANTS,
        processes=processes,
        kept_heads=[head for file in kept for head in _heads_of(file)],
        pinned=[public_of(key) for key in keys],
    )
    halts = isinstance(source, books.Directory) and bool(report.damages or report.findings)
    if halts:
        assert isinstance(source, books.Directory)
        # Where nothing can be written, nobody moves money either.
        with suppress(OSError):
            source.halt(report.damages)
    if as_json:
        print(json.dumps(report_json(report) | {"halted": halts}, indent=2))
    else:
        _show_report(path, report)
        if halts:
            console.print("No money moves in these books until two people decide: `pitboss books decide` (G-29).")
    # Books that people have decided to go on with are not what they were (G-29).
    return 0 if report.is_sound and not report.decided else BROKEN_RULE


def _heads_of(file: Path) -> list[BookHead]:
    """Read a file of heads, such as a second directory or the system's log has it; other lines of a log are left."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise fail(f"--heads {file} cannot be read: {error.strerror}") from None
    lines = [line for line in text.splitlines() if MARK in line]
    if not lines:
        raise fail(f"{file} has no heads: a line begins with {MARK}")
    try:
        return [BookHead.parse(line) for line in lines]
    except ValueError as error:
        raise fail(f"{file}: {error}") from None


def public_of(typed: str) -> str:
    """Return the public key that is typed, or that stands in a file, alone or in a listing of keys."""
    text = typed
    if not is_public(typed):
        try:
            text = Path(typed).read_text(encoding="utf-8")
        except (OSError, ValueError):
            raise fail(f"--key {typed!r} must be 64 hexadecimal digits, or a file with them") from None
    keys: list[str] = [word for word in re.findall(r"\b[0-9a-f]{64}\b", text) if is_public(word)]
    if len(keys) != 1:
        raise fail(f"--key {typed}: there is no single public key in it")
    return keys[0]


def list_keys(path: Path, *, as_json: bool) -> int:
    """List the keys of every book."""
    with open_store(path) as store:
        keys = {book: keys_of(state_of(store, book)).keys for book in store.books()}
    if as_json:
        print(json.dumps({book: [key._asdict() for key in some] for book, some in keys.items()}, indent=2))
        return 0
    table = plain_table("book", "key", "kept", "from entry>", "to entry>", "signed up to>", "public key")
    for book, some in keys.items():
        for key in some:
            kept = "apart" if key.apart else "by the server"
            ends = str(key.until or "")
            table.add_row(book, key.id, kept, str(key.since), ends, str(key.signed_upto or ""), key.public)
    console.print(table)
    unsigned = [book for book, some in keys.items() if not some]
    if unsigned:
        console.print(f"No key signs book {', '.join(unsigned)}: `pitboss keys make` makes one.")
    return 0


def verify_installation(*, as_json: bool) -> int:
    """Compare the files of this installation with its manifest."""
    found = installation.examine()
    if as_json:
        print(json.dumps(found._asdict() | {"sound": not found.problems}, indent=2))
        return BROKEN_RULE if found.problems else 0
    console.print(f"pitboss {found.text}", markup=False)
    console.print(f"{found.files:,} files, hash {found.digest}")
    if found.problems:
        show_problems(found.problems, "These files are not those that were built. A server starts read-only (T-15).")
        return BROKEN_RULE
    compared = "every file is as it was built" if found.is_built else "there is no manifest to compare with"
    console.print(compared)
    return 0


def _show_report(path: Path, report: AuditReport) -> None:
    table = plain_table("book", "entries>", "snapshots>", "chain and replay", "auditor", "head")
    for name, book_report in report.books.items():
        reading = book_report.reading
        table.add_row(
            name,
            f"{reading.entries:,}",
            f"{reading.snapshots:,}",
            _agreed(not reading.open_damages, bool(reading.damages)),
            "agrees" if not book_report.disagreements else "disagrees",
            reading.state.digest.hex(),
        )
    console.print(table)
    rules = plain_table("  invariant", "says", "from", "")
    for invariant in report.invariants:
        broken = any(finding.invariant == invariant.name for finding in report.findings)
        rules.add_row(
            f"  {invariant.name}", invariant.says, ", ".join(invariant.sources), "broken" if broken else "holds"
        )
    console.print(rules)
    if report.unchecked:
        console.print(report.unchecked)
    for name, vouched in report.vouched.items():
        console.print(_signed_text(name, vouched, report.books[name].reading.state.sequence))
    for name, upto in report.heads_upto.items():
        console.print(f"book {name}: heads that were kept elsewhere vouch up to entry {upto:,}")
    for head, book in report.heads.items():
        console.print(f"{head} is {'no head of these books' if book is None else f'in book {book}'}")
    _conclude(path, report)


def _signed_text(book: str, vouched: Vouched, last: int) -> str:
    if not vouched.keys:
        return f"book {book}: no key signs it; only heads that were kept elsewhere tell whether it was written anew"
    names = ", ".join(vouched.keys)
    return f"book {book}: signed up to entry {vouched.upto:,} of {last:,} (key {names}: compare it with your paper)"


def _agreed(holds: bool, decided: bool) -> str:
    if not holds:
        return "damaged"
    return "damaged, decided" if decided else "agree"


def _conclude(path: Path, report: AuditReport) -> None:
    if report.is_sound and not report.decided:
        console.print(f"[bold green]{escape(str(path))}: every check has passed.[/]")
        return
    if report.is_sound:
        decided = "; ".join(map(str, report.decided))
        console.print(f"[bold yellow]{escape(str(path))}: damaged, and decided on (G-29): {escape(decided)}[/]")
        return
    wrong = [words for book_report in report.books.values() for words in _problems_of(book_report)]
    wrong += [f"no entry has the head {head}" for head, book in report.heads.items() if book is None]
    wrong += report.problems
    show_problems(wrong, f"{path}: the books are not sound")


def _problems_of(report: BookReport) -> list[str]:
    problems = [*map(str, report.reading.open_damages), *map(str, report.reading.open_findings)]
    flipped = report.reading.columns.items()
    problems += [
        f"book {report.book}, entry {number}: one bit of column {name} was flipped" for number, name in flipped
    ]
    return problems + [f"book {report.book}: {words}" for words in report.disagreements]
