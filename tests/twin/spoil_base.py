"""The register of ways to spoil a round, and what several of them need."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from .hands import RANKS, SUITS
from .rounds import GAMES

Record = dict[str, Any]
Spoil = Callable[[Random, Record], bool]
SPOILS: dict[str, Spoil] = {}


def way(function: Spoil) -> Spoil:
    SPOILS[function.__name__.replace("_", "-")] = function
    return function


def any_seat(rng: Random, record: Record) -> Record:
    seat: Record = rng.choice(record["seats"])
    return seat


def jackpots_of(record: Record) -> tuple[str, ...]:
    return GAMES[record["game"]].jackpots


def all_cards(record: Record) -> list[str]:
    cards = [*record.get("dealer", []), *record.get("community", [])]
    return cards + [card for seat in record["seats"] for card in seat["cards"]]


def unused_card(rng: Random, record: Record) -> str:
    return rng.choice([rank + suit for rank in RANKS for suit in SUITS if rank + suit not in all_cards(record)])


def card_lists(record: Record) -> list[list[str]]:
    lists = [record[field] for field in ("dealer", "community") if field in record]
    return lists + [seat["cards"] for seat in record["seats"]]
