"""`pitboss audit`: every check of the books, told."""

from __future__ import annotations

import json
import re
from pathlib import Path

from rich.markup import escape

from pitboss.books import Directory, invariants
from pitboss.books.check import BookReport, Report, check_books
from pitboss.cli.books.sources import explaining, report_json, source_of
from pitboss.cli.output import BROKEN_RULE, console, fail, plain_table, show_problems
from pitboss.room.projections import PROJECTIONS


@explaining
def audit_books(path: Path, heads: list[str], processes: int, *, as_json: bool) -> int:
    """Run all checks; damage that is found halts the books until a person decides."""
    wrong = [head for head in heads if not re.fullmatch(r"[0-9a-fA-F]{64}", head)]
    if wrong:
        raise fail(f"--head {wrong[0]!r} must be the 64 hexadecimal digits of a head")
    source = source_of(path)
    report = check_books(source, heads=heads, projections=PROJECTIONS, processes=processes)
    halts = isinstance(source, Directory) and bool(report.damages or report.findings)
    if halts:
        assert isinstance(source, Directory)
        source.halt(report.damages)
    if as_json:
        print(json.dumps(report_json(report) | {"halted": halts}, indent=2))
    else:
        _tell(path, report)
        if halts:
            console.print("No money moves in these books until a person decides: `pitboss books decide`.")
    return 0 if report.is_sound else BROKEN_RULE


def _tell(path: Path, report: Report) -> None:
    table = plain_table("book", "entries>", "snapshots>", "chain and replay", "auditor", "head")
    for name, each in report.books.items():
        reading = each.reading
        table.add_row(
            name,
            f"{reading.entries:,}",
            f"{reading.snapshots:,}",
            _agreed(not reading.open_damages, bool(reading.damages)),
            "agrees" if not each.disagreements else "disagrees",
            reading.state.digest.hex(),
        )
    console.print(table)
    rules = plain_table("  invariant", "says", "from", "")
    for invariant in invariants():
        broken = any(finding.invariant == invariant.name for finding in report.findings)
        rules.add_row(
            f"  {invariant.name}", invariant.says, ", ".join(invariant.sources), "broken" if broken else "holds"
        )
    console.print(rules)
    for head, book in report.heads.items():
        console.print(f"{head} is {'no head of these books' if book is None else f'in book {book}'}")
    _conclude(path, report)


def _agreed(holds: bool, decided: bool) -> str:
    if not holds:
        return "damaged"
    return "damaged, decided" if decided else "agree"


def _conclude(path: Path, report: Report) -> None:
    if report.is_sound:
        console.print(f"[bold green]{escape(str(path))}: every check has passed.[/]")
        return
    wrong = [words for each in report.books.values() for words in _wrong(each)]
    wrong += [f"no entry has the head {head}" for head, book in report.heads.items() if book is None]
    show_problems(wrong, f"{path}: the books are not sound")


def _wrong(each: BookReport) -> list[str]:
    found = [*map(str, each.reading.open_damages), *map(str, each.reading.open_findings)]
    return found + [f"book {each.book}: {words}" for words in each.disagreements]
