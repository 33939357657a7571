"""The commands about the books, declared; each loads what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.app import AsJson, Book, Data, Person, Reason, Source, app, deferred, example, group

if TYPE_CHECKING:
    from pitboss.cli.books import backups, listings, maintenance, store
else:
    backups, listings, maintenance, store = deferred(__name__, "backups", "listings", "maintenance", "store")

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

Schema = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="A schema of that database for this room alone, where rooms share one database."),
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
    schema: Schema = None,
) -> None:
    """Make the books of a new room, with its gambling day and shifts."""
    raise typer.Exit(maintenance.create_room(path, name, time_zone, locale, shift, person, postgres, schema))


@books_group.command(
    epilog=example(
        'books shifts room --since 2099-01-01 --shift day=07:00 --person "Ada King" --approved-by "Lee Sato"'
    )
)
def shifts(
    path: Data,
    since: Annotated[str, typer.Option(metavar="DATE", help="The first gaming day of the new shifts.")],
    shift: Shifts,
    person: Person,
    book: Book = "room",
    locale: Annotated[str | None, typer.Option(help="Another locale: en-US, en-CA, fr-CA, es-US.")] = None,
    approved_by: Annotated[
        str, typer.Option("--approved-by", metavar="NAME", help="The second person, once the room is in operation.")
    ] = "",
) -> None:
    """Change the gambling day and shifts from a later day on, and the locale of the pages."""
    raise typer.Exit(maintenance.change_shifts(path, since, shift, person, approved_by, book, locale))


@books_group.command(
    epilog=example(
        'books words room --since 2099-01-01 --disputes "Tell the dealer before the next round; the floor supervisor '
        'decides." --person "Ada King" --approved-by "Lee Sato"'
    )
)
def words(
    path: Data,
    since: Annotated[str, typer.Option(metavar="DATE", help="The first gaming day on which it is posted.")],
    person: Person,
    disputes: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What a player does who disagrees, and who decides.")
    ] = None,
    employees: Annotated[str | None, typer.Option(metavar="TEXT", help="The policy on play by employees.")] = None,
    responsible: Annotated[str | None, typer.Option(metavar="TEXT", help="The line on responsible gambling.")] = None,
    approved_by: Annotated[
        str, typer.Option("--approved-by", metavar="NAME", help="The second person, once the room is in operation.")
    ] = "",
) -> None:
    """Say what the room's signs say in its own words, from a later day on; what it has not said is on no sign."""
    texts = {"disputes": disputes, "employees": employees, "responsible": responsible}
    raise typer.Exit(maintenance.change_words(path, since, texts, person, approved_by))


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
    """Rename the room from a later day on, by two people; papers keep the name of their day."""
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
    """Decide, as two people, that damaged books go on, or that a clock that jumped is right now (G-29, G-77)."""
    raise typer.Exit(maintenance.decide_damage(path, book, person, second, reason, copy, as_json=as_json))


@books_group.command(epilog=example("books upgrade room"))
def upgrade(path: Data) -> None:
    """Migrate the store to the schema that this version works with."""
    raise typer.Exit(maintenance.upgrade_room(path))


@app.command(epilog=example("audit examples/room.backup"))
def audit(
    path: Source,
    head: Annotated[
        list[str] | None, typer.Option(metavar="HASH", help="A head printed on a slip or report. May be repeated.")
    ] = None,
    heads: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Heads that left the machine, as a second directory or a log has them."),
    ] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(metavar="HEX|FILE", help="A public key from your paper, which must have signed the books."),
    ] = None,
    processes: Processes = 1,
    as_json: AsJson = False,
) -> None:
    """Check the books whole: chain, replay, snapshots, every invariant, keys, heads, and the independent auditor."""
    raise typer.Exit(listings.audit_books(path, head or [], heads or [], key or [], processes, as_json=as_json))


