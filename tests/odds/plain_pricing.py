"""Pricing once more, the plain way: numpy sums with Python integers, nothing compiled. A second road for the tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy

from pitboss.odds.pricing import Priced, UnitPays
from pitboss.rules.counting import GOES_ON, Counts, DecisionLevel

_SAFE = 1 << 62


def _products(level: DecisionLevel, column_values: Any) -> Any:
    """For each node and decision add up counts times the values of the columns' codes, exactly."""
    nodes = len(level.weights)
    most = int(level.counts.sum(axis=2).max(initial=0)) * int(numpy.abs(column_values).max(initial=0))
    # Python's own integers where 64 bits might not hold a sum.
    kind = numpy.int64 if most < _SAFE else object
    column_values = column_values.astype(kind)
    out = numpy.zeros((nodes, len(level.decisions)), dtype=kind)
    for decision, branch in enumerate(level.branches):
        if branch == GOES_ON:
            continue
        values = column_values[level.codes[decision]]
        groups = level.groups[:, branch]
        out[:, decision] = (level.counts[:, branch, :] * values[groups]).sum(axis=1)
    return out


def best_decisions(counts: Counts, pays: UnitPays) -> list[Any]:
    """Choose at every node the decision that is worth most (G-18 where two are equal), from the last level up."""
    if all(len(level.decisions) == 1 for level in counts.levels):
        return [numpy.zeros(len(level.weights), dtype=numpy.int64) for level in counts.levels]
    values = _column_values(pays)
    if len(counts.levels) == 1:
        return [_best_of_one_level(counts.levels[0], values)]
    chosen: list[Any] = []
    below: tuple[Any, ...] | None = None
    for level in reversed(counts.levels):
        figures = [_products(level, column) for column in values]
        if below is not None:
            _carry_up(level, below, figures)
        choice = _first_best(*figures)
        chosen.append(choice)
        rows = numpy.arange(len(choice))
        below = (level, *(figure[rows, choice] for figure in figures))
    return chosen[::-1]


def _column_values(pays: UnitPays) -> tuple[Any, Any, Any]:
    """Give by facts code, as whole numbers: the net, the chips at risk, the square of the net."""
    scale = pays.scale
    net = numpy.array([int(pay * scale) for pay in pays.net], dtype=object)
    return net, numpy.array(pays.staked, dtype=object), net * net


def worth_of(level: DecisionLevel, pays: UnitPays) -> Any:
    """Give what each decision at each node is worth, up to a common factor; what is not allowed is worth least."""
    return _allowed_only(level, _products(level, _column_values(pays)[0]))


def _allowed_only(level: DecisionLevel, worth: Any) -> Any:
    return worth if level.allowed is None else numpy.where(level.allowed.astype(bool), worth, -_SAFE)


def _best_of_one_level(level: DecisionLevel, values: tuple[Any, Any, Any]) -> Any:
    """Take what is worth most, and look at wager and variance only at the nodes where two are worth the same."""
    worth = _allowed_only(level, _products(level, values[0]))
    choice = worth.argmax(axis=1)
    tied = numpy.flatnonzero((worth == worth.max(axis=1, keepdims=True)).sum(axis=1) > 1)
    if len(tied):
        part = replace(level, weights=level.weights[tied], counts=level.counts[tied], groups=level.groups[tied])
        choice[tied] = _first_best(worth[tied], _products(part, values[1]), _products(part, values[2]))
    return choice


def _carry_up(level: DecisionLevel, below: tuple[Any, ...], figures: list[Any]) -> None:
    """Give the decision that goes on the sum over the nodes below it."""
    lower, *best = below
    going_on = level.branches.index(GOES_ON)
    for figure, value in zip(figures, best, strict=True):
        most = int(numpy.abs(value).max(initial=0)) * int(lower.weights.sum())
        kind = numpy.int64 if most < _SAFE and figure.dtype != object else object
        sums = numpy.zeros(len(level.weights), dtype=kind)
        numpy.add.at(sums, lower.parents, value.astype(kind) * lower.weights)
        figure[:, going_on] = sums


def _first_best(worth: Any, risk: Any, spread: Any) -> Any:
    """Take the decision worth most; of equals the smaller wager, then the smaller variance, then the first listed."""
    candidates = worth == worth.max(axis=1, keepdims=True)
    for figure in (risk, spread):
        limited = numpy.where(candidates, figure, _SAFE)
        candidates &= limited == limited.min(axis=1, keepdims=True)
    return candidates.argmax(axis=1)


def price(counts: Counts, pays: UnitPays, choices: list[Any] | None = None) -> Priced:
    """Follow the choices (optimal ones where none are given) and add up how often each facts code occurs."""
    chosen = best_decisions(counts, pays) if choices is None else choices
    histogram: dict[int, int] = {}
    decisions: list[dict[str, int]] = []
    reach: Any = None
    for level, choice in zip(counts.levels, chosen, strict=True):
        weight = level.weights if reach is None else level.weights * reach[level.parents]
        taken: dict[str, int] = {}
        going: Any = numpy.zeros(len(level.weights), dtype=numpy.int64)
        for decision, branch in enumerate(level.branches):
            here = numpy.where(choice == decision, weight, 0)
            taken[level.decisions[decision]] = int(here.sum())
            if branch == GOES_ON:
                going = here
            else:
                _add_codes(level, decision, branch, here, histogram)
        decisions.append(taken)
        reach = going
    assert sum(histogram.values()) == counts.total, "the counts do not add up to all deals"
    return Priced(counts.total, histogram, tuple(decisions))


def _add_codes(level: DecisionLevel, decision: int, branch: int, weight: Any, histogram: dict[int, int]) -> None:
    """Add the weighted counts of one decision to the histogram, group by group."""
    used = numpy.flatnonzero(weight)
    groups = level.groups[used, branch]
    weighed = level.counts[used, branch, :] * weight[used, None]
    for group in numpy.unique(groups):
        columns = weighed[groups == group].sum(axis=0)
        for column, amount in enumerate(columns):
            if amount:
                code = int(level.codes[decision, group, column])
                histogram[code] = histogram.get(code, 0) + int(amount)
