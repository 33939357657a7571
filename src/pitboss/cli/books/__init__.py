"""The commands about the books, declared; each loads what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.app import AsJson, Book, Data, Person, Reason, Source, app, deferred, example, group

if TYPE_CHECKING:
    from pitboss.cli.books import listings, maintenance
else:
    listings, maintenance = deferred(__name__, "listings", "maintenance")

books_group = group("books", "Make a room's books, read them, rebuild them, and decide about damage.")

Shifts = Annotated[
    list[str],
    typer.Option(metavar="NAME=HH:MM", help="A shift and when it begins; the first begins the gaming day."),
]
Processes = Annotated[int, typer.Option(help="How many processes read a long journal.")]
Postgres = Annotated[
    str | None,
    typer.Option(metavar="CONNECTION", help="Keep the journal in PostgreSQL, such as 'host=db dbname=room'."),
]


@books_group.command(
    epilog=example(
        'books create new-room --name "Example Room" --shift day=06:00 --shift swing=14:00 --person "Ada King"'
    )
)
def create(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="A data directory that does not exist or is empty.")],
    name: Annotated[str, typer.Option(help="The name of the room.")],
    shift: Shifts,
    person: Person,
    time_zone: Annotated[str, typer.Option(metavar="ZONE", help="The room's time zone.")] = "America/Los_Angeles",
    locale: Annotated[
        str, typer.Option(help="How pages write amounts and days: en-US, en-CA, fr-CA, es-US.")
    ] = "en-US",
    postgres: Postgres = None,
) -> None:
    """Make the books of a new room, with its gambling day and shifts."""
    raise typer.Exit(maintenance.create_room(path, name, time_zone, locale, shift, person, postgres))


@books_group.command(epilog=example('books shifts room --since 2099-01-01 --shift day=07:00 --person "Ada King"'))
def shifts(
    path: Data,
    since: Annotated[str, typer.Option(metavar="DATE", help="The first gaming day of the new shifts.")],
    shift: Shifts,
    person: Person,
    book: Book = "room",
    locale: Annotated[str | None, typer.Option(help="Another locale: en-US, en-CA, fr-CA, es-US.")] = None,
) -> None:
    """Change the gambling day and shifts from a later day on, and the locale of the pages."""
    raise typer.Exit(maintenance.change_shifts(path, since, shift, person, book, locale))


@books_group.command(
    epilog=example(
        'books rename room "Cedar Hill" --since 2099-01-01 --person "Max Orr" --approved-by "Lee Sato" --reason sold'
    )
)
def rename(
    path: Data,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name of the room.")],
    since: Annotated[str, typer.Option(metavar="DATE", help="The first gaming day of the new name.")],
    person: Person,
    reason: Reason,
    approved_by: Annotated[str, typer.Option("--approved-by", metavar="NAME", help="The second person.")],
) -> None:
    """Give the room another name from a later day on, by two people; papers keep the name of their day."""
    raise typer.Exit(maintenance.rename_room(path, name, since, person, approved_by, reason))


@books_group.command(epilog=example("books show examples/room.backup"))
def show(path: Source, as_json: AsJson = False) -> None:
    """Show every book: where it ends, the day and shift, and each jackpot's accounts and counters."""
    raise typer.Exit(listings.show_books(path, as_json=as_json))


@books_group.command(epilog=example("books entries examples/room.backup --after 2 --most 3"))
def entries(
    path: Source,
    book: Book = "room",
    after: Annotated[int, typer.Option(metavar="SEQUENCE", help="Only entries after this one.")] = 0,
    most: Annotated[int | None, typer.Option(help="At most so many.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the entries of a book; with --json each whole, on a line of its own, hashes included."""
    raise typer.Exit(listings.show_entries(path, book, after, most, as_json=as_json))


@books_group.command(epilog=example("books rebuild examples/room.backup --check"))
def rebuild(
    path: Source,
    check: Annotated[bool, typer.Option("--check", help="Compare with what the books open with.")] = False,
    processes: Processes = 2,
    as_json: AsJson = False,
) -> None:
    """Rebuild every balance and counter from nothing, verifying the chain; compare with the last sealed snapshot."""
    raise typer.Exit(listings.rebuild_books(path, processes, compare=check, as_json=as_json))


@books_group.command(
    epilog=example('books decide damaged-room --person "Dora Vane" --second "Carla Mbeki" --reason "disk replaced"')
)
def decide(
    path: Data,
    person: Person,
    second: Annotated[str, typer.Option(metavar="NAME", help="The second person, of another role.")],
    reason: Reason,
    copy: Annotated[
        Path | None, typer.Option(help="A backup or another copy; its entries that fit are put back.")
    ] = None,
    book: Book = "room",
    as_json: AsJson = False,
) -> None:
    """Decide, as two people, that damaged books go on; until then no money moves (G-29)."""
    raise typer.Exit(maintenance.decide_damage(path, book, person, second, reason, copy, as_json=as_json))


@books_group.command(epilog=example("books upgrade room"))
def upgrade(path: Data) -> None:
    """Bring the store to the schema that this version works with."""
    raise typer.Exit(maintenance.upgrade_room(path))


@app.command(epilog=example("audit examples/room.backup"))
def audit(
    path: Source,
    head: Annotated[
        list[str] | None, typer.Option(metavar="HASH", help="A head printed on a slip or report. May be repeated.")
    ] = None,
    processes: Processes = 1,
    as_json: AsJson = False,
) -> None:
    """Check the books whole: chain, replay, snapshots, every invariant, and the independent auditor."""
    raise typer.Exit(listings.audit_books(path, head or [], processes, as_json=as_json))


@app.command(epilog=example("backup room today.backup"))
def backup(
    path: Data,
    target: Annotated[Path, typer.Argument(metavar="BACKUP", help="A file that does not exist yet.")],
    processes: Processes = 1,
    as_json: AsJson = False,
) -> None:
    """Copy the books into one file while they are in use, and verify the copy by replaying it."""
    raise typer.Exit(maintenance.back_up_room(path, target, processes, as_json=as_json))


@app.command(epilog=example('restore room.backup new-room --person "Dora Vane" --reason "server replaced"'))
def restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="A file that `pitboss backup` made.")],
    path: Annotated[Path, typer.Argument(metavar="DIR", help="A data directory that does not exist or is empty.")],
    person: Person,
    reason: Reason,
    head: Annotated[str | None, typer.Option(metavar="HASH", help="A printed head that must be in it.")] = None,
    postgres: Postgres = None,
    as_json: AsJson = False,
) -> None:
    """Put a backup into a new data directory, verify it, and journal who did so and why."""
    raise typer.Exit(maintenance.restore_room(backup, path, person, reason, head, postgres, as_json=as_json))
