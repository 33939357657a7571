"""Item 17, D: refusals cite the ruling they rest on; that every ruling is cited at all, tests/house sees."""

from __future__ import annotations

from tests.support import problems, record, seat


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
