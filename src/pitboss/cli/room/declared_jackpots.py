"""The commands about jackpots, declared; each loads what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.app import AsJson, app, example

Source = Annotated[Path, typer.Argument(metavar="DIR|BACKUP", help="A room's data directory, or a backup.")]
Book = Annotated[str, typer.Option(help="Which book.")]


@app.command(epilog=example("pitboss jackpots examples/jackpots.backup"))
def jackpots(path: Source, book: Book = "room", as_json: AsJson = False) -> None:
    """List the jackpots of a room: play, meters, counted wagers, tables, and how the escrow stands."""
    from pitboss.cli.room.jackpot_listings import list_jackpots  # noqa: PLC0415

    raise typer.Exit(list_jackpots(path, book, as_json=as_json))


@app.command(epilog=example("pitboss explain examples/jackpots.backup main"))
def explain(
    path: Source,
    what: Annotated[
        str,
        typer.Argument(
            metavar="AMOUNT|JACKPOT|HIT",
            help="A displayed amount such as $1,234.56, a jackpot's name, or a hit such as hit-9 of `pitboss hits`.",
        ),
    ],
    book: Book = "room",
    as_json: AsJson = False,
) -> None:
    """Explain a displayed amount or a prize: back to the seed, batches of contributions, cards, rules and entries."""
    number = what.removeprefix("hit-")
    if number != what and number.isascii() and number.isdigit():
        from pitboss.cli.room.hit_listings import explain_prize  # noqa: PLC0415

        raise typer.Exit(explain_prize(path, book, int(number), as_json=as_json))
    from pitboss.cli.room.jackpot_listings import explain_amount  # noqa: PLC0415

    raise typer.Exit(explain_amount(path, book, what, as_json=as_json))
