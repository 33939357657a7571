"""A process that opens books as one of several servers, and does what is typed: for tests that kill and pause it.

`submit ID` counts a wager and prints the head; `stop ID` the same, but the process stops itself between the entries and
the commit that would keep them; `role` prints whether it leads. It runs as `python -m tests.books.leading DIRECTORY`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pitboss.books import Books, StoreError, open_books
from tests.books.making import counting

ROOT = Path(__file__).parents[2]


class Stopping:
    """A connection whose process is stopped before it carries out the next COMMIT."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def cursor(self) -> Any:
        return _StoppingCursor(self._connection.cursor())


class _StoppingCursor:
    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)

    def execute(self, statement: str, *values: Any) -> Any:
        if statement == "COMMIT":
            # To this thread: sent to the process, another might take it, and this one go on to commit.
            signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)
        return self._cursor.execute(statement, *values)


def _submit(books: Books, command: str) -> None:
    try:
        answer = books.submit(counting(command))
        print(command, "again" if answer.again else "done", answer.head, flush=True)
    except StoreError as error:
        print(command, "refused", " ".join(str(error).split()), flush=True)


def main(path: Path) -> None:
    with open_books(path, stands_by=True) as books:
        print("opened", flush=True)
        for line in sys.stdin:
            verb, _, command = line.strip().partition(" ")
            if verb == "role":
                print("leader" if books.is_leader else "standby", flush=True)
                continue
            if verb == "stop":
                books.store._writer = Stopping(books.store._writer)
            threading.Thread(target=_submit, args=(books, command)).start()


class Leading:
    """Such a process."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "tests.books.leading", str(path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.line() == "opened"

    def say(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def ask(self, text: str) -> str:
        self.say(text)
        return self.line()

    def wait_until_stopped(self) -> None:
        _, status = os.waitpid(self.process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)


@contextmanager
def leading(path: Path) -> Iterator[Leading]:
    server = Leading(path)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
