"""The file of a company: its rooms, each with the address of its server and a token of an auditor there."""

import os
import ssl
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pitboss.books import RefusedError
from pitboss.books.store.directory import is_loopback

_OTHERS_MAY, _SECONDS_RANGE, _ROOMS_MAX, _SECONDS = 0o077, (5, 3_600), 500, 30
_FIELDS = {"company", "seconds", "password", "keep", "rooms"}
_ROOM_FIELDS = {"name", "url", "token", "authority"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomAddress:
    """A room: what the company calls it, its server, the file of a token, and who certifies it if not the web."""

    name: str
    url: str
    token_file: Path
    authority: Path | None = None

    def token(self) -> str:
        """Read the token; it is read for each question, so that a new one needs no restart."""
        return self.token_file.read_text(encoding="utf-8").strip()

    def context(self) -> ssl.SSLContext | None:
        """Return what certificates are verified by; nothing on this computer."""
        if not self.url.startswith("https://"):
            return None
        return ssl.create_default_context(cafile=None if self.authority is None else str(self.authority))


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """A company: its rooms, how often each is asked, the file of the page's password, and where answers are kept."""

    name: str
    rooms: tuple[RoomAddress, ...]
    seconds: int = _SECONDS
    password_file: Path | None = None
    keep: Path | None = None


def read_company(path: Path) -> Company:
    """Read the file of a company; everything that is wrong comes in one refusal."""
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RefusedError([f"{path}: {error.strerror}"]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RefusedError([f"{path} is no TOML: {error}"]) from None
    problems = [f"{name!r} is no field of a company" for name in sorted(fields.keys() - _FIELDS)]
    problems += list(_problems(fields))
    rows = fields.get("rooms")
    tables = rows if isinstance(rows, list) and all(isinstance(row, dict) for row in rows) else []
    for number, row in enumerate(tables, start=1):
        problems += [f"room {number}: {problem}" for problem in _room_problems(row, path.parent)]
    problems += _repeated(tables)
    if problems:
        raise RefusedError([f"{path}: {problem}" for problem in problems])
    return Company(
        name=fields["company"],
        rooms=tuple(_room(row, path.parent) for row in tables),
        seconds=fields.get("seconds", _SECONDS),
        password_file=_file(fields.get("password"), path.parent),
        keep=_file(fields.get("keep"), path.parent),
    )


def _problems(fields: dict[str, Any]) -> Iterator[str]:
    if not _is_text(fields.get("company")):
        yield "company: the name of the company is missing"
    seconds, (least, most) = fields.get("seconds", _SECONDS), _SECONDS_RANGE
    if type(seconds) is not int or not least <= seconds <= most:
        yield f"seconds: {seconds!r} must be from {least} to {most}"
    for name in ("password", "keep"):
        if name in fields and not _is_text(fields[name]):
            yield f"{name}: must be the name of a file"
    rows = fields.get("rooms")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        yield "rooms: each room is a table [[rooms]] with name, url and token"
    elif len(rows) > _ROOMS_MAX:
        yield f"rooms: {len(rows)} are more than {_ROOMS_MAX}"


def _room_problems(row: dict[str, Any], folder: Path) -> Iterator[str]:
    yield from (f"{name!r} is no field of a room" for name in sorted(row.keys() - _ROOM_FIELDS))
    for name in ("name", "url", "token"):
        if not _is_text(row.get(name)):
            yield f"{name} is missing"
    url = row.get("url")
    if _is_text(url):
        yield from _url_problems(str(url))
    if _is_text(row.get("token")):
        yield from _token_problems(folder / row["token"])
    authority = row.get("authority")
    if authority is not None and not (_is_text(authority) and (folder / authority).is_file()):
        yield f"authority: {authority!r} is no file"


def _url_problems(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        host, parts = "", urlsplit("")
    if parts.scheme not in ("http", "https") or not host or parts.path.strip("/") or parts.query or parts.username:
        yield f"url: {url!r} must be the address of a server such as https://room.example"
    elif parts.scheme == "http" and not is_loopback(host):
        yield f"url: {url!r} leads off this computer: a token travels by https:// alone (G-76)"


def _token_problems(file: Path) -> Iterator[str]:
    try:
        mode, text = file.stat().st_mode, file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        yield f"token: {file} cannot be read"
        return
    if mode & _OTHERS_MAY and os.name == "posix":
        yield f"token: others on this computer can read {file}. Type: chmod 600 {file}"
    if not text.isascii() or not text or any(mark.isspace() for mark in text):
        yield f"token: {file} holds no token"


def _repeated(rows: list[dict[str, Any]]) -> Iterator[str]:
    for name in ("name", "url"):
        values = [str(row[name]) for row in rows if _is_text(row.get(name))]
        twice = sorted({value for value in values if values.count(value) > 1})
        yield from (f"rooms: {name} {value!r} is there twice" for value in twice)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _file(name: str | None, folder: Path) -> Path | None:
    return None if name is None else folder / name


def _room(row: dict[str, Any], folder: Path) -> RoomAddress:
    return RoomAddress(
        name=row["name"],
        url=row["url"].rstrip("/"),
        token_file=folder / row["token"],
        authority=_file(row.get("authority"), folder),
    )
