"""The commands about hits, declared; each loads what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.app import AsJson, app, example

Source = Annotated[Path, typer.Argument(metavar="DIR|BACKUP", help="A room's data directory, or a backup.")]
Book = Annotated[str, typer.Option(help="Which book.")]


@app.command(epilog=example("pitboss hits examples/hits.backup"))
def hits(
    path: Source,
    open_only: Annotated[bool, typer.Option("--open", help="Only those that are not finished.")] = False,
    book: Book = "room",
    as_json: AsJson = False,
) -> None:
    """List the jackpot hits of a room: where each stands, its prizes, its slips, and small prizes in sum."""
    from pitboss.cli.room.hit_listings import show_hits  # noqa: PLC0415

    raise typer.Exit(show_hits(path, book, open_only=open_only, as_json=as_json))


@app.command(epilog=example("pitboss slip examples/hits.backup 1"))
def slip(
    path: Source,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The slip's number.")],
    copy: Annotated[int, typer.Option(help="A reprint that was journalled, from 1.")] = 0,
    book: Book = "room",
    as_json: AsJson = False,
) -> None:
    """Show a jackpot slip with the head of the chain; a reprint is marked."""
    from pitboss.cli.room.hit_listings import show_slip  # noqa: PLC0415

    raise typer.Exit(show_slip(path, book, number, copy, as_json=as_json))
