"""G-4: the same percentage prize at several seats, against closed forms and against rounds dealt out."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest

from pitboss.games import find_game
from pitboss.odds.sharing import SharedPrize, shared_prizes
from pitboss.odds.solving import solve_terms, stated_terms


@cache
def prizes(game_name: str, wager_name: str, table: str, decks: int | None = None) -> dict[str, SharedPrize]:
    game = find_game(game_name)
    wager = game.by_name[wager_name]
    terms, _ = stated_terms(game, {wager_name: [table]}, decks=decks)
    result = solve_terms(game, wager, terms)
    found = {prize.event: prize for prize in shared_prizes(game, wager, terms)}
    chances = {event.event: event.probability for event in result.events}
    assert all(prize.chance == chances[event] for event, prize in found.items())
    assert sum(prize.share * prize.chance for prize in found.values()) == result.meter_coefficient
    return found


def both_of_two(prize: SharedPrize) -> Fraction:
    return 2 * prize.chance - prize.any_of[1]


def test_five_card_royals_at_two_and_three_seats() -> None:
    prize = prizes("four-card-prime", "five-card-jackpot", "PJ-1")["Five-card Royal Flush"]
    both = Fraction(4 * 3, comb(52, 5) * comb(47, 5))
    three = Fraction(4 * 3 * 2, comb(52, 5) * comb(47, 5) * comb(42, 5))
    assert both_of_two(prize) == both
    assert prize.any_of[2] == 3 * prize.chance - 3 * both + three


def test_four_aces_are_never_shared() -> None:
    prize = prizes("four-card-prime", "four-card-jackpot", "FCJ-1")["Four Aces"]
    assert prize.lost(9) == 0


def test_four_card_royals_whose_last_card_may_be_the_ace_or_the_jack() -> None:
    prize = prizes("three-card-prime", "final-four", "F4P-1")["4-card Royal"]
    assert both_of_two(prize) == Fraction(3 * 2 * 2 * 2, comb(52, 4) * 4 * comb(48, 4) * 4)


@pytest.mark.parametrize("decks", [6, 8])
def test_suited_trips_with_the_dealers_card_for_all(decks: int) -> None:
    prize = prizes("super-three-card", "twenty-one-plus-three", "PT-BJS-213-01", decks)[
        "Three-of-a-Kind Aces or Kings Suited"
    ]
    shoe = 52 * decks
    given = Fraction(comb(decks - 1, 2) * comb(decks - 3, 2), comb(shoe - 1, 2) * comb(shoe - 3, 2))
    assert both_of_two(prize) == Fraction(8, 52) * given


@pytest.mark.slow
def test_six_card_straight_flushes_pair_by_pair() -> None:
    runs = [
        frozenset((rank % 13) * 4 + suit for rank in range(low, low + 6)) for suit in range(4) for low in range(-1, 8)
    ]
    disjoint = sum(2 for one, other in combinations(runs, 2) if not one & other)
    prize = prizes("three-card-double-play", "super-six", "S6J-1")["Six-card Straight Flush"]
    assert both_of_two(prize) == Fraction(disjoint, comb(52, 6) * comb(46, 6))


@pytest.mark.slow
def test_seven_card_straight_flushes_share_the_dealers_three_cards() -> None:
    runs = [
        frozenset((rank % 13) * 4 + suit for rank in range(low, low + 7)) for suit in range(4) for low in range(-1, 7)
    ]
    both = sum(
        1
        for one in runs
        for other in runs
        for dealer in combinations(sorted(one & other), 3)
        if not (one - set(dealer)) & (other - set(dealer))
    )
    prize = prizes("three-card-prime", "all-seven", "A7P-1")["7-card Straight Flush"]
    assert both_of_two(prize) == Fraction(both, comb(52, 3) * comb(49, 4) * comb(45, 4))


def test_sharing_takes_more_with_every_seat_and_nothing_from_one() -> None:
    for prize in prizes("four-card-prime", "five-card-jackpot", "PJ-1").values():
        lost = [prize.lost(seats) for seats in range(1, 10)]
        assert lost[0] == 0
        assert lost == sorted(lost)
        assert prize.own(1) == prize.share * prize.chance


def test_a_wager_without_prizes_of_the_meter_is_refused() -> None:
    game = find_game("three-card-prime")
    terms, _ = stated_terms(game, {"prime": ["PRW-1"]})
    with pytest.raises(ValueError, match="no prize that seats could share"):
        shared_prizes(game, game.by_name["prime"], terms)
