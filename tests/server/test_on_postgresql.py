"""The tests of room and server run on both stores: on PostgreSQL in a process of their own, where every room is in one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.on_postgresql import lists

ROOT = Path(__file__).parents[2]


def test_every_file_and_test_that_the_lists_name_is_there() -> None:
    named = [*lists()["files"], *(test for some in lists()["left_out"].values() for test in some)]
    for name in named:
        file, _, test = name.partition("::")
        assert test.partition("[")[0] in (ROOT / file).read_text(encoding="utf-8"), name


@pytest.mark.slow
@pytest.mark.parametrize("file", lists()["files"])
def test_the_same_tests_pass_with_every_room_in_postgresql(file: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "--store", "postgresql", "-m", "not slow and not browser"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    ran = subprocess.run([*command, file], cwd=ROOT, capture_output=True, text=True, check=False, env=environment)  # noqa: S603
    assert ran.returncode == 0, ran.stdout[-3_000:]
