"""Pricing: one function for every game, table, reading and strategy; integers over an integer until printed."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm
from typing import Any

import numpy

from pitboss.odds.compiled import compiled, in_threads, make_compilable
from pitboss.rules import Terms, Wager
from pitboss.rules.counting import GOES_ON, Counts, DecisionLevel
from pitboss.rules.facts import codes as all_codes
from pitboss.rules.outcomes import Outcome
from pitboss.rules.pays import Dollars, ForOne, OfMeter, ToOne

_SAFE = 1 << 62
# What a facts code that is not settled counts as.
_ZERO = Fraction(0)
_NOTHING = Outcome((), None, None, ())


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
        return lcm(*(pay.denominator for pay in self.net if pay is not _ZERO))


def unit_pays(wager: Wager, terms: Terms, used: Sequence[int] | None = None) -> UnitPays:
    """Settle every facts code (or those used) and give what it is worth per base stake; the meter counts as zero."""
    every = all_codes(wager.bounds)
    net, staked, meter, outcomes = [_ZERO] * len(every), [0] * len(every), [_ZERO] * len(every), [_NOTHING] * len(every)
    stake_cents = terms.jackpot_wager_cents.get(wager.name, 100)
    for code in every if used is None else used:
        outcome = wager.outcome_of_code(code, terms)
        back, share = _ZERO, _ZERO
        for part in outcome.parts:
            staked[code] += part.multiple
            back += part.multiple if part.returned else 0
            for prize in part.prizes:
                match prize:
                    case ToOne(times) | ForOne(times):
                        back += times * part.multiple
                    case Dollars(cents):
                        back += Fraction(cents, 100 if wager.dollars_scale else stake_cents)
                    case OfMeter(of):
                        share += of
        net[code], meter[code], outcomes[code] = back - staked[code], share, outcome
    return UnitPays(tuple(net), tuple(staked), tuple(meter), tuple(outcomes))


@dataclass(frozen=True, slots=True)
class Priced:
    """How often each facts code occurs under the decisions taken, and how often each decision is taken."""

    total: int
    histogram: dict[int, int]
    decisions: tuple[dict[str, int], ...]


def _loop(function: Any) -> Any:
    make_compilable(sys.modules[__name__])
    return compiled(function)


_FEW = 1 << 20


@lru_cache(maxsize=64)
def occurring_codes(counts: Counts) -> tuple[int, ...]:
    """List the facts codes that occur, whatever is decided; of many counts, all that a node might have."""
    occurring: set[int] = set()
    for level in counts.levels:
        seen = numpy.ones((level.counts.shape[1], *level.codes.shape[1:]), dtype=bool)
        if level.counts.size < _FEW:
            seen[:] = False
            branches = numpy.broadcast_to(numpy.arange(level.counts.shape[1]), level.groups.shape)
            numpy.logical_or.at(seen, (branches, level.groups), level.counts > 0)
        for decision, branch in enumerate(level.branches):
            if branch != GOES_ON:
                occurring.update(level.codes[decision][seen[branch]].tolist())
    return tuple(sorted(occurring))


@lru_cache(maxsize=64)
def _largest_sum(counts: Counts) -> int:
    """Return a number that no sum of one node's counts exceeds."""
    columns = [int(level.counts.max(initial=0)) * int(level.counts.shape[2]) for level in counts.levels]
    # A node of the first level carries up all the deals below it.
    return max(counts.total // int(counts.levels[0].weights.sum()), *columns)


def _whole_numbers(counts: Counts, pays: UnitPays) -> Any:
    """Return net, chips at risk and the square of the net by facts code, having seen that no sum can overflow."""
    scale = pays.scale
    net = [0 if pay is _ZERO else pay.numerator * (scale // pay.denominator) for pay in pays.net]
    largest = max(max(net, key=abs) ** 2, *pays.staked)
    if _largest_sum(counts) * largest >= _SAFE:
        raise OverflowError("these pays are too large to compare decisions in 64-bit integers")
    values = numpy.array((net, pays.staked, net), dtype=numpy.int64)
    values[2] *= values[2]
    return values


def _arrays(level: DecisionLevel) -> tuple[Any, ...]:
    return level.counts, level.groups, numpy.array(level.branches)


def _allowed(level: DecisionLevel) -> Any:
    return numpy.zeros((0, 0), dtype=numpy.int8) if level.allowed is None else level.allowed


def best_decisions(counts: Counts, pays: UnitPays) -> list[Any]:
    """Choose at every node the decision that is worth most (G-18 where two are equal), from the last level up."""
    if all(len(level.decisions) == 1 for level in counts.levels):
        return [numpy.zeros(len(level.weights), dtype=numpy.int64) for level in counts.levels]
    values = _whole_numbers(counts, pays)
    chosen: list[Any] = []
    lower: DecisionLevel | None = None
    best: Any = None
    for level in reversed(counts.levels):
        nodes = len(level.weights)
        carried = numpy.zeros((3, nodes if lower is not None else 0), dtype=numpy.int64)
        if lower is not None:
            assert lower.parents is not None
            for figure in range(3):
                numpy.add.at(carried[figure], lower.parents, best[figure] * lower.weights)
        best = numpy.zeros((3, nodes if level.parents is not None else 0), dtype=numpy.int64)
        chosen.append(_choose(level, values, carried, best, _NO_BITS))
        lower = level
    return chosen[::-1]


_NO_BITS = numpy.zeros(0, dtype=numpy.int64)


def _choose(level: DecisionLevel, values: Any, carried: Any, best: Any, tied: Any) -> Any:
    choice = numpy.zeros(len(level.weights), dtype=numpy.int64)
    arguments = (*_arrays(level), values.take(level.codes, axis=1), _allowed(level), carried, best, tied, choice)
    in_threads(partial(_run, _loop(loop_choose), arguments), len(choice))
    return choice


def _run(loop: Any, arguments: tuple[Any, ...], start: int, stop: int) -> None:
    loop(start, stop, *arguments)


def best_play(counts: Counts, pays: UnitPays) -> tuple[list[Any], Any]:
    """Return for every node of a one-level wager the best decision and, a bit each, the branches worth most."""
    (level,) = counts.levels
    nothing = numpy.zeros((3, 0), dtype=numpy.int64)
    tied = numpy.zeros(len(level.weights), dtype=numpy.int64)
    choice = _choose(level, _whole_numbers(counts, pays), nothing, nothing, tied)
    return [choice], tied


def best_branches(counts: Counts, pays: UnitPays) -> Any:
    """Return for every node of a one-level wager, a bit each, which branches are worth most."""
    return best_play(counts, pays)[1]


def merged_nodes(counts: Counts, tied: Any) -> tuple[Counts, Any]:
    """Merge the nodes of a one-level wager that have the same of these branches left, with the same groups and counts.

    Whatever is paid, such nodes take the same branch of those left. The answer is counts with the nodes merged, which
    are no longer information sets, and the branches left to each.
    """
    (level,) = counts.levels
    nodes = len(level.weights)
    places = numpy.full(2 * nodes + 1, -1, dtype=numpy.int64)
    first, summed = numpy.zeros(nodes, dtype=numpy.int64), numpy.zeros(nodes, dtype=numpy.int64)
    kinds = _loop(loop_merge)(tied, level.weights, level.counts, level.groups, places, first, summed)
    kept_nodes = first[:kinds]
    merged = replace(
        level,
        weights=summed[:kinds].copy(),
        counts=level.counts[kept_nodes],
        groups=level.groups[kept_nodes],
        allowed=None if level.allowed is None else level.allowed[kept_nodes],
    )
    return replace(counts, levels=(merged,)), tied[kept_nodes]


def follow_branches(counts: Counts, pays: UnitPays, tied: Any) -> list[Any]:
    """Follow the main wager's best branches; where several are worth the same, the one that pays more here (TDP-3)."""
    (level,) = counts.levels
    values = _whole_numbers(counts, pays).take(level.codes, axis=1)
    choice = numpy.zeros(len(level.weights), dtype=numpy.int64)
    arguments = (*_arrays(level), values, tied, choice)
    in_threads(partial(_run, _loop(loop_among_tied), arguments), len(choice))
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
        level_histogram, decided, reach = _follow_level(level, weights, choice, len(histogram))
        histogram += level_histogram
        decisions.append(dict(zip(level.decisions, map(int, decided), strict=True)))
    assert int(histogram.sum()) == counts.total, "the counts do not add up to all deals"
    return Priced(
        counts.total, {int(code): int(histogram[code]) for code in numpy.flatnonzero(histogram)}, tuple(decisions)
    )


def _follow_level(level: DecisionLevel, weights: Any, choice: Any, codes: int) -> tuple[Any, Any, Any]:
    """Return the histogram of codes, how often each decision is taken, and the weights of the nodes that go on."""
    run = _loop(loop_follow)
    going = numpy.zeros(len(weights) if GOES_ON in level.branches else 0, dtype=numpy.int64)

    def piece(start: int, stop: int) -> tuple[Any, Any]:
        histogram = numpy.zeros(codes, dtype=numpy.int64)
        decided = numpy.zeros(len(level.decisions), dtype=numpy.int64)
        run(
            start,
            stop,
            *_arrays(level),
            numpy.ascontiguousarray(level.codes),
            weights,
            choice,
            histogram,
            decided,
            going,
        )
        return histogram, decided

    pieces = in_threads(piece, len(weights))
    return sum(histogram for histogram, _ in pieces), sum(decided for _, decided in pieces), going


_HASH_FACTOR = 0x9E3779B97F4A7C1
_HASH_BITS = (1 << 62) - 1


def figure_of(figure: int, node: int, decision: int, counts: Any, groups: Any, values: Any, branches: Any) -> Any:
    """Add up a figure of a decision: counts times the values of their facts codes."""
    branch = branches[decision]
    group = groups[node, branch]
    total = 0
    for column in range(counts.shape[2]):
        total += counts[node, branch, column] * values[figure, decision, group, column]
    return total


def loop_choose(
    start: int,
    stop: int,
    counts: Any,
    groups: Any,
    branches: Any,
    values: Any,
    allowed: Any,
    carried: Any,
    best: Any,
    tied: Any,
    choice: Any,
) -> None:
    """At every node take the decision worth most; of equals the smaller wager, then variance, then the first (G-18).

    `values` holds net, chips at risk and the square of the net by decision, group and column. Where there is room,
    `best` is filled with what the decisions taken come to, and `tied` with the branches worth most, a bit each.
    """
    for node in range(start, stop):
        chosen = -1
        worth = 0
        bits = 0
        for decision in range(len(branches)):
            if allowed.shape[0] and not allowed[node, decision]:
                continue
            if branches[decision] < 0:
                here = carried[0, node]
            else:
                here = figure_of(0, node, decision, counts, groups, values, branches)
            if chosen < 0 or here > worth:
                chosen, worth, bits = decision, here, 1 << branches[decision]
            elif here == worth:
                # Rare: two figures more, of both decisions.
                bits |= 1 << branches[decision]
                less = 0
                for figure in range(1, 3):
                    if less == 0:
                        for sign, other in ((1, decision), (-1, chosen)):
                            if branches[other] < 0:
                                less += sign * carried[figure, node]
                            else:
                                less += sign * figure_of(figure, node, other, counts, groups, values, branches)
                if less < 0:
                    chosen = decision
        choice[node] = chosen
        if len(tied):
            tied[node] = bits
        if best.shape[1]:
            for figure in range(3):
                if branches[chosen] < 0:
                    best[figure, node] = carried[figure, node]
                else:
                    best[figure, node] = figure_of(figure, node, chosen, counts, groups, values, branches)


def loop_follow(
    start: int,
    stop: int,
    counts: Any,
    groups: Any,
    branches: Any,
    codes: Any,
    weights: Any,
    choice: Any,
    histogram: Any,
    decided: Any,
    going: Any,
) -> None:
    """Add up how often each facts code occurs and each decision is taken."""
    for node in range(start, stop):
        weight = weights[node]
        if weight == 0:
            continue
        decision = choice[node]
        decided[decision] += weight
        branch = branches[decision]
        if branch < 0:
            going[node] = weight
            continue
        group = groups[node, branch]
        for column in range(counts.shape[2]):
            histogram[codes[decision, group, column]] += weight * counts[node, branch, column]


def loop_among_tied(
    start: int, stop: int, counts: Any, groups: Any, branches: Any, values: Any, tied: Any, choice: Any
) -> None:
    """Of the branches that are worth most in the main wager take the one that pays more here (TDP-3)."""
    for node in range(start, stop):
        chosen = -1
        best = 0
        for decision in range(len(branches)):
            if not tied[node] >> branches[decision] & 1:
                continue
            worth = figure_of(0, node, decision, counts, groups, values, branches)
            if chosen < 0 or worth > best:
                chosen, best = decision, worth
        choice[node] = chosen


def are_alike(one: int, other: int, tied: Any, counts: Any, groups: Any) -> bool:
    """Return whether two nodes have the same branches left, with the same groups and counts."""
    if tied[one] != tied[other]:
        return False
    for branch in range(groups.shape[1]):
        if tied[one] >> branch & 1:
            if groups[one, branch] != groups[other, branch]:
                return False
            for column in range(counts.shape[2]):
                if counts[one, branch, column] != counts[other, branch, column]:
                    return False
    return True


def loop_merge(tied: Any, weights: Any, counts: Any, groups: Any, places: Any, first: Any, summed: Any) -> int:
    """Merge nodes that have the same branches left with the same groups and counts; return how many kinds there are.

    `places` is a hash table with more room than there are nodes, full of -1; `first` becomes the first node of each
    kind and `summed` the weight of all its nodes.
    """
    kinds = 0
    for node in range(len(tied)):
        key = tied[node]
        for branch in range(groups.shape[1]):
            if tied[node] >> branch & 1:
                key = (key * _HASH_FACTOR + groups[node, branch]) & _HASH_BITS
                for column in range(counts.shape[2]):
                    key = (key * _HASH_FACTOR + counts[node, branch, column]) & _HASH_BITS
        at = (key ^ key >> 31) % len(places)
        while places[at] >= 0 and not are_alike(first[places[at]], node, tied, counts, groups):
            at = (at + 1) % len(places)
        if places[at] < 0:
            first[kinds] = node
            places[at] = kinds
            kinds += 1
        summed[places[at]] += weights[node]
    return kinds
