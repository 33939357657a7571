"""Makes a release of this repository: verifies that all is ready, then tags it and builds the packages into `dist`.

Nothing leaves this machine: what is printed last says what is to be pushed. Refused are a tree with changes, a version
that is not the one in `pyproject.toml`, one that the changelog has no dated section with lines for, notes that still
stand under "Unreleased", a tag that is there already, and checks that fail.

    python -m tools.release 0.2.0 --dry-run
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHECKS = (("make", "check"), ("make", "test"))
BUILD = (sys.executable, "-m", "hatchling", "build")
UNRELEASED = "Unreleased"
_VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")
_SECTION = re.compile(r"^## (?P<title>[^\n]+)\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_DATED = re.compile(r"(?P<version>\S+) - \d{4}-\d\d-\d\d")


class CommandFailedError(RuntimeError):
    """A program that ended with an error."""


def run(root: Path, *command: str) -> str:
    """Run a program in the repository and return what it printed, without the last line break."""
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [*done.stdout.splitlines(), *done.stderr.splitlines()]
        raise CommandFailedError(f"`{shlex.join(command)}` ends with {done.returncode}: {' / '.join(lines[-3:])}")
    return done.stdout.rstrip("\n")


def release_notes(changelog: str, version: str) -> str:
    """Return the lines of the changelog about a version; empty where it has no dated section with lines for it."""
    for section in _SECTION.finditer(changelog):
        dated = _DATED.fullmatch(section["title"].strip())
        if dated is not None and dated["version"] == version and re.search(r"^- ", section["body"], re.MULTILINE):
            return section["body"].strip()
    return ""


def problems(root: Path, version: str) -> Iterator[str]:
    """Yield everything that speaks against releasing a version now, but for checks, which take their time."""
    if not _VERSION.fullmatch(version):
        yield f"{version!r} is no version such as 0.2.0"
    yield from tree_problems(root)
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if project["version"] != version:
        yield f"pyproject.toml has version {project['version']}, not {version}"
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not release_notes(changelog, version):
        yield f"CHANGELOG.md has no section `## {version} - YYYY-MM-DD` with lines in it"
    titles = {section["title"].strip(): section["body"].strip() for section in _SECTION.finditer(changelog)}
    if titles.get(UNRELEASED):
        yield f"CHANGELOG.md has lines under {UNRELEASED!r}: they belong to {version}, or to no release"
    if run(root, "git", "tag", "--list", tag_of(version)):
        yield f"the tag {tag_of(version)} is there already"


def tree_problems(root: Path) -> Iterator[str]:
    """Yield the files that are changed or that git does not know."""
    changed = run(root, "git", "status", "--porcelain").splitlines()
    if changed:
        more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
        yield f"the tree has changes: {', '.join(line[3:] for line in changed[:5])}{more}"


def tag_of(version: str) -> str:
    """Return the tag of a version."""
    return f"v{version}"


def failed_checks(root: Path) -> Iterator[str]:
    """Run the checks and yield those that fail; files that they leave behind are a failure too."""
    for check in CHECKS:
        try:
            run(root, *check)
        except (CommandFailedError, OSError) as error:
            yield f"a check fails: {error}"
    yield from tree_problems(root)


def steps(root: Path, version: str) -> Iterator[tuple[str, ...]]:
    """Yield the commands that make the release."""
    notes = release_notes((root / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    yield *BUILD, "--directory", str(root / "dist")
    # Headings of the notes begin like comments, which git would leave out.
    yield (
        "git",
        "tag",
        "--annotate",
        "--cleanup=verbatim",
        tag_of(version),
        "--message",
        f"Pitboss {version}\n\n{notes}",
    )


def shown(step: Sequence[str]) -> str:
    """Return a command for people: of a message the first line."""
    return shlex.join(argument.partition("\n")[0] for argument in step)


def release(root: Path, version: str, *, is_dry_run: bool = False) -> list[str]:
    """Release a version, or print what would be done; returns everything that speaks against it."""
    refusals = list(problems(root, version))
    if refusals:
        return refusals
    if is_dry_run:
        for step in (*CHECKS, *steps(root, version)):
            print(f"would run: {shown(step)}")
        print(f"would say: push {tag_of(version)} and the files in dist")
        return []
    refusals = list(failed_checks(root))
    if refusals:
        return refusals
    for step in steps(root, version):
        print(shown(step))
        run(root, *step)
    print(f"{version} is ready: push {tag_of(version)} and the files in dist")
    return []


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Release the version that is named; 1 and every reason where it is refused."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description="Make a release of this repository.")
    parser.add_argument("version", help="the version, as it stands in pyproject.toml")
    parser.add_argument("--dry-run", action="store_true", help="print what would be done, and do nothing")
    options = parser.parse_args(arguments)
    refusals = release(root, options.version, is_dry_run=options.dry_run)
    for refusal in refusals:
        print(f"refused: {refusal}", file=sys.stderr)
    return 1 if refusals else 0


if __name__ == "__main__":
    sys.exit(main())
