"""Exact probabilities of the hands that win a meter: counted by a worker, since a server never counts itself (J-12).

Whoever links different games to one meter asks here; what is not counted yet is waited for, then asked for again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.books import RefusedError
from pitboss.jackpot import Offer

_SECONDS = 25


class NotReadyError(RuntimeError):
    """Something is being computed, and can be asked for again in a moment."""


class Counted(NamedTuple):
    """What a worker answers: `computing`, `failed` with its text, or the value."""

    status: str
    value: Any
    text: str


Count = Callable[[float, dict[str, Any], str], Counted]


class HitProbabilities:
    """Asks a worker for the probabilities of an offer's events; a room that has no worker has none."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        self.count: Count | None = None
        self._seconds = seconds

    def add_to(self, offer: Offer, jackpot_type: str) -> Offer:
        """Return the offer with the probability of each level; refuse where they cannot be counted."""
        if self.count is None:
            raise RefusedError([f"nobody counts the chances of {offer.game} {offer.paytable} here (J-12)"])
        subject = f"the chances of {offer.game} {offer.paytable}"
        counted = self.count(self._seconds, offer.to_json(), jackpot_type)
        if counted.status == "failed":
            raise RefusedError([f"{subject} cannot be counted: {counted.text} (J-12)"])
        if counted.status == "computing":
            raise NotReadyError(f"{subject} are being counted: ask again in a moment")
        return replace(offer, chances=tuple((event, Fraction(chance)) for event, chance in counted.value["chances"]))
