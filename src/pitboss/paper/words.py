"""Exact numbers as print shows them: digits in groups, percentages, real minus signs, places where a line may break."""

from fractions import Fraction

from pitboss.odds.decimals import decimal_text

MINUS = "\u2212"
# A line may break here, and nothing is seen.
BREAK = "\u200b"


def _grouped(text: str) -> str:
    """Group the digits before the decimal point and print a minus sign as one."""
    sign = MINUS if text.startswith("-") else ""
    before, point, after = text.removeprefix("-").partition(".")
    return f"{sign}{int(before):,}{point}{after}"


def whole(value: int) -> str:
    """Print a whole number with its digits in groups."""
    return _grouped(str(value))


def decimal(value: Fraction | str, places: int) -> str:
    """Print a number to so many decimal places, rounded half away from zero."""
    return _grouped(decimal_text(Fraction(value), places))


def signed(value: Fraction, places: int) -> str:
    """Print a number with its sign, plus or minus."""
    text = decimal(value, places)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def percent(value: Fraction | str, places: int = 4) -> str:
    """Print a share as a percentage."""
    return f"{decimal(Fraction(value) * 100, places)}%"


def percent_text(value: Fraction) -> str:
    """Print a percentage with no more decimal places than it has, up to four."""
    return f"{decimal(value * 100, 4).rstrip('0').rstrip('.')}%"


def exact(value: Fraction) -> str:
    """Print a fraction whole; a line may break after each group of digits and at the stroke."""
    over = "" if value.denominator == 1 else f" / {BREAK}{whole(value.denominator)}"
    return f"{whole(value.numerator)}{over}".replace(",", f",{BREAK}")


def odds_against(probability: Fraction) -> str:
    """Print a probability as one in so many."""
    if not probability:
        return ""
    one_in = 1 / probability
    return decimal(one_in, 0 if one_in >= 1000 else 2)


def money(cents: int) -> str:
    """Print cents as dollars; whole dollars without cents."""
    dollars, rest = divmod(cents, 100)
    return f"${dollars:,}" + (f".{rest:02d}" if rest else "")
