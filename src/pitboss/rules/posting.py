"""The amount that a Bonus jackpot posts, and the row of its pay table that pays it (G-6).

What is posted is what is paid: where the document leaves the first row of a Bonus to the operator, the posted amount is
the amount of that row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pitboss.rules.money import dollars
from pitboss.rules.pays import Dollars, ForOne, OfMeter, Posted, cell_text, parse_cell
from pitboss.rules.reasons import Problem
from pitboss.rules.settlement import prize_cents

if TYPE_CHECKING:
    from pitboss.rules.game import Game
    from pitboss.rules.paytables import PayTable, Row
    from pitboss.rules.wagers import Wager


def _posted_row(game: Game, entry: Any, jackpot_type: str) -> Row | None:
    table_id = entry.get("id") if isinstance(entry, Mapping) else entry
    table = game.paytables.get(table_id) if isinstance(table_id, str) else None
    return None if table is None else table.posted_row(jackpot_type)


def _stated_cell(entry: Any, row: Row) -> Any:
    pays = entry.get("pays") if isinstance(entry, Mapping) else None
    return pays.get(row.event) if isinstance(pays, Mapping) else None


def _stated_cents(wager: Wager, cell: Any, wager_cents: int) -> int | None:
    pay = parse_cell(cell, "for") if isinstance(cell, str) else None
    return prize_cents(wager, pay, wager_cents) if isinstance(pay, Dollars | ForOne) else None


def stated_amount(game: Game, wager: Wager, paytables: Sequence[Any], jackpot_type: str, wager_cents: int) -> int:
    """Return the cents that a pay table states for the row that is posted, 0 where none does."""
    for entry in paytables:
        row = _posted_row(game, entry, jackpot_type)
        if row is not None:
            return _stated_cents(wager, _stated_cell(entry, row), wager_cents) or 0
    return 0


def with_posted_row(
    game: Game, wager: Wager, paytables: Sequence[Any], jackpot_type: str, posted_cents: int, wager_cents: int
) -> list[Any]:
    """Return the pay tables with the row that is posted left to the posting.

    So it is where the row states the posted amount or none. One that states another amount keeps it, and
    `meter_problems` refuses it.
    """
    return [
        _posted_entry(game, wager, entry, jackpot_type, posted_cents, wager_cents) if posted_cents else entry
        for entry in paytables
    ]


def _posted_entry(game: Game, wager: Wager, entry: Any, jackpot_type: str, posted_cents: int, wager_cents: int) -> Any:
    row = _posted_row(game, entry, jackpot_type)
    if row is None:
        return entry
    stated = entry if isinstance(entry, Mapping) else {"id": entry}
    pays, cell = stated.get("pays", {}), _stated_cell(entry, row)
    if not isinstance(pays, Mapping) or (cell is not None and _stated_cents(wager, cell, wager_cents) != posted_cents):
        return entry
    return {**stated, "pays": {row.event: cell_text(Posted()), **{key: pays[key] for key in pays if key != row.event}}}


def meter_problems(
    wager: Wager, table: PayTable, jackpot_type: str, meter_cents: int, wager_cents: int, path: str
) -> Iterator[Problem]:
    """Yield why what a jackpot shows is no prize of its pay table, or one smaller than the row under it (G-6)."""
    posted = table.posted_row(jackpot_type)
    if posted is None:
        if not any(isinstance(row.pay, OfMeter) for row in table.rows):
            words = f"{table.id} pays no share of a meter: nobody could win it"
            yield Problem(path, words, "REGULATION J-23", "G-6")
        return
    if not isinstance(posted.pay, OfMeter) and prize_cents(wager, posted.pay, wager_cents) != meter_cents:
        words = (
            f"{dollars(meter_cents)} is posted, and {posted.event!r} pays {posted.pay}: the posted amount is the "
            "amount of that row, state it once"
        )
        yield Problem(path, words, table.source.id, "G-6")
    under = prize_cents(wager, table.rows[1].pay, wager_cents) if len(table.rows) > 1 else 0
    if meter_cents < under:
        words = (
            f"{dollars(meter_cents)} is posted for {posted.event!r}, less than the row under it, "
            f"{table.rows[1].event!r} ({dollars(under)})"
        )
        yield Problem(path, words, table.source.id, "G-6")
