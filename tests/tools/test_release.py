"""The release script refuses what is not ready, with every reason at once, on a small repository of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools import release

VERSION = "0.2.0"
CHANGELOG = """# Changelog

## Unreleased

## 0.2.0 - 2026-11-17

### Added
- Something to notice.

## 0.1.0 - 2026-11-15

### Added
- The first of all.
"""
PROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "small"
version = "0.2.0"
requires-python = ">=3.11"

[tool.hatch.build.targets.wheel]
packages = ["small"]
"""
MAKEFILE = "check:\n\t@true\ntest:\n\t@true\n"


def git(root: Path, *arguments: str) -> str:
    return release.run(root, "git", *arguments)


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")
    git(root, "add", name)
    git(root, "commit", "--quiet", "--message", f"Write {name}")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@room.example")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    # `make` of the tests must not hand its flags to the one that the script runs.
    monkeypatch.delenv("MAKEFLAGS", raising=False)
    folder = tmp_path / "small"
    folder.mkdir()
    git(folder, "init", "--quiet")
    for name, text in {
        "pyproject.toml": PROJECT,
        "CHANGELOG.md": CHANGELOG,
        "Makefile": MAKEFILE,
        ".gitignore": "dist/\n",
        "small/__init__.py": "",
    }.items():
        write(folder, name, text)
    return folder


def refusals(root: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert release.main([VERSION, *arguments], root) == 1
    assert git(root, "tag", "--list") == ""
    assert not (root / "dist").exists()
    return [line.removeprefix("refused: ") for line in capsys.readouterr().err.splitlines()]


@pytest.mark.parametrize("name", ["new.txt", "Makefile"])
def test_a_dirty_tree_is_refused(root: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (root / name).write_text("changed\n")

    assert refusals(root, capsys) == [f"the tree has changes: {name}"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## 0.2.0 - 2026-11-17\n\n### Added\n- Something to notice.\n\n", ""),
        ("- Something to notice.\n", ""),
        ("## 0.2.0 - 2026-11-17", "## 0.2.0"),
        ("## 0.2.0 - 2026-11-17", "## 0.2.01 - 2026-11-17"),
    ],
)
def test_a_version_without_notes_in_the_changelog_is_refused(
    root: Path, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(root, "CHANGELOG.md", CHANGELOG.replace(old, new))

    assert refusals(root, capsys) == ["CHANGELOG.md has no section `## 0.2.0 - YYYY-MM-DD` with lines in it"]


def test_notes_that_are_still_unreleased_are_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, "CHANGELOG.md", CHANGELOG.replace("## Unreleased\n", "## Unreleased\n\n- Forgotten.\n"))

    assert refusals(root, capsys) == [
        "CHANGELOG.md has lines under 'Unreleased': they belong to 0.2.0, or to no release"
    ]


def test_another_version_in_the_project_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, "pyproject.toml", PROJECT.replace('version = "0.2.0"', 'version = "0.1.9"'))

    assert refusals(root, capsys) == ["pyproject.toml has version 0.1.9, not 0.2.0"]


def test_a_version_that_has_its_tag_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(root, "tag", "v0.2.0")

    assert release.main([VERSION], root) == 1
    assert capsys.readouterr().err == "refused: the tag v0.2.0 is there already\n"


@pytest.mark.parametrize("target", ["check", "test"])
def test_failing_checks_are_refused(root: Path, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, "Makefile", MAKEFILE.replace(f"{target}:\n\t@true", f"{target}:\n\t@echo two tests fail; exit 1"))

    (refusal,) = refusals(root, capsys)
    assert refusal.startswith(f"a check fails: `make {target}` ends with 2: two tests fail / ")


def test_checks_that_change_the_tree_are_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, "Makefile", MAKEFILE.replace("test:\n\t@true", "test:\n\t@touch left-behind"))

    assert refusals(root, capsys) == ["the tree has changes: left-behind"]


def test_every_reason_is_given_at_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, "CHANGELOG.md", "# Changelog\n")
    write(root, "pyproject.toml", PROJECT.replace('version = "0.2.0"', 'version = "0.1.9"'))
    (root / "new.txt").touch()

    assert len(refusals(root, capsys, "--dry-run")) == 3


def test_a_dry_run_prints_what_it_would_do_and_does_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root, "Makefile", "check:\n\t@exit 1\n")

    assert release.main([VERSION, "--dry-run"], root) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["would run: make check", "would run: make test"]
    assert "hatchling build" in lines[2]
    assert lines[3] == "would run: git tag --annotate --cleanup=verbatim v0.2.0 --message 'Pitboss 0.2.0'"
    assert git(root, "tag", "--list") == ""
    assert not (root / "dist").exists()


def test_a_release_is_tagged_with_its_notes_and_built(root: Path) -> None:
    assert release.main([VERSION], root) == 0

    notes = git(root, "tag", "--list", "--format=%(contents)", "v0.2.0")
    assert notes.strip() == "Pitboss 0.2.0\n\n### Added\n- Something to notice."
    assert {"small-0.2.0.tar.gz", "small-0.2.0-py3-none-any.whl"} == {path.name for path in (root / "dist").iterdir()}
    assert list(release.tree_problems(root)) == []


def test_the_changelog_of_this_repository_can_be_read() -> None:
    text = (release.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert release.release_notes(text, "0.1.0")
