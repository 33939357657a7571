"""The matrix of Pythons: it finds the one that runs, believes no name alone, and names what it skips."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tools import matrix

from tests.docs.console import ROOT

HERE = "{}.{}".format(*sys.version_info[:2])


def test_the_python_of_the_tests_is_found() -> None:
    python = matrix.find_python(HERE)

    assert python is not None
    assert matrix.version_of(str(python)) == HERE


def test_a_name_on_the_path_that_does_not_start_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shim = tmp_path / "python3.99"
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert matrix.find_python("3.99") is None


def test_a_version_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert matrix.main(["3.99"]) == 1
    assert capsys.readouterr().out.splitlines() == ["Python 3.99: skipped: not on this machine", "passed: none"]


def test_every_supported_version_is_in_the_matrix() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")

    assert f'requires-python = ">={matrix.VERSIONS[0]}"' in project
    assert HERE in matrix.VERSIONS
