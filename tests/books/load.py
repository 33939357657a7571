"""A process that loads the books until it is killed, for the kill tests: what was acknowledged is written down first.

Run with `fork`, it makes such a process for every line it reads, without starting Python each time: it has one thread
and nothing open, so that forking is safe.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from pitboss.books import Answer, open_books
from tests.books.making import counting, hitting, opening

NOWHERE = "nowhere"
SNAPSHOT_EVERY = 25


def killing(point: str, nth: int) -> Callable[[str], None]:
    """End this process, as by a power switch, when the writer comes to a point for the nth time."""
    left = nth

    def at_point(reached: str) -> None:
        nonlocal left
        if reached == point:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return at_point


def load(path: Path, acknowledged: Path, run: str, threads: int, commands: int, point: str, nth: int) -> None:
    """Submit commands from many threads; note each id after its answer, before anything else is done."""
    notes = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    with open_books(path, snapshot_every=SNAPSHOT_EVERY, at_point=killing(point, nth)) as books:
        books.submit(opening())

        def work(name: int) -> None:
            for number in range(commands):
                command_id = f"{run}-{name}-{number}"
                asked = hitting(command_id, 1) if number % 7 == 6 else counting(command_id, 1 + number % 5)
                answer: Answer = books.submit(asked)
                os.write(notes, f"{command_id} {answer.head}\n".encode())

        workers = [threading.Thread(target=work, args=(name,), daemon=True) for name in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()


def _run(words: list[str]) -> None:
    path, acknowledged, run, threads, commands, point, nth = words
    load(Path(path), Path(acknowledged), run, int(threads), int(commands), point, int(nth))


def fork(run: Callable[[list[str]], None]) -> None:
    """For each line of arguments start a process, say its number, and say how it ended."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                run(line.split())
                os._exit(0)
            except BaseException as error:  # noqa: BLE001 - the test is told
                print(repr(error), file=sys.stderr, flush=True)
                os._exit(3)
        print(child, flush=True)
        print(os.waitpid(child, 0)[1], flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "fork":
        fork(_run)
    else:
        _run(sys.argv[1:])
