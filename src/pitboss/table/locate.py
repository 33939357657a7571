"""Where a key stands in a TOML text; the parser of the standard library does not say."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any

__all__ = ["line_of"]

_HEADER = re.compile(r"^\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"^\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)\s*=")


def _parts(dotted: str) -> tuple[str, ...]:
    """Split a dotted key as TOML does, by letting TOML do it."""
    try:
        node: Any = tomllib.loads(f"{dotted} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    parts = []
    while isinstance(node, dict):
        key, node = next(iter(node.items()))
        parts.append(key)
    return tuple(parts)


def line_of(text: str, path: Sequence[str]) -> int | None:
    """Find the line of a key, or of the nearest thing around it that has a line of its own."""
    lines: dict[tuple[str, ...], int] = {}
    header: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if match := _HEADER.match(line):
            header = _parts(match[1])
            lines.setdefault(header, number)
        elif match := _KEY.match(line):
            lines.setdefault(header + _parts(match[1]), number)
    for length in range(len(path), 0, -1):
        wanted = tuple(path[:length])
        if wanted in lines:
            return lines[wanted]
        inside = [number for key, number in lines.items() if key[:length] == wanted]
        if inside:
            return min(inside)
    return None
