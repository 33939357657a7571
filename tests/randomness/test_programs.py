"""Programs of others: run where installed, told where absent, never needed, and able to fail a report (R-16)."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pitboss.randomness import report as programs
from pitboss.randomness.report import ProgramResult, run_programs
from tests.programs import program
from tests.randomness.test_report import small

KEY = bytes(range(32))
ENT = """printf '0,File-bytes,Entropy,Chi-square,Mean,Monte-Carlo-Pi,Serial-Correlation\\n1,1,7.9,%s,127.4,3.1,0.0\\n' {chi}"""
DIEHARDER = """echo "   a_test_$6,{p},  {verdict}  "; echo '# The file was rewound 0 times'"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which programs are looked for."""
    monkeypatch.setattr(shutil, "which", lambda name: str(tmp_path / name) if (tmp_path / name).exists() else None)
    monkeypatch.setattr(programs, "_BYTES", 4096)
    return tmp_path


def put(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)


def results() -> dict[str, ProgramResult]:
    return {result.program: result for result in run_programs(KEY, 0)}


@pytest.mark.usefixtures("install")
def test_absent_programs_are_told_and_no_failure() -> None:
    assert [(result.program, result.missing) for result in run_programs(KEY, 0)] == [
        ("ent", "not installed"),
        ("dieharder", "not installed"),
    ]
    assert replace(small(), programs=run_programs(KEY, 0)).passed


@pytest.mark.parametrize(
    ("chi", "verdict"), [("255.3", "PASSED"), ("330", "WEAK"), ("400", "FAILED"), ("120", "FAILED")]
)
def test_the_chi_square_of_ent_is_judged_on_both_sides(install: Path, chi: str, verdict: str) -> None:
    put(install, "ent", ENT.format(chi=chi))
    ent = results()["ent"]
    assert ent.missing is None
    assert [trial.verdict for trial in ent.trials] == [verdict]
    assert ent.failed == (verdict == "FAILED")


@pytest.mark.parametrize(("p", "verdict"), [(0.5, "PASSED"), (0.998, "WEAK"), (0.0, "FAILED")])
def test_the_verdicts_of_dieharder_are_taken_as_they_are(install: Path, p: float, verdict: str) -> None:
    put(install, "dieharder", DIEHARDER.format(p=p, verdict=verdict))
    dieharder = results()["dieharder"]
    assert [(trial.p, trial.verdict) for trial in dieharder.trials] == [(p, verdict)] * 4
    assert [trial.test for trial in dieharder.trials] == ["a_test_0", "a_test_15", "a_test_100", "a_test_101"]
    assert replace(small(), programs=(dieharder,)).passed == (verdict != "FAILED")


@pytest.mark.parametrize("script", ["exit 3", "echo what", "echo '1,2,3'", "true", "echo 'a,b,c,d'"])
def test_a_program_that_is_not_understood_is_told_and_no_verdict(install: Path, script: str) -> None:
    for name in ("ent", "dieharder"):
        put(install, name, script)
        assert (results()[name].missing or "").startswith("could not be run or understood")
        assert not results()[name].failed


def test_a_program_without_end_is_stopped(install: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "_SECONDS_MAX", 0.2)
    put(install, "ent", "exec tail -f /dev/null")
    assert results()["ent"].missing == "not done after 0.2 seconds"


def test_a_program_is_given_the_raw_stream_of_the_block(install: Path) -> None:
    put(install, "ent", f'cp "$2" {install}/copy; ' + ENT.format(chi="255"))
    run_programs(KEY, 9)
    from pitboss.randomness.live import raw_bytes  # noqa: PLC0415

    assert b"".join(raw_bytes(KEY, 9, 4096)) == (install / "copy").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_an_installed_program_finds_nothing(name: str) -> None:
    program(name)
    assert not results()[name].failed
    assert results()[name].trials
