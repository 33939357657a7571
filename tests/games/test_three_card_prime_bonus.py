"""Three Card Prime, optional bonus wagers and Appendices B to D: Prime, Pair Bonus and All-Six."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.printed import back_to_one, events_of, ids_of, printed
from tests.support import cited, line, problems, record, seat

STAKE = 500

Record = dict[str, Any]


def wagered(wager: str, player: str, dealer: str, *tables: Any, play: bool = True) -> Record:
    """One seat with a five-dollar bonus wager beside its Ante; the player's four cards."""
    one = seat(1, player, {"ante-play": 1000, wager: STAKE}, play=play)
    return record("three-card-prime", dealer, one, paytables={"ante-play": ["PW/BB-1"], wager: list(tables)})


# Optional bonus wagers


BONUS_WAGERS = [
    ("prime", ["PRW-1"], 2000),
    ("pair-bonus", ["PB-1", "PB/LD-1"], 25_500),
    ("all-six", ["A6-1"], 5500),
]


@pytest.mark.parametrize(("wager", "tables", "expected"), BONUS_WAGERS)
@pytest.mark.parametrize("play", [True, False])
def test_tcp_rule_2_a_folded_hand_still_decides_the_bonus_wagers(
    wager: str, tables: list[str], expected: int, play: bool
) -> None:
    """A-K-Q of spades against J-T-2 of mixed suits: one colour, a mini-royal, a straight in six cards."""
    round_record = wagered(wager, "As Ks Qs 4d", "Jd Tc 2h", *tables, play=play)

    assert expected == line(round_record, wager).paid_cents


@pytest.mark.parametrize(
    ("wager", "tables", "dealer", "expected"),
    [
        ("prime", ["PRW-1"], "9h 9c Kd", 2000),
        ("pair-bonus", ["PB-1", "PB/LD-1"], "9h 9c Kd", 1000),
        ("all-six", ["A6-1"], "9h 9c 4d", 13_000),
    ],
)
def test_tcp_bonus_wagers_are_paid_though_the_primary_wagers_lose(
    wager: str, tables: list[str], dealer: str, expected: int
) -> None:
    """A pair of fours loses to nines: still one colour, a pair, and fours full of nines in six cards."""
    round_record = wagered(wager, "4s 4c 6s 9d", dealer, *tables)

    assert 0 == line(round_record, "ante-play").paid_cents
    assert expected == line(round_record, wager).paid_cents


def test_tcp_the_operator_chooses_which_bonus_wagers_are_offered() -> None:
    one = seat(1, "As Ks Qs 4d", {"ante-play": 1000, "prime": STAKE}, play=True)
    found = problems(record("three-card-prime", "Jd Tc 2h", one, paytables={"ante-play": ["PW/BB-1"]}))

    assert [("paytables.prime", "TCP Prime")] == [(problem.path, problem.clause) for problem in found]


# Prime


PRIME = [
    ("As 9c 4s", "Kc 8s 2s", "Same Color Player and Dealer Hands", 2500),
    ("Ad 9h 4d", "Kh 8d 2d", "Same Color Player and Dealer Hands", 2500),
    ("As 9s 4s", "Kc 8c 2c", "Same Color Player and Dealer Hands", 2500),
    ("As 9c 4s", "Kh 8d 2d", "Same Color Player Hand", 2000),
    ("Ad 9h 4d", "Kc 8s 2s", "Same Color Player Hand", 2000),
    ("As 9c 4s", "Kh 8s 2s", "Same Color Player Hand", 2000),
    ("As 9c 4d", "Kc 8s 2s", "others", 0),
    ("As 9h 4d", "Kd 8h 2h", "others", 0),
]


@pytest.mark.parametrize(("player", "dealer", "event", "expected"), PRIME)
def test_tcp_7_prime_pays_3_for_one_colour_and_4_if_the_dealers_three_are_of_it_too(
    player: str, dealer: str, event: str, expected: int
) -> None:
    """Five dollars at 3 to 1 and 4 to 1."""
    prime = line(wagered("prime", f"{player} 3c", dealer, "PRW-1"), "prime")

    assert (event, expected, 500) == (prime.event, prime.paid_cents, prime.staked_cents)
    assert {"TCP-7", "TCP Prime", "TCP Appendix B"} <= cited(prime)
    assert back_to_one(printed("PRW-1", event), STAKE) == prime.paid_cents


