"""Backups by a plan: when one is due or late, made, restored and audited, sealed, kept, and told (issue 21)."""

from __future__ import annotations

import datetime
import errno
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pitboss.books import EPOCH, Directory, StoreError
from pitboss.books.audit import check_books
from pitboss.books.audit.backup import back_up, pictures_of, restore
from pitboss.books.audit.sealing import CHUNK, inspect, make_identity, seal_file, unseal_file
from pitboss.books.store.keys import key_id
from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room import backing_up
from pitboss.room.alarms import active_alarms
from pitboss.room.backing_up import drill, make_backup
from pitboss.room.backups import (
    BACKUPS,
    MARKER,
    PlanBackups,
    RecordBackup,
    StopBackups,
    backup_trouble,
    is_due,
    is_late,
)
from pitboss.room.room import Room
from pitboss.server.views.today import today_view
from pitboss.server.views.viewer import NOBODY
from pitboss.server.worker.backups import BackUpJob, BackupRun
from pitboss.server.worker.pool import Figure
from tests.cli.running import one_line, run
from tests.server.making import House
from tests.server.test_api import Evening

ADA = By("Ada", "administrator")
HOUR = 60 * 60 * 1_000_000
PICTURE = b"\x89PNG no picture at all"


class Keys:
    """A key of the room that is kept elsewhere."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "backup.key"
        self.public = make_identity(self.file)


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path)


@pytest.fixture
def safe(tmp_path: Path) -> Path:
    (tmp_path / "safe").mkdir()
    return tmp_path / "safe"


def plan(room: Room, keys: Keys, safe: Path, **changes: Any) -> None:
    fields: dict[str, Any] = {"times": ("05:30",)} if "hours" not in changes else {}
    fields |= {"directory": str(safe), "public": keys.public, "keep": 2, "words": "every night", **changes}
    room.do(PlanBackups(**fields), ADA, id=f"plan-{time.monotonic_ns()}")


def at(day: int, clock: str) -> int:
    """An instant by the clocks of the sample room, in Los Angeles, in December 2026."""
    zone = ZoneInfo("America/Los_Angeles")
    moment = datetime.datetime.combine(datetime.date(2026, 12, day), datetime.time.fromisoformat(clock), zone)
    return (moment - EPOCH) // datetime.timedelta(microseconds=1)


def ended(room: Room, begun: int, problem: str = "") -> None:
    plan_now = room.state.of(BACKUPS).plan
    assert plan_now is not None
    record = RecordBackup(
        at=begun, file=f"{plan_now.directory}/pitboss-x.sealed", entries_held=5, head="", bytes=9, digest="", seconds=1,
        problem=problem,
    )  # fmt: skip
    room.do(record, SYSTEM_ACTOR, id=f"ended-{begun}")


# When.


def test_a_backup_is_due_at_its_times_by_the_clocks_of_the_room_and_late_an_hour_after(
    house: House, keys: Keys, safe: Path
) -> None:
    room = house.room
    house.clock.now = at(25, "12:00")
    assert not is_due(room.state, house.clock.now)
    plan(room, keys, safe, times=("05:30", "17:00"))
    state = room.state
    # Before it was planned nothing was due.
    assert not is_due(state, at(25, "16:59"))
    assert is_due(state, at(25, "17:00"))
    assert not is_late(state, at(25, "17:59"))
    assert is_late(state, at(25, "18:01"))
    ended(room, at(25, "17:00") + 1)
    assert not is_due(room.state, at(26, "05:29"))
    assert is_due(room.state, at(26, "05:30"))
    assert not is_late(room.state, at(26, "06:00"))


def test_a_backup_every_six_hours_is_due_at_once_and_after_six_hours(house: House, keys: Keys, safe: Path) -> None:
    room, start = house.room, house.clock.now
    plan(room, keys, safe, hours=6)
    assert is_due(room.state, start)
    ended(room, start)
    assert not is_due(room.state, start + 6 * HOUR - 1)
    assert is_due(room.state, start + 6 * HOUR)
    assert is_late(room.state, start + 7 * HOUR + 1)


def test_one_that_failed_is_tried_again_after_a_quarter_of_an_hour(house: House, keys: Keys, safe: Path) -> None:
    room, start = house.room, house.clock.now
    plan(room, keys, safe, hours=6)
    ended(room, start, problem="the disk is full")
    assert not is_due(room.state, start + HOUR // 4 - 1)
    assert is_due(room.state, start + HOUR // 4)
    assert "the disk is full" in backup_trouble(room.state, start)


def test_a_plan_is_refused_with_all_that_is_wrong(house: House) -> None:
    wrong = PlanBackups(directory="safe", public="abc", keep=0, times=("5", "25:00"), hours=30, words=" ")
    problems = "\n".join(house.room.verify(wrong, ADA))
    for part in (
        "whole path",
        "64 hexadecimal digits",
        "either times",
        "'5'",
        "'25:00'",
        "hours: from",
        "keep: from",
        "reason",
    ):
        assert part in problems


def test_g_68_in_a_room_in_operation_two_people_plan_backups(house: House, keys: Keys, safe: Path) -> None:
    plan(house.room, keys, safe)
    assert house.room.state.of(BACKUPS).plan is not None
    Evening(house)
    answer = house.room.do(StopBackups(words="never mind"), ADA, id="stop")
    assert [entry.kind for entry in answer.entries] == ["approval-asked"]
    assert house.room.state.of(BACKUPS).plan is not None


# Made.


def slide(path: Path) -> str:
    name = f"{sha256(PICTURE).hexdigest()}.png"
    (path / "slides").mkdir(exist_ok=True)
    (path / "slides" / name).write_bytes(PICTURE)
    return name


def test_a_backup_is_restored_audited_sealed_and_opens_on_an_empty_machine(
    house: House, keys: Keys, safe: Path, tmp_path: Path
) -> None:
    name, path = slide(house.room.path), house.room.path
    result = make_backup(path, safe, [keys.public], 2, house.clock.now)
    assert "problem" not in result, result
    [file] = safe.glob("*.sealed")
    assert str(file) == result["file"]
    assert sha256(file.read_bytes()).hexdigest() == result["digest"]
    assert (result["pictures"], result["entries_held"]) == (1, house.room.state.sequence)
    assert inspect(file).keys == (key_id(keys.public),)
    # Nothing is left beside the books, and no plain word in the sealed file.
    assert not list(path.glob("backup-sandbox-*"))
    assert b"A-manager" not in file.read_bytes()
    command = (
        f'restore {file} {tmp_path / "new"} --identity {keys.file} --person "Ada" --reason lost --head {result["head"]}'
    )
    typed = run(command)
    assert typed.exit_code == 0, typed.output
    assert (tmp_path / "new" / "slides" / name).read_bytes() == PICTURE
    assert check_books(Directory(tmp_path / "new")).is_sound
    assert sorted(each.name for each in tmp_path.iterdir()) == ["backup.key", "new", "safe"]


def test_a_dry_run_says_what_would_be_there_and_changes_nothing(house: House, keys: Keys, safe: Path) -> None:
    slide(house.room.path)
    result = make_backup(house.room.path, safe, [keys.public], 2, house.clock.now)
    before = {each: each.stat().st_mtime_ns for each in safe.iterdir()}
    typed = run(f"restore {result['file']} --dry-run --identity {keys.file} --head {result['head']}")
    text = one_line(typed.output)
    assert typed.exit_code == 0, text
    for part in (
        house.room.name,
        f"{result['entries_held']:,} entries",
        "pictures of slides: 1",
        "every check has passed",
    ):
        assert part in text
    assert "Not in it: passwords" in text
    assert {each: each.stat().st_mtime_ns for each in safe.iterdir()} == before
    # Without the private key: what can be said of it.
    sealed = one_line(run(f"restore {result['file']} --dry-run").output)
    assert f"sealed to key {key_id(keys.public)}, whole" in sealed
    assert run(f"restore {result['file']} new --person A --reason b --no-head c").exit_code == 2


def test_so_many_are_kept_and_files_of_others_stay(house: House, keys: Keys, safe: Path) -> None:
    (safe / "heads-room.txt").write_text("mine")
    made = [make_backup(house.room.path, safe, [keys.public], 2, house.clock.now + n * HOUR)["file"] for n in range(3)]
    assert sorted(map(str, safe.glob("*.sealed"))) == made[1:]
    assert (safe / "heads-room.txt").exists()


def test_damaged_books_are_no_good_backup(house: House, keys: Keys, safe: Path) -> None:
    with sqlite3.connect(house.room.path / "journal.sqlite3") as connection:
        for (guard,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {guard}")
        connection.execute("UPDATE entries SET actor = 'Eve' WHERE sequence = 2")
    result = make_backup(house.room.path, safe, [keys.public], 2, house.clock.now)
    assert "does not pass its own checks" in result["problem"]
    assert not list(safe.glob("*"))


def test_a_full_disk_is_said_and_leaves_nothing(
    house: House, keys: Keys, safe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = shutil.disk_usage(safe)._replace(free=1_000)
    monkeypatch.setattr("shutil.disk_usage", lambda _: small)
    result = make_backup(house.room.path, safe, [keys.public], 2, house.clock.now)
    assert "is full" in result["problem"]
    assert "MB are needed" in result["problem"]
    monkeypatch.undo()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    result = make_backup(house.room.path, safe, [keys.public], 2, house.clock.now)
    monkeypatch.undo()
    assert "is full" in result["problem"]
    assert not list(safe.iterdir())
    assert not list(house.room.path.glob("backup-sandbox-*"))


_KILLED = """
import os, sys
from pathlib import Path
from pitboss.books.audit import sealing
count = 0
encrypt = sealing._nonce
def dying(number, *, last):
    global count
    count += 1
    if count == int(sys.argv[4]):
        os.kill(os.getpid(), 9)
    return encrypt(number, last=last)
