"""Killed at any write point of a call, a payment or a rejection, a restart finds it whole or not at all (T-10)."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.books.journal.writer import POINTS
from tests.books.killing import Starter
from tests.books.making import BOOK
from tests.jackpot.hit_load import START, STEPS, do_step
from tests.jackpot.hit_making import ROYAL, Floor, floor, reopened

MOVING = ("call", "small", "pay", "correct", "reject")
NEEDED = {
    "call": "",
    "small": "",
    "verify": "call",
    "document": "surveil",
    "pay": "document",
    "correct": "verify",
    "reject": "document",
}
"""The step after which each step is tried."""


class Killer(Starter):
    """Runs steps in processes of their own that are killed at a point."""

    def __init__(self) -> None:
        super().__init__("tests.jackpot.hit_load")

    def run(self, path: Path, step: str, hit: int, point: str) -> int:
        self.ask(path, step, hit, point, 1)
        return self.ended_by()


@pytest.fixture(scope="module")
def killer() -> Iterator[Killer]:
    found = Killer()
    yield found
    found.close()


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, int]]:
    """A room for every step, brought to where the step comes next."""
    found = {}
    for after in sorted(set(NEEDED.values())):
        path = tmp_path_factory.mktemp("kill") / "room"
        with floor(path) as at:
            at.press("4")
            at.press("5")
            hit = at.call((3, ROYAL)) if after else 0
            if after in ("verify", "surveil", "document"):
                at.verify(hit)
            if after in ("surveil", "document"):
                at.surveil(hit)
            if after == "document":
                at.document(hit)
        found[after] = (path, hit)
    return found


def sums(at: Floor) -> tuple[int, ...]:
    return tuple(at.balance(account) for account in ("displayed", "winners", "paid", "seed", "house"))


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("step", MOVING)
def test_t_10_a_step_killed_at_a_write_point_is_whole_or_not_at_all(
    killer: Killer, rooms: dict[str, tuple[Path, int]], quick_path: Path, step: str, point: str
) -> None:
    killed_and_sent_again(killer, rooms[NEEDED[step]], quick_path, step, point)


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("step", sorted(set(STEPS) - set(MOVING)))
def test_t_10_a_step_without_money_killed_at_a_write_point_is_whole_or_not_at_all(
    killer: Killer, rooms: dict[str, tuple[Path, int]], quick_path: Path, step: str, point: str
) -> None:
    killed_and_sent_again(killer, rooms[NEEDED[step]], quick_path, step, point)


def killed_and_sent_again(
    killer: Killer, source_and_hit: tuple[Path, int], quick_path: Path, step: str, point: str
) -> None:
    source, hit = source_and_hit
    whole = shutil.copytree(source, quick_path / "whole")
    with reopened(whole, start=START) as at:
        before = sums(at)
        do_step(at, step, hit)
        after = sums(at)
    path = shutil.copytree(source, quick_path / "room")

    assert -signal.SIGKILL == killer.run(path, step, hit, point)
    with reopened(path, start=START) as at:
        assert () == at.books.halted
        at.check()
        found = sums(at)
        assert found in (before, after)
        written = any(entry.command == f"killed-{step}" for entry in at.books.store.entries(BOOK))
        answer = do_step(at, step, hit)
        assert written == answer.again
        assert after == sums(at), "sent again, it is done once"
        at.check()
