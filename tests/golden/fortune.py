"""Five Card Fortune once more: every hand with every selection and every community, dealt out (DW-6).

Hands that differ only in the names of suits, or in which wild cards they hold, are dealt once. Where the dealer takes the
best selection, every community of that kind meets every hand of five that was raised.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from tests.golden.compiled import compiled, in_threads
from tests.golden.deck import CHOOSE, is_chosen, orbit, place, step, suit_masks
from tests.golden.entries import Entry
from tests.golden.settled import net_units
from tests.golden.wild_hands import EVENTS, FIVE_WILD, NATURALS, WILDS, events_of_naturals, wild_text, wild_texts

__all__ = ["Followed", "alone", "beside", "taken"]

_CARDS = NATURALS + WILDS
_THREADS = 2
_HALF = 1 << 32


# --- communities, and what a card or wild cards make of each


class Communities:
    """All communities by natural cards and number of wild ones, and the event each natural card or k wild ones make."""

    def __init__(self) -> None:
        sets = [list(cards) for wilds in range(5) for cards in combinations(range(NATURALS), 4 - wilds)]
        self.wilds = np.array([4 - len(cards) for cards in sets], dtype=np.int64)
        self.cards = np.array([cards + [-1] * (4 - len(cards)) for cards in sets], dtype=np.int64)
        self.bits = np.array([sum(1 << card for card in cards) for cards in sets], dtype=np.int64)
        self.by_card = np.full((NATURALS, len(sets)), 255, np.uint8)  # 255: the community holds it
        self.by_wilds = np.zeros((WILDS + 1, len(sets)), np.uint8)
        events = tuple(events_of_naturals())
        _fill_by_card(self.cards, self.wilds, self.bits, events, self.by_card)
        _fill_by_wilds(self.cards, self.wilds, events, self.by_wilds)


@compiled
def _fill_by_card(cards: Any, wilds: Any, bits: Any, events: Any, by_card: Any) -> None:
    """One natural card: five cards, all used."""
    hand = np.zeros(5, np.int64)
    for community in range(len(cards)):
        naturals = 4 - wilds[community]
        for card in range(naturals):
            hand[card] = cards[community, card]
        for card in range(NATURALS):
            if not bits[community] >> card & 1:
                hand[naturals] = card
                by_card[card, community] = events[naturals + 1][place(hand, naturals + 1)]


@compiled
def _fill_by_wilds(cards: Any, wilds: Any, events: Any, by_wilds: Any) -> None:
    """So many wild cards: the best five of all, any natural cards left out (0 wild cards make nothing)."""
    hand = np.zeros(4, np.int64)
    for community in range(len(cards)):
        naturals = 4 - wilds[community]
        for more in range(1, 6 - wilds[community]):
            for kept in range(1 << naturals):
                size = 0
                for card in range(naturals):
                    if kept >> card & 1:
                        hand[size] = cards[community, card]
                        size += 1
                if size + wilds[community] + more >= 5:
                    event = events[size][place(hand, size)]
                    by_wilds[more, community] = max(by_wilds[more, community], event)


@cache
def communities() -> Communities:
    """The communities, made once."""
    return Communities()


# --- hands, one for all names of suits and wild cards


@compiled
def _choose(size: int, chosen: Any, numbers: Any) -> int:
    """List the sets of so many natural cards whose suits are in falling order, with how many sets each stands for."""
    cards, masks = np.arange(size), np.zeros(4, np.int64)
    found = 0
    for _ in range(CHOOSE[NATURALS, size]):
        suit_masks(cards, masks)
        if is_chosen(masks):
            for card in range(size):
                chosen[found, card] = cards[card]
            numbers[found] = orbit(masks)
            found += 1
        step(cards, size)
    return found


class Hands:
    """Hands of so many cards with so many wild ones, one for all that are alike, and how many each stands for."""

    def __init__(self, size: int, wilds: int) -> None:
        naturals = size - wilds
        chosen = np.zeros((comb(NATURALS, naturals), max(1, naturals)), np.int64)
        numbers = np.zeros(len(chosen), np.int64)
        found = _choose(naturals, chosen, numbers)
        assert int(numbers.sum()) == comb(NATURALS, naturals)
        self.naturals = naturals
        self.wilds = wilds
        self.cards = chosen[:found]
        self.numbers = numbers[:found] * comb(WILDS, wilds)

    def full(self, hand: int) -> list[int]:
        """The cards of a hand, the first wild ones standing for any."""
        return [*self.cards[hand, : self.naturals].tolist(), *range(NATURALS, NATURALS + self.wilds)]


@compiled
def _select(first: int, cards: Any, naturals: int, wilds: int, board: Any, counts: Any) -> None:
    """For each hand and each selection from it: communities by event."""
    board_wilds, bits, by_card, by_wilds = board
    for hand in range(first, len(cards), _THREADS):
        held = 0
        for card in range(naturals):
            held |= 1 << cards[hand, card]
        for community in range(len(bits)):
            ways = CHOOSE[WILDS - wilds, board_wilds[community]]
            if bits[community] & held or not ways:
                continue
            for card in range(naturals):
                counts[hand, card, by_card[cards[hand, card], community]] += ways
            for more in range(1, wilds + 1):
                counts[hand, naturals + more - 1, by_wilds[more, community]] += ways


@cache
def _selections(size: int) -> list[tuple[Hands, Any]]:
    """Hands of this size by number of wild cards, each with its counts."""
    every = communities()
    board = (every.wilds, every.bits, every.by_card, every.by_wilds)
    found = []
    for wilds in range(size + 1):
        hands = Hands(size, wilds)
        counts = np.zeros((len(hands.cards), size, EVENTS), np.int64)
        arguments = (hands.cards, hands.naturals, wilds, board, counts)
        in_threads(lambda first, arguments=arguments: _select(first, *arguments), range(_THREADS))  # type: ignore[misc]
        assert (counts.sum(axis=2) == comb(_CARDS - size, 4)).all()
        found.append((hands, counts))
    return found


# --- what the events pay


@cache
def _shown() -> list[tuple[int, list[int]]]:
    """For each event a selected card and a community that show it."""
    every = communities()
    shown = []
    for event in range(EVENTS):
        if event == FIVE_WILD:
            shown.append((NATURALS, list(range(NATURALS + 1, _CARDS))))
        else:
            selected, at = divmod(int(np.argmax(every.by_card == event)), len(every.bits))
            wilds = int(every.wilds[at])
            shown.append((selected, [*every.cards[at, : 4 - wilds].tolist(), *range(NATURALS, NATURALS + wilds)]))
    return shown


def _nets(entry: Entry) -> Any:
    """What each event pays."""
    nets = []
    for selected, board in _shown():
        others = [wild_text(card) for card in range(_CARDS) if card not in (selected, *board)][:2]
        cards, selection = [wild_text(selected), *others], [wild_text(selected)]
        net = net_units(entry, cards=cards, board=wild_texts(board), decisions={"fortune": selection})
        assert net.denominator == 1
        nets.append(int(net))
    # The best event is the best paid: the dealer who takes the best, and the best five of more cards, need not ask.
    assert nets == sorted(nets)
    return np.array(nets, dtype=np.int64)


def _worths(size: int, nets: Any) -> list[tuple[Hands, Any]]:
    """What each hand's best selection is worth, summed over its communities."""
    return [(hands, (counts * nets).sum(axis=2).max(axis=1)) for hands, counts in _selections(size)]


