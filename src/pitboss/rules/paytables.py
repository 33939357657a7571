"""Pay tables as the documents print them, and with the amounts that an operator sets (G-6)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from importlib.resources.abc import Traversable

from pitboss.law import Citation, Clauses
from pitboss.rules import pays as cells
from pitboss.rules.reasons import Problem


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the event as printed, the cell as printed, what it pays, and the Envy cell where there is one."""

    event: str
    printed: str
    pay: cells.Pay
    envy_printed: str | None = None
    envy: cells.Pay | None = None


@dataclass(frozen=True)
class PayTable:
    """One column of a pay table: rows in printed order, all "to 1" or all "for 1".

    `like` is the printed table from which a table of a room's own departs; that has an id of its own (G-6).
    """

    id: str
    wager: str
    odds: cells.Odds
    rows: tuple[Row, ...]
    source: Citation
    note: Citation
    like: str = ""

    @property
    def printed_id(self) -> str:
        """The id of the printed table: its own, or that from which it departs."""
        return self.like or self.id

    def row(self, event: str) -> Row | None:
        """Return the row of an event as printed, if this table has one."""
        return next((row for row in self.rows if row.event == event), None)

    @cached_property
    def operator_set(self) -> tuple[Row, ...]:
        """The rows that still wait for an amount of the operator, Envy included."""
        return tuple(
            row
            for row in self.rows
            if isinstance(row.pay, cells.OperatorSet) or isinstance(row.envy, cells.OperatorSet)
        )

    def posted_row(self, jackpot_type: str) -> Row | None:
        """Return the row whose prize a Bonus jackpot posts: the first, where the document leaves it to the operator."""
        first = self.rows[0]
        is_bonus = cells.parse_cell(first.printed, self.odds) == cells.OperatorSet(cells.CellKind.BONUS)
        return first if jackpot_type == "bonus" and self.odds == "for" and is_bonus else None

    def with_rows(self, rows: tuple[Row, ...]) -> PayTable:
        """Return the table with other rows, as an operator has set them."""
        return replace(self, rows=rows)

    def as_own(self, own_id: str) -> PayTable:
        """Return the table as one of a room's own, under its own id."""
        return replace(self, id=own_id, like=self.printed_id)


def _pay(text: str, odds: cells.Odds, table_id: str) -> cells.Pay:
    pay = cells.parse_cell(text, odds)
    if pay is None:
        raise ValueError(f"{table_id}: {text!r} is no cell of a pay table 'odds {odds} 1'")
    return pay


def _row(event: str, printed: str, envy: str | None, odds: cells.Odds, table_id: str) -> Row:
    envy_pay = None if envy in (None, "-") else _pay(str(envy), odds, table_id)
    return Row(event, printed, _pay(printed, odds, table_id), envy, envy_pay)


def load_paytables(file: Traversable, clauses: Clauses) -> dict[str, PayTable]:
    """Read every table of a file: each `[[grid]]` is an appendix with a column for every id."""
    tables: dict[str, PayTable] = {}
    for grid in tomllib.loads(file.read_text(encoding="utf-8"))["grid"]:
        for column, table_id in enumerate(grid["ids"]):
            rows = tuple(
                _row(event, texts[column], grid.get("envy", {}).get(event, [None] * 9)[column], grid["odds"], table_id)
                for event, texts in grid["rows"].items()
            )
            if table_id in tables:
                raise ValueError(f"pay table {table_id} stands twice in {file.name}")
            tables[table_id] = PayTable(
                table_id, grid["wager"], grid["odds"], rows, clauses[grid["source"]], clauses[grid["note"]]
            )
    return tables


def losing_events(sisters: Iterable[PayTable]) -> tuple[frozenset[str], frozenset[str]]:
    """Find the events that pay nothing in a sister table: only there may an operator set nothing (G-6).

    The second set is the same for the Envy column, where a dash pays nothing.
    """
    rows = [row for table in sisters for row in table.rows]
    return (
        frozenset(row.event for row in rows if _pays_nothing(row.pay)),
        frozenset(row.event for row in rows if row.envy is None),
    )


def _pays_nothing(pay: cells.Pay) -> bool:
    if isinstance(pay, cells.Dollars):
        return not pay.cents
    if isinstance(pay, (cells.ToOne, cells.ForOne)):
        return not pay.times
    if isinstance(pay, cells.OfMeter):
        return not pay.share
    return not isinstance(pay, cells.OperatorSet)


