"""Commands of the floor desk: alarms that somebody takes on, and disputes that are settled."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from pitboss.room.commands.kinds import CommandKind, Count, Name, Said, Seat, Words, kind
from pitboss.room.disputes import Stated

Card = Annotated[str, Field(max_length=3)]
Cards = Annotated[list[Card], Field(max_length=20)]


class SeatStated(Said):
    """A seat of a disputed round: its cards in the order dealt, its wagers in cents, and its decisions."""

    seat: Seat
    cards: Cards
    wagers: dict[Name, Count]
    decisions: Annotated[dict[Name, bool | int | Cards], Field(default_factory=dict)]


def _stated(seats: list[SeatStated], board: list[str], meters: dict[str, int]) -> Stated:
    return Stated([each.model_dump() for each in seats], board, meters)


FLOOR_COMMANDS: tuple[CommandKind, ...] = (
    kind(
        "floor/take-alarm",
        "Take an alarm on: from now on one owns it.",
        lambda d, a, w: d.alarms.take(a.alarm, **w.one),
        roles=("supervisor", "surveillance", "manager"),
        fields={"alarm": Name},
    ),
    kind(
        "floor/dispute",
        "Settle a disputed round by the configuration posted at its table, and keep it under the next number.",
        lambda d, a, w: d.disputes.settle(
            a.table, _stated(a.seats, a.board, a.meters), words=a.words, round_number=a.round, **w.acting
        ),
        roles=("supervisor", "manager"),
        fields={
            "table": Name,
            "seats": Annotated[list[SeatStated], Field(min_length=1, max_length=12)],
            "board": (Cards, Field(default_factory=list)),
            "meters": (dict[Name, Count], Field(default_factory=dict)),
            "round": (Count, 0),
            "words": Words,
        },
    ),
)
