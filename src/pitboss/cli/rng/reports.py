"""What `pitboss rng report` does: the battery, and how its report is printed."""

import hashlib
import json

from rich.markup import escape

from pitboss.cards import key_text
from pitboss.cli.output import BROKEN_RULE, console, fail, plain_table, show_problems
from pitboss.cli.rng.streams import StreamKey, byte_progress, key_of
from pitboss.odds.store import default_store
from pitboss.randomness import report as battery_report
from pitboss.randomness.live import DealingLockedError
from pitboss.randomness.report import ProgramResult, RandomnessReport, RandomnessRequest
from pitboss.randomness.trials import Trial


def show_report(key_typed: str | None, block: int, rounds: int, length: int, programs: bool, *, as_json: bool) -> int:
    """Make the report, print it, and end with 1 where something failed."""
    wrong: list[str] = []
    key = key_of(key_typed, wrong)
    request = RandomnessRequest(key=key.key, block=block, rounds=rounds, length=length, programs=programs)
    try:
        request.check()
    except ValueError as error:
        wrong.append(str(error))
    if wrong:
        raise fail("; ".join(wrong))
    try:
        report = _make(request)
    except (DealingLockedError, battery_report.ReportError) as error:
        show_problems([str(error)], "No report is made.")
        return BROKEN_RULE
    if as_json:
        print(json.dumps(report.as_json(show_key=key.fresh), indent=2))
    else:
        _show(report, key)
    return 0 if report.passed else BROKEN_RULE


def _make(request: RandomnessRequest) -> RandomnessReport:
    with byte_progress() as progress:
        task = progress.add_task("", total=battery_report.steps_of(request))
        return battery_report.make_report(
            request,
            store=default_store(),
            done=lambda what, rounds: progress.update(task, description=what, advance=rounds),
        )


def _show(report: RandomnessReport, key: StreamKey) -> None:
    _show_origin(report, key)
    table = plain_table("test", "of", "sample>", "statistic>", "degrees>", "p>", "")
    for place, trial in enumerate(report.trials):
        table.add_row(*_row(trial), "[red]FAILS[/]" if place in report.failing else "")
    console.print(table)
    for program in report.programs:
        _show_program(program)
    _show_verdict(report)


def _show_origin(report: RandomnessReport, key: StreamKey) -> None:
    request = report.request
    if key.fresh:
        console.print(f"key {key_text(key.key)}, drawn for this report")
    console.print(f"key SHA-256 {hashlib.sha256(key.key).hexdigest()}")
    console.print(f"raw words: block {request.block}, {request.length:,} bytes, SHA-256 {report.raw_sha256}")
    last = request.block + request.rounds
    for dealt in report.decks:
        console.print(
            f"{dealt.deck.words}: {dealt.rounds:,} rounds of blocks {request.block + 1:,} to {last:,}, "
            f"SHA-256 {dealt.sha256}",
            soft_wrap=True,
        )
    console.print()


def _row(trial: Trial) -> tuple[str, ...]:
    degrees = "" if trial.degrees is None else f"{trial.degrees:,}"
    return trial.test, escape(trial.of), f"{trial.sample:,}", f"{trial.statistic:,.3f}", degrees, f"{trial.p:.6f}"


def _show_program(program: ProgramResult) -> None:
    if program.missing is not None:
        console.print(f"{program.program}: {program.missing}", markup=False)
        return
    for trial in program.trials:
        console.print(f"{program.program}: {trial.test} p {trial.p:.6f} {trial.verdict}", markup=False)


def _show_verdict(report: RandomnessReport) -> None:
    number, failing = len(report.trials), len(report.failing)
    console.print(
        f"\n{number} tests with a confidence of 99% for all of them together: Holm's rule, p-values two-sided, so "
        f"that too good a fit fails too; the least p-value is held against 0.01 / {number}.",
        soft_wrap=True,
    )
    verdict = "[green]PASSED[/]" if report.passed else f"[red]FAILED[/]: {failing} tests of ours"
    others = [program.program for program in report.programs if program.failed]
    console.print(f"[bold]{verdict}[/]" + (f"; failed by {', '.join(others)}" if others else ""))
    console.print(f"pitboss {report.versions['pitboss']}; --json tells all versions and the hash of the sources")