def test_tcp_appendix_b_only_the_three_card_hand_counts_not_the_fourth_card() -> None:
    assert 2000 == line(wagered("prime", "As 9c 4s 3d", "Kh 8s 2s", "PRW-1"), "prime").paid_cents
    assert 0 == line(wagered("prime", "As 9c 4d 3c", "Kh 8s 2s", "PRW-1"), "prime").paid_cents


def test_tcp_appendix_b_the_prime_wager_may_remain_in_action_on_a_folded_hand() -> None:
    folded = wagered("prime", "As 9c 4s 3c", "Kc 8s 2s", "PRW-1", play=False)

    assert (0, 2500) == (line(folded, "ante-play").paid_cents, line(folded, "prime").paid_cents)


def test_tcp_appendix_b_note_1_odds_are_to_1() -> None:
    won = line(wagered("prime", "As 9c 4s 3c", "Kc 8s 2s", "PRW-1"), "prime")

    assert 2000 == won.net_cents
    assert {"TCP Appendix B note 1", "G-1"} <= cited(won)


@pytest.mark.parametrize(
    ("player", "dealer", "expected"), [("As 9c 4s", "Kc 8s 2s", 5500), ("As 9c 4s", "Kh 8s 2s", 3500)]
)
def test_tcp_12_prw_2_pays_the_amounts_the_operator_set(player: str, dealer: str, expected: int) -> None:
    amounts = {"Same Color Player and Dealer Hands": "10", "Same Color Player Hand": "6", "others": "Loss"}
    table = {"id": "PRW-2", "pays": amounts}

    assert expected == line(wagered("prime", f"{player} 3c", dealer, table), "prime").paid_cents


@pytest.mark.parametrize(("others", "expected"), [("Loss", 0), ("Push", 500), ("1", 1000)])
def test_tcp_12_prw_2_takes_an_amount_for_the_row_that_loses_in_its_sister(others: str, expected: int) -> None:
    table = {
        "id": "PRW-2",
        "pays": {"Same Color Player and Dealer Hands": "4", "Same Color Player Hand": "3", "others": others},
    }
    lost = line(wagered("prime", "As 9c 4d 3c", "Kc 8s 2s", table), "prime")

    assert ("others", expected) == (lost.event, lost.paid_cents)


# Pair Bonus


PAIR_BONUS = {
    "Mini Royal": "As Ks Qs",
    "Straight Flush": "9s 8s 7s",
    "Trips": "7s 7d 7h",
    "Straight": "9s 8d 7h",
    "Flush": "Ks 9s 4s",
    "Pair": "9s 9d 4h",
}


@pytest.mark.parametrize("table", ids_of("PB"))
@pytest.mark.parametrize("event", PAIR_BONUS)
def test_tcp_appendix_c_note_1_pb_pays_when_the_fourth_card_is_no_deuce(table: str, event: str) -> None:
    won = line(wagered("pair-bonus", f"{PAIR_BONUS[event]} 3c", "Jd Tc 5h", table, "PB/LD-1"), "pair-bonus")

    assert (event, back_to_one(printed(table, event), STAKE)) == (won.event, won.paid_cents)
    assert table == won.paytable
    assert {"TCP Appendix C note 1", "TCP-8"} <= cited(won)


@pytest.mark.parametrize("table", ids_of("PB/LD"))
@pytest.mark.parametrize("event", PAIR_BONUS)
def test_tcp_appendix_c_note_2_pb_ld_pays_when_the_fourth_card_is_a_deuce(table: str, event: str) -> None:
    won = line(wagered("pair-bonus", f"{PAIR_BONUS[event]} 2c", "Jd Tc 5h", "PB-1", table), "pair-bonus")

    assert (event, back_to_one(printed(table, event), STAKE)) == (won.event, won.paid_cents)
    assert table == won.paytable
    assert {"TCP Appendix C note 2", "TCP-8"} <= cited(won)


