"""Pricing: one function for every game, table, reading and strategy; integers over an integer until printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any

import numpy

from pitboss.odds.compiled import compiled, in_threads
from pitboss.rules import Outcome, Terms, Wager
from pitboss.rules.counts import Counts, Level
from pitboss.rules.facts import codes as all_codes
from pitboss.rules.pays import Dollars, ForOne, OfMeter, ToOne

__all__ = [
    "Priced",
    "UnitPays",
    "best_branches",
    "best_decisions",
    "follow_branches",
    "price",
    "unit_pays",
]

_SAFE = 1 << 62


@dataclass(frozen=True, slots=True)
class UnitPays:
    """What each facts code pays per base stake: net, at risk, handed back, and the share of the meter."""

    net: tuple[Fraction, ...]
    staked: tuple[int, ...]
    meter: tuple[Fraction, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def scale(self) -> int:
        """The common denominator of all nets."""
        return lcm(*(pay.denominator for pay in self.net))


def unit_pays(wager: Wager, terms: Terms, used: Sequence[int] | None = None) -> UnitPays:
    """Settle every facts code (or those used) and give what it is worth per base stake; the meter counts as zero."""
    wanted = set(all_codes(wager.bounds)) if used is None else set(used)
    stake_cents = terms.jackpot_wager_cents.get(wager.name, 100)
    outcomes = [wager.outcome_of_code(code, terms) if code in wanted else _NOTHING for code in all_codes(wager.bounds)]
    net, staked, meter = [], [], []
    for outcome in outcomes:
        at_risk, back, share = 0, Fraction(0), Fraction(0)
        for part in outcome.parts:
            at_risk += part.multiple
            back += part.multiple if part.returned else 0
            for prize in part.prizes:
                match prize:
                    case ToOne(times) | ForOne(times):
                        back += times * part.multiple
                    case Dollars(cents):
                        back += Fraction(cents, 100 if wager.dollars_scale else stake_cents)
                    case OfMeter(of):
                        share += of
        net.append(back - at_risk)
        staked.append(at_risk)
        meter.append(share)
    return UnitPays(tuple(net), tuple(staked), tuple(meter), tuple(outcomes))


_NOTHING = Outcome((), None, None, ())


@dataclass(frozen=True, slots=True)
class Priced:
    """How often each facts code occurs under the decisions taken, and how often each decision is taken."""

    total: int
    histogram: dict[int, int]
    decisions: tuple[dict[str, int], ...]


def loop_choose(
    start: int,
    stop: int,
    counts: Any,
    groups: Any,
    codes: Any,
    branches: Any,
    allowed: Any,
    net: Any,
    staked: Any,
    carried: Any,
    best: Any,
    choice: Any,
) -> None:
    """At every node take the decision worth most; of equals the smaller wager, then variance, then the first (G-18)."""
    for node in range(start, stop):
        taken = -1
        worth = risk = spread = 0
        for decision in range(len(branches)):
            if allowed.shape[0] and not allowed[node, decision]:
                continue
            branch = branches[decision]
            w = r = s = 0
            if branch < 0:
                w, r, s = carried[0, node], carried[1, node], carried[2, node]
            else:
                group = groups[node, branch]
                for column in range(counts.shape[2]):
                    number = counts[node, branch, column]
                    code = codes[decision, group, column]
                    w += number * net[code]
                    r += number * staked[code]
                    s += number * net[code] * net[code]
            if taken < 0 or w > worth or (w == worth and (r < risk or (r == risk and s < spread))):
                taken, worth, risk, spread = decision, w, r, s
        choice[node] = taken
        best[0, node], best[1, node], best[2, node] = worth, risk, spread


def loop_follow(
    start: int,
    stop: int,
    counts: Any,
    groups: Any,
    codes: Any,
    branches: Any,
    weights: Any,
    choice: Any,
    histogram: Any,
    taken: Any,
    going: Any,
) -> None:
    """Add up how often each facts code occurs and each decision is taken."""
    for node in range(start, stop):
        weight = weights[node]
        if weight == 0:
            continue
        decision = choice[node]
        taken[decision] += weight
        branch = branches[decision]
        if branch < 0:
            going[node] = weight
            continue
        group = groups[node, branch]
        for column in range(counts.shape[2]):
            histogram[codes[decision, group, column]] += weight * counts[node, branch, column]


def loop_tied(
    start: int, stop: int, counts: Any, groups: Any, codes: Any, branches: Any, allowed: Any, net: Any, tied: Any
) -> None:
    """For every node tell, a bit each, which branches are worth most."""
    for node in range(start, stop):
        best = 0
        bits = 0
        for decision in range(len(branches)):
            if allowed.shape[0] and not allowed[node, decision]:
                continue
            branch = branches[decision]
            group = groups[node, branch]
            worth = 0
            for column in range(counts.shape[2]):
                worth += counts[node, branch, column] * net[codes[decision, group, column]]
            if bits == 0 or worth > best:
                best, bits = worth, 1 << branch
            elif worth == best:
                bits |= 1 << branch
        tied[node] = bits


def loop_among_tied(
    start: int, stop: int, tied: Any, counts: Any, groups: Any, codes: Any, branches: Any, net: Any, choice: Any
) -> None:
    """Of the branches that are worth most in the main wager take the one that pays more here (TDP-3)."""
    for node in range(start, stop):
        taken = -1
        best = 0
        for decision in range(len(branches)):
            branch = branches[decision]
            if not tied[node] >> branch & 1:
                continue
            group = groups[node, branch]
            worth = 0
            for column in range(counts.shape[2]):
                worth += counts[node, branch, column] * net[codes[decision, group, column]]
            if taken < 0 or worth > best:
                taken, best = decision, worth
        choice[node] = taken


def _whole_numbers(counts: Counts, pays: UnitPays) -> tuple[Any, Any]:
    """Give net and chips at risk by facts code as 64-bit integers, having seen that no sum can overflow."""
    scale = pays.scale
    net = [int(pay * scale) for pay in pays.net]
    columns = [int(level.counts.max(initial=0)) * level.counts.shape[2] for level in counts.levels]
    # A node of the first level carries up all the deals below it.
    deals = max(counts.total // int(counts.levels[0].weights.sum()), *columns)
    largest = max(*(value * value for value in net), *pays.staked)
    if deals * largest >= _SAFE:
        raise OverflowError("these pays are too large to compare decisions in 64-bit integers")
    return numpy.array(net, dtype=numpy.int64), numpy.array(pays.staked, dtype=numpy.int64)


def _arrays(level: Level) -> tuple[Any, ...]:
    return level.counts, level.groups, level.codes, numpy.array(level.branches)


def _allowed(level: Level) -> Any:
    return numpy.zeros((0, 0), dtype=numpy.int8) if level.allowed is None else level.allowed


def best_decisions(counts: Counts, pays: UnitPays) -> list[Any]:
    """Choose at every node the decision that is worth most (G-18 where two are equal), from the last level up."""
    if all(len(level.decisions) == 1 for level in counts.levels):
        return [numpy.zeros(len(level.weights), dtype=numpy.int64) for level in counts.levels]
    net, staked = _whole_numbers(counts, pays)
    run = compiled(loop_choose)
    chosen: list[Any] = []
    lower: Level | None = None
    best: Any = None
    for level in reversed(counts.levels):
        nodes = len(level.weights)
        carried = numpy.zeros((3, nodes if lower is not None else 0), dtype=numpy.int64)
        if lower is not None:
            assert lower.parents is not None
            for figure in range(3):
                numpy.add.at(carried[figure], lower.parents, best[figure] * lower.weights)
        best = numpy.zeros((3, nodes), dtype=numpy.int64)
        choice = numpy.zeros(nodes, dtype=numpy.int64)
        given = (*_arrays(level), _allowed(level), net, staked, carried, best, choice)
        in_threads(partial(_run, run, given), nodes)
        chosen.append(choice)
        lower = level
    return chosen[::-1]


def _run(loop: Any, given: tuple[Any, ...], start: int, stop: int) -> None:
    loop(start, stop, *given)


def best_branches(counts: Counts, pays: UnitPays) -> Any:
    """Tell for every node of a one-level wager, a bit each, which branches are worth most."""
    (level,) = counts.levels
    net, _ = _whole_numbers(counts, pays)
    tied = numpy.zeros(len(level.weights), dtype=numpy.int64)
    in_threads(partial(_run, compiled(loop_tied), (*_arrays(level), _allowed(level), net, tied)), len(tied))
    return tied


def follow_branches(counts: Counts, pays: UnitPays, tied: Any) -> list[Any]:
    """Follow the main wager's best branches; where several are worth the same, the one that pays more here (TDP-3)."""
    (level,) = counts.levels
    net, _ = _whole_numbers(counts, pays)
    choice = numpy.zeros(len(level.weights), dtype=numpy.int64)
    in_threads(partial(_run, compiled(loop_among_tied), (tied, *_arrays(level), net, choice)), len(choice))
    return [choice]


