"""The data directory: its files, who may read them, its disk, and the settings in it."""

import os
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path

from pitboss.books import RefusedError, StoreError
from pitboss.books.store.directory import schema_problem
from pitboss.books.store.keys import HeadSettings, read_head_settings, read_key
from pitboss.operations.doctor.context import DoctorCheck, DoctorContext
from pitboss.room.people.vault import FILE as VAULT_FILE
from pitboss.room.signs import read_signs
from pitboss.server.settings import announced

_OTHERS, _ENTERED = 0o077, 0o011
_FREE_MIN, _FREE_SHARE_MIN, _FILES_SHARE_MIN = 1 << 30, 0.005, 0.02
_NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "ceph", "glusterfs", "fuse.glusterfs"}
_STORE_KEYS = {"store", "connection", "schema"}
_GIB = 1 << 30


def _missing(context: DoctorContext) -> Iterator[str]:
    if not context.path.is_dir():
        yield f"there is no directory {context.path}"
    elif not (context.path / "store.toml").is_file():
        yield f"{context.path} has no store.toml: no room is in it"


def _open_to_others(context: DoctorContext) -> Iterator[str]:
    context.require()
    mode = stat.S_IMODE(context.path.stat().st_mode)
    if mode & _OTHERS:
        yield f"others can look into {context.path} (mode {mode:04o})"


def _readable_files(context: DoctorContext) -> Iterator[str]:
    if context.path.is_dir() and not context.path.stat().st_mode & _ENTERED:
        return
    names = [file.name for file in context.files() if file.stat().st_mode & _OTHERS]
    if names:
        yield f"others can read {', '.join(names[:5])}{' and more' if len(names) > 5 else ''}"


def _owner(context: DoctorContext) -> Iterator[str]:
    owner = context.system.owner(context.path) if context.path.is_dir() else None
    names = [file.name for file in context.files() if context.system.owner(file) != owner]
    if names:
        yield f"not of the owner of the directory: {', '.join(names[:5])}{' and more' if len(names) > 5 else ''}"
    if context.system.user() not in (0, owner):
        yield f"the directory is of user {owner}, and this is user {context.system.user()}"


def _unwritable(context: DoctorContext) -> Iterator[str]:
    context.require()
    if not context.system.disk(context.path).is_read_only and not context.system.can_write(context.path):
        yield f"nothing can be written in {context.path}"


def _read_only(context: DoctorContext) -> Iterator[str]:
    context.require()
    if context.system.disk(context.path).is_read_only:
        yield f"the disk of {context.path} is mounted for reading only"


def _full(context: DoctorContext) -> Iterator[str]:
    context.require()
    disk = context.system.disk(context.path)
    if disk.free < min(_FREE_MIN, disk.total / 2) or disk.free < disk.total * _FREE_SHARE_MIN:
        yield f"the disk has {disk.free / _GIB:.1f} GiB free of {disk.total / _GIB:.1f}"


def _no_more_files(context: DoctorContext) -> Iterator[str]:
    context.require()
    disk = context.system.disk(context.path)
    if disk.files_total and disk.files_free < disk.files_total * _FILES_SHARE_MIN:
        yield f"the disk can take {disk.files_free:,} more files of {disk.files_total:,}"


def _network_disk(context: DoctorContext) -> Iterator[str]:
    context.require()
    kind = context.system.disk(context.path).kind
    if kind in _NETWORK and context.directory.store_kind == "sqlite":
        yield f"the books are in SQLite on a network disk ({kind}), whose locks cannot be relied on"


