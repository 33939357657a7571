"""Test programs of others, run on the same stream where they are installed: ent, and some tests of dieharder (R-16)."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pitboss.randomness.collect import raw_bytes, write_all
from pitboss.randomness.probabilities import chi_square_ends, two_sided

__all__ = ["PROGRAMS", "ProgramResult", "ProgramTrial", "run_programs"]

PROGRAMS = ("ent", "dieharder")
# dieharder's own limits of a p-value for FAILED and WEAK, two-sided; ent has none, and is held to the same.
_FAILED_BELOW, _WEAK_BELOW = 1e-6, 0.005
_BYTES = 1 << 26
_SECONDS_MAX = 600
# Each reads less than the file has, so that it is not read twice: birthdays, runs, monobit, runs of STS.
_DIEHARDER_TESTS = (0, 15, 100, 101)
_VERDICTS = ("PASSED", "WEAK", "FAILED")
_SHOWN = ("test_name", "pvalues", "assessment")


@dataclass(frozen=True, slots=True)
class ProgramTrial:
    """One p-value of a program, and its own verdict: PASSED, WEAK or FAILED."""

    test: str
    p: float
    verdict: str


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """What a program said of the first so many bytes; one that is absent, or came to no end, says why not."""

    program: str
    length: int = 0
    trials: tuple[ProgramTrial, ...] = ()
    missing: str | None = None

    @property
    def failed(self) -> bool:
        """Tell whether a test failed; WEAK is no failure, but a reason to try another key."""
        return any(trial.verdict == "FAILED" for trial in self.trials)


def run_programs(key: bytes, block: int) -> tuple[ProgramResult, ...]:
    """Run what is installed on the stream of a block, from its start."""
    found = {name: shutil.which(name) for name in PROGRAMS}
    absent = tuple(ProgramResult(name, missing="not installed") for name, path in found.items() if path is None)
    if len(absent) == len(PROGRAMS):
        return absent
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "stream"
        with file.open("wb") as stream:
            write_all(raw_bytes(key, block, _BYTES), stream, lambda _: None)
        ran = tuple(_run(name, path, file) for name, path in found.items() if path is not None)
    return ran + absent


def _run(name: str, path: str, file: Path) -> ProgramResult:
    readers: dict[str, Callable[[str, Path], tuple[ProgramTrial, ...]]] = {"ent": _ent, "dieharder": _dieharder}
    try:
        return ProgramResult(name, _BYTES, readers[name](str(Path(path).absolute()), file))
    except subprocess.TimeoutExpired:
        return ProgramResult(name, missing=f"not done after {_SECONDS_MAX} seconds")
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        return ProgramResult(name, missing=f"could not be run or understood: {error}")


def _said(*command: str) -> str:
    ended = subprocess.run(command, check=True, capture_output=True, text=True, timeout=_SECONDS_MAX)  # noqa: S603
    return ended.stdout


def _ent(path: str, file: Path) -> tuple[ProgramTrial, ...]:
    """Read ent's chi-square of the bytes; its other figures have no verdict."""
    names, figures = (line.split(",") for line in _said(path, "-t", str(file)).splitlines()[:2])
    chi_square = float(figures[names.index("Chi-square")])
    p = two_sided(*chi_square_ends(chi_square, 255))
    verdict = "FAILED" if p < _FAILED_BELOW else "WEAK" if p < _WEAK_BELOW else "PASSED"
    return (ProgramTrial("chi-square of bytes", p, verdict),)


def _dieharder(path: str, file: Path) -> tuple[ProgramTrial, ...]:
    shown = [option for column in _SHOWN for option in ("-D", column)]
    trials: list[ProgramTrial] = []
    for number in _DIEHARDER_TESTS:
        told = _said(path, "-g", "201", "-f", str(file), "-d", str(number), "-c", ",", *shown)
        lines = [line for line in told.splitlines() if line.strip() and not line.startswith("#")]
        if not lines:
            raise ValueError(f"test {number} said nothing")
        for line in lines:
            test, p, verdict = (cell.strip() for cell in line.split(","))
            if verdict not in _VERDICTS:
                raise ValueError(f"test {number} said {line!r}")
            trials.append(ProgramTrial(test, float(p), verdict))
    return tuple(trials)
