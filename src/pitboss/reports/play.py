"""Play at the tables: participation in the jackpots, and rounds per hour (F-11)."""

from __future__ import annotations

import datetime
from fractions import Fraction

from pitboss.books import Entry, Movement
from pitboss.jackpot.state import seat_counts
from pitboss.reports.counted import JACKPOT, TABLE, CountingCollector, Tally, natural
from pitboss.reports.scope import Scope
from pitboss.reports.values import Kind, Report, Row, column, totalled

__all__ = ["Participation", "RoundsPerHour"]


class Rounds:
    """Tells rounds from one another: a press with several jackpots is one round, a missed wager none."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[int, str]] = {}

    def new(self, entry: Entry, movement: Movement) -> int:
        """How many rounds an entry is the first to speak of."""
        details = movement.details
        if details.get("missed") or "round" not in details:
            return 0
        here = (details["round"], entry.command)
        if self._last.get(entry.table) == here:
            return 0
        self._last[entry.table] = here
        rounds: int = details.get("rounds", 1)
        return rounds


class Participation(CountingCollector):
    """How many of the seats that play make the jackpot wager, by jackpot and table (F-11)."""

    name = "participation"
    title = "Participation"
    says = "Jackpot wagers against rounds and seats, by jackpot and table."

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.tallies: dict[tuple[str, str], Tally] = {}
        self.seats: dict[tuple[str, str], set[str]] = {}

    def count(self, entry: Entry, movement: Movement) -> None:
        """Count rounds in which the jackpot was played, wagers, and seats that had any."""
        key = (movement.jackpot, entry.table)
        tally = self.tallies.setdefault(key, Tally())
        if movement.kind == "wagers-counted" and not movement.details.get("missed"):
            tally.rounds += movement.details.get("rounds", 1) if "round" in movement.details else 0
        for _, more in self.changes(movement):
            tally.counted += more.counted
            tally.taken_back += more.taken_back
        if movement.kind == "wagers-counted":
            self.seats.setdefault(key, set()).update(seat_counts(movement))

    def report(self) -> Report:
        """Set jackpots and tables under one another."""
        columns = (
            JACKPOT,
            TABLE,
            column("rounds", "Rounds", Kind.COUNT),
            column("wagers", "Wagers", Kind.COUNT),
            column("per_round", "Wagers a round", Kind.RATIO),
            column("seats", "Seats that wagered", Kind.COUNT),
            column("participation", "Of these seats", Kind.PERCENT),
        )
        rows = []
        for (jackpot, table), tally in sorted(self.tallies.items(), key=lambda each: (each[0][0], natural(each[0][1]))):
            seats = len(self.seats.get((jackpot, table), ()))
            whole = tally.rounds * seats
            per_round = Fraction(tally.wagers, tally.rounds) if tally.rounds else None
            share = Fraction(tally.wagers, whole) if whole else None
            rows.append(Row((jackpot, table, tally.rounds, tally.wagers, per_round, seats, share)))
        notes = ["A seat is counted where it had the wager at least once in the period."]
        return self.scope.report(self.name, self.title, self.says, columns, rows, notes=notes, group=1)


class RoundsPerHour(CountingCollector):
    """Rounds pressed at each table, and how many an hour (F-11)."""

    name = "rounds"
    title = "Rounds per hour"
    says = "Rounds tabulated at each table, over the hours in which it was pressed."

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.rounds = Rounds()
        self.by_hour: dict[str, dict[datetime.datetime, int]] = {}
        self.ends: dict[str, tuple[int, int]] = {}

    def count(self, entry: Entry, movement: Movement) -> None:
        """Count a round once, in the hour of its press."""
        if movement.kind != "wagers-counted":
            return
        new = self.rounds.new(entry, movement)
        if not new:
            return
        hours = self.by_hour.setdefault(entry.table, {})
        hour = self.clockwork.hour(entry.recorded)
        hours[hour] = hours.get(hour, 0) + new
        first, _ = self.ends.get(entry.table, (entry.recorded, 0))
        self.ends[entry.table] = (first, entry.recorded)

    def report(self) -> Report:
        """Set the tables under one another."""
        columns = (
            TABLE,
            column("rounds", "Rounds", Kind.COUNT),
            column("first", "First press", Kind.INSTANT),
            column("last", "Last press", Kind.INSTANT),
            column("hours", "Hours played", Kind.COUNT),
            column("per_hour", "Rounds an hour", Kind.RATIO),
            column("most", "Most in an hour", Kind.COUNT),
        )
        rows = []
        for table, hours in sorted(self.by_hour.items(), key=lambda each: natural(each[0])):
            total = sum(hours.values())
            cells = (table, total, *self.ends[table], len(hours), Fraction(total, len(hours)), max(hours.values()))
            rows.append(Row(cells))
        totals = totalled(rows, columns, "all", skip=("most",))
        notes = ["An hour counts as played where it has at least one press.", *self.late_notes]
        return self.scope.report(self.name, self.title, self.says, columns, rows, totals=totals, notes=notes)
