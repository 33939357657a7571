"""The line of a device: to a server over HTTP, to a receiver in this process, and one with faults on request."""

from __future__ import annotations

import json
import random
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

_TIMEOUT_SECONDS = 10
_NOT_ALLOWED = (401, 403)


class LineCutError(OSError):
    """Nothing came back: whether the message arrived, nobody at this end knows."""


class NotAllowedError(RuntimeError):
    """The server does not take messages with this token."""


class Line(Protocol):
    """Where a message goes and a reply comes from."""

    def send(self, message: bytes) -> dict[str, Any]:
        """Send a message and wait for its reply, or raise `LineCutError`."""


class DoorLine:
    """A line to a receiver in this process."""

    def __init__(self, receive: Callable[[bytes], dict[str, Any]]) -> None:
        self._receive = receive

    def send(self, message: bytes) -> dict[str, Any]:
        """Pass the message on; the reply goes through JSON as it would over a wire."""
        reply: dict[str, Any] = json.loads(json.dumps(self._receive(message)))
        return reply


class HttpLine:
    """A line to a server: POST, with the device's token where it has one."""

    def __init__(self, url: str, token: str = "") -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"{url!r} must be the address of a server, http:// or https://")
        self._url = url
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def send(self, message: bytes) -> dict[str, Any]:
        """Post the message and read the reply."""
        request = urllib.request.Request(self._url, message, self._headers, method="POST")  # noqa: S310 - checked above
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310 - checked above
                reply: dict[str, Any] = json.loads(answer.read())
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in _NOT_ALLOWED:
                raise NotAllowedError(f"{self._url} says {error.code}: this token does not speak there") from None
            raise LineCutError(f"{self._url} says {error.code}") from None
        except (OSError, ValueError) as error:
            raise LineCutError(f"{self._url}: {error}") from None
        return reply


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFaults:
    """How often a line does what it should not, each as a chance between 0 and 1; a cut lasts for so many messages."""

    duplicate: float = 0
    lost_request: float = 0
    lost_reply: float = 0
    reorder: float = 0
    cut: float = 0
    cut_messages: int = 3


@dataclass(slots=True)
class FaultyLine:
    """A line with faults: it repeats, loses, keeps back and is cut, by a seed."""

    line: Line
    faults: LineFaults
    rng: random.Random
    held: list[bytes] = field(default_factory=list)
    cut_for: int = 0

    def send(self, message: bytes) -> dict[str, Any]:
        """Send a message, with the faults that are configured."""
        if self.cut_for:
            self.cut_for -= 1
            raise LineCutError("the line is cut")
        if self._happens(self.faults.cut):
            self.cut_for = self.faults.cut_messages
        if self._happens(self.faults.lost_request):
            raise LineCutError("the message was lost")
        if self._happens(self.faults.reorder):
            self.held.append(message)
            raise LineCutError("the message is on its way")
        if self._happens(self.faults.duplicate):
            self.line.send(message)
        reply = self.line.send(message)
        while self.held:
            # What was kept back comes after what was sent later.
            self.line.send(self.held.pop())
        if self._happens(self.faults.lost_reply):
            raise LineCutError("the reply was lost")
        return reply

    def _happens(self, chance: float) -> bool:
        return chance > 0 and self.rng.random() < chance
