"""`pitboss upgrade` and `pitboss rollback`: what changes is said before, a backup first, and back with nothing lost.

Issue 21, "Upgrade and back". The rule for going back: the version before is asked with a copy of the books, and must read
every entry to the same head; else nothing is changed. The slow tests ask the two releases before, taken from git.
"""

from __future__ import annotations

import ast
import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pitboss.books import Directory, StoreError, known_kinds
from pitboss.books.audit import check_books
from pitboss.books.audit.backup import restore
from pitboss.books.store import migrate
from pitboss.books.store.directory import JOURNAL
from pitboss.installation import Installation
from pitboss.operations import upgrade, versions
from pitboss.operations.upgrade import make_plan, roll_back, upgrade_room
from pitboss.operations.versions import CURRENT, PREVIOUS, InstalledVersions
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.room import Room
from tests.cli.running import run
from tests.operations.making import ROOT

pytestmark = pytest.mark.xdist_group("operations")
BEFORE = {"0.1": "0dc40ea4^", "0.2": "0bddd486"}
"""The last tree of each release before."""
TABLES_VERSION = next(projection.version for projection in PROJECTIONS if projection.name == "tables")
TABLES_ANEW = f"its meaning has changed (version 1 to {TABLES_VERSION})"
"""Books of 0.1 hold the tables in their first version."""


@pytest.fixture
def old(tmp_path: Path, worked: Path) -> Path:
    """Books as version 0.1 has written them: their last sealed state has parts of that version."""
    restore(
        worked.with_name("worked.backup"),
        tmp_path / "room",
        person="Ada King",
        reason="a test of upgrades",
        without_head="it is a test",
    )
    return tmp_path / "room"


def head_of(path: Path) -> tuple[int, str]:
    with closing(Directory(path).open_store(write=False)) as store:
        head = store.head("room")
    assert head is not None
    return head.sequence, head.digest.hex()


def fake_version(
    folder: Path, head: str, *, sound: bool = True, damages: list[dict[str, object]] | None = None
) -> Path:
    """A version before that gives one answer, whatever it is asked to audit."""
    report = {"sound": sound, "books": {"room": {"head": head, "damages": damages or []}}}
    (folder / "bin").mkdir(parents=True)
    (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
    for name, text in (
        ("pitboss", f"#!/bin/sh\ncat {folder}/report.json\n"),
        ("python", f'#!/bin/sh\nexec {sys.executable} "$@"\n'),
    ):
        (folder / "bin" / name).write_text(text, encoding="utf-8")
        (folder / "bin" / name).chmod(0o755)
    return folder / "bin" / "pitboss"


def test_a_plan_says_what_is_folded_anew_from_how_many_entries_and_how_long_it_takes(old: Path) -> None:
    before = head_of(old)
    plan = make_plan(old)

    renewed = {part.name: part for part in plan.renewed}
    assert TABLES_ANEW == renewed["tables"].reason
    assert renewed["tables"].entries > 600
    assert 0 < plan.folded <= plan.entries == before[0]
    assert plan.a_second > 0
    assert plan.seconds == pytest.approx(plan.folded / plan.a_second)
    assert ((), {}, True) == (plan.migrations, plan.unreadable, plan.is_possible)
    assert head_of(old) == before


def test_an_upgrade_backs_up_first_seals_anew_and_changes_no_entry(old: Path, tmp_path: Path) -> None:
    sequence, digest = head_of(old)
    done = upgrade_room(old)

    assert check_books(done.backup).heads == {}
    with closing(sqlite3.connect(done.backup)) as copy:
        assert copy.execute("SELECT max(sequence) FROM entries").fetchone() == (sequence,)
    with closing(Directory(old).open_store(write=False)) as store:
        entry = store.entry("room", sequence)
        assert entry is not None
        assert entry.digest.hex() == digest
    assert head_of(old)[0] == sequence + 1
    assert make_plan(old).renewed == ()
    assert check_books(Directory(old), projections=PROJECTIONS, invariants=INVARIANTS).is_sound
    # Once more changes nothing but takes another backup.
    again = upgrade_room(old, backup=tmp_path / "again.backup")
    assert (head_of(old)[0], again.backup.is_file()) == (sequence + 1, True)


def test_settings_that_have_no_effect_any_more_are_named(old: Path) -> None:
    (old / "store.toml").write_text('store = "sqlite"\nsynchronous = "off"\n')
    (old / "heads.toml").write_text("sylog = true\n")

    assert make_plan(old).dropped == (
        "store.toml: 'synchronous' is no setting",
        "heads.toml: 'sylog' is no setting",
    )


def test_books_of_a_newer_version_are_refused_and_stay_as_they_are(old: Path) -> None:
    with closing(sqlite3.connect(old / JOURNAL)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()

    with pytest.raises(StoreError, match="a newer version has written these books"):
        upgrade_room(old)
    assert [] == list(old.parent.glob("*.backup.*"))


def test_while_a_server_runs_an_upgrade_waits_for_nobody_and_changes_nothing(old: Path) -> None:
    with Room(old):
        before = head_of(old)
        assert make_plan(old).entries
        with pytest.raises(StoreError, match="another process writes"):
            upgrade_room(old)
        assert head_of(old) == before


def test_going_back_asks_the_version_before_and_leaves_everything(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Within a second of the upgrade: both backups are kept.
    monkeypatch.setattr(upgrade, "_stamp", lambda: "20261119T220238Z")
    upgrade_room(old)
    before = head_of(old)
    done = roll_back(old, program=fake_version(tmp_path / "old", before[1]))

    assert done.heads == {"room": before[1]}
    assert head_of(old) == before
    assert done.backup.is_file()
    assert [] == list(tmp_path.glob("*.as-*"))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"sound": False, "damages": [{"sequence": 857, "what": "no kind 'shift-dreamed'"}]}, "entry 857: no kind"),
        ({"head": "00"}, "reads other heads"),
    ],
)
def test_a_version_that_cannot_read_everything_is_not_gone_back_to(
    answer: dict[str, object], says: str, old: Path, tmp_path: Path
) -> None:
    before = head_of(old)
    options = {"head": before[1], **answer}
    program = fake_version(tmp_path / "old", **options)  # type: ignore[arg-type]

    result = run(f"rollback {old} --program {program} --service ''")

    assert result.exit_code == 2
    assert says in result.output
    assert head_of(old) == before


