"""The commands about tables and their devices, declared; each loads what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from pitboss.cli.app import AsJson, app, example

tables = typer.Typer(
    help="Equip tables, look at them, and do what dealers and supervisors do there.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(tables, name="tables")

Data = Annotated[Path, typer.Argument(metavar="DIR", help="The room's data directory.")]
Source = Annotated[Path, typer.Argument(metavar="DIR|BACKUP", help="A room's data directory, or a backup.")]
Table = Annotated[str, typer.Argument(metavar="TABLE", help="The table's name.")]
SetupFile = Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file with a table's equipment.")]
Round = Annotated[int, typer.Argument(metavar="ROUND", help="The round's number.")]
Book = Annotated[str, typer.Option(help="Which book.")]
Named = Annotated[str, typer.Option("--person", metavar="NAME", help="Who does this; it is journalled.")]
Role = Annotated[str, typer.Option(help="In which role: dealer, supervisor or manager.")]
Approver = Annotated[str, typer.Option("--approved-by", metavar="NAME", help="The second person; it is journalled.")]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="Why; it is journalled.")]
Seats = Annotated[
    list[str] | None,
    typer.Option(metavar="WAGER=SEATS", help="Seats with a wager, such as prime=1,3. May be repeated."),
]
_SUE = '--person "Sue Halvorsen"'
_TWO = f'{_SUE} --approved-by "Max Adeyemi"'


def _example(text: str) -> str:
    return example(f"pitboss tables {text}")


@tables.command(epilog=_example("show examples/tables.backup"))
def show(
    path: Source,
    table: Annotated[str | None, typer.Option(help="One table, with its seats and last rounds.")] = None,
    book: Book = "room",
    as_json: AsJson = False,
) -> None:
    """Show the tables of a room, their devices, alarms, and malfunctions with the time left to report them."""
    from pitboss.cli.room.table_listings import show_tables  # noqa: PLC0415

    raise typer.Exit(show_tables(path, book, table, as_json=as_json))


@tables.command(epilog=_example("models"))
def models(as_json: AsJson = False) -> None:
    """List the models of equipment, what each can, and which games may use it."""
    from pitboss.cli.room.table_listings import show_models  # noqa: PLC0415

    raise typer.Exit(show_models(as_json=as_json))


@tables.command(epilog=_example("check examples/equipment/table-4.toml"))
def check(
    file: SetupFile,
    on: Annotated[
        str | None, typer.Option(metavar="DATE", help="The day whose limits hold; today if left out.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a table's equipment against the approvals; everything that is wrong is told at once."""
    from pitboss.cli.room.table_listings import check_setup  # noqa: PLC0415

    raise typer.Exit(check_setup(file, on, as_json=as_json))


def _do(
    path: Path, name: str, fields: dict[str, Any], person: str, role: str = "", second: str = "", *, as_json: bool
) -> NoReturn:
    """Carry a command of the room out by its name, and exit as it went."""
    from pitboss.cli.room.actions import do_command  # noqa: PLC0415

    raise typer.Exit(do_command(path, name, fields, person, role=role, approved_by=second, as_json=as_json))


@tables.command("set-up", epilog=_example(f'set-up room examples/equipment/table-4.toml {_TWO} --reason "new table"'))
def set_up(
    path: Data,
    file: SetupFile,
    person: Named,
    approved_by: Approver,
    reason: Reason,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Prepare it for this later gambling day.")] = None,
    as_json: AsJson = False,
) -> None:
    """Set a closed table up, or prepare a change for the opening of a later day."""
    from pitboss.cli.room.actions import set_up as act  # noqa: PLC0415

    raise typer.Exit(act(path, file, person, approved_by, reason, since, as_json=as_json))


@tables.command("open", epilog=_example(f"open room 2 {_SUE}"))
def open_table(path: Data, table: Table, person: Named, as_json: AsJson = False) -> None:
    """Open a table; what was prepared for today is in force."""
    _do(path, "tables/open", {"table": table}, person, as_json=as_json)


@tables.command("close", epilog=_example(f"close room 3 {_SUE}"))
def close_table(path: Data, table: Table, person: Named, as_json: AsJson = False) -> None:
    """Close a table between rounds."""
    _do(path, "tables/close", {"table": table}, person, as_json=as_json)


@tables.command(epilog=_example(f'suspend room 3 {_SUE} --reason "display dark"'))
def suspend(path: Data, table: Table, person: Named, reason: Reason, as_json: AsJson = False) -> None:
    """Suspend the jackpots of a table between rounds."""
    _do(path, "tables/suspend", {"table": table, "words": reason}, person, as_json=as_json)


