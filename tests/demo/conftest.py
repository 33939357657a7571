"""A demo room that was made once, by the process that makes it for everybody."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.demo.running import make_room


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The room with its past, which nobody has served yet; whoever writes to it copies it."""
    path = tmp_path_factory.mktemp("demo") / "room"
    make_room(path)
    return path
