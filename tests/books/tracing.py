"""Watching a process's calls to the system with strace, where it is installed and allowed."""

from __future__ import annotations

import subprocess
from functools import cache

from tests.programs import missing, program

__all__ = ["strace"]


@cache
def _works(path: str) -> bool:
    return subprocess.run([path, "-o", "/dev/null", "true"], check=False, capture_output=True).returncode == 0  # noqa: S603


def strace() -> str:
    """The program, or a test that is skipped: a container may have none, or forbid one process to watch another."""
    path = program("strace")
    if not _works(path):
        missing("strace is not allowed: nothing can count calls to the system")
    return path
