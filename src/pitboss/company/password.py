"""The one password of a company's page: its hash in a file, tries counted by address, sessions in memory."""

import secrets
import threading
import time
from collections import deque
from pathlib import Path

from pitboss.books import RefusedError
from pitboss.company.reading import write_private
from pitboss.room.people.passwords import Hashing, network_of, password_problems

_FAILURES_MAX, _ALL_FAILURES_MAX, _WINDOW_SECONDS = 10, 200, 15 * 60
_SESSION_SECONDS, _SESSIONS_MAX, _NETWORKS_MAX = 12 * 60 * 60, 1_000, 4_096


def save_password(path: Path, password: str, company: str) -> None:
    """Write the hash of a password; refuse one that is easily guessed."""
    problems = password_problems(password, login=company, name=company)
    if problems:
        raise RefusedError(problems)
    write_private(path, Hashing().hash(password) + "\n")


class Door:
    """Who may look: anybody on this computer where there is no password, else who knows it."""

    def __init__(self, path: Path | None, hashing: Hashing | None = None) -> None:
        self._hash = None if path is None else path.read_text(encoding="ascii").strip()
        self._hashing = hashing or Hashing()
        self._sessions: dict[str, float] = {}
        self._failures: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    @property
    def is_locked(self) -> bool:
        """True if there is a password."""
        return self._hash is not None

    def is_in(self, session: str | None) -> bool:
        """True if somebody may look."""
        if self._hash is None:
            return True
        with self._lock:
            return session is not None and self._sessions.get(session, 0) > time.monotonic()

    def enter(self, password: str, address: str) -> str | None:
        """Return a new session for who knows the password; nothing for who does not, or has tried too often."""
        network = network_of(address)
        if self._hash is None or not self._may_try(network):
            return None
        with self._hashing.place(network):
            if not self._hashing.matches(self._hash, password):
                return None
        now, session = time.monotonic(), secrets.token_urlsafe(32)
        with self._lock:
            self._failures.pop(network, None)
            self._sessions = {each: ends for each, ends in self._sessions.items() if ends > now}
            if len(self._sessions) >= _SESSIONS_MAX:
                del self._sessions[next(iter(self._sessions))]
            self._sessions[session] = now + _SESSION_SECONDS
        return session

    def leave(self, session: str | None) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(session or "", None)

    def _may_try(self, network: str) -> bool:
        """Count a try of an address, and of all of them; each counts until it is known to be right."""
        now = time.monotonic()
        with self._lock:
            if len(self._failures) >= _NETWORKS_MAX:
                self._failures = {name: tries for name, tries in self._failures.items() if tries[-1] > now - _WINDOW_SECONDS}  # fmt: skip # noqa: E501
            for key, most in ((network, _FAILURES_MAX), ("", _ALL_FAILURES_MAX)):
                tries = self._failures.setdefault(key, deque(maxlen=most))
                if len(tries) == most and tries[0] > now - _WINDOW_SECONDS:
                    return False
                tries.append(now)
        return True
