"""The `pitboss` command and its subcommands; each loads what it needs when it is called."""

from __future__ import annotations

import io
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.declaring import AsJson, Decks, NoCache
from pitboss.cli.declaring import example as _example
from pitboss.cli.room_app import register_room

__all__ = ["app", "main"]

app = typer.Typer(
    name="pitboss",
    help="Run the games and jackpots of a house-banked card room, and explain every cent.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as `pitboss games` lists it.")]
Tables = Annotated[
    list[str] | None,
    typer.Option(metavar="ID|FILE", help="A pay table, or a TOML file with an id and its own rows. May be repeated."),
]
Readings = Annotated[list[str] | None, typer.Option(metavar="NAME=READING", help="How a disputed clause is read.")]


@app.command(epilog=_example("pitboss games --json"))
def games(as_json: AsJson = False) -> None:
    """List the games with their wagers."""
    from pitboss.cli.listings import show_games  # noqa: PLC0415

    show_games(as_json=as_json)


@app.command(epilog=_example("pitboss rules three-card-prime"))
def rules(game: GameName, as_json: AsJson = False) -> None:
    """Tell a game's rules in our own words: wagers, deal, decisions, pay tables, readings, with clauses."""
    from pitboss.cli.listings import show_rules  # noqa: PLC0415

    show_rules(game, as_json=as_json)


