"""Small constructors for tests: a round in the words of docs/ROUND_FORMAT.md, settled through the product's own door."""

from __future__ import annotations

from typing import Any

from pitboss.rules import Problem, SettledLine
from pitboss.table.records import RefusedRecordError, SettledRecord, settle_record


def seat(number: int, cards: str, wagers: dict[str, int], **decisions: Any) -> dict[str, Any]:
    """A seat: cards as text, wagers in cents, decisions by name (`raise_` for the reserved word)."""
    return {
        "seat": number,
        "cards": cards.split(),
        "wagers": wagers,
        "decisions": {name.rstrip("_"): value for name, value in decisions.items()},
    }


def record(game: str, board: str, *seats: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A round record; the board is `community` in the one game that has no dealer's hand."""
    board_name = "community" if game == "deuces-wild" else "dealer"
    return {"game": game, board_name: board.split(), "seats": list(seats), **fields}


def settled(round_record: dict[str, Any]) -> SettledRecord:
    """Settle a record that must be legal."""
    return settle_record(round_record)


def line(round_record: dict[str, Any], wager: str, seat_number: int = 1) -> SettledLine:
    """The settled line of one wager."""
    return settle_record(round_record).settlement.lines[seat_number][wager]


def problems(round_record: Any) -> tuple[Problem, ...]:
    """The problems of a record that must be refused."""
    try:
        settle_record(round_record)
    except RefusedRecordError as error:
        return error.problems
    raise AssertionError("the record was settled, but it must be refused")


def cited(settled_line: SettledLine) -> set[str]:
    """Every clause and ruling a line cites."""
    return {reason.clause.id for reason in settled_line.reasons} | {
        reason.ruling for reason in settled_line.reasons if reason.ruling
    }
