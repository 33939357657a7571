"""Counting Four Card Prime: how often each facts code occurs. No pay, qualifier or tie rule is in here.

The main wager is counted without dealing it out. For a set of cards Q and a value v let F(Q, v) be how many six-card
hands contain Q and are worth less than v. The dealer's hands that hold the up card u and none of the player's cards P
number the sum, over the subsets S of P, of (-1)**|S| * F(S + u, v). F is the same for sets that differ by a renaming
of the suits, so it is counted once for each such class ("state") of up to five cards:

- of five cards from the value of the hand with each sixth card, the only place where a hand is valued;
- of fewer cards Q from one card more: F(Q, v) is the sum of F(Q + x, v) over the other cards x, which finds each
  six-card hand once for each of its 6 - |Q| cards outside Q.
"""

from functools import lru_cache
from itertools import permutations
from math import comb
from typing import Any, NamedTuple

import numpy

from pitboss.games.four_card_prime import facts
from pitboss.poker import best_four_of_five, best_four_of_six, four_card_tables
from pitboss.rules.counting import CountingContext, Counts, DecisionLevel, plain_counts
from pitboss.rules.facts import ABOVE, BELOW, EQUAL, Hands, encode

_RAISES, _MASKS, _COMPARISONS = facts.AnteRaise.bounds()


def count(wager: str, context: CountingContext) -> Counts:
    """Count one wager."""
    if wager == "ante-raise":
        return _count_ante_raise(context)
    return count_prime(context) if wager == "prime" else count_five_cards(context, wager)


def _five_cards(context: CountingContext) -> tuple[Any, Any]:
    """The classes of five cards, and how many hands each stands for."""
    hands, weights = context.classes(5)
    return hands.astype(numpy.int64), weights


# Sets of up to five cards and their states


class NumberedSets(NamedTuple):
    """Sets of up to five cards by number, and their states: classes up to a renaming of the suits, smaller sets first.

    `state` gives the state of each set, `turn` which renaming makes its cards those of the state, `suits` the new
    suits under each renaming; `after` the state that the cards of a state and one more make. Numbers of the sets of
    one size begin at `numbers`, states at `begins`; `choose` holds the binomial coefficients.
    """

    choose: Any
    numbers: Any
    begins: Any
    state: Any
    turn: Any
    suits: Any
    after: Any


def set_number(sets: NumberedSets, cards: Any, size: int) -> Any:
    """Number the set of the first `size` of these cards, in whatever order they are."""
    number = sets.numbers[size] + 0
    for index in range(size):
        place = 0
        for other in range(size):
            if cards[other] <= cards[index]:
                place += 1
        number += sets.choose[cards[index], place]
    return number


def turned(sets: NumberedSets, card: int, turn: int) -> Any:
    """Rename the suit of a card."""
    return (card & ~3) | sets.suits[turn, card & 3]


def loop_states(start: int, stop: int, hands: Any, size: int, back: Any, sets: NumberedSets) -> None:
    """Write the state of every set of one size: each class under every renaming of the suits."""
    cards = numpy.zeros(size, dtype=numpy.int64)
    for index in range(start, stop):
        for turn in range(len(back)):
            for place in range(size):
                cards[place] = turned(sets, hands[index, place], turn)
            number = set_number(sets, cards, size)
            sets.state[number] = sets.begins[size] + index
            sets.turn[number] = back[turn]


def loop_after(start: int, stop: int, hands: Any, size: int, deck: int, sets: NumberedSets) -> None:
    """Add every card to every state of one size; a card it holds leads to state 0, which counts nothing."""
    cards = numpy.zeros(size + 1, dtype=numpy.int64)
    for index in range(start, stop):
        for place in range(size):
            cards[place] = hands[index, place]
        for card in range(deck):
            held = False
            for place in range(size):
                held |= cards[place] == card
            if not held:
                cards[size] = card
                sets.after[sets.begins[size] + index, card] = sets.state[set_number(sets, cards, size + 1)]