def alone(entry: Entry) -> Fraction:
    """The wager alone: the best selection from three cards."""
    won = sum(int((hands.numbers * worths).sum()) for hands, worths in _worths(3, _nets(entry)))
    return Fraction(won, comb(_CARDS, 3) * comb(_CARDS - 3, 4))


# --- beside an Ante


class Followed:
    """How often each hand of three, of four and of five is reached under the Ante's decisions.

    Threes that fold, fours by how they came from threes that were played (those that fold apart), fives by how they came
    from fours that were raised: a five can come in twenty orders, its first three cards in any.
    """

    def __init__(self, plays: Any, raises: Any) -> None:
        self.folded = [~_looked_up(hands, plays) for hands, _ in _selections(3)]
        self.fours = [_ways_to_four(hands, plays) for hands, _ in _selections(4)]
        self.raised = [_looked_up(hands, raises) for hands, _ in _selections(4)]
        self.fives = np.zeros(sum(comb(NATURALS, 5 - wilds) for wilds in range(6)), np.int64)
        _fill_fives(plays, raises, self.fives)


def _looked_up(hands: Hands, decided: Any) -> Any:
    size = hands.naturals + hands.wilds
    places = [place(np.array(hands.full(hand)), size) for hand in range(len(hands.cards))]
    return decided[np.array(places)]


def _ways_to_four(hands: Hands, plays: Any) -> Any:
    ways = []
    for hand in range(len(hands.cards)):
        threes = combinations(hands.full(hand), 3)
        ways.append(sum(bool(plays[place(np.array(three), 3)]) for three in threes))
    return np.array(ways)


@compiled
def _fill_fives(plays: Any, raises: Any, fives: Any) -> None:
    """For every set of natural cards with wild ones up to five: the orders in which it is played and raised."""
    at = 0
    rest, first = np.zeros(4, np.int64), np.zeros(3, np.int64)
    for wilds in range(6):
        size = 5 - wilds
        cards = np.arange(5)
        for wild in range(wilds):
            cards[size + wild] = NATURALS + wild
        for _ in range(CHOOSE[NATURALS, size]):
            for fifth in range(5):
                for card in range(4):
                    rest[card] = cards[card if card < fifth else card + 1]
                if raises[place(rest, 4)]:
                    for fourth in range(4):
                        for card in range(3):
                            first[card] = rest[card if card < fourth else card + 1]
                        if plays[place(first, 3)]:
                            fives[at] += 1
            at += 1
            step(cards, size)


