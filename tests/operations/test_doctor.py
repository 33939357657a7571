"""`pitboss doctor`: a healthy room passes, and every misconfiguration that can be planted is named with its fix.

Issue 21, "`pitboss doctor`": each check of the table has its plant here; one without a plant fails.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pitboss.books import Directory
from pitboss.books.store.directory import JOURNAL
from pitboss.books.store.keys import make_key, read_head_settings, write_head_settings
from pitboss.commands import By
from pitboss.commands.command import BOOK
from pitboss.installation import Installation
from pitboss.operations.doctor import CHECKS, DoctorContext, examine
from pitboss.operations.doctor.store import durability_problems
from pitboss.operations.system import DiskSpace, Memory, System
from pitboss.room.displays import RegisterDisplay
from pitboss.room.people.people import EMPTY, PEOPLE
from pitboss.room.people.vault import Vault
from pitboss.room.room import Room
from pitboss.server.settings import Listening, announce
from tests.cli.running import run
from tests.operations.making import HealthySystem, certify, computer, days_after, with_part

pytestmark = pytest.mark.xdist_group("operations")
DISK = HealthySystem().disk(Path())
HERE = By("Max Adeyemi", "manager")


class Plant:
    """A room of its own for one misconfiguration, and what the doctor is told of it."""

    def __init__(self, path: Path, work: Path) -> None:
        self.path, self.work = path, work
        self.backups = work / "backups"
        self.backups.mkdir()
        (self.backups / "room.backup").touch()
        self.context = self.look()

    def look(self, listening: Listening | None = None, **answers: object) -> DoctorContext:
        self.context = DoctorContext(self.path, listening=listening, backups=self.backups, system=computer(**answers))
        return self.context

    def change(self, *statements: str) -> None:
        with sqlite3.connect(self.path / JOURNAL) as connection:
            for statement in statements:
                connection.execute(statement)
        connection.close()

    def certified(self, **options: object) -> Listening:
        certificate, key = certify(self.work, **options)  # type: ignore[arg-type]
        return Listening(
            host="192.0.2.10",
            certificate=certificate,
            key=key,
            public="https://pitboss.example",
        )


def last_press(plant: Plant) -> int:
    """When wagers were counted last: the day on which the room was restored is later every day."""
    with closing(plant.look().directory.open_store(write=False)) as store:
        return max(entry.recorded for entry in store.entries(BOOK, kinds={"wagers-counted"}))


def unlock_snapshots(plant: Plant) -> None:
    text = "SELECT sql FROM sqlite_master WHERE name = 'snapshots_delete'"
    with sqlite3.connect(plant.path / JOURNAL) as connection:
        (trigger,) = connection.execute(text).fetchone()
    connection.close()
    plant.change("DROP TRIGGER snapshots_delete", "DELETE FROM snapshots", trigger)


def add_key(plant: Plant) -> Path:
    file = plant.work / "heads.key"
    result = run(f"keys make {plant.path} --key {file} --person Max --approved-by Lee --reason test")
    assert result.exit_code == 0, result.output
    return file


def lose_display(plant: Plant) -> None:
    with Room(plant.path) as room:
        display = RegisterDisplay(name="TableVision 2", table="2", make="screen", active=False)
        room.do(display, HERE, id="remove-display")


def lose_seal_key(plant: Plant) -> None:
    vault = Vault(plant.path)
    vault.seal_secret("ada", "totp", "JBSWY3DP")
    vault.close()
    (plant.path / "access.key").unlink()


def show_files(plant: Plant) -> None:
    plant.path.chmod(0o711)
    (plant.path / JOURNAL).chmod(0o644)


def show_key(plant: Plant) -> None:
    plant.look(plant.certified())
    (plant.work / "room.key").chmod(0o644)


def write(plant: Plant, name: str, text: str, mode: int = 0o600) -> None:
    (plant.path / name).write_text(text, encoding="utf-8")
    (plant.path / name).chmod(mode)


FRESH: dict[str, Callable[[Plant], object]] = {
    "data-missing": lambda plant: shutil.rmtree(plant.path),
    "data-open": lambda plant: plant.path.chmod(0o755),
    "data-files-open": show_files,
    "data-owner": lambda plant: plant.look(user=54_321),
    "data-unwritable": lambda plant: plant.look(can_write=False),
    "disk-read-only": lambda plant: plant.look(disk=DISK._replace(is_read_only=True)),
    "disk-full": lambda plant: plant.look(disk=DISK._replace(free=100 << 20)),
    "disk-files": lambda plant: plant.look(disk=DISK._replace(files_free=100)),
    "disk-network": lambda plant: plant.look(disk=DISK._replace(kind="nfs4")),
    "store-settings": lambda plant: write(plant, "store.toml", 'store = "sqlite"\nsynchronous = "off"\n'),
    "head-settings": lambda plant: write(plant, "heads.toml", "kyes = []\n"),
    "head-key": lambda plant: write_head_settings(plant.path, read_head_settings(plant.path)._replace(keys=("gone",))),
    "head-key-open": lambda plant: add_key(plant).chmod(0o644),
    "head-directory": lambda plant: write_head_settings(
        plant.path, read_head_settings(plant.path)._replace(directory=str(plant.work / "unmounted"))
    ),
    "signs": lambda plant: write(plant, "signs.toml", '[[sign]]\nname = "a"\ncommand = ["/no/such/program"]\n'),
    "halted": lambda plant: Directory(plant.path).halt([]),
    "clock-jumped": lambda plant: Directory(plant.path).note_clock("the clock has jumped by 3 hours"),
    "server-stale": lambda plant: announce(plant.path, "http://127.0.0.1:8000", None),
    "sign-ins": lambda plant: (plant.path / "access.sqlite3").touch(),
    "journal-missing": lambda plant: (plant.path / JOURNAL).unlink(),
    "schema-old": lambda plant: plant.change("DELETE FROM alembic_version"),
    "schema-newer": lambda plant: plant.change("UPDATE alembic_version SET version_num = '9999'"),
    "store-durability": lambda plant: plant.change("PRAGMA journal_mode=DELETE"),
    "store-guards": lambda plant: plant.change("DROP TRIGGER entries_update"),
    "log-huge": lambda plant: os.truncate(plant.path / f"{JOURNAL}-wal", 1 << 30),
    "witness-missing": lambda plant: (plant.path / "witness-room").unlink(),
    "signing-key-missing": lambda plant: add_key(plant).unlink(),
    "seal-key-missing": lose_seal_key,
    "listening": lambda plant: plant.look(Listening(host="192.0.2.10")),
    "certificate-unreadable": lambda plant: plant.look(
        Listening(certificate=plant.path / "store.toml", key=certify(plant.work)[1])
    ),
    "certificate-expired": lambda plant: plant.look(plant.certified(days=-1, since=9)),
    "certificate-expires": lambda plant: plant.look(plant.certified(days=9)),
    "certificate-host": lambda plant: plant.look(plant.certified(host="elsewhere.example")),
    "key": lambda plant: (plant.look(plant.certified()), certify(plant.work / "..", key=plant.work / "room.key")),
    "key-open": show_key,
    "port-taken": lambda plant: plant.look(port_problem="Address already in use"),
    "port-privileged": lambda plant: plant.look(
        Listening(port=443), user=plant.path.stat().st_uid or 54_321, first_open_port=1024
    ),
    "name-unknown": lambda plant: plant.look(Listening(public="https://pitboss.example"), resolves=False),
    "proxy-away": lambda plant: plant.look(
        Listening(behind_proxy=True, public="https://pitboss.example", proxies=("192.0.2.1",)), connects=False
    ),
    "clock-unset": lambda plant: plant.look(is_clock_synchronized=False),
    "clock-behind": lambda plant: plant.look(now=days_after(plant.look().state.recorded, -2)),
    "zone-data": lambda plant: plant.look(has_zone=False),
    "zone-differs": lambda plant: plant.look(zone="Etc/UTC"),
    "locale": lambda plant: plant.look(encoding="ANSI_X3.4-1968"),
    "file-limit": lambda plant: plant.look(file_limit=1024),
    "memory-low": lambda plant: plant.look(memory=Memory(100 << 20, 0, 0)),
    "swap-used": lambda plant: plant.look(memory=Memory(8 << 30, 1 << 30, 0)),
    "fonts": lambda plant: plant.look(missing_fonts=["SourceSansPro-Bold"]),
    "cache-unwritable": lambda plant: plant.look(cache_folder=Path("/proc/pitboss")),
    "software-changed": lambda plant: plant.look(
        installation=Installation("0", "0", 1, is_built=True, problems=("changed: meters/__init__.py",))
    ),
    "packages-missing": lambda plant: plant.look(missing_packages=["numba"]),
    "backup-old": lambda plant: os.utime(plant.backups / "room.backup", (1, 1)),
}
WORKED: dict[str, Callable[[Plant], object]] = {
    "snapshot-missing": unlock_snapshots,
    "administrator-missing": lambda plant: with_part(
        plant.context, PEOPLE, EMPTY._replace(people={"max": plant.context.state.of(PEOPLE).people["max"]})
    ),
    "second-person-missing": lambda plant: with_part(
        plant.context, PEOPLE, EMPTY._replace(people={}, in_operation=True)
    ),
    "display-missing": lose_display,
    "display-dark": lambda _plant: None,
    "equipment-alarm": lambda _plant: None,
    "paper-missing": lambda _plant: None,
    "browser-missing": lambda plant: plant.look(program=None),
    "escrow-late": lambda plant: plant.look(now=days_after(plant.look().state.recorded, 10)),
    "shift-uncounted": lambda plant: plant.look(now=days_after(last_press(plant), 2)),
}
ONLY_LOCKED = "writer-unknown"


def test_a_healthy_room_passes(fresh: Path, tmp_path: Path) -> None:
    plant = Plant(shutil.copytree(fresh, tmp_path / "room"), tmp_path)
    report = examine(plant.look(plant.certified()))

    assert ((), {}, True) == (report.findings, report.unchecked, report.is_healthy)


def test_every_check_has_a_plant_and_a_fix_of_one_sentence() -> None:
    names = [check.name for check in CHECKS]

    assert sorted(names) == sorted({*FRESH, *WORKED, ONLY_LOCKED})
    assert len(names) == len(set(names)) > 30
    assert [] == [check.name for check in CHECKS if not check.fix.strip() or check.fix.count(". ") > 0]


@pytest.mark.parametrize("name", [*FRESH, *WORKED])
def test_a_planted_misconfiguration_is_named(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    room: Path = request.getfixturevalue("fresh" if name in FRESH else "worked")
    plant = Plant(shutil.copytree(room, tmp_path / "room"), tmp_path)
    (plant.path / f"{JOURNAL}-wal").touch()
    (plant.path / f"{JOURNAL}-wal").chmod(0o600)
    before = {finding.check for finding in examine(plant.look()).findings} if name in FRESH else set()
    {**FRESH, **WORKED}[name](plant)
    if name in FRESH:
        # What was planted on disk is read anew; a part of the state that was planted stays.
        for value in ("directory", "state"):
            vars(plant.context).pop(value, None)
    report = examine(plant.context)

    assert name not in before
    assert name in {finding.check for finding in report.findings}, report
    assert all(finding.fix and "{" not in finding.fix for finding in report.findings)


def test_a_program_that_has_the_books_open_is_named(fresh: Path, tmp_path: Path) -> None:
    plant = Plant(shutil.copytree(fresh, tmp_path / "room"), tmp_path)
    with Room(plant.path):
        assert ONLY_LOCKED in {finding.check for finding in examine(plant.look()).findings}
        announce(plant.path, "http://127.0.0.1:8000", None)
        assert () == examine(plant.look(port_problem="Address already in use")).findings


def test_durable_settings_of_a_database_are_asked_of_it() -> None:
    assert [] == durability_problems(
        "postgresql", {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
    )
    assert ["fsync is off, and must be on"] == durability_problems("postgresql", {"fsync": "off"})
    assert ["synchronous_commit is local, and must be on"] == durability_problems(
        "postgresql", {"synchronous_commit": "local"}
    )


def test_nothing_is_healthy_that_could_not_be_looked_at(tmp_path: Path) -> None:
    report = examine(DoctorContext(tmp_path / "nowhere", system=computer()))

    assert not report.is_healthy
    assert {"store-durability", "witness-missing", "escrow-late"} <= report.unchecked.keys()


def test_the_computer_itself_is_asked(tmp_path: Path) -> None:
    """The real answers, without which every plant would be about a fiction."""
    system = System()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        # An address may be bound again while it is left; one that is listened on may not.
        assert system.port_problem("127.0.0.1", port)
        assert system.connects("127.0.0.1", port)
    assert not system.connects("127.0.0.1", port)
    assert system.resolves("localhost")
    assert not system.resolves("no-such-host.invalid")
    assert isinstance(system.disk(tmp_path), DiskSpace)
    assert system.disk(tmp_path).total >= system.disk(tmp_path).free > 0
    assert system.disk(tmp_path).kind
    assert system.can_write(tmp_path)
    assert not system.can_write(tmp_path / "nowhere")
    assert system.has_zone("America/Los_Angeles")
    assert not system.has_zone("America/Nowhere")
    assert [] == system.missing_packages() == system.missing_fonts()
    assert system.is_clock_synchronized() in (True, False, None)
    assert system.file_limit() > 0
    memory = system.memory()
    assert memory is None or memory.available > 0


def test_the_command_prints_findings_with_their_fix_and_its_exit_code_says_so(fresh: Path, tmp_path: Path) -> None:
    path = shutil.copytree(fresh, tmp_path / "room")
    path.chmod(0o755)
    result = run(f"doctor {path} --port 0")
    assert result.exit_code == 1
    assert "data-open: others can look into" in result.output
    assert f"Type: chmod 700 {path}" in result.output

    report = json.loads(run(f"doctor {path} --port 0 --json").stdout)
    assert len(CHECKS) == report["checks"]
    assert ("data-open", "wrong") in {(each["check"], each["level"]) for each in report["findings"]}
    assert "backup-old" in report["unchecked"]


def test_a_key_of_heads_that_can_be_read_is_no_finding(fresh: Path, tmp_path: Path) -> None:
    plant = Plant(shutil.copytree(fresh, tmp_path / "room"), tmp_path)
    make_key(tmp_path / "other.key")
    write_head_settings(plant.path, read_head_settings(plant.path)._replace(keys=(str(tmp_path / "other.key"),)))

    assert () == examine(plant.look()).findings
