"""Bonus and jackpot wagers: which rows of its table a hand makes. G-10: folded or not, on the same cards.

Rows include one another as hands do (a mini-royal makes "Straight Flush" too); a row such as "others" or
"two pairs & less" is made when no other row of the table is.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from .games_main import DEUCES_ROWS, low_hand
from .hands import (
    Card,
    colour,
    is_wild,
    one_suit,
    run_top,
    traits_of,
    traits_of_best,
    wild_traits_of,
    wild_traits_of_best,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .rounds import Round, Seat
    from .tables import Table

Cards = tuple[Card, ...]


def made(table: Table, facts: dict[str, bool], otherwise: str | None = None) -> list[str]:
    """The rows of the table that are facts; `otherwise` where there is none. Every row must be known."""
    for event in table.events:
        assert event in facts or event == otherwise, (table.id, event)
    rows = [event for event in table.events if facts.get(event)]
    return rows or ([otherwise] if otherwise else [])


def suited_run(cards: Cards) -> int:
    """The top rank of all these cards in one suit and in sequence, else 0."""
    return run_top([rank for rank, _ in cards]) if one_suit(cards) else 0


# --- Three Card Prime


def tcp_prime(round_: Round, seat: Seat, table: Table) -> list[str]:
    player = {colour(card) for card in seat.cards[:3]}
    everyone = player | {colour(card) for card in round_.dealer}
    facts = {
        "Same Color Player and Dealer Hands": len(everyone) == 1,
        "Same Color Player Hand": len(player) == 1,
    }
    return made(table, facts, "others")


def pair_bonus(_: Round, seat: Seat, table: Table) -> list[str]:
    has = traits_of(seat.cards[:3])
    facts = {
        "Mini Royal": "royal" in has,
        "Straight Flush": "straight flush" in has,
        "Trips": "trips" in has,
        "Straight": "straight" in has,
        "Flush": "flush" in has,
        "Pair": "pair" in has,
    }
    return made(table, facts)


def all_six(round_: Round, seat: Seat, table: Table) -> list[str]:
    six = seat.cards[:3] + round_.dealer
    has = traits_of_best(six, 5)
    royal_suit = six[0][1] if suited_run(six) == 14 else ""
    facts = {
        "Six-Card Royal Diamonds": royal_suit == "d",
        "Six-Card Royal Other": royal_suit not in {"", "d"},
        "Five-Card Royal": "royal" in has,
        "Five-Card Straight Flush": "straight flush" in has,
        "Four of a Kind": "quads" in has,
        "Full House": "full house" in has,
        "Flush": "flush" in has,
        "Straight": "straight" in has,
        "Three of a Kind": "trips" in has,
    }
    return made(table, facts)


def final_four(_: Round, seat: Seat, table: Table) -> list[str]:
    three = traits_of(seat.cards[:3])
    four = traits_of(seat.cards)
    diamonds = seat.cards[0][1] == "d"
    suited_start = "straight flush" in three
    facts = {
        "4-card diamond Royal": suited_start and "royal" in four and diamonds,
        "4-card Royal": suited_start and "royal" in four and not diamonds,
        "4-card Straight Flush": suited_start and "straight flush" in four,
        "Four of a kind": "quads" in four,
        "Initial 3-card SF": suited_start,
        "Three of a Kind": "trips" in three,
        "4-card Straight": "straight" in three and "straight" in four,
        "Initial 3-card straight": "straight" in three,
    }
    return made(table, facts, "initial hand < straight")


def all_seven(round_: Round, seat: Seat, table: Table) -> list[str]:
    seven = seat.cards + round_.dealer
    has = traits_of_best(seven, 5)
    facts = {
        "7-card Straight Flush": suited_run(seven) > 0,
        "Royal": "royal" in has,
        "Straight Flush": "straight flush" in has,
        "Four of a Kind": "quads" in has,
        "Full House": "full house" in has,
        "Flush": "flush" in has,
    }
    return made(table, facts, "Straight or less")


# --- Deuces Wild


def treasure(_: Round, seat: Seat, table: Table) -> list[str]:
    has = wild_traits_of(seat.cards[:3])
    facts = {
        "Mini Royal (QKA suited)": "royal" in has,
        "Straight Flush": "straight flush" in has,
        "Three of a Kind": "trips" in has,
        "Straight": "straight" in has,
        "Flush": "flush" in has,
    }
    return made(table, facts)


def selections(cards: Cards) -> Iterator[Cards]:
    """Every selection the Five Card Fortune allows: one card, or any number of wild cards."""
    for card in cards:
        yield (card,)
    wild = [card for card in cards if is_wild(card)]
    for size in range(2, len(wild) + 1):
        yield from combinations(wild, size)


def fortune(round_: Round, seat: Seat, table: Table) -> list[str]:
    chosen = [seat.decisions["fortune"]] if "fortune" in seat.decisions else list(selections(seat.cards))
    has: set[str] = set()
    for selection in chosen:
        has |= wild_traits_of_best(tuple(selection) + round_.community, 5)
    return made(table, {event: DEUCES_ROWS[event] in has for event in table.events})


def wild_cards(_: Round, seat: Seat, table: Table) -> list[str]:
    count = sum(is_wild(card) for card in seat.cards)
    return made(table, {f"{number} Wild Cards": count >= number for number in (5, 4, 3, 2)})


# --- Super Three Card


def big_hand(round_: Round, seat: Seat, table: Table) -> list[str]:
    cards = (*seat.cards[:2], round_.dealer[0])
    has = traits_of(cards)
    facts = {
        "Three Aces (Suited)": "suited trips" in has and cards[0][0] == 14,
        "Mini Royal (AKQ Suited)": "royal" in has,
        "Three-of-a-Kind (Suited)": "suited trips" in has,
        "Straight Flush": "straight flush" in has,
        "Three-of-a-Kind": "trips" in has,
        "Straight": "straight" in has,
        "Suited Pair": "suited pair" in has,
        "Flush": "flush" in has,
    }
    return made(table, facts)


def twenty_one_plus_three(round_: Round, seat: Seat, table: Table) -> list[str]:
    cards = (*seat.cards[:2], round_.dealer[0])
    has = traits_of(cards)
    suited_trips_of = cards[0][0] if "suited trips" in has else 0
    facts = {
        "Three-of-a-Kind Aces Suited": suited_trips_of == 14,
        "Three-of-a-Kind Aces or Kings Suited": suited_trips_of in (14, 13),
        "Three-of-a-Kind Aces, Kings, or Queens Suited": suited_trips_of in (14, 13, 12),
        "Three-of-a-Kind Suited": suited_trips_of > 0,
        "Straight Flush": "straight flush" in has,
        "Three-of-a-Kind Offsuit": "trips" in has and suited_trips_of == 0,
        "Straight": "straight" in has,
        "Flush": "flush" in has,
    }
    return made(table, facts)


# --- Four Card Prime


def aces_baby(_: Round, seat: Seat, table: Table) -> list[str]:
    aces = sum(rank == 14 for rank, _suit in seat.cards)
    has = traits_of_best(seat.cards, 4)
    facts = {
        "Four Aces": aces >= 4,
        "Quads": "quads" in has,
        "Royal": "royal" in has,
        "Straight flush": "straight flush" in has,
        "Three Aces": aces >= 3,
        "Trips": "trips" in has,
        "Flush": "flush" in has,
        "Straight": "straight" in has,
        "Two Pair": "two pair" in has,
        "AA": aces >= 2,
    }
    return made(table, facts, "Kings or less")


def fcp_prime(_: Round, seat: Seat, table: Table) -> list[str]:
    colours = [colour(card) for card in seat.cards]
    most = max(colours.count("red"), colours.count("black"))
    return made(table, {"All five one color": most == 5, "Four one color": most >= 4})


def five_card_jackpot(_: Round, seat: Seat, table: Table) -> list[str]:
    has = traits_of(seat.cards)
    facts = {
        "Five-card Royal Flush": "royal" in has,
        "Five-card Straight Flush": "straight flush" in has,
        "Four of a kind": "quads" in has,
        "Full House": "full house" in has,
        "Five-card Flush": "flush" in has,
        "Five-card Straight": "straight" in has,
        "Three of a kind": "trips" in has,
    }
    return made(table, facts, "two pairs & less")


def four_card_jackpot(_: Round, seat: Seat, table: Table) -> list[str]:
    has = traits_of_best(seat.cards, 4)
    facts = {
        "Four Aces": sum(rank == 14 for rank, _suit in seat.cards) == 4,
        "Quads": "quads" in has,
        "Straight Flush": "straight flush" in has,
        "Trips": "trips" in has,
    }
    return made(table, facts)


# --- 3 Card Double Play


def divisions(cards: Cards) -> Iterator[tuple[Cards, Cards]]:
    """All twenty ways to set six cards as two hands of three."""
    for first in combinations(cards, 3):
        yield first, tuple(card for card in cards if card not in first)


def two_hands(first: Cards, second: Cards) -> set[str]:
    """The rows of Pick-3 and Super-3's that two hands make; "Other" is none of them."""
    one, two = traits_of(first), traits_of(second)
    found: set[str] = set()

    def strong(has: frozenset[str]) -> bool:
        return "trips" in has or "straight flush" in has

    for a, b in ((one, two), (two, one)):
        if "royal" in a:
            found.add("One Mini-Royal")
            if "royal" in b:
                found.add("Double Mini-Royal")
            if strong(b):
                found.add("Mini-Royal + Trips/SF")
            if "straight flush" in b:
                found.add("Mini-Royal with SF")
            if "trips" in b:
                found.add("Mini-Royal with Trips")
        if strong(a):
            found |= {"Single Trips or SF", "One Trips or SF"}
            if strong(b):
                found.add("Double Trips/SF")
    if {"straight", "flush"} & one and {"straight", "flush"} & two:
        found.add("Double Flush or Straight")
    paired = [{rank for rank, _ in hand if [other for other, _ in hand].count(rank) >= 2} for hand in (first, second)]
    if paired[0] and paired[1] and paired[0] != paired[1]:
        found.add("Double pairs")
    return found


