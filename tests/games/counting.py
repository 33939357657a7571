"""First counts: loops that deal every hand and ask the facts, compiled, and one way to price what they counted.

A loop knows no pay: it gives back how often each facts code occurs. Pays come from the settlement of every code.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from pitboss.games import find_game
from pitboss.games.deuces_wild.facts import read_ante_play_raise
from pitboss.games.four_card_prime.facts import read_aces_baby
from pitboss.games.three_card_prime.facts import read_all_six, read_ante_play, read_prime
from pitboss.rules import Game, Terms, TermsInput, make_terms, pay_array
from pitboss.rules.facts import encode
from pitboss.rules.outcomes import Outcome
from pitboss.rules.pays import Dollars, ForOne, OfMeter, ToOne
from tests.games.compiled import compiled

__all__ = [
    "aces_baby_counts",
    "all_six_counts",
    "ante_play_counts",
    "best_fourths",
    "code_counts",
    "five_card_codes",
    "four_card_counts",
    "in_loop_order",
    "net",
    "nets",
    "percent",
    "prime_counts",
    "terms_of",
]


def terms_of(game: Game, wager: str, *tables: str, decks: int | None = None) -> Terms:
    terms, problems = make_terms(game, TermsInput(paytables={wager: list(tables)}, readings={}, decks=decks))
    assert problems == ()
    return terms


def net(outcome: Outcome) -> Fraction:
    """What a player is up or down in base stakes, a dollar where the pays are dollars; a meter counts nothing."""
    total = Fraction(0)
    for part in outcome.parts:
        total += part.multiple * ((1 if part.returned else 0) - 1)
        for prize in part.prizes:
            match prize:
                case ToOne(times) | ForOne(times):
                    total += part.multiple * times
                case Dollars(cents):
                    total += Fraction(cents, 100)
                case OfMeter():
                    pass
    return total


def nets(game_name: str, wager_name: str, *tables: str) -> list[Fraction]:
    """The net result of every facts code, by the game's own settlement."""
    game = find_game(game_name)
    outcomes = pay_array(game.by_name[wager_name], terms_of(game, wager_name, *tables)).outcomes
    return [net(outcome) for outcome in outcomes]


def percent(value: Fraction, places: int = 2) -> str:
    return f"{float(value * 100):.{places}f}"


def code_counts(counts: Any) -> Iterable[tuple[int, int]]:
    """The codes that occur, and how often."""
    return ((int(code), int(counts[code])) for code in np.flatnonzero(counts))


def _prime(hands: Any, tables: Any, counts: Any) -> None:
    player, dealer = hands.player, hands.board
    for a in range(52):
        for b in range(a):
            for c in range(b):
                player[0], player[1], player[2] = a, b, c
                for d in range(52):
                    if d in (a, b, c):
                        continue
                    for e in range(d):
                        if e in (a, b, c):
                            continue
                        for f in range(e):
                            if f in (a, b, c):
                                continue
                            dealer[0], dealer[1], dealer[2] = d, e, f
                            counts[read_prime(hands, tables).events] += 1


def _ante_play(hands: Any, tables: Any, bounds: Any, counts: Any) -> None:
    """Counts by player hand, in the order of a > b > c, and code."""
    player, dealer = hands.player, hands.board
    node = 0
    for a in range(52):
        for b in range(a):
            for c in range(b):
                player[0], player[1], player[2] = a, b, c
                for d in range(52):
                    if d in (a, b, c):
                        continue
                    for e in range(d):
                        if e in (a, b, c):
                            continue
                        for f in range(e):
                            if f in (a, b, c):
                                continue
                            dealer[0], dealer[1], dealer[2] = d, e, f
                            counts[node, encode(read_ante_play(hands, tables), bounds)] += 1
                node += 1


def _all_six(hands: Any, tables: Any, counts: Any) -> None:
    """The event is of all six cards, whoever holds them: every set of six once."""
    player, dealer = hands.player, hands.board
    for a in range(52):
        for b in range(a):
            for c in range(b):
                player[0], player[1], player[2] = a, b, c
                for d in range(c):
                    for e in range(d):
                        for f in range(e):
                            dealer[0], dealer[1], dealer[2] = d, e, f
                            counts[read_all_six(hands, tables).events] += 1


def _aces_baby(hands: Any, tables: Any, counts: Any) -> None:
    player = hands.player
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        player[0], player[1], player[2], player[3], player[4] = a, b, c, d, e
                        counts[read_aces_baby(hands, tables).events] += 1


def _five_card_codes(hands: Any, tables: Any, bounds: Any, counts: Any) -> None:
    """How often each code of a raised hand occurs among all five-card hands of 53."""
    player = hands.player
    for a in range(53):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        player[0], player[1], player[2], player[3], player[4] = a, b, c, d, e
                        counts[encode(read_ante_play_raise(hands, tables), bounds)] += 1


def _four_card_counts(hands: Any, tables: Any, bounds: Any, column: Any, counts: Any) -> None:
    """By four cards a > b > c > d: how often each code, by its column, follows with the fifth card."""
    player = hands.player
    node = 0
    for a in range(53):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    player[0], player[1], player[2], player[3] = a, b, c, d
                    for e in range(53):
                        if e in (a, b, c, d):
                            continue
                        player[4] = e
                        counts[node, column[encode(read_ante_play_raise(hands, tables), bounds)]] += 1
                    node += 1


def _best_fourths(worth: Any, sums: Any) -> None:
    """By three cards: the sum of what each of the fifty four-card hands that may follow is worth."""
    node = 0
    for a in range(53):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    # Places among the three-card hands, in the order of the loops.
                    sums[a * (a - 1) * (a - 2) // 6 + b * (b - 1) // 2 + c] += worth[node]
                    sums[a * (a - 1) * (a - 2) // 6 + b * (b - 1) // 2 + d] += worth[node]
                    sums[a * (a - 1) * (a - 2) // 6 + c * (c - 1) // 2 + d] += worth[node]
                    sums[b * (b - 1) * (b - 2) // 6 + c * (c - 1) // 2 + d] += worth[node]
                    node += 1


prime_counts = compiled(_prime)
ante_play_counts = compiled(_ante_play)
all_six_counts = compiled(_all_six)
aces_baby_counts = compiled(_aces_baby)
five_card_codes = compiled(_five_card_codes)
four_card_counts = compiled(_four_card_counts)
best_fourths = compiled(_best_fourths)


def in_loop_order(deck: int, size: int) -> list[tuple[int, ...]]:
    """Hands in the order in which the loops above deal them: a > b > c > …."""
    return sorted(tuple(reversed(hand)) for hand in combinations(range(deck), size))
