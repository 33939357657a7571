"""A course of a wager's decisions: what a person learns first, in words, with hands that show it; every loss counted.

Where a decision is one of a few answers, a lesson is a line of `strategy`, and after those a kind of hands for which
the lines are wrong, the costliest first. Where cards are set into two hands, each hand has points for what it makes:
cards are set for the most points of both together, and doubled above a number of them.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy

from pitboss.cards import Card, card_text
from pitboss.odds import line_search
from pitboss.odds.pricing import UnitPays, unit_pays
from pitboss.odds.solving import counts_of, solve_terms
from pitboss.odds.store import OddsStore
from pitboss.odds.strategy import LINES_MAX, AnsweredQuestion, Search, condition_words, context_of, strategy_module
from pitboss.rules import Game, Terms
from pitboss.rules.counting import Counts
from pitboss.rules.features import Feature, HandsMade

_COST_MAX = Fraction(4, 10_000)
"""Lines are added while they cost more of the base wager than this, as long as there are few."""
_EXCEPTIONS_MAX = 40
_LEAST_LOSS = 1e-7
"""A kind of hands for which the lines lose less of the base wager is no lesson."""
_HANDS = 24
"""So many hands show a lesson."""
_SET_HANDS, _SET_POOL, _SET_SHOWN = 300, 20_000, 3
"""So many hands are set, chosen from so many; each shows how often the hands of its best settings win."""
_NEAR, _NEAR_WEIGHT, _FITS = 0.1, 30, 60
"""Settings that lose so little against the best weigh so much more where chances are fitted, in so many passes."""
_ALIKE = 2
"""So many hands above and below one that is learned are nearly learned with it."""
_POINTS = 1000
"""So many points are worth one base wager."""


class LessonHand(NamedTuple):
    """A hand that shows a lesson: the player's cards, those that lie open, and what is said of this hand alone."""

    player: tuple[str, ...]
    public: tuple[str, ...]
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson: where it holds at which level, and the answer there; `hands` show it.

    An exception goes before every line. A lesson without an answer is about setting two hands.
    """

    words: str
    level: int
    hands: tuple[LessonHand, ...]
    answer: int | None = None
    is_exception: bool = False
    holds: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandPoints:
    """The points of each of two hands by what it makes, the worst hand first; with more of both than this, double."""

    made: HandsMade
    first: Any
    second: Any
    double_above: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillCourse:
    """The lessons of a wager in the order in which they are taught, and the points where hands are set."""

    lessons: tuple[Lesson, ...]
    points: HandPoints | None = field(default=None, compare=False, repr=False)


@lru_cache(maxsize=2)
def make_course(game: Game, terms: Terms, *, store: OddsStore | None = None) -> DrillCourse:
    """Make the course of a game's main wager."""
    wager, module = game.main, strategy_module(game, game.main)
    counts, context = counts_of(game, wager, terms, store=store), context_of(game, wager, terms)
    if hasattr(module, "hands_made"):
        hands, pays = _Hands(module, wager.name, context), unit_pays(wager, terms)
        return _of_settings(hands, counts, module.hands_made(wager.name, context), pays)
    search = Search(game, wager, terms, counts, context)
    answered = _few_lines(search, solve_terms(game, wager, terms, store=store).ev)
    hands = _Hands(module, wager.name, context)
    lines = [lesson for question in answered for lesson in _lines(question, hands)]
    exceptions = [pair for question in answered for pair in _exceptions(search, question, hands)]
    exceptions.sort(key=lambda pair: -pair[0])
    return DrillCourse(lessons=(*lines, *(lesson for _, lesson in exceptions[:_EXCEPTIONS_MAX])))


def _few_lines(search: Search, optimal: Fraction) -> tuple[AnsweredQuestion, ...]:
    """Return the answers of the first strategy that costs little, or of the best with few lines."""
    best: tuple[Fraction, tuple[AnsweredQuestion, ...]] | None = None
    for _ in range(LINES_MAX):
        cost = search.step(optimal).cost
        if best is None or cost < best[0]:
            best = cost, search.answered
        if cost <= _COST_MAX:
            break
    assert best is not None
    return best[1]


