"""Reading the rooms: each is asked by itself, its last answer stays when it does not answer, and nothing is written."""

import json
import logging
import os
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pitboss.books import microseconds_now
from pitboss.company.settings import Company, RoomAddress

_SUMMARY = "/api/v1/summary"
_TIMEOUT_SECONDS, _BYTES_MAX, _AT_ONCE = 10, 8_000_000, 16
_ROUND_SECONDS = 30
_NO_ROOM = "what answers is no room of this version of Pitboss"
_TOO_SLOW = "its server does not finish its answer"
_REFUSALS = {401: "the token is nobody's any more: make a new one", 403: "the token is not that of an auditor"}
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomReading:
    """What is known of a room: its last answer and when that came, and since when and why it has not answered."""

    room: str
    answer: Mapping[str, Any] | None = None
    answered: int = 0
    silent_since: int = 0
    problem: str = "not asked yet"

    @property
    def is_silent(self) -> bool:
        """True if the last question was not answered."""
        return bool(self.problem)


class UnansweredError(Exception):
    """Why a room has not answered."""


def ask(room: RoomAddress) -> dict[str, Any]:
    """Ask a room for its summary, or raise why it does not answer."""
    try:
        headers = {"Authorization": f"Bearer {room.token()}", "Accept": "application/json"}
        request = urllib.request.Request(f"{room.url}{_SUMMARY}", headers=headers)  # noqa: S310 - checked where it was read
        opener = urllib.request.build_opener(_NoRedirect, urllib.request.HTTPSHandler(context=room.context()))
        with opener.open(request, timeout=_TIMEOUT_SECONDS) as answer:
            text = answer.read(_BYTES_MAX + 1)
    except urllib.error.HTTPError as error:
        error.close()
        raise UnansweredError(_REFUSALS.get(error.code, f"its server says {error.code}")) from None
    except urllib.error.URLError as error:
        reason = getattr(error.reason, "strerror", None) or error.reason
        raise UnansweredError(f"its server cannot be reached: {reason}") from None
    except (OSError, ValueError) as error:
        raise UnansweredError(f"its server cannot be reached: {error}") from None
    try:
        content = json.loads(text) if len(text) <= _BYTES_MAX else None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or not content.keys() >= _EXPECTED:
        raise UnansweredError(_NO_ROOM)
    return content


_EXPECTED = {"room", "at", "health", "tables", "jackpots", "pending", "exceptions", "theory"}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A token is sent to the address that was named and nowhere else."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follow nothing."""


class Rooms:
    """All rooms of a company as they were last read; a thread asks them again and again."""

    def __init__(
        self,
        company: Company,
        clock: Callable[[], int] = microseconds_now,
        ask: Callable[[RoomAddress], dict[str, Any]] = ask,
        verify: Callable[[RoomReading], object] = lambda _: None,
    ) -> None:
        """Read rooms by `ask`; an answer of which `verify` raises anything is none, so that it breaks no page."""
        self.company, self.clock, self._ask, self._verify = company, clock, ask, verify
        self.readings: dict[str, RoomReading] = {room.name: RoomReading(room=room.name) for room in company.rooms}
        self._end = threading.Event()
        self._thread: threading.Thread | None = None
        self._asking: dict[str, Future[None]] = {}
        self._pool = ThreadPoolExecutor(min(_AT_ONCE, len(company.rooms)), thread_name_prefix="room")
        self._restore()

    def start(self) -> None:
        """Start asking the rooms."""
        self._thread = threading.Thread(target=self._run, name="rooms", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop asking the rooms."""
        self._end.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _run(self) -> None:
        while not self._end.is_set():
            begun = time.monotonic()
            try:
                self.read_all()
            except RuntimeError:
                if self._end.is_set():
                    return
                _log.exception("the rooms could not be asked")
            self._end.wait(max(1.0, self.company.seconds - (time.monotonic() - begun)))

    def read_all(self) -> None:
        """Ask every room once; one that is slow keeps no other waiting, and is silent until it has answered."""
        for room in self.company.rooms:
            if room.name not in self._asking or self._asking[room.name].done():
                self._asking[room.name] = self._pool.submit(self._read, room)
        wait(self._asking.values(), timeout=_ROUND_SECONDS)
        for name, asking in self._asking.items():
            if asking.running():
                self._note_silence(name, _TOO_SLOW)
        self._save()

    def _read(self, room: RoomAddress) -> None:
        try:
            answer = self._ask(room)
        except UnansweredError as error:
            self._note_silence(room.name, str(error))
            return
        reading = RoomReading(room=room.name, answer=answer, answered=self.clock(), problem="")
        if self._is_readable(reading):
            self.readings[room.name] = reading
        else:
            self._note_silence(room.name, _NO_ROOM)

    def _note_silence(self, name: str, problem: str) -> None:
        before = self.readings[name]
        self.readings[name] = replace(before, problem=problem, silent_since=before.silent_since or self.clock())

    def _is_readable(self, reading: RoomReading) -> bool:
        try:
            self._verify(reading)
        except Exception:  # noqa: BLE001 - whatever a room sends, the page of all goes on
            return False
        return True

    def _save(self) -> None:
        """Keep the last answers over a restart of this process, where a file is named for them."""
        if self.company.keep is None:
            return
        kept = {name: [reading.answered, reading.answer] for name, reading in self.readings.items() if reading.answer}
        try:
            write_private(self.company.keep, json.dumps(kept))
        except OSError as error:
            _log.warning("the last answers are not kept: %s", error)

    def _restore(self) -> None:
        try:
            kept = json.loads(self.company.keep.read_bytes()) if self.company.keep is not None else {}
            for name, (answered, answer) in kept.items():
                if name in self.readings and answer.keys() >= _EXPECTED:
                    reading = replace(self.readings[name], answer=answer, answered=answered)
                    self.readings[name] = reading if self._is_readable(reading) else self.readings[name]
        except (OSError, ValueError, AttributeError, TypeError, RecursionError):
            return


def write_private(path: Path, text: str) -> None:
    """Write a file that its owner alone reads, whole or not at all."""
    fresh = path.with_name(f"{path.name}.new")
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(file, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    fresh.replace(path)