def _known(table: Table, found: set[str]) -> list[str]:
    return made(table, {event: event in found for event in table.events if event != "Other"}, "Other")


def pick_3(round_: Round, seat: Seat, table: Table) -> list[str]:
    if round_.readings["pick3_basis"] == "as_set":
        return _known(table, two_hands(seat.decisions["high"], low_hand(seat)))
    return super_3s(round_, seat, table)


def super_3s(_: Round, seat: Seat, table: Table) -> list[str]:
    found: set[str] = set()
    for first, second in divisions(seat.cards):
        found |= two_hands(first, second)
    return _known(table, found)


def pick_5(_: Round, seat: Seat, table: Table) -> list[str]:
    has = traits_of_best(seat.cards, 5)
    facts = {
        "Royal": "royal" in has,
        "Straight Flush": "straight flush" in has,
        "Quads": "quads" in has,
        "Full House": "full house" in has,
        "Flush": "flush" in has,
        "Straight": "straight" in has,
        "Trips": "trips" in has,
        "Two Pairs": "two pair" in has,
    }
    return made(table, facts, "Other")


def super_six(_: Round, seat: Seat, table: Table) -> list[str]:
    has = traits_of_best(seat.cards, 5)
    facts = {
        "Six-card Straight Flush": suited_run(seat.cards) > 0,
        "Five-card Royal Flush": "royal" in has,
        "Five-card straight flush": "straight flush" in has,
        "Four of a kind": "quads" in has,
        "Full House": "full house" in has,
        "Flush": "flush" in has,
        "Straight": "straight" in has,
    }
    return made(table, facts, "Three of a kind or less")


