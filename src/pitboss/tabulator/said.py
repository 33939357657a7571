"""Frozen values as JSON and back: what entries say, and what the fold keeps, read with every type looked at."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, ClassVar, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from pitboss.books import register_kinds


class Said:
    """What an entry of the tabulator says; a field that has its default is not written."""

    __slots__ = ()
    KIND: ClassVar[str]

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return self.KIND

    def to_json(self) -> dict[str, Any]:
        """Write every field that says something."""
        written = {}
        for field in fields(self):  # type: ignore[arg-type]  # every heir is a dataclass
            value = getattr(self, field.name)
            usual = field.default if field.default_factory is MISSING else field.default_factory()
            if usual is MISSING or value != usual:
                written[field.name] = plain(value)
        return written


S = TypeVar("S", bound=type[Said])


def entry_kind(found: S) -> S:
    """Make a class known as a kind of entries."""

    def read(_: str, said: dict[str, Any]) -> Any:
        hints = _hints(cast("type", found))
        unknown = said.keys() - hints.keys()
        if unknown:
            raise ValueError(f"says {', '.join(sorted(unknown))} besides")
        return found(**{name: read_as(value, hints[name], name) for name, value in said.items()})

    register_kinds([found.KIND], read)
    return found


@cache
def _hints(found: type) -> dict[str, Any]:
    names = getattr(found, "_fields", None) or [field.name for field in fields(found)]
    hints = get_type_hints(found)
    return {name: hints[name] for name in names}


def plain(value: Any) -> Any:
    """Write a value as JSON: tuples as lists, and what knows how by itself."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    return value


def read_as(value: Any, hint: Any, path: str) -> Any:
    """Read a value as its type says, or raise."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return None if value is None else read_as(value, next(each for each in inner if each is not type(None)), path)
    if origin is Literal:
        if value in inner:
            return value
    elif origin is tuple and isinstance(value, list):
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(read_as(each, inner[0], path) for each in value)
        if len(inner) == len(value):
            return tuple(read_as(each, kind, path) for each, kind in zip(value, inner, strict=True))
    elif origin is not None and isinstance(value, dict):
        return {str(name): read_as(each, inner[1], f"{path}.{name}") for name, each in value.items()}
    elif hasattr(hint, "from_json"):
        return hint.from_json(value)
    elif hasattr(hint, "_fields") and isinstance(value, list):
        hints = _hints(hint)
        return hint(*(read_as(each, kind, path) for each, kind in zip(value, hints.values(), strict=True)))
    elif type(value) is hint:
        return value
    raise TypeError(f"{path}: {value!r} is not what it must be")
