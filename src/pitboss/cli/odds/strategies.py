"""The commands `strategy` and `best`: how a person should play, and what every decision is worth with one hand."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rich.markup import escape

from pitboss.cards import CardError, cards_text, parse_cards
from pitboss.cli.arguments import percent, readings_of, tables_of, wager_of
from pitboss.cli.output import console, fail, game_or_exit, plain_table, progress_bar
from pitboss.odds.solving import first_tables, stated_terms
from pitboss.odds.store import default_store
from pitboss.odds.strategy import COST_MAX, Alternative, Strategy, Trade, best, strategies
from pitboss.rules import Game, Terms, Wager


@dataclass(frozen=True, slots=True)
class StrategyOptions:
    """The options of `pitboss strategy` and `pitboss best` about a wager and its terms, unchecked."""

    game: str
    wager: str | None
    paytables: Sequence[str] | None
    readings: Sequence[str] | None
    decks: int | None


def _terms(options: StrategyOptions) -> tuple[Game, Wager, Terms]:
    game = game_or_exit(options.game)
    wager = game.main if options.wager is None else wager_of(game, options.wager)
    tables = tables_of(game, (wager,), options.paytables or []) or {wager.name: first_tables(game, wager)}
    try:
        terms, _ = stated_terms(game, tables, readings=readings_of(options.readings or []), decks=options.decks)
    except ValueError as error:
        raise fail(str(error)) from None
    return game, wager, terms


def show_strategy(options: StrategyOptions, lines: int | None, *, as_json: bool) -> int:
    """Print the lines recommended, or the best with at most so many, with the trade of lines against cost."""
    if lines is not None and lines < 1:
        raise fail(f"--lines {lines}: a decision has at least one line")
    game, wager, terms = _terms(options)
    try:
        with progress_bar() as progress:
            progress.add_task(f"{game.name} {wager.name}", total=None)
            trade = strategies(game, terms, wager=wager, store=default_store())
    except ValueError as error:
        raise fail(str(error)) from None
    chosen = trade.recommended
    if lines is not None:
        chosen = [step for step in trade.steps if step.lines <= lines][-1]
    if as_json:
        print(json.dumps(_as_json(trade, chosen), indent=2))
    else:
        _show(game, trade, chosen)
    return 0


def _ratio(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _head(trade: Trade) -> dict[str, Any]:
    optimal = trade.optimal
    return {
        "game": optimal.game,
        "wager": optimal.wager,
        "paytables": list(optimal.paytables),
        "readings": optimal.readings,
        "decks": optimal.decks,
        "terms_hash": optimal.terms_hash,
    }


def _as_json(trade: Trade, chosen: Strategy) -> dict[str, Any]:
    return {
        **_head(trade),
        "optimal_ev": _ratio(trade.optimal.ev),
        "ev": _ratio(chosen.ev),
        "cost": _ratio(chosen.cost),
        "lines": chosen.lines,
        "decisions": [
            {
                "question": decision.question,
                "lines": [
                    {"words": line.words, "decision": line.decision, "share": _ratio(line.share)}
                    for line in decision.lines
                ],
            }
            for decision in chosen.decisions
        ],
        "recommended": trade.recommended.lines,
        "steps": [{"lines": step.lines, "ev": _ratio(step.ev), "cost": _ratio(step.cost)} for step in trade.steps],
    }


def _show(game: Game, trade: Trade, chosen: Strategy) -> None:
    optimal = trade.optimal
    console.print(f"[bold]{escape(game.title)}: {optimal.wager}[/]  {escape(', '.join(optimal.paytables))}")
    for name, reading in optimal.readings.items():
        console.print(f"  {name} = {reading}")
    if optimal.decks is not None:
        console.print(f"  {optimal.decks} decks")
    for decision in chosen.decisions:
        console.print(f"\n  [bold]{escape(decision.question)}[/]", soft_wrap=True)
        table = plain_table(" ", "if", "then", "of the deals>")
        for number, line in enumerate(decision.lines, start=1):
            table.add_row(f"  {number}", escape(line.words), escape(line.decision), percent(line.share))
        console.print(table)
    console.print()
    figures = plain_table("", "exact", "about>")
    figures.add_row("  expectation per unit", str(chosen.ev), f"{float(chosen.ev):+.9f}")
    figures.add_row("  with optimal play", str(optimal.ev), f"{float(optimal.ev):+.9f}")
    figures.add_row("  cost vs. optimal", str(chosen.cost), percent(chosen.cost))
    console.print(figures)
    console.print("  Use the first line that fits. Number of lines, and what each costs:")
    steps = plain_table("  lines>", "expectation>", "cost>", "")
    for step in trade.steps:
        first = f"the fewest within {float(COST_MAX * 100):g}% of the base wager" if step is trade.recommended else ""
        steps.add_row(f"  {step.lines}", f"{float(step.ev):+.9f}", percent(step.cost), first)
    console.print(steps)


def show_best(options: StrategyOptions, player: str, public: str | None, *, as_json: bool) -> int:
    """Print what every decision is worth with one hand, the best first."""
    game, wager, terms = _terms(options)
    problems, hands = [], []
    for option, text in (("--player", player), ("--up", public or "")):
        try:
            hands.append(parse_cards(text))
        except CardError as error:
            problems.append(f"{option}: {error}")
    if problems:
        raise fail("; ".join(problems))
    try:
        alternatives = best(game, terms, *hands, wager=wager, store=default_store())
    except ValueError as error:
        raise fail(str(error)) from None
    if as_json:
        print(json.dumps([_alternative_json(alternative, alternatives[0]) for alternative in alternatives], indent=2))
        return 0
    tables = ", ".join(terms.tables[slot.name].id for slot in wager.slots if not slot.fixed)
    console.print(f"[bold]{escape(game.title)}: {wager.name}[/]  {escape(tables)}")
    public_cards = f", up {cards_text(hands[1])}" if hands[1] else ""
    console.print(f"  player {cards_text(hands[0])}{public_cards}")
    table = plain_table("  decision", "expectation per unit", "about>", "less than the best>")
    for alternative in alternatives:
        less = "" if alternative.best else f"{float(alternatives[0].ev - alternative.ev):.9f}"
        table.add_row(f"  {alternative.decision}", str(alternative.ev), f"{float(alternative.ev):+.9f}", less)
    console.print(table)
    return 0


def _alternative_json(one: Alternative, first: Alternative) -> dict[str, Any]:
    return {"decision": one.decision, "ev": _ratio(one.ev), "cost": _ratio(first.ev - one.ev), "best": one.best}
