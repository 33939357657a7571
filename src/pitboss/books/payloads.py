"""The kinds of entries: the one place where payloads are read from the journal's text and written to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from pitboss.books.canonical import encoded

__all__ = [
    "Payload",
    "Shapes",
    "UnreadableError",
    "is_plain",
    "known_kinds",
    "parse_payload",
    "read_payload",
    "register_kinds",
    "remember_shapes",
    "write_payload",
]


class Payload(Protocol):
    """What an entry says, as a frozen value that knows its kind and can be written as JSON."""

    @property
    def kind(self) -> str:
        """The kind of entry that holds such a value."""

    def to_json(self) -> dict[str, Any]:
        """Give what the entry's payload says."""


class Shapes(Protocol):
    """Remembers texts that were read, so that one much like them need not be parsed."""

    def find(self, text: str) -> Payload | None:
        """Give the very value that reading a text would give, or nothing where that is not known."""

    def learn(self, text: str, value: Any) -> None:
        """Remember what a text was read as."""

    def find_text(self, value: Any) -> str | None:
        """Give the very text that writing a value would give, or nothing where that is not known."""

    def learn_text(self, text: str, value: Any) -> None:
        """Remember how a value was written that is surely read as it was."""


Reader = Callable[[str, dict[str, Any]], Payload]
Plain = Callable[[Any], bool]
_READERS: dict[str, Reader] = {}
_PLAIN: dict[str, Plain] = {}
_SHAPES: dict[str, Shapes] = {}


def _refuse_float(text: str) -> None:
    raise ValueError(f"{text} is no whole number: the books hold no floats")


_decode = json.JSONDecoder(parse_float=_refuse_float, parse_constant=_refuse_float).decode


class UnreadableError(ValueError):
    """A payload that says nothing: of an unknown kind, or not what its kind says."""


def register_kinds(kinds: Iterable[str], reader: Reader, plain: Plain | None = None) -> None:
    """Make kinds of entries known, with the function that reads their payloads; a kind has one reader for ever.

    `plain` may say of a value that it holds nothing which JSON would give back as something else; then it is not read
    back to find out. What it is not sure of it denies.
    """
    for kind in kinds:
        if _READERS.setdefault(kind, reader) is not reader:
            raise ValueError(f"entries of kind {kind!r} have a reader already")
        if plain is not None:
            _PLAIN[kind] = plain


def remember_shapes(kind: str, shapes: Shapes) -> None:
    """Let a kind of entries be read by what was read before."""
    _SHAPES[kind] = shapes


def known_kinds() -> frozenset[str]:
    """Give every kind that can be read."""
    return frozenset(_READERS)


def read_payload(kind: str, text: str) -> Payload:
    """Read the payload of an entry, or say why it cannot be read."""
    shapes = _SHAPES.get(kind)
    if shapes is None:
        return parse_payload(kind, text)
    found = shapes.find(text)
    if found is None:
        found = parse_payload(kind, text)
        shapes.learn(text, found)
    return found


def parse_payload(kind: str, text: str) -> Payload:
    """Read the payload of an entry from its text alone."""
    reader = _READERS.get(kind)
    if reader is None:
        raise UnreadableError(f"no entry of kind {kind!r} is known")
    try:
        return reader(kind, _decode(text))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise UnreadableError(f"the payload does not say what a {kind!r} says: {error!r}") from None


def write_payload(value: Payload) -> str:
    """Write a payload; what could not be read back as the same value is not written."""
    kind = value.kind
    shapes = _SHAPES.get(kind)
    known = None if shapes is None else shapes.find_text(value)
    if known is not None:
        return known
    # Reading it back refuses floats and keys that are no text, so that they need not be looked for first.
    text = encoded(value.to_json())
    plain = _PLAIN.get(kind)
    # Two halves of one character become the character when they are read: whatever is written so is read back.
    if plain is not None and plain(value) and "\\ud" not in text:
        if shapes is not None:
            shapes.learn_text(text, value)
        return text
    if read_payload(value.kind, text) != value:
        raise UnreadableError(f"what was written of {value!r} would not be read as the same")
    return text


_SCALARS = frozenset((str, int, bool, type(None)))


def is_plain(value: object) -> bool:
    """Whether JSON gives a value back as it is: exact types without floats and tuples, and keys that are texts."""
    if type(value) is dict:
        for key in value:
            if type(key) is not str:
                return False
        value = list(value.values())
    elif type(value) is not list:
        return type(value) in _SCALARS
    return all(type(each) in _SCALARS or is_plain(each) for each in value)
