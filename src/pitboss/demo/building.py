"""Makes the data directory of the demo room in a process of its own: a server never loads what makes a store."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from pitboss.books import microseconds_now
from pitboss.demo.history import build_room
from pitboss.demo.places import folder_of


def build_at(path: Path, now: int) -> None:
    """Make the room beside its place, and move it there when it is whole: killed, it leaves no half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    try:
        made = beside / "room"
        build_room(made, now)
        folder_of(made).mkdir()
        if path.exists():
            path.rmdir()
        made.replace(path)
    finally:
        shutil.rmtree(beside)


def main() -> None:
    """Make the room at the path that is named, with a past that ends now."""
    build_at(Path(sys.argv[1]), microseconds_now())


if __name__ == "__main__":
    main()
