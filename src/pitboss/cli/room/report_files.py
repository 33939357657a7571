"""`pitboss report` and `pitboss packet`: reports on a room's books, on the terminal and in files."""

import datetime
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import Directory, RefusedError, microseconds, microseconds_now
from pitboss.books.audit import open_source
from pitboss.cli.books.sources import explaining, source_of
from pitboss.cli.output import BROKEN_RULE, TYPED_WRONG, console, errors, plain_table
from pitboss.jackpot import Offer
from pitboss.jackpot.definitions import event_chances
from pitboss.reports import REPORTS, CellKind, Report, ReportRequest, Scope, look, make_packet, make_report
from pitboss.reports.render import csv_text, heading_lines, json_text, printed_cells, repeated, report_view
from pitboss.room.projections import INVARIANTS, PROJECTIONS


class ReportOptions(NamedTuple):
    """The options of `pitboss report` and `pitboss packet`, unchecked."""

    path: Path
    book: str
    day: str | None
    first: str | None
    last: str | None
    shift: str | None
    table: str | None
    jackpot: str | None
    made_at: str | None
    profile: str


def list_reports(*, as_json: bool, is_complete: bool) -> int:
    """List all reports; a command that names none is incomplete, and shown what there is."""
    if as_json:
        print(
            json.dumps(
                [{"name": report.name, "title": report.title, "says": report.says} for report in REPORTS.values()],
                indent=2,
            )
        )
    else:
        table = plain_table("report", "title", "says")
        for report in REPORTS.values():
            table.add_row(report.name, report.title, report.says)
        console.print(table)
    if not is_complete:
        errors.print("name a report and a room: pitboss report NAME DIR|BACKUP", markup=False)
    return 0 if is_complete else TYPED_WRONG


@contextmanager
def _scope(options: ReportOptions) -> Iterator[Scope]:
    """Read the books for a report; everything typed wrongly comes in one refusal."""
    problems: list[str] = []
    days = {name: _day(name, text, problems) for name, text in zip(("day", "from", "to"), options[2:5], strict=True)}
    if options.day is not None and (options.first is not None or options.last is not None):
        problems.append("--day is one gambling day, --from and --to are several: name one or the other")
    now = microseconds_now()
    made_at = now if options.made_at is None else _parse_instant(options.made_at, problems)
    if problems:
        raise RefusedError(problems)
    question = ReportRequest(
        first_day=days["day"] or days["from"],
        last_day=days["day"] or days["to"],
        shift=options.shift,
        table=options.table,
        jackpot=options.jackpot,
        profile=options.profile,
    )
    source = source_of(options.path)
    with closing(open_source(source)) as store:
        until = min(now, made_at) if isinstance(source, Directory) else None
        yield look(
            store,
            options.book,
            question,
            made_at=made_at,
            now=until,
            projections=PROJECTIONS,
            invariants=INVARIANTS,
            chances=_exact_chances,
        )


def _exact_chances(offer: Offer, jackpot_type: str) -> dict[str, Fraction]:
    """Return the exact odds of an offer; cached on disk, so that they are counted once."""
    from pitboss.odds import default_store  # noqa: PLC0415 - loads numba, which no other report needs

    return event_chances(offer, jackpot_type, default_store())


def _day(name: str, text: str | None, problems: list[str]) -> datetime.date | None:
    if text is None:
        return None
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        problems.append(f"--{name}: {text!r} must be a day such as 2026-11-15")
        return None


def _parse_instant(text: str, problems: list[str]) -> int:
    try:
        instant = datetime.datetime.fromisoformat(text)
        return microseconds(instant)
    except ValueError:
        problems.append(f"--made: {text!r} must be a time with its zone, such as 2026-11-16T08:00Z")
        return 0


@explaining
def show_report(name: str, options: ReportOptions, *, as_json: bool, as_csv: bool, output: Path | None) -> int:
    """Make a report and show it, or write it to a file by its ending."""
    if output is not None and output.suffix not in _WRITERS:
        raise RefusedError([f"{output}: the ending must be one of {', '.join(_WRITERS)}"])
    with _scope(options) as scope:
        report, zone = make_report(scope, name), scope.zone
    if output is not None:
        output.write_bytes(_WRITERS[output.suffix]([report], zone))
    elif as_json:
        print(json_text([report]), end="")
    elif as_csv:
        print(csv_text(report), end="")
    else:
        _show_report(report, zone)
    return BROKEN_RULE if report.broken else 0


