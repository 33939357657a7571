"""Running many blocks: on threads of this machine or on a Dask cluster, always handed out whole and taken in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy

from pitboss.odds.compiled import source_hash
from pitboss.simulate.blocks import BlockResult, run_block
from pitboss.simulate.playing import make_ready
from pitboss.simulate.setup import BLOCK_ROUNDS, Setup

__all__ = ["Tally", "blocks_of", "run", "run_blocks", "workers_here"]


class _Promise(Protocol):
    """A block that is being worked on."""

    def result(self) -> Any:
        """Wait for it."""

    def cancel(self) -> Any:
        """Let it go, if it was not begun."""


_Submit: TypeAlias = Callable[[Setup, bytes, int, int, int], _Promise]


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Blocks added up: counts by seat and facts code, squares, the house's cents by `span` rounds, meter rounds.

    The rows of `found` begin with the number of the round counted from the first of all.
    """

    setup: Setup
    key: bytes
    span: int
    rounds: int
    histogram: Any
    squares: Any
    wins: Any
    found: Any
    whole: bool


def workers_here() -> int:
    """How many workers this machine has use for."""
    return os.cpu_count() or 1


def blocks_of(rounds: int) -> list[tuple[int, int]]:
    """Divide rounds into whole blocks and what is left: block numbers with their rounds."""
    whole, rest = divmod(rounds, BLOCK_ROUNDS)
    return [(block, BLOCK_ROUNDS) for block in range(whole)] + ([(whole, rest)] if rest else [])


def _one(setup: Setup, key: bytes, block: int, rounds: int, span: int) -> BlockResult:
    return run_block(setup, key, block, rounds=rounds, span=span)


def _one_elsewhere(version: str, *given: Any) -> BlockResult:
    """Play a block on another machine, if it has the same sources."""
    if source_hash() != version:
        raise ValueError(f"a worker has other sources of Pitboss ({source_hash()}) than this machine ({version})")
    return _one(*given)


@contextmanager
def _threads(workers: int) -> Iterator[_Submit]:
    pool = ThreadPoolExecutor(workers)
    try:
        yield lambda *given: pool.submit(_one, *given)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _cluster(address: str) -> Iterator[_Submit]:
    """Hand blocks to a Dask cluster: a block whose worker dies is played again elsewhere, and counted once."""
    try:
        from distributed import Client  # noqa: PLC0415
    except ImportError:
        raise ValueError("a cluster needs Dask: install pitboss with the extra `cluster`") from None
    with Client(address, set_as_default=False) as client:
        yield lambda *given: client.submit(_one_elsewhere, source_hash(), *given, pure=False)


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
    """Let what is done go by."""


def run(
    setup: Setup,
    key: bytes,
    rounds: int,
    *,
    span: int = BLOCK_ROUNDS,
    workers: int | None = None,
    scheduler: str | None = None,
    done: Callable[[int], None] = _tell_nobody,
) -> Tally:
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
        self.found: list[Any] = []

    def add(self, result: BlockResult) -> None:
        found = result.found.copy()
        found[:, 0] += self.rounds
        self.rounds += result.rounds
        self.histogram = self.histogram + result.histogram
        self.squares = self.squares + result.squares
        self.wins.append(result.wins)
        self.found.append(found)

    def tally(self, setup: Setup, key: bytes, span: int, rounds: int) -> Tally:
        return Tally(
            setup=setup,
            key=key,
            span=span,
            rounds=self.rounds,
            histogram=self.histogram,
            squares=self.squares,
            wins=numpy.concatenate(self.wins),
            found=numpy.concatenate(self.found),
            whole=self.rounds == rounds,
        )
