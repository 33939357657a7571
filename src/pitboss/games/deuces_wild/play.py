"""Decisions of Deuces Wild: what a player looks at, and compiled rounds that look decisions up and read facts.

A player looks at wild cards, pairs, and how near the cards are to a straight or a flush.
No pay and no rule of settlement is here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy

from pitboss.cards import ACE, Card, cards_text
from pitboss.games.deuces_wild import facts
from pitboss.games.deuces_wild.loops import (
    FORTUNE_FROM_FOUR,
    SELECTIONS,
    CardSets,
    fourth_cards,
    loop_keys,
    node_of,
    sets_of,
)
from pitboss.games.deuces_wild.rules import GAME
from pitboss.poker.made import is_wild
from pitboss.rules.counting import CountingContext
from pitboss.rules.facts import Hands, encode
from pitboss.rules.features import Feature, HandSpec, NodeMatch, StrategyQuestion, suits_renamed

_MAIN, _FORTUNE = "ante-play-raise", "five-card-fortune"
_SELECT = (
    "Which of three cards for the Five Card Fortune? All wild cards means the highest card where none is wild; a "
    "natural card means the next one where there are not so many, and all wild cards where there is none. Of a pair "
    "the card of the suit held less often counts as the higher one."
)
_SELECTED = ("all wild cards", "highest natural card", "middle natural card", "lowest natural card")
_NUMBERS = ("no", "a", "two", "three", "four")


def hand_specs(wager: str) -> tuple[HandSpec, ...]:
    """Return how many cards a player holds at each decision."""
    if wager == _FORTUNE:
        return HandSpec(level=0, player=3), HandSpec(level=0, player=4, counted=FORTUNE_FROM_FOUR)
    return (HandSpec(level=0, player=3), HandSpec(level=1, player=4)) if wager == _MAIN else ()


def questions(wager: str, context: CountingContext) -> tuple[StrategyQuestion, ...]:
    """Return the questions of a wager."""
    if wager == _FORTUNE:
        return (_selection(sets_of(context)),)
    if wager != _MAIN:
        return ()
    sets = sets_of(context)
    _, fourths, _ = fourth_cards(sets)
    three, four = _features(sets, 3), _features(sets, 4, fourths)
    return (
        StrategyQuestion.only(0, "With three cards, play or fold?", ("play", "fold"), three),
        StrategyQuestion.only(1, "With four cards, raise or fold?", ("raise", "fold"), four),
    )


def _selection(sets: CardSets) -> StrategyQuestion:
    """Build the question which cards of three are selected for the Fortune (DW-6)."""
    cards, wild = sets.cards[sets.of_size(3)][:, :3], sets.wilds[sets.of_size(3)]
    natural = 3 - wild
    all_wild = numpy.where(wild > 0, len(SELECTIONS) // 2 - 1 + wild, 0)
    places = [numpy.minimum(place, natural - 1) for place in (0, 1, 2)]
    leads = numpy.stack((all_wild, *(numpy.where(natural > 0, place, all_wild) for place in places)), axis=1)
    ranks, suits = numpy.where(natural[:, None] == 3, cards >> 2, 0), cards & 3
    three = natural == 3
    features = (
        *_features(sets, 3),
        replace(Feature.of_rank(ranks[:, 1], "middle natural card"), at_most={}, between=None),
        Feature.yes_or_no(three & (ranks[:, 0] == ranks[:, 1]), "the two highest a pair"),
        Feature.yes_or_no(three & (ranks[:, 1] == ranks[:, 2]), "the two lowest a pair"),
        Feature.yes_or_no(three & (suits[:, 0] == suits[:, 1]), "the two highest of a suit"),
        Feature.yes_or_no(three & (suits[:, 1] == suits[:, 2]), "the two lowest of a suit"),
        Feature.yes_or_no(three & (suits[:, 0] == suits[:, 2]), "the highest of the suit of the lowest"),
    )
    return StrategyQuestion(
        level=0, words=_SELECT, answers=_SELECTED, features=lambda _: features, leads_to=lambda _: leads[:, :, None]
    )


def _features(sets: CardSets, size: int, nodes: Any = slice(None)) -> tuple[Feature, ...]:
    cards, wild = sets.cards[sets.of_size(size)][:, :size][nodes], sets.wilds[sets.of_size(size)][nodes]
    natural = numpy.arange(size) >= wild[:, None]
    ranks, suits = numpy.where(natural, cards >> 2, -1), cards & 3
    highest = ranks.max(axis=1)
    lowest = numpy.where(natural, ranks, ACE).min(axis=1)
    alike = (ranks[:, :, None] == ranks[:, None, :]) & natural[:, :, None]
    pair = alike.sum(axis=2).max(axis=1) > 1
    # The natural cards come last, from the highest down.
    flush = ((suits == suits[:, -1:]) | ~natural).all(axis=1)
    as_low = numpy.where(ranks == ACE, -1, ranks)
    below = numpy.where(natural, as_low, ACE).min(axis=1)
    above = numpy.where(natural, as_low, -1).max(axis=1)
    span = numpy.minimum(highest - lowest, above - below)
    straight = ~pair & (span <= 4)
    number = _NUMBERS[size]
    return (
        Feature(
            values=wild,
            at_least={least: f"{_NUMBERS[least]} wild card{'s'[: least > 1]}" for least in range(1, size + 1)},
            at_most={0: "no wild card"},
        ),
        Feature.yes_or_no(pair, "a pair of natural cards", "no pair of natural cards"),
        Feature.yes_or_no((wild > 0) | pair, "a wild card or a pair", "neither a wild card nor a pair"),
        Feature.yes_or_no(flush, f"{number} to a flush", f"not {number} to a flush"),
        Feature.yes_or_no(straight, f"{number} to a straight", f"not {number} to a straight"),
        Feature.yes_or_no(straight & flush, f"{number} to a straight flush", f"not {number} to a straight flush"),
        Feature.yes_or_no(straight & (wild == 0) & (span == size - 1), f"{number} in a row", f"not {number} in a row"),
        Feature.of_rank(numpy.maximum(highest, 0), "highest natural card"),
        Feature.of_rank(lowest, "lowest natural card"),
    )


def find(wager: str, context: CountingContext, player: Sequence[Card], _public: Sequence[Card]) -> NodeMatch:
    """Find three or four cards among the nodes of the counts; which of four came last does not matter."""
    sets = sets_of(context)
    node = node_of(sets, player)
    if wager == _FORTUNE:
        taken = [_selected(player, selection) for selection in range(len(SELECTIONS))]
        return NodeMatch(
            node=node,
            decisions=tuple(f"select {cards_text(equals[0])}" for equals in taken),
            answers=tuple(tuple({"fortune": cards} for cards in equals) for equals in taken),
        )
    key = "play" if len(player) == 3 else "raise"
    if len(player) > 3:
        node = int(_first_places(context)[node])
    return NodeMatch(node=node, decisions=(key, "fold"), answers=(({key: True},), ({key: False},)))


def cards_at(_wager: str, context: CountingContext, level: int, node: int) -> tuple[list[Card], list[Card]]:
    """Return cards that stand at a node, those of the first decision before the fourth, and no open ones."""
    sets = sets_of(context)
    if not level:
        return sets.cards[sets.of_size(3)][node, :3].tolist(), []
    parents, fourths, _ = fourth_cards(sets)
    four = sets.cards[sets.of_size(4)][fourths[node]].tolist()
    threes = ([*four[:place], *four[place + 1 :], four[place]] for place in range(4))
    return next(cards for cards in threes if node_of(sets, cards[:3]) == parents[node]), []


@lru_cache(maxsize=2)
def _first_places(context: CountingContext) -> Any:
    """Return for every set of four cards the first node after a Play that has it."""
    _, fourths, _ = fourth_cards(sets_of(context))
    sets, places = numpy.unique(fourths, return_index=True)
    first = numpy.full(int(sets.max()) + 1, -1, dtype=numpy.int64)
    first[sets] = places
    return first


def _selected(player: Sequence[Card], selection: int) -> tuple[tuple[Card, ...], ...]:
    """Return which of these cards a selection takes; of wild cards any will do."""
    # In the counts' order of two of a rank the suit that is held less often comes first.
    names = suits_renamed([card for card in player if not is_wild(card)])
    natural = sorted(names, key=lambda card: -names[card])
    wild = [card for card in player if is_wild(card)]
    several = len(SELECTIONS) // 2
    if selection < several:
        return (tuple(natural[selection : selection + 1]),)
    return tuple(combinations(wild, selection - several + 1)) or (tuple(wild),)


FOLDS = ("fold",)
_PLAY = _RAISE = 0
_NATURALS = 4  # so many of SELECTIONS are natural cards; the others say how many wild ones
_ANTE_BOUNDS, _TREASURE_BOUNDS, _FORTUNE_BOUNDS, _JACKPOT_BOUNDS = (wager.bounds for wager in GAME.wagers)


class DeucesWildPlan(NamedTuple):
    """What is decided with three cards, and after a Play with four, by each card in the order dealt.

    The lowest bits, one for each card, are the Five Card Fortune's selection; the bit above them says that the hand is
    played, or raised.
    """

    first: Any
    then: Any


def plan_of(context: CountingContext, choices: Mapping[str, list[Any]]) -> DeucesWildPlan:
    """Make the plan of decisions at the nodes of the counts; the Fortune's are alone or beside the Ante."""
    sets = sets_of(context.without_readings)
    three, four = sets.of_size(3), sets.of_size(4)
    threes, fours = three.stop - three.start, four.stop - four.start
    fortune = choices.get("five-card-fortune", [numpy.full(threes + 2 * fours, len(SELECTIONS))])[0]
    plays = numpy.zeros(threes, dtype=numpy.int64)
    if "ante-play-raise" in choices:
        plays[:] = choices["ante-play-raise"][0] == _PLAY
    selected = _selected_bits(sets, three, fortune[:threes])
    first = numpy.zeros((sets.deck,) * 3, dtype=numpy.uint8)
    _spread(sets, three, [selected | plays << 3] * 3, first)
    if not plays.any():
        return DeucesWildPlan(first, numpy.zeros((1, 1, 1, 1), dtype=numpy.uint8))
    raises = _raises(context, sets, choices["ante-play-raise"][1])
    folded = _selected_bits(sets, four, fortune[threes : threes + fours])
    # Where the dealer takes the best after a Raise, the hands that raised have nodes of their own.
    raised = _selected_bits(sets, four, fortune[-fours:])
    then = numpy.zeros((sets.deck,) * 4, dtype=numpy.uint8)
    _spread(sets, four, [numpy.where(raises_with, raised | 1 << 4, folded) for raises_with in raises.T], then)
    return DeucesWildPlan(first, then)


