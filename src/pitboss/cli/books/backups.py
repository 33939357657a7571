"""The commands about backups: made by hand or by a plan, restored, and restored for a try."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.markup import escape

from pitboss.books import Directory, RefusedError, StoreError, instant_text
from pitboss.books.audit.backup import back_up, restore
from pitboss.books.audit.sealing import inspect, is_sealed, make_identity, seal_file
from pitboss.books.store.directory import database_at
from pitboss.books.store.keys import key_id, public_problem
from pitboss.cli.books.sources import explaining, open_store, report_json, state_of, time_of
from pitboss.cli.output import BROKEN_RULE, console, show_problems
from pitboss.cli.room.tables import do_command
from pitboss.commands.command import BOOK
from pitboss.room.backing_up import TrialRestore, drill, opened_backup, sandbox
from pitboss.room.backups import BACKUPS, BackupResult, backup_trouble, is_due
from pitboss.room.projections import INVARIANTS, PROJECTIONS

_NOT_IN_IT = "Not in it: passwords, PINs, tokens, signs.toml, keys and certificates."


@explaining
def make_key(file: Path, *, as_json: bool) -> int:
    """Make a key that opens backups."""
    public = make_identity(file)
    if as_json:
        print(json.dumps({"key": key_id(public), "public": public, "file": str(file)}, indent=2))
        return 0
    console.print(f"key {key_id(public)}, public key {public}")
    console.print(
        f"Private key: {escape(str(file))}. Take it away from this computer, in two places: without it no backup opens."
    )
    return 0


@explaining
def back_up_room(path: Path, target: Path, publics: Sequence[str], processes: int, *, as_json: bool) -> int:
    """Back up, verified by replay; sealed to keys where any are named."""
    if wrong := [f"--to: {problem}" for public in publics if (problem := public_problem(public))]:
        raise RefusedError(wrong)
    if target.exists():
        raise StoreError(f"{target} is there already")
    if not publics:
        done = back_up(Directory(path), target, projections=PROJECTIONS, invariants=INVARIANTS, processes=processes)
    else:
        with sandbox(path) as folder:
            plain = folder / "snapshot.backup"
            done = back_up(Directory(path), plain, projections=PROJECTIONS, invariants=INVARIANTS, processes=processes)
            head = done.heads[BOOK]
            about = {"at": head.recorded, "entries": head.sequence, "head": head.digest.hex()}
            seal_file(plain, target, publics, about)
    if as_json:
        print(json.dumps(report_json(done.report) | {"file": str(target)}, indent=2))
        return 0 if done.report.is_sound else BROKEN_RULE
    for book, head in done.heads.items():
        console.print(f"book {book}: {head.sequence:,} entries copied and replayed, head {head.digest.hex()}")
    if publics:
        console.print(f"sealed to key {', '.join(map(key_id, publics))}, and read back")
    if not done.report.is_sound:
        show_problems(map(str, done.report.damages), f"{target}: copied as it stands, and the books are not sound")
        return BROKEN_RULE
    return 0


class RestoreOptions(NamedTuple):
    """Who restores and why, a head from elsewhere or why there is none, where to, and the key that opens it."""

    person: str
    reason: str
    head: str | None
    no_head: str
    connection: str | None
    schema: str | None
    identity: Path | None


@explaining
def restore_room(backup: Path, path: Path | None, options: RestoreOptions, *, as_json: bool) -> int:
    """Restore, verified by replay."""
    problems = [f"--{name}: say it" for name in ("person", "reason") if not getattr(options, name).strip()]
    if path is None:
        problems.append("name the data directory that it is restored into, or --dry-run")
    if not options.head and not options.no_head:
        problems.append("--head: name a head from paper or another place; or --no-head and why you have none")
    if problems or path is None:
        raise RefusedError(problems)
    # Beside the new directory: the same disk, which has room for it.
    with (
        tempfile.TemporaryDirectory(prefix=".restore-", dir=_folder_beside(path)) as folder,
        opened_backup(backup, options.identity, Path(folder)) as plain,
    ):
        report = restore(
            plain,
            path,
            person=options.person,
            reason=options.reason,
            database=database_at(options.connection, options.schema),
            head=options.head,
            without_head=options.no_head,
        )
    if as_json:
        print(json.dumps(report_json(report), indent=2))
        return 0
    for book, book_report in report.books.items():
        state = book_report.reading.state
        console.print(
            f"book {book}: {book_report.reading.entries:,} entries restored and replayed, head {state.digest.hex()}"
        )
    if pictures := len(list((path / "slides").glob("*"))):
        console.print(f"{pictures} picture{'s' * (pictures != 1)} of slides restored")
    return 0


def _folder_beside(path: Path) -> Path:
    return next(folder for folder in path.absolute().parents if folder.is_dir())


@explaining
def try_restore(backup: Path, identity: Path | None, head: str | None, *, as_json: bool) -> int:
    """Restore into a sandbox, audit it there, and print what would be there; nothing else is changed."""
    if identity is None and is_sealed(backup):
        return _show_sealed(backup, as_json=as_json)
    done = drill(backup, identity, Path(tempfile.gettempdir()), head=head or "")
    if as_json:
        more = {"room": done.room, "pictures": done.pictures, "seconds": round(done.seconds, 1), "keys": done.keys}
        print(json.dumps(report_json(done.report) | more, indent=2))
        return 0 if done.report.is_sound else BROKEN_RULE
    _show_drill(backup, done)
    return 0 if done.report.is_sound else BROKEN_RULE


def _show_drill(backup: Path, done: TrialRestore) -> None:
    report = done.report
    console.print(f"{backup}: {done.room or 'a room without a name'}", markup=False)
    for book, head in done.heads.items():
        console.print(f"book {book}: {head.sequence:,} entries, the last of {instant_text(head.recorded)}")
        console.print(f"head {head.digest.hex()}")
    console.print(f"pictures of slides: {done.pictures}")
    console.print(_NOT_IN_IT)
    if report.is_sound:
        console.print("Restored into a sandbox and audited: every check has passed. Nothing was changed.")
    else:
        wrong = [*map(str, report.damages), *map(str, report.findings), *report.problems]
        show_problems(wrong, "Restored into a sandbox: the audit finds that it is not sound")


def _show_sealed(backup: Path, *, as_json: bool) -> int:
    """Print what a sealed backup says without its private key: for whom it is sealed, and that it is whole."""
    header = inspect(backup)
    content = {"keys": list(header.keys), "bytes": header.file_size, **header.about}
    if as_json:
        print(json.dumps({"sealed": True, **content}, indent=2))
        return 0
    console.print(f"{backup}: sealed to key {', '.join(header.keys)}, whole, {header.file_size:,} bytes", markup=False)
    if "entries" in header.about:
        console.print(f"it says that it holds {header.about['entries']:,} entries, head {header.about.get('head')}")
    console.print("Restored was nothing: --identity FILE names the private key that opens it.")
    return 0


@explaining
def change_plan(
    path: Path, name: str, fields: Mapping[str, Any], person: str, approved_by: str, *, as_json: bool
) -> int:
    """Change when and where the server backs up."""
    return do_command(path, name, fields, person, role="manager", approved_by=approved_by, as_json=as_json)


@explaining
def show_backups(path: Path, *, as_json: bool) -> int:
    """Show the plan and the last results; ends with 1 where somebody must do something about them."""
    with open_store(path) as store:
        state = state_of(store, BOOK)
    backups, now = state.of(BACKUPS), time_of(path, state)
    trouble = "" if path.is_file() else backup_trouble(state, now)
    if as_json:
        content = {
            "plan": None if backups.plan is None else backups.plan._asdict(),
            "last": None if backups.last is None else backups.last._asdict(),
            "last_good": None if backups.last_good is None else backups.last_good._asdict(),
            "due": is_due(state, now),
            "trouble": trouble,
        }
        print(json.dumps(content, indent=2))
        return BROKEN_RULE if trouble else 0
    if backups.plan is None:
        console.print("no backups are planned")
        return 0
    plan = backups.plan
    console.print(f"{plan.text} to {plan.directory}, {plan.keep} kept, sealed to {key_id(plan.public)}", markup=False)
    console.print("a backup is due now" if is_due(state, now) else "none is due now")
    for title, result in (("last", backups.last), ("last good", backups.last_good)):
        if result is not None and not (title == "last good" and result == backups.last):
            console.print(f"{title}: {_result_text(result)}", markup=False)
    if trouble:
        show_problems([], trouble)
    return BROKEN_RULE if trouble else 0


def _result_text(result: BackupResult) -> str:
    if result.problem:
        return f"{instant_text(result.at)} failed: {result.problem}"
    return (
        f"{instant_text(result.at)} {result.file}, {result.entries:,} entries and {result.pictures} pictures, "
        f"{result.bytes:,} bytes, restored and audited in {result.seconds} s, head {result.head}"
    )
