"""The drill: the database is lost, a streaming replica is promoted, and the room goes on from it with all of its books."""

from __future__ import annotations

import getpass
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pitboss.books.audit import check_books
from tests.books.leading import leading
from tests.books.making import Room, counting, make_room, opening
from tests.programs import missing, quick_folder
from tests.server.failovers import free_port

_PROGRAMS = Path("/usr/lib/postgresql")
_DOUBT = 5


class Cluster:
    """A PostgreSQL server of its own, that a test starts, stops and promotes."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self._programs, self.port = folder, programs, free_port()

    def run(self, program: str, *arguments: str) -> None:
        # PostgreSQL refuses to run as the administrator of the system.
        user = ["runuser", "-u", "postgres", "--"] if getpass.getuser() == "root" else []
        command = [*user, str(self._programs / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603

    def make(self) -> None:
        self.run("initdb", "-D", str(self.folder), "-A", "trust", "-U", "postgres", "--no-sync")

    def copy_of(self, other: Cluster) -> None:
        address = f"host=127.0.0.1 port={other.port} user=postgres application_name=replica"
        self.run("pg_basebackup", "-D", str(self.folder), "-R", "-X", "stream", "-c", "fast", "-d", address)

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -h 127.0.0.1"
        log = str(self.folder / "log")
        self.run("pg_ctl", "-D", str(self.folder), "-o", options, "-l", log, "-w", "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder), "-m", "immediate", "-w", "stop")

    def promote(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder), "-w", "promote")

    def connection(self, name: str) -> str:
        return f"host=127.0.0.1 port={self.port} user=postgres dbname={name}"

    def ask(self, statement: str) -> list[Any]:
        import psycopg  # noqa: PLC0415

        with psycopg.connect(self.connection("postgres"), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []


@contextmanager
def clusters() -> Iterator[tuple[Cluster, Cluster]]:
    """A server, and a replica of it that has whatever was committed before that is acknowledged."""
    versions = sorted(_PROGRAMS.glob("*/bin"), key=lambda path: float(path.parent.name)) if _PROGRAMS.is_dir() else []
    if not versions:
        missing("there is no PostgreSQL in /usr/lib/postgresql: `make system` installs it")
    with tempfile.TemporaryDirectory(dir=quick_folder(), ignore_cleanup_errors=True) as folder:
        if getpass.getuser() == "root":
            shutil.chown(folder, "postgres")
        primary, replica = (Cluster(Path(folder) / name, versions[-1]) for name in ("primary", "replica"))
        primary.make()
        primary.start()
        try:
            replica.copy_of(primary)
            replica.start()
            primary.ask("ALTER SYSTEM SET synchronous_standby_names TO 'replica'")
            primary.ask("SELECT pg_reload_conf()")
            while primary.ask("SELECT sync_state FROM pg_stat_replication") != [("sync",)]:
                time.sleep(0.05)
            yield primary, replica
        finally:
            for cluster in (primary, replica):
                if (cluster.folder / "postmaster.pid").exists():
                    cluster.stop()


@pytest.mark.slow
def test_a_replica_that_is_promoted_has_every_entry_that_was_acknowledged(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The server of the other tests has a password, these have none.
    monkeypatch.delenv("PGPASSWORD", raising=False)
    with clusters() as (primary, replica):
        primary.ask("CREATE DATABASE room")
        room = make_room(quick_path / "room", primary.connection("room"))
        with room.open() as books:
            books.submit(opening())
        # The second server's data directory names the replica, and waits for it to be promoted.
        other = Room(shutil.copytree(room.path, quick_path / "other"), "postgresql")
        file = other.path / "store.toml"
        file.write_text(file.read_text().replace(primary.connection("room"), replica.connection("room")))
        acknowledged = []
        with leading(room.path) as server:
            for number in range(50):
                assert server.ask(f"submit c{number}").startswith(f"c{number} done")
                acknowledged.append(f"c{number}")
            for number in range(50, 50 + _DOUBT):
                server.say(f"submit c{number}")
            primary.stop()
            replica.promote()
            answers = [server.line() for _ in range(_DOUBT)]
            # The leader of the lost database acknowledges nothing more.
            acknowledged += [answer.split()[0] for answer in answers if " done " in answer]
            assert all(" done " in answer or " refused " in answer for answer in answers)
            with other.open(stands_by=True) as books:
                assert books.is_leader
                assert () == books.halted
                for command in acknowledged:
                    assert books.submit(counting(command)).again, command
                for number in range(50, 50 + _DOUBT):
                    books.submit(counting(f"c{number}"))
                books.submit(counting("after"))
        report = check_books(other.directory)
        assert report.is_sound, [*report.damages, *report.findings]
        counted = [entry.command for entry in other.entries() if entry.kind == "wagers-counted"]
        assert sorted(counted) == sorted([*(f"c{number}" for number in range(50 + _DOUBT)), "after"])