def operator_kind(
    printed: cells.Pay, jackpot_type: str, *, either: bool, is_first: bool = True
) -> cells.CellKind | None:
    """Return what an operator may put into a cell, or None where the document prints an amount.

    Where a table's Bonus cells stand for either scheme (`either`), a Bonus jackpot takes amounts; a progressive takes a
    percentage in the first row, and percentages or amounts below it.
    """
    if not isinstance(printed, cells.OperatorSet):
        return None
    if either and jackpot_type == "bonus":
        return cells.CellKind.BONUS
    if either:
        return cells.CellKind.JACKPOT if is_first else cells.CellKind.BONUS_OR_JACKPOT
    return printed.kind


def _wrong_kind(pay: cells.Pay, kind: cells.CellKind, odds: str) -> str | None:
    is_share = isinstance(pay, cells.OfMeter)
    if kind is cells.CellKind.JACKPOT and not is_share:
        return "must be a percentage of the meter, such as 100%"
    if kind is cells.CellKind.BONUS and is_share:
        return "must be odds to 1, such as 5" if odds == "to" else "must be an amount, such as $25, not a percentage"
    return None


def _new_pay(
    text: object, row: Row, table: PayTable, jackpot_type: str, *, either: bool, may_lose: bool
) -> cells.Pay | str:
    """Parse the pay an operator has set; a text says what is wrong with it."""
    printed = row.pay
    if not isinstance(text, str):
        return f'{text!r} must be text as a cell would print it, such as "5", "1.5", "$25", "10%", "Loss"'
    pay = cells.parse_cell(text, table.odds)
    if pay is None or isinstance(pay, (cells.OperatorSet, cells.NotApplicable)):
        expected = '"5", "1.5", "Push", "Loss"' if table.odds == "to" else '"$25", "25", "10%", "$0"'
        return f"{text!r} is no cell of a table with odds {table.odds} 1; expected such as {expected}"
    if isinstance(printed, cells.NotApplicable):
        return "this row cannot happen in this column and takes no amount"
    if isinstance(pay, cells.Posted):
        is_posted = table.posted_row(jackpot_type) is row
        return pay if is_posted else f"{text!r} is for the first row of a Bonus jackpot that the operator sets"
    if isinstance(pay, cells.OfMeter) and not 0 < pay.share <= 1:
        return f"{text!r} must be more than 0% and at most 100%"
    kind = operator_kind(printed, jackpot_type, either=either, is_first=row is table.rows[0])
    if kind is not None:
        wrong = _wrong_kind(pay, kind, table.odds)
        if wrong:
            return f"{text!r} {wrong}"
        if _pays_nothing(pay) and not may_lose:
            return f"{text!r} pays nothing on a row that no sister table loses"
    return pay


def _check_names(table: PayTable, amounts: Mapping[str, object], path: str, *, envy: bool) -> list[Problem]:
    if not amounts:
        return []
    events = {row.event for row in table.rows if not envy or row.envy_printed is not None}
    return [
        Problem(f"{path}.{event}", f"{table.id} has no {'Envy cell' if envy else 'row'} {event!r}", table.source.id)
        for event in amounts
        if event not in events
    ]


