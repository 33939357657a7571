"""Decisions of 3 Card Double Play: what a player looks at, and compiled rounds that look decisions up and read facts.

A player looks at the kinds of hands that six cards make, High or Low first.
No pay and no rule of settlement is here.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy

from pitboss.cards import RANKS, Card, cards_text
from pitboss.games.three_card_double_play import facts
from pitboss.games.three_card_double_play.loops import Settings, settings
from pitboss.games.three_card_double_play.rules import GAME
from pitboss.poker import THREE_CARD
from pitboss.poker.scales import scale_of
from pitboss.rules.counting import CountingContext, chosen_places, pascal, set_number, spread_places
from pitboss.rules.facts import Hands, encode
from pitboss.rules.features import (
    Answers,
    Feature,
    HandsMade,
    HandSpec,
    NodeMatch,
    RowIndex,
    StrategyQuestion,
    suits_renamed,
)

_MAIN = "high-low"
_SET = (
    "How to set the hands? Low first: the best kind of Low Hand, and with it the best kind of High Hand; High first: "
    "the other way round. Then best Low: the best Low Hand that is left; best High: the highest pair in the Low Hand, "
    "then the best High Hand. The lines look at both ways with the best Low."
)
_WAYS = ("Low first, best Low", "Low first, best High", "High first, best Low", "High first, best High")
_DOUBLE = ("double", "do not double")
_HIGH_SIZE = 3
_KINDS, _VALUES = len(THREE_CARD.categories), THREE_CARD.classes
_DETAILS = {"high-card": 2, "pair": 1, "flush": 1, "straight": 1, "trips": 1, "straight-flush": 1}


def hand_specs(wager: str) -> tuple[HandSpec, ...]:
    """Return how many cards a player holds at each decision."""
    return (HandSpec(level=0, player=6),) if wager == _MAIN else ()


def questions(wager: str, context: CountingContext) -> tuple[StrategyQuestion, ...]:
    """Return the questions of a wager."""
    if wager != _MAIN:
        return ()
    by_node = settings(context)
    ways = _ways(context, by_node)
    scale = scale_of(THREE_CARD, _DETAILS)
    steps = numpy.array(scale.steps, dtype=numpy.int16)
    nodes = numpy.arange(len(ways))

    def hands_made(setting: Any, before: str = "") -> tuple[Feature, Feature]:
        return (
            Feature.of_scale(steps[by_node.highs[nodes, setting]], scale, f"{before}High "),
            Feature.of_scale(steps[by_node.lows[nodes, setting]], scale, f"{before}Low "),
        )

    both = (*hands_made(ways[:, 0], "Low first makes "), *hands_made(ways[:, 2], "High first makes "))
    open_to = numpy.stack((2 * ways, 2 * ways + 1), axis=2)

    def doubled(earlier: Answers) -> Any:
        setting = ways[nodes, earlier[0]]
        return numpy.stack((2 * setting + 1, 2 * setting), axis=1)[:, :, None]

    return (
        StrategyQuestion(level=0, words=_SET, answers=_WAYS, features=lambda _: both, leads_to=lambda _: open_to),
        StrategyQuestion(
            level=0,
            words="Double both hands?",
            answers=_DOUBLE,
            features=lambda earlier: hands_made(ways[nodes, earlier[0]]),
            leads_to=doubled,
        ),
    )


def loop_ways(start: int, stop: int, by_node: Any, kind: Any, pair: Any, ways: Any) -> None:
    """Find the setting that each of the ways takes: kinds first, then the Low Hand, or its pair and the High Hand."""
    for node in range(start, stop):
        for way in range(ways.shape[1]):
            best = -1
            for setting in range(by_node.used[node]):
                high, low = numpy.int64(by_node.highs[node, setting]), numpy.int64(by_node.lows[node, setting])
                first, second = (kind[low], kind[high]) if way < 2 else (kind[high], kind[low])
                third, last = (low, high) if way % 2 == 0 else (pair[low], high * _VALUES + low)
                key = ((first * _KINDS + second) * _VALUES + third) * _VALUES * _VALUES + last
                if key > best:
                    best = key
                    ways[node, way] = setting


def _ways(context: CountingContext, by_node: Settings) -> Any:
    categories = [THREE_CARD.category_of(value) for value in range(_VALUES)]
    kind = numpy.array([_KINDS - 1 - THREE_CARD.categories.index(category) for category in categories])
    pair = numpy.array([THREE_CARD.ranks_of(value)[0] + 1 for value in range(_VALUES)])
    pair[[category.name != "pair" for category in categories]] = 0
    ways = numpy.zeros((len(by_node.used), len(_WAYS)), dtype=numpy.int8)
    loop = context.compiled(loop_ways)
    context.spread(lambda start, stop: loop(start, stop, by_node, kind, pair, ways), len(ways))
    return ways


@lru_cache(maxsize=2)
def _class_index(context: CountingContext) -> RowIndex:
    return RowIndex(context.classes(6)[0])


def find(_wager: str, context: CountingContext, player: Sequence[Card], _public: Sequence[Card]) -> NodeMatch:
    """Find six cards among the nodes of the counts, and say each setting with these very cards."""
    names = suits_renamed(player)
    row = sorted(names.values())
    node = _class_index(context).find(row)
    if node is None:
        raise ValueError("no such cards")
    own, alike = {renamed: card for card, renamed in names.items()}, _equal_settings(player)
    words: list[str] = []
    answers: list[tuple[Mapping[str, Any], ...]] = []
    for places in settings(context).places[node].tolist():
        high = [own[row[place]] for place in range(6) if places >> place & 1]
        low = [card for card in sorted(player, reverse=True) if card not in high]
        setting_text = f"High {cards_text(sorted(high, reverse=True))}, Low {cards_text(low)}"
        words += [f"{setting_text}, not doubled", f"{setting_text}, doubled"]
        equals = tuple(sorted(alike.get(frozenset(high), ()), key=lambda one: set(one) != set(high)))
        answers += [tuple({"high": one, "double": doubled} for one in equals) for doubled in (False, True)]
    return NodeMatch(node=node, decisions=tuple(words), answers=tuple(answers))


def _equal_settings(cards: Sequence[Card]) -> dict[frozenset[Card], list[tuple[Card, ...]]]:
    """Return by High Hand every High Hand of these six cards with which both hands are worth the same."""
    worths = {high: THREE_CARD.value(high) for high in combinations(sorted(cards, reverse=True), _HIGH_SIZE)}
    alike: dict[tuple[int, int], list[tuple[Card, ...]]] = {}
    by_cards: dict[frozenset[Card], list[tuple[Card, ...]]] = {}
    for high, worth in worths.items():
        rest = tuple(card for card in sorted(cards, reverse=True) if card not in high)
        equals = alike.setdefault((worth, worths[rest]), [])
        equals.append(high)
        by_cards[frozenset(high)] = equals
    return by_cards


def cards_at(_wager: str, context: CountingContext, _level: int, node: int) -> tuple[list[Card], list[Card]]:
    """Return cards that stand at a node, and no open ones."""
    return context.classes(6)[0][node].tolist(), []


def hands_made(_wager: str, context: CountingContext) -> HandsMade:
    """Return what every setting of six cards makes of both hands; its decision is twice its place, one more doubled."""
    by_node = settings(context)
    names = tuple(f"{THREE_CARD.category_of(value).words} {_ranks_text(value)}" for value in range(_VALUES))
    return HandsMade(
        titles=("High", "Low"), names=names, first=by_node.highs, second=by_node.lows, settings=by_node.used
    )


def _ranks_text(value: int) -> str:
    return "-".join(RANKS[rank] for rank in THREE_CARD.ranks_of(value))


FOLDS = ()
_HIGH_LOW, _PICK_3, _PICK_5, _SUPER_3S, _SUPER_SIX = (wager.bounds for wager in GAME.wagers)
_CARDS = 6
_PLACES = (1 << _CARDS) - 1


class DoublePlayPlan(NamedTuple):
    """How six cards are set, by the number of the set: a bit for each card of the High Hand, ascending, and doubled.

    Where `decides` is not set nobody has High and Low wagers, and the hands lie as they fall.
    """

    choose: Any
    choices_by_set: Any
    decides: bool


def plan_of(context: CountingContext, choices: Mapping[str, list[Any]]) -> DoublePlayPlan:
    """Make the plan of decisions at the nodes of the counts."""
    choose = pascal(context.cards, _CARDS)
    if "high-low" not in choices:
        return DoublePlayPlan(choose, numpy.zeros(1, dtype=numpy.uint8), False)
    hands, _ = context.classes(_CARDS)
    (decisions,) = choices["high-low"]
    places = settings(context).places[numpy.arange(len(hands)), decisions // 2].astype(numpy.int64)
    return DoublePlayPlan(choose, spread_places(context, hands, decisions % 2 << _CARDS | places), True)


def decide(rounds: int, cards: Any, plan: DoublePlayPlan, choices: Any) -> None:
    """Write the decision of every seat.

    All are numbered before any is looked up: the table is large, and its answers are then waited for together.
    """
    seats = choices.shape[1]
    for place in range(rounds):
        for seat in range(seats):
            choices[place, seat, 0] = set_number(plan.choose, cards[place, 6 * seat : 6 * seat + 6], _CARDS)
    for place in range(rounds):
        for seat in range(seats):
            choices[place, seat, 0] = plan.choices_by_set[choices[place, seat, 0]]
    for place in range(rounds):
        for seat in range(seats):
            choice = choices[place, seat, 0]
            high = chosen_places(cards[place, 6 * seat : 6 * seat + 6], _CARDS, choice & _PLACES)
            choices[place, seat, 0], choices[place, seat, 1] = high, choice >> _CARDS


def loop_rounds(
    rounds: int, placed: Any, cards: Any, plan: DoublePlayPlan, tables: Any, readings: Any, choices: Any, codes: Any
) -> None:
    """Decide for every seat and read the facts of every wager that is wanted."""
    seats = codes.shape[1]
    if plan.decides:
        decide(rounds, cards, plan, choices)
    else:
        choices[:, :, 0], choices[:, :, 1] = _PLACES >> 3, 0
    for place in range(rounds):
        deal = cards[place]
        at = 6 * seats
        board = (deal[at], deal[at + 1], deal[at + 2], deal[at + 3], deal[at + 4])
        for seat in range(seats):
            at = 6 * seat
            player = (deal[at], deal[at + 1], deal[at + 2], deal[at + 3], deal[at + 4], deal[at + 5])
            hands = Hands(player, board, (choices[place, seat, 0], choices[place, seat, 1]), readings)
            code = codes[place, seat]
            if placed[0]:
                code[0] = encode(facts.read_high_low(hands, tables), _HIGH_LOW)
            if placed[1]:
                code[1] = encode(facts.read_pick_3(hands, tables), _PICK_3)
            if placed[2]:
                code[2] = encode(facts.read_pick_5(hands, tables), _PICK_5)
            if placed[3]:
                code[3] = encode(facts.read_super_3s(hands, tables), _SUPER_3S)
            if placed[4]:
                code[4] = encode(facts.read_super_six(hands, tables), _SUPER_SIX)
