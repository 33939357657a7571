"""Every statement of the store, written in SQLAlchemy Core and compiled for the drivers that run it.

What they compile to is kept in `statements.json`, and read from there: SQLAlchemy takes a quarter of a second to load,
and a store that is there needs none of it. A test compiles them again, and writes the file anew with PITBOSS_RECORD=1.
"""

from __future__ import annotations

from typing import Any, Protocol

from sqlalchemy import (
    BindParameter,
    Dialect,
    Text,
    bindparam,
    column,
    func,
    insert,
    literal_column,
    select,
    table,
    true,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import array

from pitboss.books.entries import FIELDS
from pitboss.books.schema import entries, snapshots
from pitboss.books.statements import IDS, Statement, Statements

__all__ = ["compiled"]

_columns = tuple(entries.c[name] for name in FIELDS)


class Executable(Protocol):
    """Whatever SQLAlchemy can compile."""

    def compile(self, *, dialect: Dialect) -> Any:
        """Write it for one dialect."""


def _compiled(statement: Executable, dialect: Dialect) -> Statement:
    found = statement.compile(dialect=dialect)
    return Statement(str(found), tuple(found.positiontup or ()), found.params)


def compiled(name: str) -> Statements:
    """Compile the statements for the driver of a dialect, whose places are positional."""
    written = _written() | ({"commands": _one_by_one()} if name == "postgresql" else {})
    return Statements(**{each: _compiled(statement, _dialect(name)) for each, statement in written.items()})


def _dialect(name: str) -> Dialect:
    if name == "sqlite":
        return sqlite.dialect(paramstyle="qmark")
    return postgresql.dialect(paramstyle="format")  # type: ignore[no-untyped-call]


def _written() -> dict[str, Executable]:
    book: BindParameter[str] = bindparam("of_book")
    sequence: BindParameter[int] = bindparam("after")
    most: BindParameter[int] = bindparam("most")
    upto: BindParameter[int] = bindparam("upto")
    of_book = entries.c.book == book
    whole = select(*_columns).where(of_book)
    # In the order of their index: in another, the database would rather walk the whole book.
    of_commands = whole.order_by(entries.c.command, entries.c.part)
    sealed = select(snapshots.c.sequence, snapshots.c.state).where(snapshots.c.book == book)
    return {
        "insert_entry": insert(entries).values({n: bindparam(n) for n in FIELDS}),
        "insert_snapshot": insert(snapshots),
        "next_book": select(func.min(entries.c.book)).where(entries.c.book > book),
        "head": whole.order_by(entries.c.sequence.desc()).limit(most),
        "page": whole.where(entries.c.sequence > sequence, entries.c.sequence <= upto)
        .order_by(entries.c.sequence)
        .limit(most),
        "commands": of_commands.where(entries.c.command.in_([bindparam(name, type_=Text) for name in IDS])),
        "command": of_commands.where(entries.c.command == bindparam(IDS[0], type_=Text)),
        "snapshots": sealed.where(snapshots.c.sequence > sequence, snapshots.c.sequence <= upto)
        .order_by(snapshots.c.sequence.desc())
        .limit(most),
        "revision": select(column("version_num")).select_from(table("alembic_version")),
    }


def _one_by_one() -> Executable:
    """Look for each of many commands by itself: PostgreSQL would walk a book to find them while it does not know it.

    A part with an offset is not merged with what is around it, so that the server has no other way.
    """
    ids = func.unnest(array([bindparam(name, type_=Text) for name in IDS]))
    asked = select(ids.label("id")).distinct().subquery("asked")
    known = entries.c.book == bindparam("of_book")
    each = select(*_columns).where(known, entries.c.command == asked.c.id).offset(literal_column("0")).lateral("each")
    return select(each).select_from(asked.join(each, true())).order_by(each.c.command, each.c.part)
