"""A smoke test of this repository on each Python that it supports and that is on this machine.

For each version: a virtual environment of its own with the pinned requirements, every module compiled and imported, the
example of the README settled, and the tests of cards and rules. A version that is not on this machine is named as
skipped; nothing is downloaded but requirements.

    python -m tools.matrix [3.12 3.13]
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "matrix"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
REQUIREMENTS = ROOT / "requirements" / "dev.txt"
EXAMPLE = (
    "settle",
    "three-card-prime",
    "--paytable",
    "PW/BB-1",
    "--dealer",
    "9d 9h 9c",
    "--seat",
    "7d 7h 7c Ks | ante-play=10 | play",
)
TESTS = ("tests/cards", "tests/rules")
_IMPORT_ALL = """
import importlib, pkgutil, pitboss
names = [found.name for found in pkgutil.walk_packages(pitboss.__path__, "pitboss.")]
# Alembic runs its environment and versions by itself; `__main__` would start the command.
for name in names:
    if ".migrations." not in name and not name.endswith(".__main__"):
        importlib.import_module(name)
print(len(names), "modules imported")
"""


class StepFailedError(RuntimeError):
    """A step of the smoke test that failed, with the last lines it printed."""


def find_python(version: str) -> Path | None:
    """Return the interpreter of a version on this machine: on the path, of pyenv or of uv; None where there is none."""
    candidates = [shutil.which(f"python{version}"), sys.executable]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    candidates += map(str, sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}")))
    uv = shutil.which("uv", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))))
    if uv is not None:
        asked = (uv, "python", "find", "--no-python-downloads", "--managed-python", version)
        candidates.append(subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip())
    # A name on the path may be that of a version manager which has no such version: each is asked what it is.
    return next((Path(path) for path in candidates if path and version_of(path) == version), None)


def version_of(python: str) -> str:
    """Return the version that an interpreter states, such as 3.12; empty where it does not start."""
    program = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        return subprocess.run((python, "-c", program), capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def run(*command: str | Path) -> str:
    """Run a step from the root of the repository and return the last line it printed."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    lines = [line for line in (*done.stdout.splitlines(), *done.stderr.splitlines()) if line.strip()]
    if done.returncode:
        raise StepFailedError("\n".join((f"{' '.join(map(str, command))} ends with {done.returncode}", *lines[-15:])))
    return lines[-1] if lines else ""


def make_environment(version: str, python: Path) -> Path:
    """Make the environment of a version, or return that of an earlier run with the same requirements."""
    digest = hashlib.sha256(REQUIREMENTS.read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    environment = FOLDER / version
    inside, stamp = environment / "bin" / "python", environment / "requirements.sha256"
    if not stamp.is_file() or stamp.read_text() != digest:
        run(python, "-m", "venv", "--clear", environment)
        pip = (inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        run(*pip, "--require-hashes", "-r", REQUIREMENTS)
        run(*pip, "--no-deps", "--no-build-isolation", "-e", ".")
        stamp.write_text(digest)
    return inside


def smoke(python: Path) -> list[str]:
    """Run the smoke test in an environment, and return a line for each step."""
    run(python, "-m", "compileall", "-q", "-f", "src")
    imported = run(python, "-c", _IMPORT_ALL)
    run(python.parent / "pitboss", *EXAMPLE)
    tested = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS)
    return ["all compiles", imported, "the example settles", tested]


def main(arguments: Sequence[str] | None = None) -> int:
    """Test each version that is named, or all; 1 where one fails."""
    parser = argparse.ArgumentParser(prog="python -m tools.matrix", description="Smoke test on several Pythons.")
    parser.add_argument("versions", nargs="*", default=VERSIONS, help=f"such as {VERSIONS[1]}; all of them by default")
    results: dict[str, str] = {}
    for version in parser.parse_args(arguments).versions:
        python = find_python(version)
        if python is None:
            results[version] = "skipped: not on this machine"
        else:
            try:
                results[version] = "; ".join(smoke(make_environment(version, python)))
            except StepFailedError as error:
                results[version] = f"FAILED: {error}"
        print(f"Python {version}: {results[version]}", flush=True)
    tested = [version for version, result in results.items() if not result.startswith(("skipped", "FAILED"))]
    print(f"passed: {', '.join(tested) or 'none'}")
    return 0 if tested and not any(result.startswith("FAILED") for result in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
