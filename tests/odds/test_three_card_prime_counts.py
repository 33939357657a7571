"""Three Card Prime counted on the full deck: published figures, and what an earlier count found."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitboss.games import find_game
from pitboss.odds.context import NumbaContext
from pitboss.odds.solving import solve

GAME = find_game("three-card-prime")


@pytest.mark.parametrize(
    ("wager", "tables", "edge"),
    [
        ("prime", ["PRW-1"], "0.0362"),
        ("all-six", ["A6-1"], "0.1022"),
        ("all-six", ["A6-2"], "0.1528"),
        ("all-six", ["A6-4"], "0.0856"),
    ],
)
def test_anchors_section_1_edges(wager: str, tables: list[str], edge: str) -> None:
    assert edge == f"{float(solve(GAME.name, wager, tables).house_edge):.4f}"


def test_anchors_section_1_pair_bonus_without_the_deuce_card() -> None:
    """With the PB column also standing for the deuce the fourth card does not matter."""
    for table, pays, edge in (
        (
            "PB-1",
            {"Mini Royal": "50", "Straight Flush": "40", "Trips": "30", "Straight": "6", "Flush": "3", "Pair": "1"},
            "0.0710",
        ),
        (
            "PB-2",
            {"Mini Royal": "40", "Straight Flush": "40", "Trips": "30", "Straight": "6", "Flush": "3", "Pair": "1"},
            "0.0728",
        ),
    ):
        result = solve(GAME.name, "pair-bonus", [table, {"id": "PB/LD-5", "pays": pays}])
        assert edge == f"{float(result.house_edge):.4f}"
        if table == "PB-2":
            assert Fraction(1608, 22100) == result.house_edge


def test_ante_play_pw_bb_1_is_what_the_first_count_found() -> None:
    """Counted by inclusion of every dealer's hand here and by a loop that shares no ranking code in tests/games."""
    result = solve(GAME.name, "ante-play", ["PW/BB-1"])
    assert Fraction(-226_743, 7_830_200) == result.ev
    assert Fraction(14_924, 22_100) == result.decisions[0]["play"]


def test_the_kit_counts_sets_of_cards_by_suit_class() -> None:
    for size, sets in ((2, 1326), (3, 22_100), (4, 270_725), (5, 2_598_960)):
        cards, weights = NumbaContext().classes(size)
        assert sets == int(weights.sum())
        assert len({tuple(row) for row in cards.tolist()}) == len(cards)
