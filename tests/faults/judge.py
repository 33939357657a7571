"""The judge: reads the journal with nothing of the product's, and compares it with what was asked and answered.

It has its own arithmetic, in fractions of a cent, its own rules of what a press does, and its own calendar.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from tests.faults import layout
from tests.faults.layout import AT, PEOPLE, SHIFTS, TABLES, ZONE, JackpotOfFloor
from tests.faults.money import Meter
from tests.faults.record import DONE, LATER, REFUSED, Record

WAGER = 100
WEEK = 7 * 24 * 3600 * 1_000_000
HOUR = 3600 * 1_000_000
REASONS = {"prize-won", "equipment-malfunction", "above-cap", "booked-as-receipts", "seed-recovered"}
APPROVED = {"meter-adjusted", "receipts-booked", "prize-rejected", "escrow-withdrawn", "escrow-arrived", "round-voided"}
BY_DEVICE = {"round-tabulated", "round-released", "press-ignored", "message-refused", "late-noticed"}


class Row(NamedTuple):
    """A row of the journal."""

    sequence: int
    happened: int
    recorded: int
    actor: str
    table: str
    kind: str
    payload: dict[str, Any]
    command: str
    part: int
    parts: int
    previous: bytes
    digest: bytes


def rows_of(folder: Path) -> list[Row]:
    """Read the journal of a folder that nobody writes to."""
    connection = sqlite3.connect(folder / "journal.sqlite3")
    names = ", ".join(f'"{name}"' for name in Row._fields)
    rows = connection.execute(f"SELECT {names} FROM entries WHERE book = 'room' ORDER BY sequence").fetchall()
    connection.close()
    return [Row._make((*row[:6], json.loads(row[6]), *row[7:])) for row in rows]


class Shown(NamedTuple):
    """What the room shows after its last entry: displays by table, amounts by jackpot, what waits, and its calendar."""

    displays: dict[str, dict[str, int]]
    balances: dict[str, dict[str, int]]
    waiting: tuple[int, ...]
    shift_of: Callable[[int], tuple[str, str]]
    sequence: int


@dataclass(slots=True)
class TableOfJudge:
    """A table as the judge follows it."""

    life: str = "closed"
    phase: str = "open"
    pressed: int | None = None
    round: int = 0
    dealer: str = ""


@dataclass(slots=True)
class Judge:
    """Follows the journal from its first entry, and finds what should not be there."""

    record: Record
    findings: list[str] = field(default_factory=list)
    tables: dict[str, TableOfJudge] = field(default_factory=lambda: {table: TableOfJudge() for table in TABLES})
    meters: dict[str, Meter] = field(
        default_factory=lambda: {jackpot.name: Meter(jackpot) for jackpot in layout.JACKPOTS}
    )
    devices: dict[str, int] = field(default_factory=lambda: dict.fromkeys(map(layout.device_of, TABLES), 0))
    asked: dict[int, Row] = field(default_factory=dict)
    slips: int = 0
    papers: dict[int, tuple[str, ...]] = field(default_factory=dict)
    expected: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """By command the seats whose wagers its next entries must count."""
    sent: dict[int, str] = field(default_factory=dict)

    def find(self, row: Row | None, words: str) -> None:
        """Note what is wrong with an entry."""
        self.findings.append(words if row is None else f"entry {row.sequence} ({row.kind}): {words}")

    def look(self, rows: list[Row], shown: Shown | None) -> list[str]:
        """Read the whole journal, and return everything that is wrong."""
        self._chain(rows)
        for row in rows:
            self._row(row)
        self._acts(rows)
        self._presses()
        if shown is not None:
            self._shown(rows, shown)
        return self.findings

    def _chain(self, rows: list[Row]) -> None:
        """Number follows number, each entry the one before; every command is there once, with all its parts."""
        before, recorded = b"", 0
        parts: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, row in enumerate(rows, start=1):
            if row.sequence != number:
                self.find(row, f"stands where number {number} should")
            if number > 1 and row.previous != before:
                self.find(row, "does not follow the entry before it")
            if row.recorded < recorded:
                self.find(row, "was recorded before the entry before it")
            if self.record.heads.get(row.sequence, row.digest.hex()) != row.digest.hex():
                self.find(row, "is another than the one that was acknowledged")
            before, recorded = row.digest, row.recorded
            parts[row.command].append((row.part, row.parts))
        for command, some in parts.items():
            if [part for part, _ in some] != list(range(some[0][1])):
                self.findings.append(f"command {command} is there in parts {some}")
        lost = [number for number in self.record.heads if number > len(rows)]
        if lost:
            self.findings.append(f"entries {lost[:5]} were acknowledged and are not there")

    def _row(self, row: Row) -> None:
        if "device_sequence" in row.payload:
            self._message(row)
        if row.kind in APPROVED or row.payload.get("approved_by"):
            self._two_people(row)
        name = f"_{row.kind.replace('-', '_')}"
        if (see := getattr(self, name, None)) is not None:
            see(row)
        if "jackpot" in row.payload and row.kind not in ("jackpot-defined", "wager-confirmed"):
            self._movement(row)

    # Two people.

    def _two_people(self, row: Row) -> None:
        second = row.payload.get("approved_by", "")
        if not second or second.casefold() == row.actor.casefold():
            self.find(row, f"needs two people, and has {row.actor!r} and {second!r}")
        elif PEOPLE.get(row.actor, "?") == PEOPLE.get(second, "") and row.actor in PEOPLE:
            self.find(row, f"{row.actor} and {second} act in one role")

    def _approval_asked(self, row: Row) -> None:
        self.asked[row.sequence] = row

    def _approval_given(self, row: Row) -> None:
        asked = self.asked.pop(row.payload["approval"], None)
        if asked is None:
            self.find(row, f"approves {row.payload['approval']}, which does not wait")
        elif asked.actor == row.payload["by"]:
            self.find(row, f"{asked.actor} approves what they asked for")

    def _approval_refused(self, row: Row) -> None:
        self.asked.pop(row.payload["approval"], None)

    # Tables and devices.

    def _table_opened(self, row: Row) -> None:
        self.tables[row.table].life = "open"
        if row.payload["day"] != shift_of(row.recorded)[0]:
            self.find(row, f"opened on {row.payload['day']}, which is {shift_of(row.recorded)[0]}")

    def _table_closed(self, row: Row) -> None:
        self.tables[row.table].life, self.tables[row.table].dealer = "closed", ""

    def _table_jackpots_suspended(self, row: Row) -> None:
        self.tables[row.table].life = "suspended"

    def _table_jackpots_resumed(self, row: Row) -> None:
        self.tables[row.table].life = "open"

    def _dealer_changed(self, row: Row) -> None:
        self.tables[row.table].dealer = row.payload["dealer"]

    def _message(self, row: Row) -> None:
        """Each message of a device is there once, in its order, as the device has kept it."""
        device, sequence = row.payload["device"], row.payload["device_sequence"]
        if row.payload.get("twin"):
            return
        if sequence != self.devices[device] + 1:
            self.find(row, f"message {sequence} of {device} comes after {self.devices[device]}")
        self.devices[device] = max(self.devices[device], sequence)
        pressed = self.record.pressed.get((device, sequence))
        if pressed is None:
            self.find(row, f"{device} never sent message {sequence}")
            return
        seen = tuple(tuple(place) for place in row.payload.get("seen", ()))
        if row.kind in ("round-tabulated", "message-refused", "round-released") and seen != pressed.seen:
            self.find(row, f"{device} has seen {pressed.seen}, and {seen} is written")
        self._press(row, pressed.at)

    def _press(self, row: Row, at: int) -> None:
        """A press counts where the table is open for wagers, else it ends the round; twice in a second it is one."""
        table = self.tables[row.table]
        playable = table.life != "closed" and bool(table.dealer)
        is_double = table.pressed is not None and 0 <= at - table.pressed < 1_000_000
        wanted = "press-ignored" if is_double else "round-tabulated" if table.phase == "open" else "round-released"
        if not playable:
            wanted = "message-refused"
        if row.kind == "message-refused" and playable:
            words = " ".join(row.payload["problems"])
            if not any(word in words for word in ("short by", "suspended", "escrow", "more than")):
                self.find(row, f"a press is refused that should be {wanted}: {words}")
            return
        if row.kind != wanted:
            self.find(row, f"a press of a table that is {table.life} and {table.phase} should be {wanted}")
        if row.kind == "round-tabulated":
            table.phase, table.pressed = "tabulated", at
        elif row.kind == "round-released":
            table.phase, table.pressed = "open", at

    def _round_tabulated(self, row: Row) -> None:
        table, jackpot = self.tables[row.table], AT[row.table]
        if row.payload["round"] != table.round + 1:
            self.find(row, f"round {row.payload['round']} comes after {table.round}")
        table.round = row.payload["round"]
        seats = tuple(place[0] for place in row.payload.get("seen", ()))
        meter, counted = self.meters[jackpot.name], tuple(row.payload["counted"].get(jackpot.wager, ()))
        is_played = table.life == "open" and meter.is_open
        if counted != (seats if is_played else ()):
            was_played = (not is_played and meter.played_until >= row.happened) or meter.play == "suspended"
            if not was_played or counted not in (seats, ()):
                self.find(row, f"seats {seats} had wagers, and {counted} are counted")
        self.expected[row.command] = counted
        if not counted:
            meter.see_uncounted(row)

    def _round_released(self, row: Row) -> None:
        if row.payload["round"] != self.tables[row.table].round:
            self.find(row, f"ends round {row.payload['round']}, and {self.tables[row.table].round} is on the table")

    # Money.

    def _movement(self, row: Row) -> None:
        meter = self.meters[row.payload["jackpot"]]
        before = meter.displayed
        meter.see(row.kind, row, self.find)
        if row.kind == "wagers-counted" and not row.payload["details"].get("missed"):
            seats = self.expected.get(row.command)
            if seats is None or tuple(row.payload["details"]["seats"]) != seats:
                self.find(row, f"counts seats {row.payload['details']['seats']} of {seats}")
        if row.kind == "wagers-counted":
            # A press that was made before play was suspended counts, though it comes late (G-43).
            is_late = meter.play == "suspended" and row.happened <= meter.played_until
            short = meter.short(row.happened)
            if short > 0 and not is_late:
                self.find(row, f"counted while {float(short):.2f} cents are not at the bank after a week")
        for payer, payee, _, *rest in row.payload.get("transfers", ()):
            if payer in ("displayed", "reserve", "overflow") and payee not in ("displayed", "reserve", "overflow"):
                reason = rest[0] if rest else None
                if reason not in REASONS:
                    self.find(row, f"{payer} goes down for {reason!r}")
        if row.kind == "wagers-refunded" and meter.displayed != before:
            self.find(row, "a refund moves the meter")

    def _play_opened(self, row: Row) -> None:
        self.meters[row.payload["name"]].play = "open"

    def _play_closed(self, row: Row) -> None:
        meter = self.meters[row.payload["name"]]
        meter.play, meter.played_until = "closed", row.recorded

    def _play_suspended(self, row: Row) -> None:
        meter = self.meters[row.payload["name"]]
        meter.play, meter.played_until = "suspended", row.recorded

    def _hit_documented(self, row: Row) -> None:
        for paper in row.payload["papers"]:
            self.slips += 1
            if paper["slip"] != self.slips:
                self.find(row, f"slip {paper['slip']} comes after {self.slips - 1}")
        self.papers[row.payload["hit"]] = (*self.papers.get(row.payload["hit"], ()), row.actor)

    def _prize_paid(self, row: Row) -> None:
        hit = row.payload.get("details", {}).get("hit")
        if hit is not None and row.actor in self.papers.get(hit, ()):
            self.find(row, f"{row.actor} pays what they made the papers of")

    def _prize_reversed(self, row: Row) -> None:
        details = row.payload["details"]
        paid = next(
            (meter.small[details["prize"]] for meter in self.meters.values() if details["prize"] in meter.small), None
        )
        if paid is None:
            self.find(row, f"takes back {details['prize']}, which is no small prize that stands")
            return
        if details["step"] == "undo" and row.recorded - paid.recorded > 10_000_000:
            self.find(row, "undone by who paid it after ten seconds")
        if shift_of(paid.recorded) != shift_of(row.recorded):
            self.find(row, "taken back after its shift")

    def _escrow_sent(self, row: Row) -> None:
        self.sent[row.sequence] = row.actor

    def _escrow_arrived(self, row: Row) -> None:
        if self.sent.get(row.payload["details"]["sent"]) == row.actor:
            self.find(row, f"{row.actor} confirms what they sent")

    # What was asked, and what is shown.

    def _acts(self, rows: list[Row]) -> None:
        """What was acknowledged is there, as it was answered; what was refused is not."""
        by_command: dict[str, list[int]] = defaultdict(list)
        for row in rows:
            by_command[row.command].append(row.sequence)
        for act in self.record.acts.values():
            written = tuple(by_command.get(act.id, ()))
            if act.outcome == DONE and written != act.entries:
                self.findings.append(f"{act.id} ({act.what}) was answered {act.entries} and is there as {written}")
            elif act.outcome == REFUSED and written:
                self.findings.append(f"{act.id} ({act.what}) was refused and is there as {written}")

    def _presses(self) -> None:
        for (device, sequence), pressed in self.record.pressed.items():
            if pressed.is_acknowledged and sequence > self.devices[device]:
                self.findings.append(f"press {sequence} of {device} was acknowledged and is not there")
            statuses = {status for status in pressed.statuses if status not in LATER}
            if len(statuses) > 1 or len(set(pressed.rounds)) > 1:
                self.findings.append(f"press {sequence} of {device} was answered {sorted(statuses)} {pressed.rounds}")

    def _shown(self, rows: list[Row], shown: Shown) -> None:
        if shown.sequence != len(rows):
            self.findings.append(f"the room stands at entry {shown.sequence}, the journal at {len(rows)}")
        for table, amounts in shown.displays.items():
            jackpot = AT[table].name
            wanted = {jackpot: self.meters[jackpot].shown}
            if amounts != wanted:
                self.findings.append(f"the display of table {table} shows {amounts}, and the meter is {wanted}")
        for name, balances in shown.balances.items():
            for account, amount in self.meters[name].accounts().items():
                if Fraction(balances[account], 10_000) != amount:
                    self.findings.append(
                        f"{account} of {name} is {balances[account] / 10_000}, and should be {float(amount)}"
                    )
        if set(shown.waiting) != set(self.asked):
            self.findings.append(f"requests {sorted(shown.waiting)} wait, and should be {sorted(self.asked)}")
        for row in rows[-40:]:
            if shown.shift_of(row.recorded) != shift_of(row.recorded):
                self.findings.append(
                    f"{row.recorded} is in {shown.shift_of(row.recorded)}, and should be {shift_of(row.recorded)}"
                )
                break


def shift_of(instant: int) -> tuple[str, str]:
    """Return the gambling day and the shift of an instant, by looking at the beginning of every shift around it."""
    zone = ZoneInfo(ZONE)
    time = datetime.datetime.fromtimestamp(instant / 1_000_000, tz=datetime.UTC)
    begins = []
    for offset in (-2, -1, 0, 1):
        day = time.astimezone(zone).date() + datetime.timedelta(days=offset)
        for name, (hour, minute) in SHIFTS:
            date = day if hour >= SHIFTS[0][1][0] else day + datetime.timedelta(days=1)
            wall = datetime.datetime.combine(date, datetime.time(hour, minute), zone)
            begins.append((wall.astimezone(datetime.UTC), day.isoformat(), name))
    _, day_name, name = max(begin for begin in begins if begin[0] <= time)
    return day_name, name


def digest_of(rows: list[Row]) -> str:
    """Return the hash of a journal."""
    return hashlib.sha256(b"".join(row.digest for row in rows)).hexdigest()


__all__ = ["Iterator", "JackpotOfFloor", "Judge", "Row", "Shown", "digest_of", "rows_of", "shift_of"]
