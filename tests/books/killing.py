"""Killing processes that write to the books: started by one that has loaded everything, killed at any instant (T-10)."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, NamedTuple

__all__ = ["ROOT", "Instants", "Starter", "answers", "kill_at_random", "noted"]

ROOT = Path(__file__).parents[2]
_PATIENCE = 6_000


class Starter:
    """A process that starts others when it is told to, and tells how each of them ended."""

    def __init__(self, module: str, *words: str) -> None:
        asked = [sys.executable, "-m", module, *words]
        self.process = subprocess.Popen(  # noqa: S603 - our own program
            asked, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.asks: IO[str] = self.process.stdin
        self.tells: IO[str] = self.process.stdout

    def ask(self, *words: object) -> None:
        """Have a process started."""
        self.asks.write(" ".join(map(str, words)) + "\n")
        self.asks.flush()

    def started(self) -> int:
        """The number of the process that was started."""
        return int(self.tells.readline())

    def ended_by(self) -> int:
        """How the last process ended."""
        return os.waitstatus_to_exitcode(int(self.tells.readline()))

    def close(self) -> None:
        """End the process that starts others."""
        self.asks.close()
        self.tells.close()
        self.process.wait()


def answers(notes: Path) -> list[tuple[str, str]]:
    """Every acknowledgement, with what it said; what was sent again may have been acknowledged twice."""
    lines = notes.read_text().splitlines() if notes.exists() else []
    return [(line.split()[0], line.split()[1]) for line in lines]


def noted(notes: Path) -> dict[str, str]:
    """What was acknowledged, each once with what it was answered with last."""
    return dict(answers(notes))


def _answered(notes: Path) -> int:
    return notes.read_bytes().count(b"\n") if notes.exists() else 0


def _waited_for(notes: Path, wanted: int) -> None:
    for _ in range(_PATIENCE):
        if _answered(notes) >= wanted:
            return
        threading.Event().wait(0.005)
    raise AssertionError("what is to be killed has not begun to answer")


class Instants(NamedTuple):
    """When processes are killed: after how many answers at most, how long after, and how often before the first."""

    answers: int
    pause: float
    unanswered: float = 0.0


def kill_at_random(
    starter: Starter, start: Callable[[str], int], notes: Path, instants: Instants, seed: int, times: int
) -> None:
    """Start a process again and again, and kill it at an instant of chance; the seed is named where one ends itself."""
    rng = random.Random(seed)
    for number in range(times):
        before = _answered(notes)
        child = start(f"r{number}")
        # From the very start on, or when it has begun to answer: both are instants that happen.
        if rng.random() >= instants.unanswered:
            _waited_for(notes, before + rng.randint(1, instants.answers))
        threading.Event().wait(rng.random() * instants.pause)
        os.kill(child, signal.SIGKILL)
        assert starter.ended_by() == -signal.SIGKILL, f"seed {seed}, kill {number}"
