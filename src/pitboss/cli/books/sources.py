"""The books that a command is about, and what it prints of refusals and checks."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

from pitboss import books
from pitboss.books.audit import AuditReport, BookReport, Source, open_source
from pitboss.cli.output import TYPED_WRONG, fail, show_problems
from pitboss.room.projections import PROJECTIONS

P = ParamSpec("P")


def source_of(path: Path) -> Source:
    """Return the data directory or the backup of a path."""
    return path if path.is_file() else books.Directory(path)


@contextmanager
def open_store(path: Path) -> Iterator[books.JournalStore]:
    """Open the journal of a data directory or a backup for reading."""
    with closing(open_source(source_of(path))) as store:
        yield store


def check_book(store: books.JournalStore, book: str) -> None:
    """Exit if there is no such book, with the names of those there are."""
    if book not in store.books():
        raise fail(f"there is no book {book!r}; there are: {', '.join(store.books()) or 'none'}")


def state_of(store: books.JournalStore, book: str) -> books.BookState:
    """Read the state of a book, from its last snapshot on."""
    return books.read_book(store, books.folding_of(PROJECTIONS), book).state


def time_of(path: Path, state: books.BookState) -> int:
    """Return the time that a listing is about: now for a data directory, the last entry for a backup."""
    return state.recorded if path.is_file() else books.microseconds_now()


def explaining(command: Callable[P, int]) -> Callable[P, int]:
    """Print why a command was refused or failed, in one message, and return its exit code."""

    @wraps(command)
    def run(*arguments: P.args, **named: P.kwargs) -> int:
        try:
            return command(*arguments, **named)
        except books.RefusedError as error:
            show_problems(error.problems, "Not done. Nothing was changed.")
            return TYPED_WRONG
        except (books.StoreError, OSError) as error:
            raise fail(str(error)) from None

    return run


def report_json(report: AuditReport) -> dict[str, Any]:
    """Write a report of the checks."""
    return {
        "sound": report.is_sound,
        "invariants": [invariant.name for invariant in report.invariants],
        "heads": dict(report.heads),
        "problems": report.problems,
        "heads_vouch_upto": dict(report.heads_upto),
        "signed": {
            name: {"upto": vouched.upto, "keys": list(vouched.keys)} for name, vouched in report.vouched.items()
        },
        "books": {name: _book_json(book_report) for name, book_report in report.books.items()},
    }


def _book_json(report: BookReport) -> dict[str, Any]:
    reading, undecided = report.reading, set(report.reading.open_damages)
    return {
        "entries": reading.entries,
        "sequence": reading.state.sequence,
        "head": reading.state.digest.hex(),
        "snapshots": reading.snapshots,
        "damages": [damage._asdict() for damage in reading.open_damages],
        "decided": [damage._asdict() for damage in dict.fromkeys(reading.damages) if damage not in undecided],
        "findings": [finding._asdict() for finding in reading.open_findings],
        "disagreements": report.disagreements,
    }