def _make_sets(context: CountingContext) -> NumberedSets:
    deck = context.cards
    hands = [context.classes(size)[0] for size in range(6)]
    sizes = [len(rows) for rows in hands]
    renamings = list(permutations(range(4)))
    inverse = [renamings.index(tuple(renaming.index(suit) for suit in range(4))) for renaming in renamings]
    numbers = numpy.cumsum([0] + [comb(deck, size) for size in range(6)])
    begins = numpy.cumsum([0, *sizes])
    sets = NumberedSets(
        choose=numpy.array([[comb(card, place) for place in range(6)] for card in range(deck)], dtype=numpy.int64),
        numbers=numbers,
        begins=begins,
        state=numpy.zeros(numbers[-1], dtype=numpy.int32),
        turn=numpy.zeros(numbers[-1], dtype=numpy.int8),
        suits=numpy.array(renamings, dtype=numpy.int64),
        after=numpy.zeros((begins[5], deck), dtype=numpy.int32),
    )
    back = numpy.array(inverse, dtype=numpy.int8)
    states, after = context.compiled(loop_states), context.compiled(loop_after)
    for size in range(6):
        context.spread(lambda a, b, size=size: states(a, b, hands[size], size, back, sets), sizes[size])  # type: ignore[misc]
    for size in range(5):
        context.spread(lambda a, b, size=size: after(a, b, hands[size], size, deck, sets), sizes[size])  # type: ignore[misc]
    return sets


# Dealer's hands counted by what they contain


def loop_values(start: int, stop: int, hands: Any, deck: int, tables: Any, five: Any, groups: Any, six: Any) -> None:
    """Value every five cards as a player's hand, and with every sixth as a dealer's; -1 stands with a card held."""
    for index in range(start, stop):
        a, b, c, d, e = hands[index, 0], hands[index, 1], hands[index, 2], hands[index, 3], hands[index, 4]
        five[index] = best_four_of_five(tables, (a, b, c, d, e))
        groups[index] = facts.read_ante_raise(Hands((a, b, c, d, e), (a, b, c, d, e, a), (1,), (0,)), tables).events
        for card in range(deck):
            if card in (a, b, c, d, e):
                six[index, card] = -1
            else:
                six[index, card] = best_four_of_six(tables, (a, b, c, d, e, card))


def loop_pairs_after(start: int, stop: int, sets: NumberedSets, six: Any, lower: Any) -> None:
    """Count the six-card hands that contain four cards by their value: every fifth card with every sixth."""
    deck = six.shape[1]
    values = lower.shape[1] - 1
    frequencies = numpy.zeros(values + 1, dtype=numpy.int32)
    for state in range(sets.begins[4] + start, sets.begins[4] + stop):
        frequencies[:] = 0
        for card in range(deck):
            if sets.after[state, card]:
                row = six[sets.after[state, card] - sets.begins[5]]
                for sixth in range(deck):
                    frequencies[row[sixth]] += 1
        total = 0
        for value in range(values):
            lower[state, value] = total // 2
            total += frequencies[value]
        lower[state, values] = total // 2


def loop_card_after(start: int, stop: int, size: int, sets: NumberedSets, lower: Any) -> None:
    """Count the six-card hands that contain up to three cards from those that contain one card more."""
    first = sets.begins[size]
    for state in range(first + start, first + stop):
        row = lower[state]
        for card in range(sets.after.shape[1]):
            if sets.after[state, card]:
                row += lower[sets.after[state, card]]
        row //= 6 - size


def loop_count_values(six: Any, edges: Any) -> None:
    """Find where each value begins when all are put in order."""
    for hand in range(six.shape[0]):
        for card in range(six.shape[1]):
            edges[six[hand, card] + 1] += 1
    for value in range(1, len(edges)):
        edges[value] += edges[value - 1]


