"""Deuces Wild, the Ante, Play and Raise, and Appendix A: cards, decisions and what is paid."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.printed import back_to_one, events_of, ids_of, printed
from tests.support import cited, line, problems, record, seat, settled

ANTE = 500
COMMUNITY = "3c 6d 8c Th"

Record = dict[str, Any]


def played(cards: str, table: Any = "APR-A", **decisions: Any) -> Record:
    """One seat with a five-dollar Ante that raises, unless decisions say otherwise."""
    made = decisions or {"play": True, "raise_": True}
    one = seat(1, cards, {"ante-play-raise": ANTE}, **made)
    return record("deuces-wild", COMMUNITY, one, paytables={"ante-play-raise": [table]})


def chips(round_record: Record) -> dict[str, tuple[int, int]]:
    """Chip to what was staked and what is handed back."""
    return {chip.part: (chip.staked_cents, chip.paid_cents) for chip in line(round_record, "ante-play-raise").chips}


# The deck


def test_dw_1_53_cards_the_joker_is_among_them_once() -> None:
    assert 62_000 == line(played("As Ks Qs Js *"), "ante-play-raise").paid_cents
    assert ["G-11"] == [problem.ruling for problem in problems(played("As Ks Qs * *"))]
    assert ["G-11"] == [problem.ruling for problem in problems(played("As Ks Qs Qs Js"))]


@pytest.mark.parametrize("wild", ["2s", "2h", "2d", "2c", "*"])
def test_dw_rule_2_the_four_deuces_and_the_joker_are_wild(wild: str) -> None:
    assert "Three of a Kind" == line(played(f"9s 9d Kh 5c {wild}"), "ante-play-raise").event


@pytest.mark.parametrize("other", ["3d", "Ac", "8s"])
def test_dw_rule_2_no_other_card_is_wild(other: str) -> None:
    lost = line(played(f"9s 9d Kh 5c {other}"), "ante-play-raise")

    assert (0, None) == (lost.paid_cents, lost.event)


def test_dw_1_a_wild_card_may_stand_for_a_card_already_held() -> None:
    """Five of a kind needs a fifth card of a rank that has four."""
    assert "Five of a Kind" == line(played("9s 9d 9h 9c 2s"), "ante-play-raise").event


def test_dw_1_a_natural_royal_has_no_wild_card() -> None:
    assert "Natural Royal Flush" == line(played("As Ks Qs Js Ts"), "ante-play-raise").event
    assert "Wild Royal Flush" == line(played("As Ks Qs Js 2s"), "ante-play-raise").event


def test_dw_1_five_wild_cards_are_a_wild_royal_in_appendix_a() -> None:
    won = line(played("2s 2h 2d 2c *"), "ante-play-raise")

    assert ("Wild Royal Flush", 62_000) == (won.event, won.paid_cents)


# Appendix A


ROWS = {
    "Natural Royal Flush": ["As Ks Qs Js Ts", "Td Jd Qd Kd Ad"],
    "Wild Royal Flush": ["As Ks Qs Js 2d", "As Ts * 2h 2c", "2s 2h 2d 2c *", "2s 2h 2d 2c Ah", "Tc 2s 2h Qc *"],
    "Five of a Kind": ["Js Jd Jh Jc 2s", "Js Jd 2h 2c *", "9s 2s 2h 2d 9h", "3s 3d 3h 2c 2s"],
    "Straight Flush": ["9s 8s 7s 6s 5s", "9s 8s 7s 2d 5s", "Ah 3h 4h 5h 2h", "Ad 3d 5d * 2c", "8s 2h 2d 2c 7s"],
    "Four of a Kind": ["9s 9d 9h 9c Kd", "9s 9d 9h 2c Kd", "9s 9d 2h 2c Kd", "9s 3d 2h 2c *"],
    "Full House": ["9s 9d 9h Kc Kd", "9s 9d Kh Kc 2s"],
    "Flush": ["Ks Js 8s 4s 3s", "Ks Js 8s 4s 2d", "Ks 8s 3s 2d *"],
    "Straight": ["9s 8d 7h 6c 5s", "As 3d 4h 5c 2d", "As Kd Qh Jc Ts", "9s 8d 5h 2c *", "Ks Qd Jh 2c 9s"],
    "Three of a Kind": ["9s 9d 9h Kc 4d", "9s 9d 2h Kc 4d", "9s Kd 5h 2c *"],
    "Two Pair": ["9s 9d Kh Kc 4d"],
}


@pytest.mark.parametrize("table", ids_of("APR"))
@pytest.mark.parametrize("event", ROWS)
def test_dw_appendix_a_pays_every_row_of_every_table(table: str, event: str) -> None:
    for cards in ROWS[event]:
        won = line(played(cards, table), "ante-play-raise")

        assert (event, back_to_one(printed(table, event), 4 * ANTE)) == (won.event, won.paid_cents), cards
        assert {"DW rule 8", "DW-2", "DW-3", "DW Appendix A", "DW step 24(b)"} <= cited(won)


def test_dw_appendix_a_rows_are_all_shown() -> None:
    assert events_of("APR-A") == tuple(ROWS)


def test_dw_4_tables_a_to_f_exist_and_no_seventh() -> None:
    assert [f"APR-{letter}" for letter in "ABCDEF"] == ids_of("APR")
    for letter in "ABCDEF":
        assert 4000 == line(played("9s 9d Kh Kc 4d", f"APR-{letter}"), "ante-play-raise").paid_cents
    assert ["paytables.ante-play-raise"] == [problem.path for problem in problems(played("9s 9d Kh Kc 4d", "APR-G"))]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("As Ks Qs Js Ts", 502_000),
        ("As Ks Qs Js 2d", 72_000),
        ("Js Jd Jh Jc 2s", 42_000),
        ("9s 8s 7s 6s 5s", 18_000),
        ("9s 9d 9h 9c Kd", 12_000),
        ("9s 9d 9h Kc Kd", 10_000),
        ("Ks Js 8s 4s 3s", 8000),
        ("9s 8d 7h 6c 5s", 6000),
        ("9s 9d 9h Kc 4d", 4000),
        ("9s 9d Kh Kc 4d", 4000),
    ],
)
def test_dw_appendix_a_apr_d_on_twenty_dollars(cards: str, expected: int) -> None:
    """250, 35, 20, 8, 5, 4, 3, 2, 1 and 1 to 1 on Ante, Play and Raise together."""
    assert expected == line(played(cards, "APR-D"), "ante-play-raise").paid_cents


def test_dw_appendix_a_note_four_jacks_and_a_wild_card_are_five_of_a_kind_only() -> None:
    """20 to 1 on twenty dollars and nothing for Four or Three of a Kind."""
    won = line(played("Js Jd Jh Jc 2s"), "ante-play-raise")

    assert ("Five of a Kind", 42_000, 40_000) == (won.event, won.paid_cents, won.net_cents)
    assert {"DW Appendix A note", "G-1", "G-2"} <= cited(won)


@pytest.mark.parametrize("cards", ["9s 9d Kh 5c 4d", "As Kd Qh 9c 4d", "As Kd 4h 9c 2d"])
def test_dw_step_24_a_less_than_two_pair_loses_every_chip(cards: str) -> None:
    lost = line(played(cards), "ante-play-raise")

    assert (2000, 0, None) == (lost.staked_cents, lost.paid_cents, lost.event)
    assert {"DW step 24(a)", "DW Appendix A"} <= cited(lost)


def test_dw_2_a_hand_is_the_best_event_of_its_own_pay_table() -> None:
    """A pair with two wild cards is also two pair, three of a kind and a full house."""
    won = line(played("9s 9d 2h 2c Kd", "APR-C"), "ante-play-raise")

    assert ("Four of a Kind", 10_000) == (won.event, won.paid_cents)


def test_dw_2_the_best_paying_event_is_chosen_where_a_table_is_set_otherwise() -> None:
    """7-8-9 with two wild cards is a straight and three of a kind, which this operator pays 9 to 1."""
    table = {"id": "APR-A", "pays": {"Three of a Kind": "9"}}
    won = line(played("9s 8d 7h 2c *", table), "ante-play-raise")

    assert ("Three of a Kind", 20_000) == (won.event, won.paid_cents)


# The wagers and the decisions


def test_dw_3_a_win_pays_the_odds_on_ante_play_and_raise_alike() -> None:
    """A flush at 3 to 1."""
    assert {"Ante": (500, 2000), "Play": (500, 2000), "Raise": (1000, 4000)} == chips(played("Ks Js 8s 4s 3s"))


def test_dw_rule_5_the_play_wager_equals_the_ante_and_a_fold_at_four_cards_forfeits_both() -> None:
    folded = played("As Ks Qs Js", play=True, raise_=False)

    assert {"Ante": (500, 0), "Play": (500, 0)} == chips(folded)
    assert {"DW step 22(a)"} == cited(line(folded, "ante-play-raise"))


def test_dw_step_21_a_a_fold_at_three_cards_forfeits_the_ante() -> None:
    folded = played("As Ks Qs", play=False)

    assert {"Ante": (500, 0)} == chips(folded)
    assert {"DW step 21(a)"} == cited(line(folded, "ante-play-raise"))
    assert line(folded, "ante-play-raise").event is None


def test_dw_rule_7_the_raise_equals_ante_and_play_together() -> None:
    assert 1000 == chips(played("9s 9d Kh 5c 4d"))["Raise"][0]


@pytest.mark.parametrize("decisions", [{"raise_": True}, {"play": 1}, {"play": None}])
def test_dw_rule_5_a_player_with_an_ante_plays_or_folds(decisions: Record) -> None:
    found = problems(played("As Ks Qs", **decisions))

    assert ("seat 1 decisions.play", "DW rule 5") == (found[0].path, found[0].clause)


@pytest.mark.parametrize("decisions", [{"play": True}, {"play": True, "raise_": 2}, {"play": True, "raise_": None}])
def test_dw_rule_7_a_player_who_played_raises_or_folds(decisions: Record) -> None:
    found = problems(played("As Ks Qs Js", **decisions))

    assert [("seat 1 decisions.raise", "DW rule 7, raise")] == [(problem.path, problem.clause) for problem in found]


@pytest.mark.parametrize("decision", ["play", "raise_"])
@pytest.mark.parametrize("made", [True, False])
def test_dw_without_an_ante_there_is_nothing_to_play_or_raise(decision: str, made: bool) -> None:
    one = seat(1, "As Ks Qs", {"three-card-treasure": 500}, **{decision: made})
    found = problems(record("deuces-wild", COMMUNITY, one, paytables={"three-card-treasure": ["TCT-A"]}))

    assert [f"seat 1 decisions.{decision.rstrip('_')}"] == [problem.path for problem in found]


def test_dw_step_22_nobody_raises_after_folding() -> None:
    assert ["seat 1 decisions.raise"] == [
        problem.path for problem in problems(played("As Ks Qs", play=False, raise_=True))
    ]
    assert 0 == line(played("As Ks Qs", play=False, raise_=False), "ante-play-raise").paid_cents


# Who is entitled to how many cards


ENTITLED = [
    ({"three-card-treasure": 500}, {}, 3),
    ({"five-card-fortune": 500}, {"fortune": ["As"]}, 3),
    ({"three-card-treasure": 500, "five-card-fortune": 500}, {"fortune": ["As"]}, 3),
    ({"bonus-jackpot": 100}, {}, 5),
    ({"five-card-fortune": 500, "bonus-jackpot": 100}, {"fortune": ["As"]}, 5),
    ({"ante-play-raise": 500}, {"play": False}, 3),
    ({"ante-play-raise": 500}, {"play": True, "raise": False}, 4),
    ({"ante-play-raise": 500}, {"play": True, "raise": True}, 5),
    ({"ante-play-raise": 500, "five-card-fortune": 500}, {"play": False, "fortune": ["As"]}, 3),
    ({"ante-play-raise": 500, "five-card-fortune": 500}, {"play": True, "raise": False, "fortune": ["As"]}, 4),
    ({"ante-play-raise": 500, "five-card-fortune": 500}, {"play": True, "raise": True, "fortune": ["As"]}, 5),
    ({"ante-play-raise": 500, "bonus-jackpot": 100}, {"play": False}, 5),
    ({"ante-play-raise": 500, "bonus-jackpot": 100}, {"play": True, "raise": False}, 5),
    ({"ante-play-raise": 500, "bonus-jackpot": 100}, {"play": True, "raise": True}, 5),
]
TABLES = {
    "ante-play-raise": ["APR-A"],
    "three-card-treasure": ["TCT-A"],
    "five-card-fortune": ["FCF-A"],
    "bonus-jackpot": ["BJ-A"],
}


@pytest.mark.parametrize(("wagers", "decisions", "entitled"), ENTITLED)
def test_dw_footnote_1_and_rule_7_cards_a_seat_is_entitled_to(
    wagers: dict[str, int], decisions: Record, entitled: int
) -> None:
    """Fortune brings three cards, Play a fourth, Raise a fifth, and the Bonus Jackpot five in any case (DW-7)."""
    cards = ["As", "Kd", "9h", "7c", "5s", "4s"]
    for count in (2, 3, 4, 5, 6):
        one = {"seat": 1, "cards": cards[:count], "wagers": wagers, "decisions": decisions}
        paytables = {wager: TABLES[wager] for wager in wagers}
        round_record = record("deuces-wild", COMMUNITY, one, paytables=paytables, meters={"bonus-jackpot": 100_000})
        if count == entitled:
            assert list(wagers) == list(settled(round_record).settlement.lines[1])
        else:
            assert "seat 1 cards" in [problem.path for problem in problems(round_record)]


def test_dw_step_15_the_wagers_have_no_effect_on_each_other() -> None:
    """Folded at three: the Ante is lost, the Treasure wins, the jackpot wins, the Fortune wins."""
    wagers = {"ante-play-raise": 500, "three-card-treasure": 500, "five-card-fortune": 500, "bonus-jackpot": 100}
    one = seat(1, "2s 2d As 9c 5h", wagers, play=False, fortune=["As"])
    community = "Ks Qs Js Ts"
    round_record = record("deuces-wild", community, one, paytables=TABLES, meters={"bonus-jackpot": 100_000})
    paid = {wager: line(round_record, wager).paid_cents for wager in wagers}

    expected = {"ante-play-raise": 0, "three-card-treasure": 10_500, "five-card-fortune": 200_500, "bonus-jackpot": 700}
    assert expected == paid


@pytest.mark.parametrize("wager", TABLES)
def test_dw_rule_4_any_of_the_four_wagers_may_stand_alone(wager: str) -> None:
    needed: dict[str, Record] = {"ante-play-raise": {"play": False}, "five-card-fortune": {"fortune": ["As"]}}
    cards = "As Kd 9h 7c 5s" if wager == "bonus-jackpot" else "As Kd 9h"
    one = seat(1, cards, {wager: 100}, **needed.get(wager, {}))
    round_record = record("deuces-wild", COMMUNITY, one, paytables=TABLES, meters={"bonus-jackpot": 100_000})

    assert (100, 0) == (line(round_record, wager).staked_cents, line(round_record, wager).paid_cents)
