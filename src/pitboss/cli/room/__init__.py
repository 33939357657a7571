"""The commands about a room: its jackpots, hits, tables, reports and displays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.app import AsJson, Book, Data, Person, Reason, Source, Strict, app, deferred, example, group

if TYPE_CHECKING:
    from pitboss.cli.room import (
        approval_listings,
        devices,
        displays,
        jackpot_listings,
        papers,
        provisioning,
        report_files,
        served,
        tables,
    )
else:
    approval_listings, devices, displays, jackpot_listings, papers, provisioning, report_files, served, tables = (
        deferred(
            __name__,
            "approval_listings",
            "devices",
            "displays",
            "jackpot_listings",
            "papers",
            "provisioning",
            "report_files",
            "served",
            "tables",
        )
    )


@app.command(epilog=example("tomorrow examples/jackpots.backup"))
def tomorrow(
    path: Source,
    on: Annotated[str | None, typer.Option(metavar="DATE", help="Another gambling day than tomorrow.")] = None,
    strict: Strict = False,
    book: Book = "room",
    as_json: AsJson = False,
) -> None:
    """Say whether a room may open tomorrow: approvals, papers, equipment, display, escrow, people, what it can cost.

    Ends with 1 where something stops a table from opening.
    """
    raise typer.Exit(papers.show_readiness(path, on, book, as_json=as_json, strict=strict))


@app.command(epilog=example("jackpots examples/jackpots.backup"))
def jackpots(path: Source, book: Book = "room", as_json: AsJson = False) -> None:
    """List the jackpots of a room: play, meters, counted wagers, tables, and how the escrow stands."""
    raise typer.Exit(jackpot_listings.list_jackpots(path, book, as_json=as_json))


@app.command(epilog=example("approvals examples/jackpots.backup"))
def approvals(path: Source, book: Book = "room", as_json: AsJson = False) -> None:
    """List what waits for an approver: what each request changes, who requested it and why."""
    raise typer.Exit(approval_listings.list_approvals(path, book, as_json=as_json))


@app.command(epilog=example("explain examples/jackpots.backup main"))
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
        raise typer.Exit(jackpot_listings.explain_prize(path, book, int(number), as_json=as_json))
    raise typer.Exit(jackpot_listings.explain_amount(path, book, what, as_json=as_json))


@app.command(epilog=example("hits examples/hits.backup"))
def hits(
    path: Source,
    open_only: Annotated[bool, typer.Option("--open", help="Only those that are not finished.")] = False,
    book: Book = "room",
    as_json: AsJson = False,
) -> None:
    """List the jackpot hits of a room: where each stands, its prizes, its slips, and small prizes in sum."""
    raise typer.Exit(jackpot_listings.show_hits(path, book, open_only=open_only, as_json=as_json))


@app.command(epilog=example("slip examples/hits.backup 1"))
def slip(
    path: Source,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The slip's number.")],
    copy: Annotated[int, typer.Option(help="A reprint that was logged, from 1.")] = 0,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="A .pdf file.")] = None,
    paper: Annotated[str, typer.Option(help="letter or 80mm, for the PDF.")] = "letter",
    book: Book = "room",
    as_json: AsJson = False,
) -> None:
    """Show a jackpot slip, or write it as a PDF; a reprint is marked."""
    raise typer.Exit(jackpot_listings.show_slip(path, book, number, copy, output, paper, as_json=as_json))


@app.command(
    epilog=example('do room jackpots/close \'{"name": "main", "words": "end of day"}\' --person "Sue Halvorsen"')
)
def do(
    path: Data,
    name: Annotated[str, typer.Argument(metavar="COMMAND", help="A command by its name in the API.")],
    fields: Annotated[str, typer.Argument(metavar="JSON|@FILE", help="Its fields, or a file that has them.")],
    person: Person,
    role: Annotated[str, typer.Option(help="In which role; the first that may, if left out.")] = "",
    approved_by: Annotated[str, typer.Option("--approved-by", metavar="NAME", help="The approver.")] = "",
    as_json: AsJson = False,
) -> None:
    """Carry out any command of the room, with the fields and the refusals of the API."""
    raise typer.Exit(tables.do_any(path, name, fields, person, role, approved_by, as_json=as_json))


@app.command(epilog=example("provision examples/provision new-room --plan"))
def provision(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the files of the room.")],
    path: Annotated[Path, typer.Argument(metavar="ROOM", help="The room's data directory; it need not exist yet.")],
    plan: Annotated[bool, typer.Option("--plan", help="Show what would be done; this is what is done alone.")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Do it, by the commands and approvals of the room.")] = False,
    export: Annotated[bool, typer.Option("--export", help="Write the files of the room into a new folder.")] = False,
    person: Annotated[str, typer.Option(metavar="NAME", help="Who does it, in a room without people.")] = "",
    approved_by: Annotated[
        str, typer.Option("--approved-by", metavar="NAME", help="The approver, in a room without people.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Bring a room to what files say: settings, tables, equipment, jackpots, displays, devices, people, backups.

    What needs an approver becomes a request; after it was approved, apply again and it goes on. Ends with 1 where
    something is left to do.
    """
    provisioning.require_one(plan=plan, apply=apply, export=export)
    if export:
        raise typer.Exit(provisioning.export_files(folder, path, as_json=as_json))
    if apply:
        raise typer.Exit(provisioning.apply_files(folder, path, person, approved_by, as_json=as_json))
    raise typer.Exit(provisioning.show_plan(folder, path, as_json=as_json))


@app.command(epilog=example("token"))
def token() -> None:
    """Save the token that you have made in the browser: with it you act in a room whose server runs."""
    raise typer.Exit(served.keep_token())


Request = Annotated[int, typer.Argument(metavar="REQUEST", help="The number of the request.")]