def test_tcp_appendix_c_rows_are_all_shown() -> None:
    assert set(events_of("PB-1")) == set(events_of("PB/LD-1")) == set(PAIR_BONUS)


@pytest.mark.parametrize(
    ("hand", "fourth", "expected"),
    [("As Ks Qs", "3c", 25_500), ("As Ks Qs", "2c", 50_500), ("9s 9d 4h", "3c", 1000), ("9s 9d 4h", "2c", 1000)],
)
def test_tcp_8_the_fourth_card_picks_the_column(hand: str, fourth: str, expected: int) -> None:
    """Five dollars at PB-1's 50 and 1 to 1, and at PB/LD-1's 100 and 1 to 1."""
    assert (
        expected
        == line(wagered("pair-bonus", f"{hand} {fourth}", "Jd Tc 5h", "PB-1", "PB/LD-1"), "pair-bonus").paid_cents
    )


@pytest.mark.parametrize("hand", ["Ks 9d 4h", "As Kd Jh"])
def test_tcp_8_the_deuce_is_not_wild_and_pairs_nothing(hand: str) -> None:
    lost = line(wagered("pair-bonus", f"{hand} 2c", "Jd Tc 5h", "PB-1", "PB/LD-1"), "pair-bonus")

    assert (0, None) == (lost.paid_cents, lost.event)


def test_tcp_8_the_fourth_card_does_not_pair_the_hand() -> None:
    assert 0 == line(wagered("pair-bonus", "Ks 2d 9h 2c", "Jd Tc 5h", "PB-1", "PB/LD-1"), "pair-bonus").paid_cents


@pytest.mark.parametrize("tables", [["PB-1"], ["PB/LD-1"], ["PB-1", "PB-2", "PB/LD-1"], ["PB-1", "PB/LD-1", "PB/LD-2"]])
def test_tcp_8_the_operator_picks_one_of_each_column(tables: list[str]) -> None:
    assert ["paytables.pair-bonus"] == [
        problem.path for problem in problems(wagered("pair-bonus", "As Ks Qs 4d", "Jd Tc 5h", *tables))
    ]


def test_tcp_appendix_c_note_3_a_mini_royal_is_the_three_card_hand_only() -> None:
    won = line(wagered("pair-bonus", "Ks Qs Js As", "9d Tc 5h", "PB-1", "PB/LD-1"), "pair-bonus")

    assert ("Straight Flush", 20_500) == (won.event, won.paid_cents)


def test_tcp_appendix_c_note_4_odds_are_to_1() -> None:
    won = line(wagered("pair-bonus", "9s 9d 4h 3c", "Jd Tc 5h", "PB-1", "PB/LD-1"), "pair-bonus")

    assert 500 == won.net_cents
    assert {"TCP Appendix C note 4", "G-1"} <= cited(won)


def test_tcp_appendix_c_note_5_only_the_highest_qualifying_hand_is_paid() -> None:
    """A straight flush is a straight and a flush too: 40 to 1, not 40 + 6 + 3."""
    won = line(wagered("pair-bonus", "9s 8s 7s 3c", "Jd Tc 5h", "PB-1", "PB/LD-1"), "pair-bonus")

    assert 20_500 == won.paid_cents
    assert {"TCP Appendix C note 5", "G-2"} <= cited(won)


@pytest.mark.parametrize(
    ("event", "expected"),
    [("Mini Royal", 100_500), ("Straight Flush", 50_500), ("Trips", 30_500), ("Straight", 4500), ("Flush", 2000)],
)
def test_tcp_12_pb_ld_5_pays_the_amounts_the_operator_set(event: str, expected: int) -> None:
    pays = {"Mini Royal": "200", "Straight Flush": "100", "Trips": "60", "Straight": "8", "Flush": "3", "Pair": "3"}
    tables = ("PB-1", {"id": "PB/LD-5", "pays": pays})
    won = line(wagered("pair-bonus", f"{PAIR_BONUS[event]} 2c", "Jd Tc 5h", *tables), "pair-bonus")

    assert (event, expected) == (won.event, won.paid_cents)


# All-Six


