"""What declarations of commands share."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["AsJson", "Decks", "NoCache", "example"]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Compute again instead of reading what is kept on disk.")]
Decks = Annotated[int | None, typer.Option(help="How many decks, where the game has a choice.")]


def example(text: str) -> str:
    """Write the example that ends a command's help."""
    return f"Example: {text}"
