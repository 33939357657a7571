"""Super Three Card against document 002: the 21+3 jackpots of Appendix C, one or two of them on a layout."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules import JackpotPayment
from tests.games import printed
from tests.support import cited, line, problems, record, seat, settled

GAME = "super-three-card"
MAIN = "ante-odds-play"
FIRST = "twenty-one-plus-three"
SECOND = "twenty-one-plus-three-b"
METER = 1_234_567


def surrendered(number: int, cards: str, *jackpots: str, cents: int = 100) -> dict[str, Any]:
    return seat(number, cards, {MAIN: 500, **dict.fromkeys(jackpots, cents)}, play=False)


def jackpot(dealer: str, *hands: dict[str, Any], table: str = "PT-BJS-213-02", **fields: Any) -> dict[str, Any]:
    """A round with one 21+3 jackpot in which every seat surrenders (G-10)."""
    paytables = {MAIN: ["PT-FLT-STC-01"], FIRST: [table]}
    return record(GAME, dealer, *hands, **{"decks": 6, "paytables": paytables, "meters": {FIRST: METER}, **fields})


def two_jackpots(dealer: str, *hands: dict[str, Any], **fields: Any) -> dict[str, Any]:
    paytables = {MAIN: ["PT-FLT-STC-01"], FIRST: ["PT-BJS-213-01"], SECOND: ["PT-BJS-213-02"]}
    meters = {FIRST: 1_000_000, SECOND: 70_000}
    return record(GAME, dealer, *hands, **{"decks": 6, "paytables": paytables, "meters": meters, **fields})


HANDS = {
    "Three-of-a-Kind Aces, Kings, or Queens Suited": ("Qd Qd", "Qd"),
    "Three-of-a-Kind Aces or Kings Suited": ("Kd Kd", "Kd"),
    "Three-of-a-Kind Aces Suited": ("Ad Ad", "Ad"),
    "Three-of-a-Kind Suited": ("9d 9d", "9d"),
    "Straight Flush": ("5h 7h", "6h"),
    "Three-of-a-Kind Offsuit": ("9c 9d", "9h"),
    "Straight": ("5h 6c", "7d"),
    "Flush": ("2d 8d", "Kd"),
}


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows(GAME, FIRST))
def test_stc_appendix_c_every_row_of_21_plus_3(table: str, event: str, cell: str) -> None:
    cards, dealer = HANDS[event]
    settled_line = line(jackpot(dealer, surrendered(1, cards, FIRST), table=table), FIRST)
    assert (event, table) == (settled_line.event, settled_line.paytable)
    assert printed.prize_for_one(cell, 100, METER) == settled_line.paid_cents
    assert {"STC 21+3", "STC-4", "STC Appendix C", "STC Appendix C note 1", "G-1"} <= cited(settled_line)


@pytest.mark.parametrize(
    ("table", "cards", "dealer", "paid"),
    [
        ("PT-BJS-213-01", "2d 8d", "Kd", 300),
        ("PT-BJS-213-02", "2d 8d", "Kd", 200),
        ("PT-BJS-213-03", "2d 8d", "Kd", 300),
        ("PT-BJS-213-01", "5h 6c", "7d", 700),
        ("PT-BJS-213-02", "5h 6c", "7d", 600),
        ("PT-BJS-213-01", "Ah Ah", "Ah", METER),
        ("PT-BJS-213-01", "Kh Kh", "Kh", METER),
        ("PT-BJS-213-01", "Qh Qh", "Qh", 12_500),
        ("PT-BJS-213-02", "Ah Ah", "Ah", METER),
        ("PT-BJS-213-02", "Kh Kh", "Kh", METER),
        ("PT-BJS-213-02", "Qh Qh", "Qh", METER),
        ("PT-BJS-213-02", "Jh Jh", "Jh", 12_500),
        ("PT-BJS-213-03", "Kh Kh", "Kh", 12_500),
        ("PT-BJS-213-03", "2h 2h", "2h", 12_500),
    ],
)
def test_stc_appendix_c_by_hand(table: str, cards: str, dealer: str, paid: int) -> None:
    assert paid == line(jackpot(dealer, surrendered(1, cards, FIRST), table=table), FIRST).paid_cents


def test_stc_5_the_misprinted_dollar_percentage_is_the_whole_meter() -> None:
    done = settled(jackpot("As", surrendered(1, "As As", FIRST), table="PT-BJS-213-03"))
    settled_line = done.settlement.lines[1][FIRST]
    assert METER == settled_line.paid_cents
    assert "Three-of-a-Kind Aces Suited" == settled_line.event
    assert {FIRST: JackpotPayment(METER, 0, 0)} == done.settlement.jackpots


@pytest.mark.parametrize(
    ("cards", "dealer", "event", "paid"),
    [
        ("4s 4s", "9s", "Flush", 200),  # two identical cards and a third of the suit
        ("4s 9s", "4s", "Flush", 200),
        ("9s 4s", "4s", "Flush", 200),
        ("As Ks", "Qs", "Straight Flush", 2_500),  # no mini-royal in 21+3
        ("Ah 2h", "3h", "Straight Flush", 2_500),
        ("9d 9d", "9h", "Three-of-a-Kind Offsuit", 2_000),
        ("Ad Ad", "As", "Three-of-a-Kind Offsuit", 2_000),
        ("4s 4s", "9d", None, 0),  # no suited pair in 21+3
        ("9c 9d", "4h", None, 0),
        ("Kc Ad", "2h", None, 0),  # no straight around the corner (G-8)
    ],
)
def test_stc_5_what_counts_in_21_plus_3(cards: str, dealer: str, event: str | None, paid: int) -> None:
    settled_line = line(jackpot(dealer, surrendered(1, cards, FIRST)), FIRST)
    assert (event, paid) == (settled_line.event, settled_line.paid_cents)
    assert "STC 21+3" in cited(settled_line)


@pytest.mark.parametrize("decks", [6, 8])
def test_stc_4_21_plus_3_reads_the_first_three_cards_of_the_deal(decks: int) -> None:
    hand = seat(1, "Ad Kd Ad", {MAIN: 500, FIRST: 100}, play=True)
    settled_line = line(jackpot("9h Ad Ad", hand, decks=decks), FIRST)
    assert (None, 0) == (settled_line.event, settled_line.paid_cents)
    assert {"STC 21+3", "STC-4"} <= cited(settled_line)


def test_stc_appendix_c_note_1_the_jackpot_wager_is_not_returned() -> None:
    settled_line = line(jackpot("Kd", surrendered(1, "2d 8d", FIRST)), FIRST)
    assert (100, 200, 100) == (settled_line.staked_cents, settled_line.paid_cents, settled_line.net_cents)


def test_stc_appendix_c_note_2_only_the_highest_is_paid() -> None:
    settled_line = line(jackpot("6h", surrendered(1, "5h 7h", FIRST)), FIRST)
    assert 2_500 == settled_line.paid_cents
    assert {"STC Appendix C note 2", "G-2"} <= cited(settled_line)


def test_stc_appendix_c_note_3_g_2_the_percentage_row_stands_above_the_dollars_whatever_the_meter_shows() -> None:
    low = jackpot("As", surrendered(1, "As As", FIRST), meters={FIRST: 5_000})
    assert 5_000 == line(low, FIRST).paid_cents


def test_stc_appendix_c_note_3_only_percentages_are_deducted_from_the_meter() -> None:
    fixed = settled(jackpot("9d", surrendered(1, "9d 9d", FIRST)))
    assert 12_500 == fixed.settlement.lines[1][FIRST].paid_cents
    assert {} == fixed.settlement.jackpots


def test_stc_appendix_c_note_3_a_percentage_needs_the_displayed_meter() -> None:
    (problem,) = problems(jackpot("9d", surrendered(1, "9d 9d", FIRST), meters={}))
    assert (f"meters.{FIRST}", "STC 21+3", "G-4") == (problem.path, problem.clause, problem.ruling)


@pytest.mark.parametrize(
    ("cards", "dealer", "paid"),
    [
        ("9d 9d", "9d", 62_500),
        ("5h 7h", "6h", 12_500),
        ("9c 9d", "9h", 10_000),
        ("5h 6c", "7d", 3_000),
        ("2d 8d", "Kd", 1_000),
        ("Ad Ad", "Ad", METER),  # a percentage is of the displayed meter, whatever the wager
        ("2d 8c", "Kh", 0),
    ],
)
def test_stc_appendix_c_note_5_fixed_prizes_scale_with_another_wager(cards: str, dealer: str, paid: int) -> None:
    five = jackpot(dealer, surrendered(1, cards, FIRST, cents=500), jackpot_wager_cents=500)
    settled_line = line(five, FIRST)
    assert (500, paid) == (settled_line.staked_cents, settled_line.paid_cents)


def test_stc_appendix_c_note_5_an_odd_wager_scales_to_the_cent() -> None:
    odd = jackpot("9d", surrendered(1, "9d 9d", FIRST, cents=150), jackpot_wager_cents=150)
    assert 18_750 == line(odd, FIRST).paid_cents


@pytest.mark.parametrize("cents", [50, 200, 1_000])
def test_g_7_stc_the_wager_is_the_amount_that_is_set(cents: int) -> None:
    (problem,) = problems(jackpot("9d", surrendered(1, "9d 9d", FIRST, cents=cents)))
    assert (f"seat 1 wagers.{FIRST}", "G-7") == (problem.path, problem.ruling)


@pytest.mark.parametrize(("winners", "each", "odd"), [(2, 50_000, 1), (3, 33_333, 2)])
def test_g_4_stc_winners_of_one_row_share_the_meter(winners: int, each: int, odd: int) -> None:
    hands = [surrendered(number + 1, "As As", FIRST) for number in range(winners)]
    done = settled(jackpot("As", *hands, decks=8, meters={FIRST: 100_001}))
    for number in range(winners):
        settled_line = done.settlement.lines[number + 1][FIRST]
        assert each == settled_line.paid_cents
        assert "G-4" in cited(settled_line)
    assert {FIRST: JackpotPayment(each * winners, 0, odd)} == done.settlement.jackpots


def test_g_4_stc_offsuit_trips_have_no_share_of_the_meter() -> None:
    done = settled(jackpot("Ks", surrendered(1, "Ks Ks", FIRST), surrendered(2, "Kd Kd", FIRST)))
    assert (METER, 2_000) == tuple(done.settlement.lines[number][FIRST].paid_cents for number in (1, 2))


@pytest.mark.parametrize(
    ("sharing", "each", "odd"),
    [({}, 50_000, 1), ({"bonus_sharing": "split"}, 50_000, 1), ({"bonus_sharing": "full"}, 100_001, 0)],
)
def test_g_4_stc_a_bonus_jackpot_is_shared_unless_stated_otherwise(
    sharing: dict[str, str], each: int, odd: int
) -> None:
    hands = [surrendered(number, "As As", FIRST) for number in (1, 2)]
    done = settled(jackpot("As", *hands, meters={FIRST: 100_001}, jackpot_type="bonus", **sharing))
    assert [each, each] == [done.settlement.lines[number][FIRST].paid_cents for number in (1, 2)]
    assert {FIRST: JackpotPayment(0, 2 * each, odd)} == done.settlement.jackpots


# STC-6: two jackpots on a layout


def test_stc_6_two_jackpots_each_with_its_own_table_meter_and_amount() -> None:
    hand = seat(1, "Qd Qd", {MAIN: 500, FIRST: 100, SECOND: 500}, play=False)
    both = two_jackpots("Qd", hand, jackpot_wager_cents={FIRST: 100, SECOND: 500})
    done = settled(both)
    lines = done.settlement.lines[1]
    assert ("Three-of-a-Kind Suited", 12_500) == (lines[FIRST].event, lines[FIRST].paid_cents)
    assert ("Three-of-a-Kind Aces, Kings, or Queens Suited", 70_000) == (lines[SECOND].event, lines[SECOND].paid_cents)
    assert {SECOND: JackpotPayment(70_000, 0, 0)} == done.settlement.jackpots


def test_stc_6_the_second_jackpots_fixed_prizes_scale_by_its_own_wager() -> None:
    hand = seat(1, "5h 6c", {MAIN: 500, FIRST: 100, SECOND: 300}, play=False)
    lines = settled(two_jackpots("7d", hand, jackpot_wager_cents={SECOND: 300})).settlement.lines[1]
    assert (700, 1_800) == (lines[FIRST].paid_cents, lines[SECOND].paid_cents)


def test_stc_6_both_meters_are_hit_by_one_hand() -> None:
    done = settled(two_jackpots("Ad", surrendered(1, "Ad Ad", FIRST, SECOND)))
    assert {FIRST: JackpotPayment(1_000_000, 0, 0), SECOND: JackpotPayment(70_000, 0, 0)} == done.settlement.jackpots
    assert 1_070_000 - 200 - 500 == done.settlement.net_cents(1)


def test_stc_6_seats_share_only_the_jackpot_they_wagered_on() -> None:
    hands = (surrendered(1, "Ad Ad", FIRST), surrendered(2, "Ad Ad", SECOND), surrendered(3, "9c 4d", FIRST, SECOND))
    lines = settled(two_jackpots("Ad", *hands)).settlement.lines
    assert (1_000_000, 70_000) == (lines[1][FIRST].paid_cents, lines[2][SECOND].paid_cents)
    assert (0, 0) == (lines[3][FIRST].paid_cents, lines[3][SECOND].paid_cents)


def test_stc_6_the_second_jackpot_may_stand_without_the_first() -> None:
    assert 70_000 == line(two_jackpots("Qd", surrendered(1, "Qd Qd", SECOND)), SECOND).paid_cents


@pytest.mark.parametrize("jackpot_type", [{FIRST: "bonus", SECOND: "progressive"}, ["bonus", "progressive"], "both"])
def test_stc_6_jackpots_one_type_all_jackpots_of_a_table_are_of_one_type(jackpot_type: object) -> None:
    mixed = two_jackpots("Qd", surrendered(1, "Qd Qd", FIRST, SECOND), jackpot_type=jackpot_type)
    assert ["jackpot_type"] == [problem.path for problem in problems(mixed)]


def test_stc_6_a_bonus_table_pays_both_from_the_house() -> None:
    done = settled(two_jackpots("Ad", surrendered(1, "Ad Ad", FIRST, SECOND), jackpot_type="bonus"))
    assert {FIRST: JackpotPayment(0, 1_000_000, 0), SECOND: JackpotPayment(0, 70_000, 0)} == done.settlement.jackpots


def test_stc_6_one_table_per_sensor() -> None:
    twice = jackpot("9d", surrendered(1, "9d 9d", FIRST))
    twice["paytables"] = {MAIN: ["PT-FLT-STC-01"], FIRST: ["PT-BJS-213-01", "PT-BJS-213-02"]}
    (problem,) = problems(twice)
    assert "cannot both be in force" in problem.words


def test_g_12_stc_all_four_options_may_be_used_together() -> None:
    wagers = {MAIN: 500, "big-hand-bonus": 500, FIRST: 100, SECOND: 100}
    every = two_jackpots("Ad", seat(1, "Ad Ad", wagers, play=False))
    every["paytables"]["big-hand-bonus"] = ["PT-FLT-STC-BH-01"]
    assert 500_000 == settled(every).settlement.lines[1]["big-hand-bonus"].net_cents


@pytest.mark.parametrize(("profile", "legal"), [("wa-commercial", False), ("wa-tribal", True)])
def test_g_12_stc_of_four_wagers_one_is_five_dollars_or_less_in_commercial_rooms(profile: str, legal: bool) -> None:
    wagers = {MAIN: 600, "big-hand-bonus": 600, FIRST: 600, SECOND: 600}
    hand = seat(1, "Ad Ad", wagers, play=False)
    every = two_jackpots("2c", hand, jackpot_wager_cents=600, on="2024-01-31", profile=profile)
    every["paytables"]["big-hand-bonus"] = ["PT-FLT-STC-BH-01"]
    if legal:
        assert 1 in settled(every).settlement.lines
    else:
        assert ["G-12"] == [problem.ruling for problem in problems(every)]
