"""The books that a command is about, and what it prints of refusals and checks."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

from pitboss.books import Directory, RefusedError, StoreError
from pitboss.books.check import Report, Source
from pitboss.cli.output import TYPED_WRONG, fail, show_problems

P = ParamSpec("P")


def source_of(path: Path) -> Source:
    """Return the data directory or the backup of a path."""
    if path.is_file():
        return path
    return Directory(path)


def explaining(command: Callable[P, int]) -> Callable[P, int]:
    """Print why a command was refused or failed, in one message, and return its exit code."""

    @wraps(command)
    def run(*arguments: P.args, **named: P.kwargs) -> int:
        try:
            return command(*arguments, **named)
        except RefusedError as error:
            show_problems(error.problems, "refused; nothing has changed")
            return TYPED_WRONG
        except (StoreError, OSError) as error:
            raise fail(str(error)) from None

    return run


def report_json(report: Report) -> dict[str, Any]:
    """Write a report of the checks."""
    return {
        "sound": report.is_sound,
        "invariants": list(report.invariants),
        "heads": dict(report.heads),
        "books": {
            name: {
                "entries": book_report.reading.entries,
                "sequence": book_report.reading.state.sequence,
                "head": book_report.reading.state.digest.hex(),
                "snapshots": book_report.reading.snapshots,
                "damages": [damage._asdict() for damage in book_report.reading.open_damages],
                "decided": [damage._asdict() for damage in _decided(book_report.reading)],
                "findings": [finding._asdict() for finding in book_report.reading.open_findings],
                "disagreements": book_report.disagreements,
            }
            for name, book_report in report.books.items()
        },
    }


def _decided(reading: Any) -> list[Any]:
    still_open = set(reading.open_damages)
    return [damage for damage in dict.fromkeys(reading.damages) if damage not in still_open]
