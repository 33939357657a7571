"""Three Card Prime, Bonus Jackpot or Progressive Jackpot and Appendices E and F: Final Four and All Seven."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.printed import events_of, ids_of, printed, prize_for_one
from tests.support import cited, line, problems, record, seat, settled

METER = 1_234_567

Record = dict[str, Any]


def wagered(wager: str, player: str, dealer: str, table: Any, *, play: bool = True, **fields: Any) -> Record:
    """One seat with a one-dollar jackpot wager beside its Ante; the player's four cards."""
    one = seat(1, player, {"ante-play": 1000, wager: 100}, play=play)
    paytables = {"ante-play": ["PW/BB-1"], wager: [table]}
    return record("three-card-prime", dealer, one, paytables=paytables, **{"meters": {wager: METER}, **fields})


def final_four(player: str, table: Any = "F4P-1", **fields: Any) -> Record:
    return wagered("final-four", player, "Qc 8c 5h", table, **fields)


# Final Four


FINAL_FOUR = {
    "4-card diamond Royal": ["Ad Kd Qd Jd", "Kd Qd Jd Ad", "Jd Kd Qd Ad"],
    "4-card Royal": ["As Ks Qs Js", "Kh Qh Jh Ah", "Ac Kc Qc Jc"],
    "4-card Straight Flush": ["9s 8s 7s 6s", "8s 7s 6s 9s", "As 2s 3s 4s", "Kd Qd Jd Td"],
    "Four of a kind": ["7s 7d 7h 7c"],
    "Initial 3-card SF": ["9s 8s 7s Kd", "As Ks Qs 2d", "9s 8s 7s Ks", "9s 8s 7s 6d", "As Ks Qs Jd", "9s 8s 7s 9d"],
    "Three of a Kind": ["7s 7d 7h Kc", "7s 7d 7h 2c"],
    "4-card Straight": ["9s 8d 7h Td", "9s 8d 7h 6s", "As 2d 3h 4c", "Ks Qd Jh Ac", "As Kd Qh Jc"],
    "Initial 3-card straight": ["9s 8d 7h 2c", "9s 8d 7h 9c", "As 2d 3h Kc", "As Kd Qh 2d", "9s 8d 7h Js"],
    "initial hand < straight": [
        "Ks 9s 4s 2s",
        "7s 7d Kh 7c",
        "7s 7d Kh Kc",
        "Ad Kd Jd Qd",
        "As 2d Kh Qd",
        "9s 8d 6h 7c",
    ],
}


@pytest.mark.parametrize("table", ids_of("F4P"))
@pytest.mark.parametrize("event", FINAL_FOUR)
def test_tcp_10_final_four_pays_every_row_of_every_table(table: str, event: str) -> None:
    for player in FINAL_FOUR[event]:
        dealer = "9c 8h 5h" if "Qc" in player else "Qc Th 5h"
        won = line(wagered("final-four", player, dealer, table), "final-four")

        assert (event, prize_for_one(printed(table, event), 100, METER)) == (won.event, won.paid_cents)
        assert {"TCP-10", "TCP Appendix E"} <= cited(won)


def test_tcp_appendix_e_rows_are_all_shown() -> None:
    assert events_of("F4P-1") == tuple(FINAL_FOUR)


@pytest.mark.parametrize(
    ("player", "expected"),
    [
        ("Ad Kd Qd Jd", 1_234_567),
        ("As Ks Qs Js", 123_456),
        ("9s 8s 7s 6s", 100_000),
        ("7s 7d 7h 7c", 50_000),
        ("9s 8s 7s Kd", 3000),
        ("7s 7d 7h Kc", 2000),
        ("9s 8d 7h Td", 1500),
        ("9s 8d 7h 2c", 1000),
        ("Ks 9s 4s 2s", 0),
    ],
)
def test_tcp_appendix_e_f4p_2_at_a_meter_of_12_345_67(player: str, expected: int) -> None:
    assert expected == line(final_four(player, "F4P-2"), "final-four").paid_cents


