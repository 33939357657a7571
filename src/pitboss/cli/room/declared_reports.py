"""The commands about reports, declared; each loads what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.app import AsJson, app, example

Book = Annotated[str, typer.Option(help="Which book.")]
Day = Annotated[str | None, typer.Option(metavar="DAY", help="One gambling day, such as 2026-11-15.")]
First = Annotated[str | None, typer.Option("--from", metavar="DAY", help="The first gambling day.")]
Last = Annotated[str | None, typer.Option("--to", metavar="DAY", help="The last gambling day.")]
Made = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="Say that it was made then, such as 2026-11-16T08:00Z: to make a paper again."),
]
Profile = Annotated[str, typer.Option(help="The kind of room whose thresholds bind.")]


@app.command(epilog=example("pitboss report meters examples/hits.backup"))
def report(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Which report; --list names them all.")] = None,
    path: Annotated[
        Path | None, typer.Argument(metavar="DIR|BACKUP", help="A room's data directory, or a backup.")
    ] = None,
    day: Day = None,
    first: First = None,
    last: Last = None,
    shift: Annotated[str | None, typer.Option(metavar="NAME", help="One shift of the day.")] = None,
    table: Annotated[str | None, typer.Option(metavar="NAME", help="Only this table.")] = None,
    jackpot: Annotated[str | None, typer.Option(metavar="NAME", help="Only this jackpot.")] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the reports there are.")] = False,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write a .pdf, .csv or .json file.")
    ] = None,
    made: Made = None,
    profile: Profile = "wa-commercial",
    book: Book = "room",
) -> None:
    """Make a report of a gambling day, a shift or a longer period, the last day where none is named.

    Ends with 1 where something does not hold that must: a meter does not balance, a slip is missing.
    """
    from pitboss.cli.room.report_files import Wanted, list_reports, show_report  # noqa: PLC0415

    if list_all or name is None or path is None:
        raise typer.Exit(list_reports(as_json=as_json, asked=list_all))
    wanted = Wanted(path, book, day, first, last, shift, table, jackpot, made, profile)
    raise typer.Exit(show_report(name, wanted, as_json=as_json, as_csv=as_csv, output=output))


@app.command(epilog=example("pitboss packet examples/hits.backup --from 2026-11-15 --to 2026-11-15 -o packet.pdf"))
def packet(
    path: Annotated[Path, typer.Argument(metavar="DIR|BACKUP", help="A room's data directory, or a backup.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR|FILE", help="A .pdf file, or a folder for PDF, CSV and JSON.")
    ],
    first: First = None,
    last: Last = None,
    made: Made = None,
    profile: Profile = "wa-commercial",
    book: Book = "room",
) -> None:
    """Make an agent's packet of a period: approvals, configurations, readings, hits, adjustments, voids, chain.

    Ends with 1 where something does not hold that must.
    """
    from pitboss.cli.room.report_files import Wanted, write_packet  # noqa: PLC0415

    wanted = Wanted(path, book, None, first, last, None, None, None, made, profile)
    raise typer.Exit(write_packet(wanted, output))
