"""A tiny shell for documentation: it runs the `$ pitboss …` lines of a console block in this process.

A block is a list of commands, each followed by what it prints. `rerun` prints the block again as it is today; a block
is true when that changes nothing. `echo $?` prints the exit code of the command before it, as in a shell, and a command
that fails must be followed by it.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from pitboss.cli import output
from pitboss.cli.main import app

__all__ = [
    "PAGES",
    "RECORD",
    "ROOT",
    "Ran",
    "commands_of_pages",
    "has_long_blocks",
    "rerun",
    "rerun_markdown",
    "run_pitboss",
]

ROOT = Path(__file__).parents[2]
# Set to write what the commands print today into the files, instead of comparing.
RECORD = bool(os.environ.get("PITBOSS_RECORD"))

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
# What these print is shown by tests of their own in tests/cli; as a page has it, under `slow`.
LONG = ("forecast", "rng report", "seen", "sharing", "simulate", "strategy", "switches", "together")
_WIDTH = 160
_FENCE = re.compile(r"^```console\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMENT, _EXIT_CODE, _PROGRAM, _PROMPT = "#", "echo $?", "pitboss", "$ "


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed, on both streams as a terminal would show them, and how it ended."""

    printed: str
    exit_code: int


def run_pitboss(arguments: list[str], typed: str = "") -> Ran:
    """Run the command in this process, from the root of the repository, as into a pipe."""
    for console in (output.console, output.errors):
        console._color_system = None
    output.console.width = _WIDTH
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        result = CliRunner().invoke(app, arguments, input=typed)
    finally:
        os.chdir(before)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ran(result.output, result.exit_code)


def _run_line(command: str) -> Ran:
    program, *arguments = shlex.split(command)
    if program != _PROGRAM:
        raise AssertionError(f"a console block runs {_PROGRAM!r} only, not: {command}")
    typed = ""
    if "<" in arguments:
        place = arguments.index("<")
        typed = (ROOT / arguments[place + 1]).read_text(encoding="utf-8")
        del arguments[place : place + 2]
    return run_pitboss(arguments, typed)


def _commands(block: str) -> Iterator[list[str]]:
    """Give the lines of each command, without what was recorded after it."""
    lines = iter(block.splitlines())
    for line in lines:
        if not line.startswith(_PROMPT):
            continue
        command = [line]
        while command[-1].endswith("\\"):
            command.append(next(lines))
        yield command


def commands_of_pages() -> Iterator[str]:
    """Yield the arguments of every command in a console block of a page, as one would type them."""
    for page in PAGES:
        for match in _FENCE.finditer(page.read_text(encoding="utf-8")):
            for lines in _commands(match["body"]):
                program, *arguments = shlex.split(" ".join(line.rstrip("\\").strip() for line in lines)[len(_PROMPT) :])
                if program == _PROGRAM:
                    yield shlex.join(arguments)


def rerun(block: str) -> str:
    """Run every command of a block again and write the block with what is printed today."""
    written: list[str] = []
    exit_code, unseen = 0, None
    for lines in _commands(block):
        command = " ".join(line.rstrip("\\").strip() for line in lines).removeprefix(_PROMPT)
        written += lines
        if command == _EXIT_CODE:
            written.append(str(exit_code))
            unseen = None
            continue
        if command.startswith(_COMMENT):
            continue
        assert unseen is None, f"ends with {exit_code} and is not followed by `{_EXIT_CODE}`: {unseen}"
        ran = _run_line(command)
        exit_code = ran.exit_code
        unseen = command if exit_code else None
        # Tables are filled up with blanks on the right, which no editor keeps.
        written += [line.rstrip() for line in ran.printed.rstrip().splitlines()]
    assert unseen is None, f"ends with {exit_code} and is not followed by `{_EXIT_CODE}`: {unseen}"
    return "\n".join(written) + "\n"


def has_long_blocks(text: str) -> bool:
    """Return whether a page shows a command that takes longer than `make test` has time for."""
    return any(_is_long(match["body"]) for match in _FENCE.finditer(text))


def _is_long(block: str) -> bool:
    return any(f"{_PROMPT}{_PROGRAM} {command} " in block for command in LONG)


def rerun_markdown(text: str, *, whole: bool = True) -> str:
    """Run every console block of a page again, or all but the long ones; write the page with what is printed today."""

    def today(match: re.Match[str]) -> str:
        body = match["body"]
        return f"```console\n{rerun(body) if whole or not _is_long(body) else body}```"

    return _FENCE.sub(today, text)
