"""The units a meter is counted in, and its terms: what the approved rules and the operator laid down, checked."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import get_args

from pitboss.rules import Problem, dollars
from pitboss.rules.terms import JackpotType

UNITS_PER_CENT = 10_000


def units_of(cents: int) -> int:
    """Turn whole cents into units."""
    return cents * UNITS_PER_CENT


def cents_shown(units: int) -> int:
    """Return the whole cents that a display shows: rounded down, the fraction stays on the meter (G-3)."""
    return units // UNITS_PER_CENT


def exact_units(rate: Fraction, cents: int) -> int | None:
    """Return the units that are this part of an amount, or nothing where it is no whole number of them."""
    part = rate * units_of(cents)
    return part.numerator if part.denominator == 1 else None


def units_text(units: int) -> str:
    """Print units as dollars: whole cents as usual, a fraction of a cent with all its digits."""
    cents, rest = divmod(abs(units), UNITS_PER_CENT)
    sign = "-" if units < 0 else ""
    return sign + dollars(cents) + (f"{rest:04d}" if rest else "")


class MeterRefusedError(ValueError):
    """A refusal of meter arithmetic, with every problem found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(map(str, self.problems)))


def refuse(problems: Iterable[Problem]) -> None:
    """Raise the problems together, or do nothing where there are none."""
    collected = tuple(problems)
    if collected:
        raise MeterRefusedError(collected)


def integer_problems(path: str, value: object, least: int, clause: str, ruling: str | None = None) -> list[Problem]:
    """Return whether a value is no integer (a truth value or a float is none) or is less than it may be."""
    if type(value) is int and value >= least:
        return []
    return [Problem(path, f"{value!r} must be a whole number, {least} or more", clause, ruling)]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterTerms:
    """The parameters held for one award (T-01); terms with a problem cannot be made.

    `seed_cents` stands on the meter when it opens and `reseed_cents` is put there after a win of the whole of it.
    `display_rate` and `reserve_rate` are the parts of a wager that go to the display and to the hidden reserve; the
    house keeps the rest. `batch_wagers_max` is the most wagers that one count may reasonably hold.
    """

    jackpot_type: JackpotType
    wager_cents: int
    seed_cents: int
    reseed_cents: int
    display_rate: Fraction
    reserve_rate: Fraction
    cap_cents: int | None
    batch_wagers_max: int | None
    wager_units: int = field(init=False, repr=False, compare=False)
    display_units: int = field(init=False, repr=False, compare=False)
    reserve_units: int = field(init=False, repr=False, compare=False)
    cap_units: int | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        refuse(_problems(self))
        derived = {
            "wager_units": units_of(self.wager_cents),
            "display_units": exact_units(self.display_rate, self.wager_cents),
            "reserve_units": exact_units(self.reserve_rate, self.wager_cents),
            "cap_units": None if self.cap_cents is None else units_of(self.cap_cents),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    @property
    def is_progressive(self) -> bool:
        """True if the display grows with each wager and holds the players' money; else it is a Bonus (J-01)."""
        return self.jackpot_type == "progressive"

    @property
    def house_units(self) -> int:
        """What the house keeps of one wager."""
        return self.wager_units - self.display_units - self.reserve_units

    def room_units(self, displayed_units: int) -> int | None:
        """Return what the display may still grow by, or nothing where it has no cap."""
        return None if self.cap_units is None else self.cap_units - displayed_units


def _problems(terms: MeterTerms) -> list[Problem]:
    problems: list[Problem] = []
    for path, least in (("wager_cents", 1), ("seed_cents", 0), ("reseed_cents", 0)):
        problems += integer_problems(path, getattr(terms, path), least, "REGULATION T-01", "G-3")
    for path in ("cap_cents", "batch_wagers_max"):
        if getattr(terms, path) is not None:
            problems += integer_problems(path, getattr(terms, path), 1, "REGULATION T-01")
    wrong = {problem.path for problem in problems}
    rates = _rate_problems(terms, wager_is_known="wager_cents" not in wrong)
    problems += rates
    if terms.jackpot_type not in get_args(JackpotType):
        words = f"{terms.jackpot_type!r} must be one of {', '.join(get_args(JackpotType))}"
        problems.append(Problem("jackpot_type", words, "REGULATION J-01"))
    elif terms.is_progressive:
        if not rates and terms.display_rate == 0:
            words = "a progressive grows with each wager: the rate must be more than 0"
            problems.append(Problem("display_rate", words, "REGULATION J-01"))
    else:
        problems += _bonus_problems(terms)
    if terms.cap_cents is not None and not {"cap_cents", "reseed_cents"} & wrong:
        problems += _above_cap("reseed_cents", terms.reseed_cents, terms.cap_cents)
    return problems


def _rate_problems(terms: MeterTerms, *, wager_is_known: bool) -> list[Problem]:
    problems = []
    for path in ("display_rate", "reserve_rate"):
        rate = getattr(terms, path)
        if not isinstance(rate, Fraction):
            words = f'{rate!r} must be an exact fraction of the wager, such as Fraction("0.173")'
            problems.append(Problem(path, words, "REGULATION J-07", "G-3"))
        elif not 0 <= rate <= 1:
            problems.append(Problem(path, f"{rate} must be from 0 to 1", "REGULATION J-07"))
        elif wager_is_known and exact_units(rate, terms.wager_cents) is None:
            words = f"{rate} of {dollars(terms.wager_cents)} is no whole number of units, ten thousand to the cent"
            problems.append(Problem(path, words, "REGULATION J-07", "G-3"))
    if not problems and terms.display_rate + terms.reserve_rate > 1:
        words = "display_rate and reserve_rate together are more than the whole wager"
        problems.append(Problem("reserve_rate", words, "REGULATION J-07"))
    return problems


def _bonus_problems(terms: MeterTerms) -> list[Problem]:
    problems = [
        Problem(path, "a Bonus jackpot is the house's money and takes nothing from a wager", "REGULATION J-02")
        for path in ("display_rate", "reserve_rate")
        if getattr(terms, path) != 0
    ]
    if terms.cap_cents is not None:
        problems.append(Problem("cap_cents", "a Bonus display does not grow and has no cap", "REGULATION J-02"))
    if terms.reseed_cents != terms.seed_cents:
        words = "a Bonus display stays as posted when it is won: reseed_cents must equal seed_cents"
        problems.append(Problem("reseed_cents", words, "REGULATION J-01"))
    return problems


def _above_cap(path: str, cents: int, cap_cents: int) -> list[Problem]:
    if cents <= cap_cents:
        return []
    return [Problem(path, f"{dollars(cents)} is above the cap of {dollars(cap_cents)}", "REGULATION J-10")]
