"""Four Card Prime against document 003: Aces Baby and Prime."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games import printed
from tests.support import cited, line, problems, record, seat, settled

GAME = "four-card-prime"
MAIN = "ante-raise"
LOW_DEALER = "2c 3d 5h 7s 9c Jd"  # jack high

QUADS = "8c 8d 8h 8s Kc"
STRAIGHT_FLUSH = "Kh Qh Jh Th 2d"
TRIPS = "8c 8d 8h Kc Qs"
FLUSH = "Ks Qs 8s 4s 2d"
STRAIGHT = "Kc Qd Jh Ts 2s"
TWO_PAIR = "Kc Kd 8c 8d 4s"
PAIR = "Kc Kd 8c 6d 4s"
HIGH = "Ac Kd 8c 6d 4s"


def beside(cards: str, wager: str, table: Any, raise_: int = 1, stake: int = 200) -> dict[str, Any]:
    hand = seat(1, cards, {MAIN: 500, wager: stake}, raise_=raise_)
    return record(GAME, LOW_DEALER, hand, paytables={MAIN: ["Win-1", "BB-1"], wager: [table]})


# Appendix B: Aces Baby, FCP-4

ACES_BABY_HANDS = {
    "Four Aces": "Ac Ad Ah As Kd",
    "Quads": QUADS,
    "Royal": "Ah Kh Qh Jh 2d",
    "Straight flush": STRAIGHT_FLUSH,
    "Three Aces": "Ac Ad Ah Kd 4s",
    "Trips": TRIPS,
    "Flush": FLUSH,
    "Straight": STRAIGHT,
    "Two Pair": TWO_PAIR,
    "AA": "Ac Ad Kd 8h 4s",
    "Kings or less": PAIR,
}


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows(GAME, "aces-baby"))
def test_fcp_appendix_b_every_row_of_aces_baby(table: str, event: str, cell: str) -> None:
    settled_line = line(beside(ACES_BABY_HANDS[event], "aces-baby", table), "aces-baby")
    assert (event, printed.back_to_one(cell, 200)) == (settled_line.event, settled_line.paid_cents)
    assert {"FCP Appendix B", "FCP Appendix B note 2", "FCP-4"} <= cited(settled_line)


@pytest.mark.parametrize(
    ("cards", "event", "times"),
    [
        ("Ah Kh Qh Jh Th", "Royal", 30),
        ("Kh Qh Jh Th 9h", "Straight flush", 30),
        ("Ah 2h 3h 4h 8d", "Straight flush", 30),
        ("Ac Ad Ah Kd Ks", "Three Aces", 7),  # a full house has a two pair of aces and kings besides
        ("Kc Kd Kh As Ad", "Trips", 7),
        ("Ah Kh Qh Th Jc", "Flush", 6),  # a straight A-K-Q-J as well
        ("Ah As Kh 8h 4h", "Flush", 6),  # a pair of aces as well
        ("Ac Ad Kh Ks 4h", "Two Pair", 2),
        ("Ac 2d 3h 4s 8d", "Straight", 5),
    ],
)
def test_fcp_4_the_best_paying_of_the_four_card_hands(cards: str, event: str, times: int) -> None:
    settled_line = line(beside(cards, "aces-baby", "AB-6"), "aces-baby")
    assert (event, 200 * times) == (settled_line.event, settled_line.net_cents)


@pytest.mark.parametrize("cards", [PAIR, HIGH, "2d 2s 8c 6d 4s", "Ac 2d 4h 6d 8c"])
def test_fcp_4_kings_or_less_loses(cards: str) -> None:
    settled_line = line(beside(cards, "aces-baby", "AB-8"), "aces-baby")
    assert ("Kings or less", -200) == (settled_line.event, settled_line.net_cents)


def test_fcp_4_g_2_a_posted_amount_may_turn_the_order_of_pay_round() -> None:
    custom = beside("Ah Kh Qh Th Jc", "aces-baby", {"id": "AB-4", "pays": {"Straight": "9"}})
    settled_line = line(custom, "aces-baby")
    assert ("Straight", 1800) == (settled_line.event, settled_line.net_cents)
    assert "G-2" in cited(settled_line)


def test_fcp_appendix_b_note_3_ab_9_is_set_by_the_operator() -> None:
    amounts = ["300", "80", "45", "35", "12.5", "8", "6", "4", "2", "1", "Loss"]
    table = {"id": "AB-9", "pays": dict(zip(ACES_BABY_HANDS, amounts, strict=True))}
    for event, amount in table["pays"].items():  # type: ignore[attr-defined]
        settled_line = line(beside(ACES_BABY_HANDS[event], "aces-baby", table), "aces-baby")
        assert (event, printed.back_to_one(amount, 200)) == (settled_line.event, settled_line.paid_cents)


@pytest.mark.parametrize("raise_", [0, 1])
@pytest.mark.parametrize("dealer", [LOW_DEALER, "9c 9d 9h 9s 3d 4h"])
def test_fcp_appendix_b_note_2_aces_baby_is_independent_of_the_main_game(raise_: int, dealer: str) -> None:
    independent = beside(TRIPS, "aces-baby", "AB-1", raise_)
    independent["dealer"] = dealer.split()
    assert 2000 == line(independent, "aces-baby").net_cents


# Appendix C: Prime


@pytest.mark.parametrize(
    ("cards", "event", "prime_1", "prime_2"),
    [
        ("Ad Kh 8h 4d 2d", "All five one color", 6, 5),
        ("Ac Ks 8c 4s 2s", "All five one color", 6, 5),
        ("Ah Kh 8h 4h 2h", "All five one color", 6, 5),
        ("Ad Kh 8h 4d 2s", "Four one color", 1, 1),
        ("Ac Ks 8c 4s 2d", "Four one color", 1, 1),
        ("Ac Ks 8c 4d 2d", None, -1, -1),
        ("Ad Kh 8h 4c 2s", None, -1, -1),
    ],
)
def test_fcp_appendix_c_every_row_of_prime(cards: str, event: str | None, prime_1: int, prime_2: int) -> None:
    for table, net in (("Prime-1", prime_1), ("Prime-2", prime_2)):
        settled_line = line(beside(cards, "prime", table), "prime")
        assert (event, 200 * net) == (settled_line.event, settled_line.net_cents)
        assert {"FCP Appendix C", "FCP Appendix C note 2"} <= cited(settled_line)


@pytest.mark.parametrize("cards", ["Ad Kh 8h 4d 2d", "Ad Kh 8h 4d 2s"])
def test_fcp_rule_4_fold_appendix_c_note_3_g_10_prime_stands_on_a_folded_hand(cards: str) -> None:
    done = settled(beside(cards, "prime", "Prime-1", raise_=0))
    assert -500 == done.settlement.lines[1][MAIN].net_cents
    assert done.settlement.lines[1]["prime"].net_cents in (200, 1200)


def test_fcp_appendix_c_note_5_prime_3_is_set_by_the_operator() -> None:
    table = {"id": "Prime-3", "pays": {"All five one color": "4.5", "Four one color": "1"}}
    assert 200 + 900 == line(beside("Ad Kh 8h 4d 2d", "prime", table), "prime").paid_cents
    assert 400 == line(beside("Ad Kh 8h 4d 2s", "prime", table), "prime").paid_cents
    assert 0 == line(beside(HIGH, "prime", table), "prime").paid_cents


def test_g_6_fcp_prime_3_four_of_a_color_may_not_pay_more_than_five() -> None:
    table = {"id": "Prime-3", "pays": {"All five one color": "1", "Four one color": "2"}}
    assert ["G-6"] == [problem.ruling for problem in problems(beside(HIGH, "prime", table))]
