"""3 Card Double Play Poker against document 004, clause by clause: High Hand, Low Hand and the setting of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games import printed
from tests.support import cited, line, problems, record, seat, settled

GAME = "three-card-double-play"
MAIN = "high-low"
LOW_DEALER = "2c 3d 5h 7s 9c"  # nine high
ACES_DEALER = "Ac Ad Ah 7s 9c"
MINI_ROYAL = "As Ks Qs"


def hand(
    high: str, low: str, dealer: str = LOW_DEALER, *, double: Any = False, stake: int = 500, table: Any = "LWB-1"
) -> dict[str, Any]:
    cards = seat(1, f"{low} {high}", {MAIN: stake}, high=high.split(), double=double)
    return record(GAME, dealer, cards, paytables={MAIN: [table]})


def chips(round_record: dict[str, Any]) -> dict[str, int]:
    return {chip.part: chip.paid_cents for chip in line(round_record, MAIN).chips}


# Rules 1 to 4


def test_tdp_rule_1_two_equal_wagers() -> None:
    staked = [(chip.part, chip.staked_cents) for chip in line(hand("Kc Kd 4h", "Tc 8d 4s"), MAIN).chips]
    assert [("High", 500), ("Low", 500)] == staked


def test_tdp_rule_1_g_19_the_two_wagers_are_required() -> None:
    alone = seat(1, "As Ks Qs Tc 8d 4s", {"pick-3": 500}, high=["As", "Ks", "Qs"], double=False)
    found = problems(record(GAME, LOW_DEALER, alone, paytables={"pick-3": ["P3-1"]}))
    assert [("TDP rule 1", "G-19")] == [(problem.clause, problem.ruling) for problem in found]


@pytest.mark.parametrize("cards", ["Kc Kd 4h Tc 8d", "Kc Kd 4h Tc 8d 4s 6h"])
def test_tdp_rule_2_each_player_has_six_cards(cards: str) -> None:
    other = hand("Kc Kd 4h", "Tc 8d 4s")
    other["seats"][0]["cards"] = cards.split()
    assert ["seat 1 cards"] == [problem.path for problem in problems(other)]


@pytest.mark.parametrize("dealer", ["2c 3d 5h 7s", "2c 3d 5h 7s 9c Jd", "2c 3d 5h"])
def test_tdp_rule_2_the_dealer_has_five_cards(dealer: str) -> None:
    assert ["dealer"] == [problem.path for problem in problems(hand("Kc Kd 4h", "Tc 8d 4s", dealer))]


def test_tdp_introduction_one_deck_no_card_twice() -> None:
    assert ["cards"] == [problem.path for problem in problems(hand("Kc Kd 9c", "Tc 8d 4s"))]


@pytest.mark.parametrize(
    ("high", "low"),
    [
        ("Tc 8d 4s", "Kc Kd 4h"),
        ("Kc Kd 4h", "Kh Ks 6d"),  # the kicker decides
        ("Jd 8d 4d", "8c 9d Th"),  # a straight ranks above a flush
        ("8c 9d Th", "8d 8h 8s"),
        ("8d 8h 8s", "4h 5h 6h"),
        ("Kh Qh Jh", MINI_ROYAL),
    ],
)
def test_tdp_6_tdp_rule_3_the_low_hand_above_the_high_hand_is_refused(high: str, low: str) -> None:
    (problem,) = problems(hand(high, low, "2c 3d 5c 7s 9c"))
    assert ("seat 1 decisions.high", "TDP rule 3", "TDP-6") == (problem.path, problem.clause, problem.ruling)
    assert 1 in settled(hand(low, high, "2c 3d 5c 7s 9c")).settlement.lines


@pytest.mark.parametrize(
    ("high", "low"), [(MINI_ROYAL, "Ah Kh Qh"), ("Kc Kd 4h", "Kh Ks 4d"), ("Jc Td 8h", "Jh Ts 8c")]
)
def test_tdp_1_the_high_hand_may_equal_the_low_hand(high: str, low: str) -> None:
    assert {"High": 1000} == {part: paid for part, paid in chips(hand(high, low)).items() if part == "High"}
    assert 1 in settled(hand(low, high)).settlement.lines


@pytest.mark.parametrize(
    "high",
    [
        ["Kc", "Kd"],
        ["Kc", "Kd", "4h", "Tc"],
        ["Kc", "Kc", "4h"],
        ["Kc", "Kd", "Ah"],
        "Kc Kd 4h",
        None,
        [],
        ["Kc", "Kd", "x"],
    ],
)
def test_tdp_rule_3_the_high_hand_is_three_cards_of_the_six(high: Any) -> None:
    odd = hand("Kc Kd 4h", "Tc 8d 4s")
    odd["seats"][0]["decisions"]["high"] = high
    assert ["TDP rule 3"] == [problem.clause for problem in problems(odd)]


@pytest.mark.parametrize("key", ["high", "double"])
def test_tdp_rule_3_rule_4_both_decisions_must_be_stated(key: str) -> None:
    silent = hand("Kc Kd 4h", "Tc 8d 4s")
    del silent["seats"][0]["decisions"][key]
    assert [f"seat 1 decisions.{key}"] == [problem.path for problem in problems(silent)]


@pytest.mark.parametrize("double", ["both", 1, {"high": True}, ["high"]])
def test_tdp_rule_4_both_hands_are_doubled_or_none(double: Any) -> None:
    (problem,) = problems(hand("Kc Kd 4h", "Tc 8d 4s", double=double))
    assert ("seat 1 decisions.double", "TDP rule 4") == (problem.path, problem.clause)


def test_tdp_rule_4_a_double_is_two_wagers_equal_to_the_original() -> None:
    doubled = line(hand("Kc Kd 4h", "Tc 8d 4s", double=True, stake=700), MAIN)
    staked = [(chip.part, chip.staked_cents) for chip in doubled.chips]
    assert [("High", 700), ("Low", 700), ("High double", 700), ("Low double", 700)] == staked
    assert 2800 == doubled.staked_cents


# Rules 5 to 7, TDP-1: the ranking, best first. Each entry: a High Hand, and a dealer's five with the lowest of that rank

RANKING = [
    ("As Ks Qs", "Ad Kd Qd 4c 9h"),
    ("Kh Qh Jh", "Ad 2d 3d 7c 9h"),
    ("Ac Ah As", "2c 2d 2h 7c 9h"),
    ("Ac Kd Qh", "Ad 2c 3h 7c 9h"),
    ("Ac Kc Jc", "2d 3d 5d 7c 9h"),
    ("Ac Ah Ks", "2c 2d 7c 8h Jd"),
    ("Ac Kh Js", "2d 3h 5c 6c 8h"),
]
LOW_HAND = "6d 4s 2s"  # beaten by every dealer here


@pytest.mark.parametrize("index", range(6))
def test_tdp_rule_5_tdp_1_the_lowest_of_a_rank_beats_the_highest_of_the_next(index: int) -> None:
    beaten = line(hand(RANKING[index + 1][0], LOW_HAND, RANKING[index][1]), MAIN)
    assert -1000 == beaten.net_cents


@pytest.mark.parametrize("index", range(7))
def test_tdp_rule_7_tdp_1_the_highest_of_a_rank_beats_its_lowest(index: int) -> None:
    assert 1000 == chips(hand(RANKING[index][0], LOW_HAND, RANKING[index][1]))["High"]


@pytest.mark.parametrize(
    ("dealer", "beats", "loses_to"),
    [
        ("Kc 9c 4c 4d 8h", "Ah Ad Qs", "Ah Jh 9h"),  # a flush rather than the pair
        ("Kc 9c 8c 7d 2h", "Kh Qh 2d", "9h Td Js"),  # 9-8-7, a straight, rather than the flush
        ("8c 8d 8h 9s Tc", "Qh Jd Kc", "9h 9d 9c"),  # trips rather than the straight
        ("8c 8d 8h 9c 7c", "Ah Ad As", "Th Jh Qh"),  # 9-8-7 of clubs rather than the trips
        ("Ac Kc Qc Jc Tc", "Kh Qh Jh", "Ah Kh Qh"),
        ("Ac 2d 3h 8s Jc", "Ah Ks Td", "2h 3c 4c"),  # the ace is low in A-2-3
    ],
)
def test_tdp_rule_6_the_dealer_takes_the_best_three_of_five(dealer: str, beats: str, loses_to: str) -> None:
    assert -1000 == line(hand(beats, "6d 5s 3s", dealer), MAIN).net_cents
    assert 1000 == chips(hand(loses_to, "6d 5s 3s", dealer))["High"]


@pytest.mark.parametrize(
    ("high", "low", "dealer"),
    [
        ("Kc Kd 8h", "Jh 9s 6d", "Js 9c 6c 4d 2h"),
        ("Ac Ad 8h", "Jh Jd 6d", "Js Jc 6c 4d 2h"),
        ("As Ks Qs", "8h Td 9d", "8s Tc 9h 4d 2h"),
        ("Ac Kd Qh", "Kh 9h 4h", "Ks 9s 4s 7d 2c"),
    ],
)
def test_tdp_rule_7_copies_of_the_low_hand_win_for_the_player(high: str, low: str, dealer: str) -> None:
    settled_line = line(hand(high, low, dealer), MAIN)
    assert settled_line.chips[1].paid_cents > 1000
    assert {"TDP rule 10(a)", "TDP-1"} <= cited(settled_line)


def test_tdp_rule_7_a_copy_of_the_high_hand_wins_for_the_player() -> None:
    copied = hand("Jh Jd 6d", "8h 5s 3d", "Js Jc 6c 4d 2h")
    assert {"High": 1000, "Low": 0} == chips(copied)
    assert {"TDP rule 9(a)", "TDP-1"} <= cited(line(copied, MAIN))


# Rules 8 to 10


@pytest.mark.parametrize(("double", "lost"), [(False, 1000), (True, 2000)])
def test_tdp_rule_8_the_dealer_beats_both_hands_and_takes_all(double: bool, lost: int) -> None:
    beaten = line(hand("Kc Kd 4h", "Tc 8d 4s", ACES_DEALER, double=double), MAIN)
    assert (-lost, 0, None) == (beaten.net_cents, beaten.paid_cents, beaten.event)
    assert {"TDP rule 8"} == cited(beaten)


def test_tdp_rule_9_a_and_b_the_high_hand_alone_wins() -> None:
    split = hand("Kc Kd 4h", "8d 6h 4s")
    assert {"High": 1000, "Low": 0} == chips(split)
    assert 0 == line(split, MAIN).net_cents
    assert {"TDP rule 9(a)", "TDP rule 9(b)", "TDP-1", "TDP-2"} == cited(line(split, MAIN))


def test_tdp_rule_9_a_and_b_with_double_downs() -> None:
    split = hand("Kc Kd 4h", "8d 6h 4s", double=True)
    assert {"High": 1000, "Low": 0, "High double": 1000, "Low double": 0} == chips(split)


def test_tdp_rule_9_tdp_2_a_losing_low_hand_has_no_bonus_whatever_it_is() -> None:
    beaten = line(hand(MINI_ROYAL, "8c 8d 8h", ACES_DEALER), MAIN)
    assert (0, None) == (beaten.net_cents, beaten.event)


def test_tdp_rule_10_a_the_high_hand_is_paid_even_money() -> None:
    won = hand(MINI_ROYAL, "Tc 8d 4s")
    assert 1000 == chips(won)["High"]
    assert {"TDP rule 10(a)", "TDP rule 10(b)", "TDP-2"} <= cited(line(won, MAIN))


def test_tdp_rule_10_a_with_its_double_down() -> None:
    assert {"High": 1000, "High double": 1000, "Low": 1250, "Low double": 1250} == chips(
        hand(MINI_ROYAL, "Tc 8d 4s", double=True)
    )


LOW_HANDS = {
    "Mini-Royal in Low side": "Ah Kh Qh",
    "Straight Flush": "Th 9h 8h",
    "Trips": "8c 8d 8h",
    "Straight": "8c 9d Th",
    "Flush": "Jd 8d 4d",
    "Pair": "8c 8d 4h",
    "High Cards": "Tc 8d 4h",
}


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows(GAME, MAIN))
def test_tdp_rule_10_b_tdp_2_appendix_a_every_row_of_the_low_hand(table: str, event: str, cell: str) -> None:
    low = printed.back_to_one(cell, 500)
    won = hand(MINI_ROYAL, LOW_HANDS[event], table=table)
    assert {"High": 1000, "Low": low} == chips(won)
    assert (event, table) == (line(won, MAIN).event, line(won, MAIN).paytable)
    doubled = hand(MINI_ROYAL, LOW_HANDS[event], table=table, double=True)
    assert {"High": 1000, "Low": low, "High double": 1000, "Low double": low} == chips(doubled)
    assert {"TDP rule 10(b)", "TDP-2"} <= cited(line(doubled, MAIN))


@pytest.mark.parametrize(
    ("table", "low", "paid"),
    [
        ("LWB-1", "Ah Kh Qh", 25_500),
        ("LWB-1", "8c 9d Th", 2500),
        ("LWB-3", "8c 9d Th", 2000),
        ("LWB-4", "Tc 8d 4h", 1250),
        ("LWB-5", "Jd 8d 4d", 1500),
        ("LWB-6", "Tc 8d 4h", 1000),
    ],
)
def test_tdp_appendix_a_note_1_odds_to_1_by_hand(table: str, low: str, paid: int) -> None:
    assert paid == chips(hand(MINI_ROYAL, low, table=table))["Low"]


@pytest.mark.parametrize(("stake", "prize"), [(1, 1), (3, 4), (101, 151), (333, 499), (334, 501)])
@pytest.mark.parametrize("low", ["8c 8d 4h", "Tc 8d 4h"])
def test_g_3_tdp_rule_10_b_half_cents_are_rounded_chip_by_chip(stake: int, prize: int, low: str) -> None:
    """At 333 cents two chips of 1.5 to 1 are 499 each; taken together they would be 999."""
    won = hand(MINI_ROYAL, low, double=True, stake=stake)
    assert {"High": 2 * stake, "Low": stake + prize, "High double": 2 * stake, "Low double": stake + prize} == chips(
        won
    )


def test_tdp_appendix_a_note_2_lwb_7_is_set_by_the_operator() -> None:
    amounts = ["40", "9", "4.5", "3", "2", "1.25", "1"]
    table = {"id": "LWB-7", "pays": dict(zip(LOW_HANDS, amounts, strict=True))}
    paid = [chips(hand(MINI_ROYAL, low, table=table))["Low"] for low in LOW_HANDS.values()]
    assert [20_500, 5000, 2750, 2000, 1500, 1125, 1000] == paid


@pytest.mark.parametrize("pays", [{}, {"Pair": "3"}, {"High Cards": "Loss"}, {"High Cards": "$5"}, {"Pair": "10%"}])
def test_g_6_tdp_appendix_a_note_2_what_lwb_7_may_not_be(pays: dict[str, str]) -> None:
    amounts = dict(zip(LOW_HANDS, ["40", "9", "4.5", "3", "2", "1.25", "1"], strict=True))
    table = {"id": "LWB-7", "pays": {**amounts, **pays} if pays else {}}
    assert {"G-6"} == {problem.ruling for problem in problems(hand(MINI_ROYAL, "Tc 8d 4h", table=table))}


def test_tdp_four_options_g_12_five_wagers_are_refused() -> None:
    tables = {MAIN: ["LWB-1"], "pick-3": ["P3-1"], "pick-5": ["P5-1"], "super-3s": ["S3J-1"], "super-six": ["S6J-1"]}
    every = seat(1, "As Ks Qs Tc 8d 4s", dict.fromkeys(tables, 100), high=["As", "Ks", "Qs"], double=False)
    meters = {"super-3s": 100_000, "super-six": 100_000}
    five = record(GAME, LOW_DEALER, every, paytables=tables, meters=meters)
    assert ["G-12"] == [problem.ruling for problem in problems(five)]
    del every["wagers"]["pick-5"]
    assert 1 in settled(five).settlement.lines
