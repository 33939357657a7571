"""The wheels of a release: that of Pitboss, and those of every package that it needs at run time, by the lock."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from email.message import Message
from email.parser import Parser
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

EXTRAS = ("mqtt", "postgres")
"""What a room may need on a computer that fetches nothing: an MQTT broker and a PostgreSQL database are spoken to."""


class Wheel(NamedTuple):
    """A wheel: its file, hash, and what its metadata says."""

    file: Path
    name: str
    version: str
    hash: str
    licenses: tuple[str, ...]
    requires: tuple[str, ...]


def read_wheel(file: Path) -> Wheel:
    """Read the metadata of a wheel."""
    with zipfile.ZipFile(file) as packed:
        name = next(name for name in packed.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        metadata = Parser().parsestr(packed.read(name).decode())
    requires = tuple(metadata.get_all("Requires-Dist", []))
    digest = sha256(file.read_bytes()).hexdigest()
    return Wheel(
        file, canonicalize_name(metadata["Name"]), metadata["Version"], digest, tuple(_licenses(metadata)), requires
    )


def _licenses(metadata: Message[str, str]) -> Iterator[str]:
    """Yield the licenses that a package states: its expression, its classifiers, or the first line of its text."""
    if metadata["License-Expression"]:
        yield metadata["License-Expression"]
        return
    classifiers = [
        line.split(" :: ")[-1] for line in metadata.get_all("Classifier", []) if line.startswith("License ::")
    ]
    if classifiers:
        yield from classifiers
    elif metadata["License"]:
        yield metadata["License"].strip().splitlines()[0][:80]


def needed(wheels: Mapping[str, Wheel], root: str, extras: Iterable[str] = EXTRAS) -> list[Wheel]:
    """Return the wheels that one needs on this Python with some of its extras, itself included, by name."""
    waiting, reached = [(root, extra) for extra in ("", *extras)], set[tuple[str, str]]()
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in reached:
            continue
        reached.add((name, extra))
        for text in wheels[name].requires:
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                waiting += [(canonicalize_name(requirement.name), more) for more in ("", *requirement.extras)]
    return [wheels[name] for name in sorted({name for name, _ in reached})]


def part_of_lock(root: Path) -> str:
    """Return the part of the developers' lock that the extras of a release need besides the other locks."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = set[str]()
    for text in (text for extra in EXTRAS for text in project["optional-dependencies"][extra]):
        requirement = Requirement(text)
        names |= {requirement.name, *(f"{requirement.name}-{extra}" for extra in requirement.extras)}
    blocks = re.split(r"(?m)^(?=\S)", (root / "requirements" / "dev.txt").read_text(encoding="utf-8"))
    return "".join(block for block in blocks if block.partition("==")[0] in names)


def build_wheel(root: Path, folder: Path, epoch: int) -> Path:
    """Build the wheel of Pitboss."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}
    subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    (wheel,) = folder.glob("pitboss-*.whl")
    return wheel


def download(locks: list[Path], folder: Path) -> None:
    """Download the wheels of locks for this Python and computer; only those whose hashes the locks name."""
    for lock in locks:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--only-binary", ":all:", "--require-hashes", "--requirement", str(lock), "--dest", str(folder)]
        subprocess.run(command, check=True)
