"""Papers that hang at tables, and whether a room may open, at the terminal."""

import datetime
import json
from pathlib import Path
from typing import Any

from rich.markup import escape

from pitboss.books import BookState, RefusedError
from pitboss.cli.books.sources import check_book, explaining, open_store, state_of, time_of
from pitboss.cli.output import BROKEN_RULE, MUST_BE_CONFIRMED, console, plain_table
from pitboss.commands.command import BOOK
from pitboss.commands.description import day_words, moment_words
from pitboss.games import find_game
from pitboss.papers.posting import versions_at
from pitboss.papers.readiness import LEVELS, ReadyLine, RoomReadiness, TableReadiness, next_day, room_readiness
from pitboss.room.posted_papers import POSTED_PAPERS, TablePaper, required_papers
from pitboss.room.room import tables_of
from pitboss.room.settings import gambling_day_of
from pitboss.rules import dollars

_COLORS = {"ready": "green", "confirm": "yellow", "stops": "red"}


def _state(path: Path, book: str = BOOK) -> BookState:
    with open_store(path) as store:
        check_book(store, book)
        return state_of(store, book)


@explaining
def list_papers(path: Path, book: str, table: str | None, *, as_json: bool) -> int:
    """List the papers that hang at tables: which must, which do, since when and by whom."""
    state = _state(path, book)
    day = gambling_day_of(state, time_of(path, state))
    rows = [row for name in tables_of(state) if table in (None, name) for row in _rows(state, name, day)]
    if as_json:
        print(json.dumps({"book": book, "papers": rows}, indent=2))
        return 0
    listing = plain_table("table", "paper", "state", "since", "by", "required by")
    for row in rows:
        since = moment_words(state, row["since"]) if row["since"] else ""
        listing.add_row(row["table"], row["paper"], row["state"], since, row["by"], row["source"])
    console.print(listing if rows else "no table has papers")
    return 0


def _rows(state: BookState, table: str, day: datetime.date) -> list[dict[str, Any]]:
    versions, hanging = versions_at(state, table, day), state.of(POSTED_PAPERS).at(table)
    rows = []
    for name, source in required_papers(state, table).items():
        paper, version = hanging.get(name, TablePaper()), versions.get(name, "")
        is_current = bool(version) and paper.posted == version
        rows.append(
            {
                "table": table,
                "paper": name,
                "state": "posted" if is_current else "out of date" if paper.posted else "not posted",
                "since": paper.since,
                "by": paper.by,
                "version": version,
                "posted": paper.posted,
                "source": source,
            }
        )
    return rows


@explaining
def show_readiness(path: Path, on: str | None, book: str, *, as_json: bool, strict: bool) -> int:
    """Print whether a room may open on a day, tomorrow where none is named; ends with 1 where something stops it."""
    state = _state(path, book)
    now = time_of(path, state)
    try:
        day = next_day(state, now) if on is None else datetime.date.fromisoformat(on)
    except ValueError:
        raise RefusedError([f"--on {on!r} must be a date such as 2026-11-19"]) from None
    if day is None:
        raise RefusedError(["the room has no gambling day yet: make it first (O-07)"])
    ready = room_readiness(state, day, now)
    if as_json:
        print(json.dumps(_json(ready), indent=2))
    else:
        _show(ready)
    if ready.level == "stops":
        return BROKEN_RULE
    return MUST_BE_CONFIRMED if strict and ready.level == "confirm" else 0


def _lines_json(lines: tuple[ReadyLine, ...]) -> list[dict[str, Any]]:
    return [line._asdict() for line in lines]


def _json(ready: RoomReadiness) -> dict[str, Any]:
    return {
        "day": ready.day.isoformat(),
        "level": ready.level,
        "room": _lines_json(ready.lines),
        "tables": {table.table: _table_json(table) for table in ready.tables},
    }


def _table_json(table: TableReadiness) -> dict[str, Any]:
    cost = table.cost
    return {
        "game": table.game,
        "level": table.level,
        "lines": _lines_json(table.lines),
        "round_cents": None if cost is None else cost.round_cents,
        "largest": {} if cost is None else {each.wager: each.largest_cents for each in cost.wagers},
    }


def _show_lines(title: str, lines: tuple[ReadyLine, ...]) -> None:
    console.print(f"[bold]{escape(title)}[/]")
    listing = plain_table("", "", "", "what fixes it")
    for line in lines:
        listing.add_row(
            f"  {line.subject}", f"[{_COLORS[line.level]}]{LEVELS[line.level]}[/]", escape(line.words), escape(line.fix)
        )
    console.print(listing)


def _show(ready: RoomReadiness) -> None:
    console.print(f"[bold {_COLORS[ready.level]}]{day_words(ready.day)}: {LEVELS[ready.level]}[/]")
    _show_lines("Room", ready.lines)
    for table in ready.tables:
        cost = "" if table.cost is None else f", one seat wins at most {dollars(table.cost.round_cents)} in a round"
        _show_lines(
            f"Table {table.table}, {find_game(table.game).title if table.game else 'no game'}{cost}", table.lines
        )
