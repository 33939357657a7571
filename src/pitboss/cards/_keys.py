"""Keys of a stream: fresh from the operating system, or given as text to replay."""

import os
import re
from typing import Final

KEY_LENGTH: Final = 32

_NOT_A_HEX_DIGIT: Final = re.compile("[^0-9a-fA-F]")
_EXPECTED: Final = f"a key is exactly {2 * KEY_LENGTH} hexadecimal digits"


def fresh_key() -> bytes:
    """Draw a new key from the operating system's cryptographic source."""
    return os.urandom(KEY_LENGTH)


def check_key(key: bytes) -> None:
    """Raise an error unless this is a key; its message does not show it."""
    if not isinstance(key, bytes):
        raise TypeError(f"a key is {KEY_LENGTH} bytes, not a {type(key).__name__}")
    if len(key) != KEY_LENGTH:
        raise ValueError(f"a key is {KEY_LENGTH} bytes; this has {len(key)}")


def key_text(key: bytes) -> str:
    """Write a key as 64 hexadecimal digits, so that `parse_key` reads it back."""
    check_key(key)
    return key.hex()


def parse_key(text: str) -> bytes:
    """Read a key from exactly 64 hexadecimal digits, in either case.

    The error says what is wrong without showing the text, which may be most of a
    secret key.
    """
    if not isinstance(text, str):
        raise TypeError(f"{_EXPECTED}, not a {type(text).__name__}")
    if bad := _NOT_A_HEX_DIGIT.search(text):
        raise ValueError(f"{_EXPECTED}; character {bad.start() + 1} is {bad[0]!r}")
    if len(text) != 2 * KEY_LENGTH:
        raise ValueError(f"{_EXPECTED}; this has {len(text)}")
    return bytes.fromhex(text)
