"""Passwords and PINs: what they must be, and their argon2id hashes."""

import ipaddress
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from pitboss.room.people.vault import Failures, Vault

PASSWORD_LENGTH_MIN = 12
_PASSWORD_LENGTH_MAX = 256
_PIN_LENGTHS = range(4, 9)
_AT_ONCE = 2
_NAME_LENGTH_MIN = 4


class Hashing:
    """argon2id (the library's own parameters unless others are given), not more than two at once.

    A hash takes tens of megabytes and milliseconds: many sign-ins at once wait in line instead of taking the machine.
    """

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._line = threading.BoundedSemaphore(_AT_ONCE)
        self._nobody: str | None = None

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
    return problems


def pin_problems(pin: str) -> list[str]:
    """Return everything that is wrong with a PIN that was chosen."""
    if not (pin.isascii() and pin.isdigit() and len(pin) in _PIN_LENGTHS):
        return ["pin: Use 4 to 8 digits."]
    steps = {(int(later) - int(earlier)) % 10 for earlier, later in pairwise(pin)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        return ["pin: Choose a PIN that isn't a repeat or a sequence (such as 1111 or 1234)."]
    return []


_SECOND = 1_000_000
_MINUTE = 60 * _SECOND
_FAILURES_MAX = 5
_ADDRESS_FAILURES_MAX = 30
_ADDRESS_WINDOW = 10 * _MINUTE
_LOCK_FIRST, _LOCK_LONGEST = 5 * _MINUTE, 60 * _MINUTE
_ADDRESSES_MAX = 1_000
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


class Attempts:
    """Failures by secret (`password:ada`, `pin:ada`), kept through a restart, and by address, in memory."""

    def __init__(self, vault: Vault, clock: Callable[[], int]) -> None:
        self._vault, self._clock = vault, clock
        self._lock = threading.Lock()
        self._by_key = {failures.key: failures for failures in vault.failures()}
        self._by_address: dict[str, tuple[int, int]] = {}

    def is_locked(self, key: str, address: str) -> bool:
        """True if nobody may try this secret now, or not from this address."""
        now = self._clock()
        failures = self._by_key.get(key)
        count, last = self._by_address.get(network_of(address), (0, 0))
        locked = failures is not None and now < failures.until
        return locked or (count >= _ADDRESS_FAILURES_MAX and now - last < _ADDRESS_WINDOW)

    def is_often(self, address: str) -> bool:
        """True if so many tries have failed from an address, under whatever names, that one may be locked."""
        count, last = self._by_address.get(network_of(address), (0, 0))
        return count >= _FAILURES_MAX and self._clock() - last < _ADDRESS_WINDOW

    def failed(self, key: str | None, address: str) -> Lockout | None:
        """Count a failure; every fifth in a row locks, first for five minutes, then longer."""
        now = self._clock()
        with self._lock:
            self._count_address(network_of(address), now)
            if key is None:
                return None
            before = self._by_key.get(key, Failures(key, 0, 0, 0))
            count, until = before.times + 1, before.until
            locks = count % _FAILURES_MAX == 0
            if locks:
                length = min(_LOCK_FIRST << min(count // _FAILURES_MAX - 1, 8), _LOCK_LONGEST)
                until = now + length
            failures = self._by_key[key] = Failures(key, count, now, until)
        self._vault.put_failures(failures)
        return Lockout(count, (until - now) // _SECOND) if locks else None

    def _count_address(self, network: str, now: int) -> None:
        count, last = self._by_address.pop(network, (0, 0))
        self._by_address[network] = (count + 1 if now - last < _ADDRESS_WINDOW else 1, now)
        while len(self._by_address) > _ADDRESSES_MAX:
            self._by_address.pop(next(iter(self._by_address)))

    def succeeded(self, key: str) -> None:
        """Forget the failures of a secret that was known."""
        with self._lock:
            failures = self._by_key.pop(key, None)
        if failures is not None:
            self._vault.drop_failures(key)


@dataclass(slots=True)
class _Pending:
    written: int
    count: int = 0
    logins: dict[str, None] = field(default_factory=dict)


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
