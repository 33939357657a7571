"""Which events a set of cards makes, as a set of bits: every one of them, because pay decides which is best (G-2).

A straight flush is a straight and a flush as well; four of a kind holds three of a kind. The functions are written
in the part of Python that numba compiles; `cards` is anything that can be indexed.
"""

from collections.abc import Sequence

# Bit i of a mask is event i of these tuples.
THREE_EVENTS = ("mini-royal", "straight flush", "trips", "straight", "flush", "pair")
SHOE_THREE_EVENTS = (
    "mini-royal",
    "suited trips",
    "straight flush",
    "trips",
    "straight",
    "suited pair",
    "flush",
    "pair",
)
FIVE_EVENTS = ("royal flush", "straight flush", "quads", "full house", "flush", "straight", "trips", "two pair", "pair")
WILD_THREE_EVENTS = ("mini-royal", "straight flush", "trips", "straight", "flush")
WILD_FIVE_EVENTS = (
    "natural royal flush",
    "five wild cards",
    "wild royal flush",
    "five of a kind",
    "straight flush",
    "quads",
    "full house",
    "flush",
    "straight",
    "trips",
    "two pair",
)

# THREE_EVENTS made by each category of the three-card ranking, best first: mini-royal, straight flush, trips,
# straight, flush, pair, high card.
_THREE_MADE = (0b011011, 0b011010, 0b100100, 0b001000, 0b010000, 0b100000, 0)

_ACE = 12
_BROADWAY = 0b1111100000000  # ten to ace
_ONES = 0x1111111111111  # one at each of thirteen ranks, four bits for each


def three_card_made(category: int) -> int:
    """Return the THREE_EVENTS that a hand of this category of the three-card ranking makes."""
    return _THREE_MADE[category]


def shoe_three_card_made(first: int, second: int, third: int) -> tuple[int, int]:
    """Return the SHOE_THREE_EVENTS of three cards from a shoe, and the rank of their pair or trips, or -1."""
    a, b, c = first >> 2, second >> 2, third >> 2
    suited = first & 3 == second & 3 == third & 3
    events = 1 << 6 if suited else 0
    paired = a if a in (b, c) else b if b == c else -1
    if paired < 0:
        ranks = 1 << a | 1 << b | 1 << c
        if run_ends(ranks, 3):
            events |= 1 << 4
            if suited:
                events |= 1 << 2
                if ranks == 0b111 << (_ACE - 2):
                    events |= 1
        return events, paired
    events |= 1 << 7
    if first in (second, third) or second == third:
        events |= 1 << 5
    if a == b == c:
        events |= 1 << 3
        if suited:
            events |= 1 << 1
    return events, paired


def suited_ranks(cards: Sequence[int], suit: int) -> int:
    """Collect the ranks held in one suit, a bit each."""
    ranks = 0
    for card in cards:
        if card & 3 == suit:
            ranks |= 1 << (card >> 2)
    return ranks


def _suits_with(cards: Sequence[int], least: int) -> int:
    """Mark the suits of which there are at least so many cards (up to 8), each at the highest of its four bits."""
    counts = (8 - least) * 0x1111
    for card in cards:
        counts += 1 << (card & 3) * 4
    return counts & 0x8888


def run_ends(ranks: int, length: int) -> int:
    """Find the runs of a length among ranks: bit r says that a run begins there; bit 0 is an ace played low (G-8)."""
    # One place up, with the ace below the deuce as well as on top.
    runs = (ranks << 1) | (ranks >> _ACE & 1)
    starts = runs
    for step in range(1, length):
        starts &= runs >> step
    return starts


def straight_flush_of(cards: Sequence[int], length: int) -> int:
    """Return whether some suit holds a run of this length: its suit plus one, or zero."""
    suits = _suits_with(cards, length)
    if suits:
        for suit in range(4):
            if suits >> suit * 4 & 8 and run_ends(suited_ranks(cards, suit), length):
                return suit + 1
    return 0


