"""Deuces Wild, Three Card Treasure and Five Card Fortune: Appendices B and C, and who selects what when."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.games import find_game
from pitboss.rules import Game, Seat, StageKind, TermsInput, make_terms
from tests.games.printed import back_to_one, events_of, ids_of, printed
from tests.support import cited, line, problems, record, seat, settled

STAKE = 500
COMMUNITY = "3c 6d 8c Th"

Record = dict[str, Any]


# Three Card Treasure


def treasure(cards: str, table: Any = "TCT-A") -> Record:
    one = seat(1, cards, {"three-card-treasure": STAKE})
    return record("deuces-wild", COMMUNITY, one, paytables={"three-card-treasure": [table]})


TREASURE = {
    "Mini Royal (QKA suited)": ["As Ks Qs", "As Ks 2d", "Qd 2h *", "2s 2h *", "Ah 2h Kh"],
    "Straight Flush": ["Ks Qs Js", "9s 8s 2d", "9s 2h *", "As 3s 2d", "Ah 3h 2h", "Jd * 9d"],
    "Three of a Kind": ["9s 9d 9h", "9s 9d 2c", "Ad Ac *"],
    "Straight": ["Ks Qd Jh", "9s 7d 2c", "As 3d 2c", "As Kd *"],
    "Flush": ["Ks 9s 4s", "Ks 9s 2d", "As 9s *"],
}


@pytest.mark.parametrize("table", ids_of("TCT"))
@pytest.mark.parametrize("event", TREASURE)
def test_dw_appendix_b_pays_every_row_of_every_table(table: str, event: str) -> None:
    for cards in TREASURE[event]:
        won = line(treasure(cards, table), "three-card-treasure")

        assert (event, back_to_one(printed(table, event), STAKE)) == (won.event, won.paid_cents), cards
        assert {"DW rule 6", "DW-8", "DW Appendix B"} <= cited(won)


def test_dw_appendix_b_rows_are_all_shown() -> None:
    assert events_of("TCT-A") == tuple(TREASURE)


def test_dw_appendix_b_note_king_queen_jack_of_spades_is_a_straight_flush_only() -> None:
    """6 to 1 on five dollars, nothing for the straight or the flush."""
    won = line(treasure("Ks Qs Js"), "three-card-treasure")

    assert ("Straight Flush", 3500) == (won.event, won.paid_cents)
    assert {"DW Appendix B note", "G-1", "G-2"} <= cited(won)


@pytest.mark.parametrize("cards", ["9s 9d Kh", "Ks 9d 4h", "Ks 7d 2h", "Ks Ad 3h"])
def test_dw_step_20_a_less_than_a_flush_loses(cards: str) -> None:
    lost = line(treasure(cards), "three-card-treasure")

    assert (500, 0, None) == (lost.staked_cents, lost.paid_cents, lost.event)


def test_dw_8_the_treasure_is_settled_on_the_first_three_cards() -> None:
    one = seat(1, "Ks 9d 4h 4c 4d", {"three-card-treasure": STAKE, "ante-play-raise": STAKE}, play=True, raise_=True)
    paytables = {"three-card-treasure": ["TCT-A"], "ante-play-raise": ["APR-A"]}
    round_record = record("deuces-wild", COMMUNITY, one, paytables=paytables)

    assert (0, 4000) == (
        line(round_record, "three-card-treasure").paid_cents,
        line(round_record, "ante-play-raise").paid_cents,
    )


@pytest.mark.parametrize(
    ("cards", "wagers", "shown"),
    [
        ("Ks Qs Js", {"three-card-treasure": 500}, True),
        ("9s 9d 2c", {"three-card-treasure": 500, "ante-play-raise": 500}, True),
        ("Ks 9d 4h", {"three-card-treasure": 500}, False),
        ("Ks Qs Js", {"ante-play-raise": 500}, False),
    ],
)
def test_dw_step_20_b_only_a_winning_treasure_hand_is_turned_face_up(
    cards: str, wagers: dict[str, int], shown: bool
) -> None:
    one = settled(treasure(cards)).seats[0]
    stages = [stage for stage in _game().stages if stage.clause.id == "DW step 20(b)"]

    assert [shown] == [stage.entitled(Seat(1, wagers, one.cards)) for stage in stages]


# Five Card Fortune


def fortune(cards: str, selected: str, community: str, table: Any = "FCF-A") -> Record:
    one = seat(1, cards, {"five-card-fortune": STAKE}, fortune=selected.split())
    return record("deuces-wild", community, one, paytables={"five-card-fortune": [table]})


FORTUNE = {
    "Natural Royal Flush": [("As 9d 4h", "As", "Ks Qs Js Ts")],
    "Five Wild Cards": [("* 9d 4h", "*", "2s 2h 2d 2c"), ("2s 2h *", "2s 2h *", "2d 2c 9s Kd")],
    "Wild Royal Flush": [
        ("As 9d 4h", "As", "Ks Qs Js 2d"),
        ("2s 9d 4h", "2s", "As Ks Qs Js"),
        ("2s * 4h", "2s *", "As Ks Qs 9d"),
    ],
    "Five of a Kind": [
        ("Js 9d 4h", "Js", "Jd Jh Jc 2d"),
        ("2s * 4h", "2s *", "Jd Jh Jc 9d"),
        ("2s 2h *", "2s 2h *", "9s 9d 4c 5h"),
    ],
    "Straight Flush": [
        ("9s Kd 4h", "9s", "8s 7s 6s 5s"),
        ("2h Kd 4h", "2h", "9s 8s 6s 5s"),
        ("2h * 4h", "2h *", "9s 8s 6s Kd"),
    ],
    "Four of a Kind": [
        ("9s Kd 4h", "9s", "9d 9h 9c 5s"),
        ("2s Kd 4h", "2s", "9d 9h 9c 5s"),
        ("2s * 4h", "2s *", "9d 9h Kc 5s"),
    ],
    "Full House": [("9s 4d 7h", "9s", "9d 9h Kc Ks"), ("2s 4d 7h", "2s", "9d 9h Kc Ks")],
    "Flush": [("Ks 4d 7h", "Ks", "Js 8s 4s 3s"), ("2h 4d 7h", "2h", "Ks Js 8s 4s")],
    "Straight": [
        ("9s Kd 4h", "9s", "8d 7h 6c 5s"),
        ("2s Kd 4h", "2s", "9d 8h 6c 5s"),
        ("As Kd 4h", "As", "2d 3h 4c 5s"),
    ],
    "Three of a Kind": [
        ("9s Kd 4h", "9s", "9d 9h Qc 5s"),
        ("2s Kd 4h", "2s", "9d 9h Qc 5s"),
        ("2s * 4h", "2s *", "Kd 9h 6c 3s"),
    ],
    "Two Pair": [("9s 4d 7h", "9s", "9d Kh Kc 5s"), ("5d 4d 7h", "5d", "5h Kh Kc 9s")],
}


@pytest.mark.parametrize("table", ids_of("FCF"))
@pytest.mark.parametrize("event", FORTUNE)
def test_dw_appendix_c_pays_every_row_of_every_table(table: str, event: str) -> None:
    for cards, selected, community in FORTUNE[event]:
        won = line(fortune(cards, selected, community, table), "five-card-fortune")

        assert (event, back_to_one(printed(table, event), STAKE)) == (won.event, won.paid_cents), (selected, community)
        assert {"DW Appendix C", "DW-6"} <= cited(won)


def test_dw_appendix_c_rows_are_all_shown() -> None:
    assert events_of("FCF-A") == tuple(FORTUNE)


@pytest.mark.parametrize(
    ("selected", "community", "expected"),
    [("9s", "9d 9h Qc 5s", 500), ("9s", "9d Kh Kc 5s", 500), ("9s", "8d 7h 6c 5s", 1000), ("9s", "9d 9h 9c 5s", 2500)],
)
def test_dw_appendix_c_three_of_a_kind_and_two_pair_push(selected: str, community: str, expected: int) -> None:
    """FCF-A: push, push, 1 to 1, 4 to 1."""
    assert expected == line(fortune("9s Kd 4h", selected, community), "five-card-fortune").paid_cents


@pytest.mark.parametrize(
    ("selected", "community"), [("9s", "9d Kh 5c 3s"), ("2s", "Ad Kh 9c 4s"), ("9s", "Kd Jh 5c 3s")]
)
def test_dw_appendix_c_less_than_two_pair_loses(selected: str, community: str) -> None:
    lost = line(fortune(f"{selected} 7d 4h", selected, community), "five-card-fortune")

    assert (0, None) == (lost.paid_cents, lost.event)


def test_dw_appendix_c_note_four_jacks_and_a_wild_card_are_five_of_a_kind_only() -> None:
    won = line(fortune("Js 9d 4h", "Js", "Jd Jh Jc 2d"), "five-card-fortune")

    assert ("Five of a Kind", 4000) == (won.event, won.paid_cents)
    assert {"DW Appendix C note", "G-1", "G-2"} <= cited(won)


def test_dw_appendix_c_a_natural_royal_has_no_wild_card() -> None:
    """400 to 1 without, 20 to 1 with one."""
    assert 200_500 == line(fortune("As 9d 4h", "As", "Ks Qs Js Ts"), "five-card-fortune").paid_cents
    assert 10_500 == line(fortune("2s 9d 4h", "2s", "Ks Qs Js Ts"), "five-card-fortune").paid_cents


def test_dw_6_the_card_not_selected_does_not_count() -> None:
    """The seat holds the fourth nine but selected the king."""
    assert 500 == line(fortune("Kd 9s 4h", "Kd", "9d 9h 9c 5s"), "five-card-fortune").paid_cents


@pytest.mark.parametrize(
    ("selected", "words"),
    [
        (["As", "Kd"], "only if all of them are wild"),
        (["As", "2s"], "only if all of them are wild"),
        (["9h"], "not among the 3 cards"),
        (["2s", "2s"], "twice"),
        ([], "at least one"),
        ("2s", "must be a list"),
        ([2], "must be a list"),
        ([["2s"]], "must be a list"),
    ],
)
def test_dw_footnote_2_one_card_or_any_number_of_wild_cards(selected: Any, words: str) -> None:
    one = seat(1, "As Kd 2s", {"five-card-fortune": STAKE}, fortune=selected)
    found = problems(record("deuces-wild", COMMUNITY, one, paytables={"five-card-fortune": ["FCF-A"]}))

    assert [("seat 1 decisions.fortune", "DW-6")] == [(problem.path, problem.ruling) for problem in found]
    assert words in found[0].words


@pytest.mark.parametrize("selected", ["As", "2s", "*", "2s *", "* 2s"])
def test_dw_summary_2_c_every_selection_of_one_card_or_wild_cards_is_taken(selected: str) -> None:
    assert STAKE == line(fortune("As 2s *", selected, COMMUNITY), "five-card-fortune").staked_cents


def test_dw_5_there_are_four_community_cards() -> None:
    for community in ("3c 6d 8c", "3c 6d 8c Th Jd"):
        found = problems(fortune("As 9d 4h", "As", community))

        assert [("community", "DW-5")] == [(problem.path, problem.ruling) for problem in found]


def test_dw_5_the_community_stays_face_down_until_the_fortune_is_settled() -> None:
    stages = _game().stages
    shown = next(n for n, stage in enumerate(stages) if stage.kind is StageKind.SHOW and stage.who.value == "board")
    settles = next(n for n, stage in enumerate(stages) if "five-card-fortune" in stage.wagers)
    decides = max(n for n, stage in enumerate(stages) if stage.kind is StageKind.DECIDE)

    assert decides < shown < settles
    assert shown + 1 == settles


# When the player selects, and from which cards


def both(cards: str, community: str = COMMUNITY, reading: str | None = None, **decisions: Any) -> Record:
    one = seat(1, cards, {"ante-play-raise": STAKE, "five-card-fortune": STAKE}, **decisions)
    paytables = {"ante-play-raise": ["APR-A"], "five-card-fortune": ["FCF-A"]}
    readings = {} if reading is None else {"fortune_after_raise": reading}
    return record("deuces-wild", community, one, paytables=paytables, readings=readings)


def test_dw_step_21_without_an_ante_the_player_selects_from_three_cards() -> None:
    one = seat(1, "As Kd 9h", {"five-card-fortune": STAKE})
    found = problems(record("deuces-wild", COMMUNITY, one, paytables={"five-card-fortune": ["FCF-A"]}))

    assert [("seat 1 decisions.fortune", "DW step 21")] == [(problem.path, problem.clause) for problem in found]


def test_dw_step_21_a_iii_a_hand_folded_at_three_cards_keeps_its_fortune_wager() -> None:
    folded = both("9s Kd 4h", "9d 9h 9c 5s", play=False, fortune=["9s"])

    assert 0 == line(folded, "ante-play-raise").paid_cents
    assert 2500 == line(folded, "five-card-fortune").paid_cents


def test_dw_step_21_a_iii_any_number_of_wild_cards_may_be_selected_on_a_fold() -> None:
    folded = both("2s 2h 4h", "9d 9h 9c 5s", play=False, fortune=["2s", "2h"])

    assert 4000 == line(folded, "five-card-fortune").paid_cents


def test_dw_step_22_a_iii_a_hand_folded_at_four_cards_selects_from_the_four() -> None:
    folded = both("Ks Kd 4h 9s", "9d 9h 9c 5s", play=True, raise_=False, fortune=["9s"])

    assert 0 == line(folded, "ante-play-raise").paid_cents
    assert 2500 == line(folded, "five-card-fortune").paid_cents


@pytest.mark.parametrize(
    "decisions", [{"play": False}, {"play": True, "raise_": False}, {"play": True, "raise_": True}]
)
def test_dw_6_the_selection_is_required_where_the_player_selects(decisions: Record) -> None:
    count = 3 + bool(decisions["play"]) + bool(decisions.get("raise_"))
    found = problems(both(" ".join(["As", "Kd", "9h", "7c", "5s"][:count]), **decisions))

    assert ("seat 1 decisions.fortune", "DW-6") == (found[0].path, found[0].ruling)


@pytest.mark.parametrize("reading", [None, "player_selects"])
def test_dw_6_player_selects_from_the_four_cards_held_when_raising(reading: str | None) -> None:
    raised = both("Ks Kd 4h 9s 9c", "9d 9h Qc 5s", reading, play=True, raise_=True, fortune=["9s"])

    assert 500 == line(raised, "five-card-fortune").paid_cents
    assert 4000 == line(raised, "ante-play-raise").paid_cents


def test_dw_6_the_fifth_card_cannot_be_selected() -> None:
    found = problems(both("Ks Kd 4h 7s 9c", "9d 9h Qc 5s", play=True, raise_=True, fortune=["9c"]))

    assert ["seat 1 decisions.fortune"] == [problem.path for problem in found]


@pytest.mark.parametrize(
    ("cards", "community", "event", "expected"),
    [
        ("Ks Kd 4h 7s 9c", "9d 9h 9s 5s", "Four of a Kind", 2500),
        ("Ks 2d 4h 7s 9c", "9d 9h 9s 5s", "Four of a Kind", 2500),
        ("Ks 2d 4h * 9c", "9d 9h 9s 5s", "Five of a Kind", 4000),
        ("Ks Jd 4h 7s Qc", "9d 9h Kc Kh", "Full House", 2000),
        ("Ks Jd 4h 7s Qc", "9d 8h 3c 6h", None, 0),
    ],
)
def test_dw_6_dealer_takes_best_out_of_the_five_cards_of_a_raised_hand(
    cards: str, community: str, event: str | None, expected: int
) -> None:
    taken = line(both(cards, community, "dealer_takes_best", play=True, raise_=True), "five-card-fortune")

    assert (event, expected) == (taken.event, taken.paid_cents)
    assert "DW-6" in cited(taken)


def test_dw_6_under_dealer_takes_best_a_raised_hand_selects_nothing() -> None:
    found = problems(both("Ks Kd 4h 7s 9c", reading="dealer_takes_best", play=True, raise_=True, fortune=["Ks"]))

    assert ["seat 1 decisions.fortune"] == [problem.path for problem in found]


@pytest.mark.parametrize("decisions", [{"play": False}, {"play": True, "raise_": False}])
def test_dw_6_under_dealer_takes_best_a_folded_hand_still_selects(decisions: Record) -> None:
    cards = "9s Kd 4h 9c" if decisions["play"] else "9s Kd 4h"
    folded = both(cards, "9d 9h Qc 5s", "dealer_takes_best", **decisions, fortune=["Kd"])

    assert 0 == line(folded, "five-card-fortune").paid_cents


@pytest.mark.parametrize("raised", [False, True])
def test_dw_6_no_selection_is_stated_without_a_fortune_wager(raised: bool) -> None:
    cards, decisions = ("As Kd 9h 7c 5s", {"play": True, "raise_": True}) if raised else ("As Kd 9h", {"play": False})
    one = seat(1, cards, {"ante-play-raise": STAKE}, **decisions, fortune=["As"])
    found = problems(record("deuces-wild", COMMUNITY, one, paytables={"ante-play-raise": ["APR-A"]}))

    assert ["seat 1 decisions.fortune"] == [problem.path for problem in found]


def test_dw_6_a_fold_states_no_selection_either() -> None:
    """ROUND_FORMAT: `fortune` exactly where the player selects, refused otherwise; `false` is not even a selection."""
    one = seat(1, "As Kd 9h", {"ante-play-raise": STAKE}, play=False, fortune=False)
    found = problems(record("deuces-wild", COMMUNITY, one, paytables={"ante-play-raise": ["APR-A"]}))

    assert ["seat 1 decisions.fortune"] == [problem.path for problem in found]


def test_dw_6_dealer_takes_best_opens_only_with_a_cap_on_fortune() -> None:
    game = _game()
    paytables = {"ante-play-raise": ["APR-A"], "five-card-fortune": ["FCF-A"]}
    for reading, cap, expected in (
        ("dealer_takes_best", {}, ["DW-6"]),
        ("dealer_takes_best", {"five-card-fortune": 2}, []),
        ("player_selects", {}, []),
    ):
        stated = TermsInput(paytables=paytables, readings={"fortune_after_raise": reading}, base_multiples_max=cap)
        terms, _ = make_terms(game, stated)

        assert expected == [problem.ruling for problem in game.check_opening(terms, dict(stated.readings))]


def test_dw_step_21_exception_all_folded_the_fourth_community_card_is_dealt_for_the_fortune() -> None:
    folded = both("9s Kd 4h", "9d 9h 9c 5s", play=False, fortune=["9s"])
    assert 2500 == line(folded, "five-card-fortune").paid_cents

    short = both("9s Kd 4h", "9d 9h 9c", play=False, fortune=["9s"])
    assert ["community"] == [problem.path for problem in problems(short)]


@pytest.mark.parametrize("community", ["3c 6d 8c", "3c 6d 8c Th"])
def test_dw_10_the_fourth_community_card_may_be_missing_when_all_folded_without_fortune(community: str) -> None:
    one = seat(1, "As Kd 9h", {"ante-play-raise": STAKE}, play=False)

    assert (
        0
        == line(
            record("deuces-wild", community, one, paytables={"ante-play-raise": ["APR-A"]}), "ante-play-raise"
        ).paid_cents
    )


def _game() -> Game:
    return find_game("deuces-wild")
