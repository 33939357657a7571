"""What the command prints: one console, tables, progress bars, and problems in one message."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pitboss.games import UnknownGameError, find_game
from pitboss.rules import Game, Problem

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

# Exit codes: 1 for a round or configuration that breaks a rule, 2 for a command typed wrongly; with --strict 3 where
# nothing is refused and something must be confirmed.
BROKEN_RULE, TYPED_WRONG, MUST_BE_CONFIRMED = 1, 2, 3

# Into a file or a pipe lines may be long: nothing is cut.
_PIPE_WIDTH = 160
_DIGITS_MAX = 9
console = Console(highlight=False, width=None if sys.stdout.isatty() else _PIPE_WIDTH)
errors = Console(stderr=True, highlight=False, soft_wrap=True)


def plain_table(*columns: str) -> Table:
    """Build a table in the style of all our tables; a column whose name ends in > stands to the right."""
    table = Table(header_style="bold", box=None, pad_edge=False)
    for column in columns:
        right = column.endswith(">")
        table.add_column(column.rstrip(">"), justify="right" if right else "left", no_wrap=right, overflow="fold")
    return table


def print_rows(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table of many rows as `plain_table` would; where no cell must be folded, in a fraction of its time."""
    titles = [column.rstrip(">") for column in columns]
    widths = [max(map(len, cells)) for cells in zip(titles, *rows, strict=True)]
    if sum(widths) + 2 * (len(widths) - 1) > console.width:
        table = plain_table(*columns)
        for row in rows:
            table.add_row(*row)
        console.print(table)
        return
    sides = [">" if column.endswith(">") else "<" for column in columns]
    form = "  ".join(f"{{:{side}{width}}}" for side, width in zip(sides, widths, strict=True))
    console.print(f"[bold]{escape(form.format(*titles))}[/]", soft_wrap=True)
    console.out("\n".join(form.format(*row) for row in rows), highlight=False)


def show_problems(problems: Iterable[Problem | str], headline: str) -> None:
    """Print everything that is wrong, in one message."""
    errors.print(f"[bold red]{escape(headline)}[/]")
    for problem in problems:
        errors.print(f"  • {escape(str(problem))}")


def survive_lost_peers() -> None:
    """Restore Python's own handling of SIGPIPE: writing to a peer that is gone raises an error and ends no process.

    `main` has the signal end a command whose reader has seen enough; a command that talks over a network must not end
    because somebody else hangs up.
    """
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)


def progress_bar(*columns: ProgressColumn) -> Progress:
    """Show on standard error what is being computed, and leave nothing behind."""
    from rich import progress  # noqa: PLC0415 - most commands are done at once

    columns = columns or (
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
    )
    # Where nobody watches, a bar that is not disabled ends in an empty line.
    return progress.Progress(*columns, console=errors, transient=True, disable=not errors.is_interactive)


def fail(message: str) -> SystemExit:
    """Print why a command was typed wrongly and return its exit, to be raised; what the system says is put in words."""
    words = _ERRNO.sub("", _ERRNO_OF_FILE.sub(r"\3: \1", message))
    errors.print(f"[bold red]{escape(words)}[/]")
    return SystemExit(TYPED_WRONG)


_ERRNO = re.compile(r"\[Errno -?\d+\] ")
_ERRNO_OF_FILE = re.compile(rf"{_ERRNO.pattern}([^:'\"\[]+): (['\"])(.*?)\2")


def game_or_exit(name: str) -> Game:
    """Return a game, or exit with the names there are."""
    try:
        return find_game(name)
    except UnknownGameError as error:
        raise fail(str(error)) from None


def whole_number(text: str) -> int | None:
    """Parse a short whole number in plain digits; nothing if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX else None
