"""A first count of expectations: facts compiled and counted, priced by the settlement, against the published figures."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, prod
from random import Random
from typing import Any

import numpy as np
import pytest

from pitboss.games import find_game
from pitboss.poker import three_card_tables
from pitboss.rules import FinishedSeat, Settler, pay_array
from pitboss.rules.facts import BELOW, EQUAL, Hands, codes, decode
from tests.games import counting
from tests.games.compiled import arrays, hands_of
from tests.games.counting import code_counts, net, nets, percent, terms_of
from tests.poker import naive

TCP, STC, FCP = "three-card-prime", "super-three-card", "four-card-prime"
DEALS_OF_SIX = 22_100 * 18_424


def expectation(counts: Any, game: str, wager: str, *tables: str) -> Fraction:
    """The mean of what every code is worth, weighed by how often it occurs."""
    worth = nets(game, wager, *tables)
    found = list(code_counts(counts))
    return sum((worth[code] * count for code, count in found), Fraction(0)) / sum(count for _, count in found)


# Three Card Prime, bonus wagers


def test_anchor_tcp_7_prime_prw_1() -> None:
    counts = np.zeros(4, np.int64)
    counting.prime_counts(hands_of((0, 0, 0), (0, 0, 0), (1,), (0, 0)), arrays(three_card_tables()), counts)
    assert DEALS_OF_SIX == counts.sum()
    # Three of one color and the dealer's three of it: 2 * C(26,3) * C(23,3).
    assert 2 * comb(26, 3) * comb(23, 3) == counts[0b11]
    assert 2 * comb(26, 3) * comb(49, 3) == counts[0b11] + counts[0b10]
    edge = -expectation(counts, TCP, "prime", "PRW-1")
    one_color, both = Fraction(4, 17), Fraction(4, 17) * Fraction(comb(23, 3), comb(49, 3))
    assert 1 - 4 * one_color - both == edge
    assert "3.62" == percent(edge)


@cache
def three_card_codes() -> Counter[tuple[int, ...]]:
    """The facts of the Pair Bonus on all 22,100 hands, the fourth card being an ace."""
    read, tables = find_game(TCP).by_name["pair-bonus"].read, three_card_tables()
    return Counter(read(Hands((*hand, 51), (), (), ()), tables) for hand in combinations(range(52), 3))


def test_anchor_tcp_1_three_card_frequencies() -> None:
    by_best = Counter[int]()
    for (made, _deuce), count in three_card_codes().items():
        by_best[(made & -made).bit_length() - 1 if made else 6] += count
    assert [4, 44, 52, 720, 1_096, 3_744, 16_440] == [by_best[place] for place in range(7)]


@pytest.mark.parametrize(("table", "lost", "edge"), [("PB-1", 1_568, "7.10"), ("PB-2", 1_608, "7.28")])
def test_anchor_tcp_8_pair_bonus_without_the_deuce(table: str, lost: int, edge: str) -> None:
    game = find_game(TCP)
    wager = game.by_name["pair-bonus"]
    terms = terms_of(game, "pair-bonus", table, "PB/LD-1")
    total = sum(net(wager.settle(facts, terms)) * count for facts, count in three_card_codes().items())
    assert -lost == total
    assert edge == percent(Fraction(lost, 22_100))


@pytest.fixture(scope="module")
def all_six() -> Any:
    counts = np.zeros(512, np.int64)
    counting.all_six_counts(hands_of((0, 0, 0), (0, 0, 0), (1,), (0, 0)), arrays(three_card_tables()), counts)
    return counts


@pytest.mark.parametrize(("table", "edge"), [("A6-1", "10.22"), ("A6-2", "15.28"), ("A6-4", "8.56")])
def test_anchor_tcp_9_all_six(all_six: Any, table: str, edge: str) -> None:
    assert edge == percent(-expectation(all_six, TCP, "all-six", table))


def test_anchor_tcp_9_best_five_of_six_frequencies(all_six: Any) -> None:
    """The royals of six cards are royals of five as well; a straight flush is counted once, at its best."""
    by_best = Counter[int]()
    for code, count in code_counts(all_six):
        made = code >> 2
        by_best[(made & -made).bit_length() - 1 if made else 7] += count
    assert [188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160] == [by_best[place] for place in range(7)]
    assert (1, 3) == (sum(all_six[1::4]) + sum(all_six[3::4]), sum(all_six[2::4]))


# Super Three Card, 21+3


@cache
def first_three(decks: int) -> Counter[tuple[int, ...]]:
    """The facts of 21+3 over every three cards of a fresh shoe (STC-7), weighed by the copies of each card."""
    read = find_game(STC).by_name["twenty-one-plus-three"].read
    counts = Counter[tuple[int, ...]]()
    for a, b, c in combinations_with_replacement(range(52), 3):
        ways = prod(comb(decks, copies) for copies in Counter((a, b, c)).values())
        counts[read(Hands((a, b), (c,), (0,), ()), None)] += ways
    return counts


def jackpot_rows(decks: int, table: str) -> dict[str | None, int]:
    game = find_game(STC)
    wager = game.by_name["twenty-one-plus-three"]
    terms = terms_of(game, wager.name, table, decks=decks)
    found = Counter[str | None]()
    for facts, count in first_three(decks).items():
        found[wager.settle(facts, terms).event] += count
    return dict(found)


def test_anchor_stc_5_stc_7_21_plus_3_of_six_decks() -> None:
    rows = jackpot_rows(6, "PT-BJS-213-02")
    assert {
        "Three-of-a-Kind Aces, Kings, or Queens Suited": 240,
        "Three-of-a-Kind Suited": 800,
        "Straight Flush": 10_368,
        "Three-of-a-Kind Offsuit": 25_272,
        "Straight": 155_520,
        "Flush": 292_896,
    } == {event: count for event, count in rows.items() if event is not None}
    assert 5_013_320 == sum(rows.values())


def test_anchor_stc_5_stc_7_21_plus_3_of_eight_decks() -> None:
    rows = jackpot_rows(8, "PT-BJS-213-03")
    assert 11_912_160 == sum(rows.values())
    assert [4 * comb(8, 3), 2_912 - 4 * comb(8, 3), 24_576, 61_568, 368_640, 700_928] == [
        rows[event]
        for event in (
            "Three-of-a-Kind Aces Suited",
            "Three-of-a-Kind Suited",
            "Straight Flush",
            "Three-of-a-Kind Offsuit",
            "Straight",
            "Flush",
        )
    ]


def test_anchor_stc_7_21_plus_3_fixed_part_and_break_even_meter() -> None:
    game = find_game(STC)
    wager = game.by_name["twenty-one-plus-three"]
    terms = terms_of(game, wager.name, "PT-BJS-213-02", decks=6)
    fixed = sum((net(wager.settle(facts, terms)) + 1) * count for facts, count in first_three(6).items())
    assert "0.475444" == f"{float(fixed / 5_013_320):.6f}"
    assert "10957.37" == f"{float((5_013_320 - fixed) / 240):.2f}"


# Four Card Prime, Aces Baby


def test_anchor_fcp_4_aces_baby_ab_6() -> None:
    counts = np.zeros(1024, np.int64)
    counting.aces_baby_counts(hands_of((0,) * 5, (0,) * 6, (1,), (0,)), np.zeros(1, np.int64), counts)
    assert 2_598_960 == counts.sum()
    assert "96.63" == percent(1 + expectation(counts, FCP, "aces-baby", "AB-6"))


# Three Card Prime, Ante and Play


@pytest.fixture(scope="module")
def dealer_hands() -> Any:
    """For each of the 22,100 hands, how often each facts code follows over all 18,424 hands of the dealer."""
    bounds = find_game(TCP).by_name["ante-play"].bounds
    counts = np.zeros((22_100, prod(bounds)), np.int64)
    hands = hands_of((0, 0, 0), (0, 0, 0), (1,), (0, 0))
    counting.ante_play_counts(hands, arrays(three_card_tables()), bounds, counts)
    return counts


def played(counts: Any, worth: list[Fraction]) -> Any:
    """For each hand what playing is worth, summed over the dealer's hands; all pays are whole stakes."""
    assert all(value == int(value) for value in worth)
    return counts @ np.array([int(value) for value in worth], np.int64)


