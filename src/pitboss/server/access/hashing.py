"""Passwords and PINs: what they must be, and their argon2id hashes."""

from __future__ import annotations

import threading
from itertools import pairwise

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

__all__ = ["PASSWORD_LENGTH_MIN", "Hashing", "password_problems", "pin_problems"]

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
            self._nobody = self._hasher.hash("nobody has this password, for he is none")
        return self._nobody

    def matches(self, hashed: str | None, secret: str) -> bool:
        """Ask whether a secret has this hash; where there is none it takes as long, and the answer is no."""
        with self._line:
            try:
                self._hasher.verify(hashed or self._nobodys(), secret.encode("utf-8", "surrogatepass"))
            except (Argon2Error, InvalidHashError):
                return False
        return hashed is not None


def password_problems(password: str, *, login: str, name: str) -> list[str]:
    """Name everything that is wrong with a password that was chosen."""
    problems = []
    if not PASSWORD_LENGTH_MIN <= len(password) <= _PASSWORD_LENGTH_MAX:
        problems.append(f"password: it has {PASSWORD_LENGTH_MIN} to {_PASSWORD_LENGTH_MAX} characters")
    folded = password.casefold()
    if any(len(each) >= _NAME_LENGTH_MIN and each.casefold() in folded for each in (login, name)):
        problems.append("password: it must not contain the name")
    if len(set(password)) < 5:
        problems.append("password: it has five different characters at least")
    return problems


def pin_problems(pin: str) -> list[str]:
    """Name everything that is wrong with a PIN that was chosen."""
    if not (pin.isascii() and pin.isdigit() and len(pin) in _PIN_LENGTHS):
        return ["pin: it has four to eight digits"]
    steps = {(int(later) - int(earlier)) % 10 for earlier, later in pairwise(pin)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        return ["pin: one digit repeated, or digits in a row, are guessed first"]
    return []
