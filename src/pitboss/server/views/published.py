"""The log of the displays: what was published when, and which displays were connected, from the journal's entries."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pitboss.books import MOVEMENTS, Entry, Movement, Payload, read_payload
from pitboss.jackpot import JackpotSet, PlaySet
from pitboss.meters import cents_shown
from pitboss.server.displays import DisplayConfirmed, DisplaySet, DisplayTurned
from pitboss.server.posting import TablePosted
from pitboss.server.promotions import PromotionEnded, PromotionSet
from pitboss.server.views.speaking import dollars

__all__ = ["Known", "Published", "published", "publishing_kinds"]


class Published(NamedTuple):
    """One line of the log: its entry, when it was recorded, who did it, at which tables, and what it was."""

    sequence: int
    recorded: int
    actor: str
    tables: tuple[str, ...]
    words: str


class Known(NamedTuple):
    """What is known where a log begins: the tables of displays and jackpots, and the units that meters display."""

    displays: Mapping[str, tuple[str, ...]] = {}
    jackpots: Mapping[str, tuple[str, ...]] = {}
    units: Mapping[str, int] = {}


NOTHING_YET = Known()


def published(entries: Iterable[Entry], known: Known = NOTHING_YET) -> Iterator[Published]:
    """Give the log in the order of the journal; amounts that follow wagers stand in the journal itself."""
    tables_of_display, tables_of_jackpot = dict(known.displays), dict(known.jackpots)
    units: Counter[str] = Counter(known.units)
    for entry in entries:
        value = read_payload(entry.kind, entry.payload)
        if isinstance(value, DisplaySet):
            tables_of_display[value.display.name] = (value.display.table,)
        elif isinstance(value, JackpotSet):
            tables_of_jackpot[value.jackpot.name] = tuple(link.table for link in value.jackpot.tables)
        words = _words(value)
        if isinstance(value, Movement):
            units[value.jackpot] += _displayed(value)
            words = words and f"{words}; it shows {dollars(cents_shown(units[value.jackpot]))}"
        if words:
            at = _tables(value, tables_of_display, tables_of_jackpot)
            yield Published(entry.sequence, entry.recorded, entry.actor, at, words)


def _displayed(movement: Movement) -> int:
    """How much the display grows by a movement."""
    came = sum(each.units for each in movement.transfers if each.payee == "displayed")
    return came - sum(each.units for each in movement.transfers if each.payer == "displayed")


def _tables(
    value: Payload, displays: dict[str, tuple[str, ...]], jackpots: dict[str, tuple[str, ...]]
) -> tuple[str, ...]:
    match value:
        case TablePosted():
            return (value.table,)
        case DisplaySet():
            return (value.display.table,)
        case DisplayTurned() | DisplayConfirmed():
            return displays.get(value.name, ())
        case PromotionSet():
            return value.promotion.tables
        case PlaySet():
            return jackpots.get(value.name, ())
        case Movement():
            return jackpots.get(value.jackpot, ())
    return ()


def _words(value: Payload) -> str:
    """What is told of an entry; nothing where it changes no display by itself."""
    match value:
        case TablePosted():
            text_hash = hashlib.sha256(value.configuration.encode()).hexdigest()
            return f"limits and pay tables posted at table {value.table}, configuration {text_hash[:12]}"
        case PromotionSet():
            slide = value.promotion
            shows = f", picture {slide.picture}" if slide.picture else ""
            return f"slide {slide.name}: {slide.title} ({slide.first_day} to {slide.last_day}){shows}"
        case PromotionEnded():
            return f"slide {value.name} taken away"
        case DisplaySet():
            display = value.display
            driven = f", driven by the {display.driven_by}'s computer" if display.driven_by else ""
            return f"display {display.name}: {display.make}{driven}{'' if value.active else ', taken away'}"
        case DisplayTurned():
            return f"display {value.name} is {value.condition}: {value.words}"
        case DisplayConfirmed():
            told = ", ".join(f"{name} {dollars(cents)}" for name, cents in value.amounts.items())
            return f"sign {value.name} confirmed: {told or 'nothing'}"
        case PlaySet():
            return f"{value.name} is {value.play}: {value.words}"
        case Movement() if value.kind in _AMOUNTS:
            return f"{value.jackpot}: {_AMOUNTS[value.kind]}"
    return ""


_KINDS = (
    *("table-posted", "promotion-set", "promotion-ended", "display-set", "display-turned", "display-confirmed"),
    *("jackpot-defined", "jackpot-changed", "play-opened", "play-closed", "play-suspended"),
)


def publishing_kinds() -> tuple[str, ...]:
    """The kinds of entries that a log is made from; every movement, for the amounts between."""
    return (*_KINDS, *MOVEMENTS)


_AMOUNTS = {
    "jackpot-opened": "the meter got its seed",
    "bonus-posted": "another amount posted",
    "prize-called": "a prize called",
    "prize-rejected": "a call rejected",
    "meter-adjusted": "the meter adjusted",
    "count-corrected": "a miscount taken back",
}
