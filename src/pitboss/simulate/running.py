"""Running blocks of rounds: on threads of this machine or on a Dask cluster, handed out whole and added up in order.

A block is simulated without meters, anywhere, into counts that add up and the places where a meter pays.
"""

import logging
import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy

from pitboss.odds.compiled import source_hash
from pitboss.simulate.limiting import held_back
from pitboss.simulate.playing import CHUNK_ROUNDS, Chunk, Ready, make_ready
from pitboss.simulate.setup import BLOCK_ROUNDS, Setup
from pitboss.simulate.shoes import BANDS, DepthSums

NO_ROWS = numpy.zeros((0, 3), dtype=numpy.int64)


@dataclass(frozen=True, slots=True, eq=False)
class BlockResult:
    """What a block gives, all of which adds up over blocks.

    `histogram` counts by seat and facts code; `squares` adds up those of each wager's cents won in a round; `wins` are
    the house's cents of every `span` rounds; `watched` has a row of round, seat, wager and code wherever a meter pays,
    `held` one of round, wager and cents wherever an aggregate limit holds something back, which is in `wins`.
    """

    block: int
    rounds: int
    histogram: Any
    squares: Any
    wins: Any
    watched: Any
    held: Any = field(default_factory=lambda: NO_ROWS)
    depths: DepthSums | None = None


