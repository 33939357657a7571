"""Facts of Four Card Prime: what each wager needs to know of the cards, in the part of Python that numba compiles.

A seat has five cards; the board is the dealer's six, the face-up card first.
"""

from typing import Any, NamedTuple

from pitboss.poker import RankTables, best_four_of_five, best_four_of_six
from pitboss.poker.made import five_card_made, four_card_made
from pitboss.rules.facts import BELOW, EventFacts, Hands, compare, event_bits

BONUS_EVENTS = ("Any Quads", "Any Straight Flush", "Any Trips")
ACES_BABY_EVENTS = (
    "Four Aces",
    "Quads",
    "Royal",
    "Straight flush",
    "Three Aces",
    "Trips",
    "Flush",
    "Straight",
    "Two Pair",
    "AA",
)
PRIME_EVENTS = ("All five one color", "Four one color")
FIVE_CARD_EVENTS = (
    "Five-card Royal Flush",
    "Five-card Straight Flush",
    "Four of a kind",
    "Full House",
    "Five-card Flush",
    "Five-card Straight",
    "Three of a kind",
)
FOUR_CARD_EVENTS = ("Four Aces", "Quads", "Straight Flush", "Trips")

_ACE = 12
_QUADS_BONUS, _STRAIGHT_FLUSH_BONUS, _TRIPS_BONUS = event_bits(BONUS_EVENTS)
(_FOUR_ACES, _QUADS, _ROYAL, _STRAIGHT_FLUSH, _THREE_ACES, _TRIPS, _FLUSH, _STRAIGHT, _TWO_PAIR, _ACES) = event_bits(
    ACES_BABY_EVENTS
)
_FIVE_OF_ONE_COLOR, _FOUR_OF_ONE_COLOR = event_bits(PRIME_EVENTS)
_FIVE_CARD_MASK = (1 << len(FIVE_CARD_EVENTS)) - 1
_JACKPOT_FOUR_ACES, _JACKPOT_QUADS, _JACKPOT_STRAIGHT_FLUSH, _JACKPOT_TRIPS = event_bits(FOUR_CARD_EVENTS)
# What `four_card_made` says of straights and flushes: a bit each, and of a straight flush that it is a royal one.
_MADE_STRAIGHT, _MADE_FLUSH = 1, 2
_MADE_ROYAL = 2


class AnteRaise(NamedTuple):
    """How many Antes were raised (0 folds), the BONUS_EVENTS of the best four cards, and the comparison."""

    raised: int
    events: int
    comparison: int

    @staticmethod
    def bounds() -> tuple[int, ...]:
        """How many values each fact has."""
        return (4, 1 << len(BONUS_EVENTS), 3)


def read_ante_raise(hands: Hands, tables: RankTables) -> AnteRaise:
    """Read the facts of the Ante and Raise wagers."""
    raised = hands.choices[0]
    if not raised:
        return AnteRaise(0, 0, BELOW)
    _, trips, quads, straight_flush, _ = four_card_made(hands.player)
    events = _QUADS_BONUS if quads else 0
    events |= _STRAIGHT_FLUSH_BONUS if straight_flush else 0
    events |= _TRIPS_BONUS if trips else 0
    ours, theirs = best_four_of_five(tables, hands.player), best_four_of_six(tables, hands.board)
    return AnteRaise(raised, events, compare(ours, theirs))


def read_aces_baby(hands: Hands, tables: Any) -> EventFacts:  # noqa: ARG001
    """Read the ACES_BABY_EVENTS among the player's four-card hands (FCP-4)."""
    pairs, trips, quads, straight_flush, simple = four_card_made(hands.player)
    events = 0
    if quads:
        events |= _FOUR_ACES | _QUADS if quads >> _ACE else _QUADS
    if straight_flush:
        events |= _ROYAL | _STRAIGHT_FLUSH if straight_flush == _MADE_ROYAL else _STRAIGHT_FLUSH
    if trips:
        events |= _THREE_ACES | _TRIPS if trips >> _ACE else _TRIPS
    if simple & _MADE_FLUSH:
        events |= _FLUSH
    if simple & _MADE_STRAIGHT:
        events |= _STRAIGHT
    if pairs & (pairs - 1):
        events |= _TWO_PAIR
    if pairs >> _ACE:
        events |= _ACES
    return EventFacts(events)


def read_prime(hands: Hands, tables: Any) -> EventFacts:  # noqa: ARG001
    """Read the PRIME_EVENTS of the five cards; diamonds and hearts are red."""
    red = 0
    for card in hands.player:
        if card & 3 in (1, 2):
            red += 1
    if red in (0, 5):
        return EventFacts(_FIVE_OF_ONE_COLOR | _FOUR_OF_ONE_COLOR)
    return EventFacts(_FOUR_OF_ONE_COLOR if red in (1, 4) else 0)


def read_five_card_jackpot(hands: Hands, tables: Any) -> EventFacts:  # noqa: ARG001
    """Read the FIVE_CARD_EVENTS of the original five cards."""
    return EventFacts(five_card_made(hands.player) & _FIVE_CARD_MASK)


def read_four_card_jackpot(hands: Hands, tables: Any) -> EventFacts:  # noqa: ARG001
    """Read the FOUR_CARD_EVENTS of the best four cards."""
    _, trips, quads, straight_flush, _ = four_card_made(hands.player)
    events = 0
    if quads:
        events |= _JACKPOT_FOUR_ACES | _JACKPOT_QUADS if quads >> _ACE else _JACKPOT_QUADS
    if straight_flush:
        events |= _JACKPOT_STRAIGHT_FLUSH
    if trips:
        events |= _JACKPOT_TRIPS
    return EventFacts(events)