def price(counts: Counts, pays: UnitPays, choices: list[Any] | None = None) -> Priced:
    """Follow the choices (optimal ones where none are given) and add up how often each facts code occurs."""
    chosen = best_decisions(counts, pays) if choices is None else choices
    assert counts.total < _SAFE
    histogram = numpy.zeros(len(pays.net), dtype=numpy.int64)
    decisions: list[dict[str, int]] = []
    reach: Any = None
    for level, choice in zip(counts.levels, chosen, strict=True):
        weights = level.weights if reach is None else level.weights * reach[level.parents]
        found, taken, reach = _follow_level(level, weights, choice, len(histogram))
        histogram += found
        decisions.append(dict(zip(level.decisions, map(int, taken), strict=True)))
    assert int(histogram.sum()) == counts.total, "the counts do not add up to all deals"
    return Priced(
        counts.total, {int(code): int(histogram[code]) for code in numpy.flatnonzero(histogram)}, tuple(decisions)
    )


def _follow_level(level: Level, weights: Any, choice: Any, codes: int) -> tuple[Any, Any, Any]:
    """Give the histogram of codes, how often each decision is taken, and the weights of the nodes that go on."""
    run = compiled(loop_follow)
    going = numpy.zeros(len(weights), dtype=numpy.int64)

    def piece(start: int, stop: int) -> tuple[Any, Any]:
        found = numpy.zeros(codes, dtype=numpy.int64)
        taken = numpy.zeros(len(level.decisions), dtype=numpy.int64)
        run(start, stop, *_arrays(level), weights, choice, found, taken, going)
        return found, taken

    pieces = in_threads(piece, len(weights))
    return sum(found for found, _ in pieces), sum(taken for _, taken in pieces), going
