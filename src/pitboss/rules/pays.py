"""What a cell of a pay table is worth, as a type of its own: never a bare number.

"To 1" returns the stake and adds the prize; "for 1" keeps the stake and gives the prize (G-1).
"""

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

Odds: TypeAlias = Literal["to", "for"]


@dataclass(frozen=True, slots=True)
class ToOne:
    """The stake comes back and this many times the stake is added."""

    times: Fraction

    def __str__(self) -> str:
        return f"{_number(self.times)} to 1"


EVEN_MONEY = ToOne(Fraction(1))


@dataclass(frozen=True, slots=True)
class ForOne:
    """The stake stays with the house and this many times the stake is handed over."""

    times: Fraction

    def __str__(self) -> str:
        return f"{_number(self.times)} for 1"


@dataclass(frozen=True, slots=True)
class Dollars:
    """A fixed amount of money, whatever the meter shows; the stake stays with the house."""

    cents: int

    def __str__(self) -> str:
        dollars, cents = divmod(self.cents, 100)
        return f"${dollars:,}" + (f".{cents:02d}" if cents else "")


@dataclass(frozen=True, slots=True)
class OfMeter:
    """A share of the displayed meter; the stake stays with the house."""

    share: Fraction

    def __str__(self) -> str:
        return f"{_number(self.share * 100)}% of the meter"


@dataclass(frozen=True, slots=True)
class Posted(OfMeter):
    """The amount that a Bonus jackpot posts: all of what its display shows, to each winner (G-6, G-20)."""

    share: Fraction = Fraction(1)

    def __str__(self) -> str:
        return "the posted amount"


@dataclass(frozen=True, slots=True)
class Push:
    """The stake comes back and nothing is added."""

    def __str__(self) -> str:
        return "push"


@dataclass(frozen=True, slots=True)
class Loss:
    """The stake is lost."""

    def __str__(self) -> str:
        return "loss"


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """The row cannot happen in this column."""

    def __str__(self) -> str:
        return "not applicable"


class CellKind(Enum):
    """What an operator may put into a cell that the document leaves to the operator (G-6)."""

    BONUS = "Bonus"
    JACKPOT = "Jackpot"
    BONUS_OR_JACKPOT = "Bonus or Jackpot"


@dataclass(frozen=True, slots=True)
class OperatorSet:
    """A cell that the operator sets and posts; it pays nothing before that, and a table with one is refused."""

    kind: CellKind

    def __str__(self) -> str:
        return f"set by the operator ({self.kind.value})"


Pay: TypeAlias = ToOne | ForOne | Dollars | OfMeter | Push | Loss | NotApplicable | OperatorSet

_WORDS: dict[str, Pay] = {
    "posted": Posted(),
    "loss": Loss(),
    "push": Push(),
    "n/a": NotApplicable(),
    **{kind.value.lower(): OperatorSet(kind) for kind in CellKind},
}

# A cell of more digits than any prize has is no cell.
_NUMBER = re.compile(r"([0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,12})(?:\.([0-9]{1,6}))?")


def _number(value: Fraction) -> str:
    """Print a fraction as a cell would: 1.5, 1,000, or numerator over denominator where no decimal ends."""
    if value.denominator == 1:
        return f"{value.numerator:,}"
    scaled, places = value, 0
    while scaled.denominator != 1 and places < 9:
        scaled, places = scaled * 10, places + 1
    if scaled.denominator != 1:
        return str(value)
    digits = f"{scaled.numerator:0{places + 1}d}"
    return f"{int(digits[:-places]):,}.{digits[-places:]}"


def _amount(text: str) -> Fraction | None:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    whole, decimals = match[1].replace(",", ""), match[2] or ""
    return Fraction(int(whole + decimals), 10 ** len(decimals))


@lru_cache(maxsize=4096)
def parse_cell(text: str, odds: Odds) -> Pay | None:
    """Read a cell as the documents print it; nothing where the text is no cell of such a table.

    In a "for 1" table a bare number is a multiple of the wager and a dollar amount is that amount (G-24).
    """
    cell = text.strip()
    word = _WORDS.get(cell.lower())
    if word is not None:
        return None if isinstance(word, Push if odds == "for" else Posted) else word
    if cell.endswith("%"):
        # One document prints "$100%"; STC-5 reads it as a percentage.
        share = _amount(cell[:-1].removeprefix("$"))
        return None if share is None or odds == "to" else OfMeter(share / 100)
    amount = _amount(cell.removeprefix("$"))
    if amount is None:
        return None
    if cell.startswith("$"):
        cents, finer = divmod(amount.numerator * 100, amount.denominator)
        return Dollars(cents) if odds == "for" and not finer else None
    return ToOne(amount) if odds == "to" else ForOne(amount)


def cell_text(pay: Pay) -> str:
    """Write a pay as a cell that reads back to it in a table of its odds."""
    match pay:
        case ToOne(times) | ForOne(times):
            return _number(times)
        case Posted():
            return "Posted"
        case OfMeter(share):
            return f"{_number(share * 100)}%"
        case OperatorSet(kind):
            return kind.value
        case NotApplicable():
            return "n/a"
        case Dollars() | Push() | Loss():
            return str(pay).capitalize()


def rank_of_pay(pay: Pay, stake_cents: int = 100, *, dollars_scale: bool = False) -> tuple[int, Fraction | int]:
    """Order pays of one table from worst to best; a percentage stands above every fixed amount (G-2).

    Multiples and dollars stand in one table only where the wager is a fixed amount, the stake given here.
    """
    match pay:
        case Loss() | NotApplicable() | OperatorSet():
            return (0, 0)
        case Push():
            return (1, 0)
        case ToOne(times):
            return (1, times)
        case ForOne(times):
            return (1, times * stake_cents)
        case Dollars(cents):
            return (1, Fraction(cents * stake_cents, 100) if dollars_scale else cents)
        case OfMeter(share):
            return (2, share)
