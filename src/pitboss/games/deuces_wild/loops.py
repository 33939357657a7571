"""Counting Deuces Wild: how often each facts code occurs. No pay and no rule of settlement is in here.

No facts tell apart sets of cards that differ in the names of the suits or in which of the wild cards they hold; so all
counting is done on sets of at most four cards up to that (`sets_of`, some fifteen thousand of 53 cards). One table
carries both games with a decision: for every four cards, what they make with each fifth. Summed downwards it tells of
every set of fewer cards what the five-card hands make that hold it; included and excluded over the other cards held,
that is what a card selected for the Fortune makes with every community the player may still meet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Any, NamedTuple

import numpy  # noqa: ICN001

from pitboss.cards import JOKER
from pitboss.games.deuces_wild import facts
from pitboss.games.deuces_wild.facts import fortune_made, read_ante_play_raise, read_bonus_jackpot, read_treasure
from pitboss.poker.made import is_wild, wild_five_card_made
from pitboss.rules.counts import GOES_ON, Counts, Level, plain_counts
from pitboss.rules.facts import Hands, encode
from pitboss.rules.kit import Kit

__all__ = [
    "SELECTIONS",
    "Sets",
    "ante_play_raise",
    "count",
    "fortune_beside_ante",
    "fortune_from_four",
    "fortune_from_three",
    "fortune_of_hands",
    "place_of",
    "sets_of",
]

_HELD_MAX, _COMMUNITY = 4, 4
_MADE = 1 << len(facts.HAND_EVENTS)

# What a seat may select for the Fortune, as far as it holds it. Which of several wild cards does not matter.
SELECTIONS = (
    "highest natural card",
    "second natural card",
    "third natural card",
    "fourth natural card",
    "one wild card",
    "two wild cards",
    "three wild cards",
    "four wild cards",
)


def count(wager: str, kit: Kit) -> Counts:
    """Count one wager; the Five Card Fortune alone, selected from three cards."""
    return _COUNTERS[wager](kit)


class Sets(NamedTuple):
    """Sets of at most four cards, those of one size together and fewer cards first; the arrays go by set.

    `cards` has the wild cards first, then the natural ones from the highest down, then -1. `weights` is how many sets of
    the deck each stands for. `more` is the place of the set with one more card, for each natural card of the deck
    and last for a wild card; -1 where there is none.
    """

    natural: Any
    wild: Any
    keys: Any
    cards: Any
    sizes: Any
    wilds: Any
    weights: Any
    more: Any

    def of_size(self, size: int) -> slice:
        """Say where the sets of a size stand."""
        return slice(*numpy.searchsorted(self.sizes, (size, size + 1)))


def key_of(cards: Any, size: int) -> int:
    """Give the first so many cards a key that neither suits nor wild cards change: size, wild cards, ranks by suit."""
    wild = p = q = r = s = 0
    for place in range(size):
        card = cards[place]
        bit = 1 << (card >> 2)
        if is_wild(card):
            wild += 1
        elif card & 3 == 0:
            p |= bit
        elif card & 3 == 1:
            q |= bit
        elif card & 3 == 2:
            r |= bit
        else:
            s |= bit
    p, q = max(p, q), min(p, q)
    r, s = max(r, s), min(r, s)
    p, r = max(p, r), min(p, r)
    q, s = max(q, s), min(q, s)
    q, r = max(q, r), min(q, r)
    return (((size << 3 | wild) << 13 | p) << 13 | q) << 26 | r << 13 | s


def loop_keys(start: int, stop: int, cards: Any, sizes: Any, keys: Any) -> None:
    """Give every set its key."""
    for node in range(start, stop):
        keys[node] = key_of(cards[node], sizes[node])


def loop_more(start: int, stop: int, cards: Any, sizes: Any, keys: Any, candidates: Any, more: Any) -> None:
    """Find the set that each set becomes with one more card."""
    held = numpy.zeros(5, dtype=numpy.int64)
    for node in range(start, stop):
        size = sizes[node]
        for column in range(candidates.shape[1]):
            card = candidates[node, column]
            if card >= 0:
                held[:4] = cards[node]
                held[size] = card
                more[node, column] = numpy.searchsorted(keys, key_of(held, size + 1))


def sets_of(kit: Kit, *, joker: bool = True) -> Sets:
    """List the sets of at most four cards of the deck, with the joker or without."""
    deck = (JOKER, *range(kit.cards)) if joker else tuple(range(kit.cards))
    wild = numpy.array([card for card in deck if is_wild(card)], dtype=numpy.int64)
    natural = numpy.array([card for card in deck if not is_wild(card)], dtype=numpy.int64)
    kinds = [(size, wilds) for size in range(_HELD_MAX + 1) for wilds in range(size + 1)]
    cards, sizes, wilds, weights = [], [], [], []
    for size, held in kinds:
        hands, ways = kit.classes(size - held)
        kept = ~numpy.isin(hands, wild).any(axis=1)
        rows = numpy.full((int(kept.sum()), _HELD_MAX), -1, dtype=numpy.int64)
        rows[:, :held], rows[:, held:size] = wild[:held], hands[kept, ::-1]
        cards.append(rows)
        sizes.append(numpy.full(len(rows), size))
        wilds.append(numpy.full(len(rows), held))
        weights.append(ways[kept] * comb(len(wild), held))
    found = [numpy.concatenate(parts) for parts in (cards, sizes, wilds, weights)]
    keys = numpy.zeros(len(found[0]), dtype=numpy.int64)
    kit.compiled(loop_keys)(0, len(keys), found[0], found[1], keys)
    order = keys.argsort()
    ordered = [part[order] for part in found]
    sets = Sets(natural, wild, keys[order], *ordered, numpy.full((len(keys), len(natural) + 1), -1, dtype=numpy.int64))
    candidates = _one_more_card(sets)
    candidates[sets.of_size(_HELD_MAX)] = -1
    loop = kit.compiled(loop_more)
    kit.spread(
        lambda start, stop: loop(start, stop, sets.cards, sets.sizes, sets.keys, candidates, sets.more), len(keys)
    )
    return sets


def place_of(sets: Sets, hand: Sequence[int]) -> int:
    """Find the set that a hand of three or four cards belongs to; a node's place is counted from its size's first."""
    return int(numpy.searchsorted(sets.keys, key_of(hand, len(hand)))) - sets.of_size(len(hand)).start


def _one_more_card(sets: Sets) -> Any:
    """Name for every set each natural card it may be dealt, and last one wild card for all of them; -1 for none."""
    candidates = numpy.repeat(numpy.append(sets.natural, -1)[None], len(sets.keys), axis=0)
    for place in range(_HELD_MAX):
        candidates[candidates == sets.cards[:, place, None]] = -1
    candidates[:, -1] = numpy.append(sets.wild, -1)[numpy.minimum(sets.wilds, len(sets.wild))]
    return candidates


def _ways(sets: Sets, wild: int) -> Any:
    """How many cards each column of `_one_more_card` stands for where the deck has so many wild cards."""
    ways = (_one_more_card(sets) >= 0).astype(numpy.int64)
    ways[:, -1] = numpy.maximum(wild - sets.wilds, 0)
    return ways


def loop_raised(start: int, stop: int, fours: Any, fifths: Any, made: Any) -> None:
    """Read what every four cards, raised, make with each fifth."""
    for node in range(start, stop):
        a, b, c, d = fours[node, 0], fours[node, 1], fours[node, 2], fours[node, 3]
        for column in range(fifths.shape[1]):
            e = fifths[node, column]
            if e >= 0:
                read = read_ante_play_raise(Hands((a, b, c, d, e), (0, 0, 0, 0), (1, 1, 0), (0,)), 0)
                made[node, column] = read.made


def loop_one_selected(start: int, stop: int, fours: Any, fifths: Any, made: Any) -> None:
    """Read what a single card and four others make: with one selected card the Fortune hand is just these five."""
    for node in range(start, stop):
        a, b, c, d = fours[node, 0], fours[node, 1], fours[node, 2], fours[node, 3]
        for column in range(fifths.shape[1]):
            e = fifths[node, column]
            if e >= 0:
                made[node, column] = wild_five_card_made((a, b, c, d, e))


def loop_wild_selected(start: int, stop: int, selected: Any, communities: Any, made: Any) -> None:
    """Read what all these selected wild cards make with every community."""
    for node in range(start, stop):
        made[node] = fortune_made(selected, (1 << len(selected)) - 1, communities[node])


def _with_fifth(kit: Kit, sets: Sets, loop: Callable[..., None]) -> Any:
    """What four cards make with each fifth, by the columns of `_one_more_card`; -1 for none."""
    fours = sets.of_size(_HELD_MAX)
    cards, fifths = sets.cards[fours], _one_more_card(sets)[fours]
    made = numpy.full(fifths.shape, -1, dtype=numpy.int64)
    run = kit.compiled(loop)
    kit.spread(lambda start, stop: run(start, stop, cards, fifths, made), len(cards))
    return made


def _by_mask(sets: Sets, made: Any, masks: Any) -> Any:
    """Count for every four cards how often each of these masks occurs with the fifth."""
    fours = sets.of_size(_HELD_MAX)
    ways = _ways(sets, len(sets.wild))[fours]
    counts = numpy.zeros((len(made), len(masks)), dtype=numpy.int64)
    rows = numpy.arange(len(made))
    for column in range(made.shape[1]):
        # Each row once: where there is no fifth card its ways are zero.
        counts[rows, numpy.searchsorted(masks, numpy.maximum(made[:, column], 0)) % len(masks)] += ways[:, column]
    return counts


def ante_play_raise(kit: Kit, *, joker: bool = True, loop: Callable[..., None] = loop_raised) -> Counts:
    """Count Ante, Play and Raise; the nodes are the sets of three cards, then those with each kind of fourth.

    Relatives of the game may leave the joker out, and read the five cards by a loop of their own.
    """
    sets = sets_of(kit, joker=joker)
    made = _with_fifth(kit, sets, loop)
    masks = numpy.unique(made[made >= 0])
    parents, fourths, ways = fourth_cards(sets)
    left = len(sets.natural) + len(sets.wild) - 3
    folded = numpy.full((1, 1, 1), encode((facts.FOLDED_AT_THREE, 0), (3, _MADE)))
    at_three = Level(
        decisions=("play", "fold"),
        branches=(GOES_ON, 0),
        weights=sets.weights[sets.of_size(3)],
        counts=numpy.full((len(sets.weights[sets.of_size(3)]), 1, 1), left * (left - 1)),
        groups=numpy.zeros((len(sets.weights[sets.of_size(3)]), 1), dtype=numpy.int64),
        codes=numpy.concatenate((folded, folded)),
    )
    codes = numpy.full((2, 1, len(masks)), encode((facts.FOLDED_AT_FOUR, 0), (3, _MADE)))
    codes[0, 0] = [encode((facts.RAISED, int(mask)), (3, _MADE)) for mask in masks]
    at_four = Level(
        decisions=("raise", "fold"),
        branches=(0, 0),
        weights=ways,
        counts=_by_mask(sets, made, masks)[fourths][:, None, :],
        groups=numpy.zeros((len(ways), 1), dtype=numpy.int64),
        codes=codes,
        parents=parents,
    )
    return Counts(
        wager="ante-play-raise",
        total=comb(left + 3, 3) * left * (left - 1),
        levels=(at_three, at_four),
        method="every three, four and five cards, suits and wild cards exchanged",
    )


def fourth_cards(sets: Sets) -> tuple[Any, Any, Any]:
    """List the nodes at four cards: the place of their three cards, the place of their four, by how many fourth cards."""
    threes, fours = sets.of_size(3), sets.of_size(_HELD_MAX)
    more, ways = sets.more[threes], _ways(sets, len(sets.wild))[threes]
    size = fours.stop - fours.start
    pairs = numpy.arange(len(more))[:, None] * size + more - fours.start
    found, where = numpy.unique(pairs[ways > 0], return_inverse=True)
    summed = numpy.zeros(len(found), dtype=numpy.int64)
    numpy.add.at(summed, where, ways[ways > 0])
    return found // size, found % size, summed


class Fortune(NamedTuple):
    """What the Fortune makes: the masks that occur, and by selected cards (one; two, three, four wild), set and mask, how often.

    With one selected card the set is that card and cards of the community, with wild cards it is cards of the community
    alone; counted are the communities that hold them all.
    """

    masks: Any
    counts: Any


def _fortune_tables(kit: Kit, sets: Sets) -> Fortune:
    fours = sets.of_size(_HELD_MAX)
    one = _with_fifth(kit, sets, loop_one_selected)
    several = []
    run = kit.compiled(loop_wild_selected)
    for selected in range(2, _HELD_MAX + 1):
        made = numpy.zeros(fours.stop - fours.start, dtype=numpy.int64)
        run(0, len(made), sets.wild[:selected], sets.cards[fours], made)
        several.append(made)
    masks = numpy.unique(numpy.concatenate((one[one >= 0], *several)))
    counts = numpy.zeros((_HELD_MAX, len(sets.keys), len(masks)), dtype=numpy.int64)
    counts[0, fours] = _by_mask(sets, one, masks)
    _sum_up(sets, counts[0], len(sets.wild), _COMMUNITY + 1)
    for selected, made in enumerate(several, start=2):
        counts[selected - 1, fours] = made[:, None] == masks
        _sum_up(sets, counts[selected - 1], len(sets.wild) - selected, _COMMUNITY)
    return Fortune(masks, counts)


def _sum_up(sets: Sets, counts: Any, wild: int, full: int) -> None:
    """Fill the counts of smaller sets from those of four cards; a full hand of a set is met once by each card it lacks."""
    ways = _ways(sets, wild)
    for size in reversed(range(_HELD_MAX)):
        here = sets.of_size(size)
        total = sum(
            counts[sets.more[here, column]] * ways[here, column, None] for column in range(len(sets.natural) + 1)
        )
        assert not (total % (full - size)).any(), "a hand was not met by every card it lacks"
        counts[here] = total // (full - size)


def loop_selections(
    start: int, stop: int, hands: Any, held: Any, keys: Any, tables: Any, counts: Any, allowed: Any
) -> None:
    """For every hand and selection count the communities without the other cards held, by inclusion and exclusion."""
    others = numpy.zeros(4, dtype=numpy.int64)
    chosen = numpy.zeros(4, dtype=numpy.int64)
    for node in range(start, stop):
        size, wild = held[node, 0], held[node, 1]
        for selection in range(8):
            selected = 1 if selection < 4 else selection - 3
            first = wild + selection if selection < 4 else 0
            if (selection < 4 and first >= size) or (selection >= 4 and selected > wild):
                continue
            allowed[node, selection] = 1
            left = 0
            for place in range(size):
                if place < first or place >= first + selected:
                    others[left] = hands[node, place]
                    left += 1
            for subset in range(1 << left):
                # A single selected card belongs to the set looked up, several wild ones do not.
                chosen[0] = hands[node, first]
                taken = 1 if selected == 1 else 0
                sign = 1
                for place in range(left):
                    if subset >> place & 1:
                        chosen[taken] = others[place]
                        taken += 1
                        sign = -sign
                at = numpy.searchsorted(keys, key_of(chosen, taken))
                for mask in range(tables.shape[2]):
                    counts[node, selection, mask] += sign * tables[selected - 1, at, mask]


def _selections(kit: Kit, sets: Sets, hands: Any, held: Any, weights: Any, total: int) -> Counts:
    """Count the Fortune for hands with so many cards and so many wild ones (`held`), wild cards first."""
    masks, tables = _fortune_tables(kit, sets)
    counts = numpy.zeros((len(hands), len(SELECTIONS), len(masks)), dtype=numpy.int64)
    allowed = numpy.zeros((len(hands), len(SELECTIONS)), dtype=numpy.int64)
    loop = kit.compiled(loop_selections)
    kit.spread(lambda start, stop: loop(start, stop, hands, held, sets.keys, tables, counts, allowed), len(hands))
    level = Level(
        decisions=SELECTIONS,
        branches=tuple(range(len(SELECTIONS))),
        weights=weights,
        counts=counts,
        groups=numpy.zeros((len(hands), len(SELECTIONS)), dtype=numpy.int64),
        codes=numpy.tile(masks, (len(SELECTIONS), 1, 1)),
        allowed=allowed,
    )
    method = "five-card hands that hold a set of cards, included and excluded over the cards held"
    return Counts(wager="five-card-fortune", total=total, levels=(level,), method=method)


def _of_size(kit: Kit, size: int) -> Counts:
    sets = sets_of(kit)
    here = sets.of_size(size)
    deck = len(sets.natural) + len(sets.wild)
    held = numpy.stack((sets.sizes[here], sets.wilds[here]), axis=1)
    total = comb(deck, size) * comb(deck - size, _COMMUNITY)
    return _selections(kit, sets, sets.cards[here], held, sets.weights[here], total)


def fortune_from_three(kit: Kit) -> Counts:
    """Count the Five Card Fortune alone: selected from three cards. The nodes are those of Ante, Play and Raise."""
    return _of_size(kit, 3)


def fortune_from_four(kit: Kit) -> Counts:
    """Count the Five Card Fortune selected from four cards; `fourth_cards` gives the node of three cards and a fourth."""
    return _of_size(kit, 4)


def fortune_of_hands(kit: Kit, hands: Sequence[Sequence[int]]) -> Counts:
    """Count the Five Card Fortune for these very hands of three or four cards, each weighing one.

    Natural cards are named from the highest down as they are numbered, so a suit may be told from another here.
    """
    sets = sets_of(kit)
    deck = len(sets.natural) + len(sets.wild)
    rows = numpy.full((len(hands), _HELD_MAX), -1, dtype=numpy.int64)
    held = numpy.zeros((len(hands), 2), dtype=numpy.int64)
    for node, hand in enumerate(hands):
        rows[node, : len(hand)] = sorted(hand, key=lambda card: (not is_wild(card), -card))
        held[node] = len(hand), sum(map(is_wild, hand))
    total = sum(comb(deck - len(hand), _COMMUNITY) for hand in hands)
    return _selections(kit, sets, rows, held, numpy.ones(len(hands), dtype=numpy.int64), total)


def fortune_beside_ante(kit: Kit, choices: Sequence[Any]) -> Counts:
    """Count the Five Card Fortune beside an Ante that takes these choices (by the nodes of `ante_play_raise`).

    A hand folded at three cards selects from three, every other from four, raised or folded (reading `player_selects`).
    The deals are of three cards, a fourth and the community; of a hand that folded the fourth lies unseen.
    The nodes are the sets of three cards, then those of four.
    """
    sets = sets_of(kit)
    threes, fours = sets.of_size(3), sets.of_size(_HELD_MAX)
    deck = len(sets.natural) + len(sets.wild)
    plays = numpy.asarray(choices[0]) == 0
    reach = sets.weights[threes] * plays
    parents, fourths, ways = fourth_cards(sets)
    at_four = numpy.zeros(fours.stop - fours.start, dtype=numpy.int64)
    numpy.add.at(at_four, fourths, ways * reach[parents])
    at_three = sets.weights[threes] * ~plays * (deck - 3 - _COMMUNITY)
    here = slice(threes.start, fours.stop)
    held = numpy.stack((sets.sizes[here], sets.wilds[here]), axis=1)
    total = comb(deck, 3) * (deck - 3) * comb(deck - 4, _COMMUNITY)
    return _selections(kit, sets, sets.cards[here], held, numpy.concatenate((at_three, at_four)), total)


def _count_treasure(kit: Kit) -> Counts:
    sets = sets_of(kit)
    here = sets.of_size(3)
    histogram = numpy.zeros(1 << len(facts.TREASURE_EVENTS), dtype=numpy.int64)
    for hand, weight in zip(sets.cards[here].tolist(), sets.weights[here], strict=True):
        histogram[read_treasure(Hands(hand[:3], (), (), ()), None).made] += weight
    return plain_counts("three-card-treasure", histogram, "every three cards, suits and wild cards exchanged")


def _count_bonus_jackpot(kit: Kit) -> Counts:
    """Wild cards alone matter: count by how many there are, on cards that stand for each number."""
    sets = sets_of(kit)
    natural, wild = sets.natural.tolist(), sets.wild.tolist()
    histogram = numpy.zeros(1 << len(facts.JACKPOT_EVENTS), dtype=numpy.int64)
    for held in range(len(wild) + 1):
        if 5 - held <= len(natural):
            made = read_bonus_jackpot(Hands((*wild[:held], *natural[: 5 - held]), (), (), ()), None).made
            histogram[made] += comb(len(wild), held) * comb(len(natural), 5 - held)
    return plain_counts("bonus-jackpot", histogram, "by the number of wild cards")


_COUNTERS = {
    "ante-play-raise": ante_play_raise,
    "three-card-treasure": _count_treasure,
    "five-card-fortune": fortune_from_three,
    "bonus-jackpot": _count_bonus_jackpot,
}