@app.command(epilog=example("approve room 4711"))
def approve(path: Data, number: Request, as_json: AsJson = False) -> None:
    """Approve what another person has requested; your token says who you are."""
    raise typer.Exit(served.decide(path, number, None, as_json=as_json))


@app.command(epilog=example('decline room 4711 --reason "wrong table"'))
def decline(path: Data, number: Request, reason: Reason, as_json: AsJson = False) -> None:
    """Decline what another person has requested, or withdraw your own request."""
    raise typer.Exit(served.decide(path, number, reason, as_json=as_json))


@app.command(
    epilog=example("device - --device A3-0017 --table 4 --rounds 1 --seed 1 --start 2026-11-16T20:00:00+00:00")
)
def device(
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL|-|conform",
            help="A server or an MQTT broker; - prints instead; conform URL tries its contract.",
        ),
    ],
    name: Annotated[str, typer.Option("--device", metavar="NAME", help="The device's name.")],
    table: Annotated[str, typer.Option(metavar="TABLE", help="The table it stands at.")],
    server: Annotated[str, typer.Argument(metavar="URL", hidden=True)] = "",
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
    logger: Annotated[
        int, typer.Option(metavar="ROUNDS", help="Play an Andromeda-1, whose logger sends so many rounds together.")
    ] = 0,
    backlog: Annotated[int, typer.Option(help="With conform: how many rounds wait after a break.")] = 20,
    force: Annotated[
        bool, typer.Option("--force", help="With conform: at a table without example papers, whose meters then move.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a tabulator: sensors and button, over the line that devices use, with faults on request."""
    if url == devices.CONFORM:
        place = devices.ConformOptions(server, name, table, token_file, backlog, is_forced=force, as_json=as_json)
        raise typer.Exit(devices.run_conformance(place))
    if server:
        raise typer.BadParameter(f"{server!r} is one address too many")
    options = devices.DeviceOptions(
        url=url, name=name, table=table, rounds=rounds, seats=seats, sensors=sensors, dealers=dealer or [],
        buffer=buffer, token_file=token_file, faults=fault or [], speed=speed, seed=seed, start=start, as_json=as_json,
        logger=logger,
    )  # fmt: skip
    raise typer.Exit(devices.run_device(options))


Day = Annotated[str | None, typer.Option(metavar="DAY", help="One gambling day, such as 2026-11-15.")]
First = Annotated[str | None, typer.Option("--from", metavar="DAY", help="The first gambling day.")]
Last = Annotated[str | None, typer.Option("--to", metavar="DAY", help="The last gambling day.")]
MadeAt = Annotated[
    str | None,
    typer.Option(
        "--made", metavar="TIME", help="Say that it was made then, such as 2026-11-16T08:00Z: to make a paper again."
    ),
]
Profile = Annotated[str, typer.Option(help="The kind of room whose thresholds bind.")]


@app.command(epilog=example("report meters examples/hits.backup"))
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
    made_at: MadeAt = None,
    profile: Profile = "wa-commercial",
    book: Book = "room",
) -> None:
    """Make a report of a gambling day, a shift or a longer period, the last day where none is named.

    Ends with 1 where something does not hold that must: a meter does not balance, a slip is missing.
    """
    if list_all or name is None or path is None:
        raise typer.Exit(report_files.list_reports(as_json=as_json, is_complete=list_all))
    options = report_files.ReportOptions(path, book, day, first, last, shift, table, jackpot, made_at, profile)
    raise typer.Exit(report_files.show_report(name, options, as_json=as_json, as_csv=as_csv, output=output))


@app.command(epilog=example("packet examples/hits.backup --from 2026-11-15 --to 2026-11-15 -o packet.pdf"))
def packet(
    path: Source,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR|FILE", help="A .pdf file, or a folder for PDF, CSV and JSON.")
    ],
    first: First = None,
    last: Last = None,
    made_at: MadeAt = None,
    profile: Profile = "wa-commercial",
    book: Book = "room",
) -> None:
    """Make an agent's packet of a period: approvals, setups, readings, jackpots, adjustments, voids, audit log.

    Ends with 1 where something does not hold that must.
    """
    options = report_files.ReportOptions(path, book, None, first, last, None, None, None, made_at, profile)
    raise typer.Exit(report_files.write_packet(options, output))


vision_group = group("vision", "Show what the displays of a room show, and write it for photo frames and signs.")


@vision_group.command(epilog=example("vision export examples/jackpots.backup 1 --text"))
def export(
    path: Source,
    table: Annotated[str, typer.Argument(metavar="TABLE", help="A table, by its name.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.png", help="Where the picture is written.")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print lines for an LED sign.")] = False,
    size: Annotated[str, typer.Option(metavar="WIDTHxHEIGHT", help="The picture's size in pixels.")] = "1920x1080",
    theme: Annotated[str, typer.Option(help="The colors: emerald or midnight.")] = "emerald",
    every: Annotated[
        bool, typer.Option("--every", help="Also write FILE-2.png and so on, one for each other pay table and slide.")
    ] = False,
    book: Book = "room",
) -> None:
    """Write what the display of a table shows now: a picture for a photo frame, or lines for a sign."""
    raise typer.Exit(displays.export_vision(path, table, book, output, size=size, theme=theme, text=text, every=every))


@vision_group.command(epilog=example("vision log examples/jackpots.backup"))
def log(
    path: Source,
    table: Annotated[str, typer.Option(metavar="TABLE", help="Only what concerns this table.")] = "",
    most: Annotated[int, typer.Option(metavar="NUMBER", help="So many at most, the newest.")] = 50,
    book: Book = "room",
) -> None:
    """List what was published when, and which displays were connected."""
    raise typer.Exit(displays.list_published(path, table, most, book))
