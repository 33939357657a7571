"""The commands about the displays of a room, declared; each loads what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.app import app, example

vision = typer.Typer(
    help="Show what the displays of a room show, and write it for photo frames and signs.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(vision, name="vision")

Source = Annotated[Path, typer.Argument(metavar="DIR|BACKUP", help="A room's data directory, or a backup.")]
Table = Annotated[str, typer.Argument(metavar="TABLE", help="A table, by its name.")]


@vision.command(epilog=example("pitboss vision export examples/jackpots.backup 1 --text"))
def export(
    path: Source,
    table: Table,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.png", help="Where the picture is written.")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print lines for an LED sign.")] = False,
    size: Annotated[str, typer.Option(metavar="WIDTHxHEIGHT", help="The picture's size in pixels.")] = "1920x1080",
    theme: Annotated[str, typer.Option(help="The colours: emerald or midnight.")] = "emerald",
    every: Annotated[
        bool, typer.Option("--every", help="Also write FILE-2.png and so on, one for each other pay table and slide.")
    ] = False,
    book: Annotated[str, typer.Option(help="Which book.")] = "room",
) -> None:
    """Write what the display of a table shows now: a picture for a photo frame, or lines for a sign."""
    from pitboss.cli.room.displays import export_vision  # noqa: PLC0415

    raise typer.Exit(export_vision(path, table, book, output, size=size, theme=theme, text=text, every=every))


@vision.command(epilog=example("pitboss vision log examples/jackpots.backup"))
def log(
    path: Source,
    table: Annotated[str, typer.Option(metavar="TABLE", help="Only what concerns this table.")] = "",
    most: Annotated[int, typer.Option(metavar="NUMBER", help="So many at most, the newest.")] = 50,
    book: Annotated[str, typer.Option(help="Which book.")] = "room",
) -> None:
    """List what was published when, and which displays were connected."""
    from pitboss.cli.room.displays import list_published  # noqa: PLC0415

    raise typer.Exit(list_published(path, table, most, book))
