"""Decisions of Super Three Card: what a player looks at, and compiled rounds that look decisions up and read facts.

A player looks at two cards, and how they stand to the dealer's up card.
No pay and no rule of settlement is here.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple

import numpy

from pitboss.cards import ACE, Card
from pitboss.games.super_three_card import facts
from pitboss.games.super_three_card.loops import COMPARISONS, MASKS, ByValue, count_left, dealer_values, nodes
from pitboss.games.super_three_card.rules import GAME
from pitboss.rules.counting import CountingContext
from pitboss.rules.facts import Hands, encode
from pitboss.rules.features import Feature, HandSpec, NodeMatch, RowIndex, StrategyQuestion

_MAIN = "ante-odds-play"
_ANSWERS = ("play", "surrender")


def hand_specs(wager: str) -> tuple[HandSpec, ...]:
    """Return how many cards a player holds and sees at each decision."""
    return (HandSpec(level=0, player=2, public=1),) if wager == _MAIN else ()


def questions(wager: str, context: CountingContext) -> tuple[StrategyQuestion, ...]:
    """Return the questions of a wager."""
    if wager != _MAIN:
        return ()
    cards, _ = nodes(context)
    ranks, suits = cards >> 2, cards & 3
    high, low, up = ranks[:, :2].max(axis=1), ranks[:, :2].min(axis=1), ranks[:, 2]
    pair, suited = high == low, suits[:, 0] == suits[:, 1]
    # An ace stands below a deuce too.
    apart = numpy.where(high == ACE, numpy.minimum(high - low, low + 1), high - low)
    to_straight = numpy.select([pair, apart == 1, apart == 2], [0, 2, 1], 0)
    features = (
        Feature(
            values=numpy.select([pair, suited], [4, 3], to_straight),
            at_least={
                4: "a pair",
                3: "a pair or two of a suit",
                2: "a pair, two of a suit or two in a row",
                1: "a pair, two of a suit or two to a straight",
            },
            at_most={3: "no pair", 2: "neither a pair nor two of a suit"},
        ),
        Feature.yes_or_no(suited, "two of a suit", "two suits"),
        Feature(
            values=to_straight,
            at_least={2: "two in a row", 1: "two to a straight"},
            at_most={1: "not two in a row", 0: "not two to a straight"},
        ),
        Feature.of_rank(high, "high card"),
        Feature.of_rank(low, "low card"),
        Feature.of_rank(up, "up card"),
        Feature(
            values=numpy.sign(high - up) + 1,
            at_least={2: "high card above the up card", 1: "high card not below the up card"},
            at_most={1: "high card not above the up card", 0: "high card below the up card"},
        ),
        Feature(
            values=numpy.sign(low - up) + 1,
            at_least={2: "low card above the up card", 1: "low card not below the up card"},
            at_most={1: "low card not above the up card", 0: "low card below the up card"},
        ),
        Feature.yes_or_no((high == up) | (low == up), "a card of the up card's rank", "no card of the up card's rank"),
    )
    return (StrategyQuestion.only(0, "Play or surrender?", _ANSWERS, features),)


@lru_cache(maxsize=2)
def _node_index(context: CountingContext) -> RowIndex:
    return RowIndex(nodes(context)[0])


def find(_wager: str, context: CountingContext, player: Sequence[Card], public: Sequence[Card]) -> NodeMatch:
    """Find two cards and the up card among the nodes of the counts, which are any of those with suits renamed."""
    index = _node_index(context)
    for names in permutations(range(4)):
        first, second, up = (card >> 2 << 2 | names[card & 3] for card in (*player, *public))
        node = index.find((min(first, second), max(first, second), up))
        if node is not None:
            return NodeMatch(node=node, decisions=_ANSWERS, answers=(({"play": True},), ({"play": False},)))
    raise ValueError("no such cards")


def cards_at(_wager: str, context: CountingContext, _level: int, node: int) -> tuple[list[Card], list[Card]]:
    """Return cards that stand at a node, and those that lie open."""
    *player, up = nodes(context)[0][node].tolist()
    return player, [up]


FOLDS = ("surrender",)
_PLAY = 0
_ANTE_ODDS_PLAY, _BIG_HAND, _JACKPOT, _JACKPOT_B = (wager.bounds for wager in GAME.wagers)


class SuperThreeCardPlan(NamedTuple):
    """Whether two cards are played, by each of them in the order dealt and the dealer's up card."""

    played: Any


def plan_of(context: CountingContext, choices: Mapping[str, list[Any]]) -> SuperThreeCardPlan:
    """Make the plan of decisions at the nodes of the counts."""
    cards, _ = nodes(context)
    (decisions,) = choices["ante-odds-play"]
    played = numpy.zeros((context.cards,) * 3, dtype=numpy.int8)
    for renaming in permutations(range(4)):
        first, second, up = ((cards & ~3) | numpy.array(renaming)[cards & 3]).T
        for pair in ((first, second), (second, first)):
            played[(*pair, up)] = decisions == _PLAY
    return SuperThreeCardPlan(played)


