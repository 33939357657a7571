"""The versions that the installer has put beside each other, the one in use and the one before; and the service.

`PREFIX/VERSION` is the environment of a version, `PREFIX/current` leads to the one in use, `PREFIX/previous` to the one
that was in use before it. Changing which is in use is one rename.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from pitboss.books import StoreError

CURRENT, PREVIOUS = "current", "previous"
_SYSTEMD = Path("/run/systemd/system")
_WAIT = 120


class InstalledVersions(NamedTuple):
    """What an installer's folder holds."""

    prefix: Path

    def of(self, link: str) -> str:
        """Return the version that a link leads to; empty where it leads to none."""
        target = self.prefix / link
        if not target.is_symlink():
            return ""
        name = str(target.readlink())
        return name if (self.prefix / name / "bin" / "pitboss").is_file() else ""

    def program(self, version: str) -> Path:
        """Return the command of a version."""
        return self.prefix / version / "bin" / "pitboss"

    def use(self, version: str) -> None:
        """Use a version from now on, and remember the one before it."""
        if not self.program(version).is_file():
            raise StoreError(f"version {version} is not installed in {self.prefix}")
        before = self.of(CURRENT)
        if before == version:
            return
        if before:
            self._link(PREVIOUS, before)
        self._link(CURRENT, version)

    def _link(self, name: str, version: str) -> None:
        fresh = self.prefix / f".{name}.new"
        with suppress(FileNotFoundError):
            fresh.unlink()
        fresh.symlink_to(version)
        fresh.replace(self.prefix / name)


def own_versions() -> tuple[InstalledVersions, str] | None:
    """Return where this process was installed and as which version; None where no installer has made it."""
    environment = Path(sys.prefix)
    installed = InstalledVersions(environment.parent)
    return (installed, environment.name) if installed.of(CURRENT) else None


def _systemctl(*arguments: str) -> int:
    command = ["systemctl", "--quiet", *arguments]
    try:
        return subprocess.run(command, timeout=_WAIT, check=False).returncode  # noqa: S603 - our own unit
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StoreError(f"`{' '.join(command)}` fails: {error}") from None


@contextmanager
def stopped(service: str) -> Iterator[bool]:
    """Stop a service of systemd while something is done, and start it again, also where that fails; true if it ran."""
    runs = bool(service) and _SYSTEMD.is_dir() and _systemctl("is-active", service) == 0
    if not runs:
        yield False
        return
    if _systemctl("stop", service):
        raise StoreError(f"the service {service} cannot be stopped: do it as root, or stop the server by hand")
    try:
        yield True
    finally:
        if _systemctl("start", service):
            raise StoreError(f"the service {service} does not start: read `journalctl -u {service}`")


@contextmanager
def as_owner(path: Path) -> Iterator[None]:
    """Act as the owner of a data directory where this is root: files made in it are the service's, not root's."""
    stat = path.stat()
    if os.geteuid() or not stat.st_uid:
        yield
        return
    group = os.getegid()
    os.setegid(stat.st_gid)
    os.seteuid(stat.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
