"""The `pitboss` command itself, and the options that many of its subcommands share."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    name="pitboss",
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


def example(text: str) -> str:
    """Show how a command is typed, below its help."""
    return f"Example: {text}"
