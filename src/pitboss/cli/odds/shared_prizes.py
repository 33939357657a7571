"""The `sharing` command: what several winners of one prize take from each other."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.markup import escape

from pitboss.cli.arguments import tables_of, wager_of
from pitboss.cli.odds.wager_odds import progress_bar
from pitboss.cli.output import console, fail, game_or_exit, plain_table
from pitboss.odds.sharing import SharedPrize, shared_prizes
from pitboss.odds.solving import first_tables, stated_terms
from pitboss.rules import Game, Wager

_SEATS_SHOWN = 9


def show_sharing(
    game_name: str, wager_name: str | None, typed: Sequence[str], decks: int | None, seats: int | None, *, as_json: bool
) -> int:
    """Print by number of seats what sharing makes of every percentage prize."""
    game = game_or_exit(game_name)
    wagers = game.jackpots if wager_name is None else (wager_of(game, wager_name),)
    if seats is not None and not 1 <= seats <= game.seats_max:
        raise fail(f"--seats {seats}: {game.title} has 1 to {game.seats_max} seats")
    tables = tables_of(game, wagers, typed)
    found: list[tuple[Wager, tuple[SharedPrize, ...]]] = []
    with progress_bar() as progress:
        task = progress.add_task("", total=len(wagers))
        for wager in wagers:
            progress.update(task, description=f"{game.name} {wager.name}")
            try:
                stated = {wager.name: tables.get(wager.name) or first_tables(game, wager)}
                found.append((wager, shared_prizes(game, wager, stated_terms(game, stated, decks=decks)[0])))
            except ValueError as error:
                raise fail(str(error)) from None
            progress.advance(task)
    if as_json:
        rows = [
            {"game": game.name, "wager": wager.name, **prize.as_json()} for wager, prizes in found for prize in prizes
        ]
        print(json.dumps(rows, indent=2))
        return 0
    for wager, prizes in found:
        _show(game, wager, prizes, seats)
    return 0


def _show(game: Game, wager: Wager, prizes: tuple[SharedPrize, ...], seats: int | None) -> None:
    console.print(f"[bold]{escape(game.title)}: {wager.name}[/]  every seat wagers; a prize hit twice is divided (G-4)")
    table = plain_table(
        "  prize", "of the meter>", "seats>", "chance of one seat>", "chance that any hits>", "lost by sharing>"
    )
    numbers = range(1, min(game.seats_max, _SEATS_SHOWN) + 1) if seats is None else (seats,)
    for prize in prizes:
        for number in numbers:
            table.add_row(
                f"  {prize.event}",
                f"{float(prize.share * 100):g} %",
                str(number),
                f"{float(prize.chance):.6e}",
                f"{float(prize.any_of[number - 1]):.6e}",
                f"{float(prize.lost(number)):.3e}",
            )
    console.print(table)
    console.print()