def _selected_bits(sets: CardSets, here: slice, fortune: Any) -> Any:
    """Turn selections into a bit for each card, in the order of `CardSets`; none for the dealer's selection."""
    wild = sets.wilds[here]
    selected = numpy.where(fortune < _NATURALS, 1 << (wild + fortune), (1 << (fortune - _NATURALS + 1)) - 1)
    return numpy.where(fortune < len(SELECTIONS), selected, 0)


def _raises(context: CountingContext, sets: CardSets, decisions: Any) -> Any:
    """Return for every set of four cards whether it is raised, by which of its cards came fourth."""
    three, four = sets.of_size(3), sets.of_size(4)
    parents, fourths, _ = fourth_cards(sets)
    size = four.stop - four.start
    nodes = parents * size + fourths
    raises = numpy.zeros((size, 4), dtype=numpy.bool_)
    keys = numpy.zeros(size, dtype=numpy.int64)
    for place in range(4):
        others = numpy.delete(sets.cards[four], place, axis=1)
        context.compiled(loop_keys)(0, size, others, numpy.full(size, 3), keys)
        parent = numpy.searchsorted(sets.keys, keys) - three.start
        raises[:, place] = decisions[numpy.searchsorted(nodes, parent * size + numpy.arange(size))] == _RAISE
    return raises


