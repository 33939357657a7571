"""`pitboss report` and `pitboss packet`: reports on a room's books, on the terminal and in files."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import Directory, RefusedError, microseconds
from pitboss.books.check import open_source
from pitboss.books.commands import microseconds_now
from pitboss.cli.books.sources import explaining, source_of
from pitboss.cli.output import BROKEN_RULE, TYPED_WRONG, console, errors, plain_table
from pitboss.cli.room.report_tables import show
from pitboss.reports import REPORTS, Asked, Report, Scope, look, make_packet, make_report
from pitboss.reports.render import csv_text, json_text, report_view
from pitboss.room.projections import PROJECTIONS


class Wanted(NamedTuple):
    """What was typed: where the books are, of when and of what the report is."""

    path: Path
    book: str
    day: str | None
    first: str | None
    last: str | None
    shift: str | None
    table: str | None
    jackpot: str | None
    made: str | None
    profile: str


def list_reports(*, as_json: bool, asked: bool) -> int:
    """List all reports; asked for or not, whoever names none is shown what there is."""
    if as_json:
        print(
            json.dumps(
                [{"name": each.name, "title": each.title, "says": each.says} for each in REPORTS.values()], indent=2
            )
        )
    else:
        table = plain_table("report", "title", "says")
        for each in REPORTS.values():
            table.add_row(each.name, each.title, each.says)
        console.print(table)
    if not asked:
        errors.print("name a report and a room: pitboss report NAME DIR|BACKUP", markup=False)
    return 0 if asked else TYPED_WRONG


@contextmanager
def _scope(wanted: Wanted) -> Iterator[Scope]:
    """Look at the books for what was typed; everything typed wrongly in one refusal."""
    problems: list[str] = []
    days = {name: _day(name, text, problems) for name, text in zip(("day", "from", "to"), wanted[2:5], strict=True)}
    if wanted.day is not None and (wanted.first is not None or wanted.last is not None):
        problems.append("--day is one gambling day, --from and --to are several: name one or the other")
    now = microseconds_now()
    made = now if wanted.made is None else _made(wanted.made, problems)
    if problems:
        raise RefusedError(problems)
    asked = Asked(
        first_day=days["day"] or days["from"],
        last_day=days["day"] or days["to"],
        shift=wanted.shift,
        table=wanted.table,
        jackpot=wanted.jackpot,
        profile=wanted.profile,
    )
    source = source_of(wanted.path)
    with closing(open_source(source)) as store:
        until = min(now, made) if isinstance(source, Directory) else None
        yield look(store, wanted.book, asked, made=made, now=until, projections=PROJECTIONS)


def _day(name: str, text: str | None, problems: list[str]) -> datetime.date | None:
    if text is None:
        return None
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        problems.append(f"--{name}: {text!r} must be a day such as 2026-11-15")
        return None


def _made(text: str, problems: list[str]) -> int:
    try:
        instant = datetime.datetime.fromisoformat(text)
        return microseconds(instant)
    except ValueError:
        problems.append(f"--made: {text!r} must be a time with its zone, such as 2026-11-16T08:00Z")
        return 0


@explaining
def show_report(name: str, wanted: Wanted, *, as_json: bool, as_csv: bool, output: Path | None) -> int:
    """Make a report and show it, or write it to a file by its ending."""
    if output is not None and output.suffix not in _WRITERS:
        raise RefusedError([f"{output}: the ending must be one of {', '.join(_WRITERS)}"])
    with _scope(wanted) as scope:
        made, zone = make_report(scope, name), scope.zone
    if output is not None:
        output.write_bytes(_WRITERS[output.suffix]([made], zone))
    elif as_json:
        print(json_text([made]), end="")
    elif as_csv:
        print(csv_text(made), end="")
    else:
        show(made, zone)
    return BROKEN_RULE if made.broken else 0


def _pdf(reports: Sequence[Report], zone: ZoneInfo) -> bytes:
    from pitboss.paper.typesetting import reports_pdf  # noqa: PLC0415

    return reports_pdf([report_view(each, zone) for each in reports], json_text(reports))


_WRITERS: dict[str, Callable[[Sequence[Report], ZoneInfo], bytes]] = {
    ".pdf": _pdf,
    ".csv": lambda reports, _: csv_text(reports[0]).encode(),
    ".json": lambda reports, _: json_text(reports).encode(),
}


@explaining
def write_packet(wanted: Wanted, output: Path) -> int:
    """Make the agent's packet: one PDF, or a folder that has it with each report as CSV and JSON."""
    with _scope(wanted) as scope:
        reports, zone = make_packet(scope), scope.zone
    if output.suffix == ".pdf":
        output.write_bytes(_pdf(reports, zone))
    else:
        output.mkdir(parents=True, exist_ok=True)
        (output / "packet.pdf").write_bytes(_pdf(reports, zone))
        for number, each in enumerate(reports, start=1):
            (output / f"{number:02d}-{each.name}.csv").write_bytes(csv_text(each).encode())
            (output / f"{number:02d}-{each.name}.json").write_bytes(json_text([each]).encode())
    table = plain_table("report", "title", "rows>", "exceptions>", "holds")
    for each in reports:
        holds = "NO" if each.broken else "yes"
        table.add_row(each.name, each.title, f"{len(each.rows):,}", f"{len(each.exceptions):,}", holds)
    console.print(f"{reports[0].room}, {reports[0].period.words}", style="bold", markup=False)
    console.print(table)
    console.print(f"head {reports[0].head}", markup=False)
    return BROKEN_RULE if any(each.broken for each in reports) else 0