@tables.command(epilog=_example(f'resume room 3 {_TWO} --reason "display is back"'))
def resume(
    path: Data, table: Table, person: Named, approved_by: Approver, reason: Reason, as_json: AsJson = False
) -> None:
    """Play the jackpots of a table again, by two people."""
    _do(path, "tables/resume", {"table": table, "words": reason}, person, "", approved_by, as_json=as_json)


@tables.command(epilog=_example(f'dealer room 3 "Dora Vane" {_SUE}'))
def dealer(
    path: Data,
    table: Table,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The dealer in charge from now on.")],
    person: Named,
    as_json: AsJson = False,
) -> None:
    """Put another dealer in charge; a round goes on meanwhile."""
    _do(path, "tables/dealer", {"table": table, "dealer": name}, person, "supervisor", as_json=as_json)


@tables.command(epilog=_example('press room 3 --seats final-four=1,3,6 --person "Dan Ortiz"'))
def press(path: Data, table: Table, person: Named, seats: Seats = None, as_json: AsJson = False) -> None:
    """Press at a table that is counted by hand: the first press counts these seats, the next ends the round."""
    from pitboss.cli.room.actions import press as act  # noqa: PLC0415

    raise typer.Exit(act(path, table, person, seats or [], as_json=as_json))


@tables.command(
    epilog=_example(
        'correct room 1 6 --missed final-four=3 --person "Dan Ortiz" --role dealer --reason "chip under the light"'
    )
)
def correct(
    path: Data,
    table: Table,
    round_number: Round,
    person: Named,
    reason: Reason,
    missed: Annotated[str, typer.Option(metavar="WAGER=SEATS", help="Wagers that lay there and were not seen.")] = "",
    miscounted: Annotated[str, typer.Option(metavar="WAGER=SEATS", help="Wagers counted that were not there.")] = "",
    refunded: Annotated[str, typer.Option(metavar="WAGER=SEATS", help="Wagers that are given back.")] = "",
    role: Role = "supervisor",
    approved_by: Approver = "",
    as_json: AsJson = False,
) -> None:
    """Correct a counted round: the dealer before the next press, afterwards a supervisor with a second person."""
    from pitboss.cli.room.actions import correct as act  # noqa: PLC0415

    causes = {"missed": missed, "miscounted": miscounted, "refunded": refunded}
    fields = {"table": table, "round": round_number, "words": reason}
    raise typer.Exit(act(path, fields, causes, person, role, approved_by, as_json=as_json))


@tables.command(epilog=_example(f'void room 1 6 --cause exposed-card {_TWO} --reason "card turned over"'))
def void(
    path: Data,
    table: Table,
    round_number: Round,
    cause: Annotated[str, typer.Option(metavar="CAUSE", help="shuffler-malfunction, misdeal, exposed-card, ...")],
    person: Named,
    approved_by: Approver,
    reason: Reason,
    as_json: AsJson = False,
) -> None:
    """Make a round void, by two people; the house refunds its jackpot wagers and no meter falls."""
    fields = {"table": table, "round": round_number, "cause": cause, "words": reason}
    _do(path, "tables/void", fields, person, "", approved_by, as_json=as_json)


@tables.command(epilog=_example(f'down room 1 {_SUE} --reason "panel dark"'))
def down(path: Data, table: Table, person: Named, reason: Reason, as_json: AsJson = False) -> None:
    """Take equipment out of play by its configured method, and start the clock of its malfunction."""
    _do(path, "tables/down", {"table": table, "words": reason}, person, as_json=as_json)


Rounds = Annotated[int, typer.Argument(metavar="ROUNDS", help="How many rounds were played by hand.")]


