"""Creating and upgrading the store of a data directory, by Alembic; for commands, not for a server."""

import datetime
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from pitboss.books.calendar import RoomSet, RoomSettings, settings_problems
from pitboss.books.journal.books import open_books
from pitboss.books.journal.clock import microseconds_now
from pitboss.books.journal.entries import EPOCH, Entry, text_problem
from pitboss.books.journal.writer import Draft, RefusedError, Submission
from pitboss.books.store.base import StoreError
from pitboss.books.store.directory import JOURNAL, Database, Directory, write_store_file


def engine_of(directory: Directory, *, is_new: bool = False) -> Engine:
    """Make an engine for the store of a data directory; the schema of a new one may not be there yet."""
    if directory.store_kind == "sqlite":
        return create_engine(directory.address, poolclass=NullPool)
    import psycopg  # noqa: PLC0415

    from pitboss.books.store.postgres import address_of, verify_schema  # noqa: PLC0415

    def connect() -> Any:
        connection = psycopg.connect(address_of(directory.connection))
        verify_schema(connection, directory.schema, may_lack=is_new)
        return connection

    return create_engine(directory.address, creator=connect, poolclass=NullPool)


MIGRATIONS = Path(__file__).parent / "migrations"


def _config(scripts: Path = MIGRATIONS) -> Config:
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    return config


def make_schema(connection: Connection, room: str = "") -> None:
    """Migrate the schema to that of this version, within the transaction of a connection.

    `room` is the name of the schema of a room that shares its database; one that is not there yet is made.
    """
    if room and connection.exec_driver_sql("SELECT current_schema()").scalar() is None:
        connection.exec_driver_sql(f'CREATE SCHEMA "{room}"')
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _why(error: SQLAlchemyError) -> str:
    """Return what the driver says, without the address of SQLAlchemy's page about it."""
    return str(getattr(error, "orig", None) or error).strip()


def _upgrade(engine: Engine, room: str = "") -> None:
    try:
        with engine.begin() as connection:
            make_schema(connection, room)
    except SQLAlchemyError as error:
        raise StoreError(f"the store could not be upgraded: {_why(error)}") from None


def revisions(scripts: Path = MIGRATIONS) -> tuple[str, ...]:
    """Return the schemas that this version knows, the oldest first; it works with the last one."""
    return tuple(script.revision for script in ScriptDirectory.from_config(_config(scripts)).walk_revisions())[::-1]


def store_revision(directory: Directory) -> str:
    """Return the schema that a store has; empty where it has none."""
    with _reading(directory) as connection:
        return MigrationContext.configure(connection).get_current_revision() or ""


_ENTRIES = sa.table("entries", *map(sa.column, Entry._fields))
_SNAPSHOTS = sa.table("snapshots", *map(sa.column, ("book", "sequence", "state")))


def counts_by_kind(directory: Directory, book: str) -> dict[str, int]:
    """Return how many entries of each kind a book has, whatever schema its store has."""
    query = sa.select(_ENTRIES.c.kind, sa.func.count()).where(_ENTRIES.c.book == book).group_by(_ENTRIES.c.kind)
    with _reading(directory) as connection:
        return {kind: count for kind, count in sorted(map(tuple, connection.execute(query)))}  # noqa: C416 - rows, not pairs


def newest_snapshot(directory: Directory, book: str) -> str:
    """Return the text of the newest sealed state, whatever schema its store has; empty where there is none."""
    query = sa.select(_SNAPSHOTS.c.state).where(_SNAPSHOTS.c.book == book).order_by(_SNAPSHOTS.c.sequence.desc())
    with _reading(directory) as connection:
        return connection.execute(query.limit(1)).scalar() or ""


def some_entries(directory: Directory, book: str, kinds: Iterable[str], most: int) -> list[Entry]:
    """Return the first entries of some kinds, whatever schema the store has."""
    query = sa.select(_ENTRIES).where(_ENTRIES.c.book == book, _ENTRIES.c.kind.in_(list(kinds)))
    with _reading(directory) as connection:
        return [Entry(*row) for row in connection.execute(query.order_by(_ENTRIES.c.sequence).limit(most))]


