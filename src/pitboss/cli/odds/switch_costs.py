"""The `switches` command: every disputed clause with the price of each reading."""

from __future__ import annotations

import json
from fractions import Fraction

from rich.markup import escape

from pitboss.cli.arguments import percent
from pitboss.cli.odds.wager_odds import progress_bar, store_of
from pitboss.cli.output import console, game_or_exit, plain_table
from pitboss.games import all_games
from pitboss.odds.switches import PricedReading, priced_readings


def show_switches(game_name: str | None, *, fresh: bool, as_json: bool) -> int:
    """Print every switch of one game or of all, with the edge of each wager under each reading."""
    games = all_games() if game_name is None else (game_or_exit(game_name),)
    found: list[PricedReading] = []
    with progress_bar() as progress:
        task = progress.add_task("", total=sum(len(game.switches) for game in games))
        for game in games:
            progress.update(task, description=game.name)
            found += priced_readings(game, store=store_of(fresh=fresh))
            progress.advance(task, len(game.switches))
    if as_json:
        print(json.dumps([priced.as_json() for priced in found], indent=2))
        return 0
    for game in games:
        ours = [priced for priced in found if priced.result.game == game.name]
        if not ours:
            console.print(f"{escape(game.title)}: no clause is disputed.\n")
        for switch in game.switches:
            _show(game.title, [priced for priced in ours if priced.switch is switch])
    return 0


def _show(title: str, readings: list[PricedReading]) -> None:
    switch = readings[0].switch
    console.print(f"[bold]{escape(title)}: {switch.name}[/]  {escape(switch.clause.id)}, {switch.ruling}")
    table = plain_table("  reading", "wager", "pay tables", "edge>", "against default>", "it says")
    default: dict[str, Fraction] = {}
    for priced in readings:
        result = priced.result
        base = default.setdefault(result.wager, priced.house_edge)
        name = f"  {priced.reading}{' (default)' if priced.reading == switch.default else ''}"
        seats = f", {priced.seats} hands, Envy from all" if priced.seats > 1 else ""
        difference = priced.house_edge - base
        table.add_row(
            name,
            result.wager + seats,
            ", ".join(result.paytables),
            percent(priced.house_edge),
            percent(difference) if difference else "",
            switch.readings[priced.reading],
        )
    console.print(table)
    if len({priced.house_edge for priced in readings}) == 1:
        console.print("  Under optimal play no printed table makes a difference.")
    console.print()
