"""The commands about a room: its books, its jackpots and their hits."""

from __future__ import annotations

import typer

from pitboss.cli.books_app import register_books
from pitboss.cli.hits_command_app import register_hits
from pitboss.cli.jackpots_app import register_jackpots

__all__ = ["register_room"]


def register_room(app: typer.Typer) -> None:
    """Add the commands to the command."""
    register_books(app)
    register_jackpots(app)
    register_hits(app)
