"""The commands about hits: list them, explain one, and print a slip."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pitboss.books.check import open_source
from pitboss.books.store import Store
from pitboss.cli.books.sources import explaining, source_of
from pitboss.cli.output import BROKEN_RULE, console, plain_table
from pitboss.cli.room.jackpot_listings import show_display
from pitboss.jackpot.hits.explain import HitExplanation, explain_hit
from pitboss.jackpot.hits.history import History, Story, read_history
from pitboss.jackpot.hits.values import Won
from pitboss.rules import dollars


@contextmanager
def _store(path: Path) -> Iterator[Store]:
    with closing(open_source(source_of(path))) as store:
        yield store


@explaining
def show_hits(path: Path, book: str, *, open_only: bool, as_json: bool) -> int:
    """List the hits of a book."""
    with _store(path) as store:
        history = read_history(store.entries(book))
    stories = [story for story in history.stories.values() if not (open_only and story.hit.is_finished)]
    if as_json:
        print(json.dumps(_listing(history, stories), indent=2))
        return 0
    table = plain_table("hit>", "jackpot", "table", "round>", "state", "seat and row", "prize>", "slip", "called by")
    for story in stories:
        hit = story.hit
        slips = {paper.seat: paper.slip for paper in hit.papers}
        for index, won in enumerate(hit.won):
            first = (str(hit.number), hit.jackpot, hit.table, str(hit.round), hit.state.value)
            table.add_row(
                *(first if index == 0 else ("",) * len(first)),
                f"{won.seat}: {won.row}",
                dollars(won.cents),
                str(slips.get(won.seat, "")),
                f"{hit.done[0].person} ({hit.done[0].role})" if index == 0 else "",
            )
    console.print(table if stories else "no hits")
    for jackpot, count in history.small_count.items():
        paid = dollars(history.small_cents[jackpot])
        console.print(f"{jackpot}: {count:,} small and Envy prizes paid from the tray, {paid} in all", markup=False)
    return 0


def _listing(history: History, stories: list[Story]) -> dict[str, object]:
    return {
        "hits": [
            {
                "hit": story.hit.number,
                "jackpot": story.hit.jackpot,
                "table": story.hit.table,
                "round": story.hit.round,
                "state": story.hit.state.value,
                "late": story.hit.late,
                "meter_cents": story.hit.meter_cents,
                "prizes": [won._asdict() for won in story.hit.won],
                "slips": [paper.slip for paper in story.hit.papers],
                "steps": [done._asdict() for done in story.hit.done],
            }
            for story in stories
        ],
        "slips": len(history.slips),
        "small_prizes": {
            jackpot: {"count": count, "cents": history.small_cents[jackpot]}
            for jackpot, count in history.small_count.items()
        },
    }


@explaining
def explain_prize(path: Path, book: str, number: int, *, as_json: bool) -> int:
    """Explain a hit."""
    with _store(path) as store:
        found = explain_hit(store, book, number)
    if as_json:
        _print_json(found.to_json())
    else:
        _show_explanation(found)
    return 0 if found.meter.is_complete else BROKEN_RULE


def _print_json(said: object) -> None:
    print(json.dumps(said, indent=2))


def _show_explanation(found: HitExplanation) -> None:
    hit = found.hit
    title = f"hit {hit.number}, {hit.state}: {hit.jackpot} at table {hit.table}, round {hit.round}"
    console.print(title, style="bold", markup=False)
    console.print(f"{found.game}, {found.wager} by {found.paytable}", markup=False)
    for place, cards in found.cards.items():
        console.print(f"{place if place == 'board' else f'seat {place}'}: {cards}", markup=False)
    for won in hit.won:
        _show_prize(found, won)
    for seat, cents, words in found.envy:
        console.print(f"\nEnvy for seat {seat}, {dollars(cents)}: {words}", markup=False)
    late = ", as it stood at the press after the round" if hit.late else ""
    console.print(f"\nthe prizes are of {dollars(hit.meter_cents)}{late}:")
    show_display(found.meter)
    table = plain_table("entry>", "happened", "kind", "person", "role", "words", "hash")
    for told in found.entries:
        happened = told.happened.partition(".")[0]
        table.add_row(str(told.sequence), happened, told.kind, told.person, told.role, told.words, told.head[:16])
    console.print()
    console.print(table)


def _show_prize(found: HitExplanation, won: Won) -> None:
    hit = found.hit
    console.print(f"\nseat {won.seat}: {won.row}, {dollars(won.cents)}", style="bold", markup=False)
    for clause, ruling, words in found.because.get(won.seat, ()):
        console.print(f"  {words} ({'; '.join(part for part in (clause, ruling) if part)})", markup=False)
    demands, paper = hit.demands.get(won.seat), hit.paper(won.seat)
    if demands is not None and demands.names:
        console.print(f"  demands {', '.join(demands.names)}", markup=False)
    if paper is not None:
        console.print(f"  slip {paper.slip}, winner {paper.winner}", markup=False)
    for paid in hit.handed:
        if paid.seat == won.seat:
            net, withheld = dollars(won.cents - paid.withheld_cents), dollars(paid.withheld_cents)
            console.print(f"  paid by {paid.method}: {net}, {withheld} withheld, entry {paid.sequence}")


@explaining
def show_slip(path: Path, book: str, number: int, copy: int, *, as_json: bool) -> int:
    """Print a slip, or a reprint that was journalled."""
    with _store(path) as store:
        slip = read_history(store.entries(book)).slip(number, copy)
    if as_json:
        _print_json(slip.to_json())
    else:
        print(slip.text(), end="")
    return 0
