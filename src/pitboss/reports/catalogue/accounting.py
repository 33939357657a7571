"""Prizes reported for tax, cheques and slips, chips against counts (O-12), exceptions with owner and result (M-07)."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from pitboss import law
from pitboss.books import Entry, Movement, Payload, microseconds, read_payload
from pitboss.jackpot import HITS
from pitboss.jackpot.hits.small import SMALL_STEPS
from pitboss.jackpot.hits.thresholds import CHEQUE, Demand
from pitboss.jackpot.hits.values import HitDocumented, HitState, Paper
from pitboss.meters import units_of
from pitboss.reports.catalogue.equipment import Alarms, Corrections, CounterReadings, Malfunctions
from pitboss.reports.catalogue.filings import PaperPostings
from pitboss.reports.catalogue.hits import HitCollector, PaidPrize, stands
from pitboss.reports.catalogue.meters import EscrowStatement, Meters
from pitboss.reports.catalogue.play import COUNTING, CountingCollector, natural
from pitboss.reports.render import units_words
from pitboss.reports.report import Cell, CellKind, ExceptionLine, Report, ReportRow, column, totalled
from pitboss.reports.scope import Collector, Group, Scope
from pitboss.reports.state import Chips, ChipsCollected, ExceptionRecord, Share, place_of
from pitboss.rules import dollars

_HOUR = 60 * 60 * 1_000_000
_FORM_COLUMNS = (
    column("paid", "Paid", CellKind.INSTANT),
    column("slip", "Slip", CellKind.COUNT),
    column("winner", "Winner"),
    column("form", "Form"),
    column("jackpot", "Jackpot"),
    column("hand", "Hand"),
    column("wager", "Wager", CellKind.MONEY),
    column("winnings", "Winnings", CellKind.MONEY),
    column("withheld", "Withheld", CellKind.MONEY),
    column("taxpayer_number", "Taxpayer no."),
    column("identification", "Identification"),
)


class TaxForms(HitCollector):
    """Prizes handed over in the period for which a Form W-2G is due (X-01, X-02, X-05, X-06, G-38)."""

    name = "w-2g"
    title = "Form W-2G list"
    group = Group.HITS
    says = "Prizes paid in the period that are reported to the IRS, one line for each person."

    def report(self) -> Report:
        """List the persons, and name what must be looked at."""
        paid = self.paid()
        rows = [row for prize in paid if _is_reported(prize) for row in self._rows(prize)]
        exceptions = [*self._without_number(paid), *self._one_person(paid)]
        notes = [
            "Taxpayer numbers themselves are kept outside the books. Winners are matched by name.",
            "A shared prize is split as the winners state it on Form 5754; withholding is split in proportion (X-05).",
            *self.notes,
        ]
        totals = totalled(rows, _FORM_COLUMNS, "Total", skip=("slip", "wager_units"))
        return self.build(_FORM_COLUMNS, rows, totals=totals, notes=notes, exceptions=tuple(exceptions))

    def _rows(self, prize: PaidPrize) -> Iterator[ReportRow]:
        hit, handed = prize.story.hit, prize.handed
        paper = hit.paper(handed.seat)
        first: tuple[Cell, ...] = (prize.entry.recorded, handed.slip)
        middle: tuple[Cell, ...] = (hit.jackpot, prize.won.row, units_of(hit.wager_cents))
        shares = self.scope.accounting.shared.get(f"{hit.number}-{handed.seat}")
        if shares is None:
            assert paper is not None
            last = ("yes" if paper.taxpayer_number else "NO", ", ".join(paper.identification))
            money = (units_of(prize.won.cents), units_of(handed.withheld_cents))
            yield ReportRow((*first, paper.winner, "W-2G", *middle, *money, *last))
            return
        for share, withheld in zip(shares, divided(handed.withheld_cents, shares), strict=True):
            last = ("yes" if share.taxpayer_number else "NO", "as on Form 5754")
            money = (units_of(share.cents), units_of(withheld))
            yield ReportRow((*first, share.winner, "5754, W-2G", *middle, *money, *last))

    def _without_number(self, paid: Iterable[PaidPrize]) -> Iterator[ExceptionLine]:
        for prize in paid:
            paper = prize.story.hit.paper(prize.handed.seat)
            if _is_reported(prize) and paper is not None and not paper.taxpayer_number:
                words = f"slip {prize.handed.slip}: the winner gave no taxpayer number; backup withholding (X-07)"
                yield self.scope.line(
                    f"w-2g/number/{prize.handed.slip}", words, units_of(prize.won.cents), about=prize.story.hit.number
                )

    def _one_person(self, paid: Iterable[PaidPrize]) -> Iterator[ExceptionLine]:
        """One person's prizes of a gambling day together: cash to be reported, and one event on several seats."""
        by_person: dict[tuple[datetime.date, str], list[tuple[PaidPrize, Paper]]] = {}
        for prize in paid:
            paper = prize.story.hit.paper(prize.handed.seat)
            if paper is not None:
                day = self.scope.day(prize.entry.recorded)
                by_person.setdefault((day, paper.winner), []).append((prize, paper))
        for (day, winner), prizes in sorted(by_person.items()):
            yield from self._cash(day, winner, [prize for prize, _ in prizes])
            yield from self._same_event(day, winner, [prize for prize, _ in prizes])

    def _cash(self, day: datetime.date, winner: str, prizes: list[PaidPrize]) -> Iterator[ExceptionLine]:
        over = law.on(day, self.scope.request.profile)["cash_report_over_cents"].value
        cash = sum(prize.won.cents - prize.handed.withheld_cents for prize in prizes if prize.handed.method != CHEQUE)
        if len(prizes) > 1 and cash > over:
            paid = f"{dollars(cash)} in cash by {len(prizes)} prizes on {day}"
            words = f"{_slips(prizes)}: one person was paid {paid}: report it (X-08)"
            key, before = f"w-2g/cash/{day}/{_first_slip(prizes)}", f"w-2g/cash/{day}/{winner}"
            yield self.scope.line(key, words, units_of(cash), before=before)

    def _same_event(self, day: datetime.date, winner: str, prizes: list[PaidPrize]) -> Iterator[ExceptionLine]:
        """Identical wagers on one event are added up (X-06); the form looks at the whole."""
        rules = law.on(day, self.scope.request.profile)
        by_hit: dict[int, list[PaidPrize]] = {}
        for prize in prizes:
            by_hit.setdefault(prize.story.hit.number, []).append(prize)
        for number, wins in by_hit.items():
            cents = sum(prize.won.cents for prize in wins)
            wagered = sum(prize.story.hit.wager_cents for prize in wins)
            form, multiple = rules.get("w2g_from_cents"), rules["w2g_wager_multiple_min"].value
            due = cents >= multiple * wagered and (form is None or cents >= form.value)
            if len(wins) > 1 and due and not all(map(_is_reported, wins)):
                both = f"{len(wins)} prizes of hit {number}, {dollars(cents)} together"
                words = f"{_slips(wins)}: one person has {both}: a form is due (X-06)"
                key, before = f"w-2g/together/{number}/{_first_slip(wins)}", f"w-2g/together/{number}/{winner}"
                yield self.scope.line(key, words, units_of(cents), about=number, before=before)