sealing._nonce = dying
sealing.seal_file(Path(sys.argv[1]), Path(sys.argv[2]), [sys.argv[3]], {})
"""


@pytest.mark.parametrize("point", [1, 3, 4, 6])
def test_killed_while_it_is_sealed_there_is_nothing_that_looks_like_a_backup(
    keys: Keys, safe: Path, tmp_path: Path, point: int
) -> None:
    """Three chunks are written, then read back: killed at any of them there is no file of that name."""
    (tmp_path / "plain").write_bytes(os.urandom(2 * CHUNK + 1))
    target = safe / "pitboss-20261118T000000Z.sealed"
    arguments = [sys.executable, "-c", _KILLED, str(tmp_path / "plain"), str(target), keys.public, str(point)]
    assert subprocess.run(arguments, check=False).returncode == -9  # noqa: S603 - ours
    assert not target.exists()
    partial = target.with_name(f"{target.name}.partial")
    assert partial.exists()
    backing_up._clear(tmp_path, safe)
    assert not partial.exists()


# Sealed.


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_what_is_sealed_opens_as_it_was(keys: Keys, tmp_path: Path, size: int) -> None:
    content = os.urandom(size)
    (tmp_path / "plain").write_bytes(content)
    (tmp_path / "other").mkdir()
    other = Keys(tmp_path / "other")
    sealed = seal_file(tmp_path / "plain", tmp_path / "sealed", [keys.public, other.public], {"at": 1})
    assert sealed.size == (tmp_path / "sealed").stat().st_size == inspect(tmp_path / "sealed").file_size
    for number, each in enumerate((keys, other)):
        unseal_file(tmp_path / "sealed", each.file, tmp_path / f"open-{number}")
        assert (tmp_path / f"open-{number}").read_bytes() == content


def test_cut_swapped_longer_or_changed_it_does_not_open(keys: Keys, tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(os.urandom(3 * CHUNK))
    seal_file(tmp_path / "plain", tmp_path / "sealed", [keys.public], {"at": 1})
    whole = (tmp_path / "sealed").read_bytes()
    begins, piece = len(whole) - 3 * (CHUNK + 16), CHUNK + 16
    chunks = [whole[begins + n * piece : begins + (n + 1) * piece] for n in range(3)]
    header = whole[:begins]
    broken = {
        "cut": header + chunks[0] + chunks[1],
        "cut in the middle": whole[:-5],
        "swapped": header + chunks[1] + chunks[0] + chunks[2],
        "longer": whole + b"x",
        "doubled": header + chunks[0] + chunks[0] + chunks[2],
        "header": header.replace(b'"at":1', b'"at":2') + b"".join(chunks),
        "size": header.replace(str(3 * CHUNK).encode(), str(2 * CHUNK).encode()) + chunks[0] + chunks[1],
        "magic": b"X" + whole[1:],
        "key": header.replace(header.split()[4], header.split()[4][::-1]) + b"".join(chunks),
    }
    for name, content in broken.items():
        (tmp_path / "broken").write_bytes(content)
        with pytest.raises(StoreError):
            unseal_file(tmp_path / "broken", keys.file, tmp_path / name)
        assert not (tmp_path / name).exists(), name
    (tmp_path / "broken").write_bytes(broken["cut"])
    with pytest.raises(StoreError, match="not whole"):
        inspect(tmp_path / "broken")


def test_another_key_opens_nothing_and_no_key_is_overwritten(keys: Keys, tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"x")
    seal_file(tmp_path / "plain", tmp_path / "sealed", [keys.public], {})
    (tmp_path / "other").mkdir()
    with pytest.raises(StoreError, match="is sealed to key"):
        unseal_file(tmp_path / "sealed", Keys(tmp_path / "other").file, tmp_path / "open")
    with pytest.raises(StoreError, match="never overwritten"):
        make_identity(keys.file)
    assert keys.file.stat().st_mode & 0o077 == 0
    for point in ("00" * 32, "zz" * 32, "00"):
        with pytest.raises(StoreError):
            seal_file(tmp_path / "plain", tmp_path / "no", [point], {})
        assert not (tmp_path / "no").exists()


def test_a_plain_backup_has_the_pictures_and_one_that_is_damaged_restores_nothing(house: House, tmp_path: Path) -> None:
    name = slide(house.room.path)
    back_up(house.room.books.directory, tmp_path / "a.backup")
    assert dict(pictures_of(tmp_path / "a.backup")) == {name: PICTURE}
    with sqlite3.connect(tmp_path / "a.backup") as connection:
        connection.execute("UPDATE pictures SET content = x'00'")
    with pytest.raises(StoreError, match="picture"):
        restore(tmp_path / "a.backup", tmp_path / "new", person="A", reason="b", without_head="c")
    assert not (tmp_path / "new").exists()


# By the server.


class Done:
    """A worker that has done what it was asked at once, in this process."""

    def __init__(self) -> None:
        self.figures: dict[str, Figure] = {}

    def ask(self, job: BackUpJob) -> Figure:
        self.figures[job.key] = Figure(job.key, "ready", json.loads(json.dumps(job.run())))
        return self.figures[job.key]

    def figure(self, key: str) -> Figure | None:
        return self.figures.get(key)


def titles(house: House) -> dict[str, str]:
    view = today_view(house.room.state, NOBODY, house.clock.now)
    return {card.title: f"{card.figure} | {card.text} | {card.state}" for card in view.cards}


def test_the_server_makes_what_is_due_and_today_tells_how_it_ended(house: House, keys: Keys, safe: Path) -> None:
    room, runs = house.room, BackupRun(house.room, Done())  # type: ignore[arg-type]
    assert "Backups" not in titles(house)
    plan(room, keys, safe, hours=6)
    assert "None yet" in titles(house)["Backups"]
    runs.look()
    runs.look()
    backups = room.state.of(BACKUPS)
    assert backups.last is not None
    assert backups.last.is_good, backups.last
    assert backups.last == backups.last_good
    assert re.fullmatch(r"[A-Z][a-z]{2} \d+ \| last good backup, \d+:\d\d [AP]M \| ok", titles(house)["Backups"])
    room.look_after()
    assert "backup" not in {alarm.kind for alarm in active_alarms(room.state)}
    assert house.as_("manager").get("/today").text.count("last good backup") == 1
    # The disk is not mounted any more: what lies under the mount has no marker.
    (safe / MARKER).unlink()
    room.look_after()
    [alarm] = [alarm for alarm in active_alarms(room.state) if alarm.kind == "backup"]
    assert "is its disk mounted?" in alarm.words
    house.clock.add(6 * HOUR)
    runs.look()
    assert not list(safe.glob("*2026*partial"))
    assert "danger" in titles(house)["Backups"]
    last = room.state.of(BACKUPS).last
    assert last is not None
    assert MARKER in last.problem
    shutil.rmtree(safe)
    assert "there is no directory" in backup_trouble(room.state, house.clock.now)
    safe.mkdir()
    (safe / MARKER).touch()
    house.clock.add(HOUR // 4)
    runs.look()
    runs.look()
    room.look_after()
    assert "backup" not in {alarm.kind for alarm in active_alarms(room.state)}


def test_a_plan_and_its_results_are_shown_at_the_terminal(house: House, keys: Keys, safe: Path) -> None:
    path = house.room.path
    assert "no backups are planned" in run(f"backups show {path}").output
    plan(house.room, keys, safe, hours=6)
    BackupRun(house.room, Done()).look()  # type: ignore[arg-type]
    text = one_line(run(f"backups show {path}").output)
    assert f"every 6 hours to {safe}, 2 kept, sealed to {key_id(keys.public)}" in text


def test_one_command_seals_a_backup_by_hand(house: House, keys: Keys, tmp_path: Path) -> None:
    typed = run(f"backup {house.room.path} {tmp_path / 'x'} --to {keys.public}")
    assert typed.exit_code == 0, typed.output
    assert "and read back" in typed.output
    done = drill(tmp_path / "x", keys.file, tmp_path)
    assert done.report.is_sound
    assert done.heads["room"].sequence == house.room.state.sequence
    assert run(f"backup {house.room.path} {tmp_path / 'y'} --to abc").exit_code == 2
    assert not (tmp_path / "y").exists()