def loop_sort_by_value(six: Any, edges: Any, first: int, fives: Any) -> None:
    """Put the states of five cards in the order of their values with a sixth; those above all values are left out."""
    at = edges.copy()
    for hand in range(six.shape[0]):
        for card in range(six.shape[1]):
            if six[hand, card] < len(edges) - 2:
                fives[at[six[hand, card]]] = first + hand
                at[six[hand, card]] += 1


class ContainedHands(NamedTuple):
    """How many six-card hands contain a set of cards, by value; values are numbered in order.

    `lower` says for states of one to four cards how many are worth less than a value. `six` values each class of five
    cards with each sixth (a card held: above all values); `fives` are the states of five cards in the order of these
    values, each of which begins at `edges`.
    """

    lower: Any
    six: Any
    fives: Any
    edges: Any


def _count_contained(context: CountingContext, sets: NumberedSets, six: Any, values: int) -> ContainedHands:
    lower = numpy.zeros((sets.begins[5], values + 1), dtype=numpy.int32)
    sizes = numpy.diff(sets.begins)
    pairs, one = context.compiled(loop_pairs_after), context.compiled(loop_card_after)
    context.spread(lambda a, b: pairs(a, b, sets, six, lower), sizes[4])
    for size in (3, 2, 1):
        context.spread(lambda a, b, size=size: one(a, b, size, sets, lower), sizes[size])  # type: ignore[misc]
    edges = numpy.zeros(values + 2, dtype=numpy.int64)
    context.compiled(loop_count_values)(six, edges)
    fives = numpy.zeros(edges[values], dtype=numpy.int32)
    context.compiled(loop_sort_by_value)(six, edges, sets.begins[5], fives)
    return ContainedHands(lower=lower, six=six, fives=fives, edges=edges)


# The nodes of the main wager: the player's five cards and the dealer's up card


class Nodes(NamedTuple):
    """The information sets of the main wager up to a renaming of the suits: hand by hand, the up cards in order.

    A node has a row of `hands` and an up card, and stands for as many pairs of these as `weights` says; the nodes of
    a hand begin at `first`.
    """

    hands: Any
    first: Any
    hand: Any
    up: Any
    weights: Any


def loop_up_cards(start: int, stop: int, hands: Any, times: Any) -> None:
    """Count for how many up cards each card stands; suits that hold the same ranks stand side by side in a hand."""
    masks = numpy.zeros(4, dtype=numpy.int64)
    for hand in range(start, stop):
        masks[:] = 0
        for place in range(5):
            masks[hands[hand, place] & 3] |= 1 << (hands[hand, place] >> 2)
        for suit in range(4):
            if suit and masks[suit] == masks[suit - 1]:
                # An up card of the first of them stands for all.
                continue
            alike = 0
            for other in range(4):
                alike += 1 if masks[other] == masks[suit] else 0
            for card in range(suit, times.shape[1], 4):
                if not masks[suit] >> (card >> 2) & 1:
                    times[hand, card] = alike


def loop_list_nodes(
    start: int, stop: int, first: Any, times: Any, hands: Any, nodes: Any, ups: Any, weights: Any
) -> None:
    """Write down the nodes of every hand, `hands` being how many hands each stands for."""
    for hand in range(start, stop):
        node = first[hand]
        for card in range(times.shape[1]):
            if times[hand, card]:
                nodes[node], ups[node], weights[node] = hand, card, hands[hand] * times[hand, card]
                node += 1


@lru_cache(maxsize=2)
def ante_raise_nodes(context: CountingContext) -> Nodes:
    """List the nodes of the main wager in the order of its counts."""
    hands, stands_for = _five_cards(context)
    times = numpy.zeros((len(hands), context.cards), dtype=numpy.int8)
    up_cards, list_nodes = context.compiled(loop_up_cards), context.compiled(loop_list_nodes)
    context.spread(lambda a, b: up_cards(a, b, hands, times), len(hands))
    first = numpy.zeros(len(hands) + 1, dtype=numpy.int64)
    numpy.cumsum(numpy.count_nonzero(times, axis=1), out=first[1:])
    hand, up = numpy.zeros(first[-1], dtype=numpy.int32), numpy.zeros(first[-1], dtype=numpy.int32)
    weights = numpy.zeros(first[-1], dtype=numpy.int64)
    context.spread(lambda a, b: list_nodes(a, b, first, times, stands_for, hand, up, weights), len(hands))
    return Nodes(hands=hands, first=first, hand=hand, up=up, weights=weights)


