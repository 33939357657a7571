"""The loops of pricing, compiled: what every decision is worth at every node, and what comes of those taken."""

from __future__ import annotations

from typing import Any

__all__ = ["loop_among_tied", "loop_choose", "loop_follow", "loop_merge"]

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
        taken = -1
        worth = 0
        bits = 0
        for decision in range(len(branches)):
            if allowed.shape[0] and not allowed[node, decision]:
                continue
            if branches[decision] < 0:
                here = carried[0, node]
            else:
                here = figure_of(0, node, decision, counts, groups, values, branches)
            if taken < 0 or here > worth:
                taken, worth, bits = decision, here, 1 << branches[decision]
            elif here == worth:
                # Rare: two figures more, of both decisions.
                bits |= 1 << branches[decision]
                less = 0
                for figure in range(1, 3):
                    if less == 0:
                        for sign, other in ((1, decision), (-1, taken)):
                            if branches[other] < 0:
                                less += sign * carried[figure, node]
                            else:
                                less += sign * figure_of(figure, node, other, counts, groups, values, branches)
                if less < 0:
                    taken = decision
        choice[node] = taken
        if len(tied):
            tied[node] = bits
        if best.shape[1]:
            for figure in range(3):
                if branches[taken] < 0:
                    best[figure, node] = carried[figure, node]
                else:
                    best[figure, node] = figure_of(figure, node, taken, counts, groups, values, branches)


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


def loop_among_tied(
    start: int, stop: int, counts: Any, groups: Any, branches: Any, values: Any, tied: Any, choice: Any
) -> None:
    """Of the branches that are worth most in the main wager take the one that pays more here (TDP-3)."""
    for node in range(start, stop):
        taken = -1
        best = 0
        for decision in range(len(branches)):
            if not tied[node] >> branches[decision] & 1:
                continue
            worth = figure_of(0, node, decision, counts, groups, values, branches)
            if taken < 0 or worth > best:
                taken, best = decision, worth
        choice[node] = taken


def are_alike(one: int, other: int, tied: Any, counts: Any, groups: Any) -> bool:
    """Tell whether two nodes have the same branches left, with the same groups and counts."""
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
    """Merge nodes that have the same branches left with the same groups and counts; give how many kinds there are.

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