def _first_slip(prizes: list[PaidPrize]) -> int:
    """Return the slip by which several prizes of one person are known: nobody's name is part of a key (G-70)."""
    return min(prize.handed.slip for prize in prizes)


def _slips(prizes: list[PaidPrize]) -> str:
    """Return the slips that name a person, for those who may read them."""
    return f"slips {' and '.join(str(slip) for slip in sorted(prize.handed.slip for prize in prizes))}"


def _is_reported(prize: PaidPrize) -> bool:
    demands = prize.story.hit.demands.get(prize.handed.seat)
    return demands is not None and Demand.W2G in demands


def divided(cents: int, shares: tuple[Share, ...]) -> list[int]:
    """Divide what was withheld in proportion to the parts; odd cents go to the largest part first (G-47)."""
    whole = sum(share.cents for share in shares)
    parts = [cents * share.cents // whole for share in shares]
    order = sorted(range(len(shares)), key=lambda place: (-shares[place].cents, place))
    for place in order[: cents - sum(parts)]:
        parts[place] += 1
    return parts


class Cheques(HitCollector):
    """Prizes that are paid by cheque: given within 24 hours of the call, or overdue (P-03, G-47)."""

    name = "cheques"
    title = "Check payments"
    group = Group.HITS
    says = "Prizes that must be paid by check: due and paid dates."

    def report(self) -> Report:
        """List the prizes."""
        columns = (
            column("hit", "Jackpot no.", CellKind.COUNT),
            column("jackpot", "Jackpot"),
            column("seat", "Seat", CellKind.COUNT),
            column("winner", "Winner"),
            column("prize", "Prize", CellKind.MONEY),
            column("called", "Reported", CellKind.INSTANT),
            column("due", "Due", CellKind.INSTANT),
            column("given", "Paid", CellKind.INSTANT),
            column("cheque", "Check"),
            column("state", "Status"),
        )
        rows: list[ReportRow] = []
        exceptions: list[ExceptionLine] = []
        for story in self.stories:
            hit = story.hit
            for won in hit.won:
                demands = hit.demands.get(won.seat)
                if demands is None or demands.within_hours is None or not stands(hit):
                    continue
                paper, handed = hit.paper(won.seat), next((h for h in hit.handed if h.seat == won.seat), None)
                called = hit.done[0].happened
                due = called + demands.within_hours * _HOUR
                handover = (
                    None if handed is None else next(e for e, _ in story.entries if e.sequence == handed.sequence)
                )
                late = (self.scope.as_of if handover is None else handover.recorded) > due
                state = _cheque_state(handover is not None, late)
                if late:
                    key, subject = f"cheques/{hit.number}/{won.seat}", f"{dollars(won.cents)} of hit {hit.number}"
                    words = f"{subject}: the check {'was given late' if handover else 'is overdue'} (P-03)"
                    exceptions.append(self.scope.line(key, words, units_of(won.cents), about=hit.number))
                winner = "" if paper is None else paper.winner
                cells: tuple[Cell, ...] = (hit.number, hit.jackpot, won.seat, winner, units_of(won.cents), called, due)
                cells += (
                    None if handover is None else handover.recorded,
                    "" if handed is None else handed.cheque,
                    state,
                )
                rows.append(ReportRow(cells, "alarm" if late else "line"))
        return self.build(columns, rows, notes=self.notes, exceptions=tuple(exceptions))


def _cheque_state(is_given: bool, late: bool) -> str:
    return ("given late" if late else "given") if is_given else ("OVERDUE" if late else "to be given")


_SLIP_COLUMNS = (
    column("slip", "Slip", CellKind.COUNT),
    column("made", "Created", CellKind.INSTANT),
    column("hit", "Jackpot no.", CellKind.COUNT),
    column("jackpot", "Jackpot"),
    column("table", "Table"),
    column("seat", "Seat", CellKind.COUNT),
    column("prize", "Prize", CellKind.MONEY),
    column("winner", "Winner"),
    column("by", "Created by"),
    column("copies", "Reprints", CellKind.COUNT),
    column("state", "Status"),
)


class Slips(HitCollector):
    """Every slip made in the period; numbers run on without gaps (M-08)."""

    name = "slips"
    title = "Slip sequence"
    group = Group.HITS
    says = "Slip numbers, with reprints and void slips; missing or duplicate numbers are flagged."

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.slips: list[tuple[Paper, Entry, int]] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Collect each slip in the order in which they were made."""
        super().take(entry, value)
        if isinstance(value, HitDocumented):
            self.slips += [(paper, entry, value.hit) for paper in value.papers]

    def report(self) -> Report:
        """List the slips, and say which numbers are wrong."""
        scope = self.scope
        first, last = scope.opening.of(HITS).slips + 1, scope.hits.slips
        numbers = [paper.slip for paper, _, _ in self.slips]
        missing = sorted(set(range(first, last + 1)) - set(numbers))
        twice = sorted({number for number in numbers if numbers.count(number) > 1})
        wrong = [scope.line(f"slips/missing/{number}", f"slip {number} is missing (M-08)") for number in missing]
        wrong += [scope.line(f"slips/twice/{number}", f"slip {number} was made twice (M-08)") for number in twice]
        words = f"Slips {first} to {last}: {len(numbers)} made" if last >= first else "No slip was made"
        note = f"{words}, {len(missing)} missing, {len(twice)} made twice."
        notes = [note, *self.notes]
        return self.build(_SLIP_COLUMNS, self._rows(), notes=notes, exceptions=tuple(wrong), broken=bool(wrong))

    def _rows(self) -> list[ReportRow]:
        rows = []
        for paper, entry, number in self.slips:
            story = self.history.stories.get(number)
            issued = self.history.slips.get(paper.slip)
            if story is None or issued is None or not self.scope.wants(story.hit.jackpot, story.hit.table):
                continue
            won = issued.hit.prize(paper.seat)
            prize = None if won is None else units_of(won.cents)
            place = (story.hit.number, story.hit.jackpot, story.hit.table, paper.seat)
            copies = len(self.history.reprints.get(paper.slip, ()))
            state = _slip_state(story.hit.state, paper.slip in {valid.slip for valid in story.hit.papers})
            cells = (paper.slip, entry.recorded, *place, prize, paper.winner, entry.actor, copies, state)
            rows.append(ReportRow(cells))
        return rows


def _slip_state(state: HitState, in_force: bool) -> str:
    if state is HitState.REJECTED:
        return "void: the call was rejected"
    return state.value if in_force else "void: made anew"


_Place = tuple[datetime.date, str, str]
_TAKINGS_COLUMNS = (
    column("day", "Day"),
    column("shift", "Shift"),
    column("table", "Table"),
    column("wagers", "Wagers", CellKind.COUNT),
    column("staked", "Wagered", CellKind.MONEY),
    column("refunded", "Refunds", CellKind.MONEY),
    column("tray", "Prizes from the tray", CellKind.MONEY),
    column("expected", "Expected", CellKind.MONEY),
    column("collected", "Counted", CellKind.MONEY),
    column("difference", "Difference", CellKind.MONEY),
    column("counted_by", "Counted by"),
)


@dataclass(slots=True)
class _Till:
    """The takings of one table in one shift."""

    wagers: int = 0
    staked_units: int = 0
    refunded_units: int = 0
    tray_units: int = 0

    @property
    def expected_units(self) -> int:
        """The money that must lie there."""
        return self.staked_units - self.refunded_units - self.tray_units


def chips_of(scope: Scope) -> dict[str, tuple[Chips, int]]:
    """The last count of chips by day, shift and table, with the instant it was entered."""
    store, book = scope.store, scope.book
    counts: dict[str, tuple[Chips, int]] = {}
    # A count may come late (G-45): all that follow the period are read.
    for entry in store.entries(book, scope.opening.sequence, scope.head.sequence, kinds=["chips-collected"]):
        value = read_payload(entry.kind, entry.payload)
        assert isinstance(value, ChipsCollected)
        chips = Chips(entry.sequence, value.cents, entry.actor, value.counted_with)
        counts[value.place] = (chips, entry.recorded)
    return counts


class Takings(CountingCollector):
    """Per shift and table what the counts say against the chips that were collected (section 10 no. 5, E-01, O-12)."""

    name = "takings"
    title = "Chip count vs. tabulated wagers"
    group = Group.MONEY
    says = (
        "By shift and table: expected = jackpot wagers \N{MINUS SIGN} refunds \N{MINUS SIGN} prizes paid from the tray."
    )
    kinds = CountingCollector.kinds | {"prize-paid", "prize-reversed"}

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.tills: dict[_Place, _Till] = {}

    def take(self, entry: Entry, value: Payload) -> None:
        """See payments from the tray besides counts."""
        if entry.kind in ("prize-paid", "prize-reversed"):
            assert isinstance(value, Movement)
            if _from_tray(value) and self.scope.wants(value.jackpot, entry.table):
                for payer, payee, units, _, _ in value.transfers:
                    self._till(entry).tray_units += units * ((payee == "paid") - (payer == "paid"))
        else:
            super().take(entry, value)

    def _till(self, entry: Entry) -> _Till:
        day, shift = self.clockwork.shift(entry.recorded)
        return self.tills.setdefault((day, shift, entry.table), _Till())

    def count(self, entry: Entry, movement: Movement) -> None:
        """Add wagers and refunds to the till of their shift and table."""
        assert movement.kind in COUNTING
        till = self._till(entry)
        for _, tally in self.changes(movement):
            till.wagers += tally.wagers
            if movement.kind == "wagers-refunded":
                till.refunded_units -= tally.staked_units
            else:
                till.staked_units += tally.staked_units

    def report(self) -> Report:
        """List the tills, and name every difference."""
        chips = chips_of(self.scope)
        exceptions: list[ExceptionLine] = []
        places = sorted(self._places(chips), key=self._order)
        rows = [self._row(place, chips.get(place_of(*place)), exceptions) for place in places]
        notes = [
            "Expected = jackpot wagers less refunds and prizes paid from the tray (small prizes and Envy too).",
            *self.late_notes,
        ]
        if self.scope.request.jackpot is not None:
            notes.append(
                "Chips are collected for a table, not for one jackpot: they are left out of this narrower view."
            )
        totals = _with_counted(totalled(rows, _TAKINGS_COLUMNS, "Total"), rows)
        return self.build(_TAKINGS_COLUMNS, rows, totals=totals, notes=notes, exceptions=tuple(exceptions), group=2)

    def _places(self, chips: dict[str, tuple[Chips, int]]) -> set[_Place]:
        """Every shift and table with wagers, and every one with chips."""
        places = set(self.tills)
        days, request = set(self.scope.period.days), self.scope.request
        for place in chips:
            text, shift, table = place.split("/", 2)
            day = datetime.date.fromisoformat(text)
            if (
                day in days
                and request.shift in (None, shift)
                and request.table in (None, table)
                and request.jackpot is None
            ):
                places.add((day, shift, table))
        return places

    def _order(self, place: _Place) -> tuple[datetime.date, int, tuple[int, str]]:
        day, shift, table = place
        names = [named_shift.name for named_shift in self.scope.calendar.shifts(day)]
        return day, names.index(shift) if shift in names else len(names), natural(table)

    def _row(self, place: _Place, count: tuple[Chips, int] | None, wrong: list[ExceptionLine]) -> ReportRow:
        day, shift, table = place
        till = self.tills.get(place, _Till())
        expected = till.expected_units
        cells: tuple[Cell, ...] = (day.isoformat(), shift, table, till.wagers, till.staked_units)
        cells += (till.refunded_units, till.tray_units, expected)
        if self.scope.request.jackpot is not None:
            return ReportRow((*cells, None, None, ""))
        key = f"takings/{place_of(*place)}"
        if count is None:
            if not self._is_over(day, shift):
                return ReportRow((*cells, None, None, "Shift in progress"))
            words = f"table {table}, {shift} shift of {day}: no chips were entered for {till.wagers:,} wagers"
            wrong.append(self.scope.line(key, words, expected))
            return ReportRow((*cells, None, None, "Not counted"), "alarm")
        chips, _ = count
        collected = units_of(chips.cents)
        people = (chips.counted_by, chips.counted_with)
        if collected != expected:
            amounts = f"{units_words(collected)} collected, {units_words(expected)} expected"
            words = f"table {table}, {shift} shift of {day}: {amounts}"
            wrong.append(self.scope.line(key, words, collected - expected, people))
        style = "line" if collected == expected else "alarm"
        return ReportRow((*cells, collected, collected - expected, " and ".join(people)), style)  # type: ignore[arg-type]

    def _is_over(self, day: datetime.date, shift: str) -> bool:
        ends = {named_shift.name: microseconds(named_shift.ends) for named_shift in self.scope.calendar.shifts(day)}
        return ends[shift] <= self.scope.as_of


def _with_counted(totals: ReportRow | None, rows: list[ReportRow]) -> ReportRow | None:
    """Return how many tills were counted; where none was, the totals of a count are nothing, and not zero."""
    if totals is None:
        return None
    *cells, collected, difference, _ = totals.cells
    counted = sum(row.cells[-3] is not None for row in rows)
    if not counted:
        return totals._replace(cells=(*cells, None, None, "Not counted"))
    return totals._replace(cells=(*cells, collected, difference, f"{counted} of {len(rows)} counted"))


def _from_tray(movement: Movement) -> bool:
    step = movement.details.get("step")
    if movement.kind == "prize-reversed":
        return True
    return step in SMALL_STEPS or (step == "pay" and movement.details["handed"][1] == "tray")


_EQUIPMENT = (CounterReadings, Malfunctions, Alarms, Corrections)
_MONEY = (Meters, EscrowStatement, Takings, Slips, TaxForms, Cheques)
FINDERS: tuple[type[Collector], ...] = (*_MONEY, *_EQUIPMENT, PaperPostings)
_EXCEPTION_COLUMNS = (
    column("number", "Number", CellKind.COUNT),
    column("state", "Status"),
    column("found_by", "Found by"),
    column("words", "What"),
    column("amount", "Amount", CellKind.MONEY),
    column("raised", "Opened", CellKind.INSTANT),
    column("owner", "Owner"),
    column("result", "Resolution"),
)


class Exceptions(Collector):
    """What somebody must look at: found in this period, or in the books and not resolved before it."""

    name = "exceptions"
    title = "Exceptions"
    group = Group.MONEY
    packet_place = 10
    says = "Differences found in this period, with owner and resolution."
    kinds: ClassVar[frozenset[str]] = frozenset().union(*(finder.kinds for finder in FINDERS))

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.finders = [maker(scope) for maker in FINDERS]

    def take(self, entry: Entry, value: Payload) -> None:
        """Pass an entry to every finder that needs it."""
        for finder in self.finders:
            if entry.kind in finder.kinds:
                finder.take(entry, value)

    def report(self) -> Report:
        """List what was found and what the books hold; each exception stands once."""
        findings = [line for finder in self.finders for line in finder.report().exceptions]
        held = {record.key: record for record in self._held()}
        fresh = [line for line in findings if line.key not in held]
        rows = [*map(_held_row, held.values()), *map(_line_row, fresh)]
        waiting = sum(record.state != "resolved" for record in held.values())
        notes = [f"{len(fresh)} new, {waiting} open."]
        keys = {line.key for line in findings}
        others = [_line(record) for record in held.values() if record.key not in keys]
        lines = tuple(line for line in (*others, *findings) if line.state != "resolved")
        return self.build(_EXCEPTION_COLUMNS, rows, notes=notes, exceptions=lines)

    def _held(self) -> list[ExceptionRecord]:
        """Those in the books that were open when the period began or were raised since, and before it ended."""
        period, accounting = self.scope.period, self.scope.accounting
        every = sorted((*accounting.resolved, *accounting.open.values()))
        return [
            record
            for record in every
            if record.raised < period.ends and (record.state != "resolved" or record.resolved >= period.begins)
        ]


def _line(held: ExceptionRecord) -> ExceptionLine:
    """An exception of the books that no report of this period finds, such as one that a person has raised."""
    return ExceptionLine(held.key, held.words, held.units, held.people, held.number, held.owner, held.state)


def _found_by(key: str) -> str:
    """Return the title of the report that finds an exception; what a person raised is named by its own subject."""
    source = key.partition("/")[0]
    return next((finder.title for finder in FINDERS if finder.name == source), source)


def _held_row(held: ExceptionRecord) -> ReportRow:
    cells: tuple[Cell, ...] = (
        held.number,
        held.state,
        _found_by(held.key),
        held.words,
        held.units,
        held.raised,
        held.owner,
    )
    return ReportRow((*cells, held.result), "line" if held.state == "resolved" else "alarm")


def _line_row(line: ExceptionLine) -> ReportRow:
    return ReportRow((None, line.state, _found_by(line.key), line.words, line.units, None, line.owner, ""), "alarm")
