"""The search for a short list of lines, "if this then that, otherwise the other", that loses least.

One search for every game: it knows cases that look alike to a person, as small whole numbers, and what each answer
loses in each case. It keeps a few of the best lists and gives each one more line wherever that saves most, then takes
out one line after the other and puts the best one in its place, until nothing is saved. All is done in integers and in
a fixed order, so that the same lists are found everywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy

from pitboss.odds import line_loops
from pitboss.odds.compiled import compiled, in_threads, make_compilable
from pitboss.odds.line_loops import AT_LEAST, FOUND, loop_conditions

__all__ = ["Bound", "Cases", "Plan", "Rule", "one_line", "one_line_more", "refined"]

_WIDTH = 8
_TRIED = 4
_REFINED = 3
_PASSES = 4

T = TypeVar("T")


class Bound(NamedTuple):
    """A feature is at least, or at most, so much."""

    feature: int
    side: int
    bound: int


class Rule(NamedTuple):
    """Where all these bounds hold, this answer is given."""

    condition: tuple[Bound, ...]
    answer: int


class Plan(NamedTuple):
    """A list of rules, of which the first that applies is followed, and the answer where none does."""

    rules: tuple[Rule, ...]
    otherwise: int

    @property
    def lines(self) -> int:
        """How many lines a person reads."""
        return len(self.rules) + 1


@dataclass(frozen=True, eq=False)
class Cases:
    """Cases that a person tells apart: `seen` by feature and case, `losses` by answer and case, the best losing 0.

    `prices` says by feature and side what each bound costs for its words, so that of conditions that save alike the
    shorter is taken; a bound that cannot be said costs more than can be saved.
    """

    seen: Any
    losses: Any
    prices: Any

    def meeting(self, condition: tuple[Bound, ...]) -> Any:
        """Say of every case whether it meets a condition."""
        met = numpy.ones(self.seen.shape[1], dtype=bool)
        for feature, side, bound in condition:
            met &= self.seen[feature] >= bound if side == AT_LEAST else self.seen[feature] <= bound
        return met

    def lines_of(self, plan: Plan) -> Any:
        """Say of every case which line decides it."""
        line = numpy.full(self.seen.shape[1], len(plan.rules), dtype=numpy.int64)
        for place in reversed(range(len(plan.rules))):
            line[self.meeting(plan.rules[place].condition)] = place
        return line

    def answers_of(self, plan: Plan) -> Any:
        """Say of every case which answer a plan gives."""
        answers = numpy.array([*(rule.answer for rule in plan.rules), plan.otherwise], dtype=numpy.int64)
        return answers[self.lines_of(plan)]

    def lost(self, answers: Any) -> Any:
        """Say of every case what these answers lose."""
        return self.losses[answers, numpy.arange(len(answers))]

    def price(self, condition: tuple[Bound, ...]) -> int:
        """What the words of a condition cost."""
        return sum(int(self.prices[bound]) for bound in condition)

    def cost(self, plan: Plan) -> int:
        """What a plan costs: what it loses, and its words."""
        return int(self.lost(self.answers_of(plan)).sum()) + sum(self.price(rule.condition) for rule in plan.rules)


class _Ranked(NamedTuple):
    cost: int
    plan: Plan


def _rank(cases: Cases, rules: tuple[Rule, ...]) -> _Ranked:
    """Complete rules by the best answer to what they leave over."""
    left = cases.lines_of(Plan(rules, 0)) == len(rules)
    plan = Plan(rules, int(cases.losses[:, left].sum(axis=1).argmin()))
    return _Ranked(cases.cost(plan), plan)


def _conditions(cases: Cases, saves: Any, chosen: Any) -> Any:
    """Find the best condition for every one or two features and every answer, the best first."""
    make_compilable(sys.modules[line_loops.__name__])
    features = len(cases.seen)
    found = numpy.zeros((features * (features + 1) // 2 * len(saves), FOUND), dtype=numpy.int64)
    if len(chosen):
        compiled(loop_conditions)(cases.seen[:, chosen], cases.prices, saves[:, chosen], found)
    order = numpy.argsort(-found[:, 0], kind="stable")
    return found[order[: int((found[:, 0] > 0).sum())]]


def _condition(found: Any) -> tuple[Bound, ...]:
    one, side, bound, two, side2, bound2 = map(int, found[3:])
    return (Bound(one, side, bound), *([Bound(two, side2, bound2)] if two >= 0 else []))


def _rules(cases: Cases, saves: Any, chosen: Any, tried: int) -> list[tuple[int, Rule]]:
    """Find rules for the cases chosen, each with what it saves: the best of one or two bounds, and narrower ones."""
    best = _conditions(cases, saves, chosen)[:tried]
    rules = [(int(found[0]), Rule(_condition(found), int(found[2]))) for found in best]
    return rules + [narrower for _, rule in rules[:1] for narrower in _narrower(cases, saves, chosen, rule)]


def _narrower(cases: Cases, saves: Any, chosen: Any, rule: Rule) -> list[tuple[int, Rule]]:
    """Find rules that keep one bound of a rule and have two more."""
    rules = []
    for first in rule.condition:
        within = chosen[cases.meeting((first,))[chosen]]
        for found in _conditions(cases, saves, within)[:1]:
            more = _condition(found)
            closer = any(bound[:2] == first[:2] for bound in more)
            condition = more if closer else (first, *more)
            rules.append((int(found[1]) - cases.price(condition), Rule(condition, int(found[2]))))
    return rules


def _with_one_more(cases: Cases, plan: Plan, tried: int) -> list[_Ranked]:
    """Put one more rule at every place of a plan, the best ones for that place."""
    saves = cases.lost(cases.answers_of(plan)) - cases.losses
    cost, line = cases.cost(plan), cases.lines_of(plan)
    return [
        _Ranked(cost - saved, Plan((*plan.rules[:place], rule, *plan.rules[place:]), plan.otherwise))
        for place in range(plan.lines)
        for saved, rule in _rules(cases, saves, numpy.flatnonzero(line >= place), tried)
    ]


def refined(cases: Cases, plan: Plan) -> Plan:
    """Take out each rule in turn and put the best one in its place, or none, while that costs less."""
    best = _rank(cases, plan.rules)
    for _ in range(_PASSES):
        before = best.cost
        for place in range(len(plan.rules)):
            rest = _rank(cases, best.plan.rules[:place] + best.plan.rules[place + 1 :])
            others = [rest, *_with_one_more(cases, rest.plan, 1)]
            if best.plan.otherwise != rest.plan.otherwise:
                others += _with_one_more(cases, Plan(rest.plan.rules, best.plan.otherwise), 1)
            other = min(others, key=lambda ranked: ranked.cost)
            if other.cost < best.cost:
                best = _rank(cases, other.plan.rules)
        if best.cost == before:
            break
    return best.plan


def _different(cases: Cases, plans: list[_Ranked], width: int) -> list[_Ranked]:
    """Keep the best plans, of those that answer alike the first."""
    kept: dict[bytes, _Ranked] = {}
    for ranked in sorted(plans, key=lambda ranked: ranked.cost):
        kept.setdefault(cases.answers_of(ranked.plan).astype(numpy.int8).tobytes(), ranked)
        if len(kept) == width:
            break
    return list(kept.values())


def _each(work: Callable[[T], Any], items: Sequence[T]) -> list[Any]:
    """Do work on every item, on every core."""
    if not items:
        return []
    pieces = in_threads(lambda start, stop: [work(item) for item in items[start:stop]], len(items), pieces=len(items))
    return [answer for piece in pieces for answer in piece]


def one_line(cases: Cases) -> tuple[Plan, ...]:
    """Give the plans of one line, best first."""
    answers = range(len(cases.losses))
    return tuple(Plan((), answer) for answer in sorted(answers, key=lambda answer: int(cases.losses[answer].sum())))


def one_line_more(cases: Cases, plans: tuple[Plan, ...]) -> tuple[Plan, ...]:
    """Give plans of at most one line more than these, best first."""
    grown = [ranked for more in _each(lambda plan: _with_one_more(cases, plan, _TRIED), plans) for ranked in more]
    ranked = _each(lambda each: _rank(cases, each.plan.rules), _different(cases, grown, 2 * _WIDTH))
    ranked += [_rank(cases, plan.rules) for plan in plans]
    best = [each.plan for each in _different(cases, ranked, _WIDTH)]
    best[:_REFINED] = _each(lambda plan: refined(cases, plan), best[:_REFINED])
    return tuple(each.plan for each in _different(cases, [_rank(cases, plan.rules) for plan in best], _WIDTH))
