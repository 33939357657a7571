"""A report on the terminal: its heading, a table, what is said below rows, notes and exceptions."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from pitboss.cli.output import console, plain_table
from pitboss.reports import Kind, Report
from pitboss.reports.render import heading_lines, printed_cells, repeated

_RIGHT = (Kind.COUNT, Kind.MONEY, Kind.RATIO, Kind.PERCENT)
_STYLES = {"line": None, "sum": "bold", "alarm": "bold red"}


def show(report: Report, zone: ZoneInfo) -> None:
    """Print a report."""
    first, *others = heading_lines(report)
    console.print(first, style="bold", markup=False)
    for words in others:
        console.print(words, markup=False)
    console.print()
    places = [place for place, each in enumerate(report.columns) if each.kind is not Kind.DETAIL]
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
    kinds = [each.kind for each in report.columns]
    if Kind.DETAIL not in kinds or not report.rows:
        return
    detail, number = kinds.index(Kind.DETAIL), kinds.index(Kind.COUNT)
    console.print()
    for cells in printed:
        if cells[detail]:
            label = f"{report.columns[number].title} {cells[number]}: " if cells[number] else ""
            console.print(f"{label}{cells[detail]}", markup=False)


def _show_exceptions(report: Report) -> None:
    if not report.exceptions or report.name == "exceptions":
        return
    console.print("\nto be looked at", style="bold red")
    for each in report.exceptions:
        owner = f", {each.owner}" if each.owner else ""
        console.print(f"  {each.words} ({each.state}{owner})", markup=False)
