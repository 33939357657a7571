"""Creates the empty books of a new room by another process: a server loads no Alembic."""

import subprocess
import sys
from pathlib import Path

from pitboss.books import StoreError


def is_new(path: Path) -> bool:
    """True if nothing is there yet: no directory, or an empty one."""
    return not path.exists() or (path.is_dir() and not any(path.iterdir()))


def make_store(path: Path) -> None:
    """Create the store of a room that is set up in the browser."""
    process = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "pitboss.server.new_store", str(path)], capture_output=True, text=True, check=False
    )
    if process.returncode:
        last = process.stderr.strip().rpartition("\n")[2]
        raise StoreError(f"no room could be made in {path}: {last}")


if __name__ == "__main__":
    from pitboss.books.store.migrate import create_store

    create_store(Path(sys.argv[1]))
