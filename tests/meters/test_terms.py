"""Tests of the terms of a meter."""

from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from typing import Any

import pytest

from pitboss.meters import MeterTerms
from tests.meters.making import bonus, places, progressive, refused


def test_t_01_the_parameters_of_an_award_are_all_stated() -> None:
    with pytest.raises(TypeError, match="missing"):
        MeterTerms(jackpot_type="progressive", wager_cents=100)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        MeterTerms("progressive")  # type: ignore[call-arg]


def test_j_07_the_wager_is_divided_without_remainder() -> None:
    terms = progressive(wager_cents=500, reserve_rate=Fraction("0.02"))
    assert (5_000_000, 865_000, 100_000) == (terms.wager_units, terms.display_units, terms.reserve_units)
    assert terms.wager_units == terms.display_units + terms.reserve_units + terms.house_units


def test_terms_are_values_that_their_text_rebuilds() -> None:
    terms = progressive(cap_cents=5_000_00)
    rebuilt = eval(repr(terms), {"MeterTerms": MeterTerms, "Fraction": Fraction})  # noqa: S307
    assert terms == rebuilt
    assert hash(terms) == hash(rebuilt)
    assert terms.display_units == rebuilt.display_units
    with pytest.raises(FrozenInstanceError):
        terms.seed_cents = 1  # type: ignore[misc]
    assert 20_000_000 == replace(terms, cap_cents=2_000, reseed_cents=0).cap_units


T01, J01, J02, J07, J10 = (f"REGULATION {each}" for each in ("T-01", "J-01", "J-02", "J-07", "J-10"))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"wager_cents": 0}, [("wager_cents", T01)]),
        ({"wager_cents": True}, [("wager_cents", T01)]),
        ({"wager_cents": 100.0}, [("wager_cents", T01)]),
        ({"seed_cents": -1}, [("seed_cents", T01)]),
        ({"reseed_cents": -1}, [("reseed_cents", T01)]),
        ({"reseed_cents": "5"}, [("reseed_cents", T01)]),
        ({"cap_cents": 0}, [("cap_cents", T01)]),
        ({"batch_wagers_max": 0}, [("batch_wagers_max", T01)]),
        ({"display_rate": 0.173}, [("display_rate", J07)]),
        ({"display_rate": Fraction(-1, 100)}, [("display_rate", J07)]),
        ({"reserve_rate": Fraction(101, 100)}, [("reserve_rate", J07)]),
        ({"display_rate": Fraction(1, 3)}, [("display_rate", J07)]),
        ({"reserve_rate": Fraction(1, 7)}, [("reserve_rate", J07)]),
        ({"display_rate": Fraction("0.6"), "reserve_rate": Fraction("0.400001")}, [("reserve_rate", J07)]),
        ({"display_rate": Fraction(0)}, [("display_rate", J01)]),
        ({"jackpot_type": "daily"}, [("jackpot_type", J01)]),
        ({"cap_cents": 499_99}, [("reseed_cents", J10)]),
    ],
)
def test_t_01_terms_that_cannot_be_are_refused(fields: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert expected == places(refused(lambda: progressive(**fields)))


@pytest.mark.parametrize(
    "fields",
    [
        {"wager_cents": 1},
        {"display_rate": Fraction(1)},
        {"display_rate": Fraction("0.6"), "reserve_rate": Fraction("0.4")},
        {"cap_cents": 500_00},
        {"seed_cents": 0, "reseed_cents": 0, "cap_cents": 1, "batch_wagers_max": 1},
        {"wager_cents": 300, "display_rate": Fraction(1, 3)},
    ],
)
def test_t_01_terms_at_their_limits_are_accepted(fields: dict[str, Any]) -> None:
    assert progressive(**fields).is_progressive


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"display_rate": Fraction("0.1")}, [("display_rate", J02)]),
        ({"reserve_rate": Fraction("0.1")}, [("reserve_rate", J02)]),
        ({"cap_cents": 1_000_00}, [("cap_cents", J02)]),
        ({"reseed_cents": 249_99}, [("reseed_cents", J01)]),
    ],
)
def test_j_02_a_bonus_takes_nothing_from_wagers(fields: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert not bonus().is_progressive
    assert expected == places(refused(lambda: bonus(**fields)))


def test_all_problems_come_at_once_with_their_sources() -> None:
    problems = refused(
        lambda: progressive(
            wager_cents=-100,
            seed_cents=1.5,
            display_rate=0.173,
            reserve_rate=Fraction(2),
            cap_cents=5,
            jackpot_type="x",
        )
    )
    assert ["wager_cents", "seed_cents", "display_rate", "reserve_rate", "jackpot_type", "reseed_cents"] == [
        each.path for each in problems
    ]
    assert all(each.clause and each.words for each in problems)
    assert "G-3" == problems[0].ruling
