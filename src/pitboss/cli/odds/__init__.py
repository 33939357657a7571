"""Declares the commands of exact odds; each loads what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.app import AsJson, Decks, GameName, NoCache, Readings, Tables, app, deferred, example

if TYPE_CHECKING:
    from pitboss.cli.odds import figures, par_sheets, room, strategies
else:
    figures, par_sheets, room, strategies = deferred(__name__, "figures", "par_sheets", "room", "strategies")


@app.command(epilog=example("odds three-card-prime prime --paytable PRW-1"))
def odds(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="A game's name; left out with --all.")] = None,
    wager: Annotated[str | None, typer.Argument(metavar="[WAGER]", help="One wager; all of them if left out.")] = None,
    paytable: Tables = None,
    reading: Readings = None,
    decks: Decks = None,
    meter: Annotated[str | None, typer.Option(metavar="DOLLARS", help="Show a jackpot's edge at this meter.")] = None,
    seats: Annotated[int | None, typer.Option(help="Show an Envy jackpot's edge with so many seats.")] = None,
    pays: Annotated[
        list[str] | None, typer.Option(metavar="EVENT=CELL", help="Set a row of the table. May be repeated.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A table's configuration, with its aggregate limits.")
    ] = None,
    all_wagers: Annotated[bool, typer.Option("--all", help="The whole catalogue of every game.")] = False,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Compute exact odds: expectation, edge, risk, deviation, events with integer counts."""
    if all_wagers:
        raise typer.Exit(figures.show_catalogue(fresh=no_cache, as_json=as_json))
    if game is None:
        typer.echo("name a GAME, or --all; `pitboss odds --help` has an example", err=True)
        raise typer.Exit(2)
    options = figures.OddsOptions(
        paytables=paytable or [],
        readings=reading or [],
        decks=decks,
        pays=pays or [],
        meter=meter,
        seats=seats,
        fresh=no_cache,
        config=config,
    )
    raise typer.Exit(figures.show_odds(game, wager, options, as_json=as_json))


