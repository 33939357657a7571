"""The files of a room: read with every problem of all of them at once, each with its line; and written from a room.

Each kind has a file of its name, `people.toml`, with a table for each of it: `[[people]]`. What is alone (the room, the
plan of its backups) is the file itself. Configurations of tables are files of their own, `configurations/4.toml`.
"""

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.books import BookState, StoreError
from pitboss.room.provisioning.kinds import BY_KIND, KINDS, Fields, Kind
from pitboss.rules import Problem
from pitboss.table import read_configuration
from pitboss.table.reading import read_toml

_CONFIGURATIONS = "configurations"
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+")
_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_TEXTS = frozenset({".md", ".txt"})
_BYTES_MAX = 4_000_000
_NO_FILE_NAME = re.compile(r"[/\\%]|^\.")
_WRITTEN = re.compile(r"%([0-9A-F]{2})")


class Item(NamedTuple):
    """One thing that files want, and where they say so."""

    kind: Kind
    name: str
    fields: Fields
    file: str
    line: int

    @property
    def title(self) -> str:
        """What it is, as people read it."""
        return f"{self.kind.title} {self.name}" if self.kind.key else self.kind.title


class Reading(NamedTuple):
    """What files want, and everything that is wrong with them."""

    items: tuple[Item, ...]
    problems: tuple[str, ...]


def read_folder(folder: Path) -> Reading:
    """Read every file of a folder; what belongs to no kind is a problem, and texts for people are none."""
    items: list[Item] = []
    problems: list[str] = []
    if not folder.is_dir():
        return Reading((), (f"there is no folder {folder}",))
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_dir() or path.suffix in _TEXTS or path.name.startswith("."):
            continue
        text = _text(path, name, problems)
        if text is None:
            continue
        if name.startswith(f"{_CONFIGURATIONS}{os.sep}") and path.suffix == ".toml":
            items += _configuration(_name_in(path.stem), text, name, problems)
        elif path.suffix == ".toml" and path.stem in BY_KIND and path.parent == folder:
            items += _items(BY_KIND[path.stem], text, name, problems)
        else:
            known = ", ".join(f"{kind.name}.toml" for kind in KINDS if kind.name != _CONFIGURATIONS)
            problems.append(f"{name}: nothing is read from this file; there are {known}, {_CONFIGURATIONS}/TABLE.toml")
    items = _with_overrides(items, problems)
    problems += _doubles(items)
    if not items and not problems:
        problems.append(f"{folder}: there is nothing in it")
    order = [kind.name for kind in KINDS]
    return Reading(tuple(sorted(items, key=lambda item: order.index(item.kind.name))), tuple(problems))


def _file_name(table: str) -> str:
    """Return the name of a table as part of a path: what a path would read in it stands as its number."""
    return _NO_FILE_NAME.sub(lambda mark: f"%{ord(mark[0]):02X}", table)


def _name_in(stem: str) -> str:
    return _WRITTEN.sub(lambda number: chr(int(number[1], 16)), stem)


def _text(path: Path, name: str, problems: list[str]) -> str | None:
    if not path.is_file() or path.stat().st_size > _BYTES_MAX:
        problems.append(f"{name}: must be a file of at most {_BYTES_MAX:,} bytes")
        return None
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problems.append(f"{name}: {error.strerror if isinstance(error, OSError) else error}")
        return None


def _configuration(table: str, text: str, name: str, problems: list[str]) -> Iterator[Item]:
    reading = read_configuration(text)
    problems += [f"{name}, {problem}" if problem.line else f"{name}: {problem}" for problem in reading.problems]
    if reading.configuration is not None:
        yield Item(BY_KIND[_CONFIGURATIONS], table, {"table": table, "configuration": text}, name, 1)


def _items(kind: Kind, text: str, name: str, problems: list[str]) -> Iterator[Item]:
    try:
        content = read_toml(text, _BYTES_MAX)
    except tomllib.TOMLDecodeError as error:
        place = _LINE.search(str(error))
        where = f"{name}, line {place[1]}" if place else name
        problems.append(f"{where}: {_LINE.sub('', str(error))}")
        return
    if not kind.key:
        yield Item(kind, kind.name, _plain(content), name, 1)
        return
    rows = content.pop(kind.name, [])
    problems += [
        f"{name}, line {_line_of(text, key)}: {key} is none of it: this file has [[{kind.name}]]" for key in content
    ]
    if not isinstance(rows, list):
        problems.append(f"{name}, line {_line_of(text, kind.name)}: write [[{kind.name}]] above each")
        return
    for number, fields in enumerate(rows):
        line = _row_line(text, kind.name, number)
        missing = [part for part in kind.key if part not in fields and part != "paytable"]
        if missing:
            problems.append(f"{name}, line {line}: {', '.join(missing)} is missing")
        else:
            yield Item(kind, kind.name_of(fields), _plain(fields), name, line)


