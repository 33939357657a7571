"""Strategies found by search: within 0.2 % at no more than eight lines a decision, and never better than optimal."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from pitboss.games import all_games, find_game
from pitboss.odds.pricing import price, unit_pays
from pitboss.odds.printed import catalogue
from pitboss.odds.solving import counts_of, solve_terms
from pitboss.odds.strategy import COST_MAX, LINES_MAX, Trade, _trade, strategies
from pitboss.rules import Game, Terms, Wager
from tests.odds import plain_pricing
from tests.relatives.three_card_poker import GAME as THREE_CARD_POKER
from tests.rules.tables import first_terms

QUICK = {"three-card-prime", "deuces-wild", "super-three-card"}


def decided(game: Game) -> Iterator[tuple[Wager, Terms]]:
    """Every wager with decisions under every table and shoe: the main one, and the Five Card Fortune alone."""
    for wager, terms in catalogue(game):
        alone = wager is game.main or not any(slot.name in terms.tables for slot in game.main.slots)
        if wager is game.main or (wager.name == "five-card-fortune" and alone):
            yield wager, terms


def named(value: object) -> str:
    if isinstance(value, Terms):
        tables = " ".join(table.id for table in value.tables.values())
        return f"{tables} {' '.join(value.readings.values())} {value.deck.decks}"
    return str(getattr(value, "name", value))


def cases() -> list[Any]:
    """Every table there is under `make slow`; always the first of the games whose counts are quick."""
    found = []
    for game in all_games():
        first: set[str] = set()
        for wager, terms in decided(game):
            always = game.name in QUICK and wager.name not in first
            first.add(wager.name)
            found.append(pytest.param(game, wager, terms, marks=[] if always else [pytest.mark.slow]))
    return found


def check(trade: Trade, best: Fraction) -> None:
    assert trade.optimal.ev == best
    assert trade.recommended in trade.steps
    assert trade.recommended.cost <= COST_MAX == Fraction(2, 1000)
    assert all(step.cost > COST_MAX for step in trade.steps if step.lines < trade.recommended.lines)
    for step in trade.steps:
        assert 0 <= step.cost == best - step.ev
        assert step.lines == max(len(each.lines) for each in step.decisions) <= LINES_MAX == 8
        for each in step.decisions:
            # A decision that no hand comes to is decided by no line.
            never = step.lines == 1 and each is not step.decisions[0]
            assert sum((line.share for line in each.lines), Fraction(0)) in ((0, 1) if never else (1,))
            assert ["otherwise"] == [line.words for line in each.lines if line.words == "otherwise"]
            assert "otherwise" == each.lines[-1].words
    costs = [step.cost for step in trade.steps]
    assert costs == sorted(set(costs), reverse=True)


@pytest.mark.parametrize(("game", "wager", "terms"), cases(), ids=named)
def test_a_few_lines_are_within_the_limit_for_every_table(game: Game, wager: Wager, terms: Terms) -> None:
    check(strategies(game, terms, wager=wager), solve_terms(game, wager, terms).ev)


def test_every_game_has_a_wager_in_these_tests() -> None:
    assert {game.name for game in all_games()} == {case.values[0].name for case in cases()}


@pytest.mark.parametrize("name", ["three-card-prime", "super-three-card", "deuces-wild"])
def test_the_choices_are_priced_alike_by_the_plain_twin(name: str) -> None:
    game = find_game(name)
    terms = next(terms for wager, terms in catalogue(game) if wager is game.main)
    counts, pays = counts_of(game, game.main, terms), unit_pays(game.main, terms)
    trade = strategies(game, terms)
    for step in (trade.steps[0], trade.recommended, trade.steps[-1]):
        priced = plain_pricing.price(counts, pays, step.choices)
        assert price(counts, pays, step.choices).histogram == priced.histogram
        won = sum((pays.net[code] * often for code, often in priced.histogram.items()), Fraction(0))
        assert step.ev == won / counts.total
        # How often the lines give each decision is how often it is taken.
        for each, taken in zip(step.decisions, priced.decisions, strict=True):
            for decision, often in taken.items():
                by_lines = sum((line.share for line in each.lines if line.decision == decision), Fraction(0))
                assert by_lines == Fraction(often, sum(taken.values()) or 1)


def test_the_same_lines_are_found_again() -> None:
    game = find_game("super-three-card")
    terms = next(terms for wager, terms in catalogue(game) if wager is game.main)
    first = strategies(game, terms)
    _trade.cache_clear()
    again = strategies(game, terms)

    assert again is not first
    assert again == first


def test_anchors_section_2_three_card_poker_plays_queen_six_four_or_better() -> None:
    """Found by the same search in a game that lives in the tests."""
    terms = first_terms(THREE_CARD_POKER)
    trade = strategies(THREE_CARD_POKER, terms)
    (decision,) = trade.recommended.decisions

    assert [("Q-6-4 or better", "play"), ("otherwise", "fold")] == [
        (line.words, line.decision) for line in decision.lines
    ]
    assert Fraction(14_900, 22_100) == decision.lines[0].share
    assert 0 == trade.recommended.cost
    assert Fraction(-13_733_780, 407_170_400) == trade.recommended.ev


def test_a_wager_without_a_decision_has_no_strategy() -> None:
    game = find_game("three-card-prime")
    terms = next(terms for wager, terms in catalogue(game) if wager.name == "prime")
    with pytest.raises(ValueError, match="Prime of Three Card Prime has no decision of its own"):
        strategies(game, terms, wager=game.by_name["prime"])
