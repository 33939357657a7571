"""Which software runs: the hash of every file, compared with the manifest of the build (REGULATION T-15, O-01, M-04).

A build puts `manifest.json` into the package. Without one the package runs from its sources, such as a developer's:
then there is nothing to compare with, and it says so. Only the standard library is imported here: the build runs this.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

MANIFEST = "manifest.json"
PACKAGE = Path(__file__).parent
_IGNORED = ("__pycache__",)
_NAMED_MAX = 5


class Installation(NamedTuple):
    """The software that runs: its version, the hash over all of its files, and how they differ from what was built."""

    version: str
    digest: str
    files: int
    is_built: bool
    problems: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The version as reports print it."""
        if not self.is_built:
            return f"{self.version}, running from source"
        changed = ", CHANGED SINCE IT WAS BUILT" if self.problems else ""
        return f"{self.version}, files {self.digest[:_ID_DIGITS]}{changed}"


_ID_DIGITS = 16


def hash_of_file(file: Path) -> str:
    """Return the SHA-256 of a file."""
    return sha256(file.read_bytes()).hexdigest()


def digest_of(hashes: Mapping[str, str]) -> str:
    """Return one hash over the names and hashes of files."""
    return sha256("".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes)).encode()).hexdigest()


def hashes_in(folder: Path) -> dict[str, str]:
    """Return the hash of every file in a folder, but for what Python compiles there and the manifest itself."""
    files = (file for file in folder.rglob("*") if file.is_file() and not set(_IGNORED).intersection(file.parts))
    names = ((file, file.relative_to(folder).as_posix()) for file in files)
    return {name: hash_of_file(file) for file, name in names if name != MANIFEST and not name.endswith(".pyc")}


def manifest_text(version: str, hashes: Mapping[str, str]) -> str:
    """Write a manifest."""
    content = {"version": version, "digest": digest_of(hashes), "files": dict(sorted(hashes.items()))}
    return json.dumps(content, indent=1) + "\n"


def compare(folder: Path, version: str, *, is_installed: bool = False) -> Installation:
    """Hash the files of a folder, and compare them with its manifest; what was installed as built must have one."""
    hashes = hashes_in(folder)
    digest = digest_of(hashes)
    file = folder / MANIFEST
    if not file.is_file():
        missing = (f"missing: {MANIFEST}",) if is_installed else ()
        return Installation(version, digest, len(hashes), is_built=is_installed, problems=missing)
    try:
        built = json.loads(file.read_text(encoding="utf-8"))
        expected: dict[str, str] = dict(built["files"])
        is_whole = built["version"] == version and built["digest"] == digest_of(expected)
    except (OSError, ValueError, KeyError, TypeError):
        expected, is_whole = {}, False
    problems = [] if is_whole else ["the manifest of the build is damaged, or of another version"]
    problems += _listed("changed", (name for name in expected.keys() & hashes if expected[name] != hashes[name]))
    problems += _listed("missing", expected.keys() - hashes)
    problems += _listed("not part of the build", hashes.keys() - expected if expected else ())
    return Installation(version, digest, len(hashes), is_built=True, problems=tuple(problems))


def _listed(what: str, names: Iterable[str]) -> list[str]:
    ordered = sorted(names)
    if not ordered:
        return []
    more = f" and {len(ordered) - _NAMED_MAX} more" if len(ordered) > _NAMED_MAX else ""
    return [f"{what}: {', '.join(ordered[:_NAMED_MAX])}{more}"]


@cache
def examine() -> Installation:
    """Return the software of this process; its files are hashed once."""
    return compare(PACKAGE, _version(), is_installed=_is_installed())


@cache
def software_text() -> str:
    """Return the version as reports print it; sources, which change all the time, are not hashed for it."""
    if not (PACKAGE / MANIFEST).is_file() and not _is_installed():
        return Installation(_version(), "", 0, is_built=False).text
    return examine().text


def _is_installed() -> bool:
    """True if a build was installed: its list of files has a manifest, whether it is there still or not."""
    from importlib.metadata import PackageNotFoundError, files  # noqa: PLC0415 - the build has none yet

    try:
        return f"{PACKAGE.name}/{MANIFEST}" in map(str, files("pitboss") or ())
    except PackageNotFoundError:
        return False


def _version() -> str:
    from importlib.metadata import version  # noqa: PLC0415 - the build has none yet

    return version("pitboss")
