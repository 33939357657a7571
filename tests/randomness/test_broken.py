"""The battery can fail: each broken source is caught, by the test named here; a good one passes the same trials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

from pitboss.games import find_game
from pitboss.odds.store import default_store
from pitboss.randomness.battery import BYTES_MIN, ShoeTally, deal_shoes, hands_of, opening_trial, word_trials
from pitboss.randomness.report import deck_trials
from pitboss.randomness.trials import Trial, rejected

SIZE = 52
ROUNDS = 40_000
WORDS = BYTES_MIN // 4


def good_words(seed: int = 1, number: int = WORDS) -> Any:
    return numpy.random.default_rng(seed).integers(0, 2**32, number, dtype=numpy.uint32)


def failing(trials: list[Trial]) -> set[str]:
    return {trials[place].test for place in rejected(trials)}


def a_biased_bit() -> Any:
    """Bit 17 is one in 52 words of a hundred."""
    lucky = numpy.random.default_rng(2).random(WORDS) < 0.04
    return good_words() | lucky.astype(numpy.uint32) << 17


def a_counter() -> Any:
    return numpy.arange(WORDS, dtype=numpy.uint32)


def a_counter_of_odd_steps() -> Any:
    """The sequence of Weyl: every bit and byte is even over the whole, too even."""
    return numpy.arange(WORDS, dtype=numpy.uint64).astype(numpy.uint32) * numpy.uint32(2654435769)


def a_stream_that_repeats() -> Any:
    return numpy.tile(good_words(number=WORDS // 16), 16)


def words_that_linger() -> Any:
    """One word of fifty is that before it."""
    words = good_words()
    again = numpy.random.default_rng(3).random(WORDS) < 0.02
    words[1:][again[1:]] = words[:-1][again[1:]]
    return words


def bytes_modulo_255() -> Any:
    return (good_words().view(numpy.uint8) % 255).view(numpy.uint32)


def bytes_too_even() -> Any:
    """All 256 bytes in a new order, again and again: each is exactly as frequent as the others."""
    orders = numpy.tile(numpy.arange(256, dtype=numpy.uint8), (BYTES_MIN // 256, 1))
    return numpy.random.default_rng(4).permuted(orders, axis=1).ravel().view(numpy.uint32)


def words_in_order() -> Any:
    """Of five words the first is the least a little too often."""
    words = good_words().copy()[: WORDS // 5 * 5].reshape(-1, 5)
    sort = numpy.random.default_rng(5).random(len(words)) < 0.02
    words[sort] = numpy.sort(words[sort], axis=1)
    return numpy.concatenate([words.ravel(), good_words(9, 5)])


BROKEN_WORDS: list[tuple[Callable[[], Any], set[str]]] = [
    (a_biased_bit, {"frequency", "frequency by place"}),
    (a_counter, {"frequency", "frequency by place", "serial", "serial by place", "runs", "gap", "permutation"}),
    (a_counter_of_odd_steps, {"serial", "serial by place", "permutation"}),
    (a_stream_that_repeats, {"frequency", "serial", "gap", "permutation"}),
    (words_that_linger, {"serial", "serial by place"}),
    (bytes_modulo_255, {"frequency", "serial"}),
    (bytes_too_even, {"frequency"}),
    (words_in_order, {"permutation"}),
]


@pytest.mark.parametrize(("broken", "tests"), BROKEN_WORDS, ids=lambda value: getattr(value, "__name__", ""))
def test_r_02_a_broken_stream_is_caught_by_name(broken: Callable[[], Any], tests: set[str]) -> None:
    assert tests <= failing(word_trials(broken().tobytes()))


def test_r_02_a_good_stream_passes() -> None:
    assert failing(word_trials(good_words().tobytes())) == set()


def random_orders(seed: int = 1, rounds: int = ROUNDS) -> Any:
    orders = numpy.tile(numpy.arange(SIZE, dtype=numpy.uint16), (rounds, 1))
    return numpy.random.default_rng(seed).permuted(orders, axis=1)


def a_shuffle_by(draw: Callable[[Any, int], Any]) -> Any:
    """Fisher and Yates with another draw: for each i from the last place down, of j."""
    random = numpy.random.default_rng(6)
    orders = numpy.tile(numpy.arange(SIZE, dtype=numpy.uint16), (ROUNDS, 1))
    rows = numpy.arange(ROUNDS)
    for i in range(SIZE - 1, 0, -1):
        j = draw(random, i)
        held = orders[rows, j]
        orders[rows, j] = orders[:, i]
        orders[:, i] = held
    return orders


def fisher_and_yates() -> Any:
    return a_shuffle_by(lambda random, i: random.integers(0, i + 1, ROUNDS))


def sattolo() -> Any:
    """The draw leaves out i itself: every card leaves its place."""
    return a_shuffle_by(lambda random, i: random.integers(0, i, ROUNDS))


def modulo_bias() -> Any:
    """A byte modulo n instead of a bounded draw."""
    return a_shuffle_by(lambda random, i: random.integers(0, 256, ROUNDS) % (i + 1))


def any_place() -> Any:
    """The best known mistake: j is drawn from all places."""
    return a_shuffle_by(lambda random, _i: random.integers(0, SIZE, ROUNDS))


def a_card_that_never_moves() -> Any:
    orders = random_orders()
    return numpy.concatenate([orders[:, :0], numpy.zeros((ROUNDS, 1), orders.dtype), _without_first(orders)], axis=1)


def _without_first(orders: Any) -> Any:
    return orders[orders != 0].reshape(ROUNDS, SIZE - 1)


def no_shuffle_at_all() -> Any:
    return numpy.tile(numpy.arange(SIZE, dtype=numpy.uint16), (ROUNDS, 1))


def a_cut() -> Any:
    """Each card lies everywhere equally often, but beside the same neighbour."""
    cuts = numpy.random.default_rng(7).integers(0, SIZE, (ROUNDS, 1))
    return ((numpy.arange(SIZE) + cuts) % SIZE).astype(numpy.uint16)


def a_shoe_dealt_again() -> Any:
    """One round in two hundred is dealt from the shoe of the round before."""
    orders = random_orders()
    orders[200::200] = orders[199:-1:200]
    return orders


def pairs_dealt_too_often() -> Any:
    """In some rounds the seat's second card is made to match its first."""
    orders = random_orders()
    for index in range(0, ROUNDS, 40):
        order = orders[index]
        mate = numpy.flatnonzero((order // 4 == order[0] // 4) & (numpy.arange(SIZE) > 3))
        if len(mate):
            order[1], order[mate[0]] = order[mate[0]], order[1]
    return orders


BROKEN_SHOES: list[tuple[Callable[[], Any], set[str]]] = [
    (sattolo, {"card by position", "fixed points"}),
    (modulo_bias, {"card by position"}),
    (any_place, {"card by position"}),
    (a_card_that_never_moves, {"card by position", "fixed points", "carried over"}),
    (no_shuffle_at_all, {"card by position", "neighbor pairs", "fixed points", "carried over", "hand frequency"}),
    (a_cut, {"neighbor pairs", "fixed points", "carried over", "hand frequency"}),
    (a_shoe_dealt_again, {"carried over"}),
    (pairs_dealt_too_often, {"hand frequency"}),
]


def trials_of(orders: Any) -> list[Trial]:
    tally = ShoeTally(SIZE)
    tally.add(orders)
    read = list(hands_of(find_game("three-card-prime"), default_store()))
    cards = orders.astype(numpy.uint8)
    return deck_trials("one deck", tally, read, [each.histogram_of(cards) for each in read])


@pytest.mark.parametrize(("broken", "tests"), BROKEN_SHOES, ids=lambda value: getattr(value, "__name__", ""))
def test_r_10_a_broken_shuffle_is_caught_by_name(broken: Callable[[], Any], tests: set[str]) -> None:
    assert tests <= failing(trials_of(broken()))


@pytest.mark.parametrize("good", [random_orders, fisher_and_yates], ids=lambda value: value.__name__)
def test_r_10_a_good_shuffle_passes(good: Callable[[], Any]) -> None:
    assert failing(trials_of(good())) == set()


def test_r_04_a_repeated_stream_is_caught_by_name() -> None:
    openings = deal_shoes(bytes(32), 0, 20_000, 2).openings.copy()
    good = opening_trial(openings)
    openings[10_000] = openings[3]
    assert failing([good]) == set()
    assert failing([opening_trial(openings)]) == {"repeated streams"}
