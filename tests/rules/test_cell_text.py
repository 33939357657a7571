"""A pay written as a cell reads back to the same pay, in every cell of every table."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitboss.games import all_games
from pitboss.rules import Game
from pitboss.rules.pays import Dollars, ForOne, OfMeter, Pay, ToOne, cell_text, parse_cell


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_printed_cell_is_written_so_that_it_reads_back(game: Game) -> None:
    cells = [
        (table.odds, pay) for table in game.paytables.values() for row in table.rows for pay in (row.pay, row.envy)
    ]
    wrong = [(odds, pay) for odds, pay in cells if pay is not None and parse_cell(cell_text(pay), odds) != pay]

    assert len(cells) > 50
    assert [] == wrong


@pytest.mark.parametrize(
    ("pay", "odds", "text"),
    [
        (ToOne(Fraction(3, 2)), "to", "1.5"),
        (ForOne(Fraction(2500)), "for", "2,500"),
        (Dollars(1_234_50), "for", "$1,234.50"),
        (OfMeter(Fraction(25, 10_000)), "for", "0.25%"),
    ],
)
def test_an_amount_of_the_operator_is_written_so_that_it_reads_back(pay: Pay, odds: str, text: str) -> None:
    assert cell_text(pay) == text
    assert parse_cell(text, odds) == pay