def run_block(
    setup: Setup, key: bytes, block: int, *, rounds: int = BLOCK_ROUNDS, span: int = BLOCK_ROUNDS
) -> BlockResult:
    """Simulate the first rounds of a block; the same key and block number give the same result everywhere."""
    ready = make_ready(setup)
    worth = 2 * (ready.paid - ready.staked + ready.envy) + ready.watched
    seats, wagers = ready.placed.shape
    histogram = numpy.zeros(worth.shape, dtype=numpy.int64)
    squares = numpy.zeros(wagers, dtype=numpy.float64)
    wins = numpy.zeros(rounds // span, dtype=numpy.int64)
    watched, held = [], [NO_ROWS]
    depths = None if setup.cut_card is None else DepthSums.empty(wagers)
    room = numpy.zeros((CHUNK_ROUNDS * seats * wagers, 4), dtype=numpy.int64)
    sums = numpy.zeros((2, CHUNK_ROUNDS), dtype=numpy.int64)
    for chunk in ready.play(key, block, rounds):
        arrays = (chunk.codes, ready.begins, ready.placed, worth, histogram, squares, wins, sums, room)
        rows = room[: ready.tally_loop(chunk.rounds, chunk.first, span, *arrays)]
        watched.append(rows[numpy.argsort(rows[:, 0], kind="stable")])
        held += _held(ready, chunk)
        if depths is not None:
            _add_depths(ready, chunk, worth, depths)
    _check(ready, histogram, rounds)
    squares += _squares_of_one_seat(histogram, worth, ready.begins, ready.placed)
    all_held = numpy.concatenate(held)
    within = all_held[all_held[:, 0] // span < len(wins)]
    numpy.add.at(wins, within[:, 0] // span, within[:, 2])
    return BlockResult(block, rounds, histogram, squares, wins, numpy.concatenate(watched), all_held, depths)


def _add_depths(ready: Ready, chunk: Chunk, worth: Any, depths: DepthSums) -> None:
    """Add the rounds of a chunk by how deep in the shoe they were begun."""
    seats = numpy.arange(chunk.codes.shape[1])[:, None]
    won = (worth[seats, ready.begins[:-1] + chunk.codes[: chunk.rounds]] >> 1) * ready.placed
    bands = chunk.depths * BANDS // ready.setup.cut_card
    depths.add(bands, won.sum(axis=1), chunk.gains)


def _held(ready: Ready, chunk: Chunk) -> list[Any]:
    """Return the rows of what aggregate limits hold back in a chunk, wager after wager."""
    rows = [
        [(chunk.first + place, limited.place, cents) for place, cents in bound]
        for limited in ready.limited
        if (bound := held_back(limited, chunk.codes[: chunk.rounds, :, limited.place]))
    ]
    return [numpy.array(each, dtype=numpy.int64) for each in rows]


def _check(ready: Ready, histogram: Any, rounds: int) -> None:
    """See that every wager of every seat was counted in every round."""
    expected = int(ready.placed.sum()) * rounds
    if int(histogram.sum()) != expected:
        raise RuntimeError(f"{int(histogram.sum())} wagers were counted, not {expected}")


def _squares_of_one_seat(histogram: Any, worth: Any, begins: Any, placed: Any) -> Any:
    """Return by wager the sum of the squares of what is won, where one seat has it; where several have, none."""
    squares = numpy.zeros(placed.shape[1], dtype=numpy.float64)
    for wager in numpy.flatnonzero(placed.sum(axis=0) == 1):
        at = (placed[:, wager].argmax(), slice(begins[wager], begins[wager + 1]))
        won = (worth[at] >> 1).tolist()
        squares[wager] = sum(times * cents * cents for times, cents in zip(histogram[at].tolist(), won, strict=True))
    return squares


class _Promise(Protocol):
    """A block that is being worked on."""

    def result(self) -> Any:
        """Wait for it."""

    def cancel(self) -> Any:
        """Cancel it, if it was not begun."""


_Submit: TypeAlias = Callable[[Setup, bytes, int, int, int], _Promise]


@dataclass(frozen=True, slots=True, eq=False)
class RoundTally:
    """Blocks added up: counts by seat and facts code, squares, the house's cents by `span` rounds, meter rounds.

    The rows of `watched` and `held` begin with the number of the round counted from the first of all.
    """

    setup: Setup
    key: bytes
    span: int
    rounds: int
    histogram: Any
    squares: Any
    wins: Any
    watched: Any
    whole: bool
    held: Any = field(default_factory=lambda: NO_ROWS)
    depths: DepthSums | None = None


def workers_here() -> int:
    """How many workers this machine has use for."""
    return os.cpu_count() or 1


def blocks_of(rounds: int) -> list[tuple[int, int]]:
    """Divide rounds into whole blocks and what is left: block numbers with their rounds."""
    whole, rest = divmod(rounds, BLOCK_ROUNDS)
    return [(block, BLOCK_ROUNDS) for block in range(whole)] + ([(whole, rest)] if rest else [])


def _play(setup: Setup, key: bytes, block: int, rounds: int, span: int) -> BlockResult:
    return run_block(setup, key, block, rounds=rounds, span=span)


def _play_elsewhere(version: str, *arguments: Any) -> BlockResult:
    """Play a block on another machine, if it has the same sources."""
    if source_hash() != version:
        raise ValueError(f"a worker has other sources of Pitboss ({source_hash()}) than this machine ({version})")
    return _play(*arguments)


@contextmanager
def _threads(workers: int) -> Iterator[_Submit]:
    pool = ThreadPoolExecutor(workers)
    try:
        yield lambda *arguments: pool.submit(_play, *arguments)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_NEED_DASK = "a cluster needs Dask: install pitboss with the extra `cluster`"


@contextmanager
def clients(address: str) -> Iterator[Any]:
    """Connect to a Dask cluster."""
    try:
        from distributed import Client  # noqa: PLC0415
    except ImportError:
        raise ValueError(_NEED_DASK) from None
    with Client(address, set_as_default=False) as client:
        yield client


@contextmanager
def processes(workers: int) -> Iterator[str]:
    """Start a cluster of so many processes on this machine, and return its address."""
    try:
        from distributed import LocalCluster  # noqa: PLC0415
    except ImportError:
        raise ValueError(_NEED_DASK) from None
    named: Any = {"n_workers": workers, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    # On a free port: with its usual one a second cluster would warn whoever forecasts that it is taken.
    named["scheduler_kwargs"] = {"dashboard_address": "127.0.0.1:0"}
    with LocalCluster(silence_logs=logging.ERROR, **named) as cluster:
        yield cluster.scheduler_address


@contextmanager
def _cluster(address: str) -> Iterator[_Submit]:
    """Hand blocks to a Dask cluster: a block whose worker dies is played again elsewhere, and counted once."""
    with clients(address) as client:
        yield lambda *arguments: client.submit(_play_elsewhere, source_hash(), *arguments, pure=False)


def run_blocks(
    setup: Setup,
    key: bytes,
    rounds: int,
    *,
    span: int = BLOCK_ROUNDS,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Iterator[BlockResult]:
    """Play rounds and give the blocks in order, whoever played them; a few more than there are workers are out."""
    waiting: deque[_Promise] = deque()
    count = workers or workers_here()
    using: AbstractContextManager[_Submit]
    if scheduler is None:
        # Compiled and decided once, before the threads.
        make_ready(setup)
        using, ahead = _threads(count), 2 * count
    else:
        using, ahead = _cluster(scheduler), 4 * (workers or 64)
    with using as submit:
        try:
            for block, size in blocks_of(rounds):
                waiting.append(submit(setup, key, block, size, span))
                if len(waiting) > ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for promise in waiting:
                promise.cancel()


def _tell_nobody(rounds: int) -> None:
    """Report progress to nobody."""


def run(
    setup: Setup,
    key: bytes,
    rounds: int,
    *,
    span: int = BLOCK_ROUNDS,
    workers: int | None = None,
    scheduler: str | None = None,
    done: Callable[[int], None] = _tell_nobody,
) -> RoundTally:
    """Play rounds and add up the blocks.

    The same key gives the identical tally with any number of workers. `done` is told the rounds of each block.
    Interrupted from the keyboard, it gives what there is: whole blocks from the first.
    """
    if rounds < 1:
        raise ValueError(f"rounds is {rounds}; it must be at least 1")
    if not 1 <= span <= BLOCK_ROUNDS:
        raise ValueError(f"span is {span}; it must be from 1 to {BLOCK_ROUNDS}")
    adding = _Adding()
    blocks = run_blocks(setup, key, rounds, span=span, workers=workers, scheduler=scheduler)
    try:
        for result in blocks:
            adding.add(result)
            done(result.rounds)
    except KeyboardInterrupt:
        blocks.close()  # type: ignore[attr-defined]
        if not adding.rounds:
            raise
    return adding.tally(setup, key, span, rounds)


class _Adding:
    """Blocks as they come in."""

    def __init__(self) -> None:
        self.rounds = 0
        self.histogram: Any = 0
        self.squares: Any = 0.0
        self.wins: list[Any] = []
        self.watched: list[Any] = []
        self.held: list[Any] = []
        self.depths: DepthSums | None = None

    def add(self, result: BlockResult) -> None:
        watched = result.watched.copy()
        watched[:, 0] += self.rounds
        held = result.held.copy()
        held[:, 0] += self.rounds
        self.held.append(held)
        if result.depths is not None:
            self.depths = result.depths if self.depths is None else self.depths.plus(result.depths)
        self.rounds += result.rounds
        self.histogram = self.histogram + result.histogram
        self.squares = self.squares + result.squares
        self.wins.append(result.wins)
        self.watched.append(watched)

    def tally(self, setup: Setup, key: bytes, span: int, rounds: int) -> RoundTally:
        return RoundTally(
            setup=setup,
            key=key,
            span=span,
            rounds=self.rounds,
            histogram=self.histogram,
            squares=self.squares,
            wins=numpy.concatenate(self.wins),
            watched=numpy.concatenate(self.watched),
            whole=self.rounds == rounds,
            held=numpy.concatenate(self.held),
            depths=self.depths,
        )