def _with_overrides(items: list[Item], problems: list[str]) -> list[Item]:
    """Add what `configurations.toml` states about the configurations in their folder: why one is offered (G-61)."""
    stated = {item.name: item for item in items if item.file == f"{_CONFIGURATIONS}.toml"}
    texts = {
        item.name for item in items if item.kind.name == _CONFIGURATIONS and item.file != f"{_CONFIGURATIONS}.toml"
    }
    for name, item in stated.items():
        if name not in texts:
            problems.append(f"{item.file}, line {item.line}: there is no {_CONFIGURATIONS}/{name}.toml")
        problems += [
            f"{item.file}, line {item.line}: {key} is not known here; there is override"
            for key in item.fields.keys() - {"table", "override"}
        ]
    return [
        item._replace(fields={**stated[item.name].fields, **item.fields})
        if item.kind.name == _CONFIGURATIONS and item.name in stated
        else item
        for item in items
        if item.file != f"{_CONFIGURATIONS}.toml"
    ]


def _doubles(items: list[Item]) -> Iterator[str]:
    seen: dict[tuple[str, str], Item] = {}
    for item in items:
        first = seen.setdefault((item.kind.name, item.name), item)
        if first is not item:
            yield f"{item.file}, line {item.line}: {item.name} is in line {first.line} of {first.file} already"


def _plain(value: Any) -> Any:
    """Return a value of TOML as JSON has it: days and times as texts."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if isinstance(value, (str, int, float, bool)) else value.isoformat()


def _line_of(text: str, key: str, after: int = 0) -> int:
    """Return the line in which a key stands, from some line on; that line itself where it stands nowhere."""
    name = rf'"?{re.escape(key)}"?\s*'
    # The header of a table goes before a key of the same name within another.
    for pattern in (rf"\s*\[+\s*{name}\]", rf"\s*{name}[=.]"):
        for number, line in enumerate(text.splitlines()[after:], start=after + 1):
            if re.match(pattern, line):
                return number
    return max(1, after)


def _row_line(text: str, kind: str, number: int) -> int:
    header = re.compile(rf"\s*\[\[\s*{re.escape(kind)}\s*\]\]")
    lines = [place for place, line in enumerate(text.splitlines(), start=1) if header.match(line)]
    return lines[number] if number < len(lines) else _line_of(text, kind)


def problem_line(folder: Path, item: Item, problem: str | Problem) -> int:
    """Return the line that a problem of an item is about: that of the field it names, or where the item begins."""
    path = re.split(r"[:\s]", str(problem), maxsplit=1)[0].removeprefix("settings.")
    key = next((part for part in path.split(".") if part and not part.isdigit()), "")
    text = (folder / item.file).read_text(encoding="utf-8")
    return _line_of(text, key, item.line if item.kind.key else 0) if key in item.fields else item.line


def write_folder(folder: Path, state: BookState) -> list[str]:
    """Write the files of a room into a new or empty folder; return their names."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StoreError(f"{folder} is not empty")
    written = []
    for name, text in sorted(room_files(state).items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(name)
    return written


def room_files(state: BookState) -> dict[str, str]:
    """Return the files of a room as it is, by name; no secret is in the journal, and so in none of them."""
    files: dict[str, str] = {}
    for kind in KINDS:
        current = kind.current(state)
        if not current:
            continue
        if kind.name == _CONFIGURATIONS:
            files |= {
                f"{kind.name}/{_file_name(table)}.toml": fields["configuration"] for table, fields in current.items()
            }
        elif not kind.key:
            [fields] = current.values()
            files[f"{kind.name}.toml"] = _toml_lines(fields)
        else:
            tables = [f"[[{kind.name}]]\n{_toml_lines(fields)}" for fields in current.values()]
            files[f"{kind.name}.toml"] = "\n".join(tables)
    return files


def _toml_lines(fields: Mapping[str, Any]) -> str:
    return "".join(f"{_toml_key(key)} = {_toml(value)}\n" for key, value in fields.items() if value is not None)


def _toml_key(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else _toml(key)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{_toml_key(key)} = {_toml(item)}" for key, item in value.items() if item is not None)
        return f"{{ {', '.join(pairs)} }}" if value else "{}"
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], dict):
            return "[\n" + "".join(f"  {_toml(item)},\n" for item in value) + "]"
        return f"[{', '.join(map(_toml, value))}]"
    # What JSON writes of a text, a number or a truth is TOML too, but for the delete character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
