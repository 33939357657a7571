"""The odds room in the terminal: where a game can be hurt, and pay tables to be designed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.markup import escape

from pitboss.cli.arguments import tables_of, wager_of
from pitboss.cli.odds.figures import store_of
from pitboss.cli.output import console, fail, game_or_exit, plain_table, progress_bar
from pitboss.odds.designing import Wish, design
from pitboss.odds.solving import first_tables, stated_terms
from pitboss.simulate.vulnerability import PARTS, WeakPoint, usual_terms, vulnerability

_HEADS = {
    "sight": "Cards seen",
    "collusion": "Seats that tell each other their cards",
    "cut-card": "A shoe dealt on, and counted",
    "meter": "Meters",
    "bank": "The bank",
    "misread": "A row read as the row above, the costliest first",
    "mispay": "The commonest row, mispaid",
}


def show_vulnerability(
    game_name: str, parts: Sequence[str], typed: Sequence[str], decks: int | None, *, fresh: bool, as_json: bool
) -> int:
    """Print every way to be hurt, part by part, each with its method, its error and its time."""
    game = game_or_exit(game_name)
    if unknown := [part for part in parts if part not in PARTS]:
        raise fail(f"--part {unknown[0]!r} must be one of: {', '.join(PARTS)}")
    try:
        terms = usual_terms(game, tables_of(game, game.wagers, typed), decks)
    except ValueError as error:
        raise fail(str(error)) from None
    chosen = tuple(part for part in PARTS if not parts or part in parts)
    findings: list[WeakPoint] = []
    with progress_bar() as progress:
        task = progress.add_task(game.name, total=len(chosen))
        for part in chosen:
            progress.update(task, description=f"{game.name} {part}")
            report = vulnerability(game, terms, parts=(part,), store=store_of(fresh=fresh))
            findings += report.findings
            progress.advance(task)
    if as_json:
        content = {**report.as_json(), "findings": [finding.as_json() for finding in findings]}
        print(json.dumps(content, indent=2))
        return 0
    for part in chosen:
        _show_part(part, [finding for finding in findings if finding.part == part])
    return 0


def _show_part(part: str, findings: list[WeakPoint]) -> None:
    if not findings:
        return
    console.print(f"[bold]{_HEADS[part]}[/]  {escape(findings[0].unit)}")
    table = plain_table("  what", "worth>", "plus or minus>", "without>", "seconds>")
    for finding in findings:
        table.add_row(
            f"  {finding.words}",
            _amount(finding.value, finding.unit),
            "exact" if finding.error is None else _amount(finding.error, finding.unit),
            "" if finding.against is None else _amount(finding.against, finding.unit),
            f"{finding.seconds:.1f}",
        )
    console.print(table)
    for method in dict.fromkeys(finding.method for finding in findings):
        console.print(f"  {escape(method)}", soft_wrap=True)
    console.print()


def _amount(value: Any, unit: str) -> str:
    return f"{float(value):+.4%}" if unit.startswith("expectation") else f"{float(value):,.2f}"


@dataclass(frozen=True, slots=True)
class DesignOptions:
    """The options of `pitboss design`, unchecked."""

    edge: Sequence[float]
    hit: float | None
    top: int | None
    paytables: Sequence[str]
    slot: str | None
    limit: int
    re_solve: bool
    fresh: bool


def show_design(game_name: str, wager_name: str, options: DesignOptions, *, as_json: bool) -> int:
    """Search for pay tables, and print the frontier of edge against deviation."""
    game = game_or_exit(game_name)
    wager = wager_of(game, wager_name)
    tables = {wager.name: tables_of(game, (wager,), options.paytables).get(wager.name) or first_tables(game, wager)}
    try:
        terms, _ = stated_terms(game, tables)
        wish = Wish.of(options.edge, hit=options.hit, top=options.top)
        store = store_of(fresh=options.fresh)
        search = design(game, wager, terms, wish, slot=options.slot, re_solve=options.re_solve, store=store)
    except ValueError as error:
        raise fail(str(error)) from None
    if as_json:
        print(json.dumps(search.as_json(options.limit), indent=2))
        return 0
    console.print(f"[bold]{escape(game.title)}: {wager.name}[/]  like {search.like}; {search.method}")
    rate = f"{search.tried:,} tables in {search.seconds:.2f} s, {search.rate:,.0f} a second"
    console.print(f"  {rate}; {search.fitting:,} fit", soft_wrap=True)
    table = plain_table("  edge>", "std. deviation>", "hits>", *(f"{event}>" for event in search.events))
    for row in search.spread(options.limit):
        table.add_row(f"  {float(row.edge):.4%}", f"{row.deviation:.4f}", f"{float(row.hits):.4%}", *map(str, row.pays))
    console.print(table)
    return 0