# Two counts are carried in one integer, hands worth less below the shift and hands worth no more above it: sums and
# differences of such pairs are pairs again, and borrow from each other only until the last is added.
_SHIFT = 32


def pass_value(value: int, contained: ContainedHands, contain: Any) -> None:
    """Bring the counts of the states of five cards from the value before to this one."""
    if value:
        for place in range(contained.edges[value - 1], contained.edges[value]):
            contain[contained.fives[place]] += 1
    for place in range(contained.edges[value], contained.edges[value + 1]):
        contain[contained.fives[place]] += 1 << _SHIFT


def add_states(sign: int, contain: Any, after: Any, suits: Any, sums: Any) -> None:
    """For every up card add the counts of the state that it makes with a set, suits renamed to those of its state."""
    a, b, c, d = suits[0], suits[1], suits[2], suits[3]
    for first in range(0, len(sums), 4):
        sums[first] += sign * contain[after[first + a]]
        sums[first + 1] += sign * contain[after[first + b]]
        sums[first + 2] += sign * contain[after[first + c]]
        sums[first + 3] += sign * contain[after[first + d]]


def loop_nodes(
    start: int, stop: int, order: Any, value: Any, nodes: Nodes, sets: NumberedSets, contained: ContainedHands, to: Any
) -> None:
    """Count the dealer's hands below, equal to and above the player's for every up card, over hands by rising value."""
    contain = numpy.zeros(sets.begins[6], dtype=numpy.int64)
    sums = numpy.zeros(sets.after.shape[1], dtype=numpy.int64)
    cards = numpy.zeros(5, dtype=numpy.int64)
    mine = -1
    for place in range(start, stop):
        hand = order[place]
        while mine < value[hand]:
            mine += 1
            pass_value(mine, contained, contain)
            if mine == value[hand]:
                for state in range(sets.begins[5]):
                    at_most = numpy.int64(contained.lower[state, mine + 1])
                    contain[state] = contained.lower[state, mine] + (at_most << _SHIFT)
        sums[:] = 0
        for subset in range(31):
            size = 0
            for index in range(5):
                if subset >> index & 1:
                    cards[size] = nodes.hands[hand, index]
                    size += 1
            number = set_number(sets, cards, size)
            after, suits = sets.after[sets.state[number]], sets.suits[sets.turn[number]]
            add_states(1 - size % 2 * 2, contain, after, suits, sums)
        for node in range(nodes.first[hand], nodes.first[hand + 1]):
            # The last subset: the player's five cards and the up card are one hand.
            up = nodes.up[node]
            below, at_most = sums[up] & ((1 << _SHIFT) - 1), sums[up] >> _SHIFT
            if contained.six[hand, up] < mine:
                below -= 1
            if contained.six[hand, up] <= mine:
                at_most -= 1
            to[node, 0, ABOVE] = below
            to[node, 0, EQUAL] = at_most - below
            to[node, 0, BELOW] -= at_most


