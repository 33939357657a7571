"""Events made, against a twin that tries every hand and every substitution, and against the published counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, combinations_with_replacement
from random import Random
from typing import Any, TypeAlias

import numpy as np
import pytest

from pitboss.cards import JOKER, parse_cards
from pitboss.games.deuces_wild.facts import fortune_made
from pitboss.poker import THREE_CARD
from pitboss.poker.made import (
    FIVE_EVENTS,
    SHOE_THREE_EVENTS,
    THREE_EVENTS,
    WILD_FIVE_EVENTS,
    WILD_THREE_EVENTS,
    five_card_made,
    four_card_made,
    is_wild,
    run_ends,
    shoe_three_card_made,
    straight_flush_of,
    suited_ranks,
    three_card_made,
    wild_cards,
    wild_five_card_made,
    wild_three_card_made,
)
from tests.games.compiled import compiled

from . import made_twin as twin

WILD = (0, 1, 2, 3, JOKER)
NATURAL = tuple(range(4, 52))
Draw: TypeAlias = Callable[[Random, int], list[int]]


def named(events: Sequence[str], mask: int) -> set[str]:
    assert mask < 1 << len(events)
    return {event for place, event in enumerate(events) if mask >> place & 1}


def draw(random: Random, size: int) -> list[int]:
    return random.sample(range(52), size)


def related(random: Random, size: int) -> list[int]:
    """A draw from few ranks and few suits, so that rare hands are frequent."""
    ranks = (
        random.sample(range(13), 3)
        if random.random() < 0.5
        else [(12 + random.randrange(13) + i) % 13 for i in range(7)]
    )
    suits = random.sample(range(4), random.choice((2, 3, 4)))
    pool = sorted({rank * 4 + suit for rank in ranks for suit in suits})
    return random.sample(pool, size) if len(pool) >= size else draw(random, size)


# Three cards


@pytest.mark.parametrize(
    ("cards", "names"),
    [
        ("As Ks Qs", {"mini-royal", "straight flush", "straight", "flush"}),
        ("5h 6h 7h", {"straight flush", "straight", "flush"}),
        ("9c 9d 9h", {"trips", "pair"}),
        ("5h 6c 7d", {"straight"}),
        ("2d 8d Kd", {"flush"}),
        ("9c 9d 2h", {"pair"}),
        ("9c 7d 2h", set()),
    ],
)
def test_tcp_1_tdp_1_three_card_made(cards: str, names: set[str]) -> None:
    value = THREE_CARD.value(parse_cards(cards))
    category = THREE_CARD.categories.index(THREE_CARD.category_of(value))
    assert names == named(THREE_EVENTS, three_card_made(category))


def test_stc_1_shoe_three_card_made_of_all_three_cards_of_a_shoe() -> None:
    for hand in combinations_with_replacement(range(52), 3):
        mask, rank = shoe_three_card_made(*hand)
        assert twin.names_of_three_from_a_shoe(hand) == (named(SHOE_THREE_EVENTS, mask), rank)


def test_stc_1_shoe_three_card_made_in_any_order() -> None:
    random = Random(1)
    few = [random.randrange(52) for _ in range(12)]
    for hand in ((a, b, c) for a in few for b in few for c in few):
        assert shoe_three_card_made(*sorted(hand)) == shoe_three_card_made(*hand)


# Five, six and seven cards


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("source", [draw, related])
def test_five_card_made_agrees_with_trying_every_five(size: int, source: Draw) -> None:
    random = Random(size)
    for _ in range(1_000 if size == 5 else 400):
        cards = source(random, size)
        assert twin.names_of_best_five(cards) == named(FIVE_EVENTS, five_card_made(cards))


@pytest.mark.parametrize(
    ("cards", "names"),
    [
        ("As Ks Qs Js Ts", {"royal flush", "straight flush", "flush", "straight"}),
        ("As 2s 3s 4s 5s", {"straight flush", "flush", "straight"}),
        ("8c 8d 8h 8s Kc", {"quads", "trips", "pair"}),
        ("8c 8d 8h Ks Kc", {"full house", "trips", "two pair", "pair"}),
        ("8c 8d 8h Kd Ks Kc", {"full house", "trips", "two pair", "pair"}),
        ("8c 8d 8h 8s Kd Kc", {"quads", "full house", "trips", "two pair", "pair"}),
        ("As Ks Qs Js 9s Td", {"flush", "straight"}),
        ("Qs Ks As 2d 3d", set()),
    ],
)
def test_tcp_9_tdp_5_five_card_made_by_hand(cards: str, names: set[str]) -> None:
    assert names == named(FIVE_EVENTS, five_card_made(parse_cards(cards)))


# Anchors, section 3: every hand counted once, at the best event it makes.
ANCHOR_5 = (4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540)


@pytest.mark.slow
def test_anchor_five_card_made_of_all_2_598_960_hands() -> None:
    counts = Counter(five_card_made(hand) for hand in combinations(range(52), 5))
    best = Counter[int]()
    for mask, count in counts.items():
        best[(mask & -mask).bit_length() - 1 if mask else len(FIVE_EVENTS)] += count
    assert ANCHOR_5 == tuple(best[place] for place in range(10))


def _best_five_events(cards: Any, counts: Any) -> None:
    """Count the masks of every set of cards, stepping from each to the next."""
    size = len(cards)
    for place in range(size):
        cards[place] = place
    while True:
        counts[five_card_made(cards)] += 1
        place = size - 1
        while place >= 0 and cards[place] == 52 - size + place:
            place -= 1
        if place < 0:
            return
        cards[place] += 1
        for after in range(place + 1, size):
            cards[after] = cards[after - 1] + 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "published"),
    [
        (5, ANCHOR_5),
        (6, (188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 9_730_740, 6_612_900)),
        (7, (4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460)),
    ],
)
def test_anchor_best_five_of_five_six_and_seven_cards(size: int, published: tuple[int, ...]) -> None:
    counts = np.zeros(1 << len(FIVE_EVENTS), np.int64)
    compiled(_best_five_events)(np.zeros(size, np.int64), counts)
    best = [0] * 10
    for mask, count in enumerate(counts.tolist()):
        best[(mask & -mask).bit_length() - 1 if mask else len(FIVE_EVENTS)] += count
    assert published == tuple(best)


# Best four of five


@pytest.mark.parametrize("source", [draw, related])
def test_fcp_1_four_card_made_agrees_with_trying_every_four(source: Draw) -> None:
    random = Random(4)
    for _ in range(2_000):
        cards = source(random, 5)
        assert twin.four_card_shape(cards) == four_card_made(cards)


@pytest.mark.parametrize(
    ("cards", "straight_flush", "simple"),
    [
        ("As Ks Qs Js 2d", 2, 3),
        ("As Ks Qs Js Ts", 2, 3),
        ("Ks Qs Js Ts 9s", 1, 3),
        ("As 2s 3s 4s Kd", 1, 3),
        ("As 2s 3s 4s Ks", 1, 3),
        ("As Ks Qs Ts Jd", 0, 3),
        ("As Ks Qs 9s Jd", 0, 3),
        ("As Ks Qs 9s 8d", 0, 2),
        ("As Kd Qs Js 8d", 0, 1),
        ("Ks As 2s 3d 8d", 0, 0),
    ],
)
def test_fcp_4_four_card_made_by_hand(cards: str, straight_flush: int, simple: int) -> None:
    assert (straight_flush, simple) == four_card_made(parse_cards(cards))[3:]


@pytest.mark.slow
def test_anchor_best_four_of_all_2_598_960_hands() -> None:
    best = Counter[str]()
    for hand in combinations(range(52), 5):
        pairs, trips, quads, straight_flush, simple = four_card_made(hand)
        best[
            "quads"
            if quads
            else "straight flush"
            if straight_flush
            else "trips"
            if trips
            else "flush"
            if simple & 2
            else "straight"
            if simple & 1
            else "two pair"
            if pairs & (pairs - 1)
            else "rest"
        ] += 1
    assert {
        "quads": 624,
        "straight flush": 2_072,
        "trips": 58_656,
        "flush": 114_616,
        "straight": 101_808,
        "two pair": 123_552,
        "rest": 2_197_632,
    } == best


# Runs and suits


@pytest.mark.parametrize("length", [3, 4, 5, 6, 7])
def test_g_8_run_ends_of_every_set_of_ranks(length: int) -> None:
    """Bit r: a run begins r places above the ace played low."""
    runs = [[(12 + start + step) % 13 for step in range(length)] for start in range(15 - length)]
    for ranks in range(0, 1 << 13, 3 if length < 5 else 1):
        expected = sum(1 << start for start, run in enumerate(runs) if all(ranks >> rank & 1 for rank in run))
        assert expected == run_ends(ranks, length)


@pytest.mark.parametrize(
    ("cards", "length", "expected"),
    [
        ("As Ks Qs Js 9s Ts", 6, 4),
        ("Ac 2c 3c 4c 5c 6c", 6, 1),
        ("Ac 2c 3c 4c 5d 6c", 6, 0),
        ("8h 9h Th Jh Qh Kh Ah", 7, 3),
        ("8d 9d Td Jd Qd Kd 2d", 7, 0),
        ("Kh Ah 2h 3h", 4, 0),
        ("Ah 2h 3h Kd", 3, 3),
    ],
)
def test_tdp_5_tcp_11_straight_flush_of_a_length(cards: str, length: int, expected: int) -> None:
    assert expected == straight_flush_of(parse_cards(cards), length)


def test_suited_ranks() -> None:
    cards = parse_cards("2c Ac 3d Kh 4s 4c")
    assert [1 << 0 | 1 << 12 | 1 << 2, 1 << 1, 1 << 11, 1 << 2] == [suited_ranks(cards, suit) for suit in range(4)]


# Wild cards


def test_dw_1_deuces_and_the_joker_are_wild() -> None:
    assert set(WILD) == {card for card in range(53) if is_wild(card)}
    assert 3 == wild_cards(parse_cards("2c 3d 2s * Ah"))


def test_dw_1_wild_three_card_made_of_all_hands_of_53_against_every_substitution() -> None:
    for hand in combinations(range(53), 3):
        assert twin.names_of_wild_three(hand) == named(WILD_THREE_EVENTS, wild_three_card_made(hand))


def wild_hands(random: Random, wild: int, count: int) -> list[list[int]]:
    """Hands with so many wild cards; every second one is of few ranks and suits."""
    hands = []
    for number in range(count):
        natural = [card for card in related(random, 5) if card >= 4] if number % 2 else list(NATURAL)
        if len(natural) < 5 - wild:
            natural = list(NATURAL)
        hands.append(random.sample(WILD, wild) + random.sample(natural, 5 - wild))
    return hands


@pytest.mark.parametrize(("wild", "count"), [(0, 1_000), (1, 1_000), (2, 500), (3, 100), (4, 40), (5, 1)])
def test_dw_1_wild_five_card_made_against_substitution(wild: int, count: int) -> None:
    for hand in wild_hands(Random(wild), wild, count):
        assert twin.names_of_wild_five(hand) == named(WILD_FIVE_EVENTS, wild_five_card_made(hand))


def test_dw_1_four_of_a_rank_and_a_wild_card_against_substitution() -> None:
    """The wild card is a fifth of the rank or another card: five or four of a kind, never two pair."""
    for rank in range(1, 13):
        for wild in WILD:
            hand = [*range(4 * rank, 4 * rank + 4), wild]
            assert {"five of a kind", "quads", "trips"} == twin.names_of_wild_five(hand)
            assert {"five of a kind", "quads", "trips"} == named(WILD_FIVE_EVENTS, wild_five_card_made(hand))


@pytest.mark.parametrize(
    ("cards", "best"),
    [
        ("As Ks Qs Js Ts", "natural royal flush"),
        ("As Ks Qs Js 2d", "wild royal flush"),
        ("As Ks * 2c 2d", "wild royal flush"),
        ("2c 2d 2h 2s *", "five wild cards"),
        ("9c 9d 9h 9s *", "five of a kind"),
        ("9c 2d 2h 2s *", "five of a kind"),
        ("Tc 2d 2h 2s *", "wild royal flush"),
        ("9c 9d 2h 2s *", "five of a kind"),
        ("9c 8c 7c 2s *", "straight flush"),
        ("Ac 3c 4c 5c *", "straight flush"),
        ("9c 9d 9h Ks *", "quads"),
        ("9c 9d Kh Ks *", "full house"),
        ("Kc 9c 7c 4c *", "flush"),
        ("9c 8d 7h 6s *", "straight"),
        ("Ac 3d 4h 5s *", "straight"),
        ("9c 9d 7h 4s *", "trips"),
        ("9c 9d 7h 7s 4c", "two pair"),
    ],
)
def test_dw_1_dw_2_wild_five_card_made_by_hand(cards: str, best: str) -> None:
    names = named(WILD_FIVE_EVENTS, wild_five_card_made(parse_cards(cards)))
    assert best == min(names, key=WILD_FIVE_EVENTS.index)


# Deuces Wild, Five Card Fortune


def fortune_twin(player: Sequence[int], selection: int, board: Sequence[int]) -> set[str]:
    """Everything that any five of the selected and the community cards make."""
    selected = [card for place, card in enumerate(player) if selection >> place & 1]
    cards = [*selected, *board]
    return set().union(*(twin.names_of_wild_five(five) for five in combinations(cards, 5)))


@pytest.mark.parametrize("held", [3, 4, 5])
@pytest.mark.parametrize("wild", [0, 1, 2, 3])
def test_dw_6_fortune_made_against_every_five_of_selected_and_community(held: int, wild: int) -> None:
    """One card selected, or all the wild ones, which is any number of them."""
    random = Random(10 * held + wild)
    for number in range(30):
        natural = related(random, 9) if number % 2 else list(NATURAL)
        natural = [card for card in natural if card >= 4]
        pool = natural if len(natural) >= held + 4 - wild else list(NATURAL)
        wild_ones = random.sample(WILD, wild)
        rest = random.sample(pool, held + 4 - wild)
        player = (wild_ones + rest)[:held]
        board = (wild_ones + rest)[held:]
        for selection in {1, 1 << (held - 1), (1 << wild) - 1 or 1}:
            made = named(WILD_FIVE_EVENTS, fortune_made(player, selection, board))
            assert fortune_twin(player, selection, board) == made


@pytest.mark.parametrize("selection", [0b001, 0b011, 0b111])
def test_dw_6_fortune_made_with_wild_cards_in_the_community(selection: int) -> None:
    random = Random(selection)
    for _ in range(40):
        player = [*random.sample(WILD[:3], 3)]
        board = [*random.sample(WILD[3:], random.randrange(3)), *random.sample(NATURAL, 4)][:4]
        made = named(WILD_FIVE_EVENTS, fortune_made(player, selection, board))
        assert fortune_twin(player, selection, board) == made
