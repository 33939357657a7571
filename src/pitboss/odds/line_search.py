"""The search for a short list of lines, "if this then that, otherwise the other", that loses least.

One search for every game: it knows cases that look alike to a person, as small whole numbers, and what each answer
loses in each case. It keeps a few of the best lists and gives each one more line wherever that saves most, then takes
out one line after the other and puts the best one in its place, until nothing is saved. All is done in integers and in
a fixed order, so that the same lists are found everywhere.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple, TypeVar

import numpy

from pitboss.odds.compiled import compiled, in_threads, make_compilable
from pitboss.odds.pricing import UnitPays
from pitboss.rules.counting import GOES_ON, Counts, DecisionLevel
from pitboss.rules.features import Feature

AT_LEAST, AT_MOST = 0, 1
# A condition found: what it saves less the price of its words, what it saves, the answer, then twice a feature
# (-1 for none), the side of its bound and the bound.
CONDITION_SIZE = 9


def loop_worth(
    start: int,
    stop: int,
    counts: Any,
    groups: Any,
    codes: Any,
    branches: Any,
    net: Any,
    carried: Any,
    weights: Any,
    leads: Any,
    cases: Any,
    worth: Any,
) -> None:
    """Add up by case what each answer is worth, the best of the decisions that it leaves open being taken."""
    for node in range(start, stop):
        weight = weights[node]
        if weight == 0:
            continue
        for answer in range(leads.shape[1]):
            best = 0
            none = True
            for place in range(leads.shape[2]):
                decision = leads[node, answer, place]
                if decision < 0:
                    continue
                branch = branches[decision]
                value = 0
                if branch < 0:
                    value = carried[node]
                else:
                    group = groups[node, branch]
                    for column in range(counts.shape[2]):
                        value += counts[node, branch, column] * net[codes[decision, group, column]]
                if none or value > best:
                    best = value
                    none = False
            worth[answer, cases[node]] += weight * best


def keep(
    best_condition: Any,
    price: int,
    saved: int,
    answer: int,
    one: int,
    side: int,
    bound: int,
    two: int,
    side2: int,
    bound2: int,
) -> int:
    """Keep a condition; the answer is what it saves less its price."""
    best_condition[0] = saved - price
    best_condition[1] = saved
    best_condition[2] = answer
    best_condition[3] = one
    best_condition[4] = side
    best_condition[5] = bound
    best_condition[6] = two
    best_condition[7] = side2
    best_condition[8] = bound2
    return saved - price


def one_feature(line: Any, low: int, prices: Any, answer: int, feature: int, best_condition: Any) -> None:
    """Try every bound of a feature, and every two bounds; `line` says what is saved at each value from the lowest."""
    last = low + len(line) - 1
    best = saved = 0
    for bound in range(last, low, -1):
        saved += line[bound - low]
        price = prices[AT_LEAST, bound]
        if saved - price > best:
            best = keep(best_condition, price, saved, answer, feature, AT_LEAST, bound, -1, 0, 0)
    saved = 0
    first, before = low, -prices[AT_LEAST, low]
    for bound in range(low, last):
        # Of the values up to a bound those from the best first one on are kept.
        if bound > low and (first == low or saved + prices[AT_LEAST, bound] < before + prices[AT_LEAST, first]):
            first, before = bound, saved
        saved += line[bound - low]
        price = prices[AT_MOST, bound]
        if saved - price > best:
            best = keep(best_condition, price, saved, answer, feature, AT_MOST, bound, -1, 0, 0)
        price += prices[AT_LEAST, first]
        if first > low and saved - before - price > best:
            best = keep(
                best_condition, price, saved - before, answer, feature, AT_LEAST, first, feature, AT_MOST, bound
            )


def two_features(table: Any, lows: Any, prices: Any, answer: int, one: int, two: int, best_condition: Any) -> None:
    """Try every bound of one feature with every bound of another.

    `table` says what is saved at each two values, from the lowest on.
    """
    rows, columns = table.shape
    for row in range(rows):
        for column in range(1, columns):
            table[row, column] += table[row, column - 1]
        if row:
            for column in range(columns):
                table[row, column] += table[row - 1, column]
    everything = table[rows - 1, columns - 1]
    best = 0
    for row in range(rows - 1):
        x = lows[one] + row
        upper, lower = prices[one, AT_MOST, x], prices[one, AT_LEAST, x + 1]
        beside = table[row, columns - 1]
        for column in range(columns - 1):
            y = lows[two] + column
            left, right = prices[two, AT_MOST, y], prices[two, AT_LEAST, y + 1]
            corner, below = table[row, column], table[rows - 1, column]
            rest = everything - below - beside + corner
            above = max(corner - left, beside - corner - right) - upper
            if max(above, max(below - corner - left, rest - right) - lower) <= best:
                continue
            if corner - upper - left > best:
                best = keep(best_condition, upper + left, corner, answer, one, AT_MOST, x, two, AT_MOST, y)
            if beside - corner - upper - right > best:
                best = keep(
                    best_condition, upper + right, beside - corner, answer, one, AT_MOST, x, two, AT_LEAST, y + 1
                )
            if below - corner - lower - left > best:
                best = keep(best_condition, lower + left, below - corner, answer, one, AT_LEAST, x + 1, two, AT_MOST, y)
            if rest - lower - right > best:
                best = keep(best_condition, lower + right, rest, answer, one, AT_LEAST, x + 1, two, AT_LEAST, y + 1)


def loop_conditions(seen: Any, prices: Any, saves: Any, conditions: Any) -> None:
    """For every one or two features and every answer find the bounds between which that answer saves most.

    `seen` is by feature and case, `saves` by answer and case; a bound has a price for its words.
    """
    features, cases = seen.shape
    answers = len(saves)
    lows, sizes = numpy.zeros(features, dtype=numpy.int64), numpy.zeros(features, dtype=numpy.int64)
    for feature in range(features):
        lows[feature] = seen[feature].min()
        sizes[feature] = seen[feature].max() - lows[feature] + 1
    room = numpy.zeros(answers * sizes.max() * sizes.max(), dtype=numpy.int64)
    place = 0
    for one in range(features):
        for two in range(one, features):
            rows, columns = sizes[one], sizes[two] if two > one else 1
            tables = room[: answers * rows * columns]
            tables[:] = 0
            for case in range(cases):
                at = seen[one, case] - lows[one]
                if two > one:
                    at = at * columns + seen[two, case] - lows[two]
                for answer in range(answers):
                    tables[answer * rows * columns + at] += saves[answer, case]
            for answer in range(answers):
                table = tables[answer * rows * columns : (answer + 1) * rows * columns]
                if two > one:
                    two_features(table.reshape(rows, columns), lows, prices, answer, one, two, conditions[place])
                else:
                    one_feature(table, lows[one], prices[one], answer, one, conditions[place])
                place += 1


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


class LinePlan(NamedTuple):
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
        """Return of every case whether it meets a condition."""
        met = numpy.ones(self.seen.shape[1], dtype=bool)
        for feature, side, bound in condition:
            met &= self.seen[feature] >= bound if side == AT_LEAST else self.seen[feature] <= bound
        return met

    def lines_of(self, plan: LinePlan) -> Any:
        """Return of every case which line decides it."""
        line = numpy.full(self.seen.shape[1], len(plan.rules), dtype=numpy.int64)
        for place in reversed(range(len(plan.rules))):
            line[self.meeting(plan.rules[place].condition)] = place
        return line

    def answers_of(self, plan: LinePlan) -> Any:
        """Return of every case which answer a plan gives."""
        answers = numpy.array([*(rule.answer for rule in plan.rules), plan.otherwise], dtype=numpy.int64)
        return answers[self.lines_of(plan)]

    def lost(self, answers: Any) -> Any:
        """Return of every case what these answers lose."""
        return self.losses[answers, numpy.arange(len(answers))]

    def price(self, condition: tuple[Bound, ...]) -> int:
        """What the words of a condition cost."""
        return sum(int(self.prices[bound]) for bound in condition)

    def cost(self, plan: LinePlan) -> int:
        """What a plan costs: what it loses, and its words."""
        return int(self.lost(self.answers_of(plan)).sum()) + sum(self.price(rule.condition) for rule in plan.rules)


class _Ranked(NamedTuple):
    cost: int
    plan: LinePlan


def _rank(cases: Cases, rules: tuple[Rule, ...]) -> _Ranked:
    """Complete rules by the best answer to what they leave over."""
    left = cases.lines_of(LinePlan(rules, 0)) == len(rules)
    plan = LinePlan(rules, int(cases.losses[:, left].sum(axis=1).argmin()))
    return _Ranked(cases.cost(plan), plan)


def _conditions(cases: Cases, saves: Any, chosen: Any) -> Any:
    """Find the best condition for every one or two features and every answer, the best first."""
    make_compilable(sys.modules[__name__])
    features = len(cases.seen)
    conditions = numpy.zeros((features * (features + 1) // 2 * len(saves), CONDITION_SIZE), dtype=numpy.int64)
    if len(chosen):
        compiled(loop_conditions)(cases.seen[:, chosen], cases.prices, saves[:, chosen], conditions)
    order = numpy.argsort(-conditions[:, 0], kind="stable")
    return conditions[order[: int((conditions[:, 0] > 0).sum())]]


def _condition(row: Any) -> tuple[Bound, ...]:
    one, side, bound, two, side2, bound2 = map(int, row[3:])
    return (Bound(one, side, bound), *([Bound(two, side2, bound2)] if two >= 0 else []))


def _rules(cases: Cases, saves: Any, chosen: Any, tried: int) -> list[tuple[int, Rule]]:
    """Find rules for the cases chosen, each with what it saves: the best of one or two bounds, and narrower ones."""
    best = _conditions(cases, saves, chosen)[:tried]
    rules = [(int(row[0]), Rule(_condition(row), int(row[2]))) for row in best]
    return rules + [narrower for _, rule in rules[:1] for narrower in _narrower(cases, saves, chosen, rule)]


def _narrower(cases: Cases, saves: Any, chosen: Any, rule: Rule) -> list[tuple[int, Rule]]:
    """Find rules that keep one bound of a rule and have two more."""
    rules = []
    for first in rule.condition:
        within = chosen[cases.meeting((first,))[chosen]]
        for row in _conditions(cases, saves, within)[:1]:
            more = _condition(row)
            closer = any(bound[:2] == first[:2] for bound in more)
            condition = more if closer else (first, *more)
            rules.append((int(row[1]) - cases.price(condition), Rule(condition, int(row[2]))))
    return rules


def _with_one_more(cases: Cases, plan: LinePlan, tried: int) -> list[_Ranked]:
    """Put one more rule at every place of a plan, the best ones for that place."""
    saves = cases.lost(cases.answers_of(plan)) - cases.losses
    cost, line = cases.cost(plan), cases.lines_of(plan)
    return [
        _Ranked(cost - saved, LinePlan((*plan.rules[:place], rule, *plan.rules[place:]), plan.otherwise))
        for place in range(plan.lines)
        for saved, rule in _rules(cases, saves, numpy.flatnonzero(line >= place), tried)
    ]


def refined(cases: Cases, plan: LinePlan) -> LinePlan:
    """Replace each rule in turn by the best one for its place, or by none, while that costs less."""
    best = _rank(cases, plan.rules)
    for _ in range(_PASSES):
        before = best.cost
        for place in range(len(plan.rules)):
            rest = _rank(cases, best.plan.rules[:place] + best.plan.rules[place + 1 :])
            others = [rest, *_with_one_more(cases, rest.plan, 1)]
            if best.plan.otherwise != rest.plan.otherwise:
                others += _with_one_more(cases, LinePlan(rest.plan.rules, best.plan.otherwise), 1)
            other = min(others, key=lambda ranked: ranked.cost)
            if other.cost < best.cost:
                best = _rank(cases, other.plan.rules)
        if best.cost == before:
            break
    return best.plan


def _different(cases: Cases, plans: list[_Ranked], width: int) -> list[_Ranked]:
    """Keep the best plans, of those that answer alike the first."""
    best: dict[bytes, _Ranked] = {}
    for ranked in sorted(plans, key=lambda ranked: ranked.cost):
        best.setdefault(cases.answers_of(ranked.plan).astype(numpy.int8).tobytes(), ranked)
        if len(best) == width:
            break
    return list(best.values())


def _on_every_core(work: Callable[[T], Any], items: Sequence[T]) -> list[Any]:
    """Run work on every item, on every core."""
    if not items:
        return []
    pieces = in_threads(lambda start, stop: [work(item) for item in items[start:stop]], len(items), pieces=len(items))
    return [answer for piece in pieces for answer in piece]


def one_line(cases: Cases) -> tuple[LinePlan, ...]:
    """Return the plans of one line, best first."""
    answers = range(len(cases.losses))
    return tuple(LinePlan((), answer) for answer in sorted(answers, key=lambda answer: int(cases.losses[answer].sum())))


def one_line_more(cases: Cases, plans: tuple[LinePlan, ...]) -> tuple[LinePlan, ...]:
    """Return plans of at most one line more than these, best first."""
    grown = [
        ranked for more in _on_every_core(lambda plan: _with_one_more(cases, plan, _TRIED), plans) for ranked in more
    ]
    ranked = _on_every_core(
        lambda plan_ranked: _rank(cases, plan_ranked.plan.rules), _different(cases, grown, 2 * _WIDTH)
    )
    ranked += [_rank(cases, plan.rules) for plan in plans]
    best = [plan_ranked.plan for plan_ranked in _different(cases, ranked, _WIDTH)]
    best[:_REFINED] = _on_every_core(lambda plan: refined(cases, plan), best[:_REFINED])
    return tuple(
        plan_ranked.plan for plan_ranked in _different(cases, [_rank(cases, plan.rules) for plan in best], _WIDTH)
    )


_SAFE = 1 << 58
# More than all that can be saved, and twice as much still fits 64 bits.
_UNSAID = 1 << 60
# Fewer kinds of cases than this are numbered by a table, more by sorting.
_TABLE = 1 << 24


def guiding_nets(counts: Counts, pays: UnitPays) -> tuple[Any, int]:
    """Return what each facts code pays in whole numbers, and what one base stake over all deals is in these.

    They guide the search and are rounded down where sums over all deals would not fit 64 bits; prices are exact.
    """
    scale = pays.scale
    nets = [int(pay * scale) for pay in pays.net]
    shift = max(0, (counts.total * max(map(abs, nets))).bit_length() - _SAFE.bit_length())
    return numpy.array([net >> shift for net in nets], dtype=numpy.int64), counts.total * scale >> shift


def reaching(counts: Counts, choices: Sequence[Any]) -> list[Any]:
    """Return for every node of every level how many deals lead there under these choices, each over its parent's."""
    reached: list[Any] = []
    for place, level in enumerate(counts.levels):
        if not place:
            reached.append(level.weights)
            continue
        above = counts.levels[place - 1]
        goes_on = numpy.array(above.branches)[choices[place - 1]] == GOES_ON
        reached.append(level.weights * (reached[-1] * goes_on)[level.parents])
    return reached


