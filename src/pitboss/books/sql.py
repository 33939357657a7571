"""Every statement of the store, written in SQLAlchemy Core and compiled once for the driver that runs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import BindParameter, Dialect, Text, bindparam, column, func, insert, select, table

from pitboss.books.entries import FIELDS
from pitboss.books.schema import entries, snapshots

__all__ = ["IDS", "Statement", "Statements", "compiled"]

IDS = tuple(f"id_{number}" for number in range(64))
"""Places for the ids of commands that are looked for at once."""
_columns = tuple(entries.c[name] for name in FIELDS)


class Executable(Protocol):
    """Whatever SQLAlchemy can compile."""

    def compile(self, *, dialect: Dialect) -> Any:
        """Write it for one dialect."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as text for a driver, with the names of its places in order, and what stands in some already."""

    text: str
    names: tuple[str, ...]
    standing: Mapping[str, Any]

    def places(self, **values: Any) -> tuple[Any, ...]:
        """Put values in their places."""
        return tuple(values[name] if name in values else self.standing[name] for name in self.names)


def compiled(statement: Executable, dialect: Dialect) -> Statement:
    """Write a statement for one dialect."""
    found = statement.compile(dialect=dialect)
    return Statement(str(found), tuple(found.positiontup or ()), found.params)


class Statements:
    """The statements for one dialect whose places are positional."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        book: BindParameter[str] = bindparam("of_book")
        sequence: BindParameter[int] = bindparam("after")
        of_book = entries.c.book == book
        self.insert_entry = compiled(insert(entries).values({n: bindparam(n) for n in FIELDS}), dialect)
        self.insert_snapshot = compiled(insert(snapshots), dialect)
        self.next_book = compiled(select(func.min(entries.c.book)).where(entries.c.book > book), dialect)
        self.head = compiled(
            select(*_columns).where(of_book).order_by(entries.c.sequence.desc()).limit(bindparam("most")), dialect
        )
        self.page = compiled(
            select(*_columns)
            .where(of_book, entries.c.sequence > sequence, entries.c.sequence <= bindparam("upto"))
            .order_by(entries.c.sequence)
            .limit(bindparam("most")),
            dialect,
        )
        # In the order of their index: in another, the database would rather walk the whole book.
        self.commands = compiled(
            select(*_columns)
            .where(of_book, entries.c.command.in_([bindparam(name, type_=Text) for name in IDS]))
            .order_by(entries.c.command, entries.c.part),
            dialect,
        )
        self.command = compiled(
            select(*_columns)
            .where(of_book, entries.c.command == bindparam(IDS[0], type_=Text))
            .order_by(entries.c.command, entries.c.part),
            dialect,
        )
        self.snapshots = compiled(
            select(snapshots.c.sequence, snapshots.c.state)
            .where(
                snapshots.c.book == book,
                snapshots.c.sequence > sequence,
                snapshots.c.sequence <= bindparam("upto"),
            )
            .order_by(snapshots.c.sequence.desc())
            .limit(bindparam("most")),
            dialect,
        )
        self.revision = compiled(select(column("version_num")).select_from(table("alembic_version")), dialect)