def _spread(sets: CardSets, here: slice, values: list[Any], table: Any) -> None:
    """Write the values of sets to all the cards they stand for in every order, by which of the cards is the last.

    The lowest bits of a value, one for each card, move with the cards.
    """
    size = table.ndim
    for wild in range(size + 1):
        rows = numpy.flatnonzero(sets.wilds[here] == wild)
        for held in combinations(sets.wild.tolist(), wild):
            for renaming in permutations(range(4)):
                cards = sets.cards[here][rows, :size]
                cards = (cards & ~3) | numpy.array(renaming)[cards & 3]
                cards[:, :wild] = held
                _write(cards, [column[rows] for column in values], table)


def _write(cards: Any, values: list[Any], table: Any) -> None:
    size = table.ndim
    for order in permutations(range(size)):
        value = values[order[-1]]
        moved = sum((value >> place & 1) << index for index, place in enumerate(order))
        table[tuple(cards[:, place] for place in order)] = value >> size << size | moved


def loop_rounds(
    rounds: int, placed: Any, cards: Any, plan: DeucesWildPlan, tables: Any, readings: Any, choices: Any, codes: Any
) -> None:
    """Decide for every seat and read the facts of every wager that is wanted.

    A seat that folds is not dealt all of its five cards unless it has the jackpot wager; no other facts read them then.
    """
    seats = codes.shape[1]
    for place in range(rounds):
        deal = cards[place]
        at = 5 * seats
        board = (deal[at], deal[at + 1], deal[at + 2], deal[at + 3])
        for seat in range(seats):
            at = 5 * seat
            player = (deal[at], deal[at + 1], deal[at + 2], deal[at + 3], deal[at + 4])
            decided: Any = numpy.int64(plan.first[player[0], player[1], player[2]])
            played, raised, selection = decided >> 3, 0, decided & 0b111
            if played:
                decided = numpy.int64(plan.then[player[0], player[1], player[2], player[3]])
                raised, selection = decided >> 4, decided & 0b1111
            choices[place, seat, 0], choices[place, seat, 1], choices[place, seat, 2] = played, raised, selection
            hands = Hands(player, board, (played, raised, selection), readings)
            code = codes[place, seat]
            if placed[0]:
                code[0] = encode(facts.read_ante_play_raise(hands, tables), _ANTE_BOUNDS)
            if placed[1]:
                code[1] = encode(facts.read_treasure(hands, tables), _TREASURE_BOUNDS)
            if placed[2]:
                code[2] = encode(facts.read_fortune(hands, tables), _FORTUNE_BOUNDS)
            if placed[3]:
                code[3] = encode(facts.read_bonus_jackpot(hands, tables), _JACKPOT_BOUNDS)
