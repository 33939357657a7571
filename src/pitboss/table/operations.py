"""What can be done in a round, each as a value: the round is what follows from them in order."""

import json
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from pitboss import rules
from pitboss.cards import card_text, parse_cards


@dataclass(frozen=True, slots=True)
class PlaceWagers:
    """A seat makes its wagers; `person` marks one person who plays two seats."""

    seat: int
    wagers: tuple[tuple[str, int], ...]
    person: str | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """The dealer counts jackpot wagers and deals up to the next decision."""


@dataclass(frozen=True, slots=True)
class Decide:
    """A seat answers the question it is asked; cards are a tuple."""

    seat: int
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Reveal:
    """The dealer turns up what is shown next."""


@dataclass(frozen=True, slots=True)
class Settle:
    """The dealer takes and pays the wagers that are due now."""


class VoidReason(Enum):
    """What voids a round (G-11)."""

    SHUFFLER_MALFUNCTION = "shuffler malfunction"
    MISDEAL = "misdeal"
    EXPOSED_CARD = "exposed card"
    WRONG_COUNT = "wrong count of cards"
    FOULED_DECK = "fouled deck"

    @property
    def cause(self) -> str:
        """Its name in records and commands, such as `exposed-card`."""
        return self.value.replace(" ", "-")


def void_reason(game: rules.Game, reason: VoidReason) -> rules.Reason:
    """Return why every chip of a void round is returned (G-11)."""
    clause = next(stage.clause for stage in game.stages if stage.kind is rules.StageKind.DEAL)
    return rules.Reason(clause, f"Round void ({reason.value}): every wager is returned", "G-11")


@dataclass(frozen=True, slots=True)
class Void:
    """The floor voids the round: everything is returned."""

    reason: VoidReason


Operation: TypeAlias = PlaceWagers | Deal | Decide | Reveal | Settle | Void
_PLAIN: dict[str, Operation] = {"deal": Deal(), "reveal": Reveal(), "settle": Settle()}


def to_json(operation: Operation) -> str:
    """Write an operation on one line; `from_json` reads it back."""
    match operation:
        case PlaceWagers(seat, wagers, person):
            content: dict[str, Any] = {"do": "wager", "seat": seat, "wagers": dict(wagers)}
            if person is not None:
                content["person"] = person
        case Decide(seat, key, tuple(cards)):
            content = {"do": "decide", "seat": seat, "key": key, "cards": [card_text(card) for card in cards]}
        case Decide(seat, key, value):
            content = {"do": "decide", "seat": seat, "key": key, "value": value}
        case Void(reason):
            content = {"do": "void", "reason": reason.value}
        case _:
            content = {"do": next(name for name, plain in _PLAIN.items() if plain == operation)}
    return json.dumps(content, separators=(",", ":"))


def from_json(text: str) -> Operation:
    """Read an operation."""
    content = json.loads(text)
    match content:
        case {"do": "wager", "seat": int(seat), "wagers": dict(wagers)}:
            return PlaceWagers(seat, tuple(wagers.items()), content.get("person"))
        case {"do": "decide", "seat": int(seat), "key": str(key), "cards": list(cards)}:
            return Decide(seat, key, parse_cards(cards))
        case {"do": "decide", "seat": int(seat), "key": str(key), "value": value}:
            return Decide(seat, key, value)
        case {"do": "void", "reason": str(reason)}:
            return Void(VoidReason(reason))
        case {"do": str(name)} if name in _PLAIN:
            return _PLAIN[name]
    raise ValueError(f"no operation of a round: {text[:80]!r}")