@app.command(epilog=example("backup room today.backup"))
def backup(
    path: Data,
    target: Annotated[Path, typer.Argument(metavar="BACKUP", help="A file that does not exist yet.")],
    to: Annotated[
        list[str] | None,
        typer.Option(metavar="PUBLIC", help="Seal it to this public key of `pitboss keys backup`. May be repeated."),
    ] = None,
    processes: Processes = 1,
    as_json: AsJson = False,
) -> None:
    """Copy the books into one file while they are in use, and verify the copy by replaying it."""
    raise typer.Exit(backups.back_up_room(path, target, to or [], processes, as_json=as_json))


@app.command(
    epilog=example(
        'restore room.backup new-room --person "Dora Vane" --reason "server replaced" --no-head "the papers burnt"'
    )
)
def restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="A file that `pitboss backup` made.")],
    path: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="A data directory that does not exist or is empty.")
    ] = None,
    person: Annotated[str, typer.Option(metavar="NAME", help="Who restores it.")] = "",
    reason: Annotated[str, typer.Option(metavar="TEXT", help="The reason, for the audit log.")] = "",
    head: Annotated[
        str | None, typer.Option(metavar="HASH", help="A head from paper or another place, which must be in it.")
    ] = None,
    identity: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The private key that a sealed backup opens with.")
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Restore into a sandbox, audit it, say what is in it, and change nothing."),
    ] = False,
    no_head: Annotated[
        str, typer.Option(metavar="TEXT", help="Why there is no fingerprint to compare with, for the audit log.")
    ] = "",
    postgres: Postgres = None,
    schema: Schema = None,
    as_json: AsJson = False,
) -> None:
    """Put a backup into a new data directory, verify it, and log who did so and why."""
    if dry_run:
        raise typer.Exit(backups.try_restore(backup, identity, head, as_json=as_json))
    options = backups.RestoreOptions(person, reason, head, no_head, postgres, schema, identity)
    raise typer.Exit(backups.restore_room(backup, path, options, as_json=as_json))


backups_group = group("backups", "Backups that the server makes by itself: their plan, and how the last ones ended.")
Approver = Annotated[str, typer.Option("--approved-by", metavar="NAME", help="The second person.")]


@backups_group.command(
    epilog=example(
        f'backups plan room --directory /media/safe --at 05:30 --key {"0123456789abcdef" * 4} --person "Max Orr" '
        '--approved-by "Lee Sato" --reason "every night"'
    )
)
def plan(
    path: Data,
    directory: Annotated[Path, typer.Option(metavar="DIR", help="Where they go: another disk, or a mount.")],
    key: Annotated[str, typer.Option(metavar="PUBLIC", help="The public key that they are sealed to.")],
    person: Person,
    reason: Reason,
    at: Annotated[
        list[str] | None, typer.Option(metavar="HH:MM", help="When, by the room's clocks. May be repeated.")
    ] = None,
    every: Annotated[int, typer.Option(metavar="HOURS", help="Every so many hours instead.")] = 0,
    keep: Annotated[int, typer.Option(help="So many are kept.")] = 14,
    approved_by: Approver = "",
    as_json: AsJson = False,
) -> None:
    """Schedule backups by the server: each is restored into a sandbox and audited, sealed, and read back."""
    fields = {
        "directory": str(directory.absolute()), "public": key, "times": at or [], "hours": every, "keep": keep,
        "words": reason,
    }  # fmt: skip
    raise typer.Exit(backups.change_plan(path, "backups/plan", fields, person, approved_by, as_json=as_json))


@backups_group.command(
    "stop", epilog=example('backups stop room --person "Max Orr" --approved-by "Lee Sato" --reason "another program"')
)
def stop_backups(
    path: Data, person: Person, reason: Reason, approved_by: Approver = "", as_json: AsJson = False
) -> None:
    """Stop the scheduled backups; those there are stay."""
    fields = {"words": reason}
    raise typer.Exit(backups.change_plan(path, "backups/stop", fields, person, approved_by, as_json=as_json))


@backups_group.command("show", epilog=example("backups show examples/room.backup"))
def show_backups(path: Source, as_json: AsJson = False) -> None:
    """Show the plan, when the next backup is due, and how the last ones ended."""
    raise typer.Exit(backups.show_backups(path, as_json=as_json))


store_group = group("store", "The store that a room's books are in: a file in SQLite, or a PostgreSQL database.")


