"""The `seen` command: what cards are worth to a player who sees them and should not."""

from __future__ import annotations

import json

from rich.markup import escape

from pitboss.cli.arguments import percent, readings_of, tables_of
from pitboss.cli.odds.wager_odds import progress_bar, store_of
from pitboss.cli.output import console, fail, game_or_exit, plain_table
from pitboss.odds.seen import SeenValue, kinds_of, seen_value
from pitboss.odds.solving import first_tables, stated_terms
from pitboss.rules import Game


def show_seen(
    game_name: str, kind: str | None, paytables: list[str], readings: list[str], *, fresh: bool, as_json: bool
) -> int:
    """Print what each kind of seen cards, or the one named, is worth in a game's main wager."""
    game = game_or_exit(game_name)
    main, kinds = game.main, kinds_of(game)
    if not kinds:
        raise fail(f"what seen cards are worth in {game.title} is not counted")
    if kind is not None and kind not in kinds:
        raise fail(f"{kind!r} is no kind of seen cards here; there is: {', '.join(kinds)}")
    tables = tables_of(game, (main,), paytables) or {main.name: first_tables(game, main)}
    try:
        terms, _ = stated_terms(game, tables, readings=readings_of(readings))
    except ValueError as error:
        raise fail(str(error)) from None
    asked = [kind] if kind else list(kinds)
    with progress_bar() as progress:
        each = progress.track(asked, description=f"{game.name} {main.name}")
        values = [seen_value(game, terms, name, store=store_of(fresh=fresh)) for name in each]
    if as_json:
        print(json.dumps([value.as_json() for value in values], indent=2))
    else:
        _show(game, values)
    return 0


def _show(game: Game, values: list[SeenValue]) -> None:
    plain = values[0].without
    console.print(f"[bold]{escape(game.title)}: {plain.wager}[/]  {escape(', '.join(plain.paytables))}", soft_wrap=True)
    for name, reading in plain.readings.items():
        console.print(f"  {name} = {reading}")
    table = plain_table("  seen", "edge>", "edge with>", "gain per unit>", "decision changes>")
    for value in values:
        table.add_row(
            f"  {value.kind}",
            percent(value.without.house_edge),
            percent(value.seeing.house_edge),
            f"{float(value.gain):+.9f}",
            percent(value.decision_changes),
        )
    console.print(table)
    for value in values:
        console.print(f"  {value.kind}: {value.words}", soft_wrap=True)
        console.print(f"    gain {value.gain}, of {value.seeing.events[0].of:,} deals")
        for change in value.changes:
            console.print(f"    {change.seeing} where it was {change.without}: {change.share}, {percent(change.share)}")
    console.print(f"  optimal play without and with them; terms {plain.terms_hash[:12]}")
