"""A report as text for machines and as printed cells for people: JSON, CSV, and the view that `paper` lays out."""

import csv
import datetime
import io
import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from pitboss.books import EPOCH, instant_text
from pitboss.meters import UNITS_PER_CENT
from pitboss.odds.decimals import decimal_text
from pitboss.reports.report import Cell, CellKind, Report, ReportRow
from pitboss.rules import full_words

_UNITS = 100 * UNITS_PER_CENT
_ID_KEYS = frozenset({"entry", "hit", "malfunction", "number", "round", "seat", "slip"})
"""Columns whose figures are names: they are written without separators."""
_ISO_DAY = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b(?!T)")
_ISO_HOUR = re.compile(r"(\d{4}-\d{2}-\d{2}T\d{2}):00([+-]\d{4})")
EXACT_REPORTS = frozenset({"meters"})
"""Reports that a page prints to the unit: those that reconcile."""
_PLACES = 6


def money_places(units: Iterable[int]) -> int:
    """Return how many places after the point show these amounts exactly: two at least, six at most (G-3)."""
    most = 2
    for amount in units:
        while amount % 10 ** (_PLACES - most):
            most += 1
    return most


def money_text(units: int, places: int = 2, *, plain: bool = False) -> str:
    """Print units as dollars with so many places, which must show them exactly; plain is without sign and commas."""
    whole, rest = divmod(abs(units), _UNITS)
    digits = f"{rest:0{_PLACES}d}"
    if digits[places:].strip("0"):
        raise AssertionError(f"{units} units are not shown by {places} places")
    sign = "-" if units < 0 else ""
    return f"{sign}{whole}.{digits[:places]}" if plain else f"{sign}${whole:,}.{digits[:places]}"


def units_words(units: int) -> str:
    """Print units as dollars with no more places than they need."""
    return money_text(units, money_places([units]))


def ratio_places(values: Iterable[Fraction]) -> int:
    """Return how many places show the smallest of these ratios with a few figures: two, four or six."""
    least = min((abs(value) for value in values if value), default=Fraction(1))
    return 2 if least >= 1 else 4 if least >= Fraction(1, 100) else 6


def cents_words(units: int) -> str:
    """Print units as dollars and cents, the rest cut off; what is less than a cent is printed exactly."""
    cents = abs(units) // UNITS_PER_CENT * UNITS_PER_CENT
    return units_words(units) if units and not cents else money_text(cents if units > 0 else -cents)


def day_words(day: datetime.date) -> str:
    """Print a day: Nov 16, 2026."""
    return f"{day:%b} {day.day}, {day.year}"


def clock_text(instant: int, zone: ZoneInfo, *, seconds: bool = False) -> str:
    """Print an instant by the clocks of a zone: Nov 16, 2026, 5:57 AM; with its zone where clocks show it twice."""
    time = (EPOCH + datetime.timedelta(microseconds=instant)).astimezone(zone)
    is_twice = time.replace(fold=0).utcoffset() != time.replace(fold=1).utcoffset()
    minutes = f"{time:%M:%S}" if seconds else f"{time:%M}"
    name = f" {time:%Z}" if is_twice else ""
    return f"{day_words(time)}, {time.hour % 12 or 12}:{minutes} {'AM' if time.hour < 12 else 'PM'}{name}"


def days_in_words(text: str) -> str:
    """Return a text with every day in it as people write it; files for programs have them as ISO 8601 has."""

    def day(match: re.Match[str]) -> str:
        try:
            return day_words(datetime.date.fromisoformat(match[1]))
        except ValueError:
            return match[0]

    def hour(match: re.Match[str]) -> str:
        time = datetime.datetime.strptime(f"{match[1]}{match[2]}", "%Y-%m-%dT%H%z")
        return f"{time:%b} {time.day}, {time.hour % 12 or 12} {'AM' if time.hour < 12 else 'PM'}"

    return _ISO_DAY.sub(day, _ISO_HOUR.sub(hour, text))


