"""Facts of Deuces Wild: what each wager needs to know of the cards, in the part of Python that numba compiles.

A seat has three, four or five cards, as far as it was entitled; the board is the four community cards. The choices
are: played, raised, and the Fortune selection as a bit for each card of the hand.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pitboss.poker.made import is_wild, wild_cards, wild_five_card_made, wild_three_card_made
from pitboss.rules.facts import EventFacts, Hands

# In the order of poker.made.WILD_FIVE_EVENTS and WILD_THREE_EVENTS; a table pays those of them that it prints.
HAND_EVENTS = (
    "Natural Royal Flush",
    "Five Wild Cards",
    "Wild Royal Flush",
    "Five of a Kind",
    "Straight Flush",
    "Four of a Kind",
    "Full House",
    "Flush",
    "Straight",
    "Three of a Kind",
    "Two Pair",
)
TREASURE_EVENTS = ("Mini Royal (QKA suited)", "Straight Flush", "Three of a Kind", "Straight", "Flush")
JACKPOT_EVENTS = ("5 Wild Cards", "4 Wild Cards", "3 Wild Cards", "2 Wild Cards")

FOLDED_AT_THREE, FOLDED_AT_FOUR, RAISED = 0, 1, 2
_DEALER_TAKES_BEST = 1  # the second reading of `fortune_after_raise`


class AntePlayRaise(NamedTuple):
    """How far the hand was played, and the HAND_EVENTS its five cards make."""

    course: int
    events: int

    @staticmethod
    def bounds() -> tuple[int, ...]:
        """How many values each fact has."""
        return (3, 1 << len(HAND_EVENTS))


def read_ante_play_raise(hands: Hands, tables: Any) -> AntePlayRaise:  # noqa: ARG001
    """Read the facts of the Ante, Play and Raise wagers."""
    if not hands.choices[0]:
        return AntePlayRaise(FOLDED_AT_THREE, 0)
    if not hands.choices[1]:
        return AntePlayRaise(FOLDED_AT_FOUR, 0)
    return AntePlayRaise(RAISED, wild_five_card_made(hands.player))


def read_treasure(hands: Hands, tables: Any) -> EventFacts:  # noqa: ARG001
    """Read the TREASURE_EVENTS of the first three cards."""
    player = hands.player
    return EventFacts(wild_three_card_made((player[0], player[1], player[2])))


def read_bonus_jackpot(hands: Hands, tables: Any) -> EventFacts:  # noqa: ARG001
    """Read the JACKPOT_EVENTS: four wild cards are three and two as well."""
    wild = wild_cards(hands.player)
    events = 0
    for event in range(4):
        if wild >= 5 - event:
            events |= 1 << event
    return EventFacts(events)


def fortune_made(player: Sequence[int], selection: int, board: Sequence[int]) -> int:
    """Return the HAND_EVENTS of the selected cards with the community cards.

    Of several selected cards all are wild, and a wild card is never worse than the community card it replaces; so
    the best five are all the selected ones with the community cards that fill up to five.
    """
    if selection and selection & (selection - 1) == 0:
        # One card goes with all four: most hands by far.
        card = 0
        for place in range(len(player)):
            card |= player[place] if selection >> place & 1 else 0
        return wild_five_card_made((card, board[0], board[1], board[2], board[3]))
    hand = [0, 0, 0, 0, 0]
    selected = 0
    for place in range(len(player)):
        if selection >> place & 1:
            hand[selected] = player[place]
            selected += 1
    events = 0
    for community in range(16):
        if selected + (community & 1) + (community >> 1 & 1) + (community >> 2 & 1) + (community >> 3) != 5:
            continue
        size = selected
        for place in range(4):
            if community >> place & 1:
                hand[size] = board[place]
                size += 1
        events |= wild_five_card_made(hand)
    return events


def read_fortune(hands: Hands, tables: Any) -> EventFacts:  # noqa: ARG001
    """Read the HAND_EVENTS of the Five Card Fortune (DW-6)."""
    player, board, selection = hands.player, hands.board, hands.choices[2]
    if not (hands.choices[1] and hands.readings[0] == _DEALER_TAKES_BEST):
        return EventFacts(fortune_made(player, selection, board))
    wild = 0
    events = 0
    for place in range(len(player)):
        if is_wild(player[place]):
            wild |= 1 << place
        else:
            events |= fortune_made(player, 1 << place, board)
    if wild:
        events |= fortune_made(player, wild, board)
    return EventFacts(events)
