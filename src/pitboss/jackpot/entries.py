"""Entries about jackpots that move no money: a jackpot is defined or changed, and its play opened, closed or suspended.

Money moves by the movements of `books`; `jackpot-opened` there is the moment at which a meter gets its seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, TypeAlias, get_args

from pitboss.books import register_kinds
from pitboss.jackpot.definitions import Jackpot

PlayStatus: TypeAlias = Literal["closed", "open", "suspended"]
"""Wagers are counted while it is open; a closed jackpot may be changed (T-16), a suspended one may not."""


class PlayReason(StrEnum):
    """Why the play of a jackpot was opened, closed or suspended."""

    BUSINESS = "business"
    ESCROW_SHORTFALL = "escrow-shortfall"
    """The escrow does not cover what is held for the players (J-19)."""
    SEIZURE = "seizure"
    """A tax authority has seized funds (J-18)."""
    EQUIPMENT_MALFUNCTION = "equipment-malfunction"
    COMMISSION_ORDER = "commission-order"


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotSet:
    """A jackpot defined for the first time, or changed while it was closed; a second person approves (T-06, T-18)."""

    jackpot: Jackpot
    words: str
    approved_by: str
    first: bool

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "jackpot-defined" if self.first else "jackpot-changed"

    def to_json(self) -> dict[str, Any]:
        """Write the definition whole, why, and who approved."""
        return {"definition": self.jackpot.to_json(), "words": self.words, "approved_by": self.approved_by}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySet:
    """Play of a jackpot opened, closed or suspended, with the reason."""

    name: str
    play: PlayStatus
    reason: PlayReason
    words: str
    approved_by: str = ""

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return _KIND_OF[self.play]

    def to_json(self) -> dict[str, Any]:
        """Write which jackpot, why, and who approved where a second person must."""
        said = {"name": self.name, "reason": self.reason.value, "words": self.words}
        return said | ({"approved_by": self.approved_by} if self.approved_by else {})


_KIND_OF: dict[str, str] = {"open": "play-opened", "closed": "play-closed", "suspended": "play-suspended"}
_PLAY_OF = {_KIND_OF[play]: play for play in get_args(PlayStatus)}


def _read_set(kind: str, said: dict[str, Any]) -> JackpotSet:
    jackpot = Jackpot.from_json(said["definition"])
    first = kind == "jackpot-defined"
    return JackpotSet(jackpot=jackpot, words=said["words"], approved_by=said["approved_by"], first=first)


def _read_play(kind: str, said: dict[str, Any]) -> PlaySet:
    return PlaySet(
        name=said["name"],
        play=_PLAY_OF[kind],
        reason=PlayReason(said["reason"]),
        words=said["words"],
        approved_by=said.get("approved_by", ""),
    )


register_kinds(["jackpot-defined", "jackpot-changed"], _read_set)
register_kinds(list(_PLAY_OF), _read_play)
