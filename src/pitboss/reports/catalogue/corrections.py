"""Rounds that were corrected or void, with both people: what the tabulator's entries say of them (F-07, G-11)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from pitboss.books import MOVEMENTS, Entry, Movement, Payload
from pitboss.meters import DecreaseReason
from pitboss.reports.catalogue.meters import FUNDS
from pitboss.reports.collector import Collector
from pitboss.reports.report import Cell, Kind, Report, Row, column, totalled
from pitboss.reports.scope import Scope
from pitboss.tabulator.entries import BatchTabulated, LateNoticed, RoundCorrected, RoundReleased, RoundVoided
from pitboss.tabulator.values import place_text


class Voids(Collector):
    """Void rounds whose counted wagers the house has refunded; two people make a round void (G-11)."""

    name = "voids"
    title = "Void rounds"
    says = "Rounds made void, and their counted wagers, refunded by the house; the meters stay as they are."
    kinds = frozenset({"wagers-refunded", "round-voided"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.voided: dict[str, RoundVoided] = {}
        self.refunds: list[tuple[Entry, Movement]] = []
        self.entries: dict[str, Entry] = {}

    def take(self, entry: Entry, value: Payload) -> None:
        """Keep each void round and each refund; they stand in one command."""
        if isinstance(value, RoundVoided):
            if self.scope.asked.table in (None, entry.table) and self.scope.asked.jackpot is None:
                self.voided[entry.command], self.entries[entry.command] = value, entry
        elif isinstance(value, Movement) and self.scope.wants(value.jackpot, entry.table):
            self.refunds.append((entry, value))

    def report(self) -> Report:
        """Set them under one another."""
        columns = (
            column("entry", "Entry", Kind.COUNT),
            column("recorded", "Recorded", Kind.INSTANT),
            column("jackpot", "Jackpot"),
            column("table", "Table"),
            column("round", "Round", Kind.COUNT),
            column("seats", "Seats"),
            column("refunded", "Refunded", Kind.MONEY),
            column("cause", "Cause"),
            column("by", "By"),
            column("approved_by", "Approved by"),
            column("words", "Words", Kind.DETAIL),
        )
        rows = [self._refund(entry, movement) for entry, movement in self.refunds]
        refunded = {entry.command for entry, _ in self.refunds}
        for command, value in self.voided.items():
            if command not in refunded:
                entry = self.entries[command]
                cells: tuple[Cell, ...] = (entry.sequence, entry.recorded, "none", entry.table, value.round, "", 0)
                rows.append(Row((*cells, value.cause, value.by, value.approved_by, value.words)))
        rows.sort(key=lambda row: row.cells[0] if isinstance(row.cells[0], int) else 0)
        totals = totalled(rows, columns, "all", skip=("entry", "round"))
        return self.scope.report(self.name, self.title, self.says, columns, rows, totals=totals)

    def _refund(self, entry: Entry, movement: Movement) -> Row:
        units = sum(each.units for each in movement.transfers if each.payee == "players")
        seats = ", ".join(map(str, movement.details.get("seats", ())))
        place: tuple[Cell, ...] = (entry.sequence, entry.recorded, movement.jackpot, entry.table)
        place += (movement.details.get("round"), seats, units)
        value = self.voided.get(entry.command)
        if value is None:
            return Row((*place, "", entry.actor, movement.approved_by, movement.words))
        return Row((*place, value.cause, value.by, value.approved_by, value.words))


class Corrections(Collector):
    """Rounds that were put right after their press, counts entered by hand, and wagers that came too late."""

    name = "corrections"
    title = "Corrected rounds"
    says = "Seats put into counted rounds or taken out, rounds entered by hand, and late wagers, which are not counted."
    kinds = frozenset({"round-corrected", "batch-tabulated", "round-released", "late-noticed"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.rows: list[Row] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Keep what a person did, and wagers that were late."""
        if self.scope.asked.table not in (None, entry.table):
            return
        match value:
            case RoundCorrected():
                seats = ", ".join(map(str, value.seats))
                self._keep(
                    entry, value.round, value.cause, value.wager, seats, value.by, value.approved_by, value.words
                )
            case BatchTabulated() if value.source == "hand":
                told = "; ".join(f"{wager}: {sum(n for _, n in pairs)}" for wager, pairs in value.counted.items())
                what = f"{value.rounds} rounds entered by hand"
                self._keep(entry, value.round, what, told, "", value.by, value.approved_by, value.words)
            case RoundReleased() | LateNoticed() if value.late:
                places = ", ".join(map(place_text, value.late))
                self._keep(entry, value.round, "late, not counted", "", places, entry.actor, "", "")
            case _:
                pass

    def _keep(self, entry: Entry, number: int, *cells: Cell) -> None:
        self.rows.append(Row((entry.sequence, entry.recorded, entry.table, number, *cells)))

    def report(self) -> Report:
        """Set them under one another."""
        columns = (
            column("entry", "Entry", Kind.COUNT),
            column("recorded", "Recorded", Kind.INSTANT),
            column("table", "Table"),
            column("round", "Round", Kind.COUNT),
            column("cause", "Cause"),
            column("wager", "Wager"),
            column("seats", "Seats"),
            column("by", "By"),
            column("approved_by", "Approved by"),
            column("words", "Words", Kind.DETAIL),
        )
        return self.scope.report(self.name, self.title, self.says, columns, self.rows)


