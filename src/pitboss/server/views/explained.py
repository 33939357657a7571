"""Amounts explained for people: a display back to its seed, a prize back to cards, clauses and the meter."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pitboss.meters import cents_shown
from pitboss.reports.wording import money_places, money_text
from pitboss.server.views.speaking import dollars

__all__ = ["DisplayExplained", "HitExplained", "PartLine", "PrizeLine", "display_explained", "hit_explained"]


class PartLine(NamedTuple):
    """One line: what came to the display or left it, and where its entries are."""

    what: str
    table: str
    day: str
    wagers: str
    amount: str
    comes_to: str
    entries: str
    address: str


class DisplayExplained(NamedTuple):
    """Why a display showed what it showed after an entry."""

    jackpot: str
    entry: int
    shown: str
    exact: str
    generation: int
    complete: bool
    lines: tuple[PartLine, ...]


class PrizeLine(NamedTuple):
    """A prize and why it is what it is: clause, ruling, words."""

    seat: int
    row: str
    amount: str
    winner: str
    slip: str
    because: tuple[tuple[str, str, str], ...]


class HitExplained(NamedTuple):
    """A hit from its prizes back to cards and clauses; the meter it is of; its entries."""

    hit: int
    state: str
    jackpot: str
    paytable: str
    table: str
    round: int
    meter: str
    cards: tuple[tuple[str, str], ...]
    prizes: tuple[PrizeLine, ...]
    envy: tuple[tuple[int, str, str], ...]
    entries: tuple[dict[str, Any], ...]
    display: DisplayExplained


def _part(part: dict[str, Any], comes_to: int, places: tuple[int, int]) -> PartLine:
    first, last, entries = part["first"], part["last"], part["entries"]
    one = first == last
    table = part["table"] if part["table"] != "-" else ""
    said = {"kind": "wagers-counted", "table": table} if part["wagers"] else {}
    query = urlencode(
        {**{name: value for name, value in said.items() if value}, "before": last + 1, "after": first - 1}
    )
    return PartLine(
        what=part["what"],
        table=table,
        day=part["day"],
        wagers=f"{part['wagers']:,}" if part["wagers"] else "",
        amount=money_text(part["units"], places[0]).replace("-", "\N{MINUS SIGN}", 1),
        comes_to=money_text(comes_to, places[1]),
        entries=str(first) if one else f"{entries:,} from {first:,} to {last:,}",
        address=f"/office/audit/{first}" if one else f"/office/audit?{query}",
    )


def display_explained(told: dict[str, Any]) -> DisplayExplained:
    """Lay out an explanation of a display; the last line comes to what it showed (J-09, T-14)."""
    parts = told["parts"]
    sums = list(accumulate(part["units"] for part in parts))
    places = money_places(part["units"] for part in parts), money_places([*sums, told["displayed_units"]])
    lines = [_part(part, comes_to, places) for part, comes_to in zip(parts, sums, strict=True)]
    return DisplayExplained(
        jackpot=told["jackpot"],
        entry=told["entry"],
        shown=dollars(cents_shown(told["displayed_units"])),
        exact=money_text(told["displayed_units"], places[1]),
        generation=told["generation"],
        complete=told["complete"],
        lines=tuple(lines),
    )


def _prize(said: dict[str, Any]) -> PrizeLine:
    because = tuple((each["clause"], each["ruling"] or "", each["text"]) for each in said["because"])
    slip = "" if said["slip"] is None else str(said["slip"])
    return PrizeLine(said["seat"], said["row"], dollars(said["cents"]), said["winner"] or "", slip, because)


def hit_explained(told: dict[str, Any]) -> HitExplained:
    """Lay out an explanation of a hit."""
    return HitExplained(
        hit=told["hit"],
        state=told["state"],
        jackpot=told["jackpot"],
        paytable=told["paytable"],
        table=told["table"],
        round=told["round"],
        meter=dollars(told["meter_cents"]),
        cards=tuple(told["cards"].items()),
        prizes=tuple(_prize(each) for each in told["prizes"]),
        envy=tuple((each["seat"], dollars(each["cents"]), each["text"]) for each in told["envy"]),
        entries=tuple(told["entries"]),
        display=display_explained(told["meter"]),
    )
