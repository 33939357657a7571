"""What a Treasure winner's cards are worth to another Ante in Deuces Wild: shortened decks through the settlement."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from pitboss.cards import JOKER
from pitboss.games import find_game
from pitboss.odds.pricing import UnitPays, unit_pays
from pitboss.odds.printed import catalogue
from pitboss.odds.seen import SeenValue, kinds_of, seen_counts, seen_play, seen_value
from pitboss.odds.solving import solve_terms
from pitboss.odds.store import default_store
from pitboss.rules import FinishedSeat, Settler, TermsInput, make_terms
from pitboss.rules.facts import decode
from pitboss.rules.pays import ToOne

GAME = find_game("deuces-wild")
MAIN, TREASURE = GAME.main, GAME.by_name["three-card-treasure"]
TERMS = next(terms for wager, terms in catalogue(GAME) if wager is MAIN)
KIND = "treasure-winner"
BOTH_TABLES, _ = make_terms(GAME, TermsInput(paytables={MAIN.name: ["APR-A"], TREASURE.name: ["TCT-A"]}, readings={}))
SETTLER = Settler(GAME, BOTH_TABLES)


@cache
def net_of(cards: frozenset[int]) -> int:
    """What one unit wins by the settlement code if the hand is raised; this table pays whole units."""
    outcome = SETTLER.outcome(MAIN, FinishedSeat(1, {MAIN.name: 100}, tuple(sorted(cards)), (1, 1, 0)), ())
    won = Fraction(0)
    for part in outcome.parts:
        won += (part.multiple if part.returned else 0) - part.multiple
        won += sum(prize.times * part.multiple for prize in part.prizes if isinstance(prize, ToOne))
    assert won.denominator == 1
    return int(won)


@cache
def wins(cards: frozenset[int]) -> bool:
    """Whether three cards win the Treasure by the settlement code."""
    seat = FinishedSeat(1, {TREASURE.name: 100}, tuple(sorted(cards)), (0, 0, 0))
    return any(part.prizes for part in SETTLER.outcome(TREASURE, seat, ()).parts)


def with_penalty(penalty: int) -> UnitPays:
    """The pays with every raised hand costing so much more, which makes decisions close on a short deck."""
    pays = unit_pays(MAIN, TERMS)
    net = [value - penalty * (decode(code, MAIN.bounds)[0] == 2) for code, value in enumerate(pays.net)]
    return replace(pays, net=tuple(net))


def best_of(hand: frozenset[int], rest: frozenset[int], penalty: int) -> tuple[bool, dict[int, bool], dict[int, int]]:
    """Whether to play, which fourth cards to raise, and what raising each is worth in all its fifth cards."""
    worth = {fourth: sum(net_of(hand | {fourth, fifth}) - penalty for fifth in rest - {fourth}) for fourth in rest}
    fifths = len(rest) - 1
    raises = {fourth: worth[fourth] > -2 * fifths for fourth in rest}
    total = sum(max(worth[fourth], -2 * fifths) for fourth in rest)
    return total > -len(rest) * fifths, raises, worth


def naive(penalty: int, ranks: int) -> tuple[Fraction, ...]:
    """Every hand, every winner beside it: expectation without and with, and how often each decision is another one."""
    deck = (JOKER, *range(4 * ranks))
    deals = changed = changed_raises = without = seeing = 0
    for cards in combinations(deck, 3):
        hand = frozenset(cards)
        others = frozenset(deck) - hand
        plays, raises, _ = best_of(hand, others, penalty)
        for three in combinations(sorted(others), 3):
            if not wins(frozenset(three)):
                continue
            rest = others - set(three)
            fifths = len(rest) - 1
            number = len(rest) * fifths
            deals += number
            best, best_raises, worth = best_of(hand, rest, penalty)
            fold = -2 * fifths
            seeing += sum(max(worth[each], fold) for each in rest) if best else -number
            without += sum(worth[each] if raises[each] else fold for each in rest) if plays else -number
            if best != plays:
                changed += number
            elif best:
                changed_raises += fifths * sum(raises[each] != best_raises[each] for each in rest)
    return tuple(Fraction(number, deals) for number in (without, seeing, changed, changed_raises))


@pytest.mark.parametrize(("penalty", "ranks"), [(100, 2), pytest.param(40, 3, marks=pytest.mark.slow)])
def test_item_16_every_deal_of_a_shortened_deck_through_the_settlement(penalty: int, ranks: int) -> None:
    pays = with_penalty(penalty)
    played = seen_play(GAME, TERMS, KIND, pays, ranks=ranks)
    assert played is not None
    assert played.without is not None

    def mean(histogram: dict[int, int]) -> Fraction:
        assert sum(histogram.values()) == played.total
        return sum((pays.net[code] * number for code, number in histogram.items()), Fraction(0)) / played.total

    first = sum(number for names, number in played.changes.items() if "play" in names)
    second = sum(played.changes.values()) - first
    expected = naive(penalty, ranks)
    assert max(expected[2:]) > 0
    assert expected == (
        mean(played.without),
        mean(played.seeing),
        Fraction(first, played.total),
        Fraction(second, played.total),
    )
    for level in (*played.decided[:1], *played.decided_without[:1]):
        assert sum(level.values()) == played.total


@cache
def whole() -> SeenValue:
    return seen_value(GAME, TERMS, KIND, store=default_store())


def test_item_16_a_winner_takes_wild_cards_away_and_seeing_it_helps() -> None:
    """Against the same deals unseen; those are worth less than all deals, since winners hold wild cards."""
    value = whole()
    assert value.without.ev < solve_terms(GAME, MAIN, TERMS, store=default_store()).ev
    assert value.gain > 0
    assert value.seeing.events[0].of == value.without.events[0].of
    assert {"play", "fold"} == set(value.seeing.decisions[0])


def test_dw_8_kinds_have_words_and_this_one_is_not_kept_as_counts() -> None:
    assert [KIND] == list(kinds_of(GAME))
    with pytest.raises(ValueError, match="is not kept as counts"):
        seen_counts(GAME, TERMS, KIND)
