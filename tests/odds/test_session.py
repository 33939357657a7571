"""The distribution of a session is that of all its rounds played out, to the last bit it promises."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.odds.par.figures import POINTS_MAX, PROBABILITIES, distribution, session
from tests.examples import examples

ONE = 1 << 63
COIN = {Fraction(-1): Fraction(2, 3), Fraction(2): Fraction(1, 3)}
UNEVEN = {
    Fraction(-2): Fraction(1, 7),
    Fraction(-1): Fraction(3, 7),
    Fraction(1, 2): Fraction(2, 7),
    Fraction(30): Fraction(1, 7),
}


def played_out(outcomes: dict[Fraction, Fraction], rounds: int) -> dict[Fraction, Fraction]:
    """Every course of the session, one by one."""
    found: dict[Fraction, Fraction] = {}
    for course in product(outcomes, repeat=rounds):
        share = Fraction(1)
        for net in course:
            share *= outcomes[net]
        result = sum(course, Fraction(0))
        found[result] = found.get(result, Fraction(0)) + share
    return found


def by_result(outcomes: dict[Fraction, Fraction], rounds: int, top: Fraction) -> dict[Fraction, int]:
    lowest, step, shares = distribution(outcomes, rounds, top)
    return {lowest + place * step: int(share) for place, share in enumerate(shares) if share}


def agree(outcomes: dict[Fraction, Fraction], rounds: int, top: Fraction) -> None:
    found, expected = by_result(outcomes, rounds, top), played_out(outcomes, rounds)
    points = len(distribution(outcomes, rounds, top)[2])
    for result, share in expected.items():
        if result <= top:
            # Every product rounds down once a result, every share of the one round once.
            assert abs(found.get(result, 0) - share * ONE) <= 4 * rounds * (points + len(outcomes)), result
    assert {result for result, share in found.items() if share > ONE >> 40} <= set(expected)


@pytest.mark.parametrize("outcomes", [COIN, UNEVEN], ids=["coin", "uneven"])
@pytest.mark.parametrize("rounds", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("top", [0, 7, 400])
def test_a_session_is_all_its_rounds_played_out(outcomes: dict[Fraction, Fraction], rounds: int, top: int) -> None:
    agree(outcomes, rounds, Fraction(top))


@st.composite
def wagers(draw: st.DrawFn) -> dict[Fraction, Fraction]:
    nets = draw(st.lists(st.fractions(-4, 9, max_denominator=4), min_size=1, max_size=4, unique=True))
    weights = draw(st.lists(st.integers(1, 1000), min_size=len(nets), max_size=len(nets)))
    return {net: Fraction(weight, sum(weights)) for net, weight in zip(nets, weights, strict=True)}


@given(wagers(), st.integers(1, 5), st.integers(-2, 40))
@examples(40)
def test_any_wager_is_spread_as_its_rounds_played_out(
    outcomes: dict[Fraction, Fraction], rounds: int, top: int
) -> None:
    if top >= min(outcomes) * rounds:
        agree(outcomes, rounds, Fraction(top))


def test_the_figures_of_a_session_are_those_of_its_rounds_played_out() -> None:
    rounds = 6
    expected = played_out(UNEVEN, rounds)
    found = session(UNEVEN, rounds, Fraction(1))

    assert found is not None
    assert found.mean == sum(result * share for result, share in expected.items())
    assert Fraction(found.ahead) == pytest.approx(sum(s for r, s in expected.items() if r > 0), abs=1e-8)
    assert Fraction(found.even) == pytest.approx(expected[Fraction(0)], abs=1e-8)
    assert Fraction(found.behind) == pytest.approx(sum(s for r, s in expected.items() if r < 0), abs=1e-8)
    assert found.range_max == 30
    assert Fraction(found.above) == pytest.approx(sum(s for r, s in expected.items() if r > 30), abs=1e-8)
    variance = sum(result * result * share for result, share in expected.items()) - found.mean**2
    assert float(found.std_dev) == pytest.approx(float(variance) ** 0.5, abs=1e-6)


def test_a_quantile_is_the_least_result_not_exceeded_with_its_probability() -> None:
    expected = played_out(UNEVEN, 5)
    found = session(UNEVEN, 5, Fraction(1))

    assert found is not None
    assert tuple(each.probability for each in found.quantiles) == PROBABILITIES
    for each in found.quantiles:
        results = sorted(expected)
        least = next(r for r in results if sum(expected[x] for x in results if x <= r) >= each.probability)
        assert each.result == (least if least <= found.range_max else None)


def test_bins_gather_every_result_from_the_first_to_the_last_once() -> None:
    found = session(UNEVEN, 5, Fraction(4))
    expected = played_out(UNEVEN, 5)

    assert found is not None
    for each in found.bins:
        inside = sum(share for result, share in expected.items() if each.lowest <= result <= each.highest)
        assert Fraction(each.share) == pytest.approx(inside, abs=1e-7)
    step = Fraction(1, 2)
    assert all(one.highest + step == other.lowest for one, other in zip(found.bins, found.bins[1:], strict=False))


def test_a_thousand_rounds_keep_their_mean_and_lose_no_more_than_the_last_digits() -> None:
    lowest, step, shares = distribution(COIN, 1000, Fraction(3000))
    units = [int(share) for share in shares]
    mean = sum((lowest + place * step) * share for place, share in enumerate(units)) / Fraction(sum(units))

    assert 0 <= ONE - sum(units) < ONE >> 40
    assert abs(mean) < Fraction(1, 10**9)


def test_pays_too_fine_have_no_session() -> None:
    fine = {Fraction(-1): Fraction(1, 2), Fraction(1, 1009): Fraction(1, 4), Fraction(1, 1013): Fraction(1, 4)}

    assert session(fine, 1000, Fraction(1)) is None
    with pytest.raises(ValueError, match="too many"):
        distribution(fine, 1000, Fraction(POINTS_MAX))


def test_a_wager_with_one_outcome_has_one_result() -> None:
    found = session({Fraction(-1): Fraction(1)}, 100, Fraction(1))

    assert found is not None
    assert (found.behind, found.std_dev) == ("1.00000000", "0.000000")
    assert {each.result for each in found.quantiles} == {Fraction(-100)}
