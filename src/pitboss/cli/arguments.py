"""What people type of pay tables, readings and amounts, for every command that prices them."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from pitboss.cli.output import fail
from pitboss.rules import Game, MoneyError, Wager, parse_dollars


def percent(value: Fraction) -> str:
    """Print a share to four decimal places, rounded half away from zero."""
    scaled = abs(value) * 1_000_000
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return f"{'-' if value < 0 and rounded else ''}{rounded // 10_000}.{rounded % 10_000:04d} %"


def pair(text: str, option: str) -> tuple[str, str]:
    """Take NAME=VALUE apart."""
    name, equals, value = text.partition("=")
    if not equals:
        raise fail(f"{option} {text!r} must be NAME=VALUE")
    return name.strip(), value.strip()


def readings_of(texts: Sequence[str]) -> dict[str, str]:
    """Read every --reading."""
    return dict(pair(text, "--reading") for text in texts)


def dollars_or_exit(text: str | None) -> int | None:
    """Read an amount of dollars as cents."""
    if text is None:
        return None
    try:
        return parse_dollars(text)
    except MoneyError as error:
        raise fail(str(error)) from None


def wager_of(game: Game, name: str) -> Wager:
    """Find a wager of a game, or end with the names there are."""
    if name not in game.by_name:
        raise fail(f"{game.title} has no wager {name!r}; it has: {', '.join(game.by_name)}")
    return game.by_name[name]


def tables_of(
    game: Game, wagers: Sequence[Wager], typed: Sequence[str], pays: Sequence[str] = ()
) -> dict[str, list[Any]]:
    """Sort the pay tables typed to their wagers: ids, or TOML files with an id and the rows that differ.

    Amounts belong to the one table that is typed.
    """
    found: dict[str, list[Any]] = {}
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
        found.setdefault(home[0].name, []).append(table if len(table) > 1 else text)
    return found


def _file_table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise fail(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise fail(f"{path}: {error}") from None
