"""Declares the commands of tables and rounds; each loads what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.app import AsJson, Decks, GameName, Readings, Strict, app, deferred, example

if TYPE_CHECKING:
    from pitboss.cli.games import catalogue, practice, printing, settlements, training, typed_round
else:
    catalogue, practice, printing, settlements, training, typed_round = deferred(
        __name__, "catalogue", "practice", "printing", "settlements", "training", "typed_round"
    )


@app.command(epilog=example("games --json"))
def games(as_json: AsJson = False) -> None:
    """List the games with their wagers."""
    catalogue.show_games(as_json=as_json)


@app.command(epilog=example("rules three-card-prime"))
def rules(game: GameName, as_json: AsJson = False) -> None:
    """Show a game's rules: wagers, deal, decisions, pay tables and readings, with clauses."""
    catalogue.show_rules(game, as_json=as_json)


@app.command(epilog=example("paytables --game deuces-wild --wager five-card-fortune"))
def paytables(
    game: Annotated[str | None, typer.Option(help="Only this game's tables.")] = None,
    wager: Annotated[str | None, typer.Option(help="Only this wager's tables.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the pay tables, every cell as the documents print it."""
    catalogue.show_paytables(game, wager, as_json=as_json)


@app.command(
    epilog=example(
        'settle three-card-prime --dealer "Qd 9h 4c" --seat "As Ks Qs 2d | ante-play=10 prime=5 | play" '
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
            help="A seat: its cards in the order dealt, wagers in dollars, decisions (also 'turned' for a foul hand "
            "that was, and 'person=NAME' on two seats). May be repeated.",
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
    reading: Readings = None,
    meter: Annotated[
        list[str] | None, typer.Option(metavar="[WAGER=]DOLLARS", help="What a jackpot's meter displayed.")
    ] = None,
    decks: Decks = None,
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
    void: Annotated[
        str | None, typer.Option(metavar="CAUSE", help="The round is void: misdeal, exposed-card, fouled-deck, ...")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take pay tables, readings and meters from here.")
    ] = None,
    workers: Annotated[int, typer.Option(help="With --rounds: how many processes.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Settle a round: what each wager was, what is taken or paid, and by which clauses."""
    typed = typed_round.Typed(
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
            "void": void,
        },
        jackpot_wagers=jackpot_wager or [],
        config=config,
    )
    if rounds is not None:
        raise typer.Exit(settlements.settle_rounds(rounds, workers, typed))
    raise typer.Exit(settlements.settle_typed(typed, as_json=as_json))


@app.command(epilog=example("check examples/three-card-prime.toml"))
def check(
    file: Annotated[Path, typer.Argument(metavar="CONFIG", help="A table's configuration (TOML).")],
    room: Annotated[
        Path | None, typer.Option(metavar="DATA", help="Check it for a table of this room, approvals and all.")
    ] = None,
    table: Annotated[str, typer.Option(metavar="TABLE", help="The table of the room; all if left out.")] = "",
    edges: Annotated[
        bool, typer.Option("--edges", help="Count the house edge of every wager; one below zero is refused.")
    ] = False,
    on: Annotated[
        str | None, typer.Option(metavar="DATE", help="By the rules of another day than the file states.")
    ] = None,
    profile: Annotated[str | None, typer.Option(help="As in another kind of room: wa-commercial or wa-tribal.")] = None,
    strict: Strict = False,
    as_json: AsJson = False,
) -> None:
    """Check a table's configuration: what is refused, what must be confirmed, and advice, each with what fixes it.

    Ends with 0 where the table may open, 1 where something is refused, 2 where the command is typed wrongly, and with
    --strict 3 where something must be confirmed.
    """
    checking = catalogue.Checking(room, table, on, profile, edges=edges, is_strict=strict)
    raise typer.Exit(catalogue.check_file(file, checking, as_json=as_json))


@app.command(epilog=example("config four-card-prime"))
def config(
    game: GameName,
    on: Annotated[
        str | None, typer.Option(metavar="DATE", help="The day whose rules are in force; today if left out.")
    ] = None,
    profile: Annotated[str, typer.Option(help="wa-commercial or wa-tribal.")] = "wa-commercial",
) -> None:
    """Print the default configuration of a game as TOML, to edit and check."""
    raise typer.Exit(catalogue.print_default(game, on, profile))


@app.command("print", epilog=example("print examples/three-card-prime.toml --paper rack-card -o rack-card.pdf"))
def print_papers(
    file: Annotated[Path | None, typer.Argument(metavar="[CONFIG]", help="A table's configuration (TOML).")] = None,
    room: Annotated[
        Path | None,
        typer.Option(metavar="DATA", help="Print for a table of this room instead: data directory or backup."),
    ] = None,
    table: Annotated[str, typer.Option(metavar="TABLE", help="The table of the room.")] = "",
    paper: Annotated[
        list[str] | None, typer.Option(metavar="PAPER", help="Only this paper, by its name. May be repeated.")
    ] = None,
    size: Annotated[
        str, typer.Option(metavar="SIZE", help="4x6, 5x7, letter, 11x17 or full, where a paper has it.")
    ] = "",
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FOLDER", help="A folder, or a file for one paper: .pdf, .png, .svg."),
    ] = Path("papers"),
    draft: Annotated[
        bool, typer.Option("--draft", help="Print a table that may not open, DRAFT on every page.")
    ] = False,
    with_odds: Annotated[
        bool, typer.Option("--odds", help="Print the house edge of every wager on the rack card.")
    ] = False,
    with_sheet: Annotated[
        bool, typer.Option("--par/--no-par", help="Count the PAR sheet of a submission; it takes some seconds.")
    ] = True,
    hit: Annotated[int, typer.Option(metavar="NUMBER", help="The forms of this jackpot of the room, filled in.")] = 0,
    malfunction: Annotated[
        int, typer.Option(metavar="NUMBER", help="The report of this open malfunction of the room, filled in.")
    ] = 0,
    log: Annotated[
        str, typer.Option(metavar="DAY", help="The table log of this gambling day, filled in; with --table.")
    ] = "",
    is_list: Annotated[bool, typer.Option("--list", help="List the papers there are, and their sizes.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the papers of a table: rack card, placards, layout, dealer's procedure, submission, forms, training."""
    if is_list:
        raise typer.Exit(printing.list_papers(as_json=as_json))
    if hit or malfunction or log:
        raise typer.Exit(printing.print_case(room, printing.FilledForm(hit, malfunction, log, table), output))
    options = printing.PrintOptions(paper or [], size, output, draft, with_odds, with_sheet, as_json)
    raise typer.Exit(printing.print_papers(file, (room, table), options))


@app.command(epilog=example("diff examples/three-card-prime.toml examples/three-card-prime-operator-set.toml"))
def diff(
    before: Annotated[Path, typer.Argument(metavar="BEFORE", help="The configuration in force (TOML).")],
    after: Annotated[Path, typer.Argument(metavar="AFTER", help="The configuration to come (TOML).")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the notice of change as a PDF.")
    ] = None,
    edges: Annotated[
        bool, typer.Option("--edges", help="Count the house edge of every wager, before and after.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what changes between two configurations: settings, pays, odds, approvals touched, papers to print anew."""
    raise typer.Exit(printing.show_diff(before, after, output, edges=edges, as_json=as_json))


@app.command(epilog=example("play deuces-wild --key 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"))
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
    raise typer.Exit(practice.practise(game, key, bankroll, others, config))


@app.command(epilog=example("train super-three-card --hands 1 --seed 0011223344556677"))
def train(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game's name; asked for if left out.")] = None,
    hands: Annotated[int, typer.Option(help="How many rounds are paid.")] = 10,
    seed: Annotated[str | None, typer.Option(metavar="TEXT", help="The same text gives the same rounds.")] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Train this table instead of the default.")
    ] = None,
) -> None:
    """Take and pay finished rounds as a dealer does; every answer is marked by the settlement, with its clause."""
    raise typer.Exit(training.train(game, config, seed, hands))
