"""Upgrade and rollback: what another version changes in a room, how long it takes, and going back with nothing lost.

Entries are only added and never changed, so what a version has written stays. An upgrade changes the schema of the
store by migrations that can be undone, folds those parts of the state anew whose meaning has changed, and seals them.
The rule for going back: the version before must itself read every entry there is now, to the same head. It is asked,
with a copy of the books, before anything is switched. If it cannot, because newer kinds of entries were written, going
back is refused; the way on is a newer version, or the backup of before with what came after it lost.
"""

import json
import sqlite3
import subprocess
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

from pitboss import installation
from pitboss.books import Directory, Projection, StoreError, known_kinds, open_books
from pitboss.books.audit.backup import back_up, require_new_file
from pitboss.books.journal.books import fold_ahead
from pitboss.books.journal.payloads import UnreadableError, read_payload
from pitboss.books.journal.state import Folding
from pitboss.books.store import migrate
from pitboss.books.store.directory import JOURNAL
from pitboss.commands.command import BOOK
from pitboss.operations.doctor.directory import unknown_settings
from pitboss.operations.versions import CURRENT, PREVIOUS, InstalledVersions, as_owner, own_versions, stopped
from pitboss.room.projections import INVARIANTS, PROJECTIONS

_WARM, _SAMPLE = 200, 20_000
_VERSION = "from importlib.metadata import version; print(version('pitboss'))"
_OLD_REVISION = """
import pathlib, pitboss
from alembic.config import Config
from alembic.script import ScriptDirectory
config, package = Config(), pathlib.Path(pitboss.__file__).parent
config.set_main_option("script_location", str(next(package.rglob("migrations"))).replace("%", "%%"))
print(ScriptDirectory.from_config(config).get_current_head())
"""
"""Which schema a version works with, wherever it says so."""
_KINDS = "import pitboss.room.room; from pitboss.books import known_kinds; print(*sorted(known_kinds()))"
"""Which kinds of entries a version reads."""
_WAIT = 3_600


class RenewedPart(NamedTuple):
    """A part of the state that this version folds anew: why, and from how many entries."""

    name: str
    reason: str
    entries: int


class UpgradePlan(NamedTuple):
    """What this version changes in a room, and how long the room stands still for it."""

    version_before: str
    version: str
    schema_before: str
    schema: str
    migrations: tuple[str, ...]
    entries: int
    renewed: tuple[RenewedPart, ...]
    folded: int
    a_second: float
    dropped: tuple[str, ...]
    unreadable: dict[str, int]
    unread_before: tuple[str, ...] | None
    """Kinds that this version may write and the one in use does not read; None where there is none to be asked."""

    @property
    def seconds(self) -> float:
        """Estimate how long folding takes; where the schema stays, the room plays meanwhile."""
        return self.folded / self.a_second if self.a_second else 0.0

    @property
    def plays_on(self) -> bool:
        """True if the room plays while the parts are folded anew: where both versions read the same schema."""
        return self.schema_before == self.schema and bool(self.renewed)

    @property
    def is_possible(self) -> bool:
        """True if this version can work with the books."""
        return not self.unreadable and self.schema_before in ("", *migrate.revisions())

    def content(self) -> dict[str, Any]:
        """Return the plan as JSON values."""
        fields = self._asdict() | {"renewed": [part._asdict() for part in self.renewed]}
        return fields | {"seconds": round(self.seconds, 3), "plays_on": self.plays_on, "possible": self.is_possible}


def _renewed(sealed: dict[str, int], projections: Iterable[Projection[Any]]) -> list[tuple[Projection[Any], str]]:
    """Return the parts that cannot be taken from a snapshot, given the versions sealed in it."""
    parts = []
    for projection in projections:
        version = sealed.get(projection.name)
        if version is None:
            parts.append((projection, "new in this version" if sealed else "nothing is sealed yet"))
        elif version != projection.version:
            parts.append((projection, f"its meaning has changed (version {version} to {projection.version})"))
    return parts


def fold_rate(directory: Directory, parts: Iterable[Projection[Any]], kinds: set[str], book: str = BOOK) -> float:
    """Measure how many entries of some kinds this computer reads and folds in a second; 0.0 without any."""
    folding, fresh = Folding(tuple(parts)), 0.0
    # The first entries are read to load what reads them.
    for most in (_WARM, _SAMPLE):
        start, state = time.perf_counter(), folding.empty()
        entries = migrate.some_entries(directory, book, kinds, most)
        try:
            sound = [(entry, read_payload(entry.kind, entry.payload)) for entry in entries if entry.is_sound]
            state = folding.fold_run(state, sound) if sound else state
        except UnreadableError:
            # Damage; an audit names it, and an upgrade is refused for it.
            return 0.0
        fresh = len(entries) / (time.perf_counter() - start) if entries else 0.0
    return fresh


