"""May we open tomorrow: what is ready, what must be confirmed, what stops opening, and the page that fixes each."""

from collections.abc import Iterable
from typing import NamedTuple

from pitboss.games import find_game
from pitboss.papers.readiness import LEVELS, ReadyLine, RoomReadiness, TableReadiness
from pitboss.rules import full_words
from pitboss.server.views.formatting import dollars, long_day
from pitboss.server.views.office.jackpots import jackpot_address
from pitboss.server.views.office.papers import papers_address
from pitboss.server.views.office.room import plain_problem
from pitboss.server.views.office.tables import table_address
from pitboss.server.views.paytables import titled
from pitboss.server.views.service import service_address

_PAGES = {
    "room": "/office/room",
    "tables": "/office/tables",
    "floor": "/floor#hits-title",
    "alerts": "/floor#alarms-title",
    "displays": "/floor/displays",
    "people": "/office/people",
    "makers": "/office/room#makers",
}
_STATES = {"ready": "good", "confirm": "warn", "stops": "bad"}
_ANSWERS = {
    "ready": "Yes. Everything Pitboss knows of is ready.",
    "confirm": "Yes, once you have confirmed what is marked below.",
    "stops": "Not yet. Something below stops opening.",
}


class TomorrowLine(NamedTuple):
    """A line: what it is about, how ready, its words, what fixes it, and the address where that is done."""

    subject: str
    state: str
    label: str
    text: str
    fix: str
    address: str


class CostLine(NamedTuple):
    """The largest prize of a wager: at its maximum, for which hand."""

    wager: str
    most: str
    prize: str
    hand: str


class TomorrowTable(NamedTuple):
    """A table: its answer, what is to be done, what is ready, and what it can cost."""

    table: str
    game: str
    state: str
    label: str
    open_lines: tuple[TomorrowLine, ...]
    ready_lines: tuple[TomorrowLine, ...]
    round_cost: str
    prizes: tuple[CostLine, ...]


class TomorrowView(NamedTuple):
    """The page: the day, the answer, what concerns the whole room, and its tables."""

    day: str
    date: str
    state: str
    answer: str
    open_lines: tuple[TomorrowLine, ...]
    ready_lines: tuple[TomorrowLine, ...]
    tables: tuple[TomorrowTable, ...]


def _address(line: ReadyLine) -> str:
    table = table_address(line.about)
    pages = {
        "table": table,
        "setup": f"{table}/edit",
        "approvals": f"{table}#approvals",
        "equipment": f"{table}#equipment",
        "service": service_address(line.about),
        "papers": papers_address(line.about),
        "jackpot": jackpot_address(line.about),
    }
    return pages[line.page] if line.page in pages else _PAGES.get(line.page, "")


def _line(line: ReadyLine) -> TomorrowLine:
    text, state = plain_problem(line.words), _STATES[line.level]
    return TomorrowLine(line.subject, state, LEVELS[line.level], text, line.fix, _address(line))


def _divided(lines: Iterable[ReadyLine]) -> tuple[tuple[TomorrowLine, ...], tuple[TomorrowLine, ...]]:
    """Return the lines that somebody has to do something about, what stops opening first, and those that are ready."""
    rows = [_line(line) for line in lines]
    todo = sorted((row for row in rows if row.state != "good"), key=lambda row: row.state != "bad")
    return tuple(todo), tuple(row for row in rows if row.state == "good")


def _table(ready: TableReadiness) -> TomorrowTable:
    cost, game = ready.cost, find_game(ready.game) if ready.game else None
    prizes, divided = () if cost is None or game is None else cost.wagers, _divided(ready.lines)
    return TomorrowTable(
        table=ready.table,
        game="" if game is None else game.title,
        state=_STATES[ready.level],
        label=LEVELS[ready.level],
        open_lines=divided[0],
        ready_lines=divided[1],
        round_cost="" if cost is None else dollars(cost.round_cents),
        prizes=tuple(
            CostLine(
                titled(game.by_name[prize.wager].title) if game is not None else "",
                dollars(prize.stake_cents),
                dollars(prize.largest_cents),
                full_words(prize.event),
            )
            for prize in prizes
        ),
    )


def tomorrow_view(ready: RoomReadiness) -> TomorrowView:
    """Return the view of whether a room may open."""
    todo, done = _divided(ready.lines)
    return TomorrowView(
        day=long_day(ready.day),
        date=ready.day.isoformat(),
        state=_STATES[ready.level],
        answer=_ANSWERS[ready.level],
        open_lines=todo,
        ready_lines=done,
        tables=tuple(map(_table, ready.tables)),
    )
