"""3 Card Double Play Poker against document 004: the Super-3's and the Super-Six Jackpots."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules import JackpotPayment
from tests.games import printed
from tests.support import cited, line, problems, record, seat, settled

GAME = "three-card-double-play"
MAIN = "high-low"
THREES = "super-3s"
SIX = "super-six"
DEALER = "2s 3d 5c 7s 9c"
METER = 1_234_567


def in_it(number: int, cards: str, *jackpots: str) -> dict[str, Any]:
    """Six cards of which the first three are the High Hand, with a dollar on each jackpot."""
    wagers = {MAIN: 500, **dict.fromkeys(jackpots, 100)}
    return seat(number, cards, wagers, high=cards.split()[:3], double=False)


def jackpot(wager: str, table: Any, *hands: dict[str, Any], **fields: Any) -> dict[str, Any]:
    paytables = {MAIN: ["LWB-1"], wager: [table]}
    return record(GAME, DEALER, *hands, **{"paytables": paytables, "meters": {wager: METER}, **fields})


# Appendix D: Super-3's

SUPER_3S_HANDS = {
    "Double Mini-Royal": "As Ks Qs Ah Kh Qh",
    "Mini-Royal with SF": "As Ks Qs Th 9h 8h",
    "Mini-Royal with Trips": "As Ks Qs 8c 8d 8h",
    "Double Trips/SF": "Kh Qh Jh 8c 8d 8h",
    "One Mini-Royal": "As Ks Qs Jc 8d 4h",
    "One Trips or SF": "8c 8d 8h Kc 4d 2h",
    "Other": "Kc Kd 4h 8c 8d 6h",
}


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows(GAME, THREES))
def test_tdp_appendix_d_every_row_of_super_3s(table: str, event: str, cell: str) -> None:
    settled_line = line(jackpot(THREES, table, in_it(1, SUPER_3S_HANDS[event], THREES)), THREES)
    assert (event, table) == (settled_line.event, settled_line.paytable)
    assert printed.prize_for_one(cell, 100, METER) == settled_line.paid_cents
    assert {"TDP Super-3's", "TDP-3", "TDP Appendix D", "TDP Appendix D note 1"} <= cited(settled_line)


@pytest.mark.parametrize(
    ("table", "event", "paid"),
    [
        ("S3J-1", "Double Mini-Royal", 1_234_567),
        ("S3J-1", "Mini-Royal with SF", 123_456),
        ("S3J-3", "Mini-Royal with SF", 1_234_567),
        ("S3J-4", "Mini-Royal with SF", 100_000),
        ("S3J-1", "Mini-Royal with Trips", 100_000),
        ("S3J-2", "Mini-Royal with Trips", 123_456),
        ("S3J-2", "Double Trips/SF", 50_000),
        ("S3J-1", "One Mini-Royal", 5_000),
        ("S3J-1", "One Trips or SF", 300),
        ("S3J-1", "Other", 0),
    ],
)
def test_tdp_appendix_d_note_1_for_1_by_hand(table: str, event: str, paid: int) -> None:
    settled_line = line(jackpot(THREES, table, in_it(1, SUPER_3S_HANDS[event], THREES)), THREES)
    assert (100, paid) == (settled_line.staked_cents, settled_line.paid_cents)


@pytest.mark.parametrize(
    ("cards", "event"),
    [
        ("8c 8d As 8h Ks Qs", "Mini-Royal with Trips"),  # however the hands were set (TDP-3)
        ("Qs Qd Qh As Ks 2c", "One Mini-Royal"),  # no card counts twice (TDP-4)
        ("Ks Qs Js As 9d 6h", "One Mini-Royal"),
        ("As Ks Qs Js Ts 9s", "Mini-Royal with SF"),
        ("Ks Qs Js Ac As Ad", "Double Trips/SF"),  # printed above the mini-royal that another division makes (G-2)
        ("Kc Kd Kh 8c 8d 8h", "Double Trips/SF"),
        ("Jd Td 9d Ac 2c 3c", "Double Trips/SF"),
        ("Ac 2c 3c Jd Td 8d", "One Trips or SF"),
        ("Jh Td 9h Kd 8d 4d", "Other"),  # a straight and a flush are nothing here
    ],
)
def test_tdp_3_tdp_4_appendix_d_note_2_the_highest_division(cards: str, event: str) -> None:
    settled_line = line(jackpot(THREES, "S3J-1", in_it(1, cards, THREES)), THREES)
    assert event == settled_line.event
    assert "TDP-3" in cited(settled_line)


def test_tdp_3_super_3s_do_not_follow_the_reading_of_pick_3() -> None:
    hand = in_it(1, "8c 8d As 8h Ks Qs", THREES)
    as_set = jackpot(THREES, "S3J-1", hand, readings={"pick3_basis": "as_set"})
    assert "Mini-Royal with Trips" == line(as_set, THREES).event


def test_tdp_appendix_d_note_2_g_2_only_the_highest_is_paid() -> None:
    settled_line = line(jackpot(THREES, "S3J-1", in_it(1, "As Ks Qs Th 9h 8h", THREES), meters={THREES: 1_000}), THREES)
    assert ("Mini-Royal with SF", 100) == (settled_line.event, settled_line.paid_cents)
    assert {"TDP Appendix D note 2", "G-2", "G-4"} <= cited(settled_line)


@pytest.mark.parametrize("dealer", [DEALER, "Ac Ad Ah Kd Kh"])
def test_tdp_appendix_d_note_3_super_3s_are_independent_of_the_main_game(dealer: str) -> None:
    hand = jackpot(THREES, "S3J-1", in_it(1, "8c 8d 8h Jc 6d 4h", THREES))
    assert 300 == line({**hand, "dealer": dealer.split()}, THREES).paid_cents


def test_tdp_appendix_d_note_4_a_percentage_is_divided_equally() -> None:
    hands = [
        in_it(1, "As Ks Qs Ah Kh Qh", THREES),
        in_it(2, "Ac Kc Qc Ad Kd Qd", THREES),
        in_it(3, "8c 8d 8h Jc 6d 4h", THREES),
    ]
    done = settled(jackpot(THREES, "S3J-1", *hands))
    assert [617_283, 617_283, 300] == [done.settlement.lines[number][THREES].paid_cents for number in (1, 2, 3)]
    assert {THREES: JackpotPayment(1_234_566, 0, 1)} == done.settlement.jackpots


def test_g_4_tdp_two_rows_of_the_same_percentage_are_two_levels() -> None:
    """S3J-2: with a straight flush 10 %, with trips 10 %, each a printed row of its own and not shared."""
    hands = [in_it(1, "As Ks Qs Th 9h 8h", THREES), in_it(2, "Ac Kc Qc 6s 6d 6h", THREES)]
    done = settled(jackpot(THREES, "S3J-2", *hands))
    assert [123_456, 123_456] == [done.settlement.lines[number][THREES].paid_cents for number in (1, 2)]
    assert {THREES: JackpotPayment(246_912, 0, 0)} == done.settlement.jackpots


def test_g_4_tdp_what_the_fund_cannot_cover_the_house_covers() -> None:
    """S3J-3 pays 100 % on two rows; hit together they are twice the meter."""
    hands = [in_it(1, "As Ks Qs Ah Kh Qh", THREES), in_it(2, "Ac Kc Qc Td 9d 8d", THREES)]
    done = settled(jackpot(THREES, "S3J-3", *hands))
    assert [METER, METER] == [done.settlement.lines[number][THREES].paid_cents for number in (1, 2)]
    assert {THREES: JackpotPayment(METER, METER, 0)} == done.settlement.jackpots


def test_g_5_tdp_appendix_d_note_5_fixed_prizes_are_not_taken_from_the_meter() -> None:
    assert {} == settled(jackpot(THREES, "S3J-1", in_it(1, "As Ks Qs Jc 8d 4h", THREES))).settlement.jackpots


@pytest.mark.parametrize(("with_sf", "paid"), [("$750", 75_000), ("20%", 246_913)])
def test_tdp_appendix_d_note_6_g_6_s3j_5_is_set_by_the_operator(with_sf: str, paid: int) -> None:
    amounts = ["90%", with_sf, "$600", "$300", "$40", "$2", "$0"]
    table = {"id": "S3J-5", "pays": dict(zip(SUPER_3S_HANDS, amounts, strict=True))}
    found = [
        line(jackpot(THREES, table, in_it(1, cards, THREES)), THREES).paid_cents for cards in SUPER_3S_HANDS.values()
    ]
    assert [1_111_110, paid, 60_000, 30_000, 4_000, 200, 0] == found


@pytest.mark.parametrize(
    "pays",
    [
        {},
        {"Double Mini-Royal": "$5,000"},  # Jackpot: a percentage
        {"Mini-Royal with Trips": "10%"},  # Bonus: an amount
        {"One Trips or SF": "$0"},
        {"Other": "$3"},
    ],
)
def test_g_6_tdp_what_s3j_5_may_not_be(pays: dict[str, str]) -> None:
    amounts = dict(zip(SUPER_3S_HANDS, ["90%", "$750", "$600", "$300", "$40", "$2", "$0"], strict=True))
    table = {"id": "S3J-5", "pays": {**amounts, **pays} if pays else {}}
    found = problems(jackpot(THREES, table, in_it(1, SUPER_3S_HANDS["Other"], THREES)))
    assert {"G-6"} == {problem.ruling for problem in found}


@pytest.mark.parametrize(("wager", "table"), [(THREES, "S3J-1"), (SIX, "S6J-1")])
def test_tdp_appendix_d_note_9_appendix_e_note_9_g_7_one_dollar_only(wager: str, table: str) -> None:
    hand = in_it(1, SUPER_3S_HANDS["Other"], wager)
    hand["wagers"][wager] = 200
    two = jackpot(wager, table, hand)
    assert ["G-7"] == [problem.ruling for problem in problems(two)]
    assert {"G-7"} == {problem.ruling for problem in problems({**two, "jackpot_wager_cents": 200})}


# Appendix E: Super-Six

SUPER_SIX_HANDS = {
    "Six-card Straight Flush": "Kh Qh Jh Th 9h 8h",
    "Five-card Royal Flush": "As Ks Qs Js Ts 2c",
    "Five-card straight flush": "Kh Qh Jh Th 9h 2c",
    "Four of a kind": "8c 8d Kc 8h 8s 4h",
    "Full House": "Kc Kd Kh 8c 8d 4h",
    "Flush": "Kh Jh 8h 6h 4h 2c",
    "Straight": "Jh Td 9h 8c 7d 2c",
    "Three of a kind or less": "8c 8d 8h Kc 4d 2h",
}


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows(GAME, SIX))
def test_tdp_appendix_e_every_row_of_super_six(table: str, event: str, cell: str) -> None:
    settled_line = line(jackpot(SIX, table, in_it(1, SUPER_SIX_HANDS[event], SIX)), SIX)
    assert (event, table) == (settled_line.event, settled_line.paytable)
    assert printed.prize_for_one(cell, 100, METER) == settled_line.paid_cents
    assert {"TDP Super-Six", "TDP-5", "TDP Appendix E", "TDP Appendix E note 1"} <= cited(settled_line)


@pytest.mark.parametrize(
    ("table", "event", "paid"),
    [
        ("S6J-1", "Six-card Straight Flush", 1_234_567),
        ("S6J-1", "Five-card Royal Flush", 123_456),
        ("S6J-1", "Full House", 1_500),
        ("S6J-2", "Flush", 1_000),
        ("S6J-3", "Straight", 800),
        ("S6J-4", "Straight", 600),
        ("S6J-1", "Three of a kind or less", 0),
    ],
)
def test_tdp_appendix_e_note_1_for_1_by_hand(table: str, event: str, paid: int) -> None:
    settled_line = line(jackpot(SIX, table, in_it(1, SUPER_SIX_HANDS[event], SIX)), SIX)
    assert (100, paid) == (settled_line.staked_cents, settled_line.paid_cents)


@pytest.mark.parametrize(
    ("cards", "event"),
    [
        ("As Ks Qs Js Ts 9s", "Six-card Straight Flush"),  # a royal as well, but all six count
        ("4s 5s 6s As 2s 3s", "Six-card Straight Flush"),
        ("As Ks Qs Js Ts 8s", "Five-card Royal Flush"),
        ("As 2s 3s 4s 5s 7s", "Five-card straight flush"),
        ("Kh Qh Jh Th 9h 8c", "Five-card straight flush"),
        ("Kc Kd Kh 8c 8d 8h", "Full House"),
        ("Kc Kd 8c 8d 4h 4c", "Three of a kind or less"),
        ("Ac Ks 2h 3c 4d Jh", "Three of a kind or less"),
    ],
)
def test_tdp_5_six_suited_in_sequence_and_the_best_five_of_six(cards: str, event: str) -> None:
    hand = jackpot(SIX, "S6J-1", in_it(1, cards, SIX))
    assert event == line({**hand, "dealer": ["2d", "3d", "5d", "7c", "9c"]}, SIX).event


def test_tdp_appendix_e_note_2_g_2_only_the_highest_is_paid() -> None:
    settled_line = line(jackpot(SIX, "S6J-1", in_it(1, "As Ks Qs Js Ts 9s", SIX), meters={SIX: 5_000}), SIX)
    assert ("Six-card Straight Flush", 5_000) == (settled_line.event, settled_line.paid_cents)
    assert {"TDP Appendix E note 2", "G-2"} <= cited(settled_line)


@pytest.mark.parametrize("dealer", [DEALER, "Ac Ad Ah Kd Kh"])
def test_tdp_appendix_e_note_3_super_six_is_independent_of_the_main_game(dealer: str) -> None:
    hand = jackpot(SIX, "S6J-1", in_it(1, "8c 8d 8h 8s 6d 4h", SIX))
    assert 7_500 == line({**hand, "dealer": dealer.split()}, SIX).paid_cents


@pytest.mark.parametrize(
    ("terms", "each", "payment"),
    [
        ({}, 617_283, JackpotPayment(1_234_566, 0, 1)),
        ({"jackpot_type": "bonus"}, METER, JackpotPayment(0, 2 * METER, 0)),
        ({"jackpot_type": "bonus", "bonus_sharing": "split"}, 617_283, JackpotPayment(0, 1_234_566, 1)),
    ],
)
def test_g_4_tdp_appendix_e_note_4_two_winners_of_the_meter(
    terms: dict[str, str], each: int, payment: JackpotPayment
) -> None:
    hands = [in_it(1, "Kh Qh Jh Th 9h 8h", SIX), in_it(2, "Kd Qd Jd Td 9d 8d", SIX)]
    done = settled(jackpot(SIX, "S6J-1", *hands, **terms))
    assert [each, each] == [done.settlement.lines[number][SIX].paid_cents for number in (1, 2)]
    assert {SIX: payment} == done.settlement.jackpots


def test_tdp_appendix_e_note_6_s6j_5_is_set_by_the_operator() -> None:
    amounts = ["75%", "7.5%", "$350", "$70", "$18", "$11", "$9", "$0"]
    table = {"id": "S6J-5", "pays": dict(zip(SUPER_SIX_HANDS, amounts, strict=True))}
    found = [line(jackpot(SIX, table, in_it(1, cards, SIX)), SIX).paid_cents for cards in SUPER_SIX_HANDS.values()]
    assert [925_925, 92_592, 35_000, 7_000, 1_800, 1_100, 900, 0] == found
    assert {"G-6"} == {
        problem.ruling for problem in problems(jackpot(SIX, "S6J-5", in_it(1, SUPER_SIX_HANDS["Flush"], SIX)))
    }


def test_g_13_tdp_both_jackpots_side_by_side_with_their_own_meters() -> None:
    hand = in_it(1, "As Ks Qs Js Ts 9s", THREES, SIX)
    tables = {MAIN: ["LWB-1"], THREES: ["S3J-1"], SIX: ["S6J-1"]}
    done = settled(record(GAME, DEALER, hand, paytables=tables, meters={THREES: 40_000, SIX: 900_000}))
    assert (4_000, 900_000) == tuple(done.settlement.lines[1][name].paid_cents for name in (THREES, SIX))
    assert {THREES: JackpotPayment(4_000, 0, 0), SIX: JackpotPayment(900_000, 0, 0)} == done.settlement.jackpots
