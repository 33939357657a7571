"""How fast the main wagers are counted, against the same loops run as plain Python in the same run; the catalogue.

The loop that takes most of a count is watched: its time a node, compiled and on one core, and the time a node of the
very same function as plain Python, on a sample of the nodes. Both must have counted the same.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy

from pitboss.games import all_games
from pitboss.odds.context import NumbaContext, count
from pitboss.rules import Game

# The loop to watch, and how many nodes of it plain Python counts in about a second.
WATCHED = {
    "three-card-prime": ("loop_ante_play", 3),
    "deuces-wild": ("loop_fifth", 300),
    "super-three-card": ("loop_main", 20),
    "four-card-prime": ("loop_nodes", 20),
    "three-card-double-play": ("loop_high_low", 400),
}
SHORT_DECK = 5


@dataclass(slots=True)
class Watch:
    """Seconds and nodes of a loop, compiled and plain."""

    seconds: float = 0.0
    nodes: int = 0
    plain_seconds: float = 0.0
    plain_nodes: int = 0


@dataclass(frozen=True, kw_only=True)
class WatchingKit(NumbaContext):
    """A context that times one loop, and runs a sample of it as plain Python."""

    watched: str
    sample: int
    watch: Watch = field(default_factory=Watch, compare=False)

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile a loop, and time it where it is the one watched."""
        run = super().compiled(function)
        if function.__name__ != self.watched:
            return run

        def timed(start: int, stop: int, *given: Any) -> None:
            sampled = not self.watch.plain_nodes
            if sampled:
                self.watch.plain_nodes = min(self.sample, stop - start)
                part = start + self.watch.plain_nodes
                plain, same = _wide(given), _wide(given)
                begun = time.thread_time()
                function(start, part, *plain)
                self.watch.plain_seconds = time.thread_time() - begun
                run(start, part, *same)
                assert all(map(_equal, plain, same)), "plain Python counted otherwise"
            begun = time.thread_time()
            run(start, stop, *given)
            self.watch.seconds += time.thread_time() - begun
            self.watch.nodes += stop - start

        return timed


def _wide(value: Any) -> Any:
    """Copy arrays to 64-bit integers, so that plain Python's sums of elements do not overflow."""
    if isinstance(value, tuple):
        parts = [_wide(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value.astype(numpy.int64) if isinstance(value, numpy.ndarray) else value


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return all(map(_equal, one, other))
    return bool(numpy.array_equal(one, other))


def _measure(game: Game) -> None:
    """Print the line of one game."""
    decks = game.decks_allowed[0] if game.decks_allowed else 1
    name, sample = WATCHED[game.name]
    for ranks in (SHORT_DECK, 13):
        # The short deck compiles the loops, or loads them.
        begun = time.perf_counter()
        counts = count(game, game.main.name, NumbaContext(ranks=ranks, decks=decks))
        seconds = time.perf_counter() - begun
    context = WatchingKit(decks=decks, watched=name, sample=sample)
    count(game, game.main.name, context)
    watch = context.watch
    node, plain_node = watch.seconds / watch.nodes, watch.plain_seconds / watch.plain_nodes
    deals = counts.total / watch.nodes
    figures = f"{counts.total:22,}{seconds:9.2f}{counts.total / seconds:12.1e}"
    print(f"{game.name:24}{figures}{deals / node:14.1e}{deals / plain_node:12.1e}{plain_node / node:8,.0f}")


def _catalogue(words: str, cache: str | None = None) -> None:
    """Time the whole catalogue in a process of its own, nothing read from what was computed before."""
    environment = dict(os.environ) if cache is None else {**os.environ, "PITBOSS_CACHE_DIR": cache}
    command = [
        sys.executable,
        "-c",
        "from pitboss.cli.main import main; main()",
        "odds",
        "--all",
        "--json",
        "--no-cache",
    ]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)  # noqa: S603 - our own command
    seconds, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    peak = f"the largest process {after.ru_maxrss >> 10} MiB"
    print(f"the whole catalogue, {words}: {seconds:.1f} s, {cpu:.1f} s of processors, {peak}")


def main() -> None:
    """Print a line for each game, then the time of the catalogue; `cold` adds that of a first run."""
    print("main wagers; the loops' deals a second are for one core, baseline: the same loop as plain Python")
    print(f"{'game':24}{'deals':>22}{'seconds':>9}{'deals/s':>12}{'loop deals/s':>14}{'plain/s':>12}{'ratio':>8}")
    for game in all_games():
        _measure(game)
    _catalogue("compiled loops warm")
    if "cold" in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            _catalogue("first run, compiling", folder)


if __name__ == "__main__":
    main()
