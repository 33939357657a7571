"""Makes a release for computers without a network: `make dist KEY=signing.key`.

In `dist` are then `pitboss-VERSION-linux-ARCH-cpXYZ.tar.gz` and a Debian package of the same files: wheels, their
list of hashes, a bill of materials, the installer, the unit of the service, and a manifest that is signed. Made twice
of the same tree they are the same bytes.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tools.offline.archive import build_package, pack
from tools.offline.papers import (
    MANIFEST,
    PUBLIC,
    SBOM,
    SIGNATURE,
    SUMS,
    bill_of_materials,
    manifest,
    public_text,
    read_signing_key,
    sums,
)
from tools.offline.wheels import Wheel, build_wheel, download, needed, part_of_lock, read_wheel

ROOT = Path(__file__).parents[2]
LOCKS = ("run.txt", "install.txt")
PARTS = ("install.sh", "pitboss.service")


class Target(NamedTuple):
    """The computers that a release is for: machine and Python."""

    machine: str
    python: str

    def __str__(self) -> str:
        return f"linux-{self.machine}-{self.python}"


def this_target() -> Target:
    """Return the kind of computer that this is: wheels are for one kind of Python."""
    return Target(platform.machine(), f"cp{sys.version_info.major}{sys.version_info.minor}")


def source_epoch(root: Path) -> int:
    """Return the time of the release: SOURCE_DATE_EPOCH, else that of the last commit."""
    if text := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(text)
    command = ["git", "log", "-1", "--format=%ct"]
    return int(subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout)


def requirements_text(wheels: Sequence[Wheel]) -> str:
    """Write what the installer installs: each package in its one version, by its hash."""
    return "".join(f"{wheel.name}=={wheel.version} --hash=sha256:{wheel.hash}\n" for wheel in wheels)


def lay_out(wheels: Sequence[Wheel], pip: Wheel, folder: Path, version: str, key: Path, epoch: int) -> None:
    """Fill the folder of a release: wheels, papers, installer and unit, and at last the signature over all."""
    (folder / "wheels").mkdir(parents=True)
    for wheel in (*wheels, pip):
        shutil.copy(wheel.file, folder / "wheels" / wheel.file.name)
    target = this_target()
    for name in PARTS:
        text = (Path(__file__).parent / name).read_text(encoding="utf-8")
        text = text.replace("@VERSION@", version).replace("@TAG@", target.python)
        (folder / name).write_text(text.replace("@PYTHON@", ".".join(map(str, sys.version_info[:2]))), encoding="utf-8")
    (folder / "requirements.txt").write_text(requirements_text(wheels), encoding="utf-8")
    (folder / SBOM).write_text(bill_of_materials([*wheels, pip], epoch), encoding="utf-8")
    text = sums(folder)
    (folder / SUMS).write_text(text, encoding="utf-8")
    stated = manifest(version, str(target), epoch, text)
    private = read_signing_key(key)
    (folder / MANIFEST).write_text(stated, encoding="utf-8")
    (folder / SIGNATURE).write_bytes(private.sign(stated.encode()))
    (folder / PUBLIC).write_bytes(public_text(private))


def make_release(root: Path, into: Path, key: Path, downloads: Path | None = None) -> list[Path]:
    """Make the archive and the package in a folder; returns their files."""
    version = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    epoch, target = source_epoch(root), this_target()
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pitboss-dist-") as name:
        work = Path(name)
        store = downloads or work / "downloads"
        store.mkdir(exist_ok=True)
        extras = work / "extras.txt"
        extras.write_text(part_of_lock(root), encoding="utf-8")
        download([*(root / "requirements" / lock for lock in LOCKS), extras], store)
        built = build_wheel(root, work, epoch)
        read = {wheel.name: wheel for wheel in map(read_wheel, [built, *store.glob("*.whl")])}
        folder = work / f"pitboss-{version}-{target}"
        lay_out(needed(read, "pitboss"), read["pip"], folder, version, key, epoch)
        archive = into / f"{folder.name}.tar.gz"
        pack(folder, archive, epoch)
        package = into / f"pitboss_{version}_amd64.deb"
        python = f"python{sys.version_info.major}.{sys.version_info.minor}"
        files = [archive]
        if build_package(folder, package, version, python, epoch, work):
            files.append(package)
    return files


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a release."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.offline", description="Make a release for offline computers."
    )
    parser.add_argument("--key", type=Path, required=True, help="the private Ed25519 key that signs the manifest (PEM)")
    parser.add_argument("--into", type=Path, default=ROOT / "dist", help="the folder for the files")
    parser.add_argument("--downloads", type=Path, help="keep downloaded wheels here")
    options = parser.parse_args(arguments)
    for file in make_release(ROOT, options.into, options.key, options.downloads):
        print(f"{file} ({file.stat().st_size / 1e6:.0f} MB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
