"""The `pitboss` command itself, the options that its subcommands share, and modules loaded on first use."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

SECTIONS = {
    "Play and settle": ("games", "rules", "paytables", "settle", "play", "train"),
    "Set up a table": ("config", "check", "diff", "print", "forecast"),
    "Odds": (
        "odds",
        "switches",
        "sharing",
        "together",
        "seen",
        "strategy",
        "best",
        "design",
        "vulnerability",
        "par",
        "simulate",
        "rng",
    ),
    "Run a room": ("serve", "company", "tomorrow", "tables", "jackpots", "hits", "slip", "vision", "device"),
    "Act in a room": ("do", "approvals", "token", "approve", "decline"),
    "Report and audit": (
        "report",
        "packet",
        "explain",
        "audit",
        "books",
        "store",
        "keys",
        "backup",
        "backups",
        "restore",
        "verify-install",
    ),
    "Look after the server": ("provision", "doctor", "support-bundle", "monitoring", "upgrade", "rollback"),
}
"""The commands as `pitboss --help` lists them."""
_LONGEST_SUMMARY = 400


class ListedCommands(TyperGroup):
    """A command whose help lists its subcommands, each with its whole summary."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list."""
        with formatter.section("Commands"):
            formatter.write_dl(self._rows(ctx, self.list_commands(ctx)))

    def _rows(self, ctx: Any, names: Sequence[str]) -> list[tuple[str, str]]:
        commands = [(name, self.get_command(ctx, name)) for name in names]
        return [
            (name, command.get_short_help_str(_LONGEST_SUMMARY)) for name, command in commands if command is not None
        ]


class SectionedCommands(ListedCommands):
    """A command whose help lists its subcommands by section."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the sections; what stands in none comes last."""
        listed = {name for names in SECTIONS.values() for name in names}
        rest = tuple(name for name in self.list_commands(ctx) if name not in listed)
        for title, names in {**SECTIONS, "More": rest}.items():
            if rows := self._rows(ctx, names):
                with formatter.section(title):
                    formatter.write_dl(rows)


app = typer.Typer(
    name="pitboss",
    cls=SectionedCommands,
    help="Run the games and jackpots of a house-banked card room, and explain every cent.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as `pitboss games` lists it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Compute again instead of reading what is kept on disk.")]
Tables = Annotated[
    list[str] | None,
    typer.Option(metavar="ID|FILE", help="A pay table, or a TOML file with an id and its own rows. May be repeated."),
]
Readings = Annotated[list[str] | None, typer.Option(metavar="NAME=READING", help="How a disputed clause is read.")]
Decks = Annotated[int | None, typer.Option(help="How many decks, where the game has a choice.")]
Data = Annotated[Path, typer.Argument(metavar="DIR", help="The room's data directory.")]
Source = Annotated[Path, typer.Argument(metavar="DIR|BACKUP", help="A room's data directory, or a backup.")]
Book = Annotated[str, typer.Option(help="Which book.")]
Person = Annotated[str, typer.Option("--person", metavar="NAME", help="Who does this; it is logged.")]
Strict = Annotated[bool, typer.Option("--strict", help="End with 3 where something must be confirmed.")]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="Why; it is logged.")]


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        from importlib.metadata import version  # noqa: PLC0415 - reading it takes longer than most help

        print(f"pitboss {version('pitboss')}")
        raise typer.Exit


@app.callback()
def pitboss(
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and exit.")
    ] = False,
) -> None:
    """Run the games and jackpots of a house-banked card room, and explain every cent."""


def example(text: str) -> str:
    """Return the example of how a command is typed that stands below its help."""
    return f"Example: pitboss {text}"


def group(name: str, text: str) -> typer.Typer:
    """Add a group of commands, such as `pitboss tables …`."""
    commands = typer.Typer(cls=ListedCommands, help=text, no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(commands, name=name)
    return commands


class DeferredModule:
    """A module that is loaded when one of its names is first used, so that `--help` answers at once."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


def deferred(package: str, *names: str) -> list[DeferredModule]:
    """Return modules of a package that are loaded on first use."""
    return [DeferredModule(f"{package}.{name}") for name in names]
