"""Declares the commands of simulation; each loads what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.app import AsJson, Decks, GameName, Readings, Tables, app, example

__all__ = ["simulate"]


@app.command(epilog=example("pitboss simulate three-card-prime --rounds 10000000 --seats 3 --wager ante-play=5"))
def simulate(
    game: GameName,
    rounds: Annotated[int, typer.Option(help="How many rounds.")] = 1_000_000,
    seats: Annotated[int | None, typer.Option(help="How many seats play; one, or as many as the table has.")] = None,
    wager: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=DOLLARS", help="What every seat stakes; all wagers if left out. May be repeated."),
    ] = None,
    meter: Annotated[
        list[str] | None,
        typer.Option(metavar="JACKPOT=DOLLARS", help="What a meter opens with and is reseeded to. May be repeated."),
    ] = None,
    strategy: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="optimal, simple, never-fold, or a file of lines.")
    ] = "optimal",
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="A table's configuration.")] = None,
    paytable: Tables = None,
    pays: Annotated[
        list[str] | None, typer.Option(metavar="EVENT=CELL", help="Set a row of the table. May be repeated.")
    ] = None,
    reading: Readings = None,
    decks: Decks = None,
    key: Annotated[str | None, typer.Option(metavar="HEX", help="Play the rounds of this key again.")] = None,
    workers: Annotated[int | None, typer.Option(help="How many threads; as many as there are cores.")] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, such as tcp://host:8786.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Draw the results: .svg, .png or .pdf.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play complete rounds by the million and set the results beside the exact figures."""
    from pitboss.cli.simulate_command import Asked, run_simulation  # noqa: PLC0415

    asked = Asked(
        game=game,
        config=config,
        paytables=paytable or [],
        readings=reading or [],
        decks=decks,
        pays=pays or [],
        seats=seats,
        wagers=wager or [],
        meters=meter or [],
        strategy=strategy,
        rounds=rounds,
        key=key,
        workers=workers,
        scheduler=scheduler,
        output=output,
    )
    raise typer.Exit(run_simulation(asked, as_json=as_json))
