# ruff: noqa: INP001, T201
"""Learn Three Card Prime by playing it, and measure what was learned against exact optimal play.

Run: python examples/learn_three_card_prime.py [rounds]
"""

import sys

import numpy

from pitboss.gym import RoundEnvironment
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import best_decisions, price, unit_pays
from pitboss.odds.solving import counts_of
from pitboss.poker import THREE_CARD

PLAY, FOLD = 0, 1
GROUPS = 120


def learn(rounds: int, seed: int = 1) -> tuple[numpy.ndarray, RoundEnvironment]:
    """Play every hand, and note by strength what that wins: the mean of each group of strengths is learned."""
    environment = RoundEnvironment("three-card-prime")
    environment.reset(seed=seed)
    won, often = numpy.zeros(GROUPS), numpy.zeros(GROUPS)
    for _ in range(rounds):
        seen, _ = environment.reset()
        group = group_of([int(card) - 1 for card in seen[:3]])
        reward = environment.step(PLAY)[1]
        won[group] += reward
        often[group] += 1
    return won / numpy.maximum(often, 1), environment


def group_of(cards: list[int]) -> int:
    """Return the group of a hand's strength."""
    return min(THREE_CARD.value(cards) * GROUPS // STRENGTHS, GROUPS - 1)


STRENGTHS = 1 + max(THREE_CARD.value([4 * 12 + 1, 4 * 11 + 1, 4 * 10 + 1]), 1)


def cost_of(means: numpy.ndarray, environment: RoundEnvironment) -> tuple[float, float]:
    """Return what the learned play and optimal play expect, exactly, per Ante."""
    game, terms = environment.game, environment.terms
    counts, pays = counts_of(game, game.main, terms), unit_pays(game.main, terms)
    hands, _ = NumbaContext().classes(3)
    learned = [numpy.array([PLAY if means[group_of(hand)] > -1 else FOLD for hand in hands.tolist()])]
    answers = []
    for choices in (learned, best_decisions(counts, pays)):
        histogram = price(counts, pays, choices).histogram
        answers.append(float(sum(pays.net[code] * number for code, number in histogram.items()) / counts.total))
    return answers[0], answers[1]


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    learned_ev, optimal_ev = cost_of(*learn(number))
    print(f"after {number:,} rounds: {learned_ev:+.4%}; optimal {optimal_ev:+.4%}; cost {optimal_ev - learned_ev:.4%}")
