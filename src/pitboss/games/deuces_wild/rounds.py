"""Rounds of Deuces Wild, compiled: decisions looked up, facts read. No pay and no rule of settlement is here."""

from collections.abc import Mapping
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy

from pitboss.games.deuces_wild import facts
from pitboss.games.deuces_wild.loops import SELECTIONS, CardSets, fourth_cards, loop_keys, sets_of
from pitboss.games.deuces_wild.rules import GAME
from pitboss.rules.counting import CountingContext
from pitboss.rules.facts import Hands, encode

FOLDS = ("fold",)
_PLAY = _RAISE = 0
_NATURALS = 4  # so many of SELECTIONS are natural cards; the others say how many wild ones
_ANTE, _TREASURE, _FORTUNE, _JACKPOT = (wager.bounds for wager in GAME.wagers)


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
    selected = _selected(sets, three, fortune[:threes])
    first = numpy.zeros((sets.deck,) * 3, dtype=numpy.uint8)
    _spread(sets, three, [selected | plays << 3] * 3, first)
    if not plays.any():
        return DeucesWildPlan(first, numpy.zeros((1, 1, 1, 1), dtype=numpy.uint8))
    raises = _raises(context, sets, choices["ante-play-raise"][1])
    folded = _selected(sets, four, fortune[threes : threes + fours])
    # Where the dealer takes the best after a Raise, the hands that raised have nodes of their own.
    raised = _selected(sets, four, fortune[-fours:])
    then = numpy.zeros((sets.deck,) * 4, dtype=numpy.uint8)
    _spread(sets, four, [numpy.where(raises_with, raised | 1 << 4, folded) for raises_with in raises.T], then)
    return DeucesWildPlan(first, then)


def _selected(sets: CardSets, here: slice, fortune: Any) -> Any:
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
                code[0] = encode(facts.read_ante_play_raise(hands, tables), _ANTE)
            if placed[1]:
                code[1] = encode(facts.read_treasure(hands, tables), _TREASURE)
            if placed[2]:
                code[2] = encode(facts.read_fortune(hands, tables), _FORTUNE)
            if placed[3]:
                code[3] = encode(facts.read_bonus_jackpot(hands, tables), _JACKPOT)