def test_tcp_appendix_e_note_1_odds_are_for_1_and_the_dollar_never_comes_back() -> None:
    won = line(final_four("9s 8d 7h 2c"), "final-four")

    assert (100, 600, 500) == (won.staked_cents, won.paid_cents, won.net_cents)
    assert {"TCP Appendix E note 1", "G-1"} <= cited(won)


def test_tcp_appendix_e_note_2_only_the_highest_qualifying_hand_is_paid() -> None:
    """The first three are a straight flush, the four a straight: $40, not $40 + $15 + $6."""
    won = line(final_four("9s 8s 7s 6d"), "final-four")

    assert 4000 == won.paid_cents
    assert {"TCP Appendix E note 2", "G-2"} <= cited(won)


def test_tcp_appendix_e_note_3_a_percentage_is_divided_equally_among_all_qualifying_players() -> None:
    paytables = {"ante-play": ["PW/BB-1"], "final-four": ["F4P-1"]}
    wagers = {"ante-play": 1000, "final-four": 100}
    one = seat(1, "As Ks Qs Js", wagers, play=True)
    two = seat(2, "Ah Kh Qh Jh", wagers, play=False)
    shared = record("three-card-prime", "9c 8c 2d", one, two, paytables=paytables, meters={"final-four": 200_000})

    assert [10_000, 10_000] == [line(shared, "final-four", number).paid_cents for number in (1, 2)]
    assert "G-4" in cited(line(shared, "final-four"))


def test_tcp_appendix_e_note_4_a_dollar_prize_is_fixed_whatever_the_meter_shows() -> None:
    for meter in (0, 100, 99_999_999):
        assert 100_000 == line(final_four("9s 8s 7s 6s", meters={"final-four": meter}), "final-four").paid_cents


def test_tcp_appendix_e_note_6_a_bonus_jackpot_is_paid_by_the_casino() -> None:
    payment = settled(final_four("Ad Kd Qd Jd", jackpot_type="bonus")).settlement.jackpots["final-four"]

    assert (0, METER, 0) == (payment.from_fund_cents, payment.from_house_cents, payment.odd_cents)


def test_tcp_appendix_e_note_7_a_progressive_is_paid_from_the_fund_held_for_the_players() -> None:
    payment = settled(final_four("Ad Kd Qd Jd", jackpot_type="progressive")).settlement.jackpots["final-four"]

    assert (METER, 0, 0) == (payment.from_fund_cents, payment.from_house_cents, payment.odd_cents)


@pytest.mark.parametrize(("wager", "clause"), [("final-four", "TCP Final Four"), ("all-seven", "TCP All Seven")])
@pytest.mark.parametrize("cents", [50, 99, 101, 200, 500])
def test_tcp_appendix_e_and_f_note_8_the_jackpot_wager_is_one_dollar_only(wager: str, clause: str, cents: int) -> None:
    table = {"final-four": "F4P-1", "all-seven": "A7P-1"}[wager]
    round_record = wagered(wager, "9s 8d 7h 2c", "Qd 6c 2h", table)
    round_record["seats"][0]["wagers"][wager] = cents

    assert [(clause, "G-7")] == [(problem.clause, problem.ruling) for problem in problems(round_record)]


def test_tcp_appendix_e_a_folded_hand_still_wins_the_jackpot() -> None:
    folded = final_four("9s 8s 7s 6s", play=False)

    assert (0, 100_000) == (line(folded, "ante-play").paid_cents, line(folded, "final-four").paid_cents)


def test_tcp_appendix_e_players_without_the_wager_are_awarded_nothing() -> None:
    paytables = {"ante-play": ["PW/BB-1"], "final-four": ["F4P-1"]}
    one = seat(1, "Ad Kd Qd Jd", {"ante-play": 1000}, play=True)
    lines = settled(record("three-card-prime", "9c 8c 2d", one, paytables=paytables)).settlement.lines

    assert ["ante-play"] == list(lines[1])


def test_tcp_10_the_dealers_cards_do_not_count_in_the_final_four() -> None:
    assert 0 == line(wagered("final-four", "9s 8s 6s 2d", "7s 5s Ts", "F4P-1"), "final-four").paid_cents


