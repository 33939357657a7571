"""Payloads whose text differs from one read before by the number of a round alone: read without parsing them anew.

Almost all entries of a room are counts, and almost all of those say again what another has said, of another round.
"""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any

from pitboss.books.canonical import encoded
from pitboss.books.movements import Movement
from pitboss.books.payloads import remember_shapes

__all__ = ["RoundShapes"]

_ROUND = '"round":'
_DIGITS_MAX = 15
_SHAPES_MAX = 4_096


class RoundShapes:
    """Movements that were read, by their text on both sides of the round's number."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[tuple[Any, ...], dict[str, Any]]] = {}
        self._written: dict[tuple[Any, ...], tuple[tuple[Any, ...], str, str]] = {}

    def find(self, text: str) -> Movement | None:
        """Give what a text says, where its shape is known: the very value that reading it would give."""
        before, _, rest = text.partition(_ROUND)
        number, _, after = rest.partition(",")
        known = self._known.get((before, after))
        if known is None or not _is_number(number):
            return None
        said, details = known
        return Movement._make((*said, MappingProxyType({**details, "round": int(number)})))

    def learn(self, text: str, movement: Movement) -> None:
        """Remember the shape of a text that was read, where its one round is the one of its details.

        A canonical text has each key in one spelling, so that what is found in it once is the key of the details; and
        readers of movements take details as they are, so that another number gives another round and nothing else.
        """
        before, _, rest = text.partition(_ROUND)
        number, _, after = rest.partition(",")
        details = dict(movement.details)
        if not _is_number(number) or _ROUND in after:
            return
        if type(details.get("round")) is not int or details["round"] != int(number):
            return
        if encoded(json.loads(text)) != text:
            return
        if len(self._known) >= _SHAPES_MAX:
            self._known.clear()
        self._known[before, after] = (movement[:-1], details)

    def find_text(self, movement: Movement) -> str | None:
        """Give the text of a count of a round that differs by its round from one that was written before."""
        seats = _seats(movement)
        known = None if seats is None else self._written.get((movement.jackpot, *seats))
        if known is None:
            return None
        said, before, after = known
        # The transfers are the very same, and so of the same types.
        if movement.transfers is not said[2] or movement[:-1] != said:
            return None
        return f"{before}{movement.details['round']}{after}"

    def learn_text(self, text: str, movement: Movement) -> None:
        """Remember how a count of a round was written."""
        seats, number = _seats(movement), movement.details.get("round")
        parts = text.split(f"{_ROUND}{number},")
        if seats is None or len(parts) != 2:
            return
        if len(self._written) >= _SHAPES_MAX:
            self._written.clear()
        self._written[movement.jackpot, *seats] = (movement[:-1], f"{parts[0]}{_ROUND}", f",{parts[1]}")


def _seats(movement: Movement) -> list[int] | None:
    """The seats of a count that says its round and its seats and no more, all numbers of the very type of numbers."""
    details, counts = movement.details, movement.counts
    seats, wagers = details.get("seats"), counts.get("wagers_counted")
    if len(details) != 2 or type(details.get("round")) is not int or type(seats) is not list:
        return None
    if len(counts) != 1 or type(wagers) is not int or movement.terms is not None or movement.corrects is not None:
        return None
    for seat in seats:
        if type(seat) is not int:
            return None
    return seats


def _is_number(text: str) -> bool:
    """Whether a text is a whole number from 0 as JSON writes it."""
    return text.isdecimal() and text.isascii() and len(text) <= _DIGITS_MAX and (text[0] != "0" or text == "0")


remember_shapes("wagers-counted", RoundShapes())
