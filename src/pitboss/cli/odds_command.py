"""The `odds` command: exact figures of a wager, a game, or the whole catalogue."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from rich.markup import escape
from rich.progress import Progress

from pitboss.cli.output import console, errors, fail, game_or_exit, plain_table
from pitboss.games import all_games
from pitboss.odds.results import OddsResult
from pitboss.odds.solve import catalogue, solve, solve_terms
from pitboss.rules import Game, MoneyError, Wager, parse_dollars

__all__ = ["show_catalogue", "show_odds"]


def show_odds(
    game_name: str,
    wager_name: str | None,
    *,
    paytables: list[str],
    readings: list[str],
    decks: int | None,
    meter: str | None,
    pays: list[str],
    as_json: bool,
) -> int:
    """Print the odds of one wager, or of every wager of a game under its first tables."""
    game = game_or_exit(game_name)
    stated = dict(_pair(text, "--reading") for text in readings)
    wagers = game.wagers if wager_name is None else (_wager(game, wager_name),)
    tables = _tables(game, wagers, paytables, pays)
    results = []
    for wager in wagers:
        chosen = tables.get(wager.name) or _first_tables(game, wager)
        relevant = {name: value for name, value in stated.items() if wager_name is not None or name in wager.switches}
        try:
            results.append(solve(game.name, wager.name, chosen, readings=relevant, decks=decks))
        except ValueError as error:
            raise fail(str(error)) from None
    if as_json:
        print(json.dumps([result.as_json() for result in results], indent=2))
        return 0
    for result in results:
        _show(game, result, _dollars(meter))
    return 0


def show_catalogue(*, as_json: bool) -> int:
    """Print every wager with every printed table, reading and shoe."""
    work = [(game, wager, terms) for game in all_games() for wager, terms in catalogue(game)]
    results = []
    with Progress(console=errors, transient=True) as progress:
        for game, wager, terms in progress.track(work, description="counting and pricing"):
            results.append(solve_terms(game, wager, terms))
    if as_json:
        print(json.dumps([result.as_json() for result in results]))
        return 0
    table = plain_table("game", "wager", "pay tables", "readings", "decks>", "edge>", "risk>", "deviation>", "hits>")
    for result in results:
        table.add_row(
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
    console.print(table)
    return 0


def percent(value: Fraction) -> str:
    """Print a share to four decimal places, rounded half away from zero."""
    scaled = abs(value) * 1_000_000
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return f"{'-' if value < 0 and rounded else ''}{rounded // 10_000}.{rounded % 10_000:04d} %"


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise fail(f"{option} {text!r} must be NAME=VALUE")
    return name.strip(), value.strip()


def _dollars(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        return parse_dollars(text)
    except MoneyError as error:
        raise fail(str(error)) from None


def _wager(game: Game, name: str) -> Wager:
    if name not in game.by_name:
        raise fail(f"{game.title} has no wager {name!r}; it has: {', '.join(game.by_name)}")
    return game.by_name[name]


def _tables(game: Game, wagers: tuple[Wager, ...], ids: list[str], pays: list[str]) -> dict[str, list[Any]]:
    """Sort the pay tables typed to their wagers; amounts belong to the one table that has such a row."""
    found: dict[str, list[Any]] = {}
    for table_id in ids:
        home = [wager for wager in wagers for slot in wager.slots if table_id in slot.ids]
        if not home:
            raise fail(f"{table_id!r} is no pay table here; `pitboss paytables --game {game.name}` lists them")
        found.setdefault(home[0].name, []).append(table_id)
    amounts = dict(_pair(text, "--pays") for text in pays)
    if amounts and (len(wagers) != 1 or len(ids) != 1):
        raise fail("--pays EVENT=CELL sets rows of one table: name one WAGER and one --paytable")
    if amounts:
        found[wagers[0].name] = [{"id": ids[0], "pays": amounts}]
    return found


def _first_tables(game: Game, wager: Wager) -> list[Any]:
    return [
        next((table for table in slot.ids if not game.paytables[table].operator_set), slot.ids[0])
        for slot in wager.slots
        if not slot.fixed
    ]


def _show(game: Game, result: OddsResult, meter_cents: int | None) -> None:
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
    if result.meter_coefficient:
        figures.add_row("  return per dollar of meter", str(result.meter_coefficient), "")
        meter = result.break_even_meter or Fraction(0)
        figures.add_row("  break-even meter", f"${meter}", f"${float(meter):,.2f}")
        if meter_cents is not None:
            edge = -(result.ev + result.meter_coefficient * Fraction(meter_cents, 100))
            figures.add_row(f"  edge at a meter of ${meter_cents / 100:,.2f}", str(edge), percent(edge))
    console.print(figures)
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
