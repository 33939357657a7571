"""3 Card Double Play Poker against document 004: Pick-3 and Pick-5."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games import printed
from tests.support import cited, line, problems, record, seat

GAME = "three-card-double-play"
MAIN = "high-low"
DEALER = "2s 3d 5c 7s 9c"


def pick(wager: str, table: Any, high: str, low: str, dealer: str = DEALER, **fields: Any) -> dict[str, Any]:
    """Six cards set as stated, with a bonus wager of two dollars."""
    hand = seat(1, f"{low} {high}", {MAIN: 500, wager: 200}, high=high.split(), double=False)
    return record(GAME, dealer, hand, paytables={MAIN: ["LWB-1"], wager: [table]}, **fields)


# Appendix B: Pick-3

PICK_3_HANDS = {
    "Double Mini-Royal": ("As Ks Qs", "Ah Kh Qh"),
    "Mini-Royal + Trips/SF": ("As Ks Qs", "8c 8d 8h"),
    "Double Trips/SF": ("Kh Qh Jh", "8c 8d 8h"),
    "One Mini-Royal": ("As Ks Qs", "Jc 8d 4h"),
    "Single Trips or SF": ("8c 8d 8h", "Kc 4d 2h"),
    "Double pairs": ("Kc Kd 4h", "8c 8d 2h"),
    "Double Flush or Straight": ("Jh Td 9h", "Kd 8d 4d"),
    "Other": ("Kc Kd 4h", "Jc 8d 6h"),
}


@pytest.mark.parametrize("basis", ["best", "as_set"])
@pytest.mark.parametrize(("table", "event", "cell"), printed.rows(GAME, "pick-3"))
def test_tdp_appendix_b_every_row_of_pick_3(table: str, event: str, cell: str, basis: str) -> None:
    high, low = PICK_3_HANDS[event]
    settled_line = line(pick("pick-3", table, high, low, readings={"pick3_basis": basis}), "pick-3")
    assert (event, table) == (settled_line.event, settled_line.paytable)
    assert printed.back_to_one(cell, 200) == settled_line.paid_cents
    assert {"TDP Pick-3", "TDP-3", "TDP Appendix B", "TDP Appendix B note 2", "TDP-4"} <= cited(settled_line)


@pytest.mark.parametrize(
    ("table", "event", "net"),
    [
        ("P3-1", "Double Mini-Royal", 100_000),
        ("P3-2", "Mini-Royal + Trips/SF", 40_000),
        ("P3-4", "Double Trips/SF", 10_000),
        ("P3-8", "One Mini-Royal", 3_000),
        ("P3-15", "Single Trips or SF", 1_200),
        ("P3-1", "Double pairs", 400),
        ("P3-2", "Double pairs", 200),
        ("P3-10", "Double Flush or Straight", 1_000),
        ("P3-16", "Double Mini-Royal", 6_000),
        ("P3-16", "Double Trips/SF", 1_000),
        ("P3-16", "One Mini-Royal", 6_000),
        ("P3-1", "Other", -200),
    ],
)
def test_tdp_appendix_b_note_1_odds_to_1_by_hand(table: str, event: str, net: int) -> None:
    assert net == line(pick("pick-3", table, *PICK_3_HANDS[event]), "pick-3").net_cents


@pytest.mark.parametrize(
    ("high", "low", "event"),
    [
        ("As Ks Qs", "Th 9h 8h", "Mini-Royal + Trips/SF"),
        ("As Ks Qs", "Js Ts 9s", "Mini-Royal + Trips/SF"),
        ("Kh Qh Jh", "Ts 9s 8s", "Double Trips/SF"),
        ("Kc Kd Kh", "8c 8d 8h", "Double Trips/SF"),
        ("Ah 2h 3h", "8c 8d 8h", "Double Trips/SF"),
        ("Ah 2h 3h", "Jc 8d 4h", "Single Trips or SF"),
        ("Kc Kd Kh", "8c 8d 2h", "Single Trips or SF"),  # two pairs in another division, but trips pay more
    ],
)
def test_tdp_appendix_b_other_shapes_of_the_rows(high: str, low: str, event: str) -> None:
    assert event == line(pick("pick-3", "P3-1", high, low), "pick-3").event


@pytest.mark.parametrize(
    ("high", "low"), [("As Ks Qs", "Qd Qh 2c"), ("Qs Qd Qh", "As Ks 2c"), ("Qd Qh As", "Ks Qs 2c")]
)
def test_tdp_appendix_b_note_2_a_mini_royal_with_a_pair_of_queens(high: str, low: str) -> None:
    """As Ks Qs Qd Qh 2c, however set: not a mini-royal plus three of a kind."""
    settled_line = line(pick("pick-3", "P3-1", high, low), "pick-3")
    assert ("One Mini-Royal", 4_000) == (settled_line.event, settled_line.net_cents)
    assert {"TDP Appendix B note 2", "TDP-4"} <= cited(settled_line)


@pytest.mark.parametrize(("high", "low"), [("As Ks Qs", "Js 9d 6h"), ("Ks Qs Js", "As 9d 6h")])
def test_tdp_appendix_b_note_2_not_both_a_mini_royal_and_a_king_high_straight_flush(high: str, low: str) -> None:
    """As Ks Qs Js 9d 6h is a mini-royal plus the jack of spades."""
    settled_line = line(pick("pick-3", "P3-1", high, low), "pick-3")
    assert ("One Mini-Royal", 4_000) == (settled_line.event, settled_line.net_cents)


@pytest.mark.parametrize(
    ("high", "low", "by_set", "by_set_net", "by_best", "by_best_net"),
    [
        ("8c 8d As", "8h Ks Qs", "Other", -200, "Mini-Royal + Trips/SF", 20_000),
        ("Qs Qd Qh", "As Ks 2c", "Single Trips or SF", 1_000, "One Mini-Royal", 4_000),
        ("Ks Qs Js", "As 9d 6h", "Single Trips or SF", 1_000, "One Mini-Royal", 4_000),
        ("Kc Kd 8c", "8d 4h 2h", "Other", -200, "Double pairs", 400),
        ("As Ks Qs", "Qd Qh 2c", "One Mini-Royal", 4_000, "One Mini-Royal", 4_000),
    ],
)
def test_tdp_3_pick3_basis_the_best_division_or_the_hands_as_set(
    high: str, low: str, by_set: str, by_set_net: int, by_best: str, by_best_net: int
) -> None:
    as_set = line(pick("pick-3", "P3-1", high, low, readings={"pick3_basis": "as_set"}), "pick-3")
    best = line(pick("pick-3", "P3-1", high, low, readings={"pick3_basis": "best"}), "pick-3")
    default = line(pick("pick-3", "P3-1", high, low), "pick-3")
    assert (by_set, by_set_net) == (as_set.event, as_set.net_cents)
    assert (by_best, by_best_net) == (best.event, best.net_cents)
    assert best == default
    assert "TDP-3" in cited(as_set) & cited(best)


def test_tdp_3_no_other_reading() -> None:
    odd = pick("pick-3", "P3-1", *PICK_3_HANDS["Other"], readings={"pick3_basis": "dealer"})
    assert ["TDP-3"] == [problem.ruling for problem in problems(odd)]


@pytest.mark.parametrize(
    ("high", "low", "event"),
    [
        ("8c 8d Kc", "8h 8s 4h", "Other"),  # two pairs of one rank are no double pairs
        ("Kc Kd 4h", "Kh Ks 2h", "Other"),
        ("Kc Kd 4h", "8c 8d 2h", "Double pairs"),
        ("8c 8d 8h", "Kc Kd 4h", "Single Trips or SF"),  # trips are no pair
    ],
)
def test_tdp_4_double_pairs_are_of_different_ranks(high: str, low: str, event: str) -> None:
    assert event == line(pick("pick-3", "P3-1", high, low, readings={"pick3_basis": "as_set"}), "pick-3").event


def test_tdp_4_four_of_a_kind_is_trips_and_no_double_pairs() -> None:
    assert "Single Trips or SF" == line(pick("pick-3", "P3-1", "8c 8d Kc", "8h 8s 4h"), "pick-3").event


@pytest.mark.parametrize(
    ("high", "low", "event", "times"),
    [
        ("Jh Td 9h", "Kd 8d 4d", "Double Flush or Straight", 5),
        ("Jh Td 9h", "8c 7d 6h", "Double Flush or Straight", 5),
        ("Kd Jd 8d", "Kh Th 4h", "Double Flush or Straight", 5),
        ("Ac Kd Qh", "Ad 2d 3h", "Double Flush or Straight", 5),
        ("Th 9h 8h", "Kd Jd 4d", "Single Trips or SF", 6),  # a straight flush counts as both, but pays 6 by itself
        ("8c 8d 8h", "Jh Td 9h", "Single Trips or SF", 6),  # trips are neither
    ],
)
def test_tdp_4_double_flush_or_straight(high: str, low: str, event: str, times: int) -> None:
    settled_line = line(pick("pick-3", "P3-15", high, low, readings={"pick3_basis": "as_set"}), "pick-3")
    assert (event, 200 * times) == (settled_line.event, settled_line.net_cents)


@pytest.mark.parametrize(
    ("high", "low", "event", "times"),
    [
        ("Th 9h 8h", "Kd Jd 4d", "Double Flush or Straight", 7),  # straight flush and flush
        ("Th 9h 8h", "6c 5d 4h", "Double Flush or Straight", 7),  # straight flush and straight
        ("8c 8d 8h", "Jh Td 9h", "Single Trips or SF", 5),
    ],
)
def test_tdp_4_a_straight_flush_counts_as_a_straight_and_as_a_flush(
    high: str, low: str, event: str, times: int
) -> None:
    table = {"id": "P3-10", "pays": {"Double Flush or Straight": "7"}}
    settled_line = line(pick("pick-3", table, high, low, readings={"pick3_basis": "as_set"}), "pick-3")
    assert (event, 200 * times) == (settled_line.event, settled_line.net_cents)


# P3-16 pays 30 for a mini-royal and 5 for double trips or straight flushes printed above it.
BOTH_WAYS = [
    ("Ks Qs Js", "Ac As Ad"),  # trips and a straight flush, or a mini-royal and a pair
    ("Ks Qs Js", "As 2s 3s"),  # two straight flushes, or a mini-royal and 2-3-J
]


@pytest.mark.parametrize(("one", "other"), BOTH_WAYS)
@pytest.mark.parametrize(
    ("table", "event", "times"),
    [
        ("P3-16", "One Mini-Royal", 30),
        ("P3-1", "Double Trips/SF", 50),
        ("P3-15", "Double Trips/SF", 40),
        ("P3-8", "Double Trips/SF", 50),
    ],
)
def test_tdp_3_g_2_p3_16_the_best_paying_row_is_not_the_highest(
    one: str, other: str, table: str, event: str, times: int
) -> None:
    hand = pick("pick-3", table, one, other, "4s 3d 5c 7s 9c")
    settled_line = line(hand, "pick-3")
    assert (event, 200 * times) == (settled_line.event, settled_line.net_cents)
    assert "G-2" in cited(settled_line)


@pytest.mark.parametrize(("one", "other"), BOTH_WAYS)
def test_tdp_3_p3_16_as_set_pays_the_double_that_was_set(one: str, other: str) -> None:
    hand = pick("pick-3", "P3-16", one, other, "4s 3d 5c 7s 9c", readings={"pick3_basis": "as_set"})
    settled_line = line(hand, "pick-3")
    assert ("Double Trips/SF", 1_000) == (settled_line.event, settled_line.net_cents)


@pytest.mark.parametrize("dealer", [DEALER, "Ac Ad Ah Kd Kh"])
def test_tdp_appendix_b_note_3_pick_3_is_independent_of_the_main_game(dealer: str) -> None:
    assert 1_000 == line(pick("pick-3", "P3-1", "8c 8d 8h", "Jc 6d 4h", dealer), "pick-3").net_cents


@pytest.mark.parametrize(("table", "last"), [("P3-9", "Double pairs"), ("P3-17", "Double Flush or Straight")])
def test_tdp_appendix_b_note_4_p3_9_and_p3_17_are_set_by_the_operator(table: str, last: str) -> None:
    amounts = {
        "Double Mini-Royal": "400",
        "Mini-Royal + Trips/SF": "90",
        "Double Trips/SF": "45",
        "One Mini-Royal": "18.5",
        "Single Trips or SF": "5",
        last: "2",
    }
    for event, amount in amounts.items():
        hand = pick("pick-3", {"id": table, "pays": amounts}, *PICK_3_HANDS[event])
        assert (event, printed.back_to_one(amount, 200)) == (
            line(hand, "pick-3").event,
            line(hand, "pick-3").paid_cents,
        )
    lost = line(pick("pick-3", {"id": table, "pays": amounts}, *PICK_3_HANDS["Other"]), "pick-3")
    assert ("Other", 0) == (lost.event, lost.paid_cents)
    assert {"G-6"} == {problem.ruling for problem in problems(pick("pick-3", table, *PICK_3_HANDS["Other"]))}


# Appendix C: Pick-5

PICK_5_HANDS = {
    "Royal": ("As Ks Qs", "Js Ts 2c"),
    "Straight Flush": ("Kh Qh Jh", "Th 9h 2c"),
    "Quads": ("8c 8d Kc", "8h 8s 4h"),
    "Full House": ("Kc Kd Kh", "8c 8d 4h"),
    "Flush": ("Kh Jh 8h", "6h 4h 2c"),
    "Straight": ("Jh Td 9h", "8c 7d 2c"),
    "Trips": ("8c 8d 8h", "Kc 4d 2h"),
    "Two Pairs": ("Kc Kd 4h", "8c 8d 2h"),
    "Other": ("Kc Kd 4h", "Jc 8d 6h"),
}


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows(GAME, "pick-5"))
def test_tdp_appendix_c_every_row_of_pick_5(table: str, event: str, cell: str) -> None:
    settled_line = line(pick("pick-5", table, *PICK_5_HANDS[event]), "pick-5")
    assert (event, table) == (settled_line.event, settled_line.paytable)
    assert printed.back_to_one(cell, 200) == settled_line.paid_cents
    assert {"TDP Appendix C", "TDP Appendix C note 2", "TDP-5"} <= cited(settled_line)


@pytest.mark.parametrize(
    ("high", "low", "event", "times"),
    [
        ("Kc Kd Kh", "8c 8d 8h", "Full House", 15),  # two trips
        ("8c 8d Kc", "8h 8s Kd", "Quads", 40),
        ("Kc Kd 8c", "8d 4h 4c", "Two Pairs", 2),  # three pairs
        ("As Ks Qs", "Js Ts 9s", "Royal", 500),
        ("Ah 2h 3h", "4h 5h 8c", "Straight Flush", 100),
        ("Ac 2d 3h", "4h 5h 8c", "Straight", 5),
        ("Kh Jh 8h", "6h 4h Th", "Flush", 10),
        ("Ac Kd 2h", "3c 4d Jh", "Other", -1),  # no straight around the corner (G-8)
    ],
)
def test_tdp_5_appendix_c_note_2_the_best_five_of_six(high: str, low: str, event: str, times: int) -> None:
    settled_line = line(pick("pick-5", "P5-1", high, low, "2s 3s 5c 7s 9c"), "pick-5")
    assert (event, 200 * times) == (settled_line.event, settled_line.net_cents)


@pytest.mark.parametrize("dealer", [DEALER, "Ac Ad Ah Kd Kh"])
def test_tdp_appendix_c_note_3_pick_5_is_independent_of_the_main_game(dealer: str) -> None:
    assert 600 == line(pick("pick-5", "P5-1", "8c 8d 8h", "Jc 6d 4h", dealer), "pick-5").net_cents


def test_tdp_appendix_c_note_4_p5_6_is_set_by_the_operator() -> None:
    amounts = ["250", "80", "60", "14", "8", "5", "3", "1.5"]
    table = {"id": "P5-6", "pays": dict(zip(PICK_5_HANDS, amounts, strict=False))}
    paid = [line(pick("pick-5", table, *PICK_5_HANDS[event]), "pick-5").net_cents for event in PICK_5_HANDS]
    assert [50_000, 16_000, 12_000, 2_800, 1_600, 1_000, 600, 300, -200] == paid
    assert {"G-6"} == {problem.ruling for problem in problems(pick("pick-5", "P5-6", *PICK_5_HANDS["Other"]))}
