"""Every statement of the store: plain SQL with names for its values, put as the driver of a database wants them.

The two databases differ in few words, which a `Dialect` has. The drivers get text: SQLAlchemy, which takes a quarter of
a second to load, makes and upgrades the schema and is not needed by a store that is there.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

from pitboss.books.journal.entries import FIELDS

INTEGERS = ("sequence", "happened", "recorded", "part", "parts")
BYTES = ("request", "previous", "digest")

REVISION = "0001"
"""The migration that the code of this version works with."""
TOGETHER = 64
"""So many numbers or ids are looked for at once."""
_PLACE = re.compile(r"(?<!:):([a-z_0-9]+)")
_COLUMNS = ", ".join('"table"' if name == "table" else name for name in FIELDS)


class Statement(NamedTuple):
    """A statement as text for a driver, with the names of its values in order."""

    text: str
    names: tuple[str, ...]

    def places(self, **values: Any) -> tuple[Any, ...]:
        """Fill in the values."""
        return tuple([values[name] for name in self.names])


class Dialect(NamedTuple):
    """What one database calls what both have: a place, a text within another, small letters, the bytes of a text."""

    name: str
    place: str
    contains: str
    small: str
    size: str

    def statement(self, text: str) -> Statement:
        """Return a statement with the driver's placeholders; cached."""
        return _statement(self.place, text)


@lru_cache(maxsize=512)
def _statement(place: str, text: str) -> Statement:
    return Statement(_PLACE.sub(place, text), tuple(_PLACE.findall(text)))


SQLITE = Dialect("sqlite", "?", "instr({0}, {1}) > 0", "lower({0})", "length(CAST({0} AS BLOB))")
POSTGRESQL = Dialect("postgresql", "%s", "strpos({0}, {1}) > 0", 'lower({0} COLLATE "C")', "octet_length({0})")

INSERT_ENTRY = f"INSERT INTO entries ({_COLUMNS}) VALUES ({', '.join(f':{name}' for name in FIELDS)})"  # noqa: S608
DELETE_ENTRY = "DELETE FROM entries WHERE book = :book AND sequence = :sequence"
_ARRAYS = ", ".join(
    f":{name}::{'bigint' if name in INTEGERS else 'bytea' if name in BYTES else 'text'}[]" for name in FIELDS
)
INSERT_ENTRIES = f"INSERT INTO entries ({_COLUMNS}) SELECT * FROM unnest({_ARRAYS})"  # noqa: S608
"""In PostgreSQL, many entries by one statement, from a list for each column."""
INSERT_SNAPSHOT = "INSERT INTO snapshots (book, sequence, state) VALUES (:book, :sequence, :state)"
# Cast, since a damaged name is put as bytes.
NEXT_BOOK = "SELECT min(book) FROM entries WHERE book > CAST(:book AS text)"
OF_BOOK = f"SELECT {_COLUMNS} FROM entries WHERE book = :book"  # noqa: S608
RANGE = " AND sequence > :after AND sequence <= :upto"
HEAD = f"{OF_BOOK} ORDER BY sequence DESC LIMIT 1"
# In the order of their index: in another, the database would rather walk the whole book.
COMMAND = f"{OF_BOOK} AND command = :id_0 ORDER BY command, part"
SNAPSHOTS = f"SELECT sequence, state FROM snapshots WHERE book = :book{RANGE} ORDER BY sequence DESC LIMIT :most"  # noqa: S608
SNAPSHOT_NUMBERS = f"SELECT sequence FROM snapshots WHERE book = :book{RANGE} ORDER BY sequence"  # noqa: S608
REVISIONS = "SELECT version_num FROM alembic_version"
COUNTS_BY_ACTOR = f"SELECT actor, kind, count(*) FROM entries WHERE book = :book{RANGE} GROUP BY actor, kind"  # noqa: S608

GUARDED = ("entries", "snapshots")
SQLITE_GUARDS = {
    f"{table}_{verb.lower()}": f"CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table} "
    f"BEGIN SELECT RAISE(ABORT, 'nothing is ever edited or deleted in {table}'); END"
    for table in GUARDED
    for verb in ("UPDATE", "DELETE")
}
"""By name, the triggers of SQLite that refuse changes; a test compares them with what the migration makes."""
POSTGRESQL_GUARDS = {
    f"{table}_append_only": f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
    "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    for table in GUARDED
}
REFUSE_BODY = " BEGIN RAISE EXCEPTION 'nothing is ever edited or deleted in %', TG_TABLE_NAME; END "
"""The body of the function that the triggers of PostgreSQL run."""


def named(prefix: str, values: Iterable[Any]) -> dict[str, Any]:
    """Name values of which there are several: id_0, id_1 and so on."""
    return {f"{prefix}_{number}": value for number, value in enumerate(values)}


def filled(prefix: str, values: list[Any]) -> dict[str, Any]:
    """Name values for a statement that looks for `TOGETHER`: what is looked for twice is found once."""
    return named(prefix, [*values, *[values[0]] * (TOGETHER - len(values))])


def _places(prefix: str, count: int = TOGETHER) -> str:
    return ", ".join(f":{prefix}_{number}" for number in range(count))


@cache
def page(kinds: int | None = None) -> str:
    """A page of a book in order; of so many kinds of entries, where they are counted."""
    of_kinds = "" if kinds is None else f" AND kind IN ({_places('kind', kinds)})"
    return f"{OF_BOOK}{RANGE}{of_kinds} ORDER BY sequence LIMIT :most"


AT_NUMBERS = f"{OF_BOOK} AND sequence IN ({_places('number')}) ORDER BY sequence"


@cache
def commands(dialect: Dialect, columns: str = _COLUMNS) -> str:
    """The entries of many commands, whole or of each some columns.

    PostgreSQL looks for each by itself, or it would walk a book to find them while it does not know it: a part with an
    offset is not merged with what is around it, so that the server has no other way.
    """
    of_book = f"SELECT {columns} FROM entries WHERE book = :book"  # noqa: S608
    if dialect is SQLITE:
        return f"{of_book} AND command IN ({_places('id')}) ORDER BY command, part"
    return (
        f"SELECT found.* FROM (SELECT DISTINCT unnest(CAST(ARRAY[{_places('id')}] AS text[])) AS id) AS ids "  # noqa: S608
        f"JOIN LATERAL ({of_book} AND command = ids.id OFFSET 0) AS found ON true ORDER BY found.command, found.part"
    )
