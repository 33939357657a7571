"""Compiled rounds and plain settlement give identical cents, wager by wager."""

from __future__ import annotations

import pytest

from pitboss.rules import Settler
from pitboss.simulate.playing import make_ready
from tests.simulate.cases import CASES, GAMES, KEY, Case, cases_of
from tests.simulate.plain import Money, cents_settled, finished, played_in

METER_CENTS = 1_234_567
ROUNDS = {name: 10_000 // len(list(cases_of(name))) + 1 for name in GAMES}
# A million rounds of every game, in pieces that several workers can share.
PIECES = 4


def check_same_cents(case: Case, block: int, rounds: int) -> None:
    ready = make_ready(case.setup)
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


@pytest.mark.parametrize("case", CASES, ids=str)
def test_compiled_rounds_and_plain_settlement_give_identical_cents(case: Case) -> None:
    check_same_cents(case, 0, ROUNDS[case.game])


@pytest.mark.prove
@pytest.mark.parametrize("piece", range(PIECES))
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_million_compiled_rounds_of_every_game_give_the_cents_of_plain_settlement(case: Case, piece: int) -> None:
    blocks = len(list(cases_of(case.game))) * PIECES
    rounds = 1_000_000 // blocks + 1
    whole, rest = divmod(rounds, 65_536)
    for block in range(whole + 1):
        check_same_cents(case, 1 + piece * 100 + block, 65_536 if block < whole else rest)
