"""`pitboss store copy`: a room goes into another store, and both are proved equal."""

import json
from pathlib import Path

from rich.markup import escape

from pitboss.books.store.directory import database_at
from pitboss.cli.books.sources import explaining
from pitboss.cli.output import console, plain_table, progress_bar
from pitboss.room.copying import RoomCopy, copy_room


@explaining
def copy(source: Path, target: Path, connection: str | None, schema: str | None, *, as_json: bool) -> int:
    """Copy a room into another store, and print the proof that both are equal."""
    with progress_bar() as progress:
        tasks = {what: progress.add_task(what, total=None) for what in ("copied", "compared")}
        done = copy_room(
            source,
            target,
            database_at(connection, schema),
            lambda what, count, total: progress.update(tasks[what], completed=count, total=total),
        )
    if as_json:
        print(json.dumps(_json(done), indent=2))
        return 0
    table = plain_table("book", "entries", "sealed states", "last entry", "head", "hash over all")
    for book in done.books:
        table.add_row(
            book.book, f"{book.entries:,}", str(book.snapshots), str(book.sequence), book.head[:16], book.digest[:16]
        )
    console.print(table)
    rows = ", ".join(f"{name} {count}" for name, count in done.vault.items())
    console.print(f"Equal entry by entry, every field and every hash. Vault, row by row: {rows}. Files: {done.files}.")
    console.print(f"The audit of {escape(str(target))} passes every check.")
    return 0


def _json(done: RoomCopy) -> dict[str, object]:
    return {
        "equal": True,
        "audit": done.report.is_sound,
        "books": [book._asdict() for book in done.books],
        "vault": done.vault,
        "files": done.files,
    }
