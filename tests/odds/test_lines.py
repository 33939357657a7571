"""The search for lines on small cases: against every rule there is, and what it must never do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy
import pytest

from pitboss.odds.line_search import AT_LEAST, AT_MOST, Bound, Cases, LinePlan, Rule, one_line, one_line_more, refined

UNSAID = 1 << 60


def random_cases(seed: int, *, price: int = 0) -> Cases:
    """Three features of five, four and two values, three answers."""
    random = numpy.random.default_rng(seed)
    sizes = (5, 4, 2)
    seen = numpy.array(list(product(*map(range, sizes))), dtype=numpy.int16).T
    losses = random.integers(0, 100, (3, seen.shape[1]))
    losses -= losses.min(axis=0)
    prices = numpy.full((3, 2, 5), UNSAID, dtype=numpy.int64)
    for feature, size in enumerate(sizes):
        prices[feature, AT_LEAST, 1:size] = price
        prices[feature, AT_MOST, : size - 1] = price
    # One bound that nobody can say.
    prices[0, AT_LEAST, 2] = UNSAID
    return Cases(seen, losses, prices)


def conditions(cases: Cases, most: int) -> Iterator[tuple[Bound, ...]]:
    bounds = [
        Bound(int(feature), int(side), int(bound)) for feature, side, bound in numpy.argwhere(cases.prices < UNSAID)
    ]
    for size in range(1, most + 1):
        yield from combinations(bounds, size)


def plain_cost(cases: Cases, plan: LinePlan) -> int:
    """What a plan costs, case by case."""
    total = sum(int(cases.prices[bound]) for rule in plan.rules for bound in rule.condition)
    for case in range(cases.seen.shape[1]):
        answer = plan.otherwise
        for rule in reversed(plan.rules):
            if all(
                cases.seen[feature, case] >= bound if side == AT_LEAST else cases.seen[feature, case] <= bound
                for feature, side, bound in rule.condition
            ):
                answer = rule.answer
        total += int(cases.losses[answer, case])
    return total


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("price", [0, 40])
def test_one_rule_is_the_best_there_is_of_two_bounds(seed: int, price: int) -> None:
    cases = random_cases(seed, price=price)
    found = one_line_more(cases, one_line(cases))[0]
    every = [
        cases.cost(LinePlan((Rule(condition, answer),), otherwise))
        for condition in conditions(cases, 2)
        for answer in range(3)
        for otherwise in range(3)
    ]
    assert plain_cost(cases, found) == cases.cost(found) <= min(*every, cases.cost(one_line(cases)[0]))


@pytest.mark.parametrize("seed", range(3))
def test_no_step_costs_more_than_the_one_before_and_none_has_more_lines_than_it_may(seed: int) -> None:
    cases = random_cases(seed, price=3)
    plans = one_line(cases)
    cost = cases.cost(plans[0])
    for lines in range(2, 7):
        plans = one_line_more(cases, plans)
        assert cases.cost(plans[0]) <= cost
        assert all(plan.lines <= lines for plan in plans)
        assert all(int(cases.prices[bound]) < UNSAID for rule in plans[0].rules for bound in rule.condition)
        cost = cases.cost(plans[0])
        assert cost == plain_cost(cases, plans[0])
    assert cases.cost(refined(cases, plans[0])) <= cost


def test_a_rule_that_saves_less_than_its_words_cost_is_not_kept() -> None:
    cases = random_cases(1, price=10**6)
    assert 1 == one_line_more(cases, one_line(cases))[0].lines


def test_a_plan_that_loses_nothing_is_found_where_there_is_one() -> None:
    cases = random_cases(2)
    wanted = LinePlan((Rule((Bound(0, AT_LEAST, 3),), 2), Rule((Bound(1, AT_MOST, 1), Bound(2, AT_LEAST, 1)), 1)), 0)
    losses: Any = numpy.full(cases.losses.shape, 10)
    losses[cases.answers_of(wanted), numpy.arange(losses.shape[1])] = 0
    easy = Cases(cases.seen, losses, cases.prices)
    found = one_line_more(easy, one_line_more(easy, one_line(easy)))[0]
    assert 0 == plain_cost(easy, found)
