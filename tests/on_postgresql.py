"""All rooms of a run of tests in PostgreSQL: `pytest --store postgresql tests/room`.

Wherever a test makes a room, it gets a database of its own, and where it copies a data directory, the database is copied
too. Tests of what SQLite alone has are left out by name, in `on_postgresql.toml`.
"""

from __future__ import annotations

import shutil
import tomllib
import uuid
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from pitboss.books.store import directory
from tests.books.fixtures import administering

LISTS = Path(__file__).with_name("on_postgresql.toml")


def lists() -> dict[str, Any]:
    """Return the files whose tests run on PostgreSQL, and the tests of what SQLite alone has."""
    return tomllib.loads(LISTS.read_text(encoding="utf-8"))


class Databases:
    """The databases of rooms, on one server."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._write, self._copy = directory.write_store_file, shutil.copytree
        self._names: list[str] = []

    def create(self, template: str = "template1") -> str:
        name = f"r_{uuid.uuid4().hex}"
        with administering(self._server) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        self._names.append(name)
        return name

    def write_store_file(self, path: Path, database: directory.Database | None) -> None:
        self._write(path, database or directory.Database(f"{self._server} dbname={self.create()}"))

    def copytree(self, source: Any, target: Any, *more: Any, **named: Any) -> Any:
        copied = self._copy(source, target, *more, **named)
        file = Path(target) / "store.toml"
        if file.is_file():
            connection = tomllib.loads(file.read_text()).get("connection", "")
            name = connection.rpartition("dbname=")[2]
            if name in self._names:
                file.write_text(file.read_text().replace(name, self.create(name)))
        return copied

    def drop(self, since: int = 0) -> None:
        with administering(self._server) as connection:
            for name in self._names[since:]:
                connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        del self._names[since:]


@pytest.fixture(scope="session", autouse=True)
def every_room_is_in_postgresql(postgresql: str) -> Iterator[None]:
    databases = Databases(postgresql)
    # Programs that tests start find the server, whose password is in the environment already.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pitboss.books.store.migrate.write_store_file", databases.write_store_file)
        patch.setattr(shutil, "copytree", databases.copytree)
        yield
    databases.drop()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    patterns = [pattern for some in lists()["left_out"].values() for pattern in some]
    left = [item for item in items if any(fnmatch(item.nodeid, pattern) for pattern in patterns)]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]
