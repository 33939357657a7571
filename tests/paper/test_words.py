"""Numbers as print shows them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitboss.paper.words import (
    BREAK,
    MINUS,
    decimal,
    exact,
    money,
    odds_against,
    percent,
    percent_text,
    signed,
    whole,
)


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (whole(-1234567), f"{MINUS}1,234,567"),
        (decimal(Fraction(-7, 2), 0), f"{MINUS}4"),
        (decimal("1234.5678", 2), "1,234.57"),
        (signed(Fraction(1, 3), 4), "+0.3333"),
        (signed(Fraction(-1, 3), 4), f"{MINUS}0.3333"),
        (signed(Fraction(0), 2), "0.00"),
        (signed(Fraction(1, 1000), 2), "0.00"),
        (signed(Fraction(-1, 1000), 2), "0.00"),
        (percent(Fraction(-405, 11186)), f"{MINUS}3.6206%"),
        (percent_text(Fraction(1, 2)), "50%"),
        (percent_text(Fraction(1, 40)), "2.5%"),
        (odds_against(Fraction(2, 1082900)), "541,450"),
        (odds_against(Fraction(1, 3)), "3.00"),
        (odds_against(Fraction(0)), ""),
        (money(1_234_500), "$12,345"),
        (money(1_234_567), "$12,345.67"),
    ],
)
def test_numbers_are_printed_as_people_read_them(shown: str, text: str) -> None:
    assert shown == text


def test_a_long_fraction_may_break_after_every_group_and_at_the_stroke() -> None:
    shown = exact(Fraction(-1234567, 7654321))

    assert shown == f"{MINUS}1,{BREAK}234,{BREAK}567 / {BREAK}7,{BREAK}654,{BREAK}321"
    assert exact(Fraction(3)) == "3"