class _Hands:
    """Draws hands of nodes, always the same ones."""

    def __init__(self, module: Any, wager: str, context: Any) -> None:
        self._module, self._wager, self._context = module, wager, context

    def of(self, level: int, node: int, words: str = "") -> LessonHand:
        """Return the hand of a node."""
        player, public = self._module.cards_at(self._wager, self._context, level, node)
        return LessonHand(_texts(player), _texts(public), words)

    def drawn(self, level: int, weights: Any, seed: int) -> tuple[LessonHand, ...]:
        """Draw hands that show a lesson, by how often they come up; none where it never does."""
        nodes = numpy.flatnonzero(weights)
        draw = random.Random(seed)  # noqa: S311 - examples, not shuffles
        chosen = draw.choices(nodes.tolist(), weights[nodes].tolist(), k=_HANDS) if len(nodes) else []
        return tuple(self.of(level, node) for node in dict.fromkeys(chosen))

    def details(self, level: int) -> tuple[Feature, ...]:
        """Return what is looked at beside the features of the lines."""
        details: tuple[Feature, ...] = ()
        if hasattr(self._module, "details"):
            details = self._module.details(self._wager, self._context, level)
        return details


def _texts(cards: Sequence[Card]) -> tuple[str, ...]:
    return tuple(map(card_text, cards))


def _lines(question: AnsweredQuestion, hands: _Hands) -> Iterator[Lesson]:
    """Make a lesson of every line that decides something; it holds wherever its words do."""
    plan, asked = question.plan, question.question
    answers = (*(rule.answer for rule in plan.rules), plan.otherwise)
    for place, answer in enumerate(answers):
        words, holds = "Otherwise", numpy.ones(len(question.index), dtype=bool)
        if place < len(plan.rules):
            condition = plan.rules[place].condition
            words = condition_words(question.features, condition)
            holds = question.cases.meeting(condition)[question.index]
        shown = hands.drawn(asked.level, numpy.where(question.lines == place, question.weights, 0), place)
        if shown:
            text = f"{words[0].upper()}{words[1:]}: {asked.answers[answer]}."
            yield Lesson(words=text, level=asked.level, hands=shown, answer=answer, holds=holds)


def _exceptions(search: Search, question: AnsweredQuestion, hands: _Hands) -> Iterator[tuple[float, Lesson]]:
    """Make a lesson of every kind of hands for which the lines are wrong, with what they lose of the base wager."""
    asked = question.question
    features = (*question.features, *hands.details(asked.level))
    level = search.counts.levels[asked.level]
    leads = numpy.arange(len(asked.answers), dtype=numpy.int8)[None, :, None]
    leads = numpy.broadcast_to(leads, (len(question.index), len(asked.answers), 1))
    cases, index = line_search.cases_of(
        level, search.nets, question.carried, question.weights, features, leads, search.penalty
    )
    answers = question.answers
    # A kind that the features of the lines tell apart is answered by one line.
    by_case = numpy.zeros(cases.seen.shape[1], dtype=numpy.int8)
    by_case[index] = answers
    lost = cases.lost(by_case) / search.base
    for case in numpy.argsort(-lost)[:_EXCEPTIONS_MAX].tolist():
        if lost[case] < _LEAST_LOSS:
            return
        holds, answer = index == case, int(cases.losses[:, case].argmin())
        shown = hands.drawn(asked.level, numpy.where(holds, question.weights, 0), case)
        words = f"An exception. {_kind_words(features, cases.seen[:, case])}: {asked.answers[answer]}."
        yield (
            float(lost[case]),
            Lesson(words=words, level=asked.level, hands=shown, answer=answer, is_exception=True, holds=holds),
        )


def _kind_words(features: Sequence[Feature], values: Any) -> str:
    """Describe hands of one kind by their ranks and by what they are."""
    phrases = []
    for feature, value in zip(features, values.tolist(), strict=True):
        if feature.between is not None:
            phrases.append(feature.between(value, value))
        elif (words := feature.at_least.get(value)) is not None and " or " not in words:
            phrases.append(words)
    text = ", ".join(phrases)
    return text[0].upper() + text[1:]


def _of_settings(hands: _Hands, counts: Counts, made: HandsMade, pays: UnitPays) -> DrillCourse:
    """Make the course of setting two hands: what each hand is good for, the hands that teach most of it first."""
    points = _fitted_points(counts, made, pays)
    sums = numpy.where(_there(made), points.first[made.first] + points.second[made.second], -_UNUSED)
    order = numpy.argsort(-sums, axis=1, kind="stable")[:, :_SET_SHOWN]
    nodes = _teaching_nodes(counts.levels[0].weights, made, order)
    shown = tuple(hands.of(0, node, _point_words(points, node, order[node])) for node in nodes)
    words = f"Set the hands for the most points of both together, and double above {points.double_above} points."
    return DrillCourse(lessons=(Lesson(words=words, level=0, hands=shown),), points=points)


