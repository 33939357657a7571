"""What a report says is added up a second time from the rounds themselves, and a wrong game is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from statistics import pstdev

import pytest

from pitboss.games import find_game
from pitboss.rules import Settler
from pitboss.rules.settlement import FinishedRound, FinishedSeat
from pitboss.simulate import make_report
from pitboss.simulate.playing import Ready, make_ready
from pitboss.simulate.report import SimulationReport
from pitboss.simulate.running import run
from pitboss.simulate.setup import Setup, make_setup
from tests.simulate.tables import KEY, table

ROUNDS = 2000


def settled(ready: Ready) -> Iterator[dict[str, tuple[int, int]]]:
    """Settle the rounds one by one and give what all seats staked and were paid, by wager."""
    setup = ready.setup
    settler = Settler(ready.game, setup.terms)
    names = list(ready.game.by_name)
    meters = dict.fromkeys(names, 0)
    for chunk in ready.play(KEY, 0, ROUNDS):
        for place in range(chunk.rounds):
            cards = chunk.cards[place].tolist()
            seats = tuple(
                FinishedSeat(
                    seat + 1,
                    {name: cents for name, cents in zip(names, setup.stakes[seat], strict=True) if cents},
                    tuple(cards[ready.seat_cards * seat :][: ready.seat_cards]),
                    tuple(chunk.choices[place, seat].tolist()),
                )
                for seat in range(setup.seats)
            )
            board = tuple(cards[ready.seat_cards * setup.seats :])
            lines = settler.settle(FinishedRound(board, seats), meters).lines.values()
            yield {
                name: (
                    sum(line[name].staked_cents for line in lines if name in line),
                    sum(line[name].paid_cents for line in lines if name in line),
                )
                for name in names
            }


@pytest.mark.parametrize(("game", "seats"), [("three-card-prime", 3), ("three-card-double-play", 2)])
def test_money_means_and_errors_are_those_of_rounds_settled_one_by_one(game: str, seats: int) -> None:
    setup = table(game, seats=seats, cents=500)
    report = make_report(run(setup, KEY, ROUNDS))
    rounds = list(settled(make_ready(setup)))
    for each in report.wagers:
        staked, paid = ([got[each.wager][column] for got in rounds] for column in (0, 1))
        base = sum(setup.staked_on(each.wager))
        assert (each.staked_cents, each.paid_cents) == (sum(staked), sum(paid))
        assert each.mean == Fraction(sum(paid) - sum(staked), base * ROUNDS)
        spread = pstdev([out - into for into, out in zip(staked, paid, strict=True)])
        assert each.standard_error == pytest.approx(spread / sqrt(ROUNDS) / base)
        assert each.placed == seats * ROUNDS
        assert sum(event.count for event in each.events) == ROUNDS
        assert sum(event.probability for event in each.events) == 1
    assert report.won_cents == sum(into - out for got in rounds for into, out in got.values())


def large(setup: Setup) -> SimulationReport:
    return make_report(run(setup, KEY, 300_000))


@pytest.mark.parametrize("strategy", ["optimal", "simple", "never-fold"])
def test_the_second_road_meets_the_exact_figures_under_every_strategy(strategy: str) -> None:
    for each in large(table("three-card-prime", seats=3, strategy=strategy)).wagers:
        assert each.z is not None
        assert abs(each.z) < 4.5, each.wager
        assert each.chance is not None
        assert each.chance > 1e-5, each.wager


def test_never_folding_folds_never() -> None:
    report = make_report(run(table("three-card-prime", "ante-play", strategy="never-fold"), KEY, 10_000))
    assert all(event.event != "folds" for event in report.wagers[0].events)
    assert report.wagers[0].exact < large(table("three-card-prime", "ante-play")).wagers[0].exact


def test_a_game_that_pays_otherwise_than_it_says_is_noticed() -> None:
    """One hand in a hundred turned from a loss into a prize shows in both figures; what cannot be is refused."""
    setup = table("three-card-prime", "ante-play", "prime")
    tally = run(setup, KEY, 300_000)
    first = int(make_ready(setup).begins[1])
    tally.histogram[0, first] -= 3000
    tally.histogram[0, first + 0b10] += 3000
    prime = make_report(tally).wagers[1]
    assert prime.z is not None
    assert prime.chance is not None
    assert prime.z > 6
    assert prime.chance < 1e-9
    never = table("three-card-prime", "ante-play", "prime", strategy="never-fold")
    with pytest.raises(RuntimeError, match="folds"):
        make_report(replace(tally, setup=never))


def test_seats_that_would_decide_differently_are_refused() -> None:
    setup = table("three-card-double-play", seats=2)
    without = (0, *setup.stakes[1][1:])
    with pytest.raises(ValueError, match="either every seat places"):
        make_ready(replace(setup, stakes=(setup.stakes[0], without)))


def test_what_is_wrong_with_a_table_comes_at_once() -> None:
    good = table("three-card-prime")
    game = find_game("three-card-prime")
    with pytest.raises(ValueError, match="stakes") as error:
        make_setup(game, good.terms, {"prime": 0, "all-six": -5, "final-four": 500, "treasure": 100}, seats=99)
    for words in (
        "seats: 99",
        "stakes.prime: 0 cents",
        "stakes.all-six: -5",
        "one amount, 100",
        "no such wager",
        "every seat",
    ):
        assert words in str(error.value)
