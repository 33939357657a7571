"""Super Three Card against document 002, clause by clause: the main game and the Big Hand Bonus."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.games import printed
from tests.support import cited, line, problems, record, seat, settled

MAIN = "ante-odds-play"
BIG_HAND = "big-hand-bonus"
TABLES = {MAIN: ["PT-FLT-STC-01"], BIG_HAND: ["PT-FLT-STC-BH-02"]}
LOW_DEALER = "2c 4d 7h"
ACES = "Ac Ad Ah"


def played(cards: str, dealer: str = LOW_DEALER, ante: int = 500, table: str = "PT-FLT-STC-01") -> dict[str, Any]:
    hand = seat(1, cards, {MAIN: ante}, play=True)
    return record("super-three-card", dealer, hand, decks=6, paytables={MAIN: [table]})


def big_hand(cards: str, dealer: str, table: str = "PT-FLT-STC-BH-02", stake: int = 200) -> dict[str, Any]:
    """A seat that surrenders its Ante; the Big Hand Bonus stands on its two cards (G-10)."""
    hand = seat(1, cards, {MAIN: 500, BIG_HAND: stake}, play=False)
    paytables = {MAIN: ["PT-FLT-STC-01"], BIG_HAND: [table]}
    return record("super-three-card", dealer, hand, decks=6, paytables=paytables)


def refused(round_record: dict[str, Any], path: str) -> str:
    """The one problem at this place, as it is told."""
    (problem,) = [each for each in problems(round_record) if each.path == path]
    return str(problem)


# Rule 1


def test_stc_rule_1_ante_and_odds_are_equal_and_play_equals_the_ante() -> None:
    settled_line = line(played("As Ks Qs"), MAIN)
    assert [("Ante", 500), ("Odds", 500), ("Play", 500)] == [
        (chip.part, chip.staked_cents) for chip in settled_line.chips
    ]
    assert 1500 == settled_line.staked_cents


@pytest.mark.parametrize("name", [BIG_HAND, "twenty-one-plus-three"])
def test_stc_rule_1_g_19_ante_and_odds_are_required_for_a_bonus_wager(name: str) -> None:
    tables = {BIG_HAND: ["PT-FLT-STC-BH-01"], "twenty-one-plus-three": ["PT-BJS-213-01"]}
    hand = seat(1, "As Ks", {name: 100}, play=False)
    alone = record(
        "super-three-card",
        "2c",
        hand,
        decks=6,
        paytables={name: tables[name]},
        meters={"twenty-one-plus-three": 100_000},
    )
    assert "STC rule 1; G-19" in refused(alone, "seat 1 wagers")


# Description: six or eight decks


@pytest.mark.parametrize("decks", [None, 1, 2, 5, 7, "6", True])
def test_stc_1_description_only_six_or_eight_decks(decks: Any) -> None:
    other = played("As Ks Qs")
    del other["decks"]
    if decks is not None:
        other["decks"] = decks
    assert "STC description" in refused(other, "decks")


def test_stc_1_six_decks_hold_six_of_each_card_and_no_seventh() -> None:
    seven_aces = [seat(number, "As As As", {MAIN: 500}, play=True) for number in (1, 2)]
    six = record("super-three-card", "2c 2d 2h", *seven_aces, decks=6, paytables=TABLES)
    assert "Three-of-a-Kind (Suited)" == line(six, MAIN, 2).event
    assert "As: more often than" in refused({**six, "dealer": ["As", "2d", "2h"]}, "cards")
    eight = {**six, "dealer": ["As", "As", "2h"], "decks": 8}
    assert "Three-of-a-Kind (Suited)" == line(eight, MAIN, 2).event
    assert "As: more often than" in refused({**eight, "dealer": ["As", "As", "As"]}, "cards")


def test_description_bonus_wagers_have_no_effect_on_the_primary_game() -> None:
    alone = played("9c Td Kh", "As 9d 4h")
    hand = seat(1, "9c Td Kh", {MAIN: 500, BIG_HAND: 200}, play=True)
    beside = record("super-three-card", "As 9d 4h", hand, decks=6, paytables=TABLES)
    assert line(alone, MAIN) == line(beside, MAIN)


# Rule 4: play or surrender


def test_stc_rule_4_surrender_loses_the_ante_and_returns_the_odds() -> None:
    hand = seat(1, "9c 4d", {MAIN: 500}, play=False)
    settled_line = line(record("super-three-card", "2c", hand, decks=6, paytables=TABLES), MAIN)
    assert {"Ante": 0, "Odds": 500} == {chip.part: chip.paid_cents for chip in settled_line.chips}
    assert (1000, 500, -500) == (settled_line.staked_cents, settled_line.paid_cents, settled_line.net_cents)
    assert {"STC rule 4, surrender", "STC-3"} <= cited(settled_line)
    assert settled_line.event is None


def test_stc_3_surrender_with_the_best_hand_still_loses_the_ante() -> None:
    hands = (seat(1, "As Ks", {MAIN: 500}, play=False), seat(2, "9c 9d 9h", {MAIN: 500}, play=True))
    both = record("super-three-card", "Qs 4d 7h", *hands, decks=6, paytables=TABLES)
    assert -500 == line(both, MAIN).net_cents


@pytest.mark.parametrize("answer", [1, "yes", 0, "surrender"])
def test_stc_rule_4_the_player_plays_or_surrenders(answer: object) -> None:
    hand = seat(1, "As Ks Qs", {MAIN: 500}, play=answer)
    odd = record("super-three-card", LOW_DEALER, hand, decks=6, paytables=TABLES)
    assert "STC rule 4" in refused(odd, "seat 1 decisions.play")


def test_stc_rule_4_the_decision_must_be_stated() -> None:
    hand = seat(1, "As Ks Qs", {MAIN: 500})
    silent = record("super-three-card", LOW_DEALER, hand, decks=6, paytables=TABLES)
    assert "is missing" in refused(silent, "seat 1 decisions.play")


# Rules 2 and 5: cards


def test_stc_rule_5_a_third_card_only_for_a_hand_that_plays() -> None:
    surrendered = seat(1, "As Ks Qs", {MAIN: 500}, play=False)
    three = record("super-three-card", "2c", surrendered, decks=6, paytables=TABLES)
    assert "3 cards, but the seat is entitled to 2" in refused(three, "seat 1 cards")
    assert "2 cards, but the seat is entitled to 3" in refused(played("As Ks"), "seat 1 cards")


@pytest.mark.parametrize("dealer", ["2c", "2c 4d", "2c 4d 7h 9s"])
def test_stc_rule_5_the_dealer_completes_three_cards_if_anybody_plays(dealer: str) -> None:
    assert "expected 3" in refused(played("As Ks Qs", dealer), "dealer")


def test_stc_8_all_surrendered_the_dealer_keeps_one_card() -> None:
    hands = [seat(number, "9c 4d", {MAIN: 500}, play=False) for number in (1, 2, 3)]
    done = settled(record("super-three-card", "2c", *hands, decks=6, paytables=TABLES))
    assert [-500, -500, -500] == [done.settlement.net_cents(number) for number in (1, 2, 3)]


def test_stc_8_all_surrendered_two_dealer_cards_are_no_round() -> None:
    hands = [seat(number, "9c 4d", {MAIN: 500}, play=False) for number in (1, 2)]
    two = record("super-three-card", "2c 9d", *hands, decks=6, paytables=TABLES)
    assert refused(two, "dealer")


# Rules 6 and 7, STC-1: the ranking, best first, each hand against the one below it

RANKING = [
    ("As Ks Qs", "mini-royal"),
    ("Ah Ah Ah", "suited trips"),
    ("Kh Qh Jh", "straight flush"),
    ("Ad As Ac", "trips"),
    ("Ah Kd Qs", "straight"),
    ("Ad Ad Kc", "suited pair"),
    ("Ac Kc Jc", "flush"),
    ("Ac Ah Kd", "pair"),
    ("Ac Kd Js", "high card"),
]


@pytest.mark.parametrize(("higher", "lower"), [(higher[0], lower[0]) for higher, lower in pairwise(RANKING)])
def test_stc_rule_7_stc_1_each_rank_beats_the_next(higher: str, lower: str) -> None:
    won, lost = line(played(higher, lower), MAIN), line(played(lower, higher), MAIN)
    assert won.net_cents >= 1000
    assert -1500 == lost.net_cents
    assert "STC rule 6, player wins" in cited(won)
    assert {"STC rule 6, dealer wins"} == cited(lost)


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2c 2c 2c", "Kd Qd Jd"),  # the lowest suited trips, the highest straight flush below the mini-royal
        ("Ah 2h 3h", "Ac Ad As"),  # the lowest straight flush beats three aces
        ("2c 2c 2d", "Ac Kd Qs"),  # two identical cards in trips are still trips
        ("Ac 2d 3h", "As As Ks"),  # the lowest straight beats two identical cards, suited or not
        ("2c 2c 3d", "Ah Kh Jh"),  # the lowest suited pair beats the highest flush
        ("2c 2c 3c", "Ah Kh Jh"),  # also when the third card is of the suit: a suited pair, not a flush
        ("2c 3c 5c", "Ah Ad Ks"),
        ("2c 2d 3h", "Ah Kd Js"),
        ("2d 3c 4h", "Ac 2d 3h"),  # A-2-3 is the lowest straight
        ("9c 9d 2h", "8c 8d Ah"),  # the pair's rank before the kicker
        ("9c 9d 4h", "9h 9s 3c"),
        ("9c 9c 2h", "8c 8c Ah"),
        ("Ah 9h 3h", "Ac 9c 2c"),
    ],
)
def test_stc_1_g_8_g_9_order_inside_and_between_ranks(higher: str, lower: str) -> None:
    assert line(played(higher, lower), MAIN).net_cents > 0
    assert -1500 == line(played(lower, higher), MAIN).net_cents


@pytest.mark.parametrize(
    ("player", "dealer", "odds_prize"),
    [
        ("As Ks Qs", "Ah Kh Qh", 50),
        ("9c 9c 9c", "9h 9h 9h", 10),
        ("9c 9d 9h", "9s 9s 9d", 4),
        ("8c 8c Kd", "8h 8h Ks", 2),
        ("Kc 9c 4c", "Kd 9d 4d", 2),
        ("Jc Jd 4h", "Jh Js 4c", 1),
        ("Tc Td 4h", "Th Ts 4c", 0),
        ("Kc 9d 4h", "Kh 9s 4c", 0),
        ("Kc 9d 4h", "Kc 9d 4h", 0),  # the very same cards out of another deck
    ],
)
def test_stc_rule_6_ties_are_paid_as_wins(player: str, dealer: str, odds_prize: int) -> None:
    settled_line = line(played(player, dealer), MAIN)
    assert 1000 + 500 * odds_prize == settled_line.net_cents
    assert {"STC rule 6, ties", "STC-1"} <= cited(settled_line)


def test_stc_rule_6_dealer_wins_ante_odds_and_play_lose() -> None:
    settled_line = line(played("Ks Kd 4h", ACES), MAIN)
    assert [("Ante", 0), ("Odds", 0), ("Play", 0)] == [(chip.part, chip.paid_cents) for chip in settled_line.chips]
    assert settled_line.event is None


def test_stc_rule_6_player_wins_ante_and_play_even_money() -> None:
    settled_line = line(played("5h 6c 7d"), MAIN)
    assert [("Ante", 1000), ("Odds", 2000), ("Play", 1000)] == [
        (chip.part, chip.paid_cents) for chip in settled_line.chips
    ]


# Appendix A: Odds

ODDS_HANDS = {
    "Mini Royal (AKQ Suited)": "As Ks Qs",
    "Three-of-a-Kind (Suited)": "9d 9d 9d",
    "Straight Flush": "5h 6h 7h",
    "Three-of-a-Kind": "9c 9d 9h",
    "Straight": "5h 6c 7d",
    "Suited Pair": "4s 4s 9d",
    "Flush": "2d 8d Kd",
    "Pair of Jacks or Better": "Jc Jd 4h",
    "Pair of Tens or less": "Tc Td 4h",
}


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows("super-three-card", MAIN))
def test_stc_appendix_a_every_row_of_the_odds(table: str, event: str, cell: str) -> None:
    settled_line = line(played(ODDS_HANDS[event], table=table), MAIN)
    odds = next(chip for chip in settled_line.chips if chip.part == "Odds")
    assert (event, table) == (settled_line.event, settled_line.paytable)
    assert printed.back_to_one(cell, 500) == odds.paid_cents
    assert printed.back_to_one(cell, 500) + 2000 == settled_line.paid_cents
    assert "STC Appendix A" in cited(settled_line)


@pytest.mark.parametrize(
    ("table", "cards", "odds_paid"),
    [
        ("PT-FLT-STC-01", "As Ks Qs", 25_500),
        ("PT-FLT-STC-03", "As Ks Qs", 50_500),
        ("PT-FLT-STC-02", "2d 8d Kd", 1250),
        ("PT-FLT-STC-01", "2c 2d Kh", 500),
    ],
)
def test_stc_appendix_a_note_1_odds_by_hand(table: str, cards: str, odds_paid: int) -> None:
    settled_line = line(played(cards, table=table), MAIN)
    assert odds_paid == settled_line.chips[1].paid_cents


@pytest.mark.parametrize("cards", ["Tc Td 4h", "2c 2d Kh", "Ac Kd 9h", "Kc 9d 4h", "8c 3d 2h"])
def test_stc_2_pair_of_tens_or_less_and_below_push_the_odds(cards: str) -> None:
    settled_line = line(played(cards), MAIN)
    assert {"Ante": 1000, "Odds": 500, "Play": 1000} == {chip.part: chip.paid_cents for chip in settled_line.chips}
    assert {"STC Appendix A", "STC-2"} <= cited(settled_line)


@pytest.mark.parametrize("cards", ["Jc Jd 4h", "Qc Qd 4h", "Kc Kd 4h", "Ac Ad 4h"])
def test_stc_appendix_a_a_pair_pays_from_jacks_up(cards: str) -> None:
    assert 1500 == line(played(cards), MAIN).net_cents


@pytest.mark.parametrize(
    ("cards", "event"),
    [
        ("4s 4s 9s", "Suited Pair"),  # a flush as well
        ("9d 9d 9h", "Three-of-a-Kind"),  # holds two identical cards
        ("Jd Jd Js", "Three-of-a-Kind"),
        ("Kd Kd 4s", "Suited Pair"),  # a pair of kings as well
        ("Ah 2h 3h", "Straight Flush"),
        ("Kh Qh Jh", "Straight Flush"),
    ],
)
def test_stc_appendix_a_note_2_only_the_highest_hand_is_paid(cards: str, event: str) -> None:
    assert event == line(played(cards, table="PT-FLT-STC-02"), MAIN).event


@pytest.mark.parametrize(("ante", "prize"), [(1, 1), (3, 4), (5, 7), (333, 499), (335, 502), (500, 750)])
def test_g_3_stc_02_flush_at_one_and_a_half_rounds_the_half_cent_down(ante: int, prize: int) -> None:
    settled_line = line(played("2d 8d Kd", ante=ante, table="PT-FLT-STC-02"), MAIN)
    assert ante + prize == settled_line.chips[1].paid_cents
    assert 2 * ante + prize == settled_line.net_cents


def test_g_2_stc_a_posted_amount_may_turn_the_order_of_pay_round() -> None:
    custom = played("5h 6h 7h")
    custom["paytables"] = {MAIN: [{"id": "PT-FLT-STC-01", "pays": {"Flush": "20"}}]}
    settled_line = line(custom, MAIN)
    assert ("Flush", 500 + 20 * 500) == (settled_line.event, settled_line.chips[1].paid_cents)


# Rule 3, Appendix B: Big Hand Bonus

BIG_HANDS = {
    "Three Aces (Suited)": ("Ad Ad", "Ad"),
    "Mini Royal (AKQ Suited)": ("As Qs", "Ks"),
    "Three-of-a-Kind (Suited)": ("9d 9d", "9d"),
    "Straight Flush": ("5h 7h", "6h"),
    "Three-of-a-Kind": ("9c 9d", "9h"),
    "Straight": ("5h 6c", "7d"),
    "Suited Pair": ("4s 9d", "4s"),
    "Flush": ("2d 8d", "Kd"),
}


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows("super-three-card", BIG_HAND))
def test_stc_appendix_b_every_row_of_the_big_hand_bonus(table: str, event: str, cell: str) -> None:
    cards, dealer = BIG_HANDS[event]
    settled_line = line(big_hand(cards, dealer, table), BIG_HAND)
    assert (event, printed.back_to_one(cell, 200)) == (settled_line.event, settled_line.paid_cents)
    assert {"STC Big Hand Bonus", "STC-4", "STC Appendix B", "STC Appendix B note 1", "G-1"} <= cited(settled_line)


@pytest.mark.parametrize(
    ("table", "paid"), [("PT-FLT-STC-BH-01", 200_200), ("PT-FLT-STC-BH-05", 40_200), ("PT-FLT-STC-BH-06", 20_200)]
)
def test_stc_appendix_b_three_suited_aces_by_hand(table: str, paid: int) -> None:
    settled_line = line(big_hand("Ad Ad", "Ad", table), BIG_HAND)
    assert paid == settled_line.paid_cents
    assert {"STC Appendix B note 2", "G-2"} <= cited(settled_line)


@pytest.mark.parametrize(
    ("cards", "dealer"), [("9c 9d", "4h"), ("9c 4d", "9h"), ("Ac Ad", "Kh"), ("Ac Kd", "Jh"), ("Kc Ad", "2h")]
)
def test_stc_appendix_b_a_pair_or_less_loses(cards: str, dealer: str) -> None:
    settled_line = line(big_hand(cards, dealer), BIG_HAND)
    assert (None, -200) == (settled_line.event, settled_line.net_cents)


@pytest.mark.parametrize(("cards", "dealer"), [("4s 4s", "9s"), ("4s 9s", "4s"), ("9s 4s", "4s"), ("4s 4s", "9d")])
def test_stc_appendix_b_note_2_a_suited_pair_of_one_suit_is_no_flush(cards: str, dealer: str) -> None:
    settled_line = line(big_hand(cards, dealer), BIG_HAND)
    assert ("Suited Pair", 1000) == (settled_line.event, settled_line.paid_cents)


def test_stc_rule_3_stc_4_the_third_cards_count_for_nothing() -> None:
    hand = seat(1, "As Ks Qs", {MAIN: 500, BIG_HAND: 200}, play=True)
    settled_line = line(record("super-three-card", "9d Qs Qs", hand, decks=6, paytables=TABLES), BIG_HAND)
    assert -200 == settled_line.net_cents
    assert {"STC Big Hand Bonus", "STC-4"} <= cited(settled_line)


def test_stc_4_the_big_hand_bonus_wins_though_the_dealer_beats_the_hand() -> None:
    hand = seat(1, "Ks Qs 2d", {MAIN: 500, BIG_HAND: 200}, play=True)
    done = settled(record("super-three-card", "As Ad 9h", hand, decks=6, paytables=TABLES))
    assert {MAIN: -1500, BIG_HAND: 30_000} == {name: each.net_cents for name, each in done.settlement.lines[1].items()}


def test_g_10_stc_8_the_big_hand_bonus_stands_on_a_surrendered_hand_with_one_dealer_card() -> None:
    done = settled(big_hand("As Ks", "Qs"))
    assert {MAIN: -500, BIG_HAND: 30_000} == {name: each.net_cents for name, each in done.settlement.lines[1].items()}
