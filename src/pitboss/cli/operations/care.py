"""The doctor, the support bundle, upgrade and rollback, printed."""

import json
from pathlib import Path

from rich.markup import escape

from pitboss.cli.books.sources import explaining
from pitboss.cli.output import BROKEN_RULE, console
from pitboss.operations.doctor import DoctorContext, DoctorReport, examine
from pitboss.operations.support import make_bundle
from pitboss.operations.upgrade import UpgradePlan, make_plan, roll_back, upgrade_room
from pitboss.server.settings import Listening


def context_of(
    path: Path,
    host: str,
    port: int,
    certificate: Path | None,
    key: Path | None,
    proxies: list[str] | None,
    public: str,
    backups: Path | None,
    *,
    behind_proxy: bool,
) -> DoctorContext:
    """Return what the doctor is to look at."""
    listening = Listening(
        host=host,
        port=port,
        certificate=certificate,
        key=key,
        behind_proxy=behind_proxy,
        proxies=tuple(proxies or ("127.0.0.1", "::1")),
        public=public,
    )
    return DoctorContext(path, listening=listening, backups=backups)


@explaining
def run_doctor(context: DoctorContext, *, as_json: bool) -> int:
    """Print what is wrong and what fixes it."""
    report = examine(context)
    if as_json:
        print(report.to_json())
    else:
        _print_report(report)
    return 0 if report.is_healthy else BROKEN_RULE


def _print_report(report: DoctorReport) -> None:
    for finding in report.findings:
        color = "red" if finding.level == "wrong" else "yellow"
        console.print(f"[bold {color}]{finding.check}[/]: {escape(finding.text)}")
        console.print(f"  {escape(finding.fix)}")
    for name, reason in report.unchecked.items():
        console.print(f"{name}: not checked, {escape(reason)}")
    wrong = sum(finding.level == "wrong" for finding in report.findings)
    warnings = len(report.findings) - wrong
    looked = report.checks - len(report.unchecked)
    console.print(f"{looked} of {report.checks} checks: {wrong} wrong, {warnings} to look at")


@explaining
def write_bundle(context: DoctorContext, file: Path, log: Path | None, service: str) -> int:
    """Write the support bundle, and print what is in it."""
    names = make_bundle(context, file, log=log, service=service)
    console.print(f"{escape(str(file))}: {', '.join(names)}. Look through it before you send it.")
    return 0


def _print_plan(plan: UpgradePlan) -> None:
    before = plan.version_before or "an unknown version"
    console.print(f"Last served by {escape(before)}; this is {escape(plan.version)}.")
    if plan.unreadable:
        kinds = ", ".join(f"{kind} ({count:,})" for kind, count in plan.unreadable.items())
        console.print(f"[bold red]A newer version has written entries that this one cannot read: {escape(kinds)}[/]")
    schemas = f"{plan.schema_before or 'none'} to {plan.schema}: {', '.join(plan.migrations)}"
    console.print(f"Schema: {schemas if plan.migrations else f'{plan.schema_before}, no migration'}")
    for part in plan.renewed:
        console.print(f"Folded anew: {part.name}, {escape(part.reason)}, {part.entries:,} entries")
    if not plan.renewed:
        console.print("Folded anew: nothing")
    _print_way_back(plan)
    for text in plan.dropped:
        console.print(f"Setting without effect: {escape(text)}")
    rate = f" at {plan.a_second:,.0f} a second" if plan.a_second else ""
    console.print(
        f"{plan.entries:,} entries, of which {plan.folded:,} are read again{rate}: about {plan.seconds:.1f} s."
    )


def _print_way_back(plan: UpgradePlan) -> None:
    if plan.unread_before is None:
        console.print(
            "Way back: no other version is in use here that could be asked (pitboss rollback --program FILE)."
        )
    elif plan.unread_before:
        count, kinds = len(plan.unread_before), ", ".join(plan.unread_before[:3])
        console.print(
            f"[bold yellow]Way back: none once this version has served the room.[/] The version in use does not read "
            f"{count} kinds of entries that this one writes ({kinds}{' …' if count > 3 else ''}). Try a copy first."
        )
    else:
        console.print(
            "Way back: the version in use reads every kind of entry that this one writes. Whether it reads all that "
            "stands in them, `pitboss rollback --check` tries on the room's own entries."
        )


@explaining
def upgrade(path: Path, backup: Path | None, service: str, *, check: bool, as_json: bool) -> int:
    """Print what this version changes, and do it unless only that is asked."""
    if check:
        plan = make_plan(path)
        if as_json:
            print(json.dumps(plan.content(), indent=2))
        else:
            _print_plan(plan)
        return 0 if plan.is_possible else BROKEN_RULE
    done = upgrade_room(path, backup=backup, service=service)
    if as_json:
        content = {"backup": str(done.backup), "stood_still_seconds": round(done.seconds, 3), "in_use": done.in_use}
        print(json.dumps(done.plan.content() | content, indent=2))
        return 0
    _print_plan(done.plan)
    console.print(f"Backup of before: {escape(str(done.backup))}")
    console.print(f"Upgraded to {escape(done.in_use)}; the room stood still for {done.seconds:.1f} s.")
    return 0


@explaining
def rollback(path: Path, program: Path | None, backup: Path | None, service: str, *, check: bool, as_json: bool) -> int:
    """Roll back, or print whether that can be done."""
    done = roll_back(path, program=program, backup=backup, service=service, check=check)
    if as_json:
        print(json.dumps(done._asdict() | {"backup": str(done.backup), "done": not check}, indent=2))
        return 0
    for book, head in done.heads.items():
        console.print(f"book {book}: version {escape(done.version)} reads it to the same head {head}")
    if done.backup.exists():
        console.print(f"Backup of now: {escape(str(done.backup))}")
    if check:
        console.print(f"Version {escape(done.version)} can be used again with nothing lost.")
        return 0
    console.print(f"Version {escape(done.version)} is in use; the room stood still for {done.seconds:.1f} s.")
    return 0
