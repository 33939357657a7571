"""Watching a process's calls to the system with strace, where it is installed and allowed."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache

import pytest

__all__ = ["strace"]


@cache
def _works(program: str) -> bool:
    return subprocess.run([program, "-o", "/dev/null", "true"], check=False, capture_output=True).returncode == 0  # noqa: S603


def strace() -> str:
    """The program, or a test that is skipped: a container may have none, or forbid one process to watch another."""
    program = shutil.which("strace")
    if program is None or not _works(program):
        pytest.skip("strace is missing or not allowed: nothing can count calls to the system")
    return program
