"""Fields of commands: types with bounds, read from JSON with every problem named, written as JSON, and described.

The JSON of a command is what the API takes and what waits in the journal for a second person: objects by field name.
"""

import datetime
import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

_LARGEST = 2**53 - 1
LISTED_MAX = 2_000
"""So many tables or jackpots one command may list; how many there may be the settings state."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the most that a number may be, or the length of a text or list; a pattern; a description."""

    least: int | None = None
    most: int | None = None
    pattern: str | None = None
    text: str = ""


Name = Annotated[str, Bounds(1, 120)]
Words = Annotated[str, Bounds(most=500, text="Reason; it is logged.")]
Count = Annotated[int, Bounds(0, _LARGEST)]
Number = Annotated[int, Bounds(-_LARGEST, _LARGEST)]
Seat = Annotated[int, Bounds(1, 99)]
Seats = Annotated[tuple[Seat, ...], Bounds(most=99)]
T = TypeVar("T")


class InvalidCommandError(ValueError):
    """A command that cannot be read: every field that is missing, unknown, of another type or out of bounds."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


class _Field(NamedTuple):
    name: str
    hint: Any
    is_required: bool


@cache
def _fields_of(cls: type) -> tuple[_Field, ...]:
    hints = get_type_hints(cls, include_extras=True)
    if is_dataclass(cls):
        return tuple(
            _Field(field.name, hints[field.name], field.default is MISSING and field.default_factory is MISSING)
            for field in fields(cls)
        )
    defaults = getattr(cls, "_field_defaults", {})
    return tuple(_Field(name, hints[name], name not in defaults) for name in cls._fields)  # type: ignore[attr-defined]


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and (is_dataclass(hint) or hasattr(hint, "_fields"))


def read_fields(cls: type[T], payload: Any) -> T:
    """Read a value of a class from JSON, or raise `InvalidCommandError` with everything that is wrong."""
    problems: list[str] = []
    value = _read_record(cls, payload, "", problems)
    if problems:
        raise InvalidCommandError(problems)
    result: T = value
    return result


def _read_record(cls: type, payload: Any, path: str, problems: list[str]) -> Any:
    if not isinstance(payload, dict):
        problems.append(_at(path, "must be an object"))
        return None
    members = _fields_of(cls)
    unknown = payload.keys() - {field.name for field in members}
    problems += [_at(_join(path, name), "is not a field of this command") for name in sorted(unknown)]
    values = {}
    for field in members:
        place = _join(path, field.name)
        if field.name in payload:
            values[field.name] = _read(field.hint, payload[field.name], place, problems)
        elif field.is_required:
            problems.append(_at(place, "is required"))
    return None if problems else cls(**values)


def _read(hint: Any, value: Any, path: str, problems: list[str]) -> Any:
    """Read one value as its type states; a problem is appended, and nothing is returned."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        before = len(problems)
        result = _read(inner[0], value, path, problems)
        if len(problems) == before and value is not None:
            bounds = [mark for mark in inner[1:] if isinstance(mark, Bounds)]
            problems += [_at(path, text) for bound in bounds for text in _bounds_problems(bound, value)]
        return result
    if origin in (Union, types.UnionType):
        return _read_union(inner, value, path, problems)
    if origin is Literal:
        if value in inner and type(value) is type(inner[inner.index(value)]):
            return value
        problems.append(_at(path, f"must be one of {', '.join(map(str, inner))}"))
    elif origin is tuple:
        return _read_list(inner[0], value, path, problems)
    elif origin is not None and issubclass(origin, Mapping):
        return _read_mapping(inner, value, path, problems)
    elif _is_record(hint):
        return _read_record(hint, value, path, problems)
    else:
        return _read_plain(hint, value, path, problems)
    return None


def _read_union(inner: tuple[Any, ...], value: Any, path: str, problems: list[str]) -> Any:
    if value is None and type(None) in inner:
        return None
    attempts: list[list[str]] = []
    for hint in inner:
        if hint is type(None):
            continue
        attempt: list[str] = []
        result = _read(hint, value, path, attempt)
        if not attempt:
            return result
        attempts.append(attempt)
    problems += attempts[0]
    return None


def _read_list(hint: Any, value: Any, path: str, problems: list[str]) -> Any:
    if not isinstance(value, list | tuple):
        problems.append(_at(path, "must be a list"))
        return None
    return tuple(_read(hint, item, _join(path, str(place)), problems) for place, item in enumerate(value))


def _read_mapping(inner: tuple[Any, ...], value: Any, path: str, problems: list[str]) -> Any:
    if not isinstance(value, Mapping):
        problems.append(_at(path, "must be an object"))
        return None
    result = {}
    for name, item in value.items():
        place = _join(path, str(name))
        key = int(name) if _is_int(inner[0]) and re.fullmatch(r"[1-9][0-9]{0,8}", str(name)) else name
        result[_read(inner[0], key, place, problems)] = _read(inner[1], item, place, problems)
    return result