def _software_before(sealed: dict[str, Any]) -> str:
    """Return the version that has served the room last, as its last sealed state says; empty where it does not."""
    software = sealed.get("parts", {}).get("software") or {}
    return str(software.get("version", "")) if isinstance(software, dict) else ""


def make_plan(path: Path) -> UpgradePlan:
    """Look at what this version changes in a room; nothing is changed, and a server may run meanwhile."""
    directory = Directory(path)
    before, known = migrate.store_revision(directory), migrate.revisions()
    counts = migrate.counts_by_kind(directory, BOOK) if before else {}
    text = migrate.newest_snapshot(directory, BOOK) if before else ""
    sealed: dict[str, Any] = json.loads(text) if text else {}
    total, parts = sum(counts.values()), _renewed(sealed.get("version", {}), PROJECTIONS)
    every = known_kinds()
    by_part = [
        RenewedPart(part.name, why, sum(n for kind, n in counts.items() if part.is_about(kind))) for part, why in parts
    ]
    # Without a sealed state the whole book is folded, as at every start of such a room.
    kinds = {kind for kind in counts if kind in every and any(part.is_about(kind) for part, _ in parts)}
    migrations = known[known.index(before) + 1 :] if before in known else known if not before else ()
    return UpgradePlan(
        version_before=_software_before(sealed),
        version=installation.examine().version,
        schema_before=before,
        schema=known[-1],
        migrations=tuple(migrations),
        entries=total,
        renewed=tuple(by_part),
        folded=sum(counts[kind] for kind in kinds),
        a_second=fold_rate(directory, [part for part, _ in parts], kinds) if kinds else 0.0,
        dropped=tuple(unknown_settings(path)),
        unreadable={kind: count for kind, count in counts.items() if kind not in every},
        unread_before=_unread_before(),
    )


def _unread_before() -> tuple[str, ...] | None:
    """Ask the version in use which kinds of entries it reads; once another one is written there is no way back."""
    own = own_versions()
    before = own[0].of(CURRENT) if own is not None else ""
    if own is None or before in ("", own[1]):
        return None
    try:
        read = _run(_python_of(own[0].program(before)), "-c", _KINDS).split()
    except StoreError:
        return None
    return tuple(sorted(known_kinds() - set(read)))


class Upgraded(NamedTuple):
    """What an upgrade has done: its plan, the backup of before, how long it took, and the version in use."""

    plan: UpgradePlan
    backup: Path
    seconds: float
    in_use: str


def _new_backup(path: Path, version: str) -> Path:
    """Return a file beside a room that is not there yet: an upgrade and a way back may come within a second."""
    name = f"{path.name}-before-{version}-{_stamp()}"
    others = (f"{name}-{number}" for number in count(2))
    files = (path.parent / f"{stem}.backup" for stem in chain([name], others))
    return next(file for file in files if not file.exists())


def _stamp() -> str:
    return datetime.now(tz=UTC).strftime("%Y%m%dT%H%M%SZ")


def _require_possible(plan: UpgradePlan) -> None:
    if not plan.is_possible:
        kinds = ", ".join(plan.unreadable)
        why = f"entries that this version cannot read: {kinds}" if kinds else f"schema {plan.schema_before}"
        raise StoreError(f"a newer version has written these books ({why}): install that one")


def upgrade_room(path: Path, *, backup: Path | None = None, service: str = "") -> Upgraded:
    """Back a room up while it plays, then stop its service, bring the store to this version, and start it again."""
    plan = make_plan(path)
    _require_possible(plan)
    directory, own = Directory(path), own_versions()
    target = backup or _new_backup(path, plan.version)
    with as_owner(path):
        _back_up(directory, target, is_same_schema=plan.schema_before == plan.schema)
    ahead = fold_ahead(directory, PROJECTIONS, BOOK) if plan.plays_on else {}
    with stopped(service):
        start = time.perf_counter()
        with as_owner(path):
            migrate.upgrade_store(directory)
            _seal(path, ahead, renew=bool(plan.renewed))
        if own is not None:
            own[0].use(own[1])
        seconds = time.perf_counter() - start
    return Upgraded(plan, target, seconds, own[1] if own is not None else plan.version)


def _back_up(directory: Directory, target: Path, *, is_same_schema: bool) -> None:
    """Copy the books into a new file: checked by replay, or as it stands where only an older version can read it."""
    if is_same_schema:
        done = back_up(directory, target, projections=PROJECTIONS, invariants=INVARIANTS)
        if not done.report.is_sound:
            raise StoreError(f"the books are not sound: {target} is their copy; decide first (pitboss books decide)")
        return
    if directory.store_kind != "sqlite":
        raise StoreError("back the database up with pg_dump, and type `pitboss books upgrade`: its schema is older")
    require_new_file(target)
    with closing(sqlite3.connect(directory.path / JOURNAL)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)


