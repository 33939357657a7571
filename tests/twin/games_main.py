"""The main wager of each game: (staked, handed back, event). Each chip is settled by itself (G-3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .hands import (
    FOUR_CARDS,
    THREE_CARDS,
    THREE_CARDS_MANY_DECKS,
    Card,
    best_hand,
    category,
    strength,
    traits_of,
    wild_traits_of,
)
from .tables import Cell, Row, Table, best_row, table_in_force, to_one

if TYPE_CHECKING:
    from collections.abc import Callable

    from .rounds import Round, Seat

Line = tuple[int, int, str | None]
DEUCES_ROWS = {
    "Natural Royal Flush": "natural royal",
    "Five Wild Cards": "five wild cards",
    "Wild Royal Flush": "wild royal",
    "Five of a Kind": "five of a kind",
    "Straight Flush": "straight flush",
    "Four of a Kind": "quads",
    "Full House": "full house",
    "Flush": "flush",
    "Straight": "straight",
    "Three of a Kind": "trips",
    "Two Pair": "two pair",
}


def the_row(table: Table, event: str) -> Row:
    return next(row for row in table.rows if row.event == event)


def even_money(stake_cents: int) -> int:
    return 2 * stake_cents


# --- Three Card Prime


def dealer_qualifies(cards: tuple[Card, ...]) -> bool:
    """Queen-high or better (TCP-2)."""
    return category(cards, THREE_CARDS) != "high card" or max(rank for rank, _ in cards) >= 12


def ante_play(round_: Round, seat: Seat) -> Line:
    ante = seat.wagers["ante-play"]
    if not seat.decisions["play"]:
        return ante, 0, None
    hand = seat.cards[:3]
    name = category(hand, THREE_CARDS)
    row_name = {"royal": "Mini-Royal", "straight flush": "Straight Flush", "trips": "Trips", "straight": "Straight"}
    event = row_name.get(name, "Flush and lower")
    at_least_equal = strength(hand, THREE_CARDS) >= strength(round_.dealer, THREE_CARDS)
    qualifies = dealer_qualifies(round_.dealer)

    if not qualifies:
        ante_back = ante  # rule 4: pushes
    elif at_least_equal:
        ante_back = even_money(ante)  # TCP-6
    else:
        ante_back = 0

    pays_anyway = not qualifies and round_.readings["play_when_not_qualified"] == "pay"  # TCP-3
    if at_least_equal or pays_anyway:
        win_or_copy = table_in_force("Win-or-Copy", "progressive", 100, [])
        assert win_or_copy is not None
        return 2 * ante, ante_back + to_one(the_row(win_or_copy, event).cell, ante), event

    bad_beat = the_row(round_.table("ante-play", "PW/BB"), event).cell
    if event == "Flush and lower":  # TCP-4
        reading = round_.readings["bad_beat_flush_or_lower"]
        if reading == "loses" or (reading == "flush_only" and name != "flush"):
            bad_beat = Cell("loss")
    return 2 * ante, ante_back + to_one(bad_beat, ante), event


# --- Deuces Wild


def ante_play_raise(round_: Round, seat: Seat) -> Line:
    ante = seat.wagers["ante-play-raise"]
    if not seat.decisions["play"]:
        return ante, 0, None
    if not seat.decisions["raise"]:
        return 2 * ante, 0, None
    table = round_.table("ante-play-raise")
    has = wild_traits_of(seat.cards)
    row = best_row(table, [event for event in table.events if DEUCES_ROWS[event] in has])
    if row is None:
        return 4 * ante, 0, None
    return 4 * ante, to_one(row.cell, ante) + to_one(row.cell, ante) + to_one(row.cell, 2 * ante), row.event


# --- Super Three Card


def odds_events(cards: tuple[Card, ...]) -> list[str]:
    """Rows of the Odds table that three cards make."""
    has = traits_of(cards)
    ranks = [rank for rank, _ in cards]
    pair_rank = next((rank for rank in ranks if ranks.count(rank) >= 2), 0)
    names = {
        "Mini Royal (AKQ Suited)": "royal" in has,
        "Three-of-a-Kind (Suited)": "suited trips" in has,
        "Straight Flush": "straight flush" in has,
        "Three-of-a-Kind": "trips" in has,
        "Straight": "straight" in has,
        "Suited Pair": "suited pair" in has,
        "Flush": "flush" in has,
        "Pair of Jacks or Better": pair_rank >= 11,
    }
    made = [event for event, is_made in names.items() if is_made]
    return made or ["Pair of Tens or less"]  # STC-2: every hand below a pair too


def ante_odds_play(round_: Round, seat: Seat) -> Line:
    ante = seat.wagers["ante-odds-play"]
    if not seat.decisions["play"]:
        return 2 * ante, ante, None  # STC-3: the Odds come back
    order = THREE_CARDS_MANY_DECKS
    if strength(seat.cards, order) < strength(round_.dealer, order):
        return 3 * ante, 0, None
    row = best_row(round_.table("ante-odds-play"), odds_events(seat.cards))
    assert row is not None
    return 3 * ante, even_money(ante) + even_money(ante) + to_one(row.cell, ante), row.event


# --- Four Card Prime


def ante_raise(round_: Round, seat: Seat) -> Line:
    ante = seat.wagers["ante-raise"]
    times = seat.decisions["raise"]
    if times == 0:
        return ante, 0, None
    raised = times * ante
    hand = best_hand(seat.cards, 4, FOUR_CARDS)
    dealer = best_hand(round_.dealer, 4, FOUR_CARDS)
    row_name = {"quads": "Any Quads", "straight flush": "Any Straight Flush", "trips": "Any Trips"}
    event = row_name.get(category(hand, FOUR_CARDS), "Flush or less")
    if strength(hand, FOUR_CARDS) >= strength(dealer, FOUR_CARDS):
        bonus = the_row(round_.table("ante-raise", "Win"), event).cell
        prize = int(bonus.value * ante) if bonus.kind == "number" else 0  # Push: no bonus (FCP-3)
        return ante + raised, even_money(ante) + prize + even_money(raised), event
    bad_beat = the_row(round_.table("ante-raise", "BB"), event).cell  # Raise lost; a Loss takes the Ante too
    return ante + raised, to_one(bad_beat, ante), event


# --- 3 Card Double Play


def low_hand(seat: Seat) -> tuple[Card, ...]:
    return tuple(card for card in seat.cards if card not in seat.decisions["high"])


def high_low(round_: Round, seat: Seat) -> Line:
    stake = seat.wagers["high-low"]
    chips = [stake, stake] if seat.decisions["double"] else [stake]  # on each hand
    staked = 2 * sum(chips)
    dealer = strength(best_hand(round_.dealer, 3, THREE_CARDS), THREE_CARDS)
    high, low = seat.decisions["high"], low_hand(seat)
    if strength(high, THREE_CARDS) < dealer:
        return staked, 0, None
    paid = sum(even_money(chip) for chip in chips)
    if strength(low, THREE_CARDS) < dealer:
        return staked, paid, None
    row_name = {
        "royal": "Mini-Royal in Low side",
        "straight flush": "Straight Flush",
        "trips": "Trips",
        "straight": "Straight",
        "flush": "Flush",
        "pair": "Pair",
        "high card": "High Cards",
    }
    event = row_name[category(low, THREE_CARDS)]  # TDP-2: its own category
    cell = the_row(round_.table("high-low"), event).cell
    return staked, paid + sum(to_one(cell, chip) for chip in chips), event


MAIN: dict[str, Callable[[Round, Seat], Line]] = {
    "ante-play": ante_play,
    "ante-play-raise": ante_play_raise,
    "ante-odds-play": ante_odds_play,
    "ante-raise": ante_raise,
    "high-low": high_low,
}
