"""Where a server listens, and what follows from it: plain HTTP stays on this computer."""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from pitboss.books.store.directory import is_loopback
from pitboss.books.store.keys import certified_names
from pitboss.room.people.passwords import network_of
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.server.logs import LOG_FORMATS, LogFormat
from pitboss.tabulator.devices.broker import parse_broker

_LOCALHOST = "localhost"
_PORT_MAX = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """Host and port, a certificate with its key, or a proxy in front that has one.

    `proxies` are the addresses of proxies that are believed when they say for whom they ask. With `parts` the gallery
    of the pages' parts is there, for who changes them. In a `demo` anybody signs in as anybody, on this computer alone.
    With `open` a browser is opened when the server is ready. `public` is the address that a proxy serves to browsers.
    `second_factor` are the roles whose people must sign in in two steps. With fewer free bytes than `disk_floor` the
    server is not ready. `mqtt` is the address of a broker by which devices speak, too, and `mqtt_password` the file
    with the server's password there.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    certificate: Path | None = None
    key: Path | None = None
    behind_proxy: bool = False
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    parts: bool = False
    demo: bool = False
    open: bool = False
    public: str = ""
    second_factor: tuple[str, ...] = ()
    disk_floor: int = 500_000_000
    log: LogFormat = "text"
    mqtt: str = ""
    mqtt_password: Path | None = None

    @property
    def is_loopback(self) -> bool:
        """True if only this computer can reach it."""
        return is_loopback(self.host)

    @property
    def is_secure(self) -> bool:
        """True if browsers come by HTTPS, so that cookies are `Secure`."""
        return self.certificate is not None or self.behind_proxy

    @property
    def hosts(self) -> frozenset[str] | None:
        """The hosts that a browser may ask for, where that is known: by this computer, a proxy or a certificate.

        A page of elsewhere whose name was made to lead here asks for its own name, and is refused.
        """
        if self.is_loopback and not self.behind_proxy:
            roles = (f"{role}.{_LOCALHOST}" for role in (*PEOPLE_ROLES, "console")) if self.demo else ()
            return frozenset({_LOCALHOST, "127.0.0.1", "[::1]", self.host, *roles})
        names = {urlsplit(self.public).hostname or ""} if self.public else set()
        if self.certificate is not None and not self.behind_proxy:
            names |= certified_names(self.certificate)
        # The terminal of this computer asks directly.
        own = {_LOCALHOST, "127.0.0.1", "[::1]", self.host}
        return frozenset({*names, *(f"[{name}]" for name in names), *own}) if names else None

    def address(self, port: int | None = None) -> str:
        """The address to type into a browser."""
        scheme = "https" if self.certificate is not None else "http"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}:{self.port if port is None else port}"

    def link(self, address: str, path: str) -> str:
        """Return a page as people open it."""
        return f"{self.public.rstrip('/') or address}{path}"


def listening_problems(listening: Listening) -> list[str]:
    """Return everything that is wrong with the settings."""
    problems = []
    if not 0 <= listening.port <= _PORT_MAX:
        problems.append(f"port: {listening.port} must be from 0 to {_PORT_MAX}")
    if (listening.certificate is None) != (listening.key is None):
        problems.append("a certificate and its key are given together")
    for what, path in (("certificate", listening.certificate), ("key", listening.key)):
        if path is not None and not path.is_file():
            problems.append(f"{what}: there is no file {path}")
    if not listening.is_loopback and not listening.is_secure:
        problems.append(
            f"host: {listening.host} can be reached from elsewhere: give a certificate and key, or --behind-proxy"
        )
    host = urlsplit(listening.public).hostname or "" if listening.public.startswith(("https://", "http://")) else ""
    if listening.public and (not host or "*" in host):
        problems.append(f"public: {listening.public!r} must be one address such as https://pitboss.example")
    if listening.behind_proxy and not listening.public:
        problems.append("behind a proxy only the host that people type is answered: name it, --public https://NAME")
    problems += [
        f"proxy: {proxy!r} must be the address of one proxy, such as 192.0.2.1"
        for proxy in listening.proxies
        if network_of(proxy) == "unknown"
    ]
    if listening.disk_floor < 0:
        problems.append("disk floor: a number of megabytes, 0 or more")
    if listening.log not in LOG_FORMATS:
        problems.append(f"log: {listening.log!r} is none of {', '.join(LOG_FORMATS)}")
    problems += _mqtt_problems(listening)
    problems += [f"second factor: {role!r} is no role" for role in listening.second_factor if role not in PEOPLE_ROLES]
    if listening.demo and (not listening.is_loopback or listening.is_secure):
        problems.append("--demo is for this computer alone: without a certificate, on a host such as 127.0.0.1")
    return problems


def _mqtt_problems(listening: Listening) -> list[str]:
    password = listening.mqtt_password
    if not listening.mqtt:
        return [] if password is None else ["mqtt: a password is for a broker: name it, --mqtt mqtts://USER@HOST"]
    try:
        broker = parse_broker(listening.mqtt)
    except ValueError as error:
        return [f"mqtt: {error}"]
    problems = [] if broker.user else ["mqtt: name the user of the server at its broker, mqtts://USER@HOST"]
    if password is None or not password.is_file():
        problems.append(f"mqtt: its password is in a file: {password or '--mqtt-password FILE'} is none")
    if find_spec("paho") is None:
        problems.append("mqtt: it needs Paho: install pitboss with the extra `mqtt`")
    return problems


_ADDRESS_FILE = "server.json"


class Announcement(NamedTuple):
    """Where the server of a data directory answers, and its certificate where it has one."""

    address: str
    certificate: str


def announce(path: Path, address: str, certificate: Path | None) -> None:
    """Write where the server of a data directory answers, so that the terminal finds it."""
    content = Announcement(address, "" if certificate is None else str(certificate.absolute()))
    file = os.open(path / _ADDRESS_FILE, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(file, "w", encoding="utf-8") as stream:
        json.dump(content._asdict(), stream)


def make_private(path: Path) -> None:
    """Restrict a room's data directory, and what is made in it from now on, to its owner."""
    os.umask(0o077)
    for each, mode in ((path, 0o700), *((file, 0o600) for file in path.iterdir() if file.is_file())):
        # Of what is somebody else's the owner decides.
        with suppress(PermissionError):
            each.chmod(mode)


def key_warnings(listening: Listening) -> list[str]:
    """Return what others could do with the key of the certificate."""
    if listening.key is None or not listening.key.stat().st_mode & 0o077:
        return []
    return [f"Warning: others on this computer can read the key {listening.key}. Type: chmod 600 {listening.key}"]


def withdraw_announcement(path: Path) -> None:
    """Forget where the server of a data directory answered: it ends."""
    (path / _ADDRESS_FILE).unlink(missing_ok=True)


def announced(path: Path) -> Announcement | None:
    """Return where the server of a data directory answers, if one has announced itself."""
    try:
        return Announcement(**json.loads((path / _ADDRESS_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