def worth_of(level: DecisionLevel, nets: Any, carried: Any, weights: Any, leads: Any, index: Any, size: int) -> Any:
    """Add up by answer and index what the nodes of a level are worth, so often as they weigh."""
    run = compiled(loop_worth)

    def piece(start: int, stop: int) -> Any:
        worth = numpy.zeros((leads.shape[1], size), dtype=numpy.int64)
        branches = numpy.array(level.branches)
        arrays = (level.counts, level.groups, level.codes, branches, nets, carried, weights, leads, index)
        run(start, stop, *arrays, worth)
        return worth

    return sum(in_threads(piece, len(weights)))


def _numbered(features: Sequence[Feature], nodes: int) -> tuple[Any, Any]:
    """Number the cases: by feature what is seen in each case, and the case of every node."""
    sizes = [int(feature.values.max(initial=0)) + 1 for feature in features]
    keys = numpy.zeros(nodes, dtype=numpy.int64)
    assert prod(sizes) < _SAFE
    for feature, size in zip(features, sizes, strict=True):
        keys *= size
        keys += feature.values
    if prod(sizes) < _TABLE:
        there = numpy.zeros(prod(sizes), dtype=bool)
        there[keys] = True
        case_keys = numpy.flatnonzero(there)
        place = numpy.zeros(len(there), dtype=numpy.int32)
        place[case_keys] = numpy.arange(len(case_keys), dtype=numpy.int32)
        index = place[keys]
    else:
        case_keys, inverse = numpy.unique(keys, return_inverse=True)
        index = inverse.astype(numpy.int32)
    seen = []
    for size in reversed(sizes):
        case_keys, values = numpy.divmod(case_keys, size)
        seen.append(values.astype(numpy.int16))
    return numpy.array(seen[::-1]), index


def cases_of(
    level: DecisionLevel, nets: Any, carried: Any, weights: Any, features: Sequence[Feature], leads: Any, penalty: int
) -> tuple[Cases, Any]:
    """Return the cases of a level for the search, those without a difference left in, and the case of every node."""
    seen, index = _numbered(features, len(weights))
    worth = worth_of(level, nets, carried, weights, leads, index, seen.shape[1])
    return Cases(seen, worth.max(axis=0) - worth, _prices(features, penalty)), index


def _prices(features: Sequence[Feature], penalty: int) -> Any:
    """Return the price of every bound's words; what a hand is at most takes one word more to think of."""
    longest = max(int(feature.values.max(initial=0)) for feature in features) + 1
    prices = numpy.full((len(features), 2, longest), _UNSAID, dtype=numpy.int64)
    for place, feature in enumerate(features):
        for side, words in ((AT_LEAST, feature.at_least), (AT_MOST, feature.at_most)):
            for bound, text in words.items():
                if bound < longest:
                    prices[place, side, bound] = (len(text.split()) + side) * penalty
    return prices
