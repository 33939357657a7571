"""A process that does one step of a hit and is killed on the way, for the kill tests; it forks for every line it reads."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from pitboss.books import Answer
from pitboss.jackpot import Claim, RoundCards
from tests.books.load import killing
from tests.jackpot.hit_making import (
    CASHIER,
    DEALER,
    FLUSH,
    MANAGER,
    ROYAL,
    SUPERVISOR,
    Floor,
    hands_of,
    paper,
    reopened,
)

__all__ = ["STEPS", "do_step"]

STEPS = ("call", "small", "verify", "document", "pay", "correct", "reject")
START = 1_797_753_600_000_000


def do_step(at: Floor, step: str, hit: int) -> Answer:
    """Do a step with the same command id every time."""
    said: dict[str, Any] = {"command": f"killed-{step}"}
    if step == "call":
        return at.hits.call("main", "5", [Claim(1, ROYAL)], by=DEALER, **said)
    if step == "small":
        return at.hits.pay_small("main", "5", 2, FLUSH, by=DEALER, **said)
    if step == "verify":
        return at.hits.verify(hit, RoundCards(seats=hands_of([ROYAL], [3])), [3], by=SUPERVISOR, **said)
    if step == "document":
        return at.hits.document(hit, [paper(3)], by=CASHIER, **said)
    if step == "pay":
        return at.hits.pay(hit, 3, "cheque", by=MANAGER, cheque="77", **said)
    if step == "correct":
        claims = [Claim(3, ROYAL), Claim(4, ROYAL)]
        return at.hits.correct(hit, claims, words="two royals", by=SUPERVISOR, approved_by=MANAGER, **said)
    return at.hits.reject(hit, words="misread", by=SUPERVISOR, approved_by=MANAGER, **said)


def _run(words: list[str]) -> None:
    path, step, hit, point, nth = words
    with reopened(Path(path), start=START, at_point=killing(point, int(nth))) as at:
        do_step(at, step, int(hit))


def _fork() -> None:
    """For each line start a process, and say how it ended."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                _run(line.split())
                os._exit(0)
            except BaseException as error:  # noqa: BLE001 - the test is told
                print(repr(error), file=sys.stderr, flush=True)
                os._exit(3)
        print(os.waitpid(child, 0)[1], flush=True)


if __name__ == "__main__":
    _fork()
