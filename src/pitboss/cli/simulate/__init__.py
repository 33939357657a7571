"""The commands of simulation and forecasts, declared; each loads what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.app import AsJson, Decks, GameName, Readings, Tables, app, deferred, example

if TYPE_CHECKING:
    from pitboss.cli.simulate import forecasts, runs
else:
    forecasts, runs = deferred(__name__, "forecasts", "runs")


@app.command(epilog=example("simulate three-card-prime --rounds 1000000 --seats 3 --wager ante-play=5"))
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
    cut_card: Annotated[
        int | None, typer.Option(metavar="CARDS", help="Deal a shoe on until so many cards have left it.")
    ] = None,
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
    options = runs.SimulationOptions(
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
        cut_card=cut_card,
    )
    raise typer.Exit(runs.run_simulation(options, as_json=as_json))


_UNSTATED = "a configuration does not state it."
Table = Annotated[
    str, typer.Argument(metavar="CONFIG", help="A table's configuration (TOML), or a game's name: its default table.")
]
Wagers = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=DOLLARS",
        help="What every seat stakes, instead of the least on the main wager, the jackpots and others up to four "
        "options. May be repeated.",
    ),
]
Seeds = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[JACKPOT=]DOLLARS",
        help=f"What a meter is reseeded with when it is won whole; as it opens if left out: {_UNSTATED}",
    ),
]
Rates = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[JACKPOT=]PART",
        help=f"The part of a wager that goes to the display, such as 0.173 (assumed if left out): {_UNSTATED}",
    ),
]
ReserveRates = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[JACKPOT=]PART",
        help=f"The part that goes to the hidden reserve, such as 0.05 (assumed if left out): {_UNSTATED}",
    ),
]
Caps = Annotated[
    list[str] | None,
    typer.Option(metavar="[JACKPOT=]DOLLARS", help=f"The most a meter displays; no cap if left out: {_UNSTATED}"),
]
Outputs = Annotated[
    list[Path] | None,
    typer.Option("-o", "--output", metavar="FILE", help="Draw a chart: .svg, .pdf or .png. May be repeated."),
]


@app.command(epilog=example("forecast three-card-prime --seats 5 --runs 20 --rate 0.173"))
def forecast(
    table: Table,
    rounds_per_hour: Annotated[int, typer.Option(metavar="N", help="Rounds that are dealt in an hour.")] = 40,
    hours_per_day: Annotated[int, typer.Option(metavar="N", help="Hours that the table is open a day.")] = 16,
    shift_hours: Annotated[int, typer.Option(metavar="N", help="Hours of a shift; they divide those of a day.")] = 8,
    days: Annotated[int, typer.Option(metavar="N", help="Days of a run: how far the forecast looks.")] = 30,
    runs: Annotated[int, typer.Option(metavar="N", help="How many such runs are simulated.")] = 400,
    seats: Annotated[
        int | None, typer.Option(metavar="N", help="Seats that play; all of the table if left out.")
    ] = None,
    wager: Wagers = None,
    strategy: Annotated[
        str, typer.Option(metavar="HOW", help="optimal, simple, never-fold, or a file of `pitboss strategy --json`.")
    ] = "optimal",
    seed: Seeds = None,
    rate: Rates = None,
    reserve_rate: ReserveRates = None,
    cap: Caps = None,
    grid: Annotated[bool, typer.Option("--grid", help="Show the meters under other seeds and rates too.")] = False,
    key: Annotated[str | None, typer.Option(metavar="HEX", help="64 hex digits: the same rounds again.")] = None,
    rooms: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Forecast a company of so many rooms, each table once for all the days."),
    ] = None,
    tables: Annotated[int, typer.Option(metavar="N", help="With --rooms: tables of each room.")] = 15,
    workers: Annotated[int, typer.Option(metavar="N", help="With --rooms: processes that play.")] = 1,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="With --rooms: a Dask cluster instead of processes here.")
    ] = None,
    output: Outputs = None,
    as_json: AsJson = False,
) -> None:
    """Forecast a table: what it wins by shift, day and month, and how its jackpots grow, hit and are reseeded."""
    options = forecasts.ForecastOptions(
        table=table,
        plan=(rounds_per_hour, hours_per_day, shift_hours, days, runs),
        seats=seats,
        wagers=wager or [],
        strategy=strategy,
        meters={"--seed": seed or [], "--rate": rate or [], "--reserve-rate": reserve_rate or [], "--cap": cap or []},
        grid=grid,
        key=key,
        outputs=output or [],
        company=None if rooms is None else (rooms, tables, workers, scheduler),
    )
    raise typer.Exit(forecasts.show_forecast(options, as_json=as_json))
