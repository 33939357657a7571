"""Passwords, PINs and codes of a second factor: what they must be, their hashes, and how often they may be tried."""

import base64
import hashlib
import hmac
import ipaddress
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from pitboss.room.people.vault import Failures, Vault

PASSWORD_LENGTH_MIN = 12
_PASSWORD_LENGTH_MAX = 256
_PIN_LENGTHS = range(4, 9)
_AT_ONCE = 2
_IN_LINE_MAX, _IN_LINE_PER_ADDRESS = 12, 4
_NAME_LENGTH_MIN = 4


class LineFullError(Exception):
    """So many try to sign in at this moment that no more wait in line."""

    def __init__(self) -> None:
        super().__init__("Too many people are signing in right now. Try again in a moment.")


class Hashing:
    """argon2id (the library's own parameters unless others are given), not more than two at once.

    A hash takes tens of megabytes and milliseconds: many sign-ins at once wait in line instead of taking the machine.
    """

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._line = threading.BoundedSemaphore(_AT_ONCE)
        self._nobody: str | None = None
        self._waiting: dict[str, int] = {}
        self._counting = threading.Lock()

    @contextmanager
    def place(self, where: str) -> Iterator[None]:
        """Reserve a place in the queue for an address or a browser; refuse where the queue or its share is full."""
        with self._counting:
            count = self._waiting.get(where, 0)
            if count >= _IN_LINE_PER_ADDRESS or sum(self._waiting.values()) >= _IN_LINE_MAX:
                raise LineFullError
            self._waiting[where] = count + 1
        try:
            yield
        finally:
            with self._counting:
                self._waiting[where] -= 1
                if not self._waiting[where]:
                    del self._waiting[where]

    def hash(self, secret: str) -> str:
        """Hash a secret with a salt of its own."""
        with self._line:
            return self._hasher.hash(secret.encode("utf-8", "surrogatepass"))

    def _nobodys(self) -> str:
        if self._nobody is None:
            self._nobody = self._hasher.hash("nobody has this password")
        return self._nobody

    def matches(self, hashed: str | None, secret: str) -> bool:
        """True if a secret has this hash; without a hash it takes as long and is False."""
        with self._line:
            try:
                self._hasher.verify(hashed or self._nobodys(), secret.encode("utf-8", "surrogatepass"))
            except (Argon2Error, InvalidHashError):
                return False
        return hashed is not None


def password_problems(password: str, *, login: str, name: str) -> list[str]:
    """Return everything that is wrong with a password that was chosen."""
    problems = []
    if not PASSWORD_LENGTH_MIN <= len(password) <= _PASSWORD_LENGTH_MAX:
        problems.append(f"password: Use {PASSWORD_LENGTH_MIN} to {_PASSWORD_LENGTH_MAX} characters.")
    folded = password.casefold()
    if any(len(part) >= _NAME_LENGTH_MIN and part.casefold() in folded for part in (login, name)):
        problems.append("password: Don't use your name in the password.")
    if len(set(password)) < 5:
        problems.append("password: Use at least five different characters.")
    if _plainly(folded) in _common() or _is_row(folded):
        problems.append("password: This is one of the first passwords that anybody tries. Choose another.")
    return problems


