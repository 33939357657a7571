"""The `together` command: two wagers that share a decision, by ratio of stakes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction

from pitboss.cli.arguments import percent, readings_of, tables_of, wager_of
from pitboss.cli.odds.wager_odds import progress_bar, store_of
from pitboss.cli.output import console, fail, game_or_exit, plain_table
from pitboss.odds.solving import first_tables, stated_terms
from pitboss.odds.together import Together, solve_together, turning_ratio
from pitboss.rules import Game, Terms, Wager

_RATIOS = ("1/5", "1/2", "1", "2", "5", "10")
_DIGITS_MAX = 12


def show_together(
    game_name: str,
    wager_name: str | None,
    typed: Sequence[str],
    readings: Sequence[str],
    ratios: Sequence[str],
    *,
    fresh: bool,
    as_json: bool,
) -> int:
    """Print what both wagers bring at each ratio, and the ratio at which the player's expectation turns positive."""
    game = game_or_exit(game_name)
    wager = _sharing(game, wager_name)
    wanted = [_ratio(text) for text in ratios or _RATIOS]
    terms = _terms(game, wager, typed, readings)
    store = store_of(fresh=fresh)
    found: list[Together] = []
    with progress_bar() as progress:
        task = progress.add_task(f"{game.name} {wager.name}", total=len(wanted) + 1)
        try:
            for ratio in wanted:
                found.append(solve_together(game, wager, terms, ratio, store=store))
                progress.advance(task)
            turning = turning_ratio(game, wager, terms, store=store)
        except ValueError as error:
            raise fail(str(error)) from None
    if as_json:
        exact = None if turning is None else f"{turning.numerator}/{turning.denominator}"
        print(json.dumps({"ratios": [each.as_json() for each in found], "turning_ratio": exact}, indent=2))
        return 0
    _show(game, wager, found, turning)
    return 0


def _sharing(game: Game, name: str | None) -> Wager:
    sharing = [wager for wager in game.wagers if wager.shares is not None]
    if name is not None:
        return wager_of(game, name)
    if not sharing:
        raise fail(f"no wager of {game.title} shares a decision with another")
    return sharing[0]


def _ratio(text: str) -> Fraction:
    try:
        ratio = Fraction(text) if len(text) <= _DIGITS_MAX else Fraction(-1)
    except (ValueError, ZeroDivisionError):
        ratio = Fraction(-1)
    if ratio < 0:
        raise fail(f"--ratio {text!r} must be a number such as 5, 0.25 or 1/2")
    return ratio


def _terms(game: Game, wager: Wager, typed: Sequence[str], readings: Sequence[str]) -> Terms:
    shares = wager.shares
    if shares is None:
        raise fail(f"{wager.title} shares no decision with another wager")
    wagers = (wager, game.by_name[shares.main])
    tables = tables_of(game, wagers, typed)
    stated = {each.name: tables.get(each.name) or first_tables(game, each) for each in wagers}
    try:
        return stated_terms(game, stated, readings={shares.switch: shares.readings[0], **readings_of(readings)})[0]
    except ValueError as error:
        raise fail(str(error)) from None


def _show(game: Game, wager: Wager, found: list[Together], turning: Fraction | None) -> None:
    first = found[0]
    main = game.by_name[first.main]
    console.print(f"[bold]{game.title}: {wager.name} with {main.name}[/]  {', '.join(first.paytables)}")
    for name, reading in first.readings.items():
        console.print(f"  {name} = {reading}")
    table = plain_table(
        "  ratio of stakes", "expectation of both>", f"{main.name}>", f"{wager.name}>", "gained over apart>"
    )
    for each in found:
        table.add_row(
            f"  {each.ratio} to 1",
            f"{float(each.ev):+.9f}",
            f"{float(each.main_ev):+.9f}",
            f"{float(each.side_ev):+.9f}",
            percent(each.gain or Fraction(0)),
        )
    console.print(table)
    if turning is None:
        console.print("  At no ratio is the player's expectation positive.")
    else:
        console.print(f"  Above {turning} to 1 (about {float(turning):.6f}) the player's expectation is positive.")
    console.print("  Per unit of the main wager; apart: the main wager played as if alone.")