def report_json(report: Report) -> dict[str, Any]:
    """Return the report as JSON: money in units, instants in microseconds, fractions as such."""
    return {
        "report": report.name,
        "title": report.title,
        "room": report.room,
        "book": report.book,
        "version": report.version,
        "period": {
            "words": report.period.words,
            "first_day": report.period.first_day.isoformat(),
            "last_day": report.period.last_day.isoformat(),
            "shift": report.period.shift,
            "begins": report.period.begins,
            "ends": report.period.ends,
        },
        "made": instant_text(report.made_at),
        "as_of": instant_text(report.as_of),
        "head": report.head,
        "head_entry": report.head_entry,
        "entries": [report.first, report.last],
        "filters": dict(report.filters),
        "columns": [head._asdict() for head in report.columns],
        "rows": [_row_json(report, row) for row in report.rows],
        "totals": None if report.totals is None else _row_json(report, report.totals),
        "notes": list(report.notes),
        "exceptions": [{**line._asdict(), "people": list(line.people)} for line in report.exceptions],
        "broken": report.broken,
    }


def _row_json(report: Report, row: ReportRow) -> dict[str, Any]:
    cells = {head.key: _plain(cell) for head, cell in zip(report.columns, row.cells, strict=True)}
    return cells if row.style == "line" else {**cells, "style": row.style}


def _plain(cell: Cell) -> Any:
    return str(cell) if isinstance(cell, Fraction) else cell


def json_text(reports: Sequence[Report]) -> str:
    """Write one report as an object, or several as a list."""
    documents = [report_json(report) for report in reports]
    return json.dumps(documents[0] if len(documents) == 1 else documents, indent=2) + "\n"


def csv_text(report: Report) -> str:
    """Write a report as CSV: a line of keys, rows, totals; what the report is stands at the end, after #.

    Money is exact dollars without signs or commas, instants are in UTC; nothing in a cell can be taken for a formula.
    """
    rows = [[head.key.removesuffix("_units") for head in report.columns]]
    rows += [
        [_csv_cell(head.kind, cell) for head, cell in zip(report.columns, row.cells, strict=True)]
        for row in report.all_rows
    ]
    found = (f"exception: {line.words}" for line in report.exceptions)
    rows += [[f"# {' '.join(words.split())}"] for words in (*report.notes, *found, *heading_lines(report))]
    return csv_of(rows)