@cache
def _common() -> frozenset[str]:
    """Return the passwords and PINs that are tried first, without what people add at their end."""
    text = files(__package__).joinpath("common-passwords.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))


_LOOK_ALIKE = str.maketrans("@$013457", "asoleast")


def _plainly(folded: str) -> str:
    """Return a password without blanks, a year or signs at its end, and with letters for the signs that look so."""
    words = "".join(folded.split())
    letters = words.translate(_LOOK_ALIKE)
    ends = words.rstrip("0123456789!?.*#$@_-+")
    shortest = [text for text in (words, letters, ends, ends.translate(_LOOK_ALIKE)) if text in _common()]
    half = ends[: len(ends) // 2]
    twice = half if half and half * 2 == ends else ""
    return shortest[0] if shortest else twice or words


_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890", "abcdefghijklmnopqrstuvwxyz")


def _is_row(folded: str) -> bool:
    """True if nearly every key is beside the one before, on a keyboard or in the alphabet."""
    beside = {a + b for row in _ROWS for a, b in pairwise(row)} | {b + a for row in _ROWS for a, b in pairwise(row)}
    steps = [a + b for a, b in pairwise(folded)]
    return bool(steps) and sum(step in beside or step[0] == step[1] for step in steps) * 10 >= len(steps) * 8


def pin_problems(pin: str) -> list[str]:
    """Return everything that is wrong with a PIN that was chosen."""
    if not (pin.isascii() and pin.isdigit() and len(pin) in _PIN_LENGTHS):
        return ["pin: Use 4 to 8 digits."]
    steps = {(int(later) - int(earlier)) % 10 for earlier, later in pairwise(pin)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        return ["pin: Choose a PIN that isn't a repeat or a sequence (such as 1111 or 1234)."]
    if _is_common_pin(pin):
        return ["pin: This PIN is one of the first that anybody tries, such as a year or a pattern. Choose another."]
    return []


def _is_common_pin(pin: str) -> bool:
    """True for a year, a part that is repeated, two digits in any order, or one that is often chosen."""
    parts = (pin[:size] for size in range(1, len(pin) // 2 + 1) if len(pin) % size == 0)
    is_year = len(pin) == 4 and pin[:2] in ("19", "20")
    is_repeat = any(part * (len(pin) // len(part)) == pin for part in parts)
    few = len(set(pin)) <= 2
    return is_year or is_repeat or few or pin in _common()


def totp(secret: str, counter: int, *, digits: int = 6) -> str:
    """Return the code of RFC 6238 (HMAC-SHA-1, as every authenticator app has it) for a step of thirty seconds."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.digest(key, counter.to_bytes(8, "big"), hashlib.sha1)
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def totp_step(secret: str, code: str, at: int, *, after: int = -1) -> int | None:
    """Return the step whose code this is, at an instant; one step early or late is taken, none twice."""
    now = at // (30 * _SECOND)
    typed = "".join(code.split()).encode("utf-8", "replace")
    steps = [step for step in (now - 1, now, now + 1) if step > after]
    return next((step for step in steps if hmac.compare_digest(totp(secret, step).encode(), typed)), None)


_SECOND = 1_000_000
_MINUTE = 60 * _SECOND
_FAILURES_MAX = 5
_ADDRESS_FAILURES_MAX = 30
_ADDRESS_WINDOW = 10 * _MINUTE
_LOCK_FIRST, _LOCK_LONGEST = 5 * _MINUTE, 60 * _MINUTE
_ADDRESSES_MAX, _KEYS_MAX = 1_000, 10_000
_ANYWHERE, _FAILURES_ANYWHERE_MAX = "@*", 50
_ELSEWHERE = "many addresses"
_LOGINS_TOLD = 5


def network_of(address: str) -> str:
    """Return the address to count for: of IPv6 the network of 64 bits, which one computer has to itself."""
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(number, ipaddress.IPv6Address):
        if number.ipv4_mapped is not None:
            return str(number.ipv4_mapped)
        return str(ipaddress.ip_network((number, 64), strict=False)) if not number.is_loopback else str(number)
    return str(number)


class Lockout(NamedTuple):
    """A lock-out that has just begun."""

    failures: int
    seconds: int


class Attempt(NamedTuple):
    """One try of a secret, which counts as a failure until it has succeeded; a locked one cannot succeed."""

    keys: tuple[str, ...]
    is_locked: bool


class Attempts:
    """Failures of a secret by who tries it, kept through a restart, and by address, in memory.

    A secret is locked for an address (`password:ada@192.0.2.7`), or for a browser in which this person has signed in
    before (`password:ada#...`), which nobody else can lock: a stranger locks nobody out of their own browser. Many
    failures from everywhere lock it for all others.
    """

    def __init__(self, vault: Vault, clock: Callable[[], int]) -> None:
        self._vault, self._clock = vault, clock
        self._lock = threading.Lock()
        self._by_key = {failures.key: failures for failures in vault.failures()}
        self._by_address: dict[str, tuple[int, int]] = {}
        self._changed: set[str] = set()

    def reload(self) -> None:
        """Load the failures that another server of the room has counted."""
        failures = {failures.key: failures for failures in self._vault.failures()}
        with self._lock:
            self._by_key = failures

    def begin(self, secret: str, address: str, browser: str = "") -> Attempt:
        """Count a try before anything is hashed: of many at once no more come through than one by one."""
        now, network = self._clock(), network_of(address)
        keys = (f"{secret}#{browser}",) if browser else (f"{secret}@{network}", f"{secret}{_ANYWHERE}")
        with self._lock:
            is_locked = any(key in self._by_key and now < self._by_key[key].until for key in keys)
            if not browser:
                count, last = self._by_address.get(network, (0, 0))
                is_locked |= count >= _ADDRESS_FAILURES_MAX and now - last < _ADDRESS_WINDOW
            if not is_locked:
                for key in keys:
                    self._count(key, now)
            self._count_address(network, now)
        return Attempt(keys, is_locked)

    def _count(self, key: str, now: int) -> None:
        before = self._by_key.pop(key, Failures(key, 0, 0, 0))
        count, until, most = before.times + 1, before.until, _failures_max(key)
        if count % most == 0:
            until = now + min(_LOCK_FIRST << min(count // most - 1, 8), _LOCK_LONGEST)
        self._by_key[key] = Failures(key, count, now, until)
        self._changed.add(key)
        while len(self._by_key) > _KEYS_MAX:
            self._by_key.pop(next(iter(self._by_key)))

    def lockout(self, attempt: Attempt) -> Lockout | None:
        """Return the lock-out that a try has begun, now that it has failed."""
        failures = self._by_key.get(attempt.keys[0])
        if attempt.is_locked or failures is None or failures.times % _failures_max(failures.key):
            return None
        return Lockout(failures.times, (failures.until - failures.last) // _SECOND)

    def is_often(self, address: str) -> bool:
        """True if so many tries have failed from an address, under whatever names, that one may be locked."""
        count, last = self._by_address.get(network_of(address), (0, 0))
        return count >= _FAILURES_MAX and self._clock() - last < _ADDRESS_WINDOW

    def failed_link(self, address: str) -> None:
        """Count a link that was none."""
        with self._lock:
            self._count_address(network_of(address), self._clock())

    def _count_address(self, network: str, now: int, by: int = 1) -> None:
        count, last = self._by_address.pop(network, (0, 0))
        self._by_address[network] = (max(0, count + by) if now - last < _ADDRESS_WINDOW else 1, now)
        while len(self._by_address) > _ADDRESSES_MAX:
            self._by_address.pop(next(iter(self._by_address)))

    def succeeded(self, attempt: Attempt, address: str) -> None:
        """Forget the failures of who knew the secret; those of others stay."""
        with self._lock:
            self._count_address(network_of(address), self._clock(), -1)
            self._forget(attempt.keys[0])

    def renewed(self, secret: str) -> None:
        """Forget every failure of a secret that is another one now."""
        with self._lock:
            for key in [key for key in self._by_key if key.startswith((f"{secret}@", f"{secret}#"))]:
                self._forget(key)

    def _forget(self, key: str) -> None:
        if self._by_key.pop(key, None) is not None:
            self._changed.add(key)

    def save(self, is_known: Callable[[str], bool]) -> None:
        """Write the failures of people we know; not when they happen: the time of an answer would tell who there is."""
        with self._lock:
            changed, self._changed = self._changed, set()
            now = {key: self._by_key.get(key) for key in changed}
        for key, failures in now.items():
            if failures is None:
                self._vault.drop_failures(key)
            elif is_known(key.partition(":")[2].rpartition("@")[0] or key.partition(":")[2].rpartition("#")[0]):
                self._vault.put_failures(failures)


def _failures_max(key: str) -> int:
    return _FAILURES_MAX if not key.endswith(_ANYWHERE) else _FAILURES_ANYWHERE_MAX


@dataclass(slots=True)
class _Pending:
    written: int
    count: int = 0
    logins: dict[str, None] = field(default_factory=dict)


class AccessLog:
    """What was refused to whom and what was taken away by whom, written together: one entry a minute, who and page.

    With `every` so long passes between two entries. Of more addresses than are counted, the rest are one.
    """

    def __init__(self, clock: Callable[[], int], every: int = _MINUTE) -> None:
        self._clock, self._lock, self._every = clock, threading.Lock(), every
        self._counts: dict[tuple[str, str, str, str], int] = {}
        self._written = 0 if every == _MINUTE else clock()

    def add(self, who: str, address: str, what: str, page: str) -> None:
        """Note one; of strangers it is not kept at which page, of which they could name any."""
        key = (who, network_of(address), what, page if who else "")
        with self._lock:
            if key not in self._counts and len(self._counts) >= _ADDRESSES_MAX:
                key = ("", _ELSEWHERE, what, "")
            self._counts[key] = self._counts.get(key, 0) + 1

    def due(self, *, all_of_it: bool) -> dict[tuple[str, str, str, str], int]:
        """Return what is to be written, once a minute, and forget it."""
        with self._lock:
            if not all_of_it and self._clock() - self._written < self._every:
                return {}
            counts, self._counts, self._written = self._counts, {}, self._clock()
            return counts


class RefusedLog:
    """Refused sign-ins, written at once where an address was quiet, then together: one entry a minute and address."""

    def __init__(self, write: Callable[[str, int, tuple[str, ...]], None], clock: Callable[[], int]) -> None:
        self._write, self._clock = write, clock
        self._lock = threading.Lock()
        self._pending: dict[str, _Pending] = {}

    def add(self, address: str, login: str | None) -> None:
        """Note one that was refused; `login` only where it is somebody's."""
        now, network = self._clock(), network_of(address)
        with self._lock:
            if network not in self._pending and len(self._pending) >= _ADDRESSES_MAX:
                network = _ELSEWHERE
            pending = self._pending.setdefault(network, _Pending(now - _MINUTE))
            pending.count += 1
            if login is not None and len(pending.logins) < _LOGINS_TOLD:
                pending.logins[login] = None
        self.flush()

    def flush(self, *, all_of_it: bool = False) -> None:
        """Write what has waited for a minute, or at shutdown everything; forget addresses that are quiet."""
        now = self._clock()
        due = []
        with self._lock:
            for network, pending in list(self._pending.items()):
                if not all_of_it and now - pending.written < _MINUTE:
                    continue
                if pending.count:
                    due.append((network, pending.count, tuple(pending.logins)))
                    self._pending[network] = _Pending(now)
                else:
                    del self._pending[network]
        for refusals in due:
            self._write(*refusals)
