"""Facts of 3 Card Double Play: what each wager needs to know of the cards, in the part of Python that numba compiles.

A seat has six cards; the board is the dealer's five. The choices are: the High Hand as a bit for each card, doubled.
"""

from typing import Any, NamedTuple

from pitboss.poker import RankTables, best_three_of_five, three_and_three_values, three_card_value
from pitboss.poker.made import five_card_made, multiples, straight_flush_of
from pitboss.rules.facts import EventFacts, Hands, event_bits

# In the order of the categories of the three-card ranking, best first.
LOW_HAND_EVENTS = ("Mini-Royal in Low side", "Straight Flush", "Trips", "Straight", "Flush", "Pair", "High Cards")
PICK_3_EVENTS = (
    "Double Mini-Royal",
    "Mini-Royal + Trips/SF",
    "Double Trips/SF",
    "One Mini-Royal",
    "Single Trips or SF",
    "Double pairs",
    "Double Flush or Straight",
)
SUPER_3S_EVENTS = (
    "Double Mini-Royal",
    "Mini-Royal with SF",
    "Mini-Royal with Trips",
    "Double Trips/SF",
    "One Mini-Royal",
    "One Trips or SF",
)
PICK_5_EVENTS = ("Royal", "Straight Flush", "Quads", "Full House", "Flush", "Straight", "Trips", "Two Pairs")
SUPER_SIX_EVENTS = (
    "Six-card Straight Flush",
    "Five-card Royal Flush",
    "Five-card straight flush",
    "Four of a kind",
    "Full House",
    "Flush",
    "Straight",
)

_MINI_ROYAL, _STRAIGHT_FLUSH, _TRIPS, _STRAIGHT, _FLUSH, _PAIR = 0, 1, 2, 3, 4, 5
(
    _DOUBLE_MINI_ROYAL,
    _MINI_ROYAL_AND_TRIPS,
    _DOUBLE_TRIPS,
    _ONE_MINI_ROYAL,
    _SINGLE_TRIPS,
    _DOUBLE_PAIRS,
    _DOUBLE_FLUSH,
) = event_bits(PICK_3_EVENTS)
_TWO_PAIRS = 1 << len(PICK_3_EVENTS)
(
    _SUPER_DOUBLE_MINI_ROYAL,
    _SUPER_MINI_ROYAL_AND_FLUSH,
    _SUPER_MINI_ROYAL_AND_TRIPS,
    _SUPER_DOUBLE_TRIPS,
    _SUPER_ONE_MINI_ROYAL,
    _SUPER_ONE_TRIPS,
) = event_bits(SUPER_3S_EVENTS)
_PICK_5_MASK = (1 << len(PICK_5_EVENTS)) - 1
_SIX_STRAIGHT_FLUSH, _, _FIVE_STRAIGHT_FLUSH = event_bits(SUPER_SIX_EVENTS)[:3]
# The Super Six has one event of its own before those of `five_card_made`.
_SUPER_SIX_OWN = 1
_SUPER_SIX_FIVE_CARD_MASK = (1 << len(SUPER_SIX_EVENTS) - _SUPER_SIX_OWN) - 1
_AS_SET = 1  # the second reading of `pick3_basis`


class HighLow(NamedTuple):
    """Whether the hand was doubled, whether each hand wins, and the category of the Low Hand, best first."""

    doubled: int
    high_wins: int
    low_wins: int
    low_category: int

    @staticmethod
    def bounds() -> tuple[int, ...]:
        """How many values each fact has."""
        return (2, 2, 2, len(LOW_HAND_EVENTS))


def hand_values(player: Any, high: int, tables: RankTables) -> tuple[int, int]:
    """Return the values of the High Hand at this mask and of the Low Hand that is left."""
    return three_and_three_values(tables, player, high)


def read_high_low(hands: Hands, tables: RankTables) -> HighLow:
    """Read the facts of the High Hand and Low Hand wagers."""
    high, low = hand_values(hands.player, hands.choices[0], tables)
    dealer = best_three_of_five(tables, hands.board)
    return HighLow(
        1 if hands.choices[1] else 0,
        1 if high >= dealer else 0,
        1 if low >= dealer else 0,
        # A plain integer whatever the tables hold.
        tables.category[low] + 0,
    )


