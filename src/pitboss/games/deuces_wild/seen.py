"""Playing Deuces Wild for somebody who sees a Treasure winner's cards, which stay face up (DW-8). No pay is in here."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from pitboss.games.deuces_wild import facts
from pitboss.games.deuces_wild.loops import sets_of
from pitboss.poker.made import wild_five_card_made, wild_three_card_made
from pitboss.rules.counting import CountingContext, SeenPlay
from pitboss.rules.facts import encode

KINDS = {"treasure-winner": "the player sees the three cards of another seat that won the Three Card Treasure"}
PLAYED = tuple(KINDS)
_MASKS = 1 << len(facts.HAND_EVENTS)
_BOUNDS = facts.AntePlayRaise.bounds()


class Raised(NamedTuple):
    """Of one hand: for every fourth card how many sets seen let it be raised, and of those how many hold each card."""

    sets: Any
    holding: Any


class Tally(NamedTuple):
    """Sums by hand: events of raised hands, folds at four and at three cards, and deals decided otherwise."""

    events: Any
    folds: Any
    changed: Any


def loop_hands(start: int, stop: int, hands: Any, deck: Any, nets: Any, seeing: Tally, without: Tally) -> None:
    """Decide for every hand of three cards and every winning three cards seen, and add up what follows.

    `nets` has what a raised hand wins by its events, then what folding at four and at three cards does, in whole
    numbers. Where two decisions are worth the same the smaller wager is taken (G-18).
    """
    size = len(deck) - 3
    cards = numpy.zeros(size, dtype=numpy.int64)
    made = numpy.zeros((size, size), dtype=numpy.int64)
    worth = numpy.zeros((size, size), dtype=numpy.int64)
    raises = numpy.zeros(size, dtype=numpy.bool_)
    for node in range(start, stop):
        a, b, c = hands[node, 0], hands[node, 1], hands[node, 2]
        at = 0
        for card in deck:
            if card not in (a, b, c):
                cards[at] = card
                at += 1
        for one in range(size):
            worth[one, one] = 0
            for other in range(one):
                events = wild_five_card_made((a, b, c, cards[one], cards[other]))
                made[one, other] = made[other, one] = events
                worth[one, other] = worth[other, one] = nets[events]
        sums = worth.sum(axis=1)
        usual = decide(size, sums, worth, nets, numpy.zeros(0, dtype=numpy.int64), raises)
        play_hand(node, cards, made, worth, sums, nets, usual, raises.copy(), seeing, without)


def decide(size: int, sums: Any, worth: Any, nets: Any, gone: Any, raises: Any) -> bool:
    """Mark which fourth cards are raised when these are gone, and return whether the hand is played."""
    fifths = size - len(gone) - 1
    four, three = nets[len(nets) - 2], nets[len(nets) - 1]
    total = 0
    for fourth in range(size):
        here = sums[fourth]
        for card in gone:
            here -= worth[fourth, card]
        raises[fourth] = here > fifths * four
        is_gone = False
        for card in gone:
            is_gone = is_gone or card == fourth
        if not is_gone:
            total += max(here, fifths * four)
    plays: bool = total > (fifths + 1) * fifths * three
    return plays


def play_hand(
    node: int, cards: Any, made: Any, worth: Any, sums: Any, nets: Any, usual: bool, usual_raises: Any, seeing: Tally,
    without: Tally,
) -> None:  # fmt: skip
    """Play one hand beside every winning three cards."""
    size = len(cards)
    now = Raised(numpy.zeros(size, dtype=numpy.int64), numpy.zeros((size, size), dtype=numpy.int64))
    before = Raised(numpy.zeros(size, dtype=numpy.int64), numpy.zeros((size, size), dtype=numpy.int64))
    raises = numpy.zeros(size, dtype=numpy.bool_)
    gone = numpy.zeros(3, dtype=numpy.int64)
    fourths, fifths = size - 3, size - 4
    for x in range(size):
        for y in range(x):
            for z in range(y):
                if wild_three_card_made((cards[x], cards[y], cards[z])) == 0:
                    continue
                gone[0], gone[1], gone[2] = x, y, z
                plays = decide(size, sums, worth, nets, gone, raises)
                follow(node, gone, plays, raises, fourths, fifths, now, seeing)
                follow(node, gone, usual, usual_raises, fourths, fifths, before, without)
                if plays != usual:
                    seeing.changed[node, 0 if plays else 1] += fourths * fifths
                elif plays:
                    for fourth in range(size):
                        if raises[fourth] != usual_raises[fourth] and fourth not in (x, y, z):
                            seeing.changed[node, 2 if raises[fourth] else 3] += fifths
    add_events(node, made, now, seeing)
    add_events(node, made, before, without)


def follow(
    node: int, gone: Any, plays: bool, raises: Any, fourths: int, fifths: int, raised: Raised, tally: Tally
) -> None:
    """Add what is decided beside three cards that are gone."""
    if not plays:
        tally.folds[node, 1] += fourths * fifths
        return
    for fourth in range(len(raises)):
        if fourth in (gone[0], gone[1], gone[2]):
            continue
        if raises[fourth]:
            raised.sets[fourth] += 1
            for card in gone:
                raised.holding[fourth, card] += 1
        else:
            tally.folds[node, 0] += fifths


def add_events(node: int, made: Any, raised: Raised, tally: Tally) -> None:
    """Add what raised hands make: each fifth card beside the sets that do not hold it."""
    for fourth in range(len(made)):
        for fifth in range(len(made)):
            if fifth != fourth:
                tally.events[node, made[fourth, fifth]] += raised.sets[fourth] - raised.holding[fourth, fifth]


def _tally(hands: int) -> Tally:
    shapes = (_MASKS, 2, 4)
    events, folds, changed = (numpy.zeros((hands, width), dtype=numpy.int64) for width in shapes)
    return Tally(events, folds, changed)


def _histogram(tally: Tally, weights: Any) -> tuple[dict[int, int], tuple[dict[str, int], ...]]:
    """Return how often each facts code occurs of all deals, and how often each decision is taken."""
    events, folds = ((each.astype(object) * weights[:, None]).sum(axis=0).tolist() for each in tally[:2])
    histogram = {encode((facts.RAISED, made), _BOUNDS): int(number) for made, number in enumerate(events) if number}
    raised = sum(histogram.values())
    for course, number in ((facts.FOLDED_AT_FOUR, folds[0]), (facts.FOLDED_AT_THREE, folds[1])):
        if number:
            histogram[encode((course, 0), _BOUNDS)] = int(number)
    played = raised + folds[0]
    return histogram, ({"play": played, "fold": folds[1]}, {"raise": raised, "fold": folds[0]})


def play(kind: str, context: CountingContext, nets: Sequence[int]) -> SeenPlay:
    """Play the Ante for a player who sees a Treasure winner; `nets` is by facts code."""
    sets = sets_of(context.without_readings)
    here = sets.of_size(3)
    hands, weights = sets.cards[here], sets.weights[here].astype(object)
    codes = [encode((facts.RAISED, made), _BOUNDS) for made in range(_MASKS)]
    codes += [encode((course, 0), _BOUNDS) for course in (facts.FOLDED_AT_FOUR, facts.FOLDED_AT_THREE)]
    values = numpy.array([nets[code] for code in codes], dtype=numpy.int64)
    deck = numpy.concatenate((sets.wild, sets.natural))
    seeing, without = _tally(len(hands)), _tally(len(hands))
    loop = context.compiled(loop_hands)
    context.spread(lambda start, stop: loop(start, stop, hands, deck, values, seeing, without), len(hands))
    best, decided = _histogram(seeing, weights)
    plain, decided_without = _histogram(without, weights)
    changed = (seeing.changed.astype(object) * weights[:, None]).sum(axis=0).tolist()
    pairs = [("fold", "play"), ("play", "fold"), ("fold at four cards", "raise"), ("raise", "fold at four cards")]
    return SeenPlay(
        total=sum(best.values()),
        seeing=best,
        decided=decided,
        changes=dict(zip(pairs, changed, strict=True)),
        method=f"every three cards, suits renamed and wild cards exchanged, and every winning three seen ({kind})",
        without=plain,
        decided_without=decided_without,
    )