@store_group.command("copy", epilog=example("store copy room moved-room"))
def copy_store(
    source: Annotated[Path, typer.Argument(metavar="FROM", help="The data directory of a room that no server serves.")],
    target: Annotated[Path, typer.Argument(metavar="TO", help="A data directory that does not exist or is empty.")],
    postgres: Postgres = None,
    schema: Schema = None,
    as_json: AsJson = False,
) -> None:
    """Copy a room into another store, SQLite or PostgreSQL, and prove both equal entry by entry."""
    raise typer.Exit(store.copy(source, target, postgres, schema, as_json=as_json))


@app.command("verify-install", epilog=example("verify-install"))
def verify_install(as_json: AsJson = False) -> None:
    """Compare every file of this installation with the manifest of its build; sources have none, and say so."""
    raise typer.Exit(listings.verify_installation(as_json=as_json))


keys_group = group("keys", "Keys that sign where the books end, and where heads go besides.")
NewKey = Annotated[Path, typer.Option("--key", metavar="FILE", help="The private key: a file that does not exist yet.")]
Second = Annotated[str, typer.Option("--approved-by", metavar="NAME", help="The second person.")]


@keys_group.command(
    epilog=example(
        'keys make room --key heads.key --person "Max Orr" --approved-by "Lee Sato" --reason "the auditor asked for it"'
    )
)
def make(
    path: Data,
    key: NewKey,
    person: Person,
    reason: Reason,
    approved_by: Second = "",
    apart: Annotated[
        bool, typer.Option("--apart", help="Somebody else signs with it: the server never reads the file.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make a key that signs where the books end, and add its public half to them, by two people."""
    raise typer.Exit(maintenance.add_key(path, key, None, person, approved_by, reason, apart=apart, as_json=as_json))


@keys_group.command("backup", epilog=example("keys backup --key backup.key"))
def make_backup_key(key: NewKey, as_json: AsJson = False) -> None:
    """Make a key that opens backups: its public half seals them, the file is kept away from the server."""
    raise typer.Exit(backups.make_key(key, as_json=as_json))


@keys_group.command(
    epilog=example('keys rotate room --key new.key --person "Max Orr" --approved-by "Lee Sato" --reason "once a year"')
)
def rotate(
    path: Data,
    key: NewKey,
    person: Person,
    reason: Reason,
    approved_by: Second = "",
    old: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The private key to replace; the server's own if left out.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Replace a key by a new one, which the old one signs, by two people."""
    raise typer.Exit(maintenance.rotate_key(path, key, old, person, approved_by, reason, as_json=as_json))


@keys_group.command("list", epilog=example("keys list examples/room.backup"))
def list_keys(path: Source, as_json: AsJson = False) -> None:
    """Print the public keys of the books, from which entry on each was in force, and up to where it has signed."""
    raise typer.Exit(listings.list_keys(path, as_json=as_json))


@keys_group.command(epilog=example("keys sign room --key apart.key --to heads.txt"))
def sign(
    path: Source,
    key: Annotated[Path, typer.Option(metavar="FILE", help="A private key that is kept apart.")],
    to: Annotated[Path | None, typer.Option(metavar="FILE", help="A file of heads to add it to.")] = None,
    book: Book = "room",
    as_json: AsJson = False,
) -> None:
    """Sign where the books end now, as somebody who keeps a key apart from the server; nothing is written to them."""
    raise typer.Exit(maintenance.sign_head(path, key, to, book, as_json=as_json))


@keys_group.command(epilog=example("keys send room --directory witness"))
def send(
    path: Data,
    directory: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A directory on another medium or computer; it must exist.")
    ] = None,
    syslog: Annotated[
        bool | None, typer.Option("--syslog/--no-syslog", help="Whether heads go to the system's log.")
    ] = None,
    display: Annotated[
        bool | None, typer.Option("--display/--no-display", help="Whether the page of displays shows the last head.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Set where heads go at every shift, gambling day and snapshot; the present one is sent there at once."""
    raise typer.Exit(maintenance.send_heads(path, directory, syslog=syslog, display=display, as_json=as_json))
