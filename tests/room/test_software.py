"""G-74, T-15, O-01, M-04: the files of the software are those that were built; what serves a room is journalled."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from pitboss import installation
from pitboss.books import HaltedError
from pitboss.commands.command import BOOK
from pitboss.installation import Installation, compare, digest_of, hashes_in, manifest_text
from pitboss.room.software import SOFTWARE
from tests.docs.console import run_pitboss
from tests.pages.room import CardRoom
from tests.pages.tables import tables_room


@pytest.fixture
def found(tmp_path: Path) -> Iterator[CardRoom]:
    with tables_room(tmp_path / "room") as opened:
        yield opened


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A small package as a build leaves it."""
    folder = tmp_path / "pitboss"
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "cents.py").write_text("CENTS = 100\n")
    (folder / "words.md").write_text("words\n")
    (folder / installation.MANIFEST).write_text(manifest_text("9.9", hashes_in(folder)))
    return folder


def test_files_as_they_were_built_are_found_so(built: Path) -> None:
    (built / "__pycache__").mkdir()
    (built / "__pycache__" / "cents.pyc").write_text("compiled")
    found = compare(built, "9.9")

    assert (True, 2, ()) == (found.is_built, found.files, found.problems)
    assert digest_of(hashes_in(built)) == found.digest
    assert f"9.9, files {found.digest[:16]}" == found.text


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("rules/cents.py", "CENTS = 101\n", "changed: rules/cents.py"),
        ("rules/cents.py", None, "missing: rules/cents.py"),
        ("rules/more.py", "import os\n", "not part of the build: rules/more.py"),
        (installation.MANIFEST, "{", "the manifest of the build is damaged, or of another version"),
    ],
)
def test_t_15_a_changed_missing_or_added_file_is_named(
    built: Path, name: str, content: str | None, problem: str
) -> None:
    if content is None:
        (built / name).unlink()
    else:
        (built / name).write_text(content)
    found = compare(built, "9.9")

    assert problem in found.problems
    assert found.text.endswith("CHANGED SINCE IT WAS BUILT")


def test_sources_have_no_manifest_and_say_so(built: Path) -> None:
    (built / installation.MANIFEST).unlink()
    found = compare(built, "9.9")

    assert ("9.9, running from source", ()) == (found.text, found.problems)
    ran = run_pitboss(["verify-install", "--json"])
    assert ran.exit_code == 0
    assert not json.loads(ran.printed)["is_built"], "these tests run from source"


def test_t_15_a_build_that_has_lost_its_manifest_is_no_source(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen: with the manifest deleted, changed files served a room and wrote, "running from source"."""
    (built / "rules" / "cents.py").write_text("CENTS = 101\n")
    (built / installation.MANIFEST).unlink()
    monkeypatch.setattr(installation, "PACKAGE", built)
    _forget()
    try:
        assert (False, ()) == (installation.examine().is_built, installation.examine().problems)
        _forget()
        listed = [PurePosixPath("pitboss/rules/cents.py"), PurePosixPath("pitboss/manifest.json")]
        monkeypatch.setattr("importlib.metadata.files", lambda _name: listed)
        assert ("missing: manifest.json",) == installation.examine().problems
        assert installation.software_text().endswith("CHANGED SINCE IT WAS BUILT")
    finally:
        _forget()


def _forget() -> None:
    installation.examine.cache_clear()
    installation.software_text.cache_clear()


def test_m_04_other_software_is_journalled_once_with_the_account_that_runs_it(found: CardRoom) -> None:
    first = Installation("1.0", "ab" * 32, 2, is_built=True)
    before = found.room.state.sequence
    found.room.take_software(first)
    found.room.take_software(first)
    found.room.look_after()
    entries = [entry for entry in found.room.books.store.entries(BOOK, before) if entry.kind == "software-changed"]

    assert 1 == len(entries)
    assert json.loads(entries[0].payload)["user"]
    found.room.take_software(first._replace(version="1.1", digest="cd" * 32))
    assert "1.1" == found.room.state.of(SOFTWARE).version


def test_t_15_changed_software_starts_read_only_and_is_an_alarm(found: CardRoom) -> None:
    changed = Installation("1.0", "ab" * 32, 2, is_built=True, problems=("changed: rules/cents.py",))
    found.room.take_software(changed)

    assert "changed: rules/cents.py" == found.room.state.of(SOFTWARE).changed, "journalled before it stops"
    assert found.room.books.is_halted
    with pytest.raises(HaltedError, match=r"nothing is written: the software is not as it was built \(changed: rules"):
        found.room.books.seal(BOOK)
    assert any(alarm.kind == "software" for alarm in found.room._troubles.values())


def test_software_from_source_is_never_read_only(found: CardRoom, built: Path) -> None:
    (built / installation.MANIFEST).unlink()
    shutil.rmtree(built / "rules")
    found.room.take_software(compare(built, "1.0"))

    assert not found.room.books.is_halted
