"""Options that several commands share, in the words of their help."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["AsJson", "Decks", "GameName", "NoCache", "Readings", "Tables", "example"]

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
    """Write the line at the end of a command's help."""
    return f"Example: {text}"
