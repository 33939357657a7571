"""The commands about configurations: check one, print the default."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

from rich.markup import escape

from pitboss import law
from pitboss.cli.output import BROKEN_RULE, console, fail, game_or_exit, show_problems
from pitboss.rules import Problem
from pitboss.table import Configuration, default_configuration, differences, read_configuration


def read_file(file: Path) -> str:
    """Read a text file, or end with what is wrong with it."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise fail(f"cannot read {file}: {error}") from None


def check_file(file: Path, *, as_json: bool) -> int:
    """Check a configuration file and say what it is."""
    read = read_configuration(read_file(file))
    if as_json:
        content: dict[str, Any] = {
            "problems": [_problem_json(problem) for problem in read.problems],
            "notices": [_problem_json(notice) for notice in read.notices],
        }
        if read.configuration is not None and not read.problems:
            content["hash"] = read.configuration.content_hash
            content["differences"] = list(differences(read.configuration))
        print(json.dumps(content, indent=2))
    elif read.problems or read.configuration is None:
        show_problems(read.problems, f"{file}: {len(read.problems)} problem{'s' if len(read.problems) != 1 else ''}")
    else:
        _say_what_it_is(file, read.configuration, read.notices)
    return BROKEN_RULE if read.problems else 0


def _say_what_it_is(file: Path, configuration: Configuration, notices: tuple[Problem, ...]) -> None:
    console.print(
        f"[bold green]{escape(str(file))} may open[/]: {configuration.game}, hash {configuration.content_hash}"
    )
    lines = differences(configuration)
    console.print("Differs from the default table:" if lines else "It is the default table.")
    for line in lines:
        console.print(f"  {escape(line)}", soft_wrap=True)
    for notice in notices:
        console.print(f"[yellow]Note[/] {escape(str(notice))}")


def _problem_json(problem: Problem) -> dict[str, Any]:
    return {
        "path": problem.path,
        "line": problem.line,
        "words": problem.words,
        "clause": problem.clause,
        "ruling": problem.ruling,
    }


def print_default(name: str, on: str | None, profile: str) -> int:
    """Print the default configuration of a game."""
    game = game_or_exit(name)
    try:
        date = datetime.datetime.now(tz=datetime.UTC).date() if on is None else datetime.date.fromisoformat(on)
        configuration = default_configuration(game, date, profile)
    except law.NoRuleSetError as error:
        raise fail(str(error)) from None
    except ValueError as error:
        words = str(error) if profile not in law.PROFILES else f"--on {on!r} must be a date such as 2024-01-31"
        raise fail(words) from None
    if date < game.approval.since:
        raise fail(f"{date}: {game.title} was approved on {game.approval.since}")
    print(configuration.canonical, end="")
    return 0
