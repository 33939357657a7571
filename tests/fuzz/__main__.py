"""`python -m tests.fuzz cards -max_total_time=60`: fuzzing led by coverage, with atheris; Ctrl-C ends it.

Targets are those of `targets`; options are libFuzzer's. What takes a new path goes to a folder below `build/fuzz`, from
where the next run begins too; what is at fault is left in the kept corpus, where every test tries it from then on.
"""

from __future__ import annotations

import datetime
import importlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOUND = Path(os.environ.get("PITBOSS_FUZZ_FOUND", "build/fuzz"))
_READING = ["pitboss.cards", "pitboss.table", "pitboss.tabulator"]
_SERVING = [
    "pitboss.books",
    "pitboss.commands",
    "pitboss.jackpot",
    "pitboss.room",
    "pitboss.server",
    "pitboss.tabulator",
]
"""Packages whose paths are counted: not those that are compiled, which are no Python any more."""


def target_of(name: str, atheris: Any, folder: Path) -> tuple[Callable[[bytes], None], Path]:
    """Load Pitboss so that its paths are counted; return a target, with a room of its own, and the kept corpus."""
    is_served = name not in ("cards", "toml")
    with atheris.instrument_imports(include=_SERVING if is_served else _READING):
        targets = importlib.import_module("tests.fuzz.targets")
        if not is_served:
            return targets.targets(None)[name], targets.CORPUS
        room, making = (importlib.import_module(f"tests.{module}") for module in ("fuzz.room", "server.making"))
        migrate = importlib.import_module("pitboss.books.store.migrate")
    settings = importlib.import_module("tests.books.making").settings
    migrate.create_books(folder, settings(), person="Ada", since=datetime.date(2026, 1, 1))
    house = making.House(folder)
    house.fill()
    return targets.targets(room.Served(house))[name], targets.CORPUS


def fuzz(name: str, options: list[str]) -> None:
    """Fuzz a target until its time is over: libFuzzer then ends this process."""
    atheris = importlib.import_module("atheris")
    with tempfile.TemporaryDirectory() as folder:
        target, corpus = target_of(name, atheris, Path(folder) / "room")
        new = FOUND / name
        new.mkdir(parents=True, exist_ok=True)
        artifacts = f"-artifact_prefix={corpus / name}/found-"
        atheris.Setup([sys.argv[0], artifacts, *options, str(new), str(corpus / name)], target)
        atheris.Fuzz()


if __name__ == "__main__":
    fuzz(sys.argv[1], sys.argv[2:])
