"""The catalogue of all that can be priced as printed, and its solution by as many processes as there are cores.

What only solving needs is imported when something is to be solved: kept results are given in well under a second.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from threading import Lock
from typing import TYPE_CHECKING, Any

from pitboss.games import find_game
from pitboss.odds.compiled import on_one_core
from pitboss.odds.results import OddsResult, result_from_json
from pitboss.odds.store import OddsStore, stored_result
from pitboss.rules import Game, Terms, TermsInput, Wager, make_terms

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor


Progress = Callable[[str, str], None]
_SECONDS_BETWEEN_LOOKS = 0.1


def catalogue(game: Game) -> Iterator[tuple[Wager, Terms]]:
    """Every wager with every combination of tables that needs no amounts, every reading and every shoe.

    A wager that shares a decision with the main one stands beside each of its tables too; one that is settled on what
    the main wager chose stands there only.
    """
    for wager in game.wagers:
        shares = wager.shares
        for terms in _printed_terms(game, wager, ()):
            if shares is None or not shares.follows_branch or terms.readings[shares.switch] not in shares.readings:
                yield wager, terms
        if shares is not None:
            for terms in _printed_terms(game, wager, (game.by_name[shares.main],)):
                if terms.readings[shares.switch] in shares.readings:
                    yield wager, terms


def _printed_terms(game: Game, wager: Wager, beside: tuple[Wager, ...]) -> Iterator[Terms]:
    wagers = (wager, *beside)
    choices = [[slot.ids for slot in priced_wager.slots if not slot.fixed] for priced_wager in wagers]
    switches = [switch for switch in game.switches if switch.name in wager.switches]
    for decks, tables, read in product(
        game.decks_allowed or (None,),
        product(*(product(*slots) for slots in choices)),
        product(*(switch.readings for switch in switches)),
    ):
        inputs = TermsInput(
            paytables={priced_wager.name: list(ids) for priced_wager, ids in zip(wagers, tables, strict=True)},
            readings={switch.name: reading for switch, reading in zip(switches, read, strict=True)},
            decks=decks,
        )
        terms, problems = make_terms(game, inputs)
        if not problems:
            yield terms


def _no_progress(game: str, wager: str) -> None:
    """Report nothing."""


def solve_catalogue(
    games: list[Game], *, store: OddsStore | None = None, done: Progress = _no_progress
) -> list[OddsResult]:
    """Solve the catalogue of these games, in order, telling game and wager as each is done.

    Where several games have something to compute, processes take a game each: reading compiled loops and pricing hold
    the interpreter, so that threads would wait for each other.
    """
    stored = {game.name: _stored_results(game, store) for game in games}
    missing = [name for name, results in stored.items() if results is None]
    solved = _in_processes(missing, store, done) if len(missing) > 1 else {n: _solve(n, store, done) for n in missing}
    results = []
    for game in games:
        results.extend(stored[game.name] or solved[game.name])
    return results


def _stored_results(game: Game, store: OddsStore | None) -> list[OddsResult] | None:
    """Return the results of a game if all of them were computed before."""
    results = []
    for wager, terms in catalogue(game):
        result = stored_result(game, wager, terms, store)
        if result is None:
            return None
        results.append(result)
    return results


def _solve(name: str, store: OddsStore | None, done: Progress) -> list[OddsResult]:
    from pitboss.odds.solving import solve_terms  # noqa: PLC0415

    game = find_game(name)
    results = []
    for wager, terms in catalogue(game):
        results.append(solve_terms(game, wager, terms, store=store))
        done(name, wager.name)
    return results


_QUEUE: Any = None
_ONE_READER = Lock()


def _begin_process(queue: Any) -> None:
    global _QUEUE  # noqa: PLW0603
    _QUEUE = queue


def _solve_in_process(name: str, store: OddsStore | None) -> list[dict[str, Any]]:
    with on_one_core():
        return [result.as_json() for result in _solve(name, store, lambda game, wager: _QUEUE.put((game, wager)))]


def _in_processes(names: list[str], store: OddsStore | None, done: Progress) -> Mapping[str, list[OddsResult]]:
    """Solve games in this process and in one more for every other core, each taking the next game when it is free."""
    from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    others = max(1, (os.cpu_count() or 1) - 1)
    context = get_context("spawn")
    # What is put here is readable before the result it belongs to, so that no progress is lost.
    queue = context.SimpleQueue()
    # The games listed last have the most cards; begun at the end, one of them would leave the other cores idle.
    waiting = deque(names[::-1])
    solved: dict[str, list[OddsResult]] = {}
    with ProcessPoolExecutor(others, context, _begin_process, (queue,)) as pool, ThreadPoolExecutor(others) as feeders:
        try:
            fed = [feeders.submit(_feed, waiting, solved, pool, store, queue, done) for _ in range(others)]
            with on_one_core():
                for name in _next_names(waiting):
                    solved[name] = _solve(name, store, done)
            for feeding in fed:
                feeding.result()
        except BaseException:
            waiting.clear()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return solved


def _next_names(waiting: deque[str]) -> Iterator[str]:
    """Yield one name after another, whichever other thread takes some."""
    with suppress(IndexError):
        while True:
            yield waiting.popleft()


def _feed(
    waiting: deque[str],
    solved: dict[str, list[OddsResult]],
    pool: ProcessPoolExecutor,
    store: OddsStore | None,
    queue: Any,
    done: Progress,
) -> None:
    """Feed a process one game after another, and report its progress."""
    from concurrent.futures import wait  # noqa: PLC0415

    for name in _next_names(waiting):
        future = pool.submit(_solve_in_process, name, store)
        while not future.done():
            wait([future], timeout=_SECONDS_BETWEEN_LOOKS)
            _report_progress(queue, done)
        solved[name] = [result_from_json(content) for content in future.result()]


def _report_progress(queue: Any, done: Progress) -> None:
    with _ONE_READER:
        while not queue.empty():
            done(*queue.get())
