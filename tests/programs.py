"""What tests need besides Python: programs, which `make system` installs, and a quick folder.

With CI=true a missing program is a failure.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

__all__ = ["missing", "program", "quick_folder"]

_MEMORY = Path("/dev/shm")  # noqa: S108 - a file system in memory, where there is one
_ROOM_BYTES = 2**31


def missing(words: str) -> NoReturn:
    """Fail where all tests must run, else skip."""
    if os.environ.get("CI"):
        pytest.fail(words)
    pytest.skip(words)


def program(*names: str) -> str:
    """Return the path of the first of these programs that is installed."""
    for name in names:
        if (path := shutil.which(name)) is not None:
            return path
    missing(f"there is no {names[0]}: `make system` installs it")


def quick_folder() -> str | None:
    """Return a place where syncs cost little, or nothing where memory is short."""
    try:
        if shutil.disk_usage(_MEMORY).free > _ROOM_BYTES and os.access(_MEMORY, os.W_OK):
            return str(_MEMORY)
    except OSError:
        pass
    return None