@tables.command(epilog=_example(f'counts room 5 3 --seats final-four=1:3,4:2 {_TWO} --reason "sheet of the dealer"'))
def counts(
    path: Data,
    table: Table,
    rounds: Rounds,
    person: Named,
    approved_by: Approver,
    reason: Reason,
    seats: Annotated[
        list[str] | None, typer.Option(metavar="WAGER=SEAT:COUNT", help="Wagers by seat, such as prime=1:3,4:2.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Enter the counts of rounds that were played by hand."""
    from pitboss.cli.room.actions import enter_counts as act  # noqa: PLC0415

    fields = {"table": table, "rounds": rounds, "words": reason}
    raise typer.Exit(act(path, fields, seats or [], person, approved_by, as_json=as_json))


@tables.command(epilog=_example(f'restore room 5 0 {_TWO} --reason "panel replaced"'))
def restore(
    path: Data,
    table: Table,
    rounds: Rounds,
    person: Named,
    approved_by: Approver,
    reason: Reason,
    as_json: AsJson = False,
) -> None:
    """Return equipment to play; the rounds played by hand are compared with those entered."""
    fields = {"table": table, "rounds_played": rounds, "words": reason}
    _do(path, "tables/restore", fields, person, "", approved_by, as_json=as_json)


@tables.command(epilog=_example('read room 3 1250 --person "Dan Ortiz" --role dealer'))
def read(
    path: Data,
    table: Table,
    reading: Annotated[int, typer.Argument(metavar="NUMBER", help="What the counter shows.")],
    person: Named,
    rolled_over: Annotated[bool, typer.Option(help="The counter went over its last digit.")] = False,
    replaced: Annotated[bool, typer.Option(help="The counter is another one.")] = False,
    reason: Reason = "",
    role: Role = "supervisor",
    as_json: AsJson = False,
) -> None:
    """Write down what a non-resettable counter shows, for the shift."""
    fields = {"table": table, "reading": reading, "rolled_over": rolled_over, "replaced": replaced, "words": reason}
    _do(path, "tables/read-counter", fields, person, role, as_json=as_json)


@tables.command(epilog=_example(f'malfunction room 1 {_SUE} --reason "sensor of seat 3 dead"'))
def malfunction(path: Data, table: Table, person: Named, reason: Reason, as_json: AsJson = False) -> None:
    """Write a malfunction down; it must be reported within 72 hours."""
    _do(path, "tables/malfunction", {"table": table, "words": reason}, person, as_json=as_json)


Malfunction = Annotated[int, typer.Argument(metavar="NUMBER", help="The malfunction's number.")]


@tables.command(epilog=_example(f'report room 57 --reference "WSGC 26-114" {_SUE}'))
def report(
    path: Data,
    number: Malfunction,
    reference: Annotated[str, typer.Option(metavar="TEXT", help="Under which the commission has it.")],
    person: Named,
    as_json: AsJson = False,
) -> None:
    """Write down that a malfunction was reported to the commission."""
    _do(path, "tables/report", {"malfunction": number, "reference": reference}, person, as_json=as_json)


@tables.command(epilog=_example(f'mend room 57 {_SUE} --reason "cable replaced"'))
def mend(path: Data, number: Malfunction, person: Named, reason: Reason, as_json: AsJson = False) -> None:
    """Write down that a malfunction is over."""
    _do(path, "tables/mend", {"malfunction": number, "words": reason}, person, as_json=as_json)


@tables.command(epilog=_example(f'clear room "disagreeing 1 5.1" {_SUE} --reason "cleaned"'))
def clear(
    path: Data,
    alarm: Annotated[str, typer.Argument(metavar="ALARM", help="As `pitboss tables show` names it.")],
    person: Named,
    reason: Reason,
    as_json: AsJson = False,
) -> None:
    """Write down what was found about an alarm, and clear it."""
    _do(path, "tables/clear-alarm", {"alarm": alarm, "words": reason}, person, as_json=as_json)


@app.command(
    epilog=example("pitboss device - --device A3-0017 --table 4 --rounds 1 --seed 1 --start 2026-11-16T20:00:00+00:00")
)
def device(
    url: Annotated[str, typer.Argument(metavar="URL|-", help="Where messages are posted; - prints them instead.")],
    name: Annotated[str, typer.Option("--device", metavar="NAME", help="The device's name.")],
    table: Annotated[str, typer.Option(metavar="TABLE", help="The table it stands at.")],
    rounds: Annotated[int, typer.Option(help="How many rounds to play.")] = 10,
    seats: Annotated[int, typer.Option(help="Positions in play.")] = 7,
    sensors: Annotated[int, typer.Option(help="Sensors a position.")] = 1,
    dealer: Annotated[list[str] | None, typer.Option(metavar="NAME", help="A dealer's badge. May be repeated.")] = None,
    buffer: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where it keeps what waits; needed to post.")
    ] = None,
    token_file: Annotated[Path | None, typer.Option(metavar="FILE", help="A file with its token.")] = None,
    fault: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FAULT=VALUE",
            help="duplicate, gap, lost-reply, reorder, cut (chances); dead, stuck (such as 3.1); skew (seconds).",
        ),
    ] = None,
    speed: Annotated[float, typer.Option(help="How many times faster than people play.")] = 1.0,
    seed: Annotated[int | None, typer.Option(help="Of its chances; random if left out.")] = None,
    start: Annotated[str | None, typer.Option(metavar="TIME", help="With -: when its clock begins.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a table's sensors and button over the line that devices use, with faults on request."""
    from pitboss.cli.room.devices import DeviceAsked, run_device  # noqa: PLC0415

    asked = DeviceAsked(
        url=url, name=name, table=table, rounds=rounds, seats=seats, sensors=sensors, dealers=dealer or [],
        buffer=buffer, token_file=token_file, faults=fault or [], speed=speed, seed=seed, start=start, as_json=as_json,
    )  # fmt: skip
    raise typer.Exit(run_device(asked))
