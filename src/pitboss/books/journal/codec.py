"""JSON of the books: one canonical text for one value, and frozen values written and read by their type hints.

A value is written by its type: a dataclass as an object, a `NamedTuple` as a list of its fields, or as an object where
its class is marked `@json_object`; a tuple or set as a list, a mapping as an object with text keys, a date in ISO form,
an enumeration as its value. A class with `to_json` and `from_json` of its own is written and read by them.
"""

import datetime
import hashlib
import json
import types
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from json import encoder
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

Json = Any
"""What JSON can say without fractions of a number: null, truth values, integers, texts, lists, mappings."""
Convert = Callable[[Any], Any]
C = TypeVar("C", bound=type)
V = TypeVar("V")


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


def canonical_record(value: Json) -> str:
    """Write what the writers of this module have made, whose keys are text, as `canonical` does, but quickly."""
    text = encoded(value)
    json.loads(text, parse_float=_refuse_float)
    return text


def _refuse_float(text: str) -> float:
    raise TypeError(f"{text} is no whole number: the books hold no floats")


_SCALARS = frozenset((str, int, bool, type(None)))


def _refuse_floats(value: Json) -> None:
    if isinstance(value, dict):
        for key in value:
            if type(key) is not str:
                raise TypeError(f"{key!r} is no text, and cannot be a key")
        value = value.values()
    elif isinstance(value, float):
        _refuse_float(repr(value))
    elif not isinstance(value, list | tuple):
        return
    for item in value:
        if type(item) not in _SCALARS:
            _refuse_floats(item)


def hash_of(text: str) -> bytes:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def hash_text(value: Json) -> str:
    """Return the SHA-256 of a value's canonical JSON, in hexadecimal digits."""
    return hash_of(canonical(value)).hex()


# How a field or a mapping is laid out where that is not the usual way: markers for `Annotated`.


class WrittenAs(NamedTuple):
    """A field with another name in JSON."""

    name: str


class KeyedBy(NamedTuple):
    """A mapping written as the list of its values in order; each holds its key in this field."""

    field: str


class _Marker:
    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


INLINE = _Marker("INLINE")
"""A field whose own fields are written beside the others."""
OMIT_DEFAULT = _Marker("OMIT_DEFAULT")
"""A field that is not written where it has its default: what was written before it existed stays as it was."""
PAIRS = _Marker("PAIRS")
"""A mapping written as pairs of key and value, which keep their order."""
ROWS = _Marker("ROWS")
"""A mapping written as lists of the key and the fields of its value, which keep their order."""

_OBJECTS: set[type] = set()


def json_object(cls: C) -> C:
    """Mark a `NamedTuple` that is written as an object by field name."""
    _OBJECTS.add(cls)
    return cls


class _Field(NamedTuple):
    name: str
    key: str
    hint: Any
    default: Callable[[], Any] | None
    marks: tuple[Any, ...]

    @property
    def is_inline(self) -> bool:
        return INLINE in self.marks


@cache
def _fields_of(cls: type) -> tuple[_Field, ...]:
    hints = get_type_hints(cls, include_extras=True)
    if is_dataclass(cls):
        named = [(field.name, _default_of(field)) for field in fields(cls)]
    else:
        defaults = cls._field_defaults  # type: ignore[attr-defined]
        named = [
            (name, partial(_same, defaults[name]) if name in defaults else None)
            for name in cls._fields  # type: ignore[attr-defined]
        ]
    return tuple(_field(name, hints[name], default) for name, default in named)


def _default_of(field: Any) -> Callable[[], Any] | None:
    if field.default_factory is not MISSING:
        factory: Callable[[], Any] = field.default_factory
        return factory
    return None if field.default is MISSING else lambda: field.default


def _field(name: str, hint: Any, default: Callable[[], Any] | None) -> _Field:
    marks = hint.__metadata__ if get_origin(hint) is Annotated else ()
    key = next((mark.name for mark in marks if isinstance(mark, WrittenAs)), name)
    return _Field(name, key, hint, default, marks)


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and (is_dataclass(hint) or hasattr(hint, "_fields"))


def _same(value: Any) -> Any:
    return value


