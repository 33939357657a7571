"""Small constructors for the tests of meters."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pitboss.meters import MeterChange, MeterRefusedError, MeterTerms, MeterTransfer, contribute, open_meter, units_of
from pitboss.rules import JackpotPayment, Problem, parse_dollars


def usd(text: str) -> int:
    """Dollars as units."""
    return units_of(parse_dollars(text))


def cents(text: str) -> int:
    return parse_dollars(text)


def progressive(**fields: Any) -> MeterTerms:
    """One dollar, 17.3 % to the display, seeded with $1,000 and reseeded with $500, no cap."""
    usual: dict[str, Any] = {
        "jackpot_type": "progressive",
        "wager_cents": 100,
        "seed_cents": 1_000_00,
        "reseed_cents": 500_00,
        "display_rate": Fraction("0.173"),
        "reserve_rate": Fraction(0),
        "cap_cents": None,
        "batch_wagers_max": None,
    }
    return MeterTerms(**usual | fields)


def bonus(**fields: Any) -> MeterTerms:
    return progressive(
        **{"jackpot_type": "bonus", "display_rate": Fraction(0), "seed_cents": 250_00, "reseed_cents": 250_00} | fields
    )


def after_wagers(terms: MeterTerms, wagers: int) -> MeterChange:
    return contribute(open_meter(terms).state, terms, wagers)


def fund_pays(from_fund_cents: int, from_house_cents: int = 0, odd_cents: int = 0) -> JackpotPayment:
    return JackpotPayment(from_fund_cents, from_house_cents, odd_cents)


def moved(change: MeterChange) -> list[tuple[str, str, int]]:
    """The transfers of a change as bare values, in order."""
    return [(each.payer.value, each.payee.value, each.units) for each in change.transfers]


def refused(act: Callable[[], object]) -> tuple[Problem, ...]:
    """The problems of something that must be refused."""
    with pytest.raises(MeterRefusedError) as caught:
        act()
    problems = caught.value.problems
    assert problems
    assert all(str(problem) in str(caught.value) for problem in problems)
    return problems


def places(problems: tuple[Problem, ...]) -> list[tuple[str, str | None]]:
    return [(problem.path, problem.clause) for problem in problems]


def reasons(transfers: tuple[MeterTransfer, ...]) -> list[str | None]:
    return [each.reason and each.reason.value for each in transfers]
