"""The second method reads hands as the naive twin does, and asks enough of them: hands it takes for alike are paid alike."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.golden import four_card_prime, high_low, super_three_card, three_card_double_play, three_card_prime
from tests.golden.deck import place, text, texts
from tests.golden.divisions import THREES, legal_high, marks, threes_of, two_hands, values
from tests.golden.entries import Entry
from tests.golden.hands import (
    FLUSH,
    FULL_HOUSE,
    OF_RANK,
    OF_SUIT,
    QUADS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    four_card_values,
    made,
    shoe_value,
    suited_run,
    three_card_values,
)
from tests.golden.settled import net_units, printed
from tests.golden.sweep import avoiding, enter, kept_for, order_by_value, sets_of_five
from tests.golden.wild_hands import NATURALS, event_of, treasure_event, wild_text, wild_texts
from tests.twin.games_side import suited_run as naive_suited_run
from tests.twin.hands import (
    FOUR_CARDS,
    THREE_CARDS,
    THREE_CARDS_MANY_DECKS,
    best_hand,
    category,
    parse_card,
    strength,
    traits_of_best,
    wild_traits_of,
)

HANDS = 150
NAMES = {
    TRIPS: "trips",
    TWO_PAIR: "two pair",
    STRAIGHT: "straight",
    FLUSH: "flush",
    FULL_HOUSE: "full house",
    QUADS: "quads",
    STRAIGHT_FLUSH: "straight flush",
    ROYAL: "royal",
}
WILD_NAMES = (
    "two pair",
    "trips",
    "straight",
    "flush",
    "full house",
    "quads",
    "straight flush",
    "five of a kind",
    "wild royal",
    "five wild cards",
    "natural royal",
)


def draw(rng: Random, size: int) -> list[int]:
    """So many cards of a few ranks and suits, so that rare hands are common; any others where those do not suffice."""
    ranks = rng.choice([range(13), sorted(rng.sample(range(13), 5)), range(8, 13), range(5), [12, 0, 1, 2, 3]])
    suits = rng.sample(range(4), rng.choice([1, 2, 4]))
    few = [rank * 4 + suit for rank in ranks for suit in suits]
    rest = [card for card in range(52) if card not in few]
    return [*rng.sample(few, min(size, len(few))), *rng.sample(rest, max(0, size - len(few)))]


def naive(cards: Sequence[int]) -> list[tuple[int, str]]:
    return [parse_card(text(card)) for card in cards]


def sums(cards: Sequence[int]) -> tuple[int, int]:
    return sum(int(OF_RANK[card]) for card in cards), sum(int(OF_SUIT[card]) for card in cards)


@cache
def threes() -> Any:
    return three_card_values()


@cache
def fours() -> Any:
    return four_card_values()


# --- reading


@pytest.mark.parametrize(
    ("size", "order", "table"), [(3, THREE_CARDS, threes), (4, FOUR_CARDS, fours)], ids=["three", "four"]
)
def test_values_compare_as_naive_strengths_do(size: int, order: Sequence[str], table: Callable[[], Any]) -> None:
    rng = Random(size)
    hands = [draw(rng, size) for _ in range(HANDS)]
    read = [int(table()[place(np.array(hand), size)]) for hand in hands]
    by_twin = [strength(naive(hand), order) for hand in hands]

    assert [place_of for place_of, _ in by_twin] == [value // 16**4 for value in read]
    for one, two in zip(range(HANDS), rng.sample(range(HANDS), HANDS), strict=True):
        assert (by_twin[one] <= by_twin[two]) == (read[one] <= read[two]), (hands[one], hands[two])


def test_values_from_a_shoe_compare_as_naive_strengths_do() -> None:
    rng = Random("shoe")
    hands = [rng.choices(draw(rng, 4), k=3) for _ in range(HANDS)]
    read = [shoe_value(np.array(hand), np.zeros(13, np.int64)) for hand in hands]
    by_twin = [strength(naive(hand), THREE_CARDS_MANY_DECKS) for hand in hands]

    assert [place_of for place_of, _ in by_twin] == [value // 16**4 for value in read]
    for one, two in zip(range(HANDS), rng.sample(range(HANDS), HANDS), strict=True):
        assert (by_twin[one] <= by_twin[two]) == (read[one] <= read[two]), (hands[one], hands[two])


@pytest.mark.parametrize(("of", "size"), [(4, 4), (5, 4), (5, 5), (6, 5), (7, 5)])
def test_what_can_be_made_of_many_cards_is_what_the_naive_reading_finds(of: int, size: int) -> None:
    rng = Random(f"{of} {size}")
    for _ in range(HANDS):
        cards = draw(rng, of)
        found = made(*sums(cards), size)
        expected = {name for name in traits_of_best(naive(cards), size) if name in NAMES.values()}

        assert expected == {name for bit, name in NAMES.items() if found & bit}, texts(cards)


@pytest.mark.parametrize("size", [6, 7])
def test_a_run_in_one_suit_is_found_with_its_top_and_suit(size: int) -> None:
    rng = Random(size)
    for _ in range(HANDS):
        cards = draw(rng, size)
        top = naive_suited_run(tuple(naive(cards)))

        assert (cards[0] % 4 * 16 + top - 2 if top else -1) == suited_run(sums(cards)[1], size), texts(cards)


def test_the_best_event_with_wild_cards_is_the_naive_one() -> None:
    rng = Random("wild")
    for _ in range(HANDS):
        cards = draw_wild(rng, 5)
        traits = wild_traits_of([parse_card(wild_text(card)) for card in cards])
        best = max((number for number, name in enumerate(WILD_NAMES, 1) if name in traits), default=0)

        assert best == event_of(*natural_first(cards)), wild_texts(cards)


def draw_wild(rng: Random, size: int) -> list[int]:
    """Natural cards of a few ranks and suits, and often wild ones."""
    wilds = rng.choice([0, 0, 1, 1, 2, 3, min(size, 5)])
    naturals = [card - 4 for card in draw(rng, size + 4) if card >= 4]
    return [*naturals[: size - wilds], *rng.sample(range(NATURALS, 53), wilds)]


def natural_first(cards: Sequence[int]) -> tuple[Any, int]:
    return np.array(sorted(cards)), sum(card < NATURALS for card in cards)


# --- the sweep


@pytest.mark.parametrize("held", [5, 6])
def test_the_sweep_counts_the_hands_that_a_plain_loop_counts(held: int) -> None:
    rng = Random(held)
    sets = sets_of_five(14)
    assert [*combinations(range(14), 5)] == sorted(map(tuple, sets.tolist()))
    of_hand = np.array([rng.randrange(20) for _ in sets])
    order, starts = order_by_value(of_hand, 20)
    first, kept = kept_for(14)
    for value in range(20):
        for at in order[starts[value] : starts[value + 1]]:
            enter(sets[at], first, kept)
        cards = sorted(rng.sample(range(14), held))
        below = [hand for hand, its in zip(sets.tolist(), of_hand, strict=True) if its <= value]

        assert sum(set(cards).isdisjoint(hand) for hand in below) == avoiding(np.array(cards), first, kept)


# --- the cards that show a situation show it


def test_hands_of_four_card_prime_show_what_they_stand_for() -> None:
    assert set(range(8)) == set(four_card_prime.SHOWN)
    for kind, (cards, beaten, beating) in four_card_prime.SHOWN.items():
        player, loser, winner = (
            best_hand([parse_card(card) for card in hand.split()], 4, FOUR_CARDS) for hand in (cards, beaten, beating)
        )
        assert kind == strength(player, FOUR_CARDS)[0]
        assert strength(loser, FOUR_CARDS) <= strength(player, FOUR_CARDS) < strength(winner, FOUR_CARDS)


def test_hands_of_double_play_show_what_they_stand_for() -> None:
    assert 9 == len(high_low.SHOWN)
    for situation, (cards, five) in enumerate(high_low.SHOWN):
        six = [parse_card(card) for card in cards.split()]
        dealer = strength(best_hand([parse_card(card) for card in five.split()], 3, THREE_CARDS), THREE_CARDS)
        high, low = strength(six[:3], THREE_CARDS), strength(six[3:], THREE_CARDS)

        assert [high >= dealer, low >= dealer] == [situation > 0, situation > 1]
        if situation > 1:
            assert [*THREE_CARDS, "high card"][::-1][situation - 2] == category(six[3:], THREE_CARDS)


# --- alike is paid alike

Deal = tuple[Hashable, list[str], list[str], dict[str, Any]]


def spare(cards: Sequence[int], number: int) -> list[int]:
    return [card for card in range(52) if card not in cards][:number]


def four_cards(rng: Random) -> Deal:
    cards = draw(rng, 4)
    value = int(threes()[place(np.array(cards[:3]), 3)])
    found = three_card_prime.four_signature(np.array(cards[:3]), value, cards[3])
    return found, texts(cards), texts(spare(cards, 3)), {"play": True}


def six_of_both(rng: Random) -> Deal:
    cards = draw(rng, 6)
    found = three_card_prime.six_signature(*sums(cards))
    return found, texts([*cards[:3], *spare(cards, 1)]), texts(cards[3:]), {"play": True}


def seven_of_both(rng: Random) -> Deal:
    cards = draw(rng, 7)
    return three_card_prime.seven_signature(*sums(cards)), texts(cards[:4]), texts(cards[4:]), {"play": True}


def three_of_a_shoe(rng: Random) -> Deal:
    cards = rng.choices(draw(rng, 4), k=3)
    value = shoe_value(np.array(cards), np.zeros(13, np.int64))
    found = super_three_card.first_three_signature(value, *cards)
    return found, texts([*cards[:2], *spare(cards, 1)]), texts([cards[2], *spare(cards, 2)]), {"play": True}


def five_cards(rng: Random) -> Deal:
    cards = draw(rng, 5)
    return four_card_prime.five_signature(*sums(cards)), texts(cards), texts(spare(cards, 6)), {"raise": 1}


def six_cards(rng: Random) -> Deal:
    cards = draw(rng, 6)
    decisions = {"high": texts(legal_high(cards)), "double": False}
    found = three_card_double_play.six_signature(*sums(cards))
    return found, texts(cards), texts(spare(cards, 5)), decisions


def divided(cards: Sequence[int]) -> list[int]:
    places = np.zeros(20, np.int64)
    threes_of(np.array(cards), places)
    return [two_hands(marks()[places[at]], marks()[places[19 - at]]) for at in range(10)]


def all_divisions(rng: Random) -> Deal:
    cards = sorted(draw(rng, 6))
    decisions = {"high": texts(legal_high(cards)), "double": False}
    found = 0
    for division in divided(cards):
        found |= division
    return found, texts(cards), texts(spare(cards, 5)), decisions


def one_division(rng: Random) -> Deal:
    cards = sorted(draw(rng, 6))
    division = rng.randrange(10)
    decisions = {"high": texts(legal_high(cards, division)), "double": False}
    return divided(cards)[division], texts(cards), texts(spare(cards, 5)), decisions


def five_with_wild(rng: Random) -> Deal:
    cards = draw_wild(rng, 5)
    board = [wild_text(card) for card in range(53) if card not in cards][:4]
    return event_of(*natural_first(cards)), wild_texts(cards), board, {"play": True, "raise": True}


def three_with_wild(rng: Random) -> Deal:
    cards = draw_wild(rng, 3)
    board = [wild_text(card) for card in range(53) if card not in cards][:4]
    return treasure_event(*natural_first(cards)), wild_texts(cards), board, {}


def fortune_of_one(rng: Random) -> Deal:
    cards = draw_wild(rng, 7)
    rng.shuffle(cards)
    held, board = cards[:3], cards[3:]
    chosen = [held[0], *board]
    return event_of(*natural_first(chosen)), wild_texts(held), wild_texts(board), {"fortune": wild_texts(held[:1])}


DEALS: list[tuple[str, str, tuple[str, ...], dict[str, str], Callable[[Random], Deal]]] = [
    ("three-card-prime", "pair-bonus", ("PB", "PB/LD"), {}, four_cards),
    ("three-card-prime", "final-four", ("F4P",), {}, four_cards),
    ("three-card-prime", "all-six", ("A6",), {}, six_of_both),
    ("three-card-prime", "all-seven", ("A7P",), {}, seven_of_both),
    ("deuces-wild", "ante-play-raise", ("APR",), {}, five_with_wild),
    ("deuces-wild", "three-card-treasure", ("TCT",), {}, three_with_wild),
    ("deuces-wild", "five-card-fortune", ("FCF",), {}, fortune_of_one),
    ("super-three-card", "big-hand-bonus", ("PT-FLT-STC-BH",), {}, three_of_a_shoe),
    ("super-three-card", "twenty-one-plus-three", ("PT-BJS-213",), {}, three_of_a_shoe),
    ("four-card-prime", "aces-baby", ("AB",), {}, five_cards),
    ("four-card-prime", "prime", ("Prime",), {}, five_cards),
    ("four-card-prime", "five-card-jackpot", ("PJ",), {}, five_cards),
    ("four-card-prime", "four-card-jackpot", ("FCJ",), {}, five_cards),
    ("three-card-double-play", "pick-3", ("P3",), {"pick3_basis": "best"}, all_divisions),
    ("three-card-double-play", "pick-3", ("P3",), {"pick3_basis": "as_set"}, one_division),
    ("three-card-double-play", "pick-5", ("P5",), {}, six_cards),
    ("three-card-double-play", "super-3s", ("S3J",), {}, all_divisions),
    ("three-card-double-play", "super-six", ("S6J",), {}, six_cards),
]


@pytest.mark.parametrize(
    ("game", "wager", "families", "readings", "deal"), DEALS, ids=[f"{deal[1]} {deal[4].__name__}" for deal in DEALS]
)
def test_what_the_second_method_takes_for_alike_is_paid_alike(
    game: str, wager: str, families: tuple[str, ...], readings: dict[str, str], deal: Callable[[Random], Deal]
) -> None:
    rng = Random(f"{game} {wager} {readings}")
    tables = [rng.choice(printed(game, family)) for family in families]
    entry = Entry(
        game=game,
        wager=wager,
        paytables=tuple(tables),
        readings=tuple(readings.items()),
        decks=6 if game == "super-three-card" else None,
        basis="alone",
    )
    paid: dict[Hashable, set[Fraction]] = {}
    for _ in range(HANDS):
        found, cards, board, decisions = deal(rng)
        paid.setdefault(found, set()).add(net_units(entry, cards=cards, board=board, decisions=decisions))

    assert len(paid) > 2
    assert {} == {found: nets for found, nets in paid.items() if len(nets) > 1}


def test_a_division_and_its_opposite_hold_all_six_cards() -> None:
    for number in range(10):
        assert {0, 1, 2, 3, 4, 5} == {*THREES[number].tolist(), *THREES[19 - number].tolist()}
    assert 22_100 == len(values())
