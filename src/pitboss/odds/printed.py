"""The catalogue of all that can be priced as printed, and its solution by as many processes as there are cores.

What only solving needs is imported when something is to be solved: kept results are given in well under a second.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from queue import Empty
from typing import TYPE_CHECKING, Any

from pitboss.games import find_game
from pitboss.odds.compiled import on_one_core
from pitboss.odds.results import OddsResult, result_from_json
from pitboss.odds.store import OddsStore, kept_result
from pitboss.rules import Game, Terms, TermsInput, Wager, make_terms

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor


Told = Callable[[str, str], None]
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
    choices = [[slot.ids for slot in each.slots if not slot.fixed] for each in wagers]
    switches = [switch for switch in game.switches if switch.name in wager.switches]
    for decks, tables, read in product(
        game.decks_allowed or (None,),
        product(*(product(*slots) for slots in choices)),
        product(*(switch.readings for switch in switches)),
    ):
        stated = TermsInput(
            paytables={each.name: list(ids) for each, ids in zip(wagers, tables, strict=True)},
            readings={switch.name: reading for switch, reading in zip(switches, read, strict=True)},
            decks=decks,
        )
        terms, problems = make_terms(game, stated)
        if not problems:
            yield terms


def _tell_nobody(game: str, wager: str) -> None:
    """Let what is done go by."""


def solve_catalogue(
    games: list[Game], *, store: OddsStore | None = None, done: Told = _tell_nobody
) -> list[OddsResult]:
    """Solve the catalogue of these games, in order, telling game and wager as each is done.

    Where several games have something to compute, processes take a game each: reading compiled loops and pricing hold
    the interpreter, so that threads would wait for each other.
    """
    kept = {game.name: _kept(game, store) for game in games}
    missing = [name for name, results in kept.items() if results is None]
    solved = _in_processes(missing, store, done) if len(missing) > 1 else {n: _solve(n, store, done) for n in missing}
    results = []
    for game in games:
        results.extend(kept[game.name] or solved[game.name])
    return results


def _kept(game: Game, store: OddsStore | None) -> list[OddsResult] | None:
    """Give the results of a game if all of them were made before."""
    results = []
    for wager, terms in catalogue(game):
        result = kept_result(game, wager, terms, store)
        if result is None:
            return None
        results.append(result)
    return results


def _solve(name: str, store: OddsStore | None, done: Told) -> list[OddsResult]:
    from pitboss.odds.solving import solve_terms  # noqa: PLC0415

    game = find_game(name)
    results = []
    for wager, terms in catalogue(game):
        results.append(solve_terms(game, wager, terms, store=store))
        done(name, wager.name)
    return results


_QUEUE: Any = None


def _begin_process(queue: Any) -> None:
    global _QUEUE  # noqa: PLW0603
    _QUEUE = queue


def _solve_in_process(name: str, store: OddsStore | None) -> list[dict[str, Any]]:
    with on_one_core():
        return [result.as_json() for result in _solve(name, store, lambda game, wager: _QUEUE.put((game, wager)))]


def _in_processes(names: list[str], store: OddsStore | None, done: Told) -> Mapping[str, list[OddsResult]]:
    """Solve games in this process and in one more for every other core, each taking the next game when it is free."""
    from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    others = max(1, (os.cpu_count() or 1) - 1)
    context = get_context("spawn")
    queue = context.Queue()
    # The games listed last have the most cards; begun at the end, one of them would leave the other cores idle.
    waiting = deque(names[::-1])
    solved: dict[str, list[OddsResult]] = {}
    with (
        ProcessPoolExecutor(others, context, _begin_process, (queue,)) as pool,
        ThreadPoolExecutor(others) as feeders,
    ):
        try:
            fed = [feeders.submit(_feed, waiting, solved, pool, store, queue, done) for _ in range(others)]
            with on_one_core():
                for name in _taken(waiting):
                    solved[name] = _solve(name, store, done)
            for each in fed:
                each.result()
        except BaseException:
            waiting.clear()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return solved


def _taken(waiting: deque[str]) -> Iterator[str]:
    """Take one name after another, whoever else takes some."""
    with suppress(IndexError):
        while True:
            yield waiting.popleft()


def _feed(
    waiting: deque[str],
    solved: dict[str, list[OddsResult]],
    pool: ProcessPoolExecutor,
    store: OddsStore | None,
    queue: Any,
    done: Told,
) -> None:
    """Give a process one game after another, and tell what it has done."""
    from concurrent.futures import wait  # noqa: PLC0415

    for name in _taken(waiting):
        future = pool.submit(_solve_in_process, name, store)
        while not future.done():
            wait([future], timeout=_SECONDS_BETWEEN_LOOKS)
            _tell(queue, done)
        solved[name] = [result_from_json(told) for told in future.result()]


def _tell(queue: Any, done: Told) -> None:
    with suppress(Empty):
        while True:
            done(*queue.get_nowait())