@app.command(epilog=_example("pitboss paytables --game deuces-wild --wager five-card-fortune"))
def paytables(
    game: Annotated[str | None, typer.Option(help="Only this game's tables.")] = None,
    wager: Annotated[str | None, typer.Option(help="Only this wager's tables.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the pay tables, every cell as the documents print it."""
    from pitboss.cli.listings import show_paytables  # noqa: PLC0415

    show_paytables(game, wager, as_json=as_json)


@app.command(
    epilog=_example(
        'pitboss settle three-card-prime --dealer "Qd 9h 4c" --seat "As Ks Qs 2d | ante-play=10 prime=5 | play" '
        "--paytable PW/BB-1 --paytable PRW-1"
    )
)
def settle(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="A game's name; left out with --rounds.")] = None,
    rounds: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Settle a file of round records, one a line; - for standard input."),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'[N:] CARDS | WAGERS | DECISIONS'",
            help="A seat: its cards in the order dealt, wagers in dollars, decisions. May be repeated.",
        ),
    ] = None,
    dealer: Annotated[
        str | None, typer.Option(metavar="CARDS", help="The dealer's cards, a face-up card first.")
    ] = None,
    community: Annotated[str | None, typer.Option(metavar="CARDS", help="The community cards.")] = None,
    paytable: Annotated[
        list[str] | None, typer.Option(metavar="[WAGER=]ID", help="A pay table in force. May be repeated.")
    ] = None,
    pays: Annotated[
        list[str] | None,
        typer.Option(metavar="ID:EVENT=CELL", help="An amount the operator set, such as 'PRW-2:others=Loss'."),
    ] = None,
    envy: Annotated[
        list[str] | None, typer.Option(metavar="ID:EVENT=CELL", help="An Envy amount the operator set.")
    ] = None,
    reading: Annotated[
        list[str] | None, typer.Option(metavar="NAME=READING", help="How a disputed clause is read.")
    ] = None,
    meter: Annotated[
        list[str] | None, typer.Option(metavar="[WAGER=]DOLLARS", help="What a jackpot's meter displayed.")
    ] = None,
    decks: Annotated[int | None, typer.Option(help="How many decks, where the game has a choice.")] = None,
    jackpot_type: Annotated[str | None, typer.Option(metavar="TYPE", help="progressive (default) or bonus.")] = None,
    jackpot_wager: Annotated[
        list[str] | None, typer.Option(metavar="[WAGER=]DOLLARS", help="The fixed jackpot wager, if not $1.")
    ] = None,
    bonus_sharing: Annotated[
        str | None, typer.Option(metavar="HOW", help="Several winners of one Bonus jackpot row: full or split.")
    ] = None,
    on: Annotated[
        str | None, typer.Option(metavar="DATE", help="With --profile: check the money limits of that day.")
    ] = None,
    profile: Annotated[str | None, typer.Option(help="With --on: wa-commercial or wa-tribal.")] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take pay tables, readings and meters from here.")
    ] = None,
    workers: Annotated[int, typer.Option(help="With --rounds: how many processes.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Settle a round: what each wager was, what is taken or paid, and by which clauses."""
    from pitboss.cli.settling import settle_rounds, settle_typed  # noqa: PLC0415
    from pitboss.cli.typed_round import Typed  # noqa: PLC0415

    typed = Typed(
        game=game,
        seats=seat or [],
        boards={"dealer": dealer, "community": community},
        paytables=paytable or [],
        pays=pays or [],
        envy=envy or [],
        readings=reading or [],
        meters=meter or [],
        plain={
            "decks": decks,
            "jackpot_type": jackpot_type,
            "bonus_sharing": bonus_sharing,
            "on": on,
            "profile": profile,
        },
        jackpot_wagers=jackpot_wager or [],
        config=config,
    )
    if rounds is not None:
        raise typer.Exit(settle_rounds(rounds, workers, typed))
    raise typer.Exit(settle_typed(typed, as_json=as_json))


@app.command(epilog=_example("pitboss odds three-card-prime prime --paytable PRW-1"))
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
    all_wagers: Annotated[bool, typer.Option("--all", help="The whole catalogue of every game.")] = False,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Compute exact odds: expectation, edge, risk, deviation, events with integer counts."""
    from pitboss.cli.odds_command import Asked, show_catalogue, show_odds  # noqa: PLC0415

    if all_wagers:
        raise typer.Exit(show_catalogue(fresh=no_cache, as_json=as_json))
    if game is None:
        typer.echo("name a GAME, or --all; `pitboss odds --help` has an example", err=True)
        raise typer.Exit(2)
    asked = Asked(
        paytables=paytable or [],
        readings=reading or [],
        decks=decks,
        pays=pays or [],
        meter=meter,
        seats=seats,
        fresh=no_cache,
    )
    raise typer.Exit(show_odds(game, wager, asked, as_json=as_json))


@app.command(epilog=_example("pitboss switches three-card-prime"))
def switches(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; all of them if left out.")] = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Show every disputed clause with the house edge of each of its readings."""
    from pitboss.cli.switches_command import show_switches  # noqa: PLC0415

    raise typer.Exit(show_switches(game, fresh=no_cache, as_json=as_json))


@app.command(epilog=_example("pitboss sharing four-card-prime five-card-jackpot --seats 6"))
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
    from pitboss.cli.sharing_command import show_sharing  # noqa: PLC0415

    raise typer.Exit(show_sharing(game, wager, paytable or [], decks, seats, as_json=as_json))


@app.command(epilog=_example("pitboss together deuces-wild --reading fortune_after_raise=player_selects --ratio 5"))
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
    from pitboss.cli.together_command import show_together  # noqa: PLC0415

    code = show_together(game, wager, paytable or [], reading or [], ratio or [], fresh=no_cache, as_json=as_json)
    raise typer.Exit(code)


@app.command(epilog=_example("pitboss seen three-card-prime --kind dealer-card --paytable PW/BB-1"))
def seen(
    game: GameName,
    kind: Annotated[str | None, typer.Option(metavar="KIND", help="One kind of seen cards; all if left out.")] = None,
    paytable: Tables = None,
    reading: Readings = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Compute what seen cards are worth: the edge without and with them, and how often they change the decision."""
    from pitboss.cli.seen_command import show_seen  # noqa: PLC0415

    raise typer.Exit(show_seen(game, kind, paytable or [], reading or [], fresh=no_cache, as_json=as_json))


@app.command(epilog=_example("pitboss strategy three-card-prime --paytable PW/BB-1"))
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
    from pitboss.cli.strategy_command import Asked, show_strategy  # noqa: PLC0415

    raise typer.Exit(show_strategy(Asked(game, wager, paytable, reading, decks), lines, as_json=as_json))


@app.command(epilog=_example('pitboss best three-card-prime --player "Qs 6d 4h" --paytable PW/BB-1'))
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
    from pitboss.cli.strategy_command import Asked, show_best  # noqa: PLC0415

    raise typer.Exit(show_best(Asked(game, wager, paytable, reading, decks), player, up, as_json=as_json))


@app.command(epilog=_example("pitboss par three-card-prime prime --paytable PRW-1 --json"))
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
    from pitboss.cli.par_command import Asked, make_par, verify_par  # noqa: PLC0415

    if game == "verify":
        raise typer.Exit(verify_par(names or [], as_json=as_json))
    asked = Asked(
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
    raise typer.Exit(make_par(asked))


@app.command(epilog=_example("pitboss check examples/three-card-prime.toml"))
def check(
    file: Annotated[Path, typer.Argument(metavar="CONFIG", help="A table's configuration (TOML).")],
    as_json: AsJson = False,
) -> None:
    """Check a table's configuration: every problem with its line and clause, and what differs from the default."""
    from pitboss.cli.checking import check_file  # noqa: PLC0415

    raise typer.Exit(check_file(file, as_json=as_json))


@app.command(epilog=_example("pitboss config four-card-prime"))
def config(
    game: GameName,
    on: Annotated[
        str | None, typer.Option(metavar="DATE", help="The day whose rules are in force; today if left out.")
    ] = None,
    profile: Annotated[str, typer.Option(help="wa-commercial or wa-tribal.")] = "wa-commercial",
) -> None:
    """Print the default configuration of a game as TOML, to edit and check."""
    from pitboss.cli.checking import print_default  # noqa: PLC0415

    raise typer.Exit(print_default(game, on, profile))


@app.command(
    epilog=_example("pitboss play deuces-wild --key 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff")
)
def play(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game's name; asked for if left out.")] = None,
    key: Annotated[str | None, typer.Option(metavar="HEX", help="64 hex digits: deal the same shoes again.")] = None,
    bankroll: Annotated[str, typer.Option(metavar="DOLLARS", help="Play money to start with.")] = "1000",
    others: Annotated[int, typer.Option(help="How many other seats play along.")] = 0,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Play at this table instead of the default.")
    ] = None,
) -> None:
    """Sit down at a practice table in the terminal: all wagers, play money, every payout explained."""
    from pitboss.cli.practice import practise  # noqa: PLC0415

    raise typer.Exit(practise(game, key, bankroll, others, config))


register_room(app)


def main() -> None:
    """Run the command; a reader that goes away or Ctrl-C ends it quietly, and no character fails to print."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
