"""Parses what people type of pay tables, readings, amounts and files, for every command that prices them."""

import tomllib
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from pitboss.cli.output import BROKEN_RULE, fail, show_problems
from pitboss.rules import Game, MoneyError, Wager, parse_dollars
from pitboss.table import Configuration, read_configuration


def percent(value: Fraction) -> str:
    """Format a share to four decimal places, rounded half away from zero."""
    scaled = abs(value) * 1_000_000
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return f"{'-' if value < 0 and rounded else ''}{rounded // 10_000}.{rounded % 10_000:04d}%"


def read_file(file: Path) -> str:
    """Read a text file, or exit with what is wrong with it."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise fail(f"cannot read {file}: {getattr(error, 'strerror', None) or error}") from None


def configuration_or_exit(file: Path, headline: Callable[[int], str]) -> Configuration:
    """Read a configuration that may open, or exit with all its problems under a headline that has their number."""
    read = read_configuration(read_file(file))
    if read.configuration is None or read.problems:
        show_problems(read.problems, headline(len(read.problems)))
        raise SystemExit(BROKEN_RULE)
    return read.configuration


def pair(text: str, option: str) -> tuple[str, str]:
    """Split NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not equals:
        raise fail(f"{option} {text!r} must be NAME=VALUE")
    return name.strip(), value.strip()


def readings_of(texts: Sequence[str]) -> dict[str, str]:
    """Parse every --reading."""
    return dict(pair(text, "--reading") for text in texts)


def dollars_or_exit(text: str | None) -> int | None:
    """Parse an amount of dollars as cents, or exit."""
    if text is None:
        return None
    try:
        return parse_dollars(text)
    except MoneyError as error:
        raise fail(str(error)) from None


def wager_of(game: Game, name: str) -> Wager:
    """Return a wager of a game, or exit with the names there are."""
    if name not in game.by_name:
        raise fail(f"{game.title} has no wager {name!r}; it has: {', '.join(game.by_name)}")
    return game.by_name[name]


def tables_of(
    game: Game, wagers: Sequence[Wager], typed: Sequence[str], pays: Sequence[str] = ()
) -> dict[str, list[Any]]:
    """Group the pay tables typed by their wagers: ids, or TOML files with an id and the rows that differ.

    Amounts belong to the one table that is typed.
    """
    tables: dict[str, list[Any]] = {}
    amounts = dict(pair(text, "--pays") for text in pays)
    if amounts and len(typed) != 1:
        raise fail("--pays EVENT=CELL sets rows of one table: name one --paytable")
    for text in typed:
        table: dict[str, Any] = _file_table(Path(text)) if text.endswith(".toml") else {"id": text}
        home = [wager for wager in wagers for slot in wager.slots if table.get("id") in slot.ids]
        if not home:
            raise fail(f"{table.get('id')!r} is no pay table here; `pitboss paytables --game {game.name}` lists them")
        if amounts:
            table = {**table, "pays": {**table.get("pays", {}), **amounts}}
        tables.setdefault(home[0].name, []).append(table if len(table) > 1 else text)
    return tables


def _file_table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise fail(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise fail(f"{path}: {error}") from None
