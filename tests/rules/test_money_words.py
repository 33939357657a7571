"""Amounts in words, as a check has them."""

from __future__ import annotations

import pytest

from pitboss.rules.money import dollars_in_words


@pytest.mark.parametrize(
    ("cents", "words"),
    [
        (0, "Zero and 00/100 dollars"),
        (5, "Zero and 05/100 dollars"),
        (1_00, "One and 00/100 dollars"),
        (19_99, "Nineteen and 99/100 dollars"),
        (40_00, "Forty and 00/100 dollars"),
        (3_776_02, "Three thousand seven hundred seventy-six and 02/100 dollars"),
        (100_000_00, "One hundred thousand and 00/100 dollars"),
        (1_234_567_89, "One million two hundred thirty-four thousand five hundred sixty-seven and 89/100 dollars"),
    ],
)
def test_an_amount_is_written_as_on_a_check(cents: int, words: str) -> None:
    assert words == dollars_in_words(cents)
