"""Exact chances of the hands that win a meter: counted by the worker, since the server itself never counts (J-12).

Who links different games to one meter asks here; what is not counted yet is waited for a while, then asked again.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from http import HTTPStatus
from typing import TYPE_CHECKING

from pitboss.books import RefusedError
from pitboss.jackpot import Offer
from pitboss.server.problems import ProblemError

if TYPE_CHECKING:
    from pitboss.server.worker import Worker

__all__ = ["Chances"]

_SECONDS = 25


class Chances:
    """Asks the worker of the server for chances; a room that is not served has none."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        self.worker: Worker | None = None
        self._seconds = seconds

    def of(self, offer: Offer, jackpot_type: str) -> Offer:
        """Give the offer with the chance of each level, or say that it is being counted, or why it cannot be."""
        if self.worker is None:
            raise RefusedError([f"nobody counts the chances of {offer.game} {offer.paytable} here (J-12)"])
        told = f"the chances of {offer.game} {offer.paytable}"
        figure = self.worker.wait("offer-chances", self._seconds, offer=offer.to_json(), jackpot_type=jackpot_type)
        if figure.status == "failed":
            raise RefusedError([f"{told} cannot be counted: {figure.words} (J-12)"])
        if figure.status == "computing":
            raise ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, [f"{told} are being counted: ask again in a moment"])
        counted = tuple((event, Fraction(chance)) for event, chance in figure.value["chances"])
        return replace(offer, chances=counted)
