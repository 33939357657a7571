"""A disk that fails: what was acknowledged is on it, whatever call to the system failed and however often."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.books.audit import check_books
from tests.books.failing import COMMANDS, power_cut
from tests.books.killing import Starter, noted
from tests.books.making import Room
from tests.books.tracing import strace

FOREVER = 10**6


class FailingDisk(Starter):
    """Starts processes whose disk fails."""

    def __init__(self, library: Path) -> None:
        before = os.environ.get("LD_PRELOAD")
        os.environ["LD_PRELOAD"] = str(library)
        try:
            super().__init__("tests.books.failing")
        finally:
            os.environ.pop("LD_PRELOAD")
            if before is not None:
                os.environ["LD_PRELOAD"] = before

    def fails(self, room: Room, notes: Path, log: Path, call: str, first: int, times: int, error: int) -> None:
        self.ask(room.path, notes, log, call, first, times, error)
        self.started()
        assert -signal.SIGKILL == self.ended_by()


class TracedDisk:
    """Lets calls fail by strace, where no compiler is; what a power cut would leave it cannot say."""

    def fails(self, room: Room, notes: Path, _log: Path, call: str, first: int, times: int, error: int) -> None:
        when = f"{first}+" if times == FOREVER else f"{first}..{first + times - 1}"
        journal = room.path / "journal.sqlite3"
        watched = ["-P", str(journal), "-P", f"{journal}-wal", "-e", f"trace={call}"]
        inject = ["-e", f"inject={call}:error={errno.errorcode[error]}:when={when}"]
        arguments = [strace(), "-f", "-qq", "-o", os.devnull, *watched, *inject]
        with notes.open("wb") as file:
            subprocess.run([*arguments, sys.executable, "-m", "tests.books.failing", str(room.path)], stdout=file)  # noqa: PLW1510, S603
            file.write(b"seen 0\n")

    def close(self) -> None:
        """Nothing is left."""


@pytest.fixture(scope="module")
def failing_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FailingDisk | TracedDisk]:
    """A disk that fails by a library before the C library, built here where a compiler is, else by strace."""
    compiler, library = shutil.which("cc"), tmp_path_factory.mktemp("disk") / "failing_disk.so"
    disk: FailingDisk | TracedDisk = TracedDisk()
    if compiler is not None:
        source = Path(__file__).with_name("failing_disk.c")
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source], check=True)  # noqa: S603
        disk = FailingDisk(library)
    yield disk
    disk.close()


def assert_acknowledged_is_there(room: Room, answers: dict[str, str]) -> None:
    report = check_books(room.directory)
    assert report.is_sound, [*report.damages, *report.findings]
    entries = room.entries()
    last = {entry.command: entry.digest.hex() for entry in entries}
    assert answers.items() <= last.items(), sorted(answers.keys() - last.keys())
    parts = Counter((entry.command, entry.part) for entry in entries)
    assert {1} == set(parts.values())


def fail(
    disk: FailingDisk | TracedDisk, sqlite_room: Room, folder: Path, call: str, first: int, times: int, error: int
) -> int:
    """Have a call fail from one on, so often; return how many calls there were, where that is counted."""
    at = folder / f"{call}-{first}-{times}-{error}"
    room = Room(shutil.copytree(sqlite_room.path, at / "room"), "sqlite")
    disk.fails(room, at / "notes", at / "log", call, first, times, error)
    answers = noted(at / "notes")
    seen = int(answers.pop("seen"))
    try:
        if isinstance(disk, FailingDisk):
            power_cut(sqlite_room.path, at / "log", room.path, at / "left")
            assert_acknowledged_is_there(Room(at / "left", "sqlite"), answers)
        assert_acknowledged_is_there(room, answers)
        if times <= 2:
            assert COMMANDS + 1 == len(answers), "what failed so seldom is done when it is sent again"
    except AssertionError as problem:
        problem.add_note(f"{call} failed from call {first} on, {times} times, error {errno.errorcode[error]}")
        raise
    shutil.rmtree(at)
    return seen


@pytest.mark.parametrize("times", [1, 2, FOREVER], ids=["once", "twice", "for ever"])
@pytest.mark.parametrize(
    ("call", "firsts"),
    [("fdatasync", (1, 2, 4)), ("pwrite64", (2, 9)), ("ftruncate", (1,))],
    ids=str,
)
def test_a_failed_call_is_never_answered_counted(
    failing_disk: FailingDisk | TracedDisk,
    sqlite_room: Room,
    quick_path: Path,
    call: str,
    firsts: tuple[int, ...],
    times: int,
) -> None:
    for first in firsts:
        fail(failing_disk, sqlite_room, quick_path, call, first, times, errno.EIO)


@pytest.mark.parametrize("times", [2, FOREVER], ids=["comes back", "stays away"])
def test_a_disk_that_the_system_remounts_for_reading_only_is_used_again_when_it_is_back(
    failing_disk: FailingDisk | TracedDisk, sqlite_room: Room, quick_path: Path, times: int
) -> None:
    """A file system with files open for writing is remounted after an error of its own: every write is refused."""
    for call in ("pwrite64", "ftruncate"):
        fail(failing_disk, sqlite_room, quick_path, call, 1, times, errno.EROFS)


@pytest.mark.slow
@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC], ids=errno.errorcode.get)
@pytest.mark.parametrize("times", [1, 2, 3, FOREVER])
@pytest.mark.parametrize("call", ["pwrite64", "fdatasync", "fsync", "ftruncate", "unlink"])
def test_every_call_of_a_commit_may_fail(
    failing_disk: FailingDisk | TracedDisk, sqlite_room: Room, quick_path: Path, call: str, times: int, error: int
) -> None:
    first = 1
    while fail(failing_disk, sqlite_room, quick_path, call, first, times, error) >= first:
        first += 1


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2, FOREVER], ids=["once", "twice", "for ever"])
def test_the_same_where_no_compiler_is_by_strace(sqlite_room: Room, quick_path: Path, times: int) -> None:
    for call, first in (("fdatasync", 2), ("pwrite64", 9), ("ftruncate", 1)):
        fail(TracedDisk(), sqlite_room, quick_path, call, first, times, errno.EIO)
