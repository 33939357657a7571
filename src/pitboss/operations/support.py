"""The support bundle: what a vendor needs to help, in one archive without secrets, winners' names or tokens.

What goes in is chosen, and not what stays out: versions, counts, heads, names of checks. Only the tail of the log is
text of others; from it goes whatever looks like a secret, and every name that the books know.
"""

import gzip
import io
import json
import os
import platform
import re
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterable
from contextlib import closing
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from pitboss.books import ROOM, BookState, RefusedError, StoreError, instant_text
from pitboss.books.store.keys import read_head_settings
from pitboss.operations.doctor import DoctorContext, examine
from pitboss.room.hit_index import WINNERS
from pitboss.room.people.people import PEOPLE
from pitboss.room.signs import read_signs

_LINES = 1_000
_LOG_BYTES = 1 << 20
_REMOVED = "[removed]"
_NO_LOG = "left out: the books cannot be read, and with them the names that must not be in it\n"
_WORDS_MIN = 3
_WORD = re.compile(r"\w+")
_PATTERNS = (
    re.compile(r"-----BEGIN [^-]*-----.*?(-----END [^-]*-----|\Z)", re.DOTALL),
    re.compile(r"(?<=/links/)[^\s\"'<>]+"),
    # A secret that is named: the rest of its line, as nobody knows where it ends.
    re.compile(
        r"(?i)\b(pass(?:word|phrase|wd)?|pin|secret|token|bearer|authorization|cookie|csrf|session|otp)\b[^\n]*"
    ),
    re.compile(r"(?i)\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    re.compile(r"(?i)\bpostgres\w*(?:\+\w+)?://[^\s\"'<>]+"),
    re.compile(r"://[^/\s@]*@"),
    # What a database's own messages quote: where it is, who asked for what.
    re.compile(
        r"(?i)\b(?:server at|on socket|host(?: name)?|user|role|database|option)\s+\\?\"[^\"\n]*\"(?: \([^)\s]*\))?"
    ),
    re.compile(r"\b(?=[\w-]*\d)[\w-]{20,}={0,2}"),
    re.compile(r"\b\d{3}-\d{2}-\d{4}\b"),
)
"""Keys, links, secrets by name, addresses of people and databases, long random words, and numbers of persons."""
_NUMBERED = re.compile(r"\\u([0-9a-f]{4})")
_HOST = re.compile(r"\bhost(?:addr)?\s*=\s*'?([^\s',]+)")
_PRIVATE_AREA = frozenset({"equipment-alarm", "display-dark", "paper-missing", "signs", "clock-jumped"})
"""Checks whose text was typed by people of the room: the bundle says their names alone."""


def redact(text: str, names: Iterable[str]) -> str:
    """Return a text without what looks like a secret, and without names that are known, whole or in their parts."""
    for pattern in _PATTERNS:
        text = pattern.sub(_REMOVED, text)
    # A log of JSON has other letters than those of English by their numbers.
    text = _NUMBERED.sub(lambda mark: chr(int(mark[1], 16)) if chr(int(mark[1], 16)).isalpha() else mark[0], text)
    whole = {name.casefold() for name in names}
    parts = {part for name in whole for part in _WORD.findall(name)}
    long = {part for part in parts if len(part) >= _WORDS_MIN}
    for name in sorted(name for name in whole if long.isdisjoint(_WORD.findall(name))):
        text = re.sub(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", _REMOVED, text)
    return _WORD.sub(lambda word: _REMOVED if word[0].casefold() in long else word[0], text)


def known_names(state: BookState) -> set[str]:
    """Return the names of people and winners that the books know."""
    people = state.of(PEOPLE).people.values()
    names = {text for person in people for text in (person.name, person.login)}
    return names | {name for names in state.of(WINNERS).values() for name in names}


def _versions(context: DoctorContext) -> dict[str, Any]:
    software = context.system.installation()
    return {
        "pitboss": software.version,
        "digest": software.digest,
        "built": software.is_built,
        "changed": list(software.problems),
        "python": sys.version,
        "system": platform.platform(),
        "sqlite": sqlite3.sqlite_version,
        "packages": dict(sorted((each.metadata["Name"], each.version) for each in distributions())),
    }


def _settings(context: DoctorContext, state: BookState | None) -> dict[str, Any]:
    """Return settings that say how Pitboss runs; no address of a database, no file, no name."""
    heads, calendar = read_head_settings(context.path), None if state is None else state.of(ROOM)
    listening = context.listening
    try:
        signs = len(read_signs(context.path))
    except RefusedError:
        signs = -1
    served = {
        "port": listening.port,
        "loopback": listening.is_loopback,
        "certificate": listening.certificate is not None,
        "behind_proxy": listening.behind_proxy,
        "public": bool(listening.public),
        "two_step": list(listening.second_factor),
    }
    room = None
    if calendar is not None:
        now = calendar.history[-1][1]
        shifts = [[name, str(begins)] for name, begins in now.shifts]
        room = {"time_zone": now.time_zone, "locale": now.locale, "shifts": shifts, "practice": now.practice}
    sent = {
        "directory": bool(heads.directory),
        "syslog": heads.syslog,
        "display": heads.display,
        "keys": len(heads.keys),
    }
    return {"store": context.directory.store_kind, "served": served, "room": room, "heads": sent, "signs": signs}


def _entries(context: DoctorContext) -> dict[str, Any]:
    """Return how many entries of each kind every book has, where it ends and where it was sealed."""
    from pitboss.books.store.migrate import counts_by_kind, store_revision  # noqa: PLC0415 - loads Alembic

    books: dict[str, Any] = {}
    with closing(context.directory.open_store(write=False)) as store:
        for book in store.books():
            head = store.head(book)
            assert head is not None
            books[book] = {
                "sequence": head.sequence,
                "head": head.digest.hex(),
                "recorded": instant_text(head.recorded),
                "snapshots": len(store.snapshot_numbers(book, 0, head.sequence)),
                "kinds": counts_by_kind(context.directory, book),
            }
    return {"schema": store_revision(context.directory), "books": books}


def _cleaner(context: DoctorContext, names: set[str]) -> Callable[[str], str]:
    """Return what takes out of a text all that may not leave the room: secrets, names, and where its database is."""
    try:
        hosts = set(_HOST.findall(context.directory.connection)) - {"localhost"}
    except StoreError:
        hosts = set()

    def clean(text: str) -> str:
        for host in hosts:
            text = text.replace(host, _REMOVED)
        return redact(text, names)

    return clean


def _doctor(context: DoctorContext, clean: Callable[[str], str]) -> dict[str, Any]:
    content = examine(context).content()
    for finding in content["findings"]:
        if finding["check"] in _PRIVATE_AREA:
            finding["text"] = _REMOVED
        finding["text"], finding["fix"] = clean(finding["text"]), clean(finding["fix"])
    content["unchecked"] = {name: clean(text) for name, text in content["unchecked"].items()}
    return content


def _files(context: DoctorContext) -> list[list[Any]]:
    """Return size and mode of the files of the data directory whose names are our own; others are counted."""
    own = re.compile(r"[a-z-]+\.(sqlite3(-wal|-shm)?|toml|json|key)|witness-[a-z-]+|lock|clock-jumped")
    files = [(file, file.stat()) for file in context.files()]
    rows: list[list[Any]] = [
        [file.name, stat.st_size, f"{stat.st_mode & 0o7777:04o}"] for file, stat in files if own.fullmatch(file.name)
    ]
    return [*rows, ["others", sum(own.fullmatch(file.name) is None for file, _ in files), ""]]


def log_tail(log: Path | None, service: str) -> str:
    """Return the end of the log: of a file, or of the service in the system's journal; empty where there is none."""
    if log is not None:
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - _LOG_BYTES))
            text = stream.read().decode(errors="replace")
        return "\n".join(text.splitlines()[-_LINES:])
    command = ["journalctl", "--no-pager", "--quiet", "--output=short-iso", f"--lines={_LINES}", f"--unit={service}"]
    try:
        process = subprocess.run(command, capture_output=True, timeout=60, check=False)  # noqa: S603 - our own words
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return process.stdout.decode(errors="replace")


