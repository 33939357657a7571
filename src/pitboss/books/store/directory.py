"""The data directory of a room: which store it uses, the lock of its writer, the witness of every book, the halt.

`store.toml` says where the journal is. `lock` is held by the one process that writes. `witness-BOOK` repeats where the
book ended after the last commit, so that a journal cut short or replaced by another is noticed. `halt.json` is left by
an audit that found damage; while it is there nobody moves money.
"""

import fcntl
import ipaddress
import json
import os
import re
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pitboss.books.journal.entries import Damage, Entry
from pitboss.books.store.base import JournalStore, StoreError
from pitboss.books.store.keys import Signer, load_signers

JOURNAL = "journal.sqlite3"
_STORE, _LOCK, _HALT, _WITNESS, _CLOCK = "store.toml", "lock", "halt.json", "witness-", "clock-jumped"
COPYING = "copying"
"""A file of this name is in a data directory while a room is being copied into it: nobody serves or changes it."""
_BOOK = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_SCHEMA = re.compile(r"(?!pg_|public$|information_schema$)[a-z][a-z0-9_]{0,62}")


def book_name_problem(book: object) -> list[str]:
    """Return what is wrong with the name of a book: it stands in file names and on slips."""
    if isinstance(book, str) and _BOOK.fullmatch(book):
        return []
    return [f"book: {book!r} must be small letters, digits and hyphens, at most 40"]


class Database(NamedTuple):
    """The PostgreSQL database of a room by its connection string, and the schema of this room where rooms share it."""

    connection: str
    schema: str = ""


def database_at(connection: str | None, schema: str | None = None) -> Database | None:
    """Return the database that somebody has named, or none; a schema is of a database."""
    if connection is None and schema:
        raise StoreError(f"schema {schema} is one of a PostgreSQL database: name that too, with --postgres")
    return None if connection is None else Database(connection, schema or "")


def schema_problem(schema: object) -> list[str]:
    """Return what is wrong with the name of a room's schema; one that no room has named is empty."""
    if schema == "" or (isinstance(schema, str) and _SCHEMA.fullmatch(schema)):
        return []
    form = "must be small letters, digits and _, a letter first, at most 63, and none of PostgreSQL's own"
    return [f"schema: {schema!r} {form}"]


def is_loopback(host: str) -> bool:
    """True if a host is this computer itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


class Witness(NamedTuple):
    """Where a book ended after a commit that was acknowledged."""

    sequence: int
    digest: bytes
    signature: str = ""


NO_WITNESS = Witness(-1, b"")
"""A witness that is missing or cannot be read."""
_WITNESS_BYTES = 256
"""Written whole in one sector, signed or not: so that a power cut leaves it as it was or as it is."""


class WriterLockedError(StoreError):
    """Another process writes to the books, such as a server that runs."""


class WriterLock:
    """The lock on a data directory; the system lets go of it when its process ends, however that happens."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            self._stream = file.open("a+")
        except OSError as error:
            why = f"nothing can be written in {file.parent} ({error.strerror or error})"
            raise StoreError(f"{why}: books there can be read and audited, not served or changed") from None
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._stream.close()
            text = f"another process writes to the books in {file.parent}: one writer at a time"
            raise WriterLockedError(text) from None

    def held_anew(self) -> "WriterLock":
        """Return the lock on the file that is there now: after a remount it may be another."""
        if os.path.samestat(os.fstat(self._stream.fileno()), self._file.stat()):
            return self
        lock = WriterLock(self._file)
        self.release()
        return lock

    def release(self) -> None:
        """Release the lock."""
        self._stream.close()


