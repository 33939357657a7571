"""Facts of Three Card Prime: what each wager needs to know of the cards, in the part of Python that numba compiles.

A seat's cards are the three of the hand and then the set-aside fourth; the board is the dealer's three.
"""

from typing import NamedTuple

from pitboss.poker import RankTables, three_card_value
from pitboss.poker.made import five_card_made, run_ends, straight_flush_of, suited_ranks, three_card_made
from pitboss.rules.facts import EventFacts, Hands, compare, event_bits

PLAY_EVENTS = ("Mini-Royal", "Straight Flush", "Trips", "Straight")
PRIME_EVENTS = ("Same Color Player and Dealer Hands", "Same Color Player Hand")
PAIR_BONUS_EVENTS = ("Mini Royal", "Straight Flush", "Trips", "Straight", "Flush", "Pair")
ALL_SIX_EVENTS = (
    "Six-Card Royal Diamonds",
    "Six-Card Royal Other",
    "Five-Card Royal",
    "Five-Card Straight Flush",
    "Four of a Kind",
    "Full House",
    "Flush",
    "Straight",
    "Three of a Kind",
)
FINAL_FOUR_EVENTS = (
    "4-card diamond Royal",
    "4-card Royal",
    "4-card Straight Flush",
    "Four of a kind",
    "Initial 3-card SF",
    "Three of a Kind",
    "4-card Straight",
    "Initial 3-card straight",
)
ALL_SEVEN_EVENTS = ("7-card Straight Flush", "Royal", "Straight Flush", "Four of a Kind", "Full House", "Flush")

_QUEEN = 10
_DIAMONDS = 1
_PLAY_MASK = (1 << len(PLAY_EVENTS)) - 1
_SAME_COLOR_AS_DEALER, _SAME_COLOR = event_bits(PRIME_EVENTS)
_SIX_ROYAL_DIAMONDS, _SIX_ROYAL_OTHER = event_bits(ALL_SIX_EVENTS)[:2]
_SIX_FLUSH = event_bits(ALL_SIX_EVENTS)[ALL_SIX_EVENTS.index("Flush")]
(
    _FOUR_ROYAL_DIAMONDS,
    _FOUR_ROYAL,
    _FOUR_STRAIGHT_FLUSH,
    _FOUR_QUADS,
    _FOUR_INITIAL_STRAIGHT_FLUSH,
    _FOUR_TRIPS,
    _FOUR_STRAIGHT,
    _FOUR_INITIAL_STRAIGHT,
) = event_bits(FINAL_FOUR_EVENTS)
_SEVEN_STRAIGHT_FLUSH, _, _FIVE_STRAIGHT_FLUSH = event_bits(ALL_SEVEN_EVENTS)[:3]
# These wagers have so many events of their own before those of `five_card_made`.
_SIX_OWN, _SEVEN_OWN = 2, 1
_SIX_FIVE_CARD_MASK = (1 << len(ALL_SIX_EVENTS) - _SIX_OWN) - 1
_SEVEN_FIVE_CARD_MASK = (1 << len(ALL_SEVEN_EVENTS) - _SEVEN_OWN) - 1
_STRAIGHT_FLUSH, _TRIPS, _STRAIGHT, _FLUSH, _PAIR = 1, 2, 3, 4, 5  # categories of the three-card ranking, best first


class AntePlay(NamedTuple):
    """Whether the hand was played, the PLAY_EVENTS it makes, whether it is a flush, the comparison, the qualifier."""

    played: int
    events: int
    flush: int
    comparison: int
    qualified: int

    @staticmethod
    def bounds() -> tuple[int, ...]:
        """How many values each fact has."""
        return (2, 1 << len(PLAY_EVENTS), 2, 3, 2)


class PairBonus(NamedTuple):
    """The PAIR_BONUS_EVENTS of the three-card hand, and whether the fourth card is a deuce."""

    events: int
    deuce: int

    @staticmethod
    def bounds() -> tuple[int, ...]:
        """How many values each fact has."""
        return (1 << len(PAIR_BONUS_EVENTS), 2)


def read_ante_play(hands: Hands, tables: RankTables) -> AntePlay:
    """Read the facts of the Ante and Play wagers."""
    player, dealer = hands.player, hands.board
    ours = three_card_value(tables, player[0], player[1], player[2])
    theirs = three_card_value(tables, dealer[0], dealer[1], dealer[2])
    category = tables.category[ours]
    pair_or_better = tables.category[theirs] <= _PAIR
    queen_high = max(dealer[0] >> 2, dealer[1] >> 2, dealer[2] >> 2) >= _QUEEN
    return AntePlay(
        1 if hands.choices[0] else 0,
        three_card_made(category) & _PLAY_MASK,
        1 if category == _FLUSH else 0,
        compare(ours, theirs),
        1 if pair_or_better or queen_high else 0,
    )