ALL_SIX = {
    "Six-Card Royal Diamonds": [("Ad Kd Qd", "Jd Td 9d"), ("9d Kd Jd", "Ad Td Qd")],
    "Six-Card Royal Other": [("As Ks Qs", "Js Ts 9s"), ("Ah Kh Qh", "Jh Th 9h"), ("Ac Kc Qc", "Jc Tc 9c")],
    "Five-Card Royal": [("As Ks Qs", "Js Ts 2d"), ("Ad Kd Qd", "Jd Td 2d"), ("Ad Kd Qd", "Jd Td 9s")],
    "Five-Card Straight Flush": [("9s 8s 7s", "6s 5s Kd"), ("9s 8s 7s", "6s 5s 4s"), ("As 2s 3s", "4s 5s Kd")],
    "Four of a Kind": [("7s 7d 7h", "7c Kd 2h"), ("7s 7d Kh", "7c 7h Ks")],
    "Full House": [("7s 7d 7h", "Kc Kd 2h"), ("7s 7d 7h", "Kc Kd Kh"), ("7s Kd Kh", "7c 7h Ks")],
    "Flush": [("As Js 9s", "6s 2s Kd"), ("As Js 9s", "6s 2s Ks"), ("Ks 9s 8s", "7s 6s 5d")],
    "Straight": [
        ("9s 8d 7h", "6c 5s Kd"),
        ("Ts 9d 8h", "7c 6s 5d"),
        ("As 2d 3h", "4c 5s Kd"),
        ("As Kd Qh", "Jc Ts Ad"),
    ],
    "Three of a Kind": [("7s 7d 7h", "Kc Qd 2h"), ("7s Kd 9h", "7c 7h 2s")],
}


@pytest.mark.parametrize("table", ids_of("A6"))
@pytest.mark.parametrize("event", ALL_SIX)
def test_tcp_9_all_six_pays_every_row_of_every_table(table: str, event: str) -> None:
    for player, dealer in ALL_SIX[event]:
        won = line(wagered("all-six", f"{player} 3c", dealer, table), "all-six")

        assert (event, back_to_one(printed(table, event), STAKE)) == (won.event, won.paid_cents)
        assert {"TCP-9", "TCP All-Six Bonus", "TCP Appendix D", "TCP Appendix D note 1"} <= cited(won)


def test_tcp_appendix_d_rows_are_all_shown() -> None:
    assert set(events_of("A6-1")) == set(ALL_SIX)


@pytest.mark.parametrize(
    ("player", "dealer", "expected"),
    [
        ("Ad Kd Qd", "Jd Td 9d", 100_000_500),
        ("As Ks Qs", "Js Ts 9s", 10_000_500),
        ("As Ks Qs", "Js Ts 2d", 500_500),
        ("7s 7d 7h", "Kc Qd 2h", 3000),
    ],
)
def test_tcp_appendix_d_five_dollars_in_a6_5(player: str, dealer: str, expected: int) -> None:
    """200,000, 20,000, 1,000 and 5 to 1."""
    assert expected == line(wagered("all-six", f"{player} 3c", dealer, "A6-5"), "all-six").paid_cents


@pytest.mark.parametrize(
    ("player", "dealer"), [("Ks Kd 9h", "9c 4d 4h"), ("As Kd 2h", "3d 4s 9d"), ("Ks Qd 9h", "7c 4d 2h")]
)
def test_tcp_all_six_needs_at_least_three_of_a_kind(player: str, dealer: str) -> None:
    """Three pairs, an ace that would have to go round the corner, and high cards lose."""
    lost = line(wagered("all-six", f"{player} 3c", dealer, "A6-1"), "all-six")

    assert (0, None) == (lost.paid_cents, lost.event)


def test_tcp_9_the_fourth_card_is_not_among_the_six() -> None:
    assert 0 == line(wagered("all-six", "7s 7d Kh 7c", "Qd 9c 2h", "A6-1"), "all-six").paid_cents


def test_tcp_9_eight_to_king_suited_is_no_six_card_royal() -> None:
    won = line(wagered("all-six", "Ks Qs Js 3c", "Ts 9s 8s", "A6-5"), "all-six")

    assert ("Five-Card Straight Flush", 100_500) == (won.event, won.paid_cents)