def set_amounts(
    table: PayTable,
    pays: Mapping[str, object],
    envy: Mapping[str, object],
    *,
    path: str,
    losing: frozenset[str],
    losing_envy: frozenset[str],
    jackpot_type: str,
    either: bool,
    worth: Callable[[cells.Pay], tuple[int, Fraction | int]] = cells.rank_of_pay,
) -> tuple[PayTable, tuple[Problem, ...]]:
    """Fill an operator's amounts into a table and return every problem with them."""
    problems = _check_names(table, pays, f"{path}.pays", envy=False)
    problems += _check_names(table, envy, f"{path}.envy", envy=True)
    rows: list[Row] = []
    for index, row in enumerate(table.rows):
        pay, prize = row.pay, row.envy
        if row.event in pays:
            new = _new_pay(pays[row.event], row, table, jackpot_type, either=either, may_lose=row.event in losing)
            if isinstance(new, str):
                problems.append(Problem(f"{path}.pays.{row.event}", new, table.source.id, "G-6"))
            else:
                pay = new
        elif either and index == 0 and jackpot_type == "progressive" and isinstance(pay, cells.OperatorSet):
            pay = cells.OfMeter(share=_WHOLE)
        if row.event in envy and row.envy_printed is not None:
            new_prize = _new_envy(row, envy[row.event], table, may_lose=row.event in losing_envy)
            if isinstance(new_prize, str):
                problems.append(Problem(f"{path}.envy.{row.event}", new_prize, table.source.id, "G-6"))
            else:
                prize = new_prize
        same = pay is row.pay and prize is row.envy
        rows.append(row if same else Row(row.event, row.printed, pay, row.envy_printed, prize))
    settled = table.with_rows(tuple(rows))
    if table.operator_set:
        problems += _unset(settled, pays, envy, path)
    if (table.operator_set or table.like) and not problems:
        problems += _order_problems(table, settled, path, worth)
    return settled, tuple(problems)


def changed_cells(table: PayTable, pays: Mapping[str, object]) -> list[tuple[Row, str]]:
    """Return the rows whose printed pay another stands in place of, with that: approved cells that are overwritten."""
    changed = []
    for event, text in pays.items():
        row = table.row(event)
        if row is None or isinstance(row.pay, cells.OperatorSet) or not isinstance(text, str):
            continue
        if cells.parse_cell(text, table.odds) != row.pay:
            changed.append((row, text))
    return changed


def _unset(table: PayTable, pays: Mapping[str, object], envy: Mapping[str, object], path: str) -> list[Problem]:
    """Name the cells that still wait for an amount, except those whose amount was given and refused already."""
    unset = [row.event for row in table.rows if isinstance(row.pay, cells.OperatorSet) and row.event not in pays]
    unset_envy = [row.event for row in table.rows if isinstance(row.envy, cells.OperatorSet) and row.event not in envy]
    problems = []
    for column, code, events in (("amount", "no-amount", unset), ("Envy amount", "no-envy-amount", unset_envy)):
        if events:
            words = f"{table.id} leaves to the operator, and no {column} is set: {', '.join(events)}"
            problems.append(Problem(path, words, table.source.id, "G-6", code=code))
    return problems


_WHOLE = Fraction(1)


def _new_envy(row: Row, text: object, table: PayTable, *, may_lose: bool) -> cells.Pay | str | None:
    """Parse the Envy prize an operator has set, None for a dash; a text says what is wrong with it."""
    if not isinstance(row.envy, cells.OperatorSet):
        return f"{table.id} does not leave the Envy of this row to the operator"
    if text == "-" and may_lose:
        return None
    pay = cells.parse_cell(text, table.odds) if isinstance(text, str) else None
    if not isinstance(pay, (cells.Dollars, cells.ForOne)) or (_pays_nothing(pay) and not may_lose):
        return f"{text!r} must be an amount, such as $25"
    return pay


def _order_problems(
    printed: PayTable, settled: PayTable, path: str, worth: Callable[[cells.Pay], tuple[int, Fraction | int]]
) -> list[Problem]:
    """An operator-set row never pays less than the row under it, nor does its Envy (G-24); nor a changed row (G-6)."""
    problems = []
    worths = [worth(row.pay) for row in settled.rows]
    changed = [first.pay != row.pay for first, row in zip(printed.rows, settled.rows, strict=True)]
    for place, (first, row, under) in enumerate(zip(printed.rows, settled.rows, settled.rows[1:], strict=False)):
        is_set = isinstance(first.pay, cells.OperatorSet) or (printed.like and any(changed[place : place + 2]))
        if is_set and worths[place] < worths[place + 1]:
            words = f"{row.event!r} ({row.pay}) pays less than the row under it, {under.event!r} ({under.pay})"
            problems.append(Problem(f"{path}.pays.{row.event}", words, printed.source.id, "G-6"))
        if isinstance(first.envy, cells.OperatorSet) and worth(row.envy or cells.Loss()) < worth(
            under.envy or cells.Loss()
        ):
            words = f"the Envy of {row.event!r} is less than that of the row under it, {under.event!r}"
            problems.append(Problem(f"{path}.envy.{row.event}", words, printed.source.id, "G-6"))
    return problems