def _count_bits(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def multiples(cards: Sequence[int]) -> tuple[int, int, int, int]:
    """Collect the ranks held at least once, twice, three and four times, a bit each."""
    once = twice = thrice = four = 0
    for card in cards:
        # Without a branch, which compiled code would guess wrong as often as cards pair.
        bit = 1 << (card >> 2)
        four |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
    return once, twice, thrice, four


def five_card_made(cards: Sequence[int]) -> int:
    """Return the FIVE_EVENTS that five, six or seven cards of one deck make."""
    # Four bits count the cards of each rank; what makes two or three of them eight is added to all at once.
    once = counts = 0
    for card in cards:
        once |= 1 << (card >> 2)
        counts += 1 << (card >> 2) * 4
    twice = counts + 6 * _ONES & 8 * _ONES
    two_pairs = 1 if twice & (twice - 1) else 0
    trips = 1 if counts + 5 * _ONES & 8 * _ONES else 0
    four = 1 if counts & 4 * _ONES else 0
    events = (1 if twice else 0) << 8 | two_pairs << 7 | trips << 6 | (two_pairs & trips) << 3 | four << 2
    if run_ends(once, 5):
        events |= 1 << 5
    suits = _suits_with(cards, 5)
    if suits:
        events |= 1 << 4
        for suit in range(4):
            ranks = suited_ranks(cards, suit)
            if run_ends(ranks, 5):
                events |= 1 << 1
                if ranks & _BROADWAY == _BROADWAY:
                    events |= 1
    return events


def four_card_made(cards: Sequence[int]) -> tuple[int, int, int, int, int]:
    """Return what the four-card hands of five cards of one deck make.

    The answer is: ranks held twice, three times and four times (a bit each), the length of the longest suited
    four-card run as 0 none, 1 straight flush, 2 royal (A-K-Q-J), and 2 for a flush plus 1 for a straight.
    """
    once, twice, thrice, four = multiples(cards)
    straight_flush = 0
    simple = 1 if run_ends(once, 4) else 0
    if _suits_with(cards, 4):
        simple |= 2
        for suit in range(4):
            ranks = suited_ranks(cards, suit)
            if run_ends(ranks, 4):
                straight_flush = 2 if ranks >> (_ACE - 3) == 0b1111 else max(straight_flush, 1)
    return twice, thrice, four, straight_flush, simple


def is_wild(card: int) -> bool:
    """Return whether a card is wild where deuces and the joker are."""
    return card < 4 or card == 52


def wild_cards(cards: Sequence[int]) -> int:
    """Count the wild cards."""
    count = 0
    for card in cards:
        if is_wild(card):
            count += 1
    return count


def _natural_shape(cards: Sequence[int]) -> tuple[int, int, int, int, int]:
    """Count the wild cards and describe the others: ranks, the most of one rank, pairs, whether they are suited.

    `suited` is 1 when all are of one suit, and when there are none.
    """
    wild = once = twice = thrice = four = suits = 0
    for card in cards:
        if is_wild(card):
            wild += 1
            continue
        bit = 1 << (card >> 2)
        if once & bit:
            four |= thrice & bit
            thrice |= twice & bit
            twice |= bit
        once |= bit
        suits |= 1 << (card & 3)
    most = 4 if four else 3 if thrice else 2 if twice else 1 if once else 0
    return wild, once, most, _count_bits(twice), 1 if suits & (suits - 1) == 0 else 0


def _fits_run(ranks: int, length: int) -> bool:
    """Return whether all these ranks stand within one run of this length, the ace high or low."""
    ace_high = ranks << 1
    ace_low = ace_high & ~(1 << (_ACE + 1)) | ranks >> _ACE
    # All bits stand within so many places if they stand below the lowest of them moved up by as many.
    return ranks == 0 or ace_high < (ace_high & -ace_high) << length or ace_low < (ace_low & -ace_low) << length


def wild_three_card_made(cards: Sequence[int]) -> int:
    """Return the WILD_THREE_EVENTS that three cards make when deuces and the joker are wild (DW-1)."""
    wild, ranks, most, pairs, suited = _natural_shape(cards)
    run = pairs == 0 and _fits_run(ranks, 3)
    events = 0
    if suited:
        events |= 1 << 4
        if run:
            events |= 1 << 1
            if ranks >> (_ACE - 2) << (_ACE - 2) == ranks:
                events |= 1
    if run:
        events |= 1 << 3
    if most + wild == 3:
        events |= 1 << 2
    return events


def wild_five_card_made(cards: Sequence[int]) -> int:
    """Return the WILD_FIVE_EVENTS that five cards make when deuces and the joker are wild (DW-1)."""
    wild, ranks, most, pairs, suited = _natural_shape(cards)
    distinct = _count_bits(ranks)
    run = pairs == 0 and _fits_run(ranks, 5)
    events = 0
    if suited:
        events |= 1 << 7
        if run:
            events |= 1 << 4
            if ranks & _BROADWAY == ranks:
                events |= 1 << 2 if wild else 1
    if run:
        events |= 1 << 8
    if wild == 5:
        events |= 1 << 1
    if most + wild == 5:
        events |= 1 << 3
    if most + wild >= 4:
        events |= 1 << 5
    if distinct <= 2 and most <= 3:
        events |= 1 << 6
    if most + wild >= 3:
        events |= 1 << 9
    # Four of a natural rank leave one card: no second pair of another rank.
    if pairs + wild >= 2 and most < 4:
        events |= 1 << 10
    return events
