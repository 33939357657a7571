"""Five Card Fortune where the dealer takes the best after a Raise: every hand of short decks through the facts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from pitboss.games import find_game
from pitboss.games.deuces_wild import after_raise, facts, loops
from pitboss.odds.kit import CountingKit, count
from pitboss.odds.solve import solve
from pitboss.rules.facts import Hands

GAME = find_game("deuces-wild")


def by_brute_force(four: tuple[int, ...], deck: list[int]) -> Counter[int]:
    """Every fifth card and every community, read as the settlement reads a raised hand."""
    found: Counter[int] = Counter()
    for fifth in deck:
        if fifth in four:
            continue
        rest = [card for card in deck if card not in (*four, fifth)]
        for community in combinations(rest, 4):
            found[facts.read_fortune(Hands((*four, fifth), community, (1, 1, 0), (1,)), None).made] += 1
    return found


@pytest.mark.parametrize(("ranks", "step"), [(3, 1), pytest.param(4, 1, marks=pytest.mark.prove), (4, 17)])
def test_dw_6_dealer_takes_best_on_a_short_deck(ranks: int, step: int) -> None:
    kit = CountingKit(ranks=ranks)
    count(GAME, "five-card-fortune", kit)
    sets = loops.sets_of(kit)
    masks, counts = after_raise.after_raise(kit)
    deck = [*range(4 * ranks), 52]
    fours = sets.cards[sets.of_size(4)].tolist()
    for node in range(0, len(fours), step):
        ours = {int(mask): int(number) for mask, number in zip(masks, counts[node], strict=True) if number}
        assert dict(by_brute_force(tuple(fours[node][:4]), deck)) == ours


def test_dw_6_dealer_takes_best_beside_the_ante() -> None:
    """Counted by ranks and suits here, and by a separate draft that gave the same fraction."""
    reading = {"fortune_after_raise": "dealer_takes_best"}
    result = solve("deuces-wild", "five-card-fortune", ["FCF-A"], readings=reading, beside=["APR-A"])
    assert Fraction(-3_881_549_929, 27_919_165_365) == result.ev
    selects = solve("deuces-wild", "five-card-fortune", ["FCF-A"], beside=["APR-A"])
    assert result.ev > selects.ev


def test_dw_11_equal_selections_take_natural_cards_first_the_highest_then_the_fewest_wild() -> None:
    names = [name.split()[-2:] for name in loops.SELECTIONS]
    assert [["natural", "card"]] * 4 + [["wild", "card"]] + [["wild", "cards"]] * 3 == names
    assert loops.SELECTIONS[0].startswith("highest")
    assert ["one", "two", "three", "four"] == [name.split()[0] for name in loops.SELECTIONS[4:]]
