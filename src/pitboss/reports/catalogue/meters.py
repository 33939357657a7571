"""Meter reconciliation: start, wagers times rate, prizes, adjustments, end; exact to the unit, for every fund.

The left side is counted wagers times the rates of the definition in force, and every other transfer; the right side is
what the ledger's fold says. They come by different roads: transfers of counted wagers are not looked at on the left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pitboss.books import MOVEMENTS, BookState, Entry, Movement, Payload
from pitboss.jackpot import JACKPOTS, JackpotSet
from pitboss.jackpot.state import seat_counts
from pitboss.meters import MeterTerms
from pitboss.reports.collector import Collector
from pitboss.reports.render import units_words
from pitboss.reports.report import Cell, ExceptionLine, Kind, Report, Row, column
from pitboss.reports.scope import Scope

FUNDS = ("displayed", "reserve", "overflow")
_COLUMNS = (
    column("jackpot", "Jackpot"),
    column("line", "Line"),
    column("count", "Number", Kind.COUNT),
    column("displayed", "Displayed", Kind.MONEY),
    column("reserve", "Reserve", Kind.MONEY),
    column("overflow", "Overflow", Kind.MONEY),
    column("held", "Together", Kind.MONEY),
)
_WORDS = {
    "jackpot-opened": "opened with its seed",
    "prize-rejected": "calls rejected: prizes and seeds returned",
    "meter-adjusted": "adjusted by hand",
    "count-corrected": "counts taken back, equipment malfunction",
    "receipts-booked": "booked as gross receipts",
    "other-seeded": "given to seed another meter",
    "funds-removed": "removed with the jackpot",
    "bonus-posted": "amounts posted",
    "terms-changed": "moved by changed terms",
    "correction": "earlier entries put right",
}


class Funds(NamedTuple):
    """Units in the three funds of a meter."""

    displayed: int = 0
    reserve: int = 0
    overflow: int = 0

    def plus(self, other: Funds) -> Funds:
        """Add fund by fund."""
        return Funds(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def less(self, other: Funds) -> Funds:
        """Take away fund by fund."""
        return Funds(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))


NOTHING = Funds()


def fund_changes(movement: Movement) -> Iterator[tuple[str, str, Funds]]:
    """By transfer: who pays, who gets, and what that does to the funds; transfers that touch no fund are left out."""
    for payer, payee, units, _, _ in movement.transfers:
        change = Funds(*(units * ((payee == fund) - (payer == fund)) for fund in FUNDS))
        if change != NOTHING:
            yield payer, payee, change


@dataclass(slots=True)
class _Meter:
    """What is collected of one jackpot."""

    terms: MeterTerms
    wagers: Counter[tuple[str, MeterTerms]] = field(default_factory=Counter)
    lines: dict[str, Funds] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    counted: int = 0
    refunded: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, words: str, change: Funds, count: int = 0) -> None:
        self.lines[words] = self.lines.get(words, NOTHING).plus(change)
        self.counts[words] += count


class Meters(Collector):
    """The reconciliation of every meter over a period (J-07, J-09, T-11)."""

    name = "meters"
    title = "Meter reconciliation"
    says = "Start, counted wagers times rate, prizes, reseeds and adjustments come to the end, exact to the unit."
    kinds = frozenset({*MOVEMENTS, "jackpot-defined", "jackpot-changed"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        opening = scope.opening.of(JACKPOTS).jackpots
        self.meters = {name: _Meter(record.jackpot.meter) for name, record in opening.items()}

    def take(self, entry: Entry, value: Payload) -> None:
        """Put a movement in its line, or follow a change of terms."""
        if isinstance(value, JackpotSet):
            name, terms = value.jackpot.name, value.jackpot.meter
            self.meters.setdefault(name, _Meter(terms)).terms = terms
        elif isinstance(value, Movement) and value.jackpot in self.meters:
            self._move(self.meters[value.jackpot], entry, value)

    def _move(self, meter: _Meter, entry: Entry, movement: Movement) -> None:
        if movement.kind == "wagers-counted":
            self._count(meter, entry, movement)
            return
        if movement.kind == "wagers-refunded":
            meter.refunded += len(movement.details.get("seats", ()))
        changes = list(fund_changes(movement))
        for payer, payee, change in changes:
            meter.add(_line(movement, payer, payee), change)
        if changes:
            meter.counts[_line(movement, *changes[0][:2])] += 1

    def _count(self, meter: _Meter, entry: Entry, movement: Movement) -> None:
        """Count wagers under the rates in force; of the transfers only what passed the cap is needed (T-22)."""
        wagers = movement.counts.get("wagers_counted", 0)
        meter.wagers[entry.table, meter.terms] += wagers
        meter.counted += wagers
        by_seat = seat_counts(movement)
        if by_seat and sum(by_seat.values()) != wagers:
            meter.wrong.append(f"entry {entry.sequence} counts {wagers} wagers and its seats {sum(by_seat.values())}")
        for payer, payee, units, _, _ in movement.transfers:
            if (payer, payee) == ("wagers", "overflow"):
                meter.add("of these above the cap", Funds(-units, 0, units))

    def report(self) -> Report:
        """Set the lines under one another, jackpot by jackpot."""
        rows: list[Row] = []
        exceptions: list[ExceptionLine] = []
        for name, meter in sorted(self.meters.items()):
            if self.scope.wants(name) and self._is_asked(name):
                rows += self._rows(name, meter, exceptions)
        refunded = {name: meter.refunded for name, meter in sorted(self.meters.items()) if meter.refunded}
        notes = [
            f"{name}: {wagers:,} wagers of void rounds were refunded by the house; the meter stays as it is (G-11)."
            for name, wagers in refunded.items()
        ]
        return self.scope.report(
            self.name,
            self.title,
            self.says,
            _COLUMNS,
            rows,
            notes=notes,
            exceptions=tuple(exceptions),
            group=1,
            broken=bool(exceptions),
        )

    def _is_asked(self, name: str) -> bool:
        table, record = self.scope.asked.table, self.scope.jackpots.jackpots.get(name)
        return table is None or (record is not None and record.jackpot.linked(table) is not None)

    def _rows(self, name: str, meter: _Meter, exceptions: list[ExceptionLine]) -> list[Row]:
        scope = self.scope
        start, end = _stands(scope, scope.opening, name), _stands(scope, scope.closing, name)
        if end is None:
            return [Row((name, "defined, and not opened", None, None, None, None, None))]
        running = start or NOTHING
        rows = [_row(name, "at the start", None, running, "sum")]
        seed = meter.lines.pop(_WORDS["jackpot-opened"], None)
        if seed is not None:
            rows.append(_row(name, _WORDS["jackpot-opened"], None, seed))
            running = running.plus(seed)
        for (table, terms), wagers in sorted(meter.wagers.items(), key=lambda each: each[0][0]):
            change = Funds(wagers * terms.display_units, wagers * terms.reserve_units, 0)
            rows.append(_row(name, _wager_words(table, terms), wagers, change))
            running = running.plus(change)
        for words, change in meter.lines.items():
            rows.append(_row(name, words, meter.counts[words] or None, change))
            running = running.plus(change)
        rows.append(_row(name, "comes to", None, running, "sum"))
        rows.append(_row(name, "stands in the books", None, end, "sum"))
        difference = end.less(running)
        exceptions += self._wrong(name, meter, difference)
        holds = difference == NOTHING
        words = "balances, to the unit" if holds else "DOES NOT BALANCE"
        return [*rows, _row(name, words, None, difference, "sum" if holds else "alarm")]

    def _wrong(self, name: str, meter: _Meter, difference: Funds) -> Iterator[ExceptionLine]:
        scope = self.scope
        if difference != NOTHING:
            told = ", ".join(
                f"{fund} {units_words(units)}" for fund, units in zip(FUNDS, difference, strict=True) if units
            )
            key = f"meters/{scope.period.first_day}/{scope.period.last_day}/{name}"
            yield scope.line(key, f"meter {name} does not balance: {told} in the books besides", sum(difference))
        record = scope.jackpots.jackpots.get(name)
        accounts = scope.accounts(scope.closing, name)
        if record is not None and accounts is not None and record.displayed_units != accounts.balances["displayed"]:
            other = units_words(record.displayed_units)
            yield scope.line(f"meters/display/{name}", f"meter {name}: the display by seats and rounds is {other}")
        for words in meter.wrong:
            yield scope.line(f"meters/counts/{name}/{words.split()[1]}", f"meter {name}: {words} (section 10 no. 4)")


def _stands(scope: Scope, state: BookState, name: str) -> Funds | None:
    accounts = scope.accounts(state, name)
    return None if accounts is None else Funds(*(accounts.balances[fund] for fund in FUNDS))


def _wager_words(table: str, terms: MeterTerms) -> str:
    each = units_words(terms.display_units)
    kept = f", {units_words(terms.reserve_units)} to the reserve" if terms.reserve_units else ""
    place = f"table {table}" if table else "no table"
    return f"{place}: wagers at {each}{kept}" if terms.is_progressive else f"{place}: wagers, which move nothing"


def _line(movement: Movement, payer: str, payee: str) -> str:
    if movement.kind != "prize-called":
        return _WORDS.get(movement.kind, MOVEMENTS[movement.kind].says)
    if payee == "winners":
        return "prizes from the fund"
    return "reseeded by the house" if payer == "seed" else f"reseeded from the {payer}"


def _row(name: str, words: str, count: int | None, funds: Funds, style: str = "line") -> Row:
    cells: tuple[Cell, ...] = (name, words, count, *funds, sum(funds))
    return Row(cells, style)  # type: ignore[arg-type]
