"""The list of times whose video must be kept: jackpot payouts longer than everything else (O-05)."""

from __future__ import annotations

import datetime
from typing import NamedTuple

from pitboss import law
from pitboss.books import Entry, Movement, Payload
from pitboss.reports.catalogue.hit_history import HitCollector
from pitboss.reports.report import Cell, Kind, Report, Row, column
from pitboss.reports.scope import Scope
from pitboss.tabulator.entries import MalfunctionKnown

_COLUMNS = (
    column("keep_until", "Keep until"),
    column("from", "From", Kind.INSTANT),
    column("to", "To", Kind.INSTANT),
    column("table", "Table"),
    column("round", "Round", Kind.COUNT),
    column("seats", "Seats"),
    column("why", "Why"),
    column("entry", "Entry", Kind.COUNT),
)
_OTHERS = {"wagers-refunded": "void round", "count-corrected": "count taken back"}
_MALFUNCTION = "malfunction-known"


class _Kept(NamedTuple):
    first: int
    last: int
    table: str
    round: int | None
    seats: str
    why: str
    entry: int
    days: int


class Video(HitCollector):
    """What surveillance must keep, for how long, by gambling days (O-05, P-07)."""

    name = "video"
    title = "Video retention list"
    says = "Times whose recordings are kept, from the first to the last step of each event."
    kinds = HitCollector.kinds | frozenset({*_OTHERS, _MALFUNCTION})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        rules = law.on(scope.period.last_day, scope.asked.profile)
        self.usual, self.long = rules["video_kept_days"], rules["video_prize_kept_days"]
        self.kept: list[_Kept] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Keep void rounds and corrected counts besides hits."""
        if isinstance(value, MalfunctionKnown):
            if self.scope.asked.table in (None, entry.table):
                place = (value.known, entry.recorded, entry.table, None)
                self.kept.append(_Kept(*place, "", f"malfunction: {value.words}", entry.sequence, self.usual.value))
            return
        if entry.kind not in _OTHERS:
            super().take(entry, value)
            return
        assert isinstance(value, Movement)
        if self.scope.wants(value.jackpot, entry.table):
            seats = value.details.get("seats") or [seat for seat, _ in value.details.get("seat_counts", ())]
            told = ", ".join(map(str, seats))
            why = f"{_OTHERS[entry.kind]}: {value.words}"
            place = (entry.happened, entry.recorded, entry.table, value.details.get("round"))
            self.kept.append(_Kept(*place, told, why, entry.sequence, self.usual.value))

    def report(self) -> Report:
        """Set the times under one another, those to be kept longest first."""
        for story in self.stories:
            hit = story.hit
            seats = ", ".join(str(won.seat) for won in hit.won)
            why = f"hit of {hit.jackpot}, {hit.state.value}"
            ends = (hit.done[0].happened, max(each.happened for each in hit.done))
            self.kept.append(_Kept(*ends, hit.table, hit.round, seats, why, hit.number, self.long.value))
        rows = sorted((self._row(each) for each in self.kept), key=lambda row: (str(row.cells[0]), str(row.cells[1])))
        notes = [
            f"Jackpot payouts {self.long.value} gambling days ({self.long.source}).",
            f"All other recordings {self.usual.value} gambling days ({self.usual.source}).",
            *self.notes,
        ]
        return self.scope.report(self.name, self.title, self.says, _COLUMNS, rows, notes=notes)

    def _row(self, kept: _Kept) -> Row:
        until = self.scope.day(kept.last) + datetime.timedelta(days=kept.days)
        cells: tuple[Cell, ...] = (until.isoformat(), kept.first, kept.last, kept.table, kept.round, kept.seats)
        return Row((*cells, kept.why, kept.entry))