@cache
def writer_of(hint: Any) -> Convert:
    """Return the function that writes values of a type as JSON."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _mapping_writer(inner[0], inner[1:]) or writer_of(inner[0])
    if origin in (Union, types.UnionType):
        write = writer_of(_only(inner))
        return write if write is _same else lambda value: None if value is None else write(value)
    if hint is Any or origin is Literal or hint in _SCALARS:
        return _same
    if origin is tuple:
        return _tuple_writer(inner)
    if origin is frozenset:
        write_item = writer_of(inner[0])
        return lambda value: sorted(map(write_item, value))
    if origin is not None:
        return _object_writer(inner)
    if hasattr(hint, "to_json"):
        return lambda value: value.to_json()
    if issubclass(hint, Enum):
        return lambda value: value.value
    if issubclass(hint, datetime.date):
        return lambda value: value.isoformat()
    if issubclass(hint, datetime.time):
        return lambda value: value.strftime("%H:%M")
    if _is_record(hint):
        return _record_writer(hint)
    raise TypeError(f"{hint!r} cannot be written as JSON")


def _only(inner: tuple[Any, ...]) -> Any:
    """The type of `T | None`."""
    [hint] = [hint for hint in inner if hint is not type(None)]
    return hint


def _tuple_writer(inner: tuple[Any, ...]) -> Convert:
    if len(inner) == 2 and inner[1] is Ellipsis:
        write = writer_of(inner[0])
        return list if write is _same else lambda value: [write(item) for item in value]
    writers = [writer_of(hint) for hint in inner]
    if all(write is _same for write in writers):
        return list
    return lambda value: [write(item) for write, item in zip(writers, value, strict=True)]


def _object_writer(inner: tuple[Any, ...]) -> Convert:
    write_key, write = writer_of(inner[0]), writer_of(inner[1])
    if inner[0] is int:
        write_key = str
    if write is _same and write_key is _same:
        return dict
    return lambda value: {write_key(key): write(item) for key, item in value.items()}


def _mapping_writer(hint: Any, marks: Iterable[Any]) -> Convert | None:
    """The writer of a mapping that is laid out in another way than as an object."""
    for mark in marks:
        if mark in (PAIRS, ROWS) or isinstance(mark, KeyedBy):
            write = writer_of(get_args(hint)[1])
            if mark is PAIRS:
                return lambda value: [[key, write(item)] for key, item in value.items()]
            if mark is ROWS:
                return lambda value: [[key, *write(item)] for key, item in value.items()]
            return lambda value: [write(item) for item in value.values()]
    return None


def _record_writer(cls: type) -> Convert:
    if is_dataclass(cls) or cls in _OBJECTS:
        return lambda value: write_object(value, cls)
    writers = [writer_of(field.hint) for field in _fields_of(cls)]
    if all(write is _same for write in writers):
        return list
    return lambda value: [write(item) for write, item in zip(writers, value, strict=True)]


def write_object(value: Any, cls: type, *, omit_defaults: bool = False, leave_out: str = "") -> dict[str, Any]:
    """Write a value as an object; `omit_defaults` leaves out every field that has its default."""
    written: dict[str, Any] = {}
    for (name, key, _, default, marks), write in _writers_of(cls):
        item = getattr(value, name)
        if name == leave_out:
            continue
        if default is not None and (omit_defaults or OMIT_DEFAULT in marks) and item == default():
            continue
        if INLINE in marks:
            written |= write(item)
        else:
            written[key] = write(item)
    return written


@cache
def _writers_of(cls: type) -> tuple[tuple[_Field, Convert], ...]:
    return tuple(
        (field, _inline_writer(field) if field.is_inline else writer_of(field.hint)) for field in _fields_of(cls)
    )


def _inline_writer(field: _Field) -> Convert:
    cls = get_args(field.hint)[0]
    return lambda value: write_object(value, cls)


@cache
def reader_of(hint: Any) -> Convert:
    """Return the function that reads values of a type from JSON, or raises where a value is of another type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _mapping_reader(inner[0], inner[1:]) or reader_of(inner[0])
    if origin in (Union, types.UnionType):
        read = reader_of(_only(inner))
        return lambda value: None if value is None else read(value)
    if hint is Any:
        return _same
    if origin is Literal:
        return _checked(hint, lambda value: value in inner)
    if hint in _SCALARS:
        return _checked(hint, lambda value: type(value) is hint)
    if origin is tuple:
        return _tuple_reader(hint, inner)
    if origin is frozenset:
        read_item = reader_of(inner[0])
        return lambda value: frozenset(map(read_item, _of_type(list, value, hint)))
    if origin is not None:
        return _object_reader(hint, inner)
    if hasattr(hint, "from_json"):
        read_own: Convert = hint.from_json
        return read_own
    if issubclass(hint, Enum):
        read_enum: Convert = hint
        return read_enum
    if issubclass(hint, datetime.date | datetime.time):
        return _instant_reader(hint)
    if _is_record(hint):
        return _record_reader(hint)
    raise TypeError(f"{hint!r} cannot be read from JSON")


def _of_type(cls: type, value: Any, hint: Any) -> Any:
    if type(value) is not cls:
        raise TypeError(f"{value!r} must be {_name(hint)}")
    return value