def test_one_rename_changes_the_version_in_use_and_the_one_before_is_remembered(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = tmp_path / "opt"
    for version in ("1.0", "2.0"):
        fake_version(prefix / version, "")
    installed = InstalledVersions(prefix)
    installed.use("1.0")
    monkeypatch.setattr(sys, "prefix", str(prefix / "2.0"))

    upgrade_room(old)
    assert ("2.0", "1.0") == (installed.of(CURRENT), installed.of(PREVIOUS))

    (prefix / "1.0" / "report.json").write_text(
        json.dumps({"sound": True, "books": {"room": {"head": head_of(old)[1], "damages": []}}})
    )
    assert roll_back(old, check=True).version == "1.0"
    assert installed.of(CURRENT) == "2.0"
    assert roll_back(old).version == "1.0"
    assert ("1.0", "2.0") == (installed.of(CURRENT), installed.of(PREVIOUS))
    with pytest.raises(StoreError, match=r"version 1\.0 is in use"):
        roll_back(old)
    with pytest.raises(StoreError, match=r"version 3\.0 is not installed"):
        installed.use("3.0")


def test_an_upgrade_says_before_whether_there_is_a_way_back(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At four in the morning it is too late to learn that the version before does not read what is written now."""
    assert "no other version is in use here" in run(f"upgrade {old} --check").stdout
    prefix = tmp_path / "opt"
    for version in ("1.0", "2.0"):
        fake_version(prefix / version, "")
    InstalledVersions(prefix).use("1.0")
    monkeypatch.setattr(sys, "prefix", str(prefix / "2.0"))
    # Other tests of this process have kinds of their own.
    kinds_of_ours = {kind for kind in known_kinds() if not kind.startswith("test-")}
    monkeypatch.setattr(upgrade, "known_kinds", lambda: kinds_of_ours)
    assert make_plan(old).unread_before == ()
    # A kind that is read may have a field that is not: no more is promised than was asked.
    printed = " ".join(run(f"upgrade {old} --check").stdout.split())
    assert "reads every kind of entry that this one writes. Whether it reads all that stands in them" in printed

    kinds = " ".join(kinds_of_ours - {"software-changed", "paper-posted"})
    (prefix / "1.0" / "bin" / "python").write_text(f"#!/bin/sh\necho {kinds}\n", encoding="utf-8")
    assert make_plan(old).unread_before == ("paper-posted", "software-changed")
    printed = " ".join(run(f"upgrade {old} --check").stdout.split())
    assert "none once this version has served the room" in printed
    assert "2 kinds of entries that this one writes (paper-posted, software-changed)" in printed

    (prefix / "1.0" / "bin" / "python").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    assert make_plan(old).unread_before is None


def test_who_asks_whether_going_back_is_possible_leaves_no_file(old: Path, tmp_path: Path) -> None:
    program = fake_version(tmp_path / "old", head_of(old)[1])
    before = sorted(tmp_path.iterdir())

    assert "can be used again" in run(f"rollback {old} --program {program} --check").stdout
    assert sorted(tmp_path.iterdir()) == before
    roll_back(old, program=program, backup=tmp_path / "now.backup", check=True)
    assert (tmp_path / "now.backup").is_file()


@pytest.mark.parametrize("command", ["backup {room} {file}", "upgrade {room} --backup {file} --service ''"])
def test_a_backup_into_a_folder_that_is_not_there_is_one_sentence(command: str, old: Path, tmp_path: Path) -> None:
    result = run(command.format(room=old, file=tmp_path / "nowhere" / "x.backup"))

    assert result.exit_code == 2
    assert "".join(result.stderr.split()) == "".join(f"there is no folder {tmp_path / 'nowhere'}".split())


def test_the_service_is_stopped_while_something_is_done_and_started_again_even_if_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[str, ...]] = []

    def systemctl(*arguments: str) -> int:
        calls.append(arguments)
        return 0

    monkeypatch.setattr(versions, "_systemctl", systemctl)
    monkeypatch.setattr(versions, "_SYSTEMD", tmp_path)
    with pytest.raises(ZeroDivisionError), versions.stopped("pitboss"):
        _ = 1 // 0
    assert calls == [("is-active", "pitboss"), ("stop", "pitboss"), ("start", "pitboss")]
    with versions.stopped("") as ran:
        assert not ran
    assert len(calls) == 3


_SECOND = """
import sqlalchemy as sa
from alembic import op
revision, down_revision, branch_labels, depends_on = "0002", "0001", None, None
def upgrade():
    op.add_column("snapshots", sa.Column("made_at", sa.Integer))
def downgrade():
    op.drop_column("snapshots", "made_at")
"""


def test_a_schema_can_be_taken_back_and_entries_stay(old: Path, tmp_path: Path) -> None:
    scripts = shutil.copytree(migrate.MIGRATIONS, tmp_path / "migrations")
    (scripts / "versions" / "second.py").write_text(_SECOND)
    assert migrate.revisions(scripts) == ("0001", "0002")
    before, directory = head_of(old), Directory(old)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(migrate, "MIGRATIONS", scripts)
        patched.setattr(migrate, "_config", lambda _=scripts, make=migrate._config: make(scripts))
        migrate.upgrade_store(directory)
    assert migrate.store_revision(directory) == "0002"
    with pytest.raises(StoreError, match="has schema 0002"):
        directory.open_store(write=False)
    migrate.downgrade_store(directory, "0001", scripts)

    assert (migrate.store_revision(directory), head_of(old)) == ("0001", before)
    with pytest.raises(StoreError, match="no schema '0007'"):
        migrate.downgrade_store(directory, "0007", scripts)


def test_every_migration_after_the_first_can_be_undone() -> None:
    files = sorted((migrate.MIGRATIONS / "versions").glob("[a-z]*.py"))
    assert files
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert file.name == "first.py" or {"upgrade", "downgrade"} <= names


def test_the_command_says_what_would_change(old: Path) -> None:
    printed = run(f"upgrade {old} --check").stdout
    assert f"Folded anew: tables, {TABLES_ANEW}" in printed
    plan = json.loads(run(f"upgrade {old} --check --json").stdout)
    assert (True, "0001", []) == (plan["possible"], plan["schema"], plan["migrations"])
    done = json.loads(run(f"upgrade {old} --json --service ''").stdout)
    assert Path(done["backup"]).is_file()


def release_before(name: str, folder: Path) -> Path:
    """Lay out a release before, from git, as an installation beside this one."""
    archive = subprocess.run(["git", "archive", BEFORE[name], "src"], cwd=ROOT, capture_output=True, check=False)  # noqa: S603, S607
    if archive.returncode:
        pytest.skip(f"version {name} is not in this copy of the repository")
    (folder / "bin").mkdir(parents=True)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)  # noqa: S603, S607
    python = f'#!/bin/sh\nPYTHONPATH={folder}/src exec {sys.executable} "$@"\n'
    for program, text in (("python", python), ("pitboss", python.replace('"$@"', '-m pitboss "$@"'))):
        (folder / "bin" / program).write_text(text, encoding="utf-8")
        (folder / "bin" / program).chmod(0o755)
    return folder / "bin" / "pitboss"


@pytest.mark.slow
@pytest.mark.parametrize("name", BEFORE)
def test_from_a_release_before_and_back_with_nothing_lost(name: str, worked: Path, tmp_path: Path) -> None:
    """What that release has written is upgraded; it reads what this one wrote since, or going back is refused."""
    program, path = release_before(name, tmp_path / name), tmp_path / "room"
    backup = worked.with_name("worked.backup")
    subprocess.run([program, "restore", backup, path, "--person", "Ada King", "--reason", "x y"], check=True)  # noqa: S603
    upgrade_room(path)
    before = head_of(path)
    assert roll_back(path, program=program).heads == {"room": before[1]}
    assert head_of(path) == before

    # This version serves it, and writes what that one knows nothing of.
    with Room(path) as room:
        room.take_software(Installation("9.9", "00", 1, is_built=True))
    before = head_of(path)
    with pytest.raises(StoreError, match="cannot read what was written since: entry"):
        roll_back(path, program=program)
    assert head_of(path) == before
