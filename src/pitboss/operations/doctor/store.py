"""The store of the books: its schema, what makes a commit durable, its guards, log, witnesses and snapshots."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

from pitboss.books import JournalStore, SnapshotSealed, StoreError
from pitboss.books.journal.books import SNAPSHOT_EVERY
from pitboss.books.journal.heads import keys_of
from pitboss.books.store.directory import JOURNAL
from pitboss.books.store.keys import load_signers
from pitboss.commands.command import BOOK
from pitboss.operations.doctor.context import DoctorCheck, DoctorContext
from pitboss.room.people.vault import FILE as VAULT_FILE
from pitboss.room.people.vault import SEAL_FILE

_LOG_BYTES_MAX = 256 << 20
_DURABLE: dict[str, dict[str, tuple[str, ...]]] = {
    "sqlite": {"journal_mode": ("wal",)},
    "postgresql": {"fsync": ("on",), "full_page_writes": ("on",), "synchronous_commit": ("on", "remote_apply")},
}


def _journal_missing(context: DoctorContext) -> Iterator[str]:
    if context.directory.store_kind == "sqlite" and not (context.path / JOURNAL).is_file():
        yield f"{JOURNAL} is missing: the books are not here"


def _revisions(context: DoctorContext) -> tuple[str, tuple[str, ...]]:
    """Return the schema of the store, and those that this version knows."""
    from pitboss.books.store.migrate import revisions, store_revision  # noqa: PLC0415 - no other check needs Alembic

    if context.directory.store_kind == "sqlite" and not (context.path / JOURNAL).is_file():
        raise StoreError(f"{JOURNAL} is missing")
    return store_revision(context.directory), revisions()


def _old_schema(context: DoctorContext) -> Iterator[str]:
    revision, known = _revisions(context)
    if revision != known[-1] and revision in ("", *known):
        yield f"the store has schema {revision or 'none'}, and this version of Pitboss works with {known[-1]}"


def _newer_schema(context: DoctorContext) -> Iterator[str]:
    revision, known = _revisions(context)
    if revision not in ("", *known):
        yield f"the store has schema {revision}, which this version of Pitboss does not know: a newer one wrote it"


def durability_problems(kind: str, settings: dict[str, str]) -> list[str]:
    """Return which settings of a database let it lose what it has acknowledged."""
    return [
        f"{name} is {settings[name]}, and must be {values[0]}"
        for name, values in _DURABLE[kind].items()
        if settings.get(name, values[0]).lower() not in values
    ]


def _durability(context: DoctorContext) -> Iterator[str]:
    with closing(context.directory.open_store(write=False)) as store, store.reading() as connection:
        yield from durability_problems(str(context.directory.store_kind), store.settings(connection))


def _guards(context: DoctorContext) -> Iterator[str]:
    with closing(context.directory.open_store(write=False)) as store:
        yield from store.guard_problems()


def _log(context: DoctorContext) -> Iterator[str]:
    file = context.path / f"{JOURNAL}-wal"
    if file.is_file() and file.stat().st_size > _LOG_BYTES_MAX:
        size = f"{file.stat().st_size >> 20:,} MiB"
        yield f"the write-ahead log has {size}: somebody reads without end, or it was never written back"


def _witness(context: DoctorContext) -> Iterator[str]:
    with closing(context.directory.open_store(write=False)) as store:
        names = [book for book in store.books() if context.directory.witness(book) is None]
    yield from (f"the witness of book {name} is missing or cannot be read" for name in names)


def _snapshot(context: DoctorContext) -> Iterator[str]:
    sequence = context.state.sequence
    with closing(context.directory.open_store(write=False)) as store:
        numbers = set(store.snapshot_numbers(BOOK, 0, sequence))
        newest = max(numbers, default=0)
        if sequence - newest > 2 * SNAPSHOT_EVERY:
            yield f"the last sealed state is {sequence - newest:,} entries old: the next start reads all of them"
        missing = sorted(_sealed(store, sequence) - numbers)
    yield from (f"the state that was sealed in entry {number:,} is not beside it" for number in missing)


def _sealed(store: JournalStore, sequence: int) -> set[int]:
    """Return the numbers of the last entries that say that a state was sealed."""
    after = max(0, sequence - 2 * SNAPSHOT_EVERY)
    return {entry.sequence for entry in store.entries(BOOK, after, sequence, kinds={SnapshotSealed.KIND})}


def _signing_key(context: DoctorContext) -> Iterator[str]:
    key = keys_of(context.state).server
    if key is not None and key.id not in load_signers(context.path):
        yield f"the books are signed by key {key.id}, whose private half is not here: nothing is signed"


def _seal_key(context: DoctorContext) -> Iterator[str]:
    file = context.path / VAULT_FILE
    if not file.is_file() or (context.path / SEAL_FILE).is_file():
        return
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as vault:
        try:
            count = vault.execute("SELECT count(*) FROM secrets WHERE hash LIKE 'sealed:%'").fetchone()[0]
        except sqlite3.Error as error:
            raise StoreError(f"{file.name} cannot be read: {error}") from None
    if count:
        yield f"{SEAL_FILE} is missing: {count} codes of two-step sign-in cannot be read"


CHECKS = (
    DoctorCheck("journal-missing", _journal_missing, "Restore the last backup: `pitboss restore BACKUP NEW-DIR`."),
    DoctorCheck("schema-old", _old_schema, "Stop the server and type: pitboss upgrade {path}"),
    DoctorCheck(
        "schema-newer", _newer_schema, "Install that newer version of Pitboss; this one would not understand the books."
    ),
    DoctorCheck(
        "store-durability",
        _durability,
        "Start the server once, which sets SQLite right; in PostgreSQL correct postgresql.conf.",
    ),
    DoctorCheck(
        "store-guards", _guards, "Audit the books (`pitboss audit {path}`): deciding on damage lays the triggers anew."
    ),
    DoctorCheck(
        "log-huge", _log, "End programs that read the books for hours, then start the server again: it empties the log."
    ),
    DoctorCheck(
        "witness-missing",
        _witness,
        "Audit the books against a printed head: `pitboss audit {path} --head HASH`, then decide.",
    ),
    DoctorCheck(
        "snapshot-missing",
        _snapshot,
        "Stop the server properly once, or type `pitboss books rebuild {path} --check` and start it.",
    ),
    DoctorCheck(
        "signing-key-missing",
        _signing_key,
        "Put the private key back from its copy, or replace it: `pitboss keys rotate`.",
    ),
    DoctorCheck(
        "seal-key-missing",
        _seal_key,
        "Put access.key back from a copy, or have those people set up two-step sign-in anew.",
    ),
)