def _pick_3_made(first: int, second: int) -> int:
    """Return the PICK_3_EVENTS of two hands of these categories, and _TWO_PAIRS where it is for the ranks to say."""
    events = 0
    if first <= _TRIPS or second <= _TRIPS:
        events |= _SINGLE_TRIPS
        if first <= _TRIPS and second <= _TRIPS:
            events |= _DOUBLE_TRIPS
    if _MINI_ROYAL in (first, second):
        events |= _ONE_MINI_ROYAL
        if first <= _TRIPS and second <= _TRIPS:
            events |= _MINI_ROYAL_AND_TRIPS
        if first == second:
            events |= _DOUBLE_MINI_ROYAL
    if first in (_TRIPS, _PAIR) and second in (_TRIPS, _PAIR):
        # Trips and a pair cannot be of one rank.
        events |= _TWO_PAIRS if first == second == _PAIR else _DOUBLE_PAIRS
    # A straight flush counts as a straight and as a flush; trips are neither.
    if first <= _FLUSH and second <= _FLUSH and _TRIPS not in (first, second):
        events |= _DOUBLE_FLUSH
    return events


def _super_3s_made(first: int, second: int) -> int:
    """Return the SUPER_3S_EVENTS of two hands of these categories."""
    first, second = min(first, second), max(first, second)
    if first > _TRIPS:
        return 0
    events = _SUPER_ONE_TRIPS
    if second <= _TRIPS:
        events |= _SUPER_DOUBLE_TRIPS
    if first == _MINI_ROYAL:
        events |= _SUPER_ONE_MINI_ROYAL
        if second == _TRIPS:
            events |= _SUPER_MINI_ROYAL_AND_TRIPS
        elif second <= _STRAIGHT_FLUSH:
            events |= _SUPER_MINI_ROYAL_AND_FLUSH
            if second == _MINI_ROYAL:
                events |= _SUPER_DOUBLE_MINI_ROYAL
    return events


# By both categories at once: ten divisions are looked up for every hand.
_CATEGORIES = len(LOW_HAND_EVENTS)
_PICK_3 = tuple(_pick_3_made(*divmod(both, _CATEGORIES)) for both in range(_CATEGORIES**2))
_SUPER_3S = tuple(_super_3s_made(*divmod(both, _CATEGORIES)) for both in range(_CATEGORIES**2))


def _categories(player: Any, tables: RankTables) -> tuple[int, int, int, int, int, int, int, int, int, int]:
    """Return the categories of both hands in each of the ten divisions of six cards (TDP-3), as one number."""
    a, b, c, d, e, f = player[0], player[1], player[2], player[3], player[4], player[5]
    return (
        _both(a, b, c, d, e, f, tables),
        _both(a, b, d, c, e, f, tables),
        _both(a, b, e, c, d, f, tables),
        _both(a, b, f, c, d, e, tables),
        _both(a, c, d, b, e, f, tables),
        _both(a, c, e, b, d, f, tables),
        _both(a, c, f, b, d, e, tables),
        _both(a, d, e, b, c, f, tables),
        _both(a, d, f, b, c, e, tables),
        _both(a, e, f, b, c, d, tables),
    )


def _both(a: int, b: int, c: int, d: int, e: int, f: int, tables: RankTables) -> int:
    first = tables.category[three_card_value(tables, a, b, c)]
    return first * _CATEGORIES + tables.category[three_card_value(tables, d, e, f)]


def read_pick_3(hands: Hands, tables: RankTables) -> EventFacts:
    """Read the PICK_3_EVENTS: of all divisions of the six cards, or of the hands as set (TDP-3)."""
    player = hands.player
    events = 0
    if hands.readings[0] == _AS_SET:
        high, low = hand_values(player, hands.choices[0], tables)
        events = _PICK_3[tables.category[high] * _CATEGORIES + tables.category[low]]
    else:
        for both in _categories(player, tables):
            events |= _PICK_3[both]
    if events & _TWO_PAIRS:
        # They are of one rank where there are four of a kind, and of two where there are not.
        events ^= _TWO_PAIRS if multiples(player)[3] else _TWO_PAIRS | _DOUBLE_PAIRS & ~events
    return EventFacts(events)


def read_super_3s(hands: Hands, tables: RankTables) -> EventFacts:
    """Read the SUPER_3S_EVENTS of all divisions of the six cards (TDP-3)."""
    player = hands.player
    events = 0
    # Every event needs trips or a straight flush, and few sets of six cards hold one.
    if multiples(player)[2] or straight_flush_of(player, 3):
        for both in _categories(player, tables):
            events |= _SUPER_3S[both]
    return EventFacts(events)


def read_pick_5(hands: Hands, tables: Any) -> EventFacts:  # noqa: ARG001
    """Read the PICK_5_EVENTS of the six cards."""
    return EventFacts(five_card_made(hands.player) & _PICK_5_MASK)


def read_super_six(hands: Hands, tables: Any) -> EventFacts:  # noqa: ARG001
    """Read the SUPER_SIX_EVENTS of the six cards."""
    events = (five_card_made(hands.player) & _SUPER_SIX_FIVE_CARD_MASK) << _SUPER_SIX_OWN
    if events & _FIVE_STRAIGHT_FLUSH and straight_flush_of(hands.player, 6):
        events |= _SIX_STRAIGHT_FLUSH
    return EventFacts(events)