_UNUSED = 1 << 30


def _there(made: HandsMade) -> Any:
    """Return for every node which of the settings it has."""
    return numpy.arange(made.first.shape[1]) < made.settings[:, None]


def _values(counts: Counts, pays: UnitPays, there: Any) -> Any:
    """Return what every setting wins of the base wager, not doubled."""
    (level,) = counts.levels
    nodes, places = there.shape
    nets, base = line_search.guiding_nets(counts, pays)
    leads = numpy.where(there, 2 * numpy.arange(places), -1).astype(numpy.int8)[:, :, None]
    nothing, own = numpy.zeros(0, dtype=numpy.int64), numpy.arange(nodes)
    worth = line_search.worth_of(level, nets, nothing, level.weights, leads, own, nodes).T
    return worth / (level.weights[:, None] * (base / int(level.weights.sum())))


def _fitted_points(counts: Counts, made: HandsMade, pays: UnitPays) -> HandPoints:
    """Fit to what every setting wins a sum of what its two hands are worth, closest where settings are good."""
    there, weights, size = _there(made), counts.levels[0].weights, len(made.names)
    value = numpy.where(there, _values(counts, pays, there), -9.0)
    weight = weights[:, None] * (1 + _NEAR_WEIGHT * (value >= value.max(axis=1, keepdims=True) - _NEAR))
    pair = (made.first.astype(numpy.int64) * size + made.second)[there]
    often = numpy.bincount(pair, weight[there], size * size).reshape(size, size)
    mean = numpy.bincount(pair, (weight * value)[there], size * size).reshape(size, size) / numpy.maximum(often, 1e-9)
    first, second = numpy.zeros(size), numpy.zeros(size)
    for _ in range(_FITS):
        first = (often * (mean - second)).sum(axis=1) / numpy.maximum(often.sum(axis=1), 1e-9)
        second = (often * (mean - first[:, None])).sum(axis=0) / numpy.maximum(often.sum(axis=0), 1e-9)
    lowest = first.min(), second.min()
    parts = [numpy.rint(_POINTS * (part - low)).astype(int) for part, low in zip((first, second), lowest, strict=True)]
    return HandPoints(made=made, first=parts[0], second=parts[1], double_above=round(-_POINTS * sum(lowest)))


def _teaching_nodes(weights: Any, made: HandsMade, order: Any) -> list[int]:
    """Choose hands that together teach what comes up most: each time the one with most that is not learned yet."""
    share = weights / weights.sum()
    rows = numpy.arange(len(order))[:, None]
    made_by_both = [side[rows, order] for side in (made.first, made.second)]
    there = numpy.take_along_axis(_there(made), order, axis=1)
    left = [numpy.bincount(side.ravel(), (share[:, None] * there).ravel(), len(made.names)) for side in made_by_both]
    draw = random.Random(0)  # noqa: S311 - examples, not shuffles
    pool = numpy.array(draw.choices(range(len(weights)), weights.tolist(), k=_SET_POOL))
    pooled, here = [side[pool] for side in made_by_both], there[pool]
    distance = numpy.abs(numpy.arange(len(made.names))[:, None] - numpy.arange(len(made.names)))
    fades = numpy.where(distance <= _ALIKE, distance / (_ALIKE + 1), 1.0)
    nodes = []
    for _ in range(_SET_HANDS):
        worth = numpy.where(here, sum(part[side] for part, side in zip(left, pooled, strict=True)), 0).sum(axis=1)
        best = int(worth.argmax())
        nodes.append(int(pool[best]))
        for part, side in zip(left, pooled, strict=True):
            numpy.multiply(part, fades[side[best][here[best]]].prod(axis=0), out=part)
    return nodes


def _point_words(points: HandPoints, node: int, order: Any) -> str:
    """Return what the hands of the best settings are worth."""
    made, texts = points.made, []
    for setting in order[order < made.settings[node]].tolist():
        one, two = int(made.first[node, setting]), int(made.second[node, setting])
        worth = int(points.first[one]), int(points.second[two])
        high, low = made.titles
        hands = f"{high} {made.names[one]} {worth[0]} + {low} {made.names[two]} {worth[1]}"
        texts.append(f"{hands} = {sum(worth)} points")
    return "; ".join(texts) + "."
