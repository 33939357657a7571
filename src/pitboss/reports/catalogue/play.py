"""Play at the tables: participation in the jackpots, and rounds per hour (F-11)."""

from __future__ import annotations

import datetime
from fractions import Fraction

from pitboss.books import Entry, Movement, Payload
from pitboss.games import find_game
from pitboss.jackpot.state import seat_counts
from pitboss.reports.catalogue.wagers import JACKPOT, TABLE, CountingCollector, Tally, natural
from pitboss.reports.report import Kind, Report, Row, column, totalled
from pitboss.reports.scope import Scope
from pitboss.tabulator import TABLES
from pitboss.tabulator.entries import BatchTabulated, RoundTabulated


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
    says = "Jackpot wagers against rounds and seats in play, by jackpot and table."
    kinds = CountingCollector.kinds | {"round-tabulated", "batch-tabulated"}

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.tallies: dict[tuple[str, str], Tally] = {}
        self.seats: dict[tuple[str, str], set[str]] = {}
        self.in_play: dict[str, int] = {}
        tables = scope.closing.of(TABLES).tables
        self.games = {name: find_game(each.setup.game) for name, each in tables.items()}

    def take(self, entry: Entry, value: Payload) -> None:
        """See besides counts which seats were in play, where a sensor counts another wager than a jackpot's."""
        if not isinstance(value, RoundTabulated | BatchTabulated):
            super().take(entry, value)
            return
        game = self.games.get(entry.table)
        if game is None or all(game.by_name[wager].jackpot for wager in value.counted):
            return
        seats: dict[int, int] = {}
        for counted in value.counted.values():
            for each in counted:
                seat, wagers = (each, 1) if isinstance(each, int) else each
                seats[seat] = max(seats.get(seat, 0), wagers)
        self.in_play[entry.table] = self.in_play.get(entry.table, 0) + sum(seats.values())

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
            column("in_play", "Hands in play", Kind.COUNT),
            column("participation", "Participation", Kind.PERCENT),
            column("seats", "Seats that wagered", Kind.COUNT),
            column("of_these", "Of these seats", Kind.PERCENT),
        )
        rows = []
        for (jackpot, table), tally in sorted(self.tallies.items(), key=lambda each: (each[0][0], natural(each[0][1]))):
            seats = len(self.seats.get((jackpot, table), ()))
            whole = tally.rounds * seats
            per_round = Fraction(tally.wagers, tally.rounds) if tally.rounds else None
            share = Fraction(tally.wagers, whole) if whole else None
            hands = self.in_play.get(table)
            taken = Fraction(tally.wagers, hands) if hands else None
            rows.append(Row((jackpot, table, tally.rounds, tally.wagers, per_round, hands, taken, seats, share)))
        notes = [
            "Hands in play are known where a sensor counts a wager besides the jackpots'.",
            "A seat that wagered is one that had the jackpot wager at least once in the period.",
        ]
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
