"""Creating and upgrading the store of a data directory, by Alembic; for commands, not for a server."""

import datetime
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from pitboss.books.calendar import RoomSet, RoomSettings, settings_problems
from pitboss.books.journal.books import open_books
from pitboss.books.journal.entries import text_problem
from pitboss.books.journal.writer import Draft, RefusedError, Submission, microseconds_now
from pitboss.books.store.base import StoreError
from pitboss.books.store.directory import JOURNAL, Directory, write_store_file


def engine_of(directory: Directory) -> Engine:
    """Make an engine for the store of a data directory."""
    if directory.store_kind == "sqlite":
        return create_engine(directory.address, poolclass=NullPool)
    import psycopg  # noqa: PLC0415

    from pitboss.books.store.postgres import address_of  # noqa: PLC0415

    def connect() -> Any:
        return psycopg.connect(address_of(directory.connection))

    return create_engine(directory.address, creator=connect, poolclass=NullPool)


def make_schema(connection: Connection) -> None:
    """Bring the schema to that of this version, within the transaction of a connection."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _upgrade(engine: Engine) -> None:
    try:
        with engine.begin() as connection:
            make_schema(connection)
    except SQLAlchemyError as error:
        raise StoreError(f"the store could not be upgraded: {error}") from None


def upgrade_store(directory: Directory) -> None:
    """Bring a store to the schema that this version works with; one that is there already stays as it is."""
    lock = directory.lock()
    try:
        if directory.store_kind == "sqlite":
            (directory.path / JOURNAL).touch()
        _upgrade(engine_of(directory))
    finally:
        lock.release()


def upgrade_file(file: Path) -> None:
    """Make the schema in a SQLite file of its own, such as a backup."""
    _upgrade(create_engine(f"sqlite:///{file.absolute()}", poolclass=NullPool))


def create_store(path: Path, connection: str | None = None) -> Directory:
    """Make an empty data directory with an empty store."""
    write_store_file(path, connection)
    directory = Directory(path)
    upgrade_store(directory)
    with closing(directory.open_store(write=False)) as store:
        names = store.books()
    if names:
        raise StoreError(f"the database has books already: {', '.join(names)}")
    return directory


def create_books(
    path: Path,
    settings: RoomSettings,
    *,
    person: str,
    book: str = "room",
    since: datetime.date | None = None,
    connection: str | None = None,
    clock: Callable[[], int] = microseconds_now,
) -> None:
    """Make the books of a new room; the first entry holds its settings."""
    problems = settings_problems(settings) + text_problem("person", person)
    if problems:
        raise RefusedError(problems)
    create_store(path, connection)
    first = since or datetime.datetime.now(tz=datetime.UTC).date() - datetime.timedelta(days=1)
    value = RoomSet(since=first, settings=settings)
    with open_books(path, clock=clock) as books:
        books.submit(
            Submission(book=book, id="create", actor=person, content=value.to_json(), decide=lambda _: [Draft(value)])
        )
