"""Five Card Fortune where the dealer takes the best after a Raise: every hand of short decks through the facts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from pitboss.games.deuces_wild import after_raise, loops
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import price
from pitboss.odds.solving import solve
from pitboss.rules import Seat
from pitboss.rules.facts import Hands
from tests.odds.deuces_wild_tree import (
    ANTE,
    APR,
    FCF,
    FORTUNE,
    GAME,
    POOR,
    Figures,
    add,
    ante_choices,
    counted,
    deck_of,
    figures,
    naive_ante,
    naive_raise,
    naive_selection,
    pays_of,
    sums_of,
)


@cache
def by_brute_force(four: tuple[int, ...], ranks: int) -> Counter[tuple[int, ...]]:
    """Every fifth card and every community, read as the settlement reads a raised hand."""
    deck, read = deck_of(ranks), GAME.by_name[FORTUNE].read
    found: Counter[tuple[int, ...]] = Counter()
    for fifth in deck:
        if fifth in four:
            continue
        rest = [card for card in deck if card not in (*four, fifth)]
        for community in combinations(rest, 4):
            found[read(Hands((*four, fifth), community, (1, 1, 0), (1,)), None)] += 1
    return found


@pytest.mark.parametrize(("ranks", "step"), [(3, 1), pytest.param(4, 1, marks=pytest.mark.slow), (4, 17)])
def test_dw_6_dealer_takes_best_on_a_short_deck(ranks: int, step: int) -> None:
    context = NumbaContext(ranks=ranks)
    counted(FORTUNE, ranks)
    sets = loops.sets_of(context)
    masks, counts = after_raise.after_raise(context)
    fours = sets.cards[sets.of_size(4)].tolist()
    for node in range(0, len(fours), step):
        ours = {(int(mask),): int(number) for mask, number in zip(masks, counts[node], strict=True) if number}
        assert dict(by_brute_force(tuple(fours[node]), ranks)) == ours


@cache
def naive_raised(four: tuple[int, ...], table: str) -> Figures:
    """What a raised hand wins on a deck of three ranks; hands alike but for suits and wild cards are dealt out once."""
    sets = loops.sets_of(NumbaContext(ranks=3))
    alike = tuple(sets.cards[sets.of_size(4)][loops.node_of(sets, four)].tolist())
    each = [(figures(FORTUNE, table, made), number) for made, number in by_brute_force(alike, 3).items()]
    return add((a * n, b * n, c * n) for (a, b, c), n in each)


@pytest.mark.parametrize("ante", [*APR, POOR])
def test_dw_6_dealer_takes_best_beside_the_ante_equals_the_naive_tree(ante: str) -> None:
    """The Ante as if alone; folded hands select from what they hold, for raised hands the dealer takes the best."""
    deck = deck_of(3)
    seat = Seat(1, {ANTE: 100, FORTUNE: 100}, deck[:4], {"play": True, "raise": True})
    assert GAME.question(seat, {"fortune_after_raise": "dealer_takes_best"}) is None
    _, _, plays = naive_ante(3, ante)
    context = NumbaContext(ranks=3, readings=(1,))
    counts = loops.beside(FORTUNE, context, ante_choices(3, ante))
    left = len(deck) - 4 - 3
    for table in FCF:
        total = []
        for three, played in plays.items():
            if not played:
                # Neither the fourth nor the fifth card is seen; any that are not in the community may be they.
                selected, _ = naive_selection(3, three, table)
                total += [selected] * (left * (left - 1))
                continue
            for fourth in deck:
                if fourth in three:
                    continue
                four = tuple(sorted((*three, fourth)))
                _, raised = naive_raise(deck, (*three, fourth), ante)
                if raised:
                    total.append(naive_raised(four, table))
                else:
                    selected, _ = naive_selection(3, four, table)
                    total += [selected] * (left - 1)
        pays = pays_of(FORTUNE, table)
        worth, _, spread = add(total)
        assert (worth, spread) == sums_of(price(counts, pays), pays)


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
