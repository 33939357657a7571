"""The battery: raw words (R-02), shuffled shoes (R-10) and the hands dealt from them, each against what is exact.

A wager's hands are read where no decision changes what it makes: jackpots and most bonus wagers. The cards of a seat
lie in the shoe where the stages of its game deal them to the only seat of a table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import factorial, isqrt
from typing import Any

import numpy

from pitboss.cards import Deck, KeyStream, shuffled
from pitboss.odds.compiled import as_arrays, compiled, make_compilable
from pitboss.odds.solving import counts_of, first_tables, stated_terms
from pitboss.odds.store import OddsStore
from pitboss.randomness import loops
from pitboss.randomness.trials import Trial, chi_square, fit, half_of, poisson_at_least
from pitboss.rules import CardPlace, Game, StageKind, Wager
from pitboss.rules.facts import Hands, codes, encode

# A pair of bytes is then expected 32 times.
BYTES_MIN = 1 << 22
_WORD_BITS = 32
_GAP_BELOW = 16
_LONGEST_RUN, _LONGEST_GAP = 64, 1024
_GROUP = 5
_DEVIATIONS = 8


def word_trials(stream: bytes) -> list[Trial]:
    """Try the bytes of a stream, also as words of 32 bits in little-endian order."""
    if len(stream) < BYTES_MIN:
        raise ValueError(f"{len(stream):,} bytes are too few: a trial takes {BYTES_MIN:,} at least")
    make_compilable(loops)
    usable = len(stream) // 4 * 4
    numbers = numpy.frombuffer(stream, dtype=numpy.uint8, count=usable)
    words = numpy.frombuffer(stream, dtype="<u4", count=usable // 4).astype(numpy.int64)
    return [*_bits(words), *_bytes(numbers), _runs(words), _gaps(numbers), _orders(words)]


def _bits(words: Any) -> list[Trial]:
    """Ones among all bits; ones by place in the word; bits that change from one word to the next, likewise."""
    ones, changes = (numpy.zeros(_WORD_BITS, dtype=numpy.int64) for _ in range(2))
    compiled(loops.tally_bits)(words, ones, changes)
    size = len(words)
    return [
        half_of("frequency", "bits", int(ones.sum()), _WORD_BITS * size),
        _places("frequency by place", "bits", ones, size),
        half_of("serial", "bits of words in a row", int(changes.sum()), _WORD_BITS * (size - 1)),
        _places("serial by place", "bits of words in a row", changes, size - 1),
    ]


def _places(test: str, of: str, ones: Any, size: int) -> Trial:
    """Compare the ones at each place with half the words; the places are independent of each other."""
    statistic = float(((2 * ones - size) ** 2 / size).sum())
    return chi_square(test, of, size, statistic, _WORD_BITS)


def _bytes(numbers: Any) -> list[Trial]:
    single, pairs = (numpy.zeros(256**power, dtype=numpy.int64) for power in (1, 2))
    compiled(loops.tally_bytes)(numbers, single, pairs)
    return [
        fit("frequency", "bytes", single, numpy.ones_like(single)),
        fit("serial", "pairs of bytes", pairs, numpy.ones_like(pairs)),
    ]


def _surely(tries: int, odds: int) -> int:
    """So many events of one in `odds` are found in so many tries, but for one time in 10**15.

    Their number must be fixed before looking: lengths are independent only for the first so many runs or gaps.
    """
    return tries // odds - _DEVIATIONS * isqrt(tries // odds)


def _runs(words: Any) -> Trial:
    """Lengths of runs of equal bits: each is one half as frequent as the one before."""
    lengths = numpy.zeros(_LONGEST_RUN + 1, dtype=numpy.int64)
    number = _surely(_WORD_BITS * len(words), 2)
    counted = compiled(loops.tally_runs)(words, number, lengths)
    weights = 0.5 ** numpy.arange(_LONGEST_RUN + 1)
    weights[0], weights[-1] = 0, weights[-2]
    return _lengths("runs", "equal bits", counted, number, lengths, weights)


def _gaps(numbers: Any) -> Trial:
    """Lengths of gaps between bytes less than 16."""
    lengths = numpy.zeros(_LONGEST_GAP + 1, dtype=numpy.int64)
    odds = 256 // _GAP_BELOW
    number = _surely(len(numbers), odds)
    counted = compiled(loops.tally_gaps)(numbers, _GAP_BELOW, number, lengths)
    weights = (1 - 1 / odds) ** numpy.arange(_LONGEST_GAP + 1) / odds
    weights[-1] *= odds
    return _lengths("gap", f"bytes less than {_GAP_BELOW}", counted, number, lengths, weights)


def _lengths(test: str, of: str, counted: int, number: int, lengths: Any, weights: Any) -> Trial:
    if counted < number:
        return Trial(test=test, of=of, sample=counted, statistic=float("inf"), degrees=None, p=0.0)
    return fit(test, of, lengths, weights)


def _orders(words: Any) -> Trial:
    """Orders of five words: all 120 are equally frequent."""
    orders = numpy.zeros(factorial(_GROUP), dtype=numpy.int64)
    compiled(loops.tally_orders)(words, _GROUP, orders)
    return fit("permutation", f"groups of {_GROUP} words", orders, numpy.ones_like(orders))


_SPARE_WORDS = 12
_OPENING_BITS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Shoes:
    """Shoes of rounds one after another, as places in new-deck order, with the first 64 bits of each stream."""

    orders: Any
    openings: Any


def deal_shoes(key: bytes, first_block: int, rounds: int, size: int) -> Shoes:
    """Deal as many rounds as asked, a block of the key each, exactly as the live door does."""
    make_compilable(loops)
    pieces = -(-(size + _SPARE_WORDS) // loops.PIECE_WORDS)
    orders = numpy.zeros((rounds, size), dtype=numpy.uint16)
    openings = numpy.zeros((rounds, 2), dtype=numpy.int64)
    short = numpy.zeros(rounds, dtype=numpy.uint8)
    compiled(loops.deal_rounds)(
        numpy.frombuffer(key, dtype="<u4").astype(numpy.int64),
        numpy.array([first_block >> 32 * part & 0xFFFFFFFF for part in range(3)], dtype=numpy.int64),
        pieces,
        numpy.zeros(pieces * loops.PIECE_WORDS, dtype=numpy.int64),
        orders,
        openings,
        short,
    )
    # So many rejections that the words ran out: dealt by the plain code.
    for index in numpy.flatnonzero(short):
        orders[index] = shuffled(range(size), KeyStream(key, first_block + int(index)))
    return Shoes(orders, openings[:, 0] | openings[:, 1] << 32)


class ShoeTally:
    """What is counted in shoes of one size."""

    __slots__ = ("carried", "fixed", "neighbours", "positions")

    def __init__(self, size: int) -> None:
        self.positions, self.neighbours = (numpy.zeros((size, size), dtype=numpy.int64) for _ in range(2))
        self.fixed, self.carried = (numpy.zeros(size + 1, dtype=numpy.int64) for _ in range(2))

    def add(self, orders: Any) -> None:
        """Count these shoes; cards that stay are counted from one of them to the next."""
        make_compilable(loops)
        compiled(loops.tally_shoes)(orders, self.positions, self.neighbours, self.fixed, self.carried)

    def merge(self, other: ShoeTally) -> None:
        """Add what another has counted."""
        for name in self.__slots__:
            mine: Any = getattr(self, name)
            mine += getattr(other, name)


def fixed_point_weights(size: int) -> Any:
    """Return the probability of each number of cards at home, exactly but for the last rounding.

    Of all orders, comb(size, k) times the derangements of the rest leave k cards at home.
    """
    derangements = [1, 0]
    for n in range(2, size + 1):
        derangements.append((n - 1) * (derangements[-1] + derangements[-2]))
    return numpy.array([derangements[size - k] / (factorial(k) * factorial(size - k)) for k in range(size + 1)])


def shoe_trials(of: str, tally: ShoeTally) -> list[Trial]:
    """Try what was counted."""
    weights = fixed_point_weights(len(tally.positions))
    return [
        _positions(of, tally.positions),
        _neighbours(of, tally.neighbours),
        fit("fixed points", of, tally.fixed, weights),
        fit("carried over", f"{of}, round to round", tally.carried, weights),
    ]


def _positions(of: str, counts: Any) -> Trial:
    """Every card lies at every position equally often.

    All rows and columns have the same sum, so the sum over all cells has mean n * (n - 1), and times (n - 1) / n the
    distribution of (n - 1)**2 degrees of freedom.
    """
    size, rounds = len(counts), int(counts[0].sum())
    expected = rounds / size
    statistic = float(((counts - expected) ** 2).sum() / expected) * (size - 1) / size
    return chi_square("card by position", of, rounds, statistic, (size - 1) ** 2)


def _neighbours(of: str, counts: Any) -> Trial:
    """Every card follows every other equally often; the first card follows the last.

    Each shoe is then one cycle through all cards, and all cycles are equally likely. Pairs that do not exclude each
    other come together with probability 1 / ((n - 1)(n - 2)), a pair and its reverse never; so of the deviations from
    the mean the part that a pair shares with its reverse has variance N / (n - 1), the rest n / (n - 2) times that,
    with n * (n - 3) / 2 and (n - 1)(n - 2) / 2 degrees of freedom.
    """
    size, rounds = len(counts), int(counts[0].sum())
    expected = rounds / (size - 1)
    deviations = counts - expected
    numpy.fill_diagonal(deviations, 0)
    alike, apart = (deviations + deviations.T) / 2, (deviations - deviations.T) / 2
    statistic = float((alike**2).sum() + (apart**2).sum() * (size - 2) / size) / expected
    return chi_square("neighbor pairs", of, rounds, statistic, size**2 - 3 * size + 1)


def opening_trial(openings: Any) -> Trial:
    """No two rounds begin with the same 64 bits (R-04): repetitions come by chance N * (N - 1) / 2**65 times."""
    rounds = len(openings)
    ordered = numpy.sort(openings)
    repeated = int((ordered[1:] == ordered[:-1]).sum())
    p = poisson_at_least(repeated, rounds * (rounds - 1) / 2 ** (_OPENING_BITS + 1))
    return Trial(
        test="repeated streams",
        of=f"first {_OPENING_BITS} bits of rounds",
        sample=rounds,
        statistic=float(repeated),
        degrees=None,
        p=p,
    )


@dataclass(frozen=True, slots=True)
class Layout:
    """Where in the shoe the cards of a lone seat and of the board lie, in the order dealt."""

    seat: tuple[int, ...]
    board: tuple[int, ...]


def layout_of(game: Game) -> Layout:
    """Follow the stages of a game with one seat that gets every card it may be dealt."""
    places: dict[CardPlace, list[int]] = {who: [] for who in CardPlace}
    used = 0
    for stage in game.stages:
        if stage.kind is StageKind.DEAL:
            places[stage.who] += range(used, used + len(stage.faces))
            used += len(stage.faces)
    return Layout(tuple(places[CardPlace.SEATS]), tuple(places[CardPlace.BOARD]))


@dataclass(frozen=True, slots=True, eq=False)
class HandsRead:
    """One wager whose facts codes are counted: how often each comes in all deals, and how it is read."""

    game: Game
    wager: Wager
    deck: Deck
    counts: Any

    def histogram_of(self, cards: Any) -> Any:
        """Read the wager in every shoe and count its codes."""
        histogram = numpy.zeros(len(self.counts), dtype=numpy.int64)
        layout = layout_of(self.game)
        player, board = cards[:, layout.seat].astype(numpy.int64), cards[:, layout.board].astype(numpy.int64)
        _loop_of(self.wager.read)(
            player,
            board,
            # What no decision and no reading changes is read under any of them.
            numpy.ones(max(len(self.game.decisions), 1), dtype=numpy.int64),
            numpy.zeros(max(len(self.game.switches), 1), dtype=numpy.int64),
            as_arrays(self.game.tables()),
            numpy.array(self.wager.bounds, dtype=numpy.int64),
            histogram,
        )
        return histogram


def hands_of(game: Game, store: OddsStore | None) -> tuple[HandsRead, ...]:
    """Return the wagers of a game that no decision changes, each way of reading once, with their exact counts."""
    hands: dict[Any, HandsRead] = {}
    for wager in game.wagers:
        # The main wager always has a decision, and counting it takes longest.
        if wager.read in hands or wager.switches or wager is game.main:
            continue
        terms, _ = stated_terms(game, {wager.name: first_tables(game, wager)})
        counts = counts_of(game, wager, terms, store=store)
        if [level.decisions for level in counts.levels] == [("",)]:
            level = counts.levels[0]
            by_code = numpy.zeros(len(codes(wager.bounds)), dtype=numpy.int64)
            numpy.add.at(by_code, level.codes[0, level.groups[0, 0]], level.counts[0, 0])
            hands[wager.read] = HandsRead(game, wager, terms.deck, by_code)
    return tuple(hands.values())


@cache
def _loop_of(read: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop around a way of reading, whose module must be compilable first."""
    make_compilable(sys.modules[read.__module__], sys.modules[encode.__module__])

    def loop(player: Any, board: Any, choices: Any, readings: Any, tables: Any, bounds: Any, histogram: Any) -> None:
        for index in range(player.shape[0]):
            histogram[encode(read(Hands(player[index], board[index], choices, readings), tables), bounds)] += 1

    return compiled(loop)
