"""What the five games are made of, and a checked round as the settlement wants it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .tables import Table, family

if TYPE_CHECKING:
    from .hands import Card

ROUND_FIELDS = (
    "game",
    "decks",
    "paytables",
    "readings",
    "jackpot_type",
    "meters",
    "jackpot_wager_cents",
    "bonus_sharing",
    "on",
    "profile",
    "dealer",
    "community",
    "seats",
)
SEAT_FIELDS = ("seat", "cards", "wagers", "decisions")


@dataclass(frozen=True)
class GameSpec:
    base: str
    sides: tuple[str, ...]
    jackpots: tuple[str, ...]
    seats_max: int  # G-16
    base_multiple: int = 1  # G-14: the largest single chip the rules force or allow, in base stakes
    two_jackpots: bool = False  # G-13
    other_jackpot_amounts: bool = False  # G-7
    base_required: bool = True  # G-19

    @property
    def wagers(self) -> tuple[str, ...]:
        return (self.base, *self.sides, *self.jackpots)


GAMES: dict[str, GameSpec] = {
    "three-card-prime": GameSpec("ante-play", ("prime", "pair-bonus", "all-six"), ("final-four", "all-seven"), 7),
    "deuces-wild": GameSpec(
        "ante-play-raise",
        ("three-card-treasure", "five-card-fortune"),
        ("bonus-jackpot",),
        6,
        base_multiple=2,
        other_jackpot_amounts=True,
        base_required=False,
    ),
    "super-three-card": GameSpec(
        "ante-odds-play",
        ("big-hand-bonus",),
        ("twenty-one-plus-three", "twenty-one-plus-three-b"),
        7,
        two_jackpots=True,
        other_jackpot_amounts=True,
    ),
    "four-card-prime": GameSpec(
        "ante-raise",
        ("aces-baby", "prime"),
        ("five-card-jackpot", "four-card-jackpot"),
        7,
        base_multiple=3,
        two_jackpots=True,
    ),
    "three-card-double-play": GameSpec(
        "high-low", ("pick-3", "pick-5"), ("super-3s", "super-six"), 7, two_jackpots=True
    ),
}

# The families of pay tables that must stand beside one another for a wager, one of each.
SLOTS: dict[tuple[str, str], tuple[str, ...]] = {
    ("three-card-prime", "ante-play"): ("PW/BB",),
    ("three-card-prime", "prime"): ("PRW",),
    ("three-card-prime", "pair-bonus"): ("PB", "PB/LD"),
    ("three-card-prime", "all-six"): ("A6",),
    ("three-card-prime", "final-four"): ("F4P",),
    ("three-card-prime", "all-seven"): ("A7P",),
    ("deuces-wild", "ante-play-raise"): ("APR",),
    ("deuces-wild", "three-card-treasure"): ("TCT",),
    ("deuces-wild", "five-card-fortune"): ("FCF",),
    ("deuces-wild", "bonus-jackpot"): ("BJ",),
    ("super-three-card", "ante-odds-play"): ("PT-FLT-STC",),
    ("super-three-card", "big-hand-bonus"): ("PT-FLT-STC-BH",),
    ("super-three-card", "twenty-one-plus-three"): ("PT-BJS-213",),
    ("super-three-card", "twenty-one-plus-three-b"): ("PT-BJS-213",),
    ("four-card-prime", "ante-raise"): ("Win", "BB"),
    ("four-card-prime", "aces-baby"): ("AB",),
    ("four-card-prime", "prime"): ("Prime",),
    ("four-card-prime", "five-card-jackpot"): ("PJ",),
    ("four-card-prime", "four-card-jackpot"): ("FCJ",),
    ("three-card-double-play", "high-low"): ("LWB",),
    ("three-card-double-play", "pick-3"): ("P3",),
    ("three-card-double-play", "pick-5"): ("P5",),
    ("three-card-double-play", "super-3s"): ("S3J",),
    ("three-card-double-play", "super-six"): ("S6J",),
}

# switch -> its readings, the default first
READINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "three-card-prime": {
        "play_when_not_qualified": ("pay", "compare"),
        "bad_beat_flush_or_lower": ("loses", "flush_only", "as_printed"),
    },
    "deuces-wild": {"fortune_after_raise": ("player_selects", "dealer_takes_best")},
    "super-three-card": {},
    "four-card-prime": {"envy_trigger": ("any_hand", "wagered")},
    "three-card-double-play": {"pick3_basis": ("best", "as_set")},
}


@dataclass(frozen=True)
class Seat:
    number: int
    cards: tuple[Card, ...]
    wagers: dict[str, int]
    decisions: dict[str, Any]  # "high" and "fortune" already as tuples of cards


@dataclass(frozen=True)
class Round:
    game: str
    tables: dict[str, tuple[Table, ...]]
    readings: dict[str, str]
    jackpot_type: str
    bonus_sharing: str
    meters: dict[str, int]
    jackpot_wager_cents: dict[str, int]
    dealer: tuple[Card, ...]
    community: tuple[Card, ...]
    seats: tuple[Seat, ...]

    @property
    def spec(self) -> GameSpec:
        return GAMES[self.game]

    def table(self, wager: str, slot: str | None = None) -> Table:
        """The table in force for a wager (of one family, where several stand beside one another)."""
        tables = [table for table in self.tables[wager] if slot is None or family(table.id) == slot]
        assert len(tables) == 1, (wager, slot, self.tables[wager])
        return tables[0]


TRIBAL_SEATS = {"three-card-prime": 12, "deuces-wild": 6, "super-three-card": 16, "four-card-prime": 9}


def seats_most(record: dict[str, Any], game: str) -> int:
    """G-16: the WAC's seven players do not bind a tribal room; layout, deck and sixteen positions do."""
    tribal = record.get("profile") == "wa-tribal" and "on" in record
    return TRIBAL_SEATS.get(game, 7) if tribal else GAMES[game].seats_max
