"""Compiled rounds beside the plain road and the exact one: identical cents, wager by wager, and means where they should be."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import pytest

from pitboss.rules import Settler
from pitboss.simulate.playing import Ready, make_ready
from pitboss.simulate.running import run_block
from pitboss.simulate.setup import BLOCK_ROUNDS
from tests.simulate.cases import CASES, KEY, Case, cases_of
from tests.simulate.plain import Money, cents_settled, finished, played_in

METER_CENTS = 1_234_567
ROUNDS, MANY_ROUNDS = 1_000, 1_000_000
PIECES = 4
# The rounds are the same every time; in so many standard errors none of some hundred means may be off by chance.
Z_MAX = 4.5


def params() -> Iterator[object]:
    """Every table under `slow`; always one of each reading and shoe, and of each wager that stands alone."""
    begun = set()
    for case in CASES:
        kind = (case.game, case.readings, case.decks, case.without)
        yield pytest.param(case, id=str(case), marks=[pytest.mark.slow] if kind in begun else [])
        begun.add(kind)


@pytest.fixture(scope="module", params=[*params()])
def case(request: pytest.FixtureRequest) -> Case:
    """One table after the other, so that each is made ready once for all tests."""
    found: Case = request.param
    return found


def check_same_cents(ready: Ready, block: int, rounds: int) -> None:
    meters = {wager.name: METER_CENTS + place for place, wager in enumerate(ready.game.jackpots)}
    settler, money = Settler(ready.game, ready.terms), Money(ready, meters)
    seen = 0
    for chunk in ready.play(KEY, block, rounds):
        for played in played_in(ready, chunk):
            settlement = settler.settle(finished(ready, played), meters)
            assert cents_settled(settlement) == money.cents(played), played
            envy = sum(line.envy_cents for lines in settlement.lines.values() for line in lines.values())
            assert envy == money.envy(played), played
            seen += 1
    assert seen == rounds


def z_scores(case: Case, blocks: int) -> dict[str, float]:
    """How far each wager's mean is off in standard errors. Seats share cards: the first makes independent rounds."""
    ready = make_ready(case.setup)
    histogram = sum(run_block(case.setup, KEY, 20 + block).histogram for block in range(blocks))
    scores = {}
    for place, name in enumerate(ready.game.by_name):
        exact = ready.decided.exact.get(name)
        if exact is not None:
            here = slice(ready.begins[place], ready.begins[place + 1])
            counted, nets = histogram[0, here], (ready.paid - ready.staked)[0, here] / ready.setup.stakes[0][place]
            mean = float((counted * nets).sum() / counted.sum())
            scores[name] = (mean - float(exact.result.ev)) / sqrt(float(exact.result.variance) / counted.sum())
    return scores


def test_compiled_rounds_and_plain_settlement_give_identical_cents(case: Case) -> None:
    check_same_cents(make_ready(case.setup), 0, ROUNDS // len(list(cases_of(case.game))) + 1)


def test_the_mean_of_every_wager_agrees_with_the_exact_one(case: Case) -> None:
    scores = z_scores(case, 1)
    assert scores
    assert all(abs(score) < Z_MAX for score in scores.values()), scores


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(PIECES))
def test_a_million_compiled_rounds_of_every_game_give_the_cents_of_plain_settlement(case: Case, piece: int) -> None:
    rounds = MANY_ROUNDS // (len(list(cases_of(case.game))) * PIECES) + 1
    assert rounds <= BLOCK_ROUNDS * 2
    check_same_cents(make_ready(case.setup), 1 + 2 * piece, min(rounds, BLOCK_ROUNDS))
    if rounds > BLOCK_ROUNDS:
        check_same_cents(make_ready(case.setup), 2 + 2 * piece, rounds - BLOCK_ROUNDS)


@pytest.mark.slow
def test_the_mean_over_millions_of_rounds_agrees_with_the_exact_one(case: Case) -> None:
    scores = z_scores(case, 256 // case.seats)
    assert all(abs(score) < Z_MAX for score in scores.values()), scores
