"""The archive and the Debian package, each the same bytes whenever they are made of the same files."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import tarfile
from pathlib import Path


def pack(folder: Path, file: Path, epoch: int) -> None:
    """Pack a folder: names in order, one time, no owner, nothing of the computer it was made on."""
    with (
        file.open("wb") as stream,
        gzip.GzipFile(fileobj=stream, mode="wb", compresslevel=1, mtime=0, filename="") as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive,
    ):
        for path in [folder, *sorted(folder.rglob("*"))]:
            member = tarfile.TarInfo(path.relative_to(folder.parent).as_posix())
            member.mtime, member.mode = epoch, 0o755 if path.is_dir() or path.suffix == ".sh" else 0o644
            if path.is_dir():
                member.type = tarfile.DIRTYPE
                archive.addfile(member)
            else:
                content = path.read_bytes()
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))


_CONTROL = """Package: pitboss
Version: {version}
Section: misc
Priority: optional
Architecture: amd64
Depends: {python}, passwd, openssl
Installed-Size: {size}
Maintainer: Pitboss maintainers <maintainers@pitboss.example>
Description: Runs the games and jackpots of a house-banked card room
 Installs its own environment under /opt/pitboss from the wheels in this package; nothing is downloaded.
"""
_POSTINST = """#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
exec sh /usr/share/pitboss/{version}/install.sh --from-package
"""
_PRERM = """#!/bin/sh
set -e
# While another version is unpacked, this one stays: it is the way back.
[ "$1" = remove ] || exit 0
exec sh /usr/share/pitboss/{version}/install.sh --uninstall --from-package
"""


def build_package(folder: Path, file: Path, version: str, python: str, epoch: int, work: Path) -> bool:
    """Build the Debian package of a folder; false where there is no dpkg-deb."""
    program = shutil.which("dpkg-deb")
    if program is None:
        return False
    tree = work / "package"
    share, control = tree / "usr" / "share" / "pitboss" / version, tree / "DEBIAN"
    shutil.copytree(folder, share)
    unit = tree / "lib" / "systemd" / "system"
    unit.mkdir(parents=True)
    shutil.copy(folder / "pitboss.service", unit)
    control.mkdir()
    size = sum(path.stat().st_size for path in share.rglob("*") if path.is_file()) // 1024
    (control / "control").write_text(_CONTROL.format(version=version, python=python, size=size), encoding="utf-8")
    for name, text in (("postinst", _POSTINST), ("prerm", _PRERM)):
        (control / name).write_text(text.format(version=version), encoding="utf-8")
    for path in [tree, *tree.rglob("*")]:
        path.chmod(0o755 if path.is_dir() or path.suffix == ".sh" or path.parent == control else 0o644)
    (control / "control").chmod(0o644)
    for path in [*tree.rglob("*"), tree]:
        os.utime(path, (epoch, epoch))
    command = [program, "--build", "--root-owner-group", "-Znone", str(tree), str(file)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return True