@app.command(epilog=example("switches three-card-prime"))
def switches(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; all of them if left out.")] = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Show every disputed clause with the house edge of each of its readings."""
    raise typer.Exit(figures.show_switches(game, fresh=no_cache, as_json=as_json))


@app.command(epilog=example("sharing four-card-prime five-card-jackpot --seats 6"))
def sharing(
    game: GameName,
    wager: Annotated[
        str | None, typer.Argument(metavar="[WAGER]", help="One jackpot; all of them if left out.")
    ] = None,
    paytable: Tables = None,
    decks: Decks = None,
    seats: Annotated[int | None, typer.Option(help="Only for this number of seats.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a player loses when several seats hit the same percentage prize in one round and share it."""
    raise typer.Exit(figures.show_sharing(game, wager, paytable or [], decks, seats, as_json=as_json))


@app.command(
    epilog=example("together deuces-wild --reading fortune_after_raise=dealer_takes_best --ratio 1 --ratio 10")
)
def together(
    game: GameName,
    wager: Annotated[
        str | None, typer.Argument(metavar="[WAGER]", help="The wager that shares a decision with the main one.")
    ] = None,
    paytable: Tables = None,
    reading: Readings = None,
    ratio: Annotated[
        list[str] | None,
        typer.Option(metavar="R", help="Its stake for each unit of the main wager, such as 5 or 1/2. May be repeated."),
    ] = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Play two wagers that share a decision for the best of both, by ratio of stakes; find where the game turns."""
    code = figures.show_together(
        game, wager, paytable or [], reading or [], ratio or [], fresh=no_cache, as_json=as_json
    )
    raise typer.Exit(code)


@app.command(epilog=example("seen three-card-prime --kind dealer-card --paytable PW/BB-1"))
def seen(
    game: GameName,
    kind: Annotated[str | None, typer.Option(metavar="KIND", help="One kind of seen cards; all if left out.")] = None,
    paytable: Tables = None,
    reading: Readings = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Compute what seen cards are worth: the edge without and with them, and how often they change the decision."""
    raise typer.Exit(figures.show_seen(game, kind, paytable or [], reading or [], fresh=no_cache, as_json=as_json))


@app.command(epilog=example("vulnerability three-card-prime --part misread"))
def vulnerability(
    game: GameName,
    part: Annotated[
        list[str] | None,
        typer.Option(metavar="PART", help="sight, collusion, cut-card, meter, bank, misread, mispay; all if left out."),
    ] = None,
    paytable: Tables = None,
    decks: Decks = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Find where a game can be hurt: cards seen, sorted or told, counted shoes, meters, the bank, misread rows."""
    raise typer.Exit(room.show_vulnerability(game, part or [], paytable or [], decks, fresh=no_cache, as_json=as_json))


@app.command(epilog=example("design three-card-prime prime --edge 3 --edge 4"))
def design(
    game: GameName,
    wager: Annotated[str, typer.Argument(metavar="WAGER", help="The wager whose pay table is searched.")],
    edge: Annotated[
        list[float] | None, typer.Option(metavar="PERCENT", help="The lowest and the highest house edge.")
    ] = None,
    hit: Annotated[float | None, typer.Option(metavar="PERCENT", help="The lowest hit frequency.")] = None,
    top: Annotated[int | None, typer.Option(metavar="N", help="The most that the best row may pay.")] = None,
    paytable: Tables = None,
    slot: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which table is searched; the wager's first if left out.")
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="Print so many tables, spread over the frontier.")] = 12,
    re_solve: Annotated[bool, typer.Option("--re-solve", help="Play each table as is best for it.")] = False,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Search for pay tables in whole numbers by house edge, hit frequency and top prize: the frontier of deviation.

    One table of the wager varies, the others stay. A table is on the frontier if no other that fits has both an edge
    and a deviation that are as low.
    """
    options = room.DesignOptions(edge or [2.0, 5.0], hit, top, paytable or [], slot, limit, re_solve, no_cache)
    raise typer.Exit(room.show_design(game, wager, options, as_json=as_json))


@app.command(epilog=example("strategy three-card-prime"))
def strategy(
    game: GameName,
    wager: Annotated[str | None, typer.Argument(metavar="[WAGER]", help="The main wager if left out.")] = None,
    paytable: Tables = None,
    reading: Readings = None,
    decks: Decks = None,
    lines: Annotated[int | None, typer.Option(help="At most so many lines for each decision.")] = None,
    as_json: AsJson = False,
) -> None:
    """Find how a person should play: a few lines for each decision, with their exact cost against optimal play."""
    options = strategies.StrategyOptions(game, wager, paytable, reading, decks)
    raise typer.Exit(strategies.show_strategy(options, lines, as_json=as_json))


@app.command(epilog=example('best three-card-prime --player "Qs 6d 4h" --paytable PW/BB-1'))
def best(
    game: GameName,
    player: Annotated[str, typer.Option(metavar="CARDS", help="The cards the player holds.")],
    up: Annotated[str | None, typer.Option(metavar="CARDS", help="The dealer's card that the player sees.")] = None,
    wager: Annotated[str | None, typer.Option(metavar="WAGER", help="The main wager if left out.")] = None,
    paytable: Tables = None,
    reading: Readings = None,
    decks: Decks = None,
    as_json: AsJson = False,
) -> None:
    """Compute what every decision is worth with one hand, the best first."""
    options = strategies.StrategyOptions(game, wager, paytable, reading, decks)
    raise typer.Exit(strategies.show_best(options, player, up, as_json=as_json))


@app.command(epilog=example("par three-card-prime prime --paytable PRW-1 --json"))
def par(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME | verify", help="A game's name, or verify; left out with --config.")
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WAGER... | FILE]", help="The wagers, all if left out; after verify, the sheet's file."
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option("-o", "--output", metavar="FILE", help="sheet.pdf or sheet.json. May be repeated."),
    ] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="A table's configuration: its PAR sheet.")] = None,
    paytable: Tables = None,
    pays: Annotated[
        list[str] | None, typer.Option(metavar="ID:EVENT=CELL", help="A row that does not pay as printed.")
    ] = None,
    envy: Annotated[
        list[str] | None, typer.Option(metavar="ID:EVENT=CELL", help="An Envy amount the operator set.")
    ] = None,
    reading: Readings = None,
    decks: Decks = None,
    meter: Annotated[
        list[str] | None, typer.Option(metavar="[WAGER=]DOLLARS", help="Show a jackpot at this meter. May be repeated.")
    ] = None,
    jackpot_type: Annotated[str | None, typer.Option(metavar="TYPE", help="progressive (default) or bonus.")] = None,
    jackpot_wager: Annotated[
        list[str] | None, typer.Option(metavar="[WAGER=]DOLLARS", help="The fixed jackpot wager, if not $1.")
    ] = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Make a PAR sheet of a configuration (-o sheet.pdf, -o sheet.json), or derive one again: par verify sheet.json."""
    if game == "verify":
        raise typer.Exit(par_sheets.verify_par(names or [], as_json=as_json))
    options = par_sheets.ParOptions(
        game=game,
        wagers=names or [],
        config=config,
        paytables=paytable or [],
        pays=pays or [],
        envy=envy or [],
        readings=reading or [],
        decks=decks,
        meters=meter or [],
        jackpot_type=jackpot_type,
        jackpot_wagers=jackpot_wager or [],
        outputs=output or [],
        as_json=as_json,
        fresh=no_cache,
    )
    raise typer.Exit(par_sheets.make_par(options))