def test_tcp_10_the_fourth_card_cannot_lift_a_hand_below_a_straight() -> None:
    """Four suited A-K-J-Q whose first three are no straight: the initial hand is below a straight."""
    lost = line(final_four("Ad Kd Jd Qd"), "final-four")

    assert ("initial hand < straight", 0) == (lost.event, lost.paid_cents)


F4P_4 = {
    "4-card diamond Royal": "$50,000",
    "4-card Royal": "$5,000",
    "4-card Straight Flush": "$1,500",
    "Four of a kind": "$750.50",
    "Initial 3-card SF": "$60",
    "Three of a Kind": "$30",
    "4-card Straight": "$20",
    "Initial 3-card straight": "$7",
    "initial hand < straight": "$0",
}


@pytest.mark.parametrize(
    ("event", "expected"),
    list(zip(F4P_4, [5_000_000, 500_000, 150_000, 75_050, 6000, 3000, 2000, 700, 0], strict=True)),
)
def test_tcp_12_f4p_4_pays_the_dollars_the_operator_set(event: str, expected: int) -> None:
    player = FINAL_FOUR[event][0]
    won = line(wagered("final-four", player, "9c 8c 5h", {"id": "F4P-4", "pays": F4P_4}, meters={}), "final-four")

    assert (event, expected) == (won.event, won.paid_cents)


# All Seven


ALL_SEVEN = {
    "7-card Straight Flush": [("9s 8s 7s 6s", "5s 4s 3s"), ("As Ks Qs Js", "Ts 9s 8s"), ("As 2s 3s 4s", "5s 6s 7s")],
    "Royal": [
        ("As Ks Qs Js", "Ts 2d 3c"),
        ("As Ks Qs 2d", "Js Ts 9s"),
        ("Ad Kd 2d 3d", "Qd Jd Td"),
        ("Ah Kh Qh Jh", "Th 9h 2h"),
    ],
    "Straight Flush": [("9s 8s 7s 6s", "5s Kd 2c"), ("9s 8s 7s Kd", "6s 5s 4s"), ("As 2s 3s 4s", "5s Ks Qs")],
    "Four of a Kind": [("7s 7d 7h 7c", "Kd Kh Kc"), ("7s 7d Kh 7c", "7h 2d 3c")],
    "Full House": [("7s 7d 7h Kc", "Kd 2h 3c"), ("7s 7d Kh Kc", "Kd 7h 2c"), ("7s 7d 2h 2c", "Kd Kh Kc")],
    "Flush": [
        ("As Js 9s 6s", "2s Kd 3c"),
        ("As Js 2d 6s", "2s Ks 9s"),
        ("Ks 9s 8s 7s", "6s 5d 2c"),
        ("7s 7d Kh 2s", "Ks 9s 4s"),
    ],
    "Straight or less": [
        ("9s 8d 7h 6c", "5s Kd 2c"),
        ("7s 7d 7h Kc", "Qd 2h 3c"),
        ("Ks Kd 9h 9c", "4d 4h 2c"),
        ("Ks Qd 9h 7c", "5d 4h 2c"),
    ],
}


@pytest.mark.parametrize("table", ids_of("A7P"))
@pytest.mark.parametrize("event", ALL_SEVEN)
def test_tcp_11_all_seven_pays_every_row_of_every_table(table: str, event: str) -> None:
    for player, dealer in ALL_SEVEN[event]:
        won = line(wagered("all-seven", player, dealer, table), "all-seven")

        assert (event, prize_for_one(printed(table, event), 100, METER)) == (won.event, won.paid_cents)
        assert {"TCP-11", "TCP All Seven", "TCP Appendix F"} <= cited(won)


def test_tcp_appendix_f_rows_are_all_shown() -> None:
    assert events_of("A7P-1") == tuple(ALL_SEVEN)


@pytest.mark.parametrize(
    ("player", "dealer", "expected"),
    [
        ("9s 8s 7s 6s", "5s 4s 3s", 1_234_567),
        ("As Ks Qs Js", "Ts 2d 3c", 123_456),
        ("9s 8s 7s 6s", "5s Kd 2c", 20_000),
        ("7s 7d 7h 7c", "Kd Kh Kc", 5000),
        ("7s 7d 7h Kc", "Kd 2h 3c", 1000),
        ("As Js 9s 6s", "2s Kd 3c", 400),
        ("9s 8d 7h 6c", "5s Kd 2c", 0),
    ],
)
def test_tcp_appendix_f_a7p_2_at_a_meter_of_12_345_67(player: str, dealer: str, expected: int) -> None:
    assert expected == line(wagered("all-seven", player, dealer, "A7P-2"), "all-seven").paid_cents


