"""Tables of the store, in SQLAlchemy Core: the journal, and the sealed states that its snapshots name."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, PrimaryKeyConstraint, Table, Text

__all__ = ["entries", "metadata", "snapshots"]

metadata = MetaData()
# A STRICT table of SQLite knows INTEGER, TEXT and BLOB only.
_integer = BigInteger().with_variant(Integer(), "sqlite")

entries = Table(
    "entries",
    metadata,
    Column("book", Text, nullable=False),
    Column("sequence", _integer, nullable=False),
    Column("happened", _integer, nullable=False),
    Column("recorded", _integer, nullable=False),
    Column("actor", Text, nullable=False),
    Column("table", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("command", Text, nullable=False),
    Column("part", _integer, nullable=False),
    Column("parts", _integer, nullable=False),
    Column("request", LargeBinary, nullable=False),
    Column("previous", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    PrimaryKeyConstraint("book", "sequence"),
    Index("entries_command", "book", "command", "part", unique=True),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("book", Text, nullable=False),
    Column("sequence", _integer, nullable=False),
    Column("state", Text, nullable=False),
    PrimaryKeyConstraint("book", "sequence"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
