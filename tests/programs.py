"""Programs that tests need besides Python. `make system` installs them; with CI=true a missing one is a failure."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest

__all__ = ["missing", "program"]


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
