"""Item 17, D: every ruling about a game or its settlement is cited where it is carried out, refusals first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pitboss import law
from tests.support import problems, record, seat

SOURCES = [file for ending in ("*.py", "*.toml") for file in sorted(Path("src").rglob(ending))]
CITED = set(re.findall(r"\b[A-Z]{1,3}-\d+\b", "\n".join(file.read_text(encoding="utf-8") for file in SOURCES)))
OF_GAMES = [name for name in law.rulings() if not name.startswith("G-")]
OF_SETTLEMENT = [f"G-{number}" for number in (*range(1, 27), 34, 41)]


@pytest.mark.parametrize("ruling", [*OF_GAMES, *OF_SETTLEMENT])
def test_item_17_a_ruling_about_games_is_cited_in_the_source(ruling: str) -> None:
    assert ruling in law.rulings()
    assert ruling in CITED


def test_dw_5_five_community_cards_are_refused_by_their_ruling() -> None:
    one = seat(1, "As Ks Qs", {"three-card-treasure": 500})
    (problem,) = problems(record("deuces-wild", "3c 6d 8c Th 9h", one, paytables={"three-card-treasure": ["TCT-A"]}))
    assert ("community: 5 cards, expected 4 (DW-5)", "DW-5") == (str(problem), problem.ruling)


def test_stc_9_a_dealer_shows_one_card_or_three() -> None:
    one = seat(1, "As Ks", {"ante-odds-play": 500}, play=False)
    tables = {"ante-odds-play": ["PT-FLT-STC-01"]}
    (problem,) = problems(record("super-three-card", "3c 6d", one, decks=6, paytables=tables))
    assert ("dealer: 2 cards, expected 3", "STC-9") == (str(problem).removesuffix(" (STC-9)"), problem.ruling)


def test_g_11_the_board_of_another_game_cites_the_count_of_cards() -> None:
    one = seat(1, "As Ks Qs 2d", {"ante-play": 500}, play=True)
    (problem,) = problems(record("three-card-prime", "3c 6d", one, paytables={"ante-play": ["PW/BB-1"]}))
    assert problem.ruling == "G-11"