def test_tcp_ante_play_counts_are_complete(dealer_hands: Any) -> None:
    assert [18_424] == list(set(dealer_hands.sum(axis=1).tolist()))
    bounds = find_game(TCP).by_name["ante-play"].bounds
    compared, qualified = Counter[int](), 0
    for code, count in code_counts(dealer_hands.sum(axis=0)):
        _, _, _, comparison, is_qualified = decode(code, bounds)
        compared[comparison] += count
        qualified += is_qualified * count
    assert compared[BELOW] == DEALS_OF_SIX - compared[BELOW] - compared[EQUAL]
    assert 15_380 * 18_424 == qualified


def test_tcp_ante_play_optimal_expectation(dealer_hands: Any) -> None:
    """Counted here; no figure is published. PW/BB-1, default readings."""
    of_playing = played(dealer_hands, nets(TCP, "ante-play", "PW/BB-1"))
    total = int(np.maximum(of_playing, -18_424).sum())
    assert Fraction(-11_790_636, DEALS_OF_SIX) == Fraction(total, DEALS_OF_SIX)
    assert "-2.8957" == percent(Fraction(total, DEALS_OF_SIX), 4)
    assert 14_924 == int((of_playing > -18_424).sum())


def test_tcp_ante_play_by_a_second_road() -> None:
    """Hands ranked by sorting and looking, disjoint hands of the dealer by their cards, and the pays as printed."""
    deck_hands = list(combinations(range(52), 3))
    keys = [naive.key(naive.THREE_CARD, hand) for hand in deck_hands]
    place = {key: index for index, key in enumerate(sorted({(key[0], tuple(key[1])) for key in keys}))}
    value = np.array([place[key[0], tuple(key[1])] for key in keys])
    held = np.zeros((22_100, 52), np.int64)
    for index, hand in enumerate(deck_hands):
        held[index, list(hand)] = 1
    qualified = np.array([key[0] > -6 or key[1][0] >= 12 for key in keys])
    # Mini-royal, straight flush, trips, straight, flush, pair, high card.
    wins, beaten = (10, 6, 5, 2, 1, 1, 1), (0, 12, 10, 4, -1, -1, -1)
    suits = list(permutations(range(4)))
    total = 0
    for index, hand in enumerate(deck_hands):
        images = [tuple(sorted(card // 4 * 4 + suit[card % 4] for card in hand)) for suit in suits]
        if hand != min(images):
            continue
        apart = held @ held[index] == 0
        above = value[index] >= value
        category = -keys[index][0]
        free = int((apart & ~qualified).sum()) * wins[category]
        won = int((apart & qualified & above).sum()) * (1 + wins[category])
        lost = int((apart & qualified & ~above).sum()) * (beaten[category] - 1)
        total += max(free + won + lost, -18_424) * len(set(images))
    assert -11_790_636 == total


def test_tcp_ante_play_counts_agree_with_plain_settlement(dealer_hands: Any) -> None:
    game = find_game(TCP)
    wager = game.by_name["ante-play"]
    settler = Settler(game, terms_of(game, "ante-play", "PW/BB-1"))
    worth = nets(TCP, "ante-play", "PW/BB-1")
    order = counting.in_loop_order(52, 3)
    for node in Random(3).sample(range(22_100), 5):
        hand = order[node]
        seat = FinishedSeat(1, {"ante-play": 100}, (*hand, next(card for card in range(52) if card not in hand)), (1,))
        plain = sum(
            net(settler.outcome(wager, seat, dealer))
            for dealer in combinations([card for card in range(52) if card not in hand], 3)
        )
        assert plain == sum(worth[code] * count for code, count in code_counts(dealer_hands[node]))


def test_anchor_relative_three_card_poker_on_the_same_counts(dealer_hands: Any) -> None:
    """Its rules: not qualified pays the Ante and pushes Play, a tie pushes both, ante bonus 5-4-1 whatever happens."""
    bounds = find_game(TCP).by_name["ante-play"].bounds

    def worth(code: int) -> int:
        is_played, made, _, comparison, qualified = decode(code, bounds)
        if not is_played:
            return 0
        bonus = 5 if made & 0b11 else 4 if made & 0b100 else 1 if made & 0b1000 else 0
        if not qualified:
            return 1 + bonus
        return bonus + (2 * (comparison - EQUAL))

    of_playing = played(dealer_hands, [Fraction(worth(code)) for code in codes(bounds)])
    assert 14_900 == int((of_playing > -18_424).sum())
    assert -13_733_780 == int(np.maximum(of_playing, -18_424).sum())


def test_pay_array_settles_every_code() -> None:
    """What the counts are priced with is one outcome for each code, in the order of the codes."""
    game = find_game(FCP)
    wager = game.by_name["prime"]
    terms = terms_of(game, "prime", "Prime-1")
    outcomes = pay_array(wager, terms).outcomes
    assert [wager.settle(wager.facts(*decode(code, wager.bounds)), terms) for code in range(4)] == list(outcomes)