def _seal(path: Path, ahead: Mapping[Any, Any], *, renew: bool) -> None:
    """Open the books with this version, which checks their end, and seal the parts that were folded anew."""
    with open_books(path, projections=PROJECTIONS, invariants=INVARIANTS, folded_ahead=ahead) as books:
        if books.is_halted:
            raise StoreError("the books are halted: two people decide first (pitboss books decide)")
        if renew and BOOK in books.names():
            books.seal(BOOK)


class RolledBack(NamedTuple):
    """What going back has done: the version in use, and where each book ends, as both versions read it."""

    version: str
    backup: Path
    heads: dict[str, str]
    seconds: float


def _previous(program: Path | None) -> tuple[Path, str, InstalledVersions | None]:
    """Return the command of the version before, its name, and the installer's folder where it has one."""
    if program is not None:
        return program, _run(_python_of(program), "-c", _VERSION).strip(), None
    own = own_versions()
    version = own[0].of(PREVIOUS) if own is not None else ""
    if own is None or not version:
        raise StoreError("there is no version before this one here: name its command, --program FILE")
    if own[0].of(CURRENT) != own[1]:
        raise StoreError(f"this is version {own[1]}, and version {own[0].of(CURRENT)} is in use: use its own command")
    return own[0].program(version), version, own[0]


def _run(program: Path, *arguments: str) -> str:
    try:
        process = subprocess.run(  # noqa: S603 - the version before
            [str(program), *arguments], capture_output=True, text=True, timeout=_WAIT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StoreError(f"{program} cannot be run: {error}") from None
    if not process.stdout and process.returncode:
        raise StoreError(f"{program} fails: {process.stderr.strip().rpartition(chr(10))[2]}")
    return process.stdout


def _python_of(program: Path) -> Path:
    """Return the Python of a version, which stands beside its command."""
    python = program.with_name("python")
    if not python.exists():
        raise StoreError(f"there is no Python beside {program}")
    return python


def _revision_of(program: Path) -> str:
    """Ask a version which schema it works with."""
    return _run(_python_of(program), "-c", _OLD_REVISION).strip()


def ask_version(program: Path, copy: Path) -> dict[str, str]:
    """Audit a copy of the books by another version; return the heads it reads, or raise with what it lacks."""
    try:
        report = json.loads(_run(program, "audit", str(copy), "--json"))
        heads = {name: str(book["head"]) for name, book in report["books"].items()}
        damages = [each for book in report["books"].values() for each in book["damages"]]
        is_sound = bool(report["sound"])
    except (ValueError, KeyError, TypeError):
        raise StoreError(f"{program} does not say whether it can read the books") from None
    if not is_sound:
        first = f": entry {damages[0].get('sequence')}: {damages[0].get('what')}" if damages else ""
        more = f", and {len(damages) - 1} more" if len(damages) > 1 else ""
        raise StoreError(f"the version before cannot read what was written since{first}{more}")
    return heads


def roll_back(
    path: Path, *, program: Path | None = None, backup: Path | None = None, service: str = "", check: bool = False
) -> RolledBack:
    """Go back to the version before if it can read everything there is; else nothing is changed.

    The service is stopped first, so that nothing is written between what the version before is asked and its start.
    """
    command, version, installed = _previous(program)
    directory, revision = Directory(path), _revision_of(command)
    if revision not in migrate.revisions():
        raise StoreError(f"version {version} works with schema {revision}, which this version does not know")
    target = backup or _new_backup(path, version)
    with stopped("" if check else service):
        start = time.perf_counter()
        with as_owner(path):
            done = back_up(directory, target, projections=PROJECTIONS, invariants=INVARIANTS)
        copy = target.with_name(f"{target.name}.as-{version}")
        try:
            copy.write_bytes(target.read_bytes())
            migrate.downgrade_file(copy, revision)
            heads = ask_version(command, copy)
        finally:
            copy.unlink(missing_ok=True)
            if check and backup is None:
                # Who only asks leaves no file.
                target.unlink()
        if heads != {book: head.digest.hex() for book, head in done.heads.items()}:
            raise StoreError(f"version {version} reads other heads than this one: {heads}")
        if not check:
            _switch(path, directory, revision, installed, version)
        seconds = time.perf_counter() - start
    return RolledBack(version, target, heads, seconds)


def _switch(path: Path, directory: Directory, revision: str, installed: InstalledVersions | None, version: str) -> None:
    if migrate.store_revision(directory) != revision:
        with as_owner(path):
            migrate.downgrade_store(directory, revision)
    if installed is not None:
        installed.use(version)