@contextmanager
def _reading(directory: Directory) -> Iterator[Connection]:
    engine = engine_of(directory)
    if directory.store_kind == "sqlite":
        # A connection that could write would put the log away when it is closed.
        address = f"sqlite:///{(directory.path / JOURNAL).absolute().as_uri()}?mode=ro&uri=true"
        engine = create_engine(address, poolclass=NullPool)
    try:
        with engine.connect() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise StoreError(f"the books cannot be read: {_why(error)}") from None


def _downgrade(engine: Engine, revision: str, scripts: Path) -> None:
    if revision not in revisions(scripts):
        raise StoreError(f"there is no schema {revision!r}; there are: {', '.join(revisions(scripts))}")
    config = _config(scripts)
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, revision)
    except SQLAlchemyError as error:
        raise StoreError(f"the store could not be taken back: {_why(error)}") from None


def downgrade_store(directory: Directory, revision: str, scripts: Path = MIGRATIONS) -> None:
    """Migrate a store back to an earlier schema, for the version that works with it; entries stay as they are."""
    lock = directory.lock()
    try:
        _downgrade(engine_of(directory), revision, scripts)
    finally:
        lock.release()


def downgrade_file(file: Path, revision: str, scripts: Path = MIGRATIONS) -> None:
    """Migrate a separate SQLite file, such as a backup, back to an earlier schema."""
    _downgrade(create_engine(f"sqlite:///{file.absolute()}", poolclass=NullPool), revision, scripts)


def upgrade_store(directory: Directory, *, is_new: bool = False) -> None:
    """Migrate a store to the schema that this version works with; a current one stays as it is."""
    lock = directory.lock()
    try:
        if directory.store_kind == "sqlite":
            (directory.path / JOURNAL).touch()
        _upgrade(engine_of(directory, is_new=is_new), directory.schema)
    finally:
        lock.release()


def upgrade_file(file: Path) -> None:
    """Make the schema in a SQLite file of its own, such as a backup."""
    _upgrade(create_engine(f"sqlite:///{file.absolute()}", poolclass=NullPool))


def tables_in(directory: Directory) -> set[str]:
    """Return the tables that a PostgreSQL database, or the schema of a room in it, has; raise where it is no use."""
    query = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    try:
        with engine_of(directory, is_new=True).connect() as connection:
            return {str(name) for (name,) in connection.exec_driver_sql(query)}
    except SQLAlchemyError as error:
        raise StoreError(f"the database cannot be used: {_why(error)}") from None


def _verify_vacant(directory: Directory) -> None:
    """Raise where the store of a new data directory has books already: those of another room."""
    if directory.store_kind == "sqlite" or "entries" not in tables_in(directory):
        return
    with closing(directory.open_store(write=False)) as store:
        names = store.books()
    if names:
        where = f"schema {directory.schema}" if directory.schema else "the database"
        raise StoreError(f"{where} has books already: {', '.join(names)}")


def create_store(path: Path, database: Database | None = None) -> Directory:
    """Make an empty data directory with an empty store; where there are books, nothing is made or changed."""
    was_there = path.exists()
    write_store_file(path, database)
    directory = Directory(path)
    try:
        _verify_vacant(directory)
        upgrade_store(directory, is_new=True)
        with closing(directory.open_store(write=False)) as store:
            store.verify_durable()
    except StoreError:
        for file in path.iterdir():
            file.unlink()
        if not was_there:
            path.rmdir()
        raise
    return directory


def create_books(
    path: Path,
    settings: RoomSettings,
    *,
    person: str,
    book: str = "room",
    since: datetime.date | None = None,
    database: Database | None = None,
    clock: Callable[[], int] = microseconds_now,
) -> None:
    """Make the books of a new room; the first entry holds its settings."""
    problems = settings_problems(settings) + text_problem("person", person)
    if problems:
        raise RefusedError(problems)
    create_store(path, database)
    first = since or (EPOCH + datetime.timedelta(microseconds=clock(), days=-1)).date()
    value = RoomSet(since=first, settings=settings)
    with open_books(path, clock=clock) as books:
        books.submit(
            Submission(book=book, id="create", actor=person, content=value.to_json(), decide=lambda _: [Draft(value)])
        )
