"""Values to JSON and back by their declarations: exact numbers as "numerator/denominator", every problem at once."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from math import gcd
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from pitboss.rules import Problem

__all__ = ["SheetError", "from_json", "leaves", "read_text", "to_json", "write_text"]

T = TypeVar("T")

_RATIO = re.compile(r"(-?(?:0|[1-9][0-9]*))/([1-9][0-9]*)")
# Longer than any figure; more digits are not read.
_TEXT_MAX = 4_000


class SheetError(ValueError):
    """What cannot be read as a PAR sheet, with all that is wrong."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


def to_json(value: Any) -> Any:
    """Give a value as JSON holds it."""
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, tuple):
        return [to_json(each) for each in value]
    if isinstance(value, Mapping):
        return {key: to_json(each) for key, each in value.items()}
    if is_dataclass(value):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    return value


def from_json(kind: type[T], content: Any) -> T:
    """Read a value of this kind back, or tell everything that is wrong."""
    problems: list[Problem] = []
    value = _read(kind, content, "", problems)
    if problems:
        raise SheetError(tuple(problems))
    assert isinstance(value, kind)
    return value


@cache
def _declared(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _read(kind: Any, content: Any, path: str, problems: list[Problem]) -> Any:
    """Read one value; where it cannot be read a problem is added and what comes back means nothing."""
    origin = get_origin(kind)
    if origin is UnionType:
        return None if content is None else _read(_other_than_none(kind), content, path, problems)
    if is_dataclass(kind):
        return _read_object(kind, content, path, problems)
    if origin is tuple:
        if isinstance(content, list):
            each_kind = get_args(kind)[0]
            return tuple(_read(each_kind, each, f"{path}[{at}]", problems) for at, each in enumerate(content))
        return _refuse(path, content, "a list", problems)
    if origin is dict:
        if isinstance(content, dict):
            each_kind = get_args(kind)[1]
            return {key: _read(each_kind, each, _under(path, key), problems) for key, each in content.items()}
        return _refuse(path, content, "an object", problems)
    return _read_plain(kind, content, path, problems)


def _other_than_none(kind: Any) -> Any:
    (other,) = (each for each in get_args(kind) if each is not NoneType)
    return other


def _read_object(kind: Any, content: Any, path: str, problems: list[Problem]) -> Any:
    if not isinstance(content, dict):
        return _refuse(path, content, "an object", problems)
    declared = _declared(kind)
    known = len(problems)
    problems += [
        Problem(_under(path, str(key)), f"unknown key; expected: {', '.join(declared)}")
        for key in content
        if key not in declared
    ]
    problems += [Problem(_under(path, name), "is missing") for name in declared if name not in content]
    found = {
        name: _read(each, content[name], _under(path, name), problems)
        for name, each in declared.items()
        if name in content
    }
    return None if len(problems) > known else kind(**found)


def _read_plain(kind: Any, content: Any, path: str, problems: list[Problem]) -> Any:
    if kind is Fraction:
        match = _RATIO.fullmatch(content) if isinstance(content, str) and len(content) <= _TEXT_MAX else None
        if match is None or gcd(int(match[1]), int(match[2])) != 1:
            return _refuse(path, content, 'a fraction "numerator/denominator" in lowest terms', problems)
        return Fraction(int(match[1]), int(match[2]))
    if kind is int and type(content) is int:
        return content
    if kind is str and isinstance(content, str):
        return content
    return _refuse(path, content, "text" if kind is str else "a whole number", problems)


def _refuse(path: str, content: Any, expected: str, problems: list[Problem]) -> None:
    text = repr(content)
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    problems.append(Problem(path or "sheet", f"{shown} must be {expected}"))


def _under(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def leaves(content: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that holds no other, with the path to it; an empty list or object counts as one."""
    if isinstance(content, dict) and content:
        for key, each in content.items():
            yield from leaves(each, _under(path, key))
    elif isinstance(content, list) and content:
        for at, each in enumerate(content):
            yield from leaves(each, f"{path}[{at}]")
    else:
        yield path, content


def write_text(content: Any) -> str:
    """Write JSON for people and machines: the same content gives the same bytes."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def read_text(text: str) -> Any:
    """Read JSON; what JSON readers do not agree about (a key twice, NaN) is refused."""
    try:
        return json.loads(text, object_pairs_hook=_each_key_once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        words = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise SheetError((Problem("sheet", f"not JSON: {words}"),)) from None


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = sorted(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    if twice:
        raise ValueError(f"a key stands twice: {', '.join(twice)}")
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")
