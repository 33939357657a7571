"""What the documentation for developers names is there: paths of the repository, modules, and targets of `make`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.console import ROOT

PAGES = ("CONTRIBUTING.md", "docs/developer.md", "docs/security.md", "README.md", "SECURITY.md")
_PATH = re.compile(r"(?<![\w./-])(?:src|tests|docs|examples|benchmarks|tools|requirements)/[\w./<>*-]*[\w/>*]")
_MODULE = re.compile(r"\bpitboss(?:\.[a-z_]+)+\b")
_TARGET = re.compile(r"`make ([a-z]+)[ `]")


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def is_there(path: str) -> bool:
    """A name in angle brackets stands for any."""
    return any(ROOT.glob(re.sub(r"<\w+>", "*", path.rstrip("/"))))


def is_module(name: str) -> bool:
    """A module, or something in one."""
    path = ROOT.joinpath("src", *name.split("."))
    if path.is_dir() or path.with_suffix(".py").is_file():
        return True
    door, _, attribute = name.rpartition(".")
    file = ROOT.joinpath("src", *door.split("."))
    text = next((place.read_text() for place in (file / "__init__.py", file.with_suffix(".py")) if place.is_file()), "")
    return re.search(rf"\b{attribute}\b", text) is not None


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_is_named_exists(page: str) -> None:
    assert [] == sorted({path for path in _PATH.findall(read(page)) if not is_there(path)})


def test_every_test_that_is_named_exists() -> None:
    """What a page on security says is shown by a test is shown by one that is there."""
    text = read("docs/security.md")
    named = re.findall(r"(tests/[\w/]+\.py)::(\w+)", text)
    bare = re.findall(r"`(test_\w+)`", text)
    everything = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    lacking = {f"{file}::{test}" for file, test in named if f"def {test}(" not in read(file)}
    lacking |= {test for test in bare if f"def {test}(" not in everything}
    assert named
    assert sorted(lacking) == []


@pytest.mark.parametrize("page", PAGES)
def test_every_module_that_is_named_exists(page: str) -> None:
    assert [] == sorted({name for name in _MODULE.findall(read(page)) if not is_module(name)})


def test_every_target_that_is_named_is_in_the_makefile_and_every_target_is_explained() -> None:
    makefile = read("Makefile")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = {target for page in PAGES for target in _TARGET.findall(read(page))}
    for_all = set(re.findall(r"^make ([a-z]+) ", read("README.md"), re.MULTILINE))

    assert set() == named - targets
    # Two are no task of their own: what other targets need first, and what takes everything away.
    assert {"system", "clean"} >= targets - named - for_all


def test_hooks_before_a_commit_are_local_and_of_our_own_environment() -> None:
    text = read(".pre-commit-config.yaml")

    assert {"local"} == set(re.findall(r"- repo: (.+)", text))
    assert {"system"} == set(re.findall(r"language: (.+)", text))
    assert {".venv/bin"} == {str(Path(entry).parent) for entry in re.findall(r"entry: (\S+)", text)}
    assert text.count("- id:") == text.count("entry:") == 3


def test_nothing_names_a_path_of_the_machine_it_was_written_on() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "mkdocs.yml", *(ROOT / "tools").glob("*.py")]

    assert [] == [path.name for path in pages if re.search(r"/(home|root|work)/", Path(path).read_text("utf-8"))]