_PLAY = frozenset({"wagers-counted", "wagers-refunded", "prize-called", "prize-paid", "jackpot-opened"})
_RAISED = "raised"
_COLUMNS = (
    column("reason", "Reason"),
    column("entry", "Entry", Kind.COUNT),
    column("recorded", "Recorded", Kind.INSTANT),
    column("jackpot", "Jackpot"),
    column("fund", "Fund"),
    column("amount", "Amount", Kind.MONEY),
    column("by", "By"),
    column("approved_by", "Approved by"),
    column("words", "Words", Kind.DETAIL),
)


class Adjustments(Collector):
    """Every change of a fund that play did not make, by reason; decreases for prizes in sum (J-09, J-14)."""

    name = "adjustments"
    title = "Adjustments by reason"
    says = "Whatever raised or lowered a fund besides counted wagers and prizes, with its reason and both people."
    kinds = frozenset(MOVEMENTS) - {"wagers-counted", "wagers-refunded", "prize-paid", "jackpot-opened"}

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.rows: list[Row] = []
        self.prizes: dict[str, int] = {}

    def take(self, entry: Entry, value: Payload) -> None:
        """Keep each transfer that touches a fund; prizes only in sum."""
        if not isinstance(value, Movement) or not self.scope.wants(value.jackpot):
            return
        for payer, payee, units, reason, words in value.transfers:
            for fund, amount in ((payer, -units), (payee, units)):
                if fund not in FUNDS:
                    continue
                if value.kind in _PLAY:
                    if amount < 0 and reason == DecreaseReason.PRIZE_WON.value:
                        self.prizes[value.jackpot] = self.prizes.get(value.jackpot, 0) + amount
                    continue
                told = reason if amount < 0 and reason else value.reason if amount < 0 else _RAISED
                self.rows.append(self._row(told or "moved between funds", entry, value, fund, amount, words))

    def _row(self, reason: str, entry: Entry, movement: Movement, fund: str, amount: int, words: str) -> Row:
        cells: tuple[Cell, ...] = (reason, entry.sequence, entry.recorded, movement.jackpot, fund, amount)
        said = f"{MOVEMENTS[movement.kind].says}: {movement.words or words}"
        return Row((*cells, entry.actor, movement.approved_by, said))

    def report(self) -> Report:
        """Set them under one another, reason by reason."""
        order = [reason.value for reason in DecreaseReason]
        for jackpot, amount in sorted(self.prizes.items()):
            won = DecreaseReason.PRIZE_WON.value
            self.rows.append(Row((won, None, None, jackpot, "displayed", amount, "", "", "prizes in sum")))
        rows = sorted(self.rows, key=lambda row: _place(str(row.cells[0]), order))
        totals = totalled(rows, _COLUMNS, "all", skip=("entry",))
        rows = [row for _, of_reason in groupby(rows, lambda row: row.cells[0]) for row in _with_sum(of_reason)]
        return self.scope.report(self.name, self.title, self.says, _COLUMNS, rows, totals=totals, group=1)


def _with_sum(of_reason: Iterable[Row]) -> list[Row]:
    """The rows of one reason, and what several of them come to."""
    rows = list(of_reason)
    total = totalled(rows, _COLUMNS, f"together {rows[0].cells[0]}", skip=("entry",))
    return [*rows, total] if len(rows) > 1 and total is not None else rows


def _place(reason: str, order: list[str]) -> int:
    return order.index(reason) if reason in order else len(order)
