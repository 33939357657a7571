"""Sessions: who is signed in, for how long, and which browsers are enrolled as devices."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from typing import NamedTuple

from pitboss.room.people.vault import Session, Vault, token_hash

_MINUTE = 60 * 1_000_000
_HOUR = 60 * _MINUTE
PIN, ENROLLED = "pin", "enrolled"


class SessionLimits(NamedTuple):
    """How long a session lasts, in microseconds: without a request, and in all.

    A dealer who has tapped in is not timed out for being idle: a console in play stays his until he taps out.
    """

    idle: int = 15 * _MINUTE
    longest: int = 12 * _HOUR
    longest_at_table: int = 16 * _HOUR


class Sessions:
    """All sessions, in memory and in the vault, so that a restart signs nobody out."""

    def __init__(self, vault: Vault, clock: Callable[[], int], limits: SessionLimits) -> None:
        self._vault, self._clock, self._limits = vault, clock, limits
        self._lock = threading.Lock()
        self._by_hash = {each.hash: each for each in vault.sessions()}
        self._touched: set[str] = set()

    def begin(self, subject: str, how: str, device: str = "") -> tuple[str, Session]:
        """Begin a session; what is given back first is for the cookie, and is kept nowhere."""
        token, now = secrets.token_urlsafe(32), self._clock()
        session = Session(token_hash(token), subject, how, device, secrets.token_urlsafe(24), now, now)
        with self._lock:
            self._by_hash[session.hash] = session
        self._vault.put_sessions([session])
        return token, session

    def find(self, token: str) -> Session | None:
        """Find the session of a cookie, if it has not ended."""
        session = self._by_hash.get(token_hash(token))
        return None if session is None or self._is_over(session) else session

    def is_live(self, session: Session) -> bool:
        """Whether a session that was found before has not ended since."""
        now = self._by_hash.get(session.hash)
        return now is not None and not self._is_over(now)

    def _is_over(self, session: Session) -> bool:
        if session.how == ENROLLED:
            return False
        now, limits = self._clock(), self._limits
        if session.how == PIN:
            return now - session.created > limits.longest_at_table
        return now - session.used > limits.idle or now - session.created > limits.longest

    def touch(self, session: Session) -> None:
        """Note that somebody is at work; it is written to disk by `tidy`."""
        with self._lock:
            if session.hash in self._by_hash:
                self._by_hash[session.hash] = session._replace(used=self._clock())
                self._touched.add(session.hash)

    def end(self, *sessions: Session) -> None:
        """End sessions."""
        with self._lock:
            for each in sessions:
                self._by_hash.pop(each.hash, None)
        self._vault.drop_sessions([each.hash for each in sessions])

    def of(self, subject: str, how: str | None = None) -> list[Session]:
        """The sessions of a person, or (`enrolled`) of a device."""
        with self._lock:
            found = [each for each in self._by_hash.values() if each.subject == subject]
        return [each for each in found if (each.how != ENROLLED if how is None else each.how == how)]

    def at_device(self, device: str) -> list[Session]:
        """The sessions of people who tapped in at a device."""
        with self._lock:
            return [each for each in self._by_hash.values() if each.how == PIN and each.device == device]

    @property
    def signed_in(self) -> int:
        """How many sessions of people there are."""
        return sum(each.how != ENROLLED for each in list(self._by_hash.values()))

    def tidy(self) -> None:
        """Write down who was at work, and forget what has ended."""
        with self._lock:
            over = [each for each in self._by_hash.values() if self._is_over(each)]
            used = [self._by_hash[each] for each in self._touched if each in self._by_hash]
            self._touched.clear()
        if used:
            self._vault.put_sessions(used)
        if over:
            self.end(*over)
