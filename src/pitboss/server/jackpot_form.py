"""From the fields of a form to a jackpot as it is said: every field that cannot be read is told, with its clause."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from starlette.datastructures import FormData

from pitboss.books import BookState
from pitboss.rules import parse_dollars
from pitboss.rules.money import MoneyError
from pitboss.server.performing import number_of, text_of
from pitboss.server.views.jackpot_form import OfferView, game_at, offer_view

__all__ = ["form_values", "said_of"]

_PERCENT = re.compile(r"(?P<number>[0-9]{1,3}(\.[0-9]{1,9})?) ?%?")
_TEXT_FIELDS_MAX = 400
Read = TypeVar("Read")


def form_values(form: FormData) -> dict[str, list[str]]:
    """The texts of a form by field."""
    return {name: [text_of(each) for each in form.getlist(name)] for name in list(form)[:_TEXT_FIELDS_MAX]}


class _Reader:
    """Reads fields, and keeps what is wrong with them."""

    def __init__(self, values: Mapping[str, list[str]]) -> None:
        self._values = values
        self.problems: list[str] = []

    def text(self, name: str) -> str:
        found = self._values.get(name, [])
        return found[0] if found else ""

    def all(self, name: str) -> list[str]:
        return [each for each in dict.fromkeys(self._values.get(name, [])) if each]

    def _read(self, name: str, read: Callable[[str], Read], empty: Read, *, needed: str = "") -> Read:
        text = self.text(name)
        if not text:
            if needed:
                self.problems.append(f"{name.replace('_', ' ')}: {needed}")
            return empty
        try:
            return read(text)
        except (MoneyError, ValueError) as error:
            self.problems.append(f"{name.replace('_', ' ')}: {error}")
            return empty

    def cents(self, name: str, clause: str) -> int:
        return self._read(name, parse_dollars, 0, needed=f"an amount such as $1,000.00 ({clause})")

    def cents_or_none(self, name: str) -> int | None:
        return self._read(name, parse_dollars, None)

    def count_or_none(self, name: str) -> int | None:
        return self._read(name, _count, None)

    def rate(self, name: str) -> str:
        return self._read(name, _rate, "0", needed="a part of the wager in percent, such as 17.3 (REGULATION J-07)")


def _count(text: str) -> int:
    found = number_of(text)
    if not found:
        raise ValueError(f"{text!r} must be a whole number, 1 or more (REGULATION T-01)")
    return found


def _rate(text: str) -> str:
    match = _PERCENT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} must be a part of the wager in percent, such as 17.3 (REGULATION J-07)")
    return str(Fraction(match["number"]) / 100)


def _paytable(view: OfferView, read: _Reader) -> str | dict[str, Any]:
    """The id of the pay table, or the id with the operator's amounts (G-6)."""
    cells: dict[str, dict[str, str]] = {"pays": {}, "envy": {}}
    for row in view.rows:
        for field, column in ((row.pays_field, "pays"), (row.envy_field, "envy")):
            if field and read.text(field):
                cells[column][row.event] = read.text(field)
    return (
        {"id": view.paytable, **{name: each for name, each in cells.items() if each}}
        if any(cells.values())
        else (view.paytable)
    )


def _offer(view: OfferView, read: _Reader, *, first: bool) -> dict[str, Any]:
    game, wager, _ = view.key.split("|")
    readings = {name: read.text(f"reading-{name}") for name, _ in view.readings if read.text(f"reading-{name}")}
    return {
        "game": game,
        "wager": wager,
        "paytable": _paytable(view, read) if first else view.paytable,
        "readings": readings if first else {},
        "decks": (number_of(read.text("decks")) or None) if view.decks else None,
    }


def _offers(read: _Reader) -> list[dict[str, Any]]:
    views = [offer_view(key) for key in (read.text("offer"), *read.all("other"))]
    if None in views:
        read.problems.append("offer: choose a wager and its pay table (REGULATION J-01)")
    return [_offer(view, read, first=place == 0) for place, view in enumerate(views) if view is not None]


def _meter(read: _Reader, jackpot_type: str) -> dict[str, Any]:
    seed = read.cents("seed", "REGULATION T-01")
    meter: dict[str, Any] = {
        "jackpot_type": jackpot_type,
        "wager_cents": read.cents("wager", "REGULATION W-14, G-7"),
        "seed_cents": seed,
        "reseed_cents": seed,
        "batch_wagers_max": read.count_or_none("batch"),
    }
    if jackpot_type == "progressive":
        meter |= {
            "reseed_cents": read.cents("reseed", "REGULATION T-01"),
            "display_rate": read.rate("display_rate"),
            "reserve_rate": read.rate("reserve_rate"),
            "cap_cents": read.cents_or_none("cap"),
        }
    return meter


def said_of(values: Mapping[str, list[str]], jackpot_type: str, state: BookState) -> tuple[dict[str, Any], list[str]]:
    """Read a jackpot as it is said, with everything that cannot be read."""
    read = _Reader(values)
    offers = _offers(read)
    first = offers[0]["game"] if offers else ""
    location = read.text("location")
    said = {
        "name": read.text("name"),
        "offers": offers,
        "meter": _meter(read, jackpot_type),
        "tables": [
            {"table": each, "game": game_at(state, each) or first, "location": location} for each in read.all("table")
        ],
        "display": read.text("display") or "real-time",
        "fixed_prizes": read.text("fixed_prizes") or "house",
        "small_prize_cents": read.cents("small", "REGULATION F-17"),
        "bonus_sharing": read.text("bonus_sharing") or "full",
    }
    for field, clause in (("name", "J-09"), ("location", "J-11"), ("words", "J-09")):
        if not read.text(field):
            read.problems.append(f"{field}: say it (REGULATION {clause})")
    return said, read.problems