EVENTS: dict[tuple[str, str], Callable[[Round, Seat, Table], list[str]]] = {
    ("three-card-prime", "prime"): tcp_prime,
    ("three-card-prime", "pair-bonus"): pair_bonus,
    ("three-card-prime", "all-six"): all_six,
    ("three-card-prime", "final-four"): final_four,
    ("three-card-prime", "all-seven"): all_seven,
    ("deuces-wild", "three-card-treasure"): treasure,
    ("deuces-wild", "five-card-fortune"): fortune,
    ("deuces-wild", "bonus-jackpot"): wild_cards,
    ("super-three-card", "big-hand-bonus"): big_hand,
    ("super-three-card", "twenty-one-plus-three"): twenty_one_plus_three,
    ("super-three-card", "twenty-one-plus-three-b"): twenty_one_plus_three,
    ("four-card-prime", "aces-baby"): aces_baby,
    ("four-card-prime", "prime"): fcp_prime,
    ("four-card-prime", "five-card-jackpot"): five_card_jackpot,
    ("four-card-prime", "four-card-jackpot"): four_card_jackpot,
    ("three-card-double-play", "pick-3"): pick_3,
    ("three-card-double-play", "pick-5"): pick_5,
    ("three-card-double-play", "super-3s"): super_3s,
    ("three-card-double-play", "super-six"): super_six,
}
