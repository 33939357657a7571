"""Four Card Prime against document 003: the Five Card Jackpot, and what both jackpots share."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules import JackpotPayment
from tests.games import printed
from tests.support import cited, line, problems, record, seat, settled

GAME = "four-card-prime"
MAIN = "ante-raise"
FIVE = "five-card-jackpot"
FOUR = "four-card-jackpot"
DEALER = "2c 3d 5c 7s 9c Jd"
METER = 1_234_567

QUADS = "8c 8d 8h 8s Kc"
FOUR_ACES = "Ac Ad Ah As Kd"
TRIPS = "6c 6d 6h Qc 2s"
NOTHING = "Kc Qs 7d 4s 2h"


def one(cards: str, wager: str, table: Any, **fields: Any) -> dict[str, Any]:
    hand = seat(1, cards, {MAIN: 500, wager: 100}, raise_=fields.pop("raise_", 1))
    paytables = {MAIN: ["Win-1", "BB-1"], wager: [table]}
    return record(GAME, DEALER, hand, **{"paytables": paytables, "meters": {wager: METER}, **fields})


def several(wager: str, table: Any, *hands: dict[str, Any], **fields: Any) -> dict[str, Any]:
    paytables = {MAIN: ["Win-1", "BB-1"], wager: [table]}
    return record(GAME, DEALER, *hands, **{"paytables": paytables, "meters": {wager: METER}, **fields})


def in_it(number: int, cards: str, wager: str = FOUR, raise_: int = 1) -> dict[str, Any]:
    return seat(number, cards, {MAIN: 500, wager: 100}, raise_=raise_)


# Appendix D: Five Card Jackpot

FIVE_HANDS = {
    "Five-card Royal Flush": "Ah Kh Qh Jh Th",
    "Five-card Straight Flush": "Kh Qh Jh Th 9h",
    "Four of a kind": QUADS,
    "Full House": "Kc Kd Kh 8c 8d",
    "Five-card Flush": "Kh Qh 8h 4h 2h",
    "Five-card Straight": "Kc Qd Jh Ts 9s",
    "Three of a kind": TRIPS,
    "two pairs & less": "Kc Kd 8c 8d 4s",
}


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows(GAME, FIVE))
def test_fcp_appendix_d_every_row_of_the_five_card_jackpot(table: str, event: str, cell: str) -> None:
    settled_line = line(one(FIVE_HANDS[event], FIVE, table), FIVE)
    assert (event, table) == (settled_line.event, settled_line.paytable)
    assert printed.prize_for_one(cell, 100, METER) == settled_line.paid_cents
    assert {"FCP Appendix D", "FCP Appendix D note 1", "G-1"} <= cited(settled_line)


@pytest.mark.parametrize(
    ("table", "event", "paid"),
    [
        ("PJ-1", "Five-card Royal Flush", 1_234_567),
        ("PJ-1", "Five-card Straight Flush", 123_456),  # 10 % of a meter with an odd end is rounded down (G-3)
        ("PJ-3", "Five-card Straight Flush", 100_000),
        ("PJ-2", "Four of a kind", 50_000),
        ("PJ-4", "Three of a kind", 700),
        ("PJ-1", "two pairs & less", 0),
    ],
)
def test_fcp_appendix_d_by_hand(table: str, event: str, paid: int) -> None:
    assert paid == line(one(FIVE_HANDS[event], FIVE, table), FIVE).paid_cents


@pytest.mark.parametrize(
    ("cards", "event"),
    [
        ("Ah 2d 3h 4h 5h", "Five-card Straight"),
        ("Ah 2h 3h 4h 5h", "Five-card Straight Flush"),
        ("Ah Kh Qh Jh 9h", "Five-card Flush"),  # four to a royal count for nothing here
        ("Ah Kh Qh Jh 2d", "two pairs & less"),
    ],
)
def test_fcp_five_card_jackpot_all_five_cards_count(cards: str, event: str) -> None:
    assert event == line(one(cards, FIVE, "PJ-1"), FIVE).event


def test_fcp_appendix_d_note_2_only_the_highest_is_paid() -> None:
    settled_line = line(one(FIVE_HANDS["Five-card Royal Flush"], FIVE, "PJ-1"), FIVE)
    assert METER == settled_line.paid_cents
    assert {"FCP Appendix D note 2", "G-2", "G-4"} <= cited(settled_line)


@pytest.mark.parametrize("raise_", [0, 3])
def test_fcp_appendix_d_note_3_the_five_card_jackpot_is_independent_of_the_main_game(raise_: int) -> None:
    assert 20_000 == line(one(QUADS, FIVE, "PJ-1", raise_=raise_), FIVE).paid_cents


def test_fcp_appendix_d_note_4_a_percentage_is_divided_equally() -> None:
    hands = [
        in_it(1, "Ah Kh Qh Jh Th", FIVE),
        in_it(2, "As Ks Qs Js Ts", FIVE),
        in_it(3, NOTHING.replace("Qs", "Qd"), FIVE),
    ]
    done = settled(several(FIVE, "PJ-1", *hands))
    assert [617_283, 617_283, 0] == [done.settlement.lines[number][FIVE].paid_cents for number in (1, 2, 3)]
    assert {FIVE: JackpotPayment(1_234_566, 0, 1)} == done.settlement.jackpots


def test_g_4_fcp_two_levels_in_one_round_are_each_paid_on_the_displayed_amount() -> None:
    """100 % and 10 %: what the fund cannot cover, the house covers."""
    hands = [in_it(1, "Ah Kh Qh Jh Th", FIVE), in_it(2, "Ks Qs Js Ts 9s", FIVE)]
    done = settled(several(FIVE, "PJ-1", *hands))
    assert [METER, 123_456] == [done.settlement.lines[number][FIVE].paid_cents for number in (1, 2)]
    assert {FIVE: JackpotPayment(METER, 123_456, 0)} == done.settlement.jackpots


def test_g_5_fcp_appendix_d_note_5_fixed_prizes_are_not_taken_from_the_meter() -> None:
    assert {} == settled(one(QUADS, FIVE, "PJ-1")).settlement.jackpots


@pytest.mark.parametrize(
    ("sharing", "each", "odd"),
    [({}, METER, 0), ({"bonus_sharing": "full"}, METER, 0), ({"bonus_sharing": "split"}, 617_283, 1)],
)
def test_g_4_fcp_a_bonus_jackpot_is_paid_by_the_house_in_full_or_split(
    sharing: dict[str, str], each: int, odd: int
) -> None:
    hands = [in_it(1, "Ah Kh Qh Jh Th", FIVE), in_it(2, "As Ks Qs Js Ts", FIVE)]
    done = settled(several(FIVE, "PJ-1", *hands, jackpot_type="bonus", **sharing))
    assert [each, each] == [done.settlement.lines[number][FIVE].paid_cents for number in (1, 2)]
    assert {FIVE: JackpotPayment(0, 2 * each, odd)} == done.settlement.jackpots


def test_fcp_appendix_d_note_6_pj_5_is_set_by_the_operator() -> None:
    amounts = ["80%", "$2,500", "$300", "75", "$20", "$10", "$5", "$0"]
    table = {"id": "PJ-5", "pays": dict(zip(FIVE_HANDS, amounts, strict=True))}
    paid = [line(one(cards, FIVE, table), FIVE).paid_cents for cards in FIVE_HANDS.values()]
    assert [987_653, 250_000, 30_000, 7_500, 2_000, 1_000, 500, 0] == paid


@pytest.mark.parametrize(
    "pays",
    [
        {},
        {"Five-card Royal Flush": "$5,000"},  # Jackpot: a percentage of the meter
        {"Five-card Straight Flush": "10%"},  # Bonus: a fixed payout
        {"Three of a kind": "$0"},  # no sister table loses there
        {"Three of a kind": "$11"},  # more than the row above
    ],
)
def test_g_6_fcp_appendix_d_note_6_what_pj_5_may_not_be(pays: dict[str, str]) -> None:
    amounts = ["80%", "$2,500", "$300", "$75", "$20", "$10", "$5", "$0"]
    stated = {**dict(zip(FIVE_HANDS, amounts, strict=True)), **pays} if pays else {}
    found = problems(one(QUADS, FIVE, {"id": "PJ-5", "pays": stated}))
    assert {"G-6"} == {problem.ruling for problem in found}


@pytest.mark.parametrize("wager", [FIVE, FOUR])
def test_fcp_appendix_d_note_9_appendix_e_note_10_g_7_one_dollar_only(wager: str) -> None:
    table = {FIVE: "PJ-1", FOUR: "FCJ-1"}[wager]
    two = several(wager, table, seat(1, QUADS, {MAIN: 500, wager: 200}, raise_=1))
    assert ["G-7"] == [problem.ruling for problem in problems(two)]
    assert {"G-7"} == {problem.ruling for problem in problems({**two, "jackpot_wager_cents": 200})}


def test_g_13_fcp_both_jackpots_may_be_played_together() -> None:
    hand = seat(1, FOUR_ACES, {MAIN: 500, FIVE: 100, FOUR: 100}, raise_=1)
    tables = {MAIN: ["Win-1", "BB-1"], FIVE: ["PJ-1"], FOUR: ["FCJ-1"]}
    done = settled(record(GAME, DEALER, hand, paytables=tables, meters={FIVE: 900_000, FOUR: 50_000}))
    assert (20_000, 50_000) == tuple(done.settlement.lines[1][name].paid_cents for name in (FIVE, FOUR))
    assert {FOUR: JackpotPayment(50_000, 0, 0)} == done.settlement.jackpots