def test_tcp_appendix_f_no_straight_is_required_in_the_first_three_cards() -> None:
    assert 1000 == line(wagered("all-seven", "Ks 7d 2h Kc", "Kd 7s 7h", "A7P-1"), "all-seven").paid_cents


def test_tcp_11_eight_to_ace_suited_takes_the_100_percent_row() -> None:
    won = line(wagered("all-seven", "As Ks Qs Js", "Ts 9s 8s", "A7P-1"), "all-seven")

    assert ("7-card Straight Flush", METER) == (won.event, won.paid_cents)


def test_tcp_appendix_f_note_1_odds_are_for_1() -> None:
    won = line(wagered("all-seven", "As Js 9s 6s", "2s Kd 3c", "A7P-1"), "all-seven")

    assert (100, 500, 400) == (won.staked_cents, won.paid_cents, won.net_cents)
    assert {"TCP Appendix F note 1", "G-1"} <= cited(won)


def test_tcp_appendix_f_note_2_only_the_highest_qualifying_hand_is_paid() -> None:
    won = line(wagered("all-seven", "9s 8s 7s 6s", "5s Kd 2c", "A7P-1"), "all-seven")

    assert 20_000 == won.paid_cents
    assert {"TCP Appendix F note 2", "G-2"} <= cited(won)


def test_tcp_appendix_f_note_3_two_seven_card_straight_flushes_divide_the_jackpot() -> None:
    """The dealer's 5-6-7 of spades serves ace to four and eight to jack."""
    paytables = {"ante-play": ["PW/BB-1"], "all-seven": ["A7P-1"]}
    wagers = {"ante-play": 1000, "all-seven": 100}
    one = seat(1, "As 2s 3s 4s", wagers, play=True)
    two = seat(2, "8s 9s Ts Js", wagers, play=True)
    shared = record("three-card-prime", "5s 6s 7s", one, two, paytables=paytables, meters={"all-seven": 200_001})
    payment = settled(shared).settlement.jackpots["all-seven"]

    assert [100_000, 100_000] == [line(shared, "all-seven", number).paid_cents for number in (1, 2)]
    assert (200_000, 0, 1) == (payment.from_fund_cents, payment.from_house_cents, payment.odd_cents)


A7P_4 = {
    "7-card Straight Flush": "$50,000",
    "Royal": "$1,000",
    "Straight Flush": "$300",
    "Four of a Kind": "$60",
    "Full House": "$12.50",
    "Flush": "$5",
    "Straight or less": "$0",
}


@pytest.mark.parametrize(
    ("event", "expected"), list(zip(A7P_4, [5_000_000, 100_000, 30_000, 6000, 1250, 500, 0], strict=True))
)
def test_tcp_12_a7p_4_pays_the_dollars_the_operator_set(event: str, expected: int) -> None:
    player, dealer = ALL_SEVEN[event][0]
    table = {"id": "A7P-4", "pays": A7P_4}
    won = line(wagered("all-seven", player, dealer, table, meters={}, jackpot_type="bonus"), "all-seven")

    assert (event, expected) == (won.event, won.paid_cents)


@pytest.mark.parametrize(
    ("wager", "table"), [("prime", "PRW-2"), ("pair-bonus", "PB/LD-5"), ("final-four", "F4P-4"), ("all-seven", "A7P-4")]
)
def test_tcp_12_a_bonus_column_without_amounts_is_refused(wager: str, table: str) -> None:
    one = seat(1, "9s 8d 7h 2c", {"ante-play": 1000}, play=True)
    tables = ["PB-1", table] if wager == "pair-bonus" else [table]
    paytables = {"ante-play": ["PW/BB-1"], wager: tables}
    found = problems(record("three-card-prime", "Qd 6c 2h", one, paytables=paytables))

    assert ["G-6"] == [problem.ruling for problem in found]
