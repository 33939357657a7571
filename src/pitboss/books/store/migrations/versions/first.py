"""The journal and the sealed states, which no statement can edit or delete."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_integer = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_TABLES = ("entries", "snapshots")


def upgrade() -> None:
    """Make both tables, and the triggers that keep them append-only."""
    op.create_table(
        "entries",
        *(sa.Column(name, sa.Text, nullable=False) if kind == "text" else _column(name, kind) for name, kind in _ENTRY),
        sa.PrimaryKeyConstraint("book", "sequence"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("entries_command", "entries", ["book", "command", "part"], unique=True)
    op.create_table(
        "snapshots",
        sa.Column("book", sa.Text, nullable=False),
        sa.Column("sequence", _integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("book", "sequence"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    for statement in _sqlite() if op.get_bind().dialect.name == "sqlite" else _postgresql():
        op.execute(statement)


_ENTRY = (
    ("book", "text"),
    ("sequence", "integer"),
    ("happened", "integer"),
    ("recorded", "integer"),
    ("actor", "text"),
    ("table", "text"),
    ("kind", "text"),
    ("payload", "text"),
    ("command", "text"),
    ("part", "integer"),
    ("parts", "integer"),
    ("request", "bytes"),
    ("previous", "bytes"),
    ("digest", "bytes"),
)


_REFUSE = (
    "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'nothing is ever edited or deleted in %', TG_TABLE_NAME; END $$"
)


def _column(name: str, kind: str) -> sa.Column[object]:
    return sa.Column(name, _integer if kind == "integer" else sa.LargeBinary, nullable=False)


def _sqlite() -> list[str]:
    return [
        f"CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'nothing is ever edited or deleted in {table}'); END"
        for table in _TABLES
        for verb in ("UPDATE", "DELETE")
    ]


def _postgresql() -> list[str]:
    return [
        _REFUSE,
        *(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
            for table in _TABLES
        ),
    ]