def csv_of(rows: Iterable[Iterable[object]]) -> str:
    """Write rows as CSV; a cell that somebody has typed passes `guarded_text` before."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue()


def guarded_text(text: str) -> str:
    """Return a text as a cell that no spreadsheet computes: nor does one skip what is not seen before a sign."""
    seen = (char for char in unicodedata.normalize("NFKC", text) if char.isprintable() and not char.isspace())
    return f"'{text}" if next(seen, " ") in "=+@-" else text


def heading_lines(report: Report) -> list[str]:
    """Return the lines that head every rendering of a report (M-06)."""
    narrowed = "".join(f", {name} {value}" for name, value in report.narrowed)
    return [
        f"{report.title}, {report.room}",
        f"{report.period.words}{narrowed}, entries {report.first} to {report.last} of book {report.book}",
        f"pitboss {report.version}, made {instant_text(report.made_at)}",
        f"head {report.head} of entry {report.head_entry}",
    ]


def _csv_cell(kind: CellKind, cell: Cell) -> str:
    if cell is None:
        return ""
    if kind is CellKind.MONEY:
        assert isinstance(cell, int)
        return money_text(cell, money_places([cell]), plain=True)
    if kind is CellKind.INSTANT:
        assert isinstance(cell, int)
        return instant_text(cell)
    if isinstance(cell, Fraction):
        return decimal_text(cell, 6, is_report=True)
    return guarded_text(str(cell)) if kind in (CellKind.TEXT, CellKind.DETAIL) else str(cell)


def repeated(report: Report) -> list[int]:
    """By row how many of the columns that name its group say what the row before it says."""
    counts = []
    before: tuple[Cell, ...] = ()
    for row in report.all_rows:
        same = 0
        while same < report.group and before[: same + 1] == row.cells[: same + 1]:
            same += 1
        counts.append(same)
        before = row.cells
    return counts


def printed_cells(report: Report, zone: ZoneInfo) -> list[tuple[str, ...]]:
    """Print every cell of all rows for people: the money of a column with the same number of places, exact."""
    places = {
        place: money_places(cell for row in report.all_rows if isinstance(cell := row.cells[place], int))
        for place in report.money_columns
    }
    places |= {
        place: ratio_places(cell for row in report.all_rows if isinstance(cell := row.cells[place], Fraction))
        for place, head in enumerate(report.columns)
        if head.kind is CellKind.RATIO
    }
    return [
        tuple(
            _titled(report, head.key, cell)
            if isinstance(cell, str) and (head.key in _HAND_KEYS or cell in report.titles.get(head.key, ()))
            else _printed(head.kind, cell, places.get(place, 2), zone, is_id=head.key in _ID_KEYS)
            for place, (head, cell) in enumerate(zip(report.columns, row.cells, strict=True))
        )
        for row in report.all_rows
    ]


_HAND_KEYS = ("row", "hand")
"""The columns that name a hand as its pay table prints it."""


def _titled(report: Report, key: str, cell: str) -> str:
    """Return the title of what a cell names, or a hand without the abbreviations of its pay table."""
    return full_words(cell) if key in _HAND_KEYS else report.titles[key][cell]


def _printed(kind: CellKind, cell: Cell, places: int, zone: ZoneInfo, *, is_id: bool) -> str:
    if cell is None:
        return ""
    match kind:
        case CellKind.MONEY if isinstance(cell, int):
            return money_text(cell, places)
        case CellKind.INSTANT if isinstance(cell, int):
            return clock_text(cell, zone)
        case CellKind.COUNT if isinstance(cell, int):
            return str(cell) if is_id else f"{cell:,}"
        case CellKind.PERCENT if isinstance(cell, Fraction | int):
            return f"{decimal_text(Fraction(cell) * 100, 2, is_report=True)}%"
        case CellKind.RATIO if isinstance(cell, Fraction | int):
            return decimal_text(Fraction(cell), places, is_report=True)
        case _:
            return days_in_words(str(cell))


def _minus(kind: CellKind, text: str) -> str:
    """Print a figure below zero with a minus sign instead of a hyphen."""
    return f"\u2212{text[1:]}" if kind not in (CellKind.TEXT, CellKind.DETAIL) and text.startswith("-") else text


def report_view(report: Report, zone: ZoneInfo) -> dict[str, Any]:
    """Return what a template lays out: every text and figure as it is printed."""
    return {
        "name": report.name,
        "title": report.title,
        "says": report.says,
        "room": report.room,
        "period": days_in_words(report.period.words),
        "filters": [list(pair) for pair in report.narrowed],
        "begins": clock_text(report.period.begins, zone),
        "ends": clock_text(report.period.ends, zone),
        "made": clock_text(report.made_at, zone),
        "as_of": clock_text(report.as_of, zone),
        "version": f"Pitboss {report.version}",
        "book": report.book,
        "head": report.head,
        "head_entry": str(report.head_entry),
        "entries": f"{report.first} to {report.last}" if report.last >= report.first else "none",
        "columns": [{"key": head.key, "title": head.title, "kind": head.kind.value} for head in report.columns],
        "group": report.group,
        "count": f"{len(report.rows):,}",
        "rows": [
            {
                "cells": [_minus(head.kind, cell) for head, cell in zip(report.columns, cells, strict=True)],
                "repeated": same,
                "style": row.style,
            }
            for cells, same, row in zip(printed_cells(report, zone), repeated(report), report.all_rows, strict=True)
        ],
        "notes": [days_in_words(note) for note in report.notes],
        "exceptions": [
            {
                "words": days_in_words(line.words),
                "state": line.state,
                "number": "" if line.number is None else str(line.number),
                "owner": line.owner,
            }
            for line in report.exceptions
        ],
        "broken": report.broken,
    }


def page_view(report: Report, zone: ZoneInfo) -> dict[str, Any]:
    """Return what a page lays out: amounts in cents, with the exact ones by row under `exact` where they differ."""
    view = report_view(report, zone)
    if report.name in EXACT_REPORTS:
        return view
    for row, values in zip(view["rows"], report.all_rows, strict=True):
        exact = list(row["cells"])
        for place in report.money_columns:
            units = values.cells[place]
            if isinstance(units, int):
                row["cells"][place] = _minus(CellKind.MONEY, cents_words(units))
                exact[place] = _minus(CellKind.MONEY, units_words(units))
        row["exact"] = exact
    return view
