"""What the doctor looks at: a room's data directory, where it is served, its backups, and the computer."""

import fcntl
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pitboss.books import BookState, Directory, StoreError, folding_of, read_book
from pitboss.commands.command import BOOK
from pitboss.operations.system import System
from pitboss.room.projections import PROJECTIONS
from pitboss.server.settings import Announcement, Listening, announced

Level = Literal["wrong", "warning"]


class DoctorContext:
    """A room as the doctor sees it; nothing in it is changed, and a server may run meanwhile."""

    def __init__(
        self,
        path: Path,
        *,
        listening: Listening | None = None,
        backups: Path | None = None,
        system: System | None = None,
    ) -> None:
        self.path, self.backups = path, backups
        self.listening = listening or Listening()
        self.system = system or System()

    def require(self) -> None:
        """Raise `StoreError` where there is no data directory: what is in it cannot be looked at then."""
        if not self.path.is_dir():
            raise StoreError(f"there is no directory {self.path}")

    @cached_property
    def directory(self) -> Directory:
        """The data directory."""
        self.require()
        return Directory(self.path)

    def files(self) -> list[Path]:
        """Return the files of the data directory."""
        self.require()
        return sorted(file for file in self.path.iterdir() if file.is_file())

    @cached_property
    def state(self) -> BookState:
        """The state of the room's book as it is on disk."""
        with closing(self.directory.open_store(write=False)) as store:
            if BOOK not in store.books():
                raise StoreError("the room has no books yet")
            return read_book(store, folding_of(PROJECTIONS), BOOK).state

    @cached_property
    def is_locked(self) -> bool:
        """True if a process has the books open for writing."""
        file = self.path / "lock"
        try:
            with file.open("rb") as stream:
                fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    @cached_property
    def server(self) -> Announcement | None:
        """Where the room's server answers, if one has announced itself and lives."""
        return announced(self.path) if self.is_locked else None


class DoctorCheck(NamedTuple):
    """One thing the doctor looks at: `look` yields what is wrong in words, and `fix` is what to do about it."""

    name: str
    look: Callable[[DoctorContext], Iterator[str]]
    fix: str
    level: Level = "wrong"


class DoctorFinding(NamedTuple):
    """A finding of the doctor: the check that names it, and its fix."""

    check: str
    level: Level
    text: str
    fix: str


class DoctorReport(NamedTuple):
    """What the doctor saw: findings, and the checks that could not look, by name with the reason."""

    checks: int
    findings: tuple[DoctorFinding, ...]
    unchecked: dict[str, str]

    @property
    def is_healthy(self) -> bool:
        """True if nothing is wrong; warnings do not count."""
        return not any(finding.level == "wrong" for finding in self.findings)

    def to_json(self) -> str:
        """Write the report as JSON."""
        return json.dumps(self.content(), indent=2)

    def content(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        return {
            "healthy": self.is_healthy,
            "checks": self.checks,
            "findings": [finding._asdict() for finding in self.findings],
            "unchecked": self.unchecked,
        }


def run_checks(checks: Iterable[DoctorCheck], context: DoctorContext) -> DoctorReport:
    """Run every check; what one cannot look at is listed as unchecked, and never taken for healthy."""
    findings: list[DoctorFinding] = []
    unchecked: dict[str, str] = {}
    count = 0
    for check in checks:
        count += 1
        try:
            problems = list(check.look(context))
        except (StoreError, OSError) as error:
            unchecked[check.name] = str(error)
            continue
        fix = check.fix.replace("{path}", str(context.path))
        findings += [DoctorFinding(check.name, check.level, problem, fix) for problem in problems]
    return DoctorReport(count, tuple(findings), unchecked)
