"""The distribution of a session's result: the exact distribution of one round, convolved in integers.

The shares are whole multiples of 2 to the power -63 and every product is rounded down, so that the same session gives
the same digits on every machine. Results move on a lattice whose steps are what all differences of pays have in
common; what a round can win beyond the range never comes back into it, so it is left out and counted as above.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm
from typing import Any

import numpy

from pitboss.odds.decimals import decimal_text, root_text
from pitboss.odds.par.values import Bin, Quantile, SessionFigures

_BITS = 63
_ONE = 1 << _BITS
# More points than this take too long; pays so fine that they need them have no session.
POINTS_MAX = 40_000
# A range of so many times what is first staked in all rounds.
_RANGE_STAKES = 5
_BINS_MAX = 32
_PLACES = 8
PROBABILITIES = tuple(Fraction(percent, 100) for percent in (1, 5, 25, 50, 75, 95, 99))
_FIRST_BIN = Fraction(1, 1000)
_LAST_BINS = (Fraction(99, 100), Fraction(95, 100))


def _step(nets: list[Fraction]) -> Fraction:
    """Return the largest step in which all these results lie on one lattice."""
    apart = [net - nets[0] for net in nets[1:] if net != nets[0]]
    if not apart:
        return Fraction(1)
    below = lcm(*(difference.denominator for difference in apart))
    return Fraction(gcd(*(int(difference * below) for difference in apart)), below)


def _product(first: Any, second: Any, points: int) -> Any:
    """Multiply two polynomials of shares exactly, as two large integers, and round every coefficient down."""
    number = int.from_bytes(_spaced(first), "little") * int.from_bytes(_spaced(second), "little")
    length = len(first) + len(second) - 1
    words = numpy.frombuffer(number.to_bytes(16 * length, "little"), dtype="<u8").reshape(length, 2)[:points]
    return words[:, 1] << numpy.uint64(64 - _BITS) | words[:, 0] >> numpy.uint64(_BITS)


def _spaced(shares: Any) -> bytes:
    """Write shares so far apart that no product reaches the next one: all of them sum to at most one."""
    spaced = numpy.zeros((len(shares), 2), dtype="<u8")
    spaced[:, 0] = shares
    return spaced.tobytes()


def distribution(outcomes: Mapping[Fraction, Fraction], rounds: int, top: Fraction) -> tuple[Fraction, Fraction, Any]:
    """Return the lowest result that counts, the step, and the share of each result up to the top, times 2**63."""
    lowest = min(outcomes) * rounds
    nets = sorted(net for net in outcomes if net - min(outcomes) <= top - lowest)
    step = _step(nets)
    points = int((top - lowest) / step) + 1
    if points > POINTS_MAX:
        raise ValueError(f"{points} results are too many for a session")
    largest = int((nets[-1] - nets[0]) / step) + 1
    # Every share but the largest is rounded down; the largest takes up what that leaves.
    whole = {net: int(share * _ONE) for net, share in outcomes.items()}
    whole[max(whole, key=lambda net: whole[net])] += _ONE - sum(whole.values())
    one = numpy.zeros(largest, dtype=numpy.uint64)
    for net in nets:
        one[int((net - nets[0]) / step)] = whole[net]
    first, shares = 0, one
    for bit in bin(rounds)[3:]:
        first, shares = _from_first(2 * first, _product(shares, shares, max(points - 2 * first, 1)))
        if bit == "1":
            shares = _product(shares, one, max(points - first, 1))
    return lowest + first * step, step, shares


def _from_first(first: int, shares: Any) -> tuple[int, Any]:
    """Leave out the worst results, whose share is less than the last bit."""
    missing = int(numpy.argmax(shares > 0))
    return first + missing, shares[missing:]


def session(
    outcomes: Mapping[Fraction, Fraction], rounds: int, stake: Fraction, meter_cents: int | None = None
) -> SessionFigures | None:
    """Return how the result of so many rounds is distributed, or None where the pays are too fine."""
    mean = sum((net * share for net, share in outcomes.items()), Fraction(0))
    square = sum((net * net * share for net, share in outcomes.items()), Fraction(0))
    top = _RANGE_STAKES * rounds * stake
    try:
        lowest, step, distributed = distribution(outcomes, rounds, top)
    except ValueError:
        return None
    shares = [int(share) for share in distributed]
    sums = list(accumulate(shares))
    even = (-lowest) / step
    at_zero = shares[int(even)] if even.denominator == 1 and 0 <= even < len(shares) else 0
    behind = sum(share for index, share in enumerate(shares) if lowest + index * step < 0)
    return SessionFigures(
        rounds=rounds,
        meter_cents=meter_cents,
        mean=mean * rounds,
        std_dev=root_text((square - mean * mean) * rounds, 6),
        ahead=_share(_ONE - behind - at_zero),
        even=_share(at_zero),
        behind=_share(behind),
        range_max=top,
        above=_share(_ONE - sums[-1]),
        quantiles=tuple(Quantile(probability=p, result=_result(sums, p, lowest, step)) for p in PROBABILITIES),
        bins=_bins(shares, sums, lowest, step),
    )


def _share(units: int) -> str:
    return decimal_text(Fraction(units, _ONE), _PLACES)


def _place(sums: list[int], probability: Fraction) -> int | None:
    """Find the first result at or under which this probability lies."""
    return next((index for index, units in enumerate(sums) if units >= probability * _ONE), None)


def _result(sums: list[int], probability: Fraction, lowest: Fraction, step: Fraction) -> Fraction | None:
    index = _place(sums, probability)
    return None if index is None else lowest + index * step


def _bins(shares: list[int], sums: list[int], lowest: Fraction, step: Fraction) -> tuple[Bin, ...]:
    """Gather the middle of the distribution into bins of equally many results."""
    start = _place(sums, _FIRST_BIN) or 0
    ends = (_place(sums, probability) for probability in _LAST_BINS)
    stop = next((end for end in ends if end is not None), len(shares) - 1)
    width = -((start - stop - 1) // _BINS_MAX)
    return tuple(
        Bin(
            lowest=lowest + index * step,
            highest=lowest + (index + width - 1) * step,
            share=_share(sum(shares[index : index + width])),
        )
        for index in range(start, stop + 1, width)
    )
