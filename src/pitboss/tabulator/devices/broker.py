"""The address of an MQTT broker, and the topics of a room's devices there."""

import re
import urllib.parse
from dataclasses import dataclass

from pitboss.books.store.directory import is_loopback

SCHEMES = {"mqtt": 1883, "mqtts": 8883}
_PREFIX = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker:
    """Where a broker listens, as whom one signs in there, and the prefix of a room's topics."""

    host: str
    port: int
    is_secure: bool
    user: str
    prefix: str

    @property
    def address(self) -> str:
        """The address for people, without whom one signs in as."""
        return f"{'mqtts' if self.is_secure else 'mqtt'}://{self.host}:{self.port}/{self.prefix}"

    def topic(self, device: str, what: str) -> str:
        """Return a topic of a device: `messages`, `replies` or `lost`."""
        return f"{self.prefix}/devices/{user_of(device)}/{what}"

    def device_of(self, topic: str) -> str:
        """Return the name of the device whose topic this is."""
        return urllib.parse.unquote(topic.split("/")[-2])


def user_of(device: str) -> str:
    """Return the name under which a device signs in, which its topics have too: no part of it is a wildcard."""
    return urllib.parse.quote(device, safe=" ")


def parse_broker(url: str) -> Broker:
    """Parse the address of a broker, or raise with what is wrong: mqtts://USER@HOST:PORT/PREFIX."""
    parts = urllib.parse.urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = 0
    prefix = parts.path.strip("/") or "pitboss"
    problems = []
    if parts.scheme not in SCHEMES or not parts.hostname or port == 0:
        problems.append("must be the address of a broker such as mqtts://broker.example:8883")
    if parts.password is not None:
        problems.append("must not have a password: others could read it in the list of processes")
    if not _PREFIX.fullmatch(prefix) or "?" in url or "#" in url:
        problems.append("may end in a prefix of its topics, of letters, digits and . _ - only")
    if parts.scheme == "mqtt" and not is_loopback(parts.hostname or ""):
        problems.append("leads off this computer: use mqtts:// there, so that nobody reads a token (G-76)")
    if problems:
        raise ValueError(f"{url!r} {'; it '.join(problems)}")
    return Broker(
        host=parts.hostname or "",
        port=port or SCHEMES[parts.scheme],
        is_secure=parts.scheme == "mqtts",
        user=urllib.parse.unquote(parts.username or ""),
        prefix=prefix,
    )