def loop_rounds(
    rounds: int, placed: Any, cards: Any, plan: SuperThreeCardPlan, tables: Any, readings: Any, choices: Any, codes: Any
) -> None:
    """Decide for every seat and read the facts of every wager that is wanted.

    A seat that surrenders is not dealt its third card; no facts read it then.
    """
    seats = codes.shape[1]
    for place in range(rounds):
        deal = cards[place]
        board = (deal[3 * seats], deal[3 * seats + 1], deal[3 * seats + 2])
        for seat in range(seats):
            player = (deal[3 * seat], deal[3 * seat + 1], deal[3 * seat + 2])
            played = plan.played[player[0], player[1], board[0]]
            choices[place, seat, 0] = played
            hands = Hands(player, board, (played,), readings)
            code = codes[place, seat]
            if placed[0]:
                code[0] = encode(facts.read_ante_odds_play(hands, tables), _ANTE_ODDS_PLAY)
            if placed[1]:
                code[1] = encode(facts.read_big_hand(hands, tables), _BIG_HAND)
            if placed[2]:
                code[2] = encode(facts.read_jackpot(hands, tables), _JACKPOT)
            if placed[3]:
                code[3] = encode(facts.read_jackpot(hands, tables), _JACKPOT_B)


def used_cards(played: Any, deal: Any, seats: int, used: Any) -> None:
    """Mark which cards of a round are dealt: a third card to seats that play, two more to the dealer if one does.

    If every seat surrendered the dealer draws no more cards (STC-8).
    """
    anybody = False
    for seat in range(seats):
        plays = played[deal[3 * seat], deal[3 * seat + 1], deal[3 * seats]] != 0
        used[3 * seat], used[3 * seat + 1], used[3 * seat + 2] = True, True, plays
        anybody |= plays
    used[3 * seats], used[3 * seats + 1], used[3 * seats + 2] = True, anybody, anybody


def loop_remembered(
    rounds: int, seats: int, decks: int, depths: Any, cards: Any, played: Any, tables: Any, values: Any, nets: Any,
    left: Any, gains: Any,
) -> None:  # fmt: skip
    """Find for the first seat what the better decision is worth over the plan's, given all cards of earlier rounds.

    `nets` has by events and comparison what playing wins, and last what surrendering does, in whole numbers; `left` is
    what the shoe holds of each kind, and goes on from the rounds before.
    """
    by_value = ByValue(
        numpy.zeros(len(tables.category), dtype=numpy.int64),
        numpy.zeros(len(tables.category), dtype=numpy.int64),
        numpy.zeros(3, dtype=numpy.int64),
    )
    row, used = numpy.zeros(len(nets) - 1, dtype=numpy.int64), numpy.zeros(3 * seats + 3, dtype=numpy.bool_)
    for place in range(rounds):
        if depths[place] == 0:
            left[:] = decks
        deal = cards[place]
        hand = numpy.array([deal[0], deal[1], deal[3 * seats]])
        for card in hand:
            left[card] -= 1
        row[:] = 0
        count_left(hand, left, tables, values, by_value, row)
        for card in hand:
            left[card] += 1
        deals = row.sum()
        play, surrender = (row * nets[:-1]).sum(), deals * nets[-1]
        chosen = play if played[deal[0], deal[1], deal[3 * seats]] else surrender
        gains[place] = (max(play, surrender) - chosen) / deals
        used_cards(played, deal, seats, used)
        for slot in range(len(used)):
            if used[slot]:
                left[deal[slot]] -= 1


class Shoe:
    """What a shoe that is dealt on needs to know: which cards a round takes, and what remembering them is worth."""

    def __init__(self, context: CountingContext, plan: SuperThreeCardPlan, seats: int, pays: Any) -> None:
        """Make it ready for a plan of decisions and what each facts code of the main wager pays."""
        self._used, self._loop = context.compiled(used_cards), context.compiled(loop_remembered)
        self._played, self._seats, self._decks = plan.played, seats, context.decks
        self._tables, self._values = dealer_values(context)
        self._scale = pays.scale
        facts_played = [(1, place // COMPARISONS, place % COMPARISONS) for place in range(MASKS * COMPARISONS)]
        codes = [encode(each, _ANTE_ODDS_PLAY) for each in (*facts_played, (0, 0, 0))]
        self._nets = numpy.array([int(pays.net[code] * self._scale) for code in codes], dtype=numpy.int64)

    def used(self, deal: Any, used: Any) -> None:
        """Mark which cards of a round are dealt."""
        self._used(self._played, deal, self._seats, used)

    def gains(self, depths: Any, cards: Any, rounds: int, left: Any) -> Any:
        """Return by round what the first seat gains by remembering every card of earlier rounds, in units."""
        gains = numpy.zeros(rounds, dtype=numpy.float64)
        arrays = (depths, cards, self._played, self._tables, self._values, self._nets, left, gains)
        self._loop(rounds, self._seats, self._decks, *arrays)
        return gains / self._scale