class Directory:
    """A data directory that exists."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not (path / _STORE).is_file():
            raise StoreError(f"there are no books in {path}: {_STORE} is missing")
        try:
            store_file = tomllib.loads((path / _STORE).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise StoreError(f"cannot read {path / _STORE}: {error}") from None
        self.store_kind = store_file.get("store")
        self.connection = store_file.get("connection", "")
        if self.store_kind not in ("sqlite", "postgresql"):
            raise StoreError(f"{path / _STORE}: store {self.store_kind!r} must be sqlite or postgresql")
        self.schema = store_file.get("schema", "")
        """The schema of a room that shares its database with others; every connection is verified to be in it."""
        if problems := schema_problem(self.schema):
            raise StoreError(f"{path / _STORE}: {problems[0]}")
        self._witnesses: dict[str, int] = {}
        self._signers: dict[str, Signer] = {}
        self._halt_file = str(path / _HALT)

    @property
    def address(self) -> str:
        """The address by which SQLAlchemy and migrations know the store."""
        if self.store_kind == "sqlite":
            return f"sqlite:///{(self.path / JOURNAL).absolute()}"
        return "postgresql+psycopg://"

    def open_store(self, *, write: bool, stands_by: bool = False) -> JournalStore:
        """Open the store; only the kind in use is loaded. Where another server writes, this one may stand by."""
        if self.store_kind == "sqlite":
            from pitboss.books.store.sqlite import SqliteStore  # noqa: PLC0415

            return SqliteStore(self.path / JOURNAL, write=write)
        try:
            from pitboss.books.store.postgres import PostgresStore  # noqa: PLC0415
        except ImportError:
            raise StoreError('PostgreSQL needs the extra: pip install "pitboss[postgres]"') from None
        return PostgresStore(self.connection, schema=self.schema, write=write, stands_by=stands_by)

    def lock(self) -> WriterLock:
        """Become the one process that writes, or be refused."""
        if (self.path / COPYING).exists():
            raise StoreError(f"{self.path} is a copy that was not finished: type `pitboss store copy` again")
        return WriterLock(self.path / _LOCK)

    def witness(self, book: str) -> Witness | None:
        """Read where a book was last seen to end; nothing where that cannot be read."""
        try:
            sequence, digest, *signature = (self.path / f"{_WITNESS}{book}").read_text(encoding="ascii").split()
            return Witness(int(sequence), bytes.fromhex(digest), *signature[:1])
        except (OSError, ValueError):
            return None

    def required_witness(self, book: str) -> Witness:
        """Read where a book was last seen to end; that nobody has seen it is damage."""
        return self.witness(book) or NO_WITNESS

    def signer(self, book: str) -> Signer | None:
        """Return the key by which this process signs where a book ends."""
        return self._signers.get(book)

    def choose_signer(self, book: str, name: str) -> bool:
        """Sign where a book ends by a key from now on; false where its private half cannot be read."""
        current = self._signers.get(book)
        if current is None or current.id != name:
            signer = load_signers(self.path).get(name)
            if signer is None:
                self._signers.pop(book, None)
                return False
            self._signers[book] = signer
        return True

    def witnessed_books(self) -> list[str]:
        """Return the books that a witness has seen."""
        return sorted(file.name.removeprefix(_WITNESS) for file in self.path.glob(f"{_WITNESS}*"))

    def bear_witness(self, book: str, head: Witness | Entry) -> None:
        """Write down where a book ends, after the commit.

        It is written in place and synced when it is made, not after: killing the process loses nothing of it, and a
        power cut can only set it back, which accuses nobody.
        """
        stream = self._witnesses.get(book)
        if stream is None:
            name = self.path / f"{_WITNESS}{book}"
            stream = self._witnesses[book] = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        signer, digest = self.signer(book), head.digest.hex()
        signed = "" if signer is None else f" {signer.sign('witness', book, head.sequence, digest)}"
        is_new = os.fstat(stream).st_size < _WITNESS_BYTES
        os.pwrite(stream, f"{head.sequence:020d} {digest}{signed}".ljust(_WITNESS_BYTES - 1).encode() + b"\n", 0)
        if is_new:
            self._sync(stream)

    def sync_witness(self, book: str) -> None:
        """Write the witness of a book to disk, where it must not be set back."""
        self._sync(self._witnesses[book])

    def _sync(self, stream: int) -> None:
        os.fsync(stream)
        folder = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def close(self) -> None:
        """Close the files of the witnesses."""
        for stream in self._witnesses.values():
            os.close(stream)
        self._witnesses.clear()

    @property
    def is_halted(self) -> bool:
        """True if an audit has left a halt."""
        return os.path.exists(self._halt_file)  # noqa: PTH110 - asked for every commit

    def halt(self, damages: Iterable[Damage]) -> None:
        """Write a halt, for the process that writes and for the next one that opens the books."""
        self.put_halt(json.dumps([list(damage) for damage in damages], indent=1) + "\n")

    def put_halt(self, text: str) -> None:
        """Write the halt that another data directory of the same books has."""
        (self.path / _HALT).write_text(text, encoding="utf-8")

    @property
    def halt_text(self) -> str:
        """For which damage the books are halted; empty where they are not."""
        try:
            return (self.path / _HALT).read_text(encoding="utf-8") if self.is_halted else ""
        except FileNotFoundError:
            return ""

    @property
    def clock_jump(self) -> str:
        """How the clock has jumped, where nobody has decided on it yet; empty where it has not."""
        try:
            return (self.path / _CLOCK).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return ""

    def note_clock(self, text: str) -> None:
        """Write a note that the clock has jumped, also for the next process; without text remove it."""
        if text:
            (self.path / _CLOCK).write_text(f"{text}\n", encoding="utf-8")
        else:
            (self.path / _CLOCK).unlink(missing_ok=True)

    def lift_halt(self) -> None:
        """Remove the halt, after a person has decided or the books were found sound."""
        with suppress(FileNotFoundError):
            (self.path / _HALT).unlink()


def is_shared(path: Path) -> bool:
    """True if the room of a data directory is in a database that servers share; a folder without books is not."""
    return (path / _STORE).is_file() and Directory(path).store_kind == "postgresql"


def write_store_file(path: Path, database: Database | None) -> None:
    """Make the data directory of a new room: in SQLite, or in a PostgreSQL database."""
    if path.exists() and any(path.iterdir()):
        raise StoreError(f"{path} is not empty")
    text = 'store = "sqlite"\n' if database is None else _store_text(database)
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.chmod(0o700)
    (path / _STORE).write_text(text, encoding="utf-8")


def _store_text(database: Database) -> str:
    connection, schema = database
    if re.search(r"password|://[^/@]*:", connection):
        raise StoreError("no password is written to a file here: leave it to the server's own password file")
    if problems := schema_problem(schema):
        raise StoreError(problems[0])
    if schema and re.search(r"\boptions\s*=", connection):
        raise StoreError("options in the connection would say which schema is used: leave them out beside a schema")
    # The connection alone leads to the room too: a version that knows no schemas opens no other one.
    named = f"connection = {json.dumps(f'{connection} options=-csearch_path={schema}')}\nschema = {json.dumps(schema)}"
    plain = f"connection = {json.dumps(connection)}"
    return f'store = "postgresql"\n{named if schema else plain}\n'
