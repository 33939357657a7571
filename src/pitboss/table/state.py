"""The state of a round between two operations, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from pitboss.cards import Card
from pitboss.rules import Face, Seat, SettledLine, Settlement

__all__ = ["Phase", "RoundState", "SeatState"]


class Phase(Enum):
    """What the round waits for."""

    WAGERS = "wagers"
    DEAL = "deal"
    DECISIONS = "decisions"
    REVEAL = "reveal"
    SETTLE = "settle"
    FINISHED = "finished"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat with the faces of its cards: who may see each."""

    seat: Seat
    faces: tuple[Face, ...] = ()

    def dealt(self, card: Card, face: Face) -> SeatState:
        """Give the seat one more card."""
        return SeatState(self.seat._replace(cards=(*self.seat.cards, card)), (*self.faces, face))

    def turned(self, positions: tuple[int, ...], face: Face) -> SeatState:
        """Turn the cards at these places; a card that is face up stays so."""
        faces = tuple(
            face if place in positions and old is not Face.UP else old for place, old in enumerate(self.faces)
        )
        return SeatState(self.seat, faces)


@dataclass(frozen=True, slots=True)
class RoundState:
    """Where a round stands: the phase, the stage to come, seats in rotation, the board, cards used, lines settled."""

    phase: Phase = Phase.WAGERS
    stage: int = 0
    seats: Mapping[int, SeatState] = field(default_factory=dict)
    board: SeatState = field(default_factory=lambda: SeatState(Seat(0, {})))
    discarded: int = 0
    used: int = 0
    collected: bool = False
    lines: Mapping[int, Mapping[str, SettledLine]] = field(default_factory=dict)
    settlement: Settlement | None = None

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """The seats in rotation, from the dealer's left."""
        return tuple(self.seats[number].seat for number in sorted(self.seats))
