"""The kinds of entries: the one place where payloads are read from the journal's text and written to it."""

import json
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar, dataclass_transform

from pitboss.books.journal.codec import encoded, read_object, write_object


class Payload(Protocol):
    """The content of an entry: a frozen value that has a kind and can be written as JSON."""

    @property
    def kind(self) -> str:
        """The kind of entry that holds such a value."""

    def to_json(self) -> dict[str, Any]:
        """Write the payload of the entry."""


class KindBy(NamedTuple):
    """A class of payloads with several kinds: the field that is told by the kind, and the kind for each value of it."""

    field: str
    kinds: Mapping[Any, str]
    is_written: bool = False
    """True if the field stands in the payload as well."""


class EntryPayload:
    """Base of the payloads of entries, which `entry_kind` makes frozen dataclasses with their kind in `KIND`.

    A field that has its default is not written, unless `WRITES_DEFAULTS` says so; fields are read by their types.
    """

    __slots__ = ()
    KIND: ClassVar[str]
    KIND_BY: ClassVar[KindBy | None] = None
    WRITES_DEFAULTS: ClassVar[bool] = False

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        by = self.KIND_BY
        return self.KIND if by is None else by.kinds[getattr(self, by.field)]

    def to_json(self) -> dict[str, Any]:
        """Write the fields."""
        by = self.KIND_BY
        leave_out = "" if by is None or by.is_written else by.field
        return write_object(self, type(self), omit_defaults=not self.WRITES_DEFAULTS, leave_out=leave_out)

    def payload_problems(self) -> Iterable[str]:
        """Yield what is wrong with the values of the fields; such a payload cannot be read, and so is not written."""
        return ()


E = TypeVar("E", bound=EntryPayload)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def entry_kind(kind: str | KindBy, *, writes_defaults: bool = False) -> Callable[[type[E]], type[E]]:
    """Make a class a frozen dataclass of payloads, registered under its kind or under its kinds."""

    def register(plain: type[E]) -> type[E]:
        cls = dataclass(frozen=True, slots=True, kw_only=True)(plain)
        cls.WRITES_DEFAULTS = writes_defaults
        if isinstance(kind, str):
            cls.KIND = kind
            register_kinds([kind], lambda _, payload: _read_entry(cls, payload))
            return cls
        cls.KIND_BY = kind
        values = {name: value for value, name in kind.kinds.items()}

        def read(name: str, payload: dict[str, Any]) -> Any:
            return _read_entry(cls, payload, **({} if kind.is_written else {kind.field: values[name]}))

        register_kinds(values, read)
        return cls

    return register


def _read_entry(cls: type[EntryPayload], payload: dict[str, Any], **more: Any) -> Any:
    value = read_object(cls, payload, **more)
    if problems := list(value.payload_problems()):
        raise ValueError("; ".join(problems))
    return value


def kinds_of(*classes: type[EntryPayload]) -> frozenset[str]:
    """Return the kinds of entries that hold payloads of these classes."""
    several = {kind for cls in classes if cls.KIND_BY is not None for kind in cls.KIND_BY.kinds.values()}
    return frozenset(several | {cls.KIND for cls in classes if cls.KIND_BY is None})


class PayloadCache(Protocol):
    """Remembers texts that were read, so that one much like them need not be parsed."""

    def find(self, text: str) -> Payload | None:
        """Return the very value that reading a text would give, or None where the cache does not have it."""

    def learn(self, text: str, value: Any) -> None:
        """Remember what a text was read as."""

    def find_text(self, value: Any) -> str | None:
        """Return the very text that writing a value would give, or None where the cache does not have it."""

    def learn_text(self, text: str, value: Any) -> None:
        """Remember how a value was written that is surely read as it was."""


Reader = Callable[[str, dict[str, Any]], Payload]
IsPlain = Callable[[Any], bool]
_READERS: dict[str, Reader] = {}
_PLAIN: dict[str, IsPlain] = {}
_CACHES: dict[str, PayloadCache] = {}


def _refuse_float(text: str) -> None:
    raise ValueError(f"{text} is no whole number: the books hold no floats")


_decode = json.JSONDecoder(parse_float=_refuse_float, parse_constant=_refuse_float).decode


class UnreadableError(ValueError):
    """A payload that cannot be read: of an unknown kind, or not as its kind is written."""


def register_kinds(
    kinds: Iterable[str], reader: Reader, is_plain: IsPlain | None = None, cache: PayloadCache | None = None
) -> None:
    """Make kinds of entries known, with the function that reads their payloads; a kind has one reader for ever.

    `is_plain` may say of a value that it holds nothing which JSON would give back as something else; then it is not
    read back to find out. What it is not sure of it denies. `cache` remembers payloads that were read and written.
    """
    for kind in kinds:
        if _READERS.setdefault(kind, reader) is not reader:
            raise ValueError(f"entries of kind {kind!r} have a reader already")
        if is_plain is not None:
            _PLAIN[kind] = is_plain
        if cache is not None:
            _CACHES[kind] = cache


def known_kinds() -> AbstractSet[str]:
    """Return every kind that can be read."""
    return frozenset(_READERS)


_WRITTEN_MAX = 1_000
_written: dict[tuple[str, str], Payload] = {}
"""What was written last, by kind and text: whoever is answered asks for it at once."""


def read_payload(kind: str, text: str) -> Payload:
    """Read the payload of an entry, or raise why it cannot be read."""
    cache = _CACHES.get(kind)
    if cache is None:
        return _written.get((kind, text)) or parse_payload(kind, text)
    value = cache.find(text)
    if value is None:
        value = parse_payload(kind, text)
        cache.learn(text, value)
    return value


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
    cache = _CACHES.get(kind)
    text = None if cache is None else cache.find_text(value)
    if text is not None:
        return text
    # Reading it back refuses floats and keys that are no text, so that they need not be looked for first.
    text = encoded(value.to_json())
    is_plain = _PLAIN.get(kind)
    # Two halves of one character become the character when they are read: whatever is written so is read back.
    if is_plain is not None and is_plain(value) and "\\ud" not in text:
        if cache is not None:
            cache.learn_text(text, value)
        return text
    if read_payload(kind, text) != value:
        raise UnreadableError(f"what was written of {value!r} would not be read as the same")
    if cache is None:
        if len(_written) >= _WRITTEN_MAX:
            _written.clear()
        _written[kind, text] = value
    return text