def _pdf(reports: Sequence[Report], zone: ZoneInfo) -> bytes:
    from pitboss.paper.typesetting import reports_pdf  # noqa: PLC0415

    return reports_pdf([report_view(report, zone) for report in reports], json_text(reports))


_WRITERS: dict[str, Callable[[Sequence[Report], ZoneInfo], bytes]] = {
    ".pdf": _pdf,
    ".csv": lambda reports, _: csv_text(reports[0]).encode(),
    ".json": lambda reports, _: json_text(reports).encode(),
}


@explaining
def write_packet(options: ReportOptions, output: Path) -> int:
    """Make the agent's packet: one PDF, or a folder that has it with each report as CSV and JSON."""
    with _scope(options) as scope:
        reports, zone = make_packet(scope), scope.zone
    if output.suffix == ".pdf":
        output.write_bytes(_pdf(reports, zone))
    else:
        output.mkdir(parents=True, exist_ok=True)
        (output / "packet.pdf").write_bytes(_pdf(reports, zone))
        for number, report in enumerate(reports, start=1):
            (output / f"{number:02d}-{report.name}.csv").write_bytes(csv_text(report).encode())
            (output / f"{number:02d}-{report.name}.json").write_bytes(json_text([report]).encode())
    table = plain_table("report", "title", "rows>", "exceptions>", "holds")
    for report in reports:
        holds = "NO" if report.broken else "yes"
        table.add_row(report.name, report.title, f"{len(report.rows):,}", f"{len(report.exceptions):,}", holds)
    console.print(f"{reports[0].room}, {reports[0].period.words}", style="bold", markup=False)
    console.print(table)
    console.print(f"head {reports[0].head}", markup=False)
    return BROKEN_RULE if any(report.broken for report in reports) else 0


_RIGHT = (CellKind.COUNT, CellKind.MONEY, CellKind.RATIO, CellKind.PERCENT)
_STYLES = {"line": None, "sum": "bold", "alarm": "bold red"}


def _show_report(report: Report, zone: ZoneInfo) -> None:
    """Print a report."""
    first, *others = heading_lines(report)
    console.print(first, style="bold", markup=False)
    for words in others:
        console.print(words, markup=False)
    console.print()
    places = [place for place, column in enumerate(report.columns) if column.kind is not CellKind.DETAIL]
    titles = [f"{report.columns[p].title}{'>' if report.columns[p].kind in _RIGHT else ''}" for p in places]
    table = plain_table(*titles)
    printed = printed_cells(report, zone)
    for row, cells, same in zip(report.all_rows, printed, repeated(report), strict=True):
        table.add_row(*(cells[place] if place >= same else "" for place in places), style=_STYLES[row.style])
    console.print(table if report.rows else "nothing in this period")
    _show_details(report, printed)
    if report.notes:
        console.print()
    for words in report.notes:
        console.print(words, markup=False)
    _show_exceptions(report)


def _show_details(report: Report, printed: list[tuple[str, ...]]) -> None:
    """Print longer texts below the table, each under the number of its row."""
    kinds = [column.kind for column in report.columns]
    if CellKind.DETAIL not in kinds or not report.rows:
        return
    detail, number = kinds.index(CellKind.DETAIL), kinds.index(CellKind.COUNT)
    console.print()
    for cells in printed:
        if cells[detail]:
            label = f"{report.columns[number].title} {cells[number]}: " if cells[number] else ""
            console.print(f"{label}{cells[detail]}", markup=False)


def _show_exceptions(report: Report) -> None:
    if not report.exceptions or report.name == "exceptions":
        return
    console.print("\nto be looked at", style="bold red")
    for exception in report.exceptions:
        owner = f", {exception.owner}" if exception.owner else ""
        console.print(f"  {exception.words} ({exception.state}{owner})", markup=False)
