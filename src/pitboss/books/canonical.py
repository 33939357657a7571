"""Canonical JSON: one text for one value, so that a hash of it means something to whoever computes it again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from json import encoder
from typing import Any

__all__ = ["Json", "canonical", "encoded", "hash_of", "hash_text"]

Json = Any
"""What JSON can say without fractions of a number: null, truth values, integers, texts, lists, mappings."""


def _refuse(value: object) -> Any:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _encoder() -> Callable[[Json], str]:
    """Make the compiled encoder once: `json` makes a new one for every text, which takes longer than most texts."""
    make: Any = getattr(encoder, "c_make_encoder", None)
    if make is None:
        return json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode
    chunks = make(None, _refuse, encoder.encode_basestring_ascii, None, ":", ",", True, False, False)
    join = "".join
    return lambda value: join(chunks(value, 0))


encoded = _encoder()
"""Write a value that holds no floats, or that is read back before it is used."""


def canonical(value: Json) -> str:
    """Write a value as the one text it has: keys sorted, no blanks, ASCII only; a float is refused (G-3)."""
    _refuse_floats(value)
    return encoded(value)


_PLAIN = frozenset((str, int, bool, type(None)))


def _refuse_floats(value: Json) -> None:
    if isinstance(value, dict):
        for key in value:
            if type(key) is not str:
                raise TypeError(f"{key!r} is no text, and cannot be a key")
        value = value.values()
    elif isinstance(value, float):
        raise TypeError(f"{value!r} is no whole number: the books hold no floats")
    elif not isinstance(value, list | tuple):
        return
    for each in value:
        if type(each) not in _PLAIN:
            _refuse_floats(each)


def hash_of(text: str) -> bytes:
    """Give the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).digest()


def hash_text(value: Json) -> str:
    """Give the SHA-256 of a value's canonical JSON, in hexadecimal digits."""
    return hash_of(canonical(value)).hex()
