"""What a player of Deuces Wild looks at: wild cards, pairs, and how near the cards are to a straight or a flush."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy

from pitboss.cards import ACE, Card, cards_text
from pitboss.games.deuces_wild.loops import SELECTIONS, CardSets, fourth_cards, node_of, sets_of
from pitboss.poker.made import is_wild
from pitboss.rules.counting import CountingContext
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
        return (HandSpec(level=0, player=3),)
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
        return NodeMatch(
            node=node, decisions=tuple(_selected(player, selection) for selection in range(len(SELECTIONS)))
        )
    if len(player) == 3:
        return NodeMatch(node=node, decisions=("play", "fold"))
    _, fourths, _ = fourth_cards(sets)
    return NodeMatch(node=int(numpy.flatnonzero(fourths == node)[0]), decisions=("raise", "fold"))


def _selected(player: Sequence[Card], selection: int) -> str:
    """Write which of these cards a selection takes; of wild cards any will do."""
    # In the counts' order of two of a rank the suit that is held less often comes first.
    names = suits_renamed([card for card in player if not is_wild(card)])
    natural = sorted(names, key=lambda card: -names[card])
    wild = [card for card in player if is_wild(card)]
    several = len(SELECTIONS) // 2
    cards = natural[selection : selection + 1] if selection < several else wild[: selection - several + 1]
    return f"select {cards_text(cards)}"
