"""Decisions looked up by the very cards are the best ones, as every hand by itself says (G-18)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitboss.cards import cards_text
from pitboss.games.deuces_wild.loops import fortune_of_hands
from pitboss.odds import best, default_store
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import unit_pays
from pitboss.poker.made import is_wild
from pitboss.simulate.playing import Ready, make_ready
from pitboss.simulate.setup import OPTIMAL
from tests.simulate.cases import CASES, KEY, Case
from tests.simulate.plain import Played, played_in

HANDS = [4, pytest.param(100, marks=pytest.mark.slow)]
WILD = -1


def decision_and_best(ready: Ready, played: Played) -> list[tuple[str, dict[str, Fraction]]]:
    """What the first seat decided in words, and what every decision is worth, for each of its decisions."""
    player, choices, game = played.cards[0], played.choices[0], ready.game

    def worth(cards: tuple[int, ...], public: tuple[int, ...] = ()) -> dict[str, Fraction]:
        found = best(game, ready.terms, cards, public, store=default_store())
        return {each.decision: each.ev for each in found}

    match game.name:
        case "three-card-prime":
            return [("play" if choices[0] else "fold", worth(player[:3]))]
        case "super-three-card":
            return [("play" if choices[0] else "surrender", worth(player[:2], played.board[:1]))]
        case "four-card-prime":
            values = worth(player, played.board[:1])
            return [
                (
                    next(word for word in values if str(choices[0]) in word or (not choices[0] and word == "fold")),
                    values,
                )
            ]
        case "three-card-double-play":
            high = {card for place, card in enumerate(player) if choices[0] >> place & 1}
            low = [card for card in player if card not in high]
            said = f"High {cards_text(sorted(high, reverse=True))}, Low {cards_text(sorted(low, reverse=True))}"
            return [(f"{said}, {'doubled' if choices[1] else 'not doubled'}", worth(player))]
        case _:
            decided = [("play" if choices[0] else "fold", worth(player[:3]))]
            if choices[0]:
                decided.append(("raise" if choices[1] else "fold", worth(player[:4])))
            return decided


def decided_alike(case: Case) -> tuple[object, ...]:
    """The terms that decide: neither seats nor jackpots do."""
    return case.game, case.readings, case.decks


OPTIMAL_CASES = [case for case in CASES if case.strategy == OPTIMAL and not case.without]


@pytest.mark.parametrize("case", {decided_alike(case): case for case in OPTIMAL_CASES}.values(), ids=str)
@pytest.mark.parametrize("hands", HANDS)
def test_what_is_decided_is_what_is_worth_most(case: Case, hands: int) -> None:
    ready = make_ready(case.setup)
    (chunk,) = ready.play(KEY, 30, hands)
    for played in played_in(ready, chunk):
        for decided, values in decision_and_best(ready, played):
            assert values[decided] == max(values.values()), (played.cards[0], decided)


def fortune_values(ready: Ready, hands: list[tuple[int, ...]]) -> list[dict[tuple[int, int], Fraction]]:
    """What every selection from these very cards is worth, by how many cards and which; of wild cards any will do."""
    pays = unit_pays(ready.game.by_name["five-card-fortune"], ready.terms)
    level = fortune_of_hands(NumbaContext(), hands).levels[0]
    found = []
    for node, hand in enumerate(hands):
        values = {}
        natural = sorted((card for card in hand if not is_wild(card)), reverse=True)
        selections = [(place, (1, card)) for place, card in enumerate(natural)]
        selections += [(3 + number, (number, WILD)) for number in range(1, len(hand) - len(natural) + 1)]
        for selection, chosen in selections:
            counts = zip(level.counts[node, selection].tolist(), level.codes[selection, 0].tolist(), strict=True)
            values[chosen] = sum((count * pays.net[code] for count, code in counts), Fraction(0))
        found.append(values)
    return found


@pytest.mark.parametrize("case", [case for case in CASES if case.game == "deuces-wild" and case.seats != 1], ids=str)
@pytest.mark.parametrize("rounds", [40, pytest.param(1200, marks=pytest.mark.slow)])
def test_dw_6_the_selection_is_the_best_of_the_cards_then_held(case: Case, rounds: int) -> None:
    ready = make_ready(case.setup)
    dealer_takes = ready.terms.readings["fortune_after_raise"] == "dealer_takes_best"
    (chunk,) = ready.play(KEY, 31, rounds)
    hands, selected = [], []
    for played in played_in(ready, chunk):
        cards, (is_played, raised, selection) = played.cards[0], played.choices[0]
        if raised and dealer_takes:
            assert selection == 0
            continue
        held = cards[:4] if is_played else cards[:3]
        chosen = [card for place, card in enumerate(held) if selection >> place & 1]
        hands.append(held)
        selected.append((len(chosen), WILD if is_wild(chosen[0]) else chosen[0]))
        assert selection >> len(held) == 0
    for held, chosen_of, values in zip(hands, selected, fortune_values(ready, hands), strict=True):
        assert values[chosen_of] == max(values.values()), (held, chosen_of)
