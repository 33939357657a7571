"""Entries about jackpots that move no money: a jackpot is defined or changed, and its play opened, closed or suspended.

Money moves by the movements of `books`; `jackpot-opened` there is the moment at which a meter gets its seed.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, TypeAlias

from pitboss.books import EntryPayload, KindBy, WrittenAs, entry_kind
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


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotSet(EntryPayload):
    """A jackpot defined for the first time, or changed while it was closed; a second person approves (T-06, T-18)."""

    KIND_BY: ClassVar[KindBy] = KindBy("first", {True: "jackpot-defined", False: "jackpot-changed"})
    jackpot: Annotated[Jackpot, WrittenAs("definition")]
    words: str
    approved_by: str
    first: bool


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySet(EntryPayload):
    """Play of a jackpot opened, closed or suspended, with the reason."""

    KIND_BY: ClassVar[KindBy] = KindBy(
        "play", {"open": "play-opened", "closed": "play-closed", "suspended": "play-suspended"}
    )
    name: str
    play: PlayStatus
    reason: PlayReason
    words: str
    approved_by: str = ""