def unknown_settings(path: Path) -> list[str]:
    """Return the settings of store.toml and heads.toml that this version does not know."""
    unknown = []
    for name, keys in (("store.toml", _STORE_KEYS), ("heads.toml", set(HeadSettings._fields))):
        try:
            settings = tomllib.loads((path / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        unknown += [f"{name}: {key!r} is no setting" for key in sorted(settings.keys() - keys)]
    return unknown


def _store_settings(context: DoctorContext) -> Iterator[str]:
    context.require()
    file = context.path / "store.toml"
    if not file.is_file():
        raise StoreError("store.toml is missing")
    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        yield f"store.toml is no TOML: {error}"
        return
    yield from (text for text in unknown_settings(context.path) if text.startswith(file.name))
    if settings.get("store") not in ("sqlite", "postgresql"):
        yield f"store.toml: store {settings.get('store')!r} must be sqlite or postgresql"
    yield from (f"store.toml: {problem}" for problem in schema_problem(settings.get("schema", "")))


def _head_settings(context: DoctorContext) -> Iterator[str]:
    context.require()
    try:
        read_head_settings(context.path)
    except StoreError as error:
        yield str(error)


def _head_keys(context: DoctorContext) -> Iterator[str]:
    context.require()
    for name in read_head_settings(context.path).keys:
        try:
            read_key(context.path / name)
        except StoreError as error:
            yield str(error)


def _exposed_keys(context: DoctorContext) -> Iterator[str]:
    context.require()
    for name in read_head_settings(context.path).keys:
        file = context.path / name
        if file.is_file() and file.stat().st_mode & _OTHERS:
            yield f"others can read the private key {file}"


def _head_directory(context: DoctorContext) -> Iterator[str]:
    context.require()
    name = read_head_settings(context.path).directory
    if name and not os.path.isdir(name):  # noqa: PTH112 - a text of the settings
        yield f"heads go to {name}, which is no directory now"


def _signs(context: DoctorContext) -> Iterator[str]:
    context.require()
    try:
        signs = read_signs(context.path)
    except RefusedError as error:
        yield from map(str, error.problems)
        return
    for sign in signs.values():
        if sign.command and not os.access(sign.command[0], os.X_OK):
            yield f"the program {sign.command[0]} of sign {sign.name} cannot be run"


def _halted(context: DoctorContext) -> Iterator[str]:
    if context.directory.is_halted:
        yield "an audit has halted the books: no money moves"


def _clock_noted(context: DoctorContext) -> Iterator[str]:
    if context.directory.clock_jump:
        yield f"nothing is saved: {context.directory.clock_jump}"


def _stale(context: DoctorContext) -> Iterator[str]:
    context.require()
    server = announced(context.path)
    if server is not None and not context.is_locked:
        yield f"server.json says that a server answers at {server.address}, and none has the books open"


def _unannounced(context: DoctorContext) -> Iterator[str]:
    context.require()
    if context.is_locked and announced(context.path) is None:
        yield "a program has the books open for writing, and it is no server that says where it answers"


def _vault(context: DoctorContext) -> Iterator[str]:
    context.require()
    file = context.path / VAULT_FILE
    if (context.path / "store.toml").is_file() and file.exists() and file.stat().st_size == 0:
        yield f"{file.name} is empty: nobody can sign in"


CHECKS = (
    DoctorCheck("data-missing", _missing, "Name the room's data directory, or restore a backup into it."),
    DoctorCheck("data-open", _open_to_others, "Type: chmod 700 {path}"),
    DoctorCheck("data-files-open", _readable_files, "Type: chmod 600 {path}/* (and 700 for folders in it)."),
    DoctorCheck("data-owner", _owner, "Run as the user of the service, and give it all files: chown -R USER {path}"),
    DoctorCheck("data-unwritable", _unwritable, "Give the user of the service the right to write in {path}."),
    DoctorCheck(
        "disk-read-only", _read_only, "Look for a failing disk in the system's log, then mount it for writing."
    ),
    DoctorCheck(
        "disk-full", _full, "Make room on that disk, or move {path} to a larger one while the server is stopped."
    ),
    DoctorCheck("disk-files", _no_more_files, "Delete small files on that disk, or move {path} to another one."),
    DoctorCheck(
        "disk-network", _network_disk, "Move {path} to a disk of this computer, or keep the books in PostgreSQL."
    ),
    DoctorCheck(
        "store-settings",
        _store_settings,
        "Correct {path}/store.toml: it has `store`, for PostgreSQL `connection`, and `schema` if rooms share it.",
    ),
    DoctorCheck("head-settings", _head_settings, "Correct {path}/heads.toml, or set it with `pitboss keys send`."),
    DoctorCheck("head-key", _head_keys, "Put the key file back from your copy, or replace it: `pitboss keys rotate`."),
    DoctorCheck(
        "head-key-open", _exposed_keys, "Type chmod 600 on that file, and replace the key: `pitboss keys rotate`."
    ),
    DoctorCheck(
        "head-directory",
        _head_directory,
        "Mount that directory, or name another: `pitboss keys send {path} --directory DIR`.",
    ),
    DoctorCheck("signs", _signs, "Correct {path}/signs.toml or install the program that it names."),
    DoctorCheck("halted", _halted, "Read `pitboss audit {path}`, then two people decide: `pitboss books decide`."),
    DoctorCheck(
        "clock-jumped",
        _clock_noted,
        "Set the clock right, stop the server, then two people decide: `pitboss books decide`.",
    ),
    DoctorCheck("server-stale", _stale, "Start the service; look in its log for why the last one ended."),
    DoctorCheck(
        "writer-unknown", _unannounced, "Wait for the command that runs, or find its process: `fuser {path}/lock`."
    ),
    DoctorCheck(
        "sign-ins",
        _vault,
        "Put access.sqlite3 and access.key back from a copy, or make new sign-in links in the browser.",
    ),
)
