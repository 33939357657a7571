"""Where the demo room lies, and how it is told from a room in which people earn their living."""

from __future__ import annotations

import os
from pathlib import Path


def default_path() -> Path:
    """A folder in the user's data directory."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "pitboss" / "demo"


def folder_of(path: Path) -> Path:
    """The folder in which the devices of the demo keep their buffers; no other room has one."""
    return path / "demo"


def is_free(path: Path) -> bool:
    """Whether a room can be made there."""
    return not path.exists() or (path.is_dir() and not any(path.iterdir()))


def path_problems(path: Path) -> list[str]:
    """Say why no demo can run there: it prints links by which anybody signs in, which no other room may have."""
    if is_free(path) or folder_of(path).is_dir():
        return []
    return [f"{path} is not empty and no demo room: name an empty folder, or serve it without --demo"]