def _color(card: int) -> int:
    """Diamonds and hearts are red, clubs and spades black."""
    return 1 if card & 3 in (1, 2) else 0


def _color_of_all(cards: tuple[int, ...]) -> int:
    """Return the one color of three cards, or -1 where they are mixed."""
    reds = _color(cards[0]) + _color(cards[1]) + _color(cards[2])
    if reds == 3:
        return 1
    return 0 if reds == 0 else -1


def read_prime(hands: Hands, tables: RankTables) -> EventFacts:  # noqa: ARG001
    """Read the PRIME_EVENTS."""
    player, dealer = hands.player, hands.board
    color = _color_of_all((player[0], player[1], player[2]))
    if color < 0:
        return EventFacts(0)
    same = _color_of_all((dealer[0], dealer[1], dealer[2])) == color
    return EventFacts(_SAME_COLOR_AS_DEALER | _SAME_COLOR if same else _SAME_COLOR)


def read_pair_bonus(hands: Hands, tables: RankTables) -> PairBonus:
    """Read the PAIR_BONUS_EVENTS and the loose deuce."""
    player = hands.player
    category = tables.category[three_card_value(tables, player[0], player[1], player[2])]
    return PairBonus(three_card_made(category), 1 if player[3] >> 2 == 0 else 0)


def read_all_six(hands: Hands, tables: RankTables) -> EventFacts:  # noqa: ARG001
    """Read the ALL_SIX_EVENTS of the player's three and the dealer's three cards."""
    player, dealer = hands.player, hands.board
    cards = (player[0], player[1], player[2], dealer[0], dealer[1], dealer[2])
    events = (five_card_made(cards) & _SIX_FIVE_CARD_MASK) << _SIX_OWN
    if events & _SIX_FLUSH:
        for suit in range(4):
            # Nine to ace of one suit: the six highest ranks.
            if suited_ranks(cards, suit) >> 7 == 0b111111:
                events |= _SIX_ROYAL_DIAMONDS if suit == _DIAMONDS else _SIX_ROYAL_OTHER
    return EventFacts(events)


def read_final_four(hands: Hands, tables: RankTables) -> EventFacts:
    """Read the FINAL_FOUR_EVENTS of the player's four cards, the first three being at least a straight."""
    player = hands.player
    category = tables.category[three_card_value(tables, player[0], player[1], player[2])]
    if category > _STRAIGHT:
        return EventFacts(0)
    cards = (player[0], player[1], player[2], player[3])
    if category == _TRIPS:
        quads = player[3] >> 2 == player[0] >> 2
        return EventFacts(_FOUR_QUADS | _FOUR_TRIPS if quads else _FOUR_TRIPS)
    events = _FOUR_INITIAL_STRAIGHT
    ranks = 0
    for card in cards:
        ranks |= 1 << (card >> 2)
    if run_ends(ranks, 4):
        events |= _FOUR_STRAIGHT
    if category <= _STRAIGHT_FLUSH:
        events |= _FOUR_INITIAL_STRAIGHT_FLUSH
        suit = straight_flush_of(cards, 4) - 1
        if suit >= 0:
            events |= _FOUR_STRAIGHT_FLUSH
            if suited_ranks(cards, suit) >> 9 == 0b1111:
                events |= _FOUR_ROYAL_DIAMONDS | _FOUR_ROYAL if suit == _DIAMONDS else _FOUR_ROYAL
    return EventFacts(events)


def read_all_seven(hands: Hands, tables: RankTables) -> EventFacts:  # noqa: ARG001
    """Read the ALL_SEVEN_EVENTS of the player's four and the dealer's three cards."""
    player, dealer = hands.player, hands.board
    cards = (player[0], player[1], player[2], player[3], dealer[0], dealer[1], dealer[2])
    events = (five_card_made(cards) & _SEVEN_FIVE_CARD_MASK) << _SEVEN_OWN
    if events & _FIVE_STRAIGHT_FLUSH and straight_flush_of(cards, 7):
        events |= _SEVEN_STRAIGHT_FLUSH
    return EventFacts(events)