def _name(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint)


def _checked(hint: Any, holds: Callable[[Any], bool]) -> Convert:
    def read(value: Any) -> Any:
        if not holds(value):
            raise TypeError(f"{value!r} must be {_name(hint)}")
        return value

    return read


def _instant_reader(hint: Any) -> Convert:
    def read(value: Any) -> Any:
        moment = hint.fromisoformat(_of_type(str, value, hint))
        if issubclass(hint, datetime.time) and moment.strftime("%H:%M") != value:
            raise ValueError(f"{value!r} must be a time of day such as 06:00")
        return moment

    return read


def _tuple_reader(hint: Any, inner: tuple[Any, ...]) -> Convert:
    if len(inner) == 2 and inner[1] is Ellipsis:
        read_item = reader_of(inner[0])
        return lambda value: tuple([read_item(item) for item in _of_type(list, value, hint)])
    readers = [reader_of(item) for item in inner]
    return lambda value: tuple([read(item) for read, item in zip(readers, _of_type(list, value, hint), strict=True)])


def _object_reader(hint: Any, inner: tuple[Any, ...]) -> Convert:
    read = reader_of(inner[1])
    read_key = int if inner[0] is int else reader_of(inner[0])
    return lambda value: {read_key(key): read(item) for key, item in _of_type(dict, value, hint).items()}


def _mapping_reader(hint: Any, marks: Iterable[Any]) -> Convert | None:
    """The reader of a mapping that is laid out in another way than as an object."""
    for mark in marks:
        if mark in (PAIRS, ROWS) or isinstance(mark, KeyedBy):
            read_key, read = map(reader_of, get_args(hint))
            if mark is PAIRS:
                return lambda value: {read_key(key): read(item) for key, item in value}
            if mark is ROWS:
                return lambda value: {read_key(key): read(row) for key, *row in value}
            return lambda value: {getattr(item, mark.field): item for item in map(read, value)}
    return None


def _record_reader(cls: type) -> Convert:
    if is_dataclass(cls) or cls in _OBJECTS:
        return lambda value: read_object(cls, _of_type(dict, value, cls))
    readers = [reader_of(field.hint) for field in _fields_of(cls)]
    most, least = len(readers), sum(field.default is None for field in _fields_of(cls))

    def read(value: Any) -> Any:
        if not least <= len(_of_type(list, value, cls)) <= most:
            raise TypeError(f"{value!r} must be {cls.__name__}")
        return cls(*[read(item) for read, item in zip(readers, value, strict=False)])

    return read


def read_object(cls: type, payload: dict[str, Any], **more: Any) -> Any:
    """Read a value of a class from an object; `more` are fields that are not written in it."""
    readers, allowed = _readers_of(cls)
    values = more
    for key, item in payload.items():
        if key not in allowed:
            raise ValueError(f"says {', '.join(sorted(payload.keys() - allowed))} besides")
        if key in readers:
            name, read = readers[key]
            values[name] = read(item)
    for field in _fields_of(cls):
        if field.is_inline:
            inner = get_args(field.hint)[0]
            keys = _readers_of(inner)[1]
            values[field.name] = read_object(inner, {key: item for key, item in payload.items() if key in keys})
    return cls(**values)


@cache
def _readers_of(cls: type) -> tuple[dict[str, tuple[str, Convert]], AbstractSet[str]]:
    """The readers of the fields of a class by their key, and every key that its objects may have."""
    named = [field for field in _fields_of(cls) if not field.is_inline]
    readers = {field.key: (field.name, reader_of(field.hint)) for field in named}
    inner = [_readers_of(get_args(field.hint)[0])[1] for field in _fields_of(cls) if field.is_inline]
    return readers, frozenset(readers).union(*inner)


def write_value(value: Any) -> Json:
    """Write a value of a class."""
    write: Convert = writer_of(type(value))  # type: ignore[arg-type]  # a class is hashable
    return write(value)


def read_value(cls: type[V], payload: Json) -> V:
    """Read a value of a class from what `write_value` wrote."""
    value: V = reader_of(cls)(payload)  # type: ignore[arg-type]  # a class is hashable
    return value


def plain(value: Any) -> Json:
    """Write a value by what it is, where no type is stated: tuples as lists, mappings as objects."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    return value


def is_plain(value: object) -> bool:
    """True if JSON gives a value back as it is: exact types without floats and tuples, and keys that are texts."""
    if type(value) is dict:
        for key in value:
            if type(key) is not str:
                return False
        value = list(value.values())
    elif type(value) is not list:
        return type(value) in _SCALARS
    return all(type(item) in _SCALARS or is_plain(item) for item in value)
