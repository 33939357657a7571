"""The `odds` command: exact figures of a wager, a game, or the whole catalogue."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from pitboss.cli.arguments import dollars_or_exit, percent, readings_of, tables_of, wager_of
from pitboss.cli.output import console, errors, fail, game_or_exit, plain_table, print_rows
from pitboss.games import all_games
from pitboss.odds.printed import catalogue, solve_catalogue
from pitboss.odds.results import OddsResult
from pitboss.odds.store import Store, default_store
from pitboss.rules import Game, Wager


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was typed of terms."""

    paytables: Sequence[str] = ()
    readings: Sequence[str] = ()
    decks: int | None = None
    pays: Sequence[str] = ()
    meter: str | None = None
    seats: int | None = None
    fresh: bool = False


def store_of(*, fresh: bool) -> Store | None:
    """Use what is kept on disk, unless all is to be computed again."""
    return None if fresh else default_store()


def progress_bar() -> Progress:
    """Show on standard error what is being computed, and leave nothing behind."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    # Where nobody watches, a bar that is not disabled ends in an empty line.
    return Progress(*columns, console=errors, transient=True, disable=not errors.is_interactive)


def show_odds(game_name: str, wager_name: str | None, asked: Asked, *, as_json: bool) -> int:
    """Print the odds of one wager, or of every wager of a game under its first tables."""
    game = game_or_exit(game_name)
    wagers = game.wagers if wager_name is None else (wager_of(game, wager_name),)
    results = _solve_all(game, wagers, asked, wager_name is not None)
    if as_json:
        print(json.dumps([result.as_json() for result in results], indent=2))
        return 0
    meter = dollars_or_exit(asked.meter)
    for result in results:
        _show(game, result, meter, asked.seats)
    return 0


def _solve_all(game: Game, wagers: Sequence[Wager], asked: Asked, one: bool) -> list[OddsResult]:
    from pitboss.odds.solving import first_tables, solve  # noqa: PLC0415

    stated = readings_of(asked.readings)
    near = [*wagers, *(game.by_name[wager.shares.main] for wager in wagers if one and wager.shares is not None)]
    tables = tables_of(game, near, asked.paytables, asked.pays)
    if asked.seats is not None and not 1 <= asked.seats <= game.seats_max:
        raise fail(f"--seats {asked.seats}: {game.title} has 1 to {game.seats_max} seats")
    results = []
    with progress_bar() as progress:
        task = progress.add_task("", total=len(wagers))
        for wager in wagers:
            progress.update(task, description=f"{game.name} {wager.name}")
            relevant = {name: value for name, value in stated.items() if one or name in wager.switches}
            main = wager.shares.main if wager.shares is not None and one else None
            try:
                results.append(
                    solve(
                        game.name,
                        wager.name,
                        tables.get(wager.name) or first_tables(game, wager),
                        readings=relevant,
                        decks=asked.decks,
                        beside=tables.get(main) if main is not None else None,
                        store=store_of(fresh=asked.fresh),
                    )
                )
            except ValueError as error:
                raise fail(str(error)) from None
            progress.advance(task)
    return results


def show_catalogue(*, fresh: bool, as_json: bool) -> int:
    """Print every wager with every printed table, reading and shoe."""
    games = list(all_games())
    with progress_bar() as progress:
        task = progress.add_task("", total=sum(1 for game in games for _ in catalogue(game)))
        results = solve_catalogue(
            games,
            store=store_of(fresh=fresh),
            done=lambda game, wager: progress.update(task, description=f"{game} {wager}", advance=1),
        )
    if as_json:
        print(json.dumps([result.as_json() for result in results]))
        return 0
    columns = ("game", "wager", "pay tables", "readings", "decks>", "edge>", "risk>", "deviation>", "hits>")
    print_rows(columns, [_catalogue_row(result) for result in results])
    return 0


def _catalogue_row(result: OddsResult) -> tuple[str, ...]:
    return (
        result.game,
        result.wager,
        ", ".join(result.paytables),
        ", ".join(result.readings.values()),
        str(result.decks or ""),
        percent(result.house_edge),
        percent(result.element_of_risk),
        result.std_dev(4),
        percent(result.hit_frequency),
    )


def _show(game: Game, result: OddsResult, meter_cents: int | None, seats: int | None) -> None:
    tables = ", ".join(result.paytables)
    console.print(f"[bold]{escape(game.title)}: {result.wager}[/]  {escape(tables)}", soft_wrap=True)
    for name, reading in result.readings.items():
        console.print(f"  {name} = {reading}")
    if result.decks is not None:
        console.print(f"  {result.decks} decks")
    figures = plain_table("", "exact", "about>")
    figures.add_row("  expectation per unit", str(result.ev), f"{float(result.ev):+.9f}")
    figures.add_row("  house edge of the initial stake", str(result.house_edge), percent(result.house_edge))
    figures.add_row("  average total wager", str(result.average_wager), f"{float(result.average_wager):.6f}")
    figures.add_row("  element of risk", str(result.element_of_risk), percent(result.element_of_risk))
    figures.add_row("  variance", str(result.variance), f"{float(result.variance):.6f}")
    figures.add_row("  standard deviation", "", result.std_dev(6))
    figures.add_row("  hit frequency", str(result.hit_frequency), percent(result.hit_frequency))
    if result.meter_coefficient is not None:
        _add_jackpot(figures, game, result, meter_cents, seats)
    console.print(figures)
    for row, coefficient in result.open_cells.items():
        console.print(f"  left open: {escape(row)} counts as zero and adds {coefficient} for every dollar it pays")
    for level in result.decisions:
        if level:
            console.print("  decisions: " + ", ".join(f"{name} {percent(share)}" for name, share in level.items()))
    events = plain_table("  event", "pays>", "count>", "probability>", "adds>")
    for event in result.events:
        events.add_row(
            f"  {event.event}",
            event.pays,
            f"{event.count:,}",
            f"{float(event.probability):.9f}",
            f"{float(event.contribution):+.9f}",
        )
    console.print(events)
    console.print(
        f"  of {result.events[0].of:,} deals: {result.method}; terms {result.terms_hash[:12]}\n", soft_wrap=True
    )


def _add_jackpot(figures: Any, game: Game, result: OddsResult, meter_cents: int | None, seats: int | None) -> None:
    """Tell what meter and Envy are worth."""
    figures.add_row("  return without meter and Envy", str(result.fixed_return), percent(result.fixed_return))
    top = result.events[0]
    figures.add_row(f"  odds of {top.event}", str(top.probability), f"1 in {float(1 / top.probability):,.1f}")
    if result.meter_coefficient:
        figures.add_row("  return per dollar of meter", str(result.meter_coefficient), "")
        even = result.break_even_meter or Fraction(0)
        figures.add_row("  break-even meter", f"${even}", f"${float(even):,.2f}")
        if meter_cents is not None:
            edge = result.edge_at(meter_cents=meter_cents)
            figures.add_row(f"  edge at a meter of ${meter_cents / 100:,.2f}", str(edge), percent(edge))
    if result.envy_per_hand:
        figures.add_row("  Envy from each other hand", str(result.envy_per_hand), percent(result.envy_per_hand))
        for number in range(2, game.seats_max + 1) if seats is None else (seats,):
            edge = result.edge_at(meter_cents=meter_cents or 0, seats=number)
            figures.add_row(f"  edge with Envy, {number} seats", str(edge), percent(edge))