def make_bundle(context: DoctorContext, file: Path, *, log: Path | None = None, service: str = "pitboss") -> list[str]:
    """Write the bundle into a new file that only its owner reads; returns the names of what is in it."""
    context.require()
    try:
        state: BookState | None = context.state
    except StoreError:
        state = None
    names = set() if state is None else known_names(state)
    clean = _cleaner(context, names)
    contents: dict[str, Any] = {"versions": _versions(context), "doctor": _doctor(context, clean)}
    makers: tuple[tuple[str, Callable[[], Any]], ...] = (
        ("settings", lambda: _settings(context, state)),
        ("entries", lambda: _entries(context)),
        ("files", lambda: _files(context)),
    )
    for name, make in makers:
        try:
            contents[name] = make()
        except (StoreError, OSError) as error:
            contents[name] = {"unreadable": clean(str(error))}
    texts = {f"{name}.json": json.dumps(content, indent=1) + "\n" for name, content in contents.items()}
    # Where the books cannot be read nobody knows which names are to be left out.
    texts["log.txt"] = _NO_LOG if state is None else clean(log_tail(log, service)) + "\n"
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise StoreError(f"{file} is there already") from None
    with os.fdopen(descriptor, "wb") as stream:
        _pack(stream, texts)
    return sorted(texts)


def _pack(stream: Any, texts: dict[str, str]) -> None:
    with (
        gzip.GzipFile(fileobj=stream, mode="wb", mtime=0, filename="") as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for name, text in sorted(texts.items()):
            content = text.encode()
            member = tarfile.TarInfo(f"pitboss-support/{name}")
            member.size, member.mode = len(content), 0o600
            archive.addfile(member, io.BytesIO(content))