@compiled
def _meet(free: Any, lifts: Any, size: int, fives: Any, event: int, sums: Any) -> None:
    """Add to `sums`, by best event, the ways of all sets of `size` free natural cards beside what wild cards make."""
    if size == 0:
        sums[event] += fives[0]
        return
    upper = np.arange(1, size + 1)
    upper[size - 1] = len(free)
    while True:
        base, best = 0, event
        for card in range(size - 1):
            base += CHOOSE[free[upper[card]], card + 2]
            best = max(best, lifts[upper[card]])
        for low in range(upper[0]):
            sums[max(best, lifts[low])] += fives[base + free[low]]
        move = 0
        while move < size - 1 and upper[move] + 1 == upper[move + 1]:
            upper[move] = move + 1
            move += 1
        if move == size - 1:
            return
        upper[move] += 1


@compiled
def _dealer_takes(
    first: int, chosen: Any, naturals: int, starts: Any, by_card: Any, by_wilds: Any, fives: Any, counts: Any
) -> None:
    """For each community: ways of all hands of five that meet it, by the best event the dealer finds."""
    free, lifts = np.zeros(NATURALS, np.int64), np.zeros(NATURALS, np.int64)
    wilds = 4 - naturals
    sums = np.zeros(EVENTS, np.int64)
    for community in range(first, len(chosen), _THREADS):
        at = chosen[community]
        found = 0
        for card in range(NATURALS):
            if by_card[card, at] < EVENTS:
                free[found], lifts[found] = card, by_card[card, at]
                found += 1
        for held in range(WILDS - wilds + 1):
            sums[:] = 0
            event = by_wilds[held, at]
            _meet(free[:found], lifts[:found], 5 - held, fives[starts[held] : starts[held + 1]], event, sums)
            for event in range(EVENTS):
                counts[community, event] += sums[event] * CHOOSE[WILDS - wilds, held]


def taken(followed: Sequence[Followed]) -> list[list[int]]:
    """Where the dealer takes the best: ways by event over all communities, for each way to play the Ante.

    Two ways to play are counted in one pass, one in each half of a number; all hands of five in all their orders are
    fewer than a half can hold.
    """
    assert comb(_CARDS, 5) * 20 < _HALF
    found = []
    for at in range(0, len(followed), 2):
        two = followed[at : at + 2]
        fives = sum(each.fives * _HALF**half for half, each in enumerate(two))
        totals = [[0] * EVENTS for _ in two]
        for counts, number in _meetings(fives):
            for event, both in enumerate(counts):
                for half, total in enumerate(totals):
                    total[event] += both // _HALF**half % _HALF * number
        found += totals
    return found


def _meetings(fives: Any) -> Iterator[tuple[list[int], int]]:
    """The ways by event at each kind of community, and how many communities are of that kind."""
    every = communities()
    starts = np.cumsum([0, *(comb(NATURALS, 5 - wilds) for wilds in range(6))])
    offset = 0
    for wilds in range(5):
        hands = Hands(4, wilds)
        where = np.array([offset + _order(hands.cards[hand, : 4 - wilds]) for hand in range(len(hands.cards))])
        offset += comb(NATURALS, 4 - wilds)
        counts = np.zeros((len(where), EVENTS), np.int64)
        arguments = (where, 4 - wilds, starts, every.by_card, every.by_wilds, fives, counts)
        in_threads(lambda first, arguments=arguments: _dealer_takes(first, *arguments), range(_THREADS))  # type: ignore[misc]
        yield from zip(counts.tolist(), hands.numbers.tolist(), strict=True)


def _order(cards: Any) -> int:
    """Where `combinations` has a set of natural cards."""
    at, low, size = 0, 0, len(cards)
    for number, card in enumerate(sorted(cards.tolist())):
        at += sum(comb(NATURALS - 1 - skipped, size - number - 1) for skipped in range(low, card))
        low = card + 1
    return at


def beside(entry: Entry, followed: Followed, by_dealer: list[int] | None) -> Fraction:
    """The wager beside an Ante that is played as if alone; `by_dealer` where the dealer takes the best (DW-6)."""
    nets = _nets(entry)
    threes = comb(_CARDS, 3)
    won = Fraction(0)
    for (hands, worths), folded in zip(_worths(3, nets), followed.folded, strict=True):
        won += Fraction(int((hands.numbers * worths * folded).sum()), threes * comb(_CARDS - 3, 4))
    for (hands, worths), ways, raised in zip(_worths(4, nets), followed.fours, followed.raised, strict=True):
        selects = ways if by_dealer is None else ways * ~raised
        won += Fraction(int((hands.numbers * worths * selects).sum()), threes * (_CARDS - 3) * comb(_CARDS - 4, 4))
    if by_dealer is not None:
        best = sum(number * net for number, net in zip(by_dealer, nets.tolist(), strict=True))
        won += Fraction(best, threes * (_CARDS - 3) * (_CARDS - 4) * comb(_CARDS - 5, 4))
    return won
