"""Money: integer cents, and how every division of them rounds (G-3)."""

import re
from fractions import Fraction


class MoneyError(ValueError):
    """An amount of money that cannot be read."""


_DOLLARS = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,13})(?:\.([0-9]{2}))?")


def parse_dollars(text: str) -> int:
    """Read "5", "5.00", "$12,345.67" as cents; anything finer than a cent, or negative, is refused."""
    match = _DOLLARS.fullmatch(text.strip())
    if match is None:
        raise MoneyError(f"{text!r} isn't an amount of money: enter one like 65 or $65.00")
    return int(match[1].replace(",", "")) * 100 + int(match[2] or 0)


def dollars(cents: int) -> str:
    """Print cents as dollars, a minus sign in front where they are owed."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{rest:02d}"


def times(factor: Fraction, cents: int) -> int:
    """Multiply an amount; a prize that is not a whole cent is rounded down, the remainder stays with the payer."""
    return factor.numerator * cents // factor.denominator


def share_equally(cents: int, winners: int) -> tuple[int, int]:
    """Divide a prize among winners, rounded down; the second number is the odd cents that nobody gets."""
    return divmod(cents, winners)


_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES = ((1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))


def _in_words(number: int) -> str:
    for scale, name in _SCALES:
        if number >= scale:
            rest = number % scale
            return f"{_in_words(number // scale)} {name}" + (f" {_in_words(rest)}" if rest else "")
    if number < len(_ONES):
        return _ONES[number]
    tens = _TENS[number // 10 - 2]
    return f"{tens}-{_ONES[number % 10]}" if number % 10 else tens


def dollars_in_words(cents: int) -> str:
    """Write an amount as a check has it: Three thousand seven hundred seventy-six and 02/100 dollars."""
    whole, part = divmod(cents, 100)
    return f"{_in_words(whole).capitalize()} and {part:02d}/100 dollars"