def _is_int(hint: Any) -> bool:
    return hint is int or (get_origin(hint) is Annotated and get_args(hint)[0] is int)


_PLAIN = {bool: "true or false", int: "a whole number", str: "a text"}


def _read_plain(hint: Any, value: Any, path: str, problems: list[str]) -> Any:
    if hint is Any or (type(value) is hint and hint in _PLAIN):
        return value
    if isinstance(hint, type) and issubclass(hint, Enum):
        if value in [member.value for member in hint]:
            return hint(value)
        problems.append(_at(path, f"must be one of {', '.join(str(member.value) for member in hint)}"))
    elif hint is datetime.date:
        try:
            return datetime.date.fromisoformat(value) if isinstance(value, str) else _not_a_day()
        except ValueError:
            problems.append(_at(path, f"{str(value)[:40]!r} is no day such as 2026-11-16"))
    else:
        problems.append(_at(path, f"must be {_PLAIN.get(hint, hint)}"))
    return None


def _not_a_day() -> datetime.date:
    raise ValueError


def _bounds_problems(bounds: Any, value: Any) -> Iterator[str]:
    if not isinstance(bounds, Bounds):
        return
    size, unit = (value, "") if isinstance(value, int) else (len(value), _UNITS.get(type(value), " items"))
    if bounds.least is not None and size < bounds.least:
        yield f"must be at least {bounds.least:,}{unit}" if unit or bounds.least else "must not be below 0"
    if bounds.most is not None and size > bounds.most:
        yield f"must be at most {bounds.most:,}{unit}"
    if bounds.pattern is not None and not re.fullmatch(bounds.pattern, value):
        yield f"must be {bounds.text or f'like {bounds.pattern}'}"


_UNITS = {str: " characters"}


def _at(path: str, text: str) -> str:
    return f"{path}: {text}" if path else text


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def write_fields(value: Any) -> Any:
    """Write a value as JSON by its field names."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: write_fields(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        # A field that came later is part of what was asked only where it says something.
        later = getattr(value, "later_fields", {})
        names = [name for name in value._fields if name not in later or getattr(value, name) != later[name]]
        return {name: write_fields(getattr(value, name)) for name in names}
    if isinstance(value, tuple | list):
        return [write_fields(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): write_fields(item) for name, item in value.items()}
    return value.isoformat() if isinstance(value, datetime.date) else value


def schema_of(hint: Any) -> dict[str, Any]:
    """Describe a type as JSON Schema, as the API's OpenAPI document has it."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _bounded(schema_of(inner[0]), inner[1:])
    if origin in (Union, types.UnionType):
        members = [{"type": "null"} if member is type(None) else schema_of(member) for member in inner]
        return {"anyOf": members}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is tuple:
        return {"type": "array", "items": schema_of(inner[0])}
    if origin is not None and issubclass(origin, Mapping):
        schema = {"type": "object", "additionalProperties": schema_of(inner[1])}
        return schema | {"propertyNames": {"pattern": "^[1-9][0-9]?$"} if _is_int(inner[0]) else _names(inner[0])}
    if _is_record(hint):
        return _record_schema(hint)
    return _plain_schema(hint)


def _names(hint: Any) -> dict[str, Any]:
    return {key: item for key, item in schema_of(hint).items() if key != "type"}


def _record_schema(cls: type) -> dict[str, Any]:
    members = _fields_of(cls)
    return {
        "type": "object",
        "title": cls.__name__,
        "properties": {field.name: schema_of(field.hint) for field in members},
        "required": [field.name for field in members if field.is_required],
        "additionalProperties": False,
    }


def _plain_schema(hint: Any) -> dict[str, Any]:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    if hint is datetime.date:
        return {"type": "string", "format": "date"}
    names = {bool: "boolean", int: "integer", str: "string"}
    return {"type": names[hint]} if hint in names else {}


def _bounded(schema: dict[str, Any], metadata: tuple[Any, ...]) -> dict[str, Any]:
    keys = {
        "integer": ("minimum", "maximum"),
        "string": ("minLength", "maxLength"),
        "array": ("minItems", "maxItems"),
        "object": ("minProperties", "maxProperties"),
    }
    for bounds in metadata:
        if isinstance(bounds, Bounds):
            least, most = keys.get(str(schema.get("type")), ("minLength", "maxLength"))
            limits = {least: bounds.least, most: bounds.most, "pattern": bounds.pattern and f"^{bounds.pattern}$"}
            schema = schema | {key: limit for key, limit in limits.items() if limit is not None}
            schema |= {"description": bounds.text} if bounds.text else {}
    return schema
