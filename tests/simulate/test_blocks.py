"""A block is the same whoever plays it: in whatever pieces, with whatever wagers beside."""

from __future__ import annotations

import numpy
import pytest

from pitboss.simulate import playing, running
from pitboss.simulate.playing import make_ready
from pitboss.simulate.running import BlockResult, run_block
from tests.simulate.cases import CASES, GAMES, KEY, Case, cases_of
from tests.simulate.plain import played_in


def same(first: BlockResult, second: BlockResult) -> bool:
    arrays = ("histogram", "squares", "wins", "watched")
    return all(numpy.array_equal(getattr(first, name), getattr(second, name)) for name in arrays)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_key_gives_the_same_result_whatever_the_chunks(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(cases_of(game))
    whole = run_block(case.setup, KEY, 3, rounds=3_000, span=100)
    for size in (700, 1_024, 3_000):
        monkeypatch.setattr(playing, "CHUNK_ROUNDS", size)
        monkeypatch.setattr(running, "CHUNK_ROUNDS", size)
        assert same(whole, run_block(case.setup, KEY, 3, rounds=3_000, span=100))
    assert not same(whole, run_block(case.setup, KEY, 4, rounds=3_000, span=100))
    assert not same(whole, run_block(case.setup, bytes(32), 3, rounds=3_000, span=100))


@pytest.mark.parametrize("case", {case.game: case for case in CASES if case.seats == 3}.values(), ids=str)
def test_a_tally_is_that_of_its_rounds(case: Case) -> None:
    """Counted the plain way: codes by seat, cents of the house, and the places where a meter pays."""
    ready, rounds, span = make_ready(case.setup), 800, 200
    result = run_block(case.setup, KEY, 11, rounds=rounds, span=span)
    histogram, wins, squares = numpy.zeros_like(result.histogram), [0] * (rounds // span), [0] * len(ready.game.wagers)
    found, number = [], 0
    for chunk in ready.play(KEY, 11, rounds):
        for played in played_in(ready, chunk):
            for wager in range(len(ready.game.wagers)):
                won = 0
                for seat, codes in enumerate(played.codes):
                    at = seat, ready.begins[wager] + codes[wager]
                    if ready.placed[seat, wager]:
                        histogram[at] += 1
                        won += int(ready.paid[at] - ready.staked[at] + ready.envy[at])
                        if ready.watched[at]:
                            found.append([number, seat, wager, codes[wager]])
                wins[number // span] -= won
                squares[wager] += won * won
            number += 1
    assert histogram.tolist() == result.histogram.tolist()
    assert wins == result.wins.tolist()
    assert squares == [int(square) for square in result.squares]
    assert found == result.watched.tolist()