def _count_ante_raise(context: CountingContext) -> Counts:
    nodes = ante_raise_nodes(context)
    hands = len(nodes.hands)
    five = numpy.zeros(hands, dtype=numpy.int16)
    groups = numpy.zeros(hands, dtype=numpy.int8)
    six = numpy.zeros((hands, context.cards), dtype=numpy.int16)
    tables = context.arrays(four_card_tables())
    values_of = context.compiled(loop_values)
    context.spread(lambda a, b: values_of(a, b, nodes.hands, context.cards, tables, five, groups, six), hands)
    # A dealer's value is always one that a player can have too: of the best four cards and either of the others.
    values, value = numpy.unique(five, return_inverse=True)
    column = numpy.full(len(tables.category) + 1, -1, dtype=numpy.int16)
    column[values] = numpy.arange(len(values))
    column[-1] = len(values)
    six = column[six]
    assert six.min() >= 0, "a dealer's hand is worth what no player's hand is"
    sets = _make_sets(context)
    contained = _count_contained(context, sets, six, len(values))
    dealt = comb(context.cards - 6, 5)
    assert dealt < 1 << 31, "counts of a node are 32-bit integers"
    counts = numpy.full((len(nodes.hand), 1, _COMPARISONS), dealt, dtype=numpy.int32)
    order = numpy.argsort(value, kind="stable")
    loop = context.compiled(loop_nodes)
    context.spread(lambda a, b: loop(a, b, order, value, nodes, sets, contained, counts), hands)
    level = DecisionLevel(
        decisions=tuple(str(raised) for raised in range(_RAISES)),
        branches=(0,) * _RAISES,
        weights=nodes.weights,
        counts=counts,
        groups=groups[nodes.hand][:, None],
        codes=_ante_raise_codes(),
    )
    total = comb(context.cards, 5) * (context.cards - 5) * dealt
    method = "every player's hand and up card by suit class, the dealer's hands by inclusion and exclusion"
    return Counts(wager="ante-raise", total=total, levels=(level,), method=method)


def _ante_raise_codes() -> Any:
    """The code of every raise, set of events and comparison, in the mixed radix of `encode`; a fold has but one."""
    bounds = facts.AnteRaise.bounds()
    codes = numpy.arange(_RAISES * _MASKS * _COMPARISONS, dtype=numpy.int64).reshape(bounds)
    codes[0] = encode((0, 0, BELOW), bounds)
    return codes


def loop_five_cards(hands: Any, weights: Any, tables: Any, aces_baby: Any, five_card: Any, four_card: Any) -> None:
    """Over every five cards."""
    for index in range(len(hands)):
        a, b, c, d, e = hands[index, 0], hands[index, 1], hands[index, 2], hands[index, 3], hands[index, 4]
        cards = Hands((a, b, c, d, e), (0, 0, 0, 0, 0, 0), (0,), (0,))
        aces_baby[facts.read_aces_baby(cards, tables).events] += weights[index]
        five_card[facts.read_five_card_jackpot(cards, tables).events] += weights[index]
        four_card[facts.read_four_card_jackpot(cards, tables).events] += weights[index]


def count_five_cards(context: CountingContext, wager: str) -> Counts:
    """Count one of the wagers paid by what the five cards make."""
    hands, weights = context.classes(5)
    histograms = {
        name: numpy.zeros(1 << len(events), dtype=numpy.int64)
        for name, events in (
            ("aces-baby", facts.ACES_BABY_EVENTS),
            ("five-card-jackpot", facts.FIVE_CARD_EVENTS),
            ("four-card-jackpot", facts.FOUR_CARD_EVENTS),
        )
    }
    context.compiled(loop_five_cards)(hands, weights, context.arrays(four_card_tables()), *histograms.values())
    return plain_counts(wager, histograms[wager], "every hand by suit class")


def count_prime(context: CountingContext) -> Counts:
    """Colors alone matter: count by how many red cards the hand holds, on cards that stand for each number."""
    histogram = numpy.zeros(1 << len(facts.PRIME_EVENTS), dtype=numpy.int64)
    half = context.cards // 2
    reds, blacks = [1, 2, 5, 6, 9], [0, 3, 4, 7, 8]
    for red in range(6):
        cards = reds[:red] + blacks[red:]
        events = facts.read_prime(Hands(cards, (), (), ()), None).events
        histogram[events] += comb(half, red) * comb(half, 5 - red)
    return plain_counts("prime", histogram, "by the number of red cards")
