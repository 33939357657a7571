"""The rankings against the rulings, the published counts, and a twin that sorts and looks."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod
from random import Random

import pytest

from pitboss.cards import JOKER, parse_cards
from pitboss.poker import (
    FIVE_CARD,
    FOUR_CARD,
    SHOE_THREE_CARD,
    THREE_CARD,
    WILD_FIVE_CARD,
    WILD_THREE_CARD,
    Ranking,
)

from . import naive

DECK = range(52)


def value(ranking: Ranking, text: str) -> int:
    return ranking.value(parse_cards(text))


def category(ranking: Ranking, text: str) -> str:
    return ranking.category_of(value(ranking, text)).name


def counts(ranking: Ranking, hands: Iterable[tuple[int, ...]]) -> dict[str, int]:
    of_values = Counter(map(ranking.value, hands))
    found: Counter[str] = Counter()
    for each, count in of_values.items():
        found[ranking.category_of(each).name] += count
    return dict(found)


def assert_same_order(pairs: set[tuple[int, int, tuple[int, ...]]]) -> None:
    """Values and keys of the twin rise together, and are equal together."""
    in_order = sorted(pairs)
    for (value_low, *key_low), (value_high, *key_high) in pairwise(in_order):
        assert value_low < value_high
        assert key_low < key_high


def agree_with_twin(ranking: Ranking, order: Sequence[str], hands: Iterable[tuple[int, ...]]) -> int:
    """Compare every hand, and say how many values there were."""
    key = naive.wild_key if ranking.wild_deuces else naive.key
    pairs = set()
    for hand in hands:
        place, ranks = key(order, hand)
        pairs.add((ranking.value(hand), place, tuple(ranks)))
    assert_same_order(pairs)
    assert all(ranking.category_of(value).name == order[-place] for value, place, _ in pairs)
    return len(pairs)


@pytest.mark.parametrize(
    ("ranking", "names"),
    [
        (THREE_CARD, naive.THREE_CARD),
        (SHOE_THREE_CARD, naive.SHOE_THREE_CARD),
        (FOUR_CARD, naive.FOUR_CARD),
        (FIVE_CARD, naive.FIVE_CARD),
        (WILD_FIVE_CARD, naive.WILD_FIVE_CARD),
        (WILD_THREE_CARD, naive.THREE_CARD),
    ],
)
def test_tcp_1_tdp_1_stc_1_fcp_1_dw_1_order_of_categories(ranking: Ranking, names: list[str]) -> None:
    assert [each.name for each in ranking.categories] == names


@pytest.mark.parametrize(
    ("ranking", "classes"),
    [
        (THREE_CARD, 1 + 11 + 13 + 12 + 274 + 156 + 274),
        (SHOE_THREE_CARD, 1 + 13 + 11 + 13 + 12 + 156 + 274 + 156 + 274),
        (FOUR_CARD, 13 + 11 + 156 + 704 + 11 + 78 + 858 + 704),
        (FIVE_CARD, 7462),
    ],
)
def test_anchor_classes(ranking: Ranking, classes: int) -> None:
    assert ranking.classes == classes
    assert ranking.category_of(0) == ranking.categories[-1]
    assert ranking.category_of(classes - 1) == ranking.categories[0]


def test_anchor_3_of_52_counts() -> None:
    assert counts(THREE_CARD, combinations(DECK, 3)) == {
        "mini-royal": 4,
        "straight-flush": 44,
        "trips": 52,
        "straight": 720,
        "flush": 1_096,
        "pair": 3_744,
        "high-card": 16_440,
    }


def test_anchor_4_of_52_counts() -> None:
    assert counts(FOUR_CARD, combinations(DECK, 4)) == {
        "quads": 13,
        "straight-flush": 44,
        "trips": 2_496,
        "flush": 2_816,
        "straight": 2_772,
        "two-pair": 2_808,
        "pair": 82_368,
        "high-card": 177_408,
    }


@pytest.mark.parametrize(
    ("decks", "published"),
    [(6, [1_040, 10_368, 25_272, 155_520, 292_896]), (8, [2_912, 24_576, 61_568, 368_640, 700_928])],
)
def test_stc_5_anchor_6_and_8_decks_3_card_counts(decks: int, published: list[int]) -> None:
    """Published are suited trips, straight flush, other trips, straight, and flush as STC-5 counts it."""
    found: Counter[str] = Counter()
    suited_pairs_in_a_flush = 0
    for hand in combinations_with_replacement(DECK, 3):
        ways = prod(comb(decks, copies) for copies in Counter(hand).values())
        name = SHOE_THREE_CARD.category_of(SHOE_THREE_CARD.value(hand)).name
        found[name] += ways
        if name == "suited-pair" and len({card & 3 for card in hand}) == 1:
            suited_pairs_in_a_flush += ways
    assert found.total() == comb(52 * decks, 3)
    assert published == [
        found["suited-trips"],
        found["mini-royal"] + found["straight-flush"],
        found["trips"],
        found["straight"],
        found["flush"] + suited_pairs_in_a_flush,
    ]
    assert found["mini-royal"] == 4 * decks**3
    assert found["suited-pair"] == 52 * comb(decks, 2) * 48 * decks


def test_many_decks_one_of_each_card_ranks_without_identical_cards() -> None:
    assert counts(SHOE_THREE_CARD, combinations(DECK, 3)) == counts(THREE_CARD, combinations(DECK, 3))


def test_twin_agrees_on_all_three_card_hands() -> None:
    assert agree_with_twin(THREE_CARD, naive.THREE_CARD, combinations(DECK, 3)) == THREE_CARD.classes


def test_twin_agrees_on_all_three_card_hands_of_a_shoe() -> None:
    hands = combinations_with_replacement(DECK, 3)
    assert agree_with_twin(SHOE_THREE_CARD, naive.SHOE_THREE_CARD, hands) == SHOE_THREE_CARD.classes


def test_twin_agrees_on_four_card_hands_of_every_rank_and_kind_of_suits() -> None:
    """Every hand whose suits, in the order of the cards, first occur in the order of the suits: no value is left out."""
    hands = [hand for hand in combinations(DECK, 4) if first_occur_in_order([card & 3 for card in hand])]
    assert agree_with_twin(FOUR_CARD, naive.FOUR_CARD, hands) == FOUR_CARD.classes


def first_occur_in_order(suits: list[int]) -> bool:
    return list(dict.fromkeys(suits)) == list(range(len(set(suits))))


@pytest.mark.slow
def test_twin_agrees_on_all_four_card_hands() -> None:
    assert agree_with_twin(FOUR_CARD, naive.FOUR_CARD, combinations(DECK, 4)) == FOUR_CARD.classes


@pytest.mark.parametrize("size", [5_000, pytest.param(40_000, marks=pytest.mark.slow)])
def test_twin_agrees_on_a_sample_of_five_card_hands(size: int) -> None:
    random = Random(5)
    hands = [tuple(random.sample(DECK, 5)) for _ in range(size)]
    suited = [tuple(suit + 4 * rank for rank in ranks) for suit in range(4) for ranks in combinations(range(13), 5)]
    agree_with_twin(FIVE_CARD, naive.FIVE_CARD, hands + suited)


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_dw_1_every_substitution_agrees_on_three_card_hands(every: bool) -> None:
    """By default one hand for all names of the suits."""
    hands = [
        hand
        for hand in combinations(range(JOKER + 1), 3)
        if every or first_occur_in_order([card & 3 for card in hand if card != JOKER])
    ]
    assert agree_with_twin(WILD_THREE_CARD, naive.THREE_CARD, hands) == WILD_THREE_CARD.classes


@pytest.mark.parametrize("part", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_dw_1_every_substitution_agrees_on_a_sample_of_five_card_hands(part: int) -> None:
    random = Random(53)
    wild = [0, 1, 2, 3, JOKER]
    natural = range(4, JOKER)
    hands = [
        tuple(random.sample(wild, wild_count) + random.sample(natural, 5 - wild_count))
        for wild_count, sample in [(0, 20_000), (1, 1_500), (2, 80), (3, 10)]
        for _ in range(sample // part)
    ]
    # Suited hands and hands of two ranks are rare in a sample, and hold the categories on top.
    hands += [(*random.sample(wild, 1), *random.sample(range(7, JOKER, 4), 4)) for _ in range(1_000 // part)]
    hands += [(*random.sample(wild, 2), *random.sample(range(4, 24), 3)) for _ in range(60 // part)]
    agree_with_twin(WILD_FIVE_CARD, naive.WILD_FIVE_CARD, hands)


@pytest.mark.slow
def test_dw_1_every_substitution_agrees_on_more_five_card_hands() -> None:
    random = Random(530)
    hands = [
        tuple(random.sample([0, 1, 2, 3, JOKER], wild_count) + random.sample(range(4, JOKER), 5 - wild_count))
        for wild_count, sample in [(0, 200_000), (1, 20_000), (2, 1_500), (3, 60), (4, 6)]
        for _ in range(sample)
    ]
    agree_with_twin(WILD_FIVE_CARD, naive.WILD_FIVE_CARD, hands)


def test_dw_1_wild_cards_in_all_three_card_hands_of_53() -> None:
    wild_counts = Counter(WILD_THREE_CARD.hand(hand).wild_count for hand in combinations(range(JOKER + 1), 3))
    assert wild_counts == {0: 17_296, 1: 5_640, 2: 480, 3: 10}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("As Ks Qs Js Ts", "natural-royal-flush"),
        ("As Ks Qs Js 2c", "wild-royal-flush"),
        ("2s 2h 2d 2c *", "wild-royal-flush"),
        ("As * 2c 2h 2d", "wild-royal-flush"),
        ("9s 9h 9d 9c *", "five-of-a-kind"),
        ("9s 9h 2d 2c *", "five-of-a-kind"),
        ("9s * 2c 2h 2d", "five-of-a-kind"),
        ("9s 5s 2d 2c *", "straight-flush"),
        ("9s 8h 2d 2c *", "quads"),
        ("9s 9h 8d 8c *", "full-house"),
        ("Ks 9s 7s 3s *", "flush"),
        ("Ad 3s 4c 5h 2s", "straight"),
        ("Ks 9h 7s 3s *", "pair"),
    ],
)
def test_dw_1_wild_cards_stand_for_any_card(text: str, name: str) -> None:
    assert category(WILD_FIVE_CARD, text) == name


def test_dw_1_a_wild_card_may_stand_for_a_card_already_held() -> None:
    hand = WILD_FIVE_CARD.hand(parse_cards("As Ks 9s 4s *"))
    assert (hand.category.name, hand.stands_for) == ("flush", parse_cards("As As Ks 9s 4s"))
    assert hand > WILD_FIVE_CARD.hand(parse_cards("Ah Kh Qh 9h 4h"))


def test_dw_2_the_value_of_a_wild_hand_is_its_best_reading() -> None:
    assert category(WILD_THREE_CARD, "As Kh 2c") == "straight"
    assert category(WILD_THREE_CARD, "As Ah 2c") == "trips"
    assert category(WILD_THREE_CARD, "As Ks 2c") == "mini-royal"


@pytest.mark.parametrize(
    ("ranking", "low", "next_low", "no_straight"),
    [
        (THREE_CARD, "Ac 2d 3h", "2c 3d 4h", "Kc Ad 2h"),
        (SHOE_THREE_CARD, "Ac 2d 3h", "2c 3d 4h", "Kc Ad 2h"),
        (FOUR_CARD, "Ac 2d 3h 4s", "2c 3d 4h 5s", "Qc Kd Ah 2s"),
        (FIVE_CARD, "Ac 2d 3h 4s 5c", "2c 3d 4h 5s 6c", "Jc Qd Kh As 2c"),
    ],
)
def test_g_8_aces_are_low_in_the_lowest_straight_and_never_in_between(
    ranking: Ranking, low: str, next_low: str, no_straight: str
) -> None:
    assert category(ranking, low) == category(ranking, next_low) == "straight"
    assert category(ranking, no_straight) == "high-card"
    straights = [v for v in range(ranking.classes) if ranking.category_of(v).name == "straight"]
    assert [value(ranking, low), value(ranking, next_low)] == straights[:2]


@pytest.mark.parametrize(
    ("ranking", "better", "worse"),
    [
        (THREE_CARD, "3c 3d 2h", "2c 2d Ah"),
        (THREE_CARD, "3c 3d 5h", "3s 3h 4h"),
        (THREE_CARD, "Ac 4d 2h", "Kc Qd Th"),
        (THREE_CARD, "Qc Jd 9h", "Qs Jh 8h"),
        (FOUR_CARD, "Ac Ad 2h 2s", "Kc Kd Qh Qs"),
        (FOUR_CARD, "3c 3d 3h 2s", "2c 2d 2h As"),
        (FIVE_CARD, "3c 3d 3h 2s 2c", "2h 2d 2c As Ah"),
        (FIVE_CARD, "Ac Ad 3h 3s 4c", "Ah As 3c 3d 2c"),
        (SHOE_THREE_CARD, "3c 3c 4d", "3d 3d 2d"),
    ],
)
def test_g_9_multiplied_ranks_before_kickers_highest_first(ranking: Ranking, better: str, worse: str) -> None:
    assert category(ranking, better) == category(ranking, worse)
    assert value(ranking, better) > value(ranking, worse)


@pytest.mark.parametrize(
    ("ranking", "one", "other"),
    [
        (THREE_CARD, "As Ks Qs", "Ac Kc Qc"),
        (THREE_CARD, "Ks 9s 4d", "Kc 9d 4c"),
        (FOUR_CARD, "Ks Kd 9s 4d", "Kc Kh 9d 4c"),
        (FIVE_CARD, "Ks Js 9s 7s 4s", "Kc Jc 9c 7c 4c"),
        (SHOE_THREE_CARD, "7s 7s Kd", "7c 7c Kc"),
        (WILD_FIVE_CARD, "9s 9h 9d 4c 3s", "9c 9s 2c 4c 3s"),
    ],
)
def test_g_9_suits_never_break_ties(ranking: Ranking, one: str, other: str) -> None:
    assert value(ranking, one) == value(ranking, other)


def test_stc_1_suited_pair_is_two_identical_cards_with_a_third_of_any_suit() -> None:
    assert category(SHOE_THREE_CARD, "7s 7s Kd") == "suited-pair"
    assert category(SHOE_THREE_CARD, "7s 7s Ks") == "suited-pair"
    assert category(SHOE_THREE_CARD, "7s 7d Ks") == "pair"
    assert category(SHOE_THREE_CARD, "7s 7s 7d") == "trips"
    assert category(SHOE_THREE_CARD, "7s 7s 7s") == "suited-trips"
