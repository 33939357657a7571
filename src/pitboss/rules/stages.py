"""The course of a round as data: dealing, looking, deciding, showing and settling, each step with its clause."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from pitboss.cards import Card
from pitboss.law import Citation

Decisions: TypeAlias = Mapping[str, Any]
NOTHING_DECIDED: Decisions = MappingProxyType({})


class StageKind(Enum):
    """What happens in a stage."""

    COLLECT = "collect"
    DEAL = "deal"
    LOOK = "look"
    DECIDE = "decide"
    SHOW = "show"
    SETTLE = "settle"


class CardPlace(Enum):
    """Whose cards a stage is about."""

    SEATS = "seats"
    BOARD = "board"
    DISCARD = "discard"


class Face(Enum):
    """Who may see a card: nobody yet, the seat that holds it, or everybody."""

    UNSEEN = "unseen"
    OWN = "own"
    UP = "up"


class Seat(NamedTuple):
    """A seat in the course of a round: its wagers, its cards in the order dealt, and what it has decided."""

    number: int
    wagers: Mapping[str, int]
    cards: tuple[Card, ...] = ()
    decisions: Decisions = NOTHING_DECIDED
    person: str | None = None


def everybody(_seat: Seat) -> bool:
    """Return true for every seat."""
    return True


def anybody(seats: tuple[Seat, ...]) -> bool:
    """Return true where there is a seat at all."""
    return bool(seats)


def all_positions(seat: Seat) -> tuple[int, ...]:
    """Name every card of a hand."""
    return tuple(range(len(seat.cards)))


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the round.

    A DEAL stage gives one card for each of `faces`. `entitled` says which seats the stage is for; `needed` says, from
    all seats, whether it happens at all. A SHOW or LOOK stage concerns the cards at `positions` of a hand; a SETTLE
    stage settles `wagers`.
    """

    kind: StageKind
    clause: Citation
    words: str
    who: CardPlace = CardPlace.SEATS
    faces: tuple[Face, ...] = ()
    entitled: Callable[[Seat], bool] = everybody
    needed: Callable[[tuple[Seat, ...]], bool] = anybody
    positions: Callable[[Seat], tuple[int, ...]] = all_positions
    wagers: tuple[str, ...] = ()


class Turn(NamedTuple):
    """How a foul answer is turned round at the table: the answer it becomes, the words for it, and its ruling."""

    answer: Callable[[Any], Any]
    words: str
    ruling: str


class Question(NamedTuple):
    """A decision that a seat must make now: its name, every allowed answer, and its clause.

    `refusal` says what is wrong with an answer, or nothing; it is quicker than listing the options. An answer that
    `takes_cards` is a tuple of cards. `turn` is there where a foul answer may be turned round.
    """

    key: str
    words: str
    clause: Citation
    options: Callable[[], tuple[Any, ...]]
    refusal: Callable[[Any], str | None]
    ruling: str | None = None
    takes_cards: bool = False
    turn: Turn | None = None


@cache
def yes_or_no(key: str, words: str, clause: Citation, ruling: str | None = None) -> Question:
    """Build the question for a yes-or-no decision."""
    return Question(
        key=key,
        words=words,
        clause=clause,
        options=lambda: (True, False),
        refusal=lambda value: None if isinstance(value, bool) else f"{value!r} must be true or false",
        ruling=ruling,
    )
