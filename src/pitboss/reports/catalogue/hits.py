"""Hits: each with its explanation, against what was to be expected, the last 25, and the video to keep of them.

Hits are followed from the state before the period on; older ones that are not finished bring their entries.
"""

import datetime
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from pitboss import law
from pitboss.books import Entry, JournalStore, Movement, Payload, UnreadableError, read_payload, state_at
from pitboss.games import find_game
from pitboss.jackpot import HITS, JACKPOTS, Jackpot, JackpotSet, Offer, RoomHits, definitions
from pitboss.jackpot.hits.history import History, Story
from pitboss.jackpot.hits.small import SMALL_STEPS
from pitboss.jackpot.hits.state import HIT_KINDS
from pitboss.jackpot.hits.values import STATE_WORDS, Handed, Hit, HitState, HitVerified, Won
from pitboss.jackpot.state import seat_counts
from pitboss.meters import units_of
from pitboss.reports.report import Cell, CellKind, Column, Report, ReportRow, column, totalled
from pitboss.reports.scope import Collector, Group, Scope
from pitboss.reports.state import ExceptionRecord
from pitboss.rules import dollars
from pitboss.rules.pays import Dollars, Loss
from pitboss.tabulator.entries import MalfunctionKnown, RoundCorrected


class SmallPrize(NamedTuple):
    """A prize that was called and paid from the tray in one breath, and not taken back in the period (G-66)."""

    entry: Entry
    jackpot: str
    won: Won
    envy: bool


class PaidPrize(NamedTuple):
    """A prize of a hit that was handed over, and the entry of that."""

    story: Story
    won: Won
    handed: Handed
    entry: Entry


def followed(store: JournalStore, book: str, before: RoomHits) -> History:
    """Begin to follow hits from a state on; those not finished bring the entries of their steps."""
    history = History(state=before)
    for number, hit in before.open.items():
        steps = sorted({step.sequence for step in hit.done} | {hit.called_at})
        entries = [(entry, read_payload(entry.kind, entry.payload)) for entry in _entries(store, book, steps)]
        verified = [value for _, value in entries if isinstance(value, HitVerified)]
        history.stories[number] = Story(hit, list(entries), verified[-1] if verified else None)
    return history


def _entries(store: JournalStore, book: str, sequences: Iterable[int]) -> Iterable[Entry]:
    for sequence in sequences:
        entry = store.entry(book, sequence)
        if entry is not None:
            yield entry


def entry_of(story: Story, sequence: int) -> Entry:
    """The entry of a step."""
    return next(entry for entry, _ in story.entries if entry.sequence == sequence)


class HitCollector(Collector):
    """A report of hits: follows them through the period."""

    kinds = HIT_KINDS

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.history = followed(scope.store, scope.book, scope.opening.of(HITS))
        self.small: list[SmallPrize] = []
        self.unfollowed: list[int] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Follow one more step; one that cannot follow what came before it is told (G-29)."""
        try:
            self.history.take(entry)
        except (UnreadableError, ValueError, KeyError, TypeError, AttributeError):
            self.unfollowed.append(entry.sequence)
            return
        if isinstance(value, Movement) and value.kind == "prize-paid" and self.scope.wants(value.jackpot, entry.table):
            step = value.details.get("step")
            if step in SMALL_STEPS:
                won = [Won(*fields) for fields in value.details["won"]]
                self.small += [SmallPrize(entry, value.jackpot, prize, step == "envy") for prize in won]
        elif isinstance(value, Movement) and value.kind == "prize-reversed":
            # The payment is the entry after its call, whose number the prize has.
            paid = value.details["prize"] + 1
            self.small = [prize for prize in self.small if prize.entry.sequence != paid]

    @property
    def stories(self) -> list[Story]:
        """The hits that something happened to in the period or that are open, in the order of their calls."""
        stories = (story for _, story in sorted(self.history.stories.items()))
        return [story for story in stories if self.scope.wants(story.hit.jackpot, story.hit.table)]

    @property
    def called(self) -> list[Story]:
        """The hits that were called in the period."""
        return [story for story in self.stories if story.hit.number > self.scope.opening.sequence]

    def paid(self) -> list[PaidPrize]:
        """The prizes of hits that were handed over in the period."""
        prizes = []
        for story in self.stories:
            for handed in story.hit.handed:
                won = story.hit.prize(handed.seat)
                if handed.sequence > self.scope.opening.sequence and won is not None:
                    prizes.append(PaidPrize(story, won, handed, entry_of(story, handed.sequence)))
        return prizes

    @property
    def notes(self) -> list[str]:
        """Entries that could not be followed."""
        if not self.unfollowed:
            return []
        numbers = ", ".join(map(str, self.unfollowed[:10]))
        return [f"Entries {numbers} do not follow what came before them and are left out (G-29)."]


def stands(hit: Hit) -> bool:
    """True if the prizes of a call stand: it was not rejected."""
    return hit.state is not HitState.REJECTED


def _status(hit: Hit) -> str:
    return STATE_WORDS[hit.state.value].lower()


_LAST = 25
_WINDOW = 200_000
_HIT_COLUMNS: tuple[Column, ...] = (
    column("hit", "Number", CellKind.COUNT),
    column("called", "Reported", CellKind.INSTANT),
    column("jackpot", "Jackpot"),
    column("table", "Table"),
    column("round", "Round", CellKind.COUNT),
    column("seat", "Seat", CellKind.COUNT),
    column("row", "Hand"),
    column("meter", "Meter", CellKind.MONEY),
    column("prize", "Prize", CellKind.MONEY),
    column("state", "Status"),
)


def _hit_cells(story: Story, won: Won, called: int) -> tuple[Cell, ...]:
    hit = story.hit
    return (
        hit.number,
        called,
        hit.jackpot,
        hit.table,
        hit.round,
        won.seat,
        won.row,
        units_of(hit.meter_cents),
        units_of(won.cents),
        hit.state.value,
    )


def explained(story: Story, won: Won) -> str:
    """Return in one text how a prize came about: the pay table, clauses and rulings, or why the call was rejected."""
    details = story.called.details
    parts = [f"{definitions.wager_title(details['game'], details['wager'])} by {details['paytable']}"]
    if story.hit.late:
        parts.append("reported after the next round was counted")
    if story.verified is not None and won.seat in story.verified.because:
        cards = story.verified.cards.get(str(won.seat))
        parts += [] if cards is None else [cards]
        for clause, ruling, words in story.verified.because[won.seat]:
            parts.append(f"{words} ({'; '.join(part for part in (clause, ruling) if part)})")
    parts += [f"{step.step}ed: {step.words}" for step in story.hit.done if step.step in ("reject", "correct")]
    return "; ".join(parts)


class HitList(HitCollector):
    """The hits called in a period, each explained, and small prizes in sum (J-09, T-14)."""

    name = "hits"
    title = "Jackpots"
    group = Group.HITS
    packet_place = 5
    says = "Every jackpot reported in the period, with the cards and the rules that decided its prize."

    def report(self) -> Report:
        """List the prizes."""
        columns = (*_HIT_COLUMNS, column("because", "How it was decided", CellKind.DETAIL))
        rows = [
            ReportRow((*_hit_cells(story, won, story.hit.done[0].happened), explained(story, won)))
            for story in self.called
            for won in story.hit.won
        ]
        valid = [row for row in rows if row.cells[9] != "rejected"]
        skip = ("hit", "round", "seat", "meter_units")
        totals = totalled(valid, columns, "Total, without rejected", skip=skip)
        notes = [*self._small_notes(), *self.notes]
        return self.build(columns, rows, totals=totals, notes=notes)

    def _small_notes(self) -> Iterator[str]:
        by_jackpot: dict[str, list[int]] = {}
        for small in self.small:
            by_jackpot.setdefault(small.jackpot, []).append(small.won.cents)
        for jackpot, cents in sorted(by_jackpot.items()):
            prizes = "prize was" if len(cents) == 1 else "prizes were"
            paid = f"{len(cents):,} small and Envy {prizes} paid from the tray"
            yield f"{self.scope.title(jackpot)}: {paid}, {dollars(sum(cents))} in all."


class ExpectedHits(HitCollector):
    """How often each level was hit, against wagers times its exact probability (F-11, T-07)."""

    name = "chances"
    title = "Hits expected and actual"
    group = Group.HITS
    says = "Wagers counted times the exact odds of each hand, against the jackpots and prizes paid."
    kinds = HIT_KINDS | {"wagers-counted", "count-corrected", "jackpot-defined", "jackpot-changed"}

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        opening = scope.opening.of(JACKPOTS).jackpots
        self.defined: dict[str, Jackpot] = {name: record.jackpot for name, record in opening.items()}
        self.wagers: Counter[tuple[str, str]] = Counter()
        self.expected: dict[tuple[str, str, str], Fraction] = {}
        self.probabilities: dict[tuple[str, str, str], Fraction | None] = {}
        for name in self.defined:
            self._know(name)

    def _know(self, name: str) -> None:
        for offer in self.defined[name].offers:
            chances = {**self._exact(offer, self.defined[name].meter.jackpot_type), **dict(offer.chances)}
            for prize in offer.prizes:
                if isinstance(prize.pay, Loss) or prize.pay == Dollars(0):
                    continue
                self.probabilities[name, offer.game, prize.event] = chances.get(prize.event)

    def _exact(self, offer: Offer, jackpot_type: str) -> Mapping[str, Fraction]:
        """Return the odds of every row, where somebody counts them; an offer that has none is left out."""
        try:
            return {} if self.scope.chances is None else self.scope.chances(offer, jackpot_type)
        except (ValueError, KeyError):
            return {}

    def take(self, entry: Entry, value: Payload) -> None:
        """Follow hits, definitions and counts."""
        if isinstance(value, JackpotSet):
            self.defined[value.jackpot.name] = value.jackpot
            self._know(value.jackpot.name)
        elif entry.kind in ("wagers-counted", "count-corrected"):
            assert isinstance(value, Movement)
            self._count(entry, value)
        else:
            super().take(entry, value)

    def _count(self, entry: Entry, movement: Movement) -> None:
        jackpot = self.defined.get(movement.jackpot)
        if jackpot is None or not self.scope.wants(movement.jackpot, entry.table) or not jackpot.linked(entry.table):
            return
        wagers = sum(seat_counts(movement).values()) * (1 if movement.kind == "wagers-counted" else -1)
        offer = jackpot.offer_at(entry.table)
        self.wagers[jackpot.name, offer.game] += wagers
        for prize in offer.prizes:
            key = (jackpot.name, offer.game, prize.event)
            chance = self.probabilities.get(key)
            if chance is not None:
                self.expected[key] = self.expected.get(key, Fraction(0)) + wagers * chance

    def _actual(self) -> Counter[tuple[str, str, str]]:
        counts: Counter[tuple[str, str, str]] = Counter()
        for story in self.called:
            if stands(story.hit):
                game = story.called.details["game"]
                counts.update((story.hit.jackpot, game, won.row) for won in story.hit.won)
        for small in self.small:
            linked = self.defined[small.jackpot].linked(small.entry.table)
            if not small.envy and linked is not None:
                counts[small.jackpot, linked.game, small.won.row] += 1
        return counts

    def report(self) -> Report:
        """List every row of every pay table in force."""
        columns = (
            column("jackpot", "Jackpot"),
            column("game", "Game"),
            column("row", "Hand"),
            column("wagers", "Wagers", CellKind.COUNT),
            column("one_in", "One in", CellKind.RATIO),
            column("expected", "Expected", CellKind.RATIO),
            column("actual", "Actual", CellKind.COUNT),
        )
        actual = self._actual()
        rows = []
        for (name, game, event), chance in self.probabilities.items():
            if self.scope.wants(name) and (self.wagers[name, game] or actual[name, game, event]):
                key = (name, game, event)
                expected = self.expected.get(key, Fraction(0)) if chance is not None else None
                one_in = 1 / chance if chance else None
                cells = (name, find_game(game).title, event, self.wagers[name, game], one_in, expected, actual[key])
                rows.append(ReportRow(cells))
        notes = [*self.notes]
        if any(row.cells[4] is None for row in rows):
            notes.append("Rows without odds: their exact odds were not counted for this report.")
        return self.build(columns, rows, notes=notes, group=2)


class LastHits(Collector):
    """The last 25 hits of each jackpot, however long ago (T-03)."""

    name = "last-hits"
    title = "The last 25 jackpots"
    group = Group.HITS
    says = "The last 25 times each jackpot was reported, up to the end of the period, newest first."

    def report(self) -> Report:
        """Look back from the end of the period until there are enough."""
        names = [record.jackpot.name for record in self.scope.records()]
        calls = self._calls(names)
        rows = []
        for story in reversed(self._stories({number for hits in calls.values() for number in hits})):
            rows += [ReportRow(_hit_cells(story, won, story.hit.done[0].happened)) for won in story.hit.won]
        rows.sort(key=lambda row: names.index(str(row.cells[2])))
        return self.build(_HIT_COLUMNS, rows)

    def _calls(self, names: Iterable[str]) -> dict[str, list[int]]:
        """Numbers of the last hits by jackpot, found from the end back, a stretch of the journal at a time."""
        calls: dict[str, list[int]] = {name: [] for name in names}
        upto = self.scope.closing.sequence
        while upto > 0 and any(len(numbers) < _LAST for numbers in calls.values()):
            after = max(0, upto - _WINDOW)
            entries = list(self.scope.store.entries(self.scope.book, after, upto, kinds=["prize-called"]))
            for entry in reversed(entries):
                value = read_payload(entry.kind, entry.payload)
                assert isinstance(value, Movement)
                mine = calls.get(value.jackpot)
                if mine is not None and len(mine) < _LAST and value.details.get("step") == "call":
                    mine.append(entry.sequence)
            upto = after
        return calls

    def _stories(self, numbers: set[int]) -> list[Story]:
        if not numbers:
            return []
        scope, first = self.scope, min(numbers)
        before = state_at(scope.store, scope.book, first - 1, (JACKPOTS, HITS)).state
        history = followed(scope.store, scope.book, before.of(HITS))
        upto = scope.closing.sequence
        for entry in scope.store.entries(scope.book, first - 1, upto, kinds=HIT_KINDS):
            history.take(entry)
        table = self.scope.request.table
        return [
            story
            for number, story in sorted(history.stories.items())
            if number in numbers and table in (None, story.hit.table)
        ]


_VIDEO_COLUMNS = (
    column("keep_until", "Keep until"),
    column("from", "From", CellKind.INSTANT),
    column("to", "To", CellKind.INSTANT),
    column("table", "Table"),
    column("round", "Round", CellKind.COUNT),
    column("seats", "Seats"),
    column("why", "Reason"),
    column("entry", "Entry", CellKind.COUNT),
    column("until_closed", "Keep until closed"),
)
_NO_ENTRY = ("slips", "meters", "escrow", "chain", "w-2g/number")
"""Exceptions whose keys name no entry that something was filmed at."""
_ROUNDS = frozenset({"round-tabulated"})
_DISPUTE = "dispute-settled"
_OTHER_EVENTS = {"wagers-refunded": "void round", "count-corrected": "count taken back"}
_MALFUNCTION = "malfunction-known"


class _Recording(NamedTuple):
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
    group = Group.HITS
    says = "Surveillance video to keep, by time, until when and why."
    kinds = HitCollector.kinds | frozenset({*_OTHER_EVENTS, _MALFUNCTION, _DISPUTE, "round-corrected"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        rules = law.on(scope.period.last_day, scope.request.profile)
        self.usual = rules["video_kept_days"]
        self.long = rules.get("video_prize_kept_days") or self.usual
        self.recordings: list[_Recording] = []
        self.held: dict[int, list[str]] = {number: [] for number in map(_entry_of, scope.accounting.open.values())}
        for exception in scope.accounting.open.values():
            owner = exception.owner or "nobody yet"
            self.held[_entry_of(exception)].append(f"exception {exception.number}: {owner}")

    def take(self, entry: Entry, value: Payload) -> None:
        """Collect disputed rounds, seats that were added, void rounds and corrected counts besides hits (G-48)."""
        if entry.kind == _DISPUTE or isinstance(value, RoundCorrected):
            if self.scope.request.table in (None, entry.table):
                self._take_round(entry, value)
            return
        if isinstance(value, MalfunctionKnown):
            if self.scope.request.table in (None, entry.table):
                place = (value.known, entry.recorded, entry.table, None)
                self.recordings.append(
                    _Recording(*place, "", f"malfunction: {value.words}", entry.sequence, self.usual.value)
                )
            return
        if entry.kind not in _OTHER_EVENTS:
            super().take(entry, value)
            return
        assert isinstance(value, Movement)
        if self.scope.wants(value.jackpot, entry.table):
            seats = value.details.get("seats") or [seat for seat, _ in value.details.get("seat_counts", ())]
            seat_list = ", ".join(map(str, seats))
            why = f"{_OTHER_EVENTS[entry.kind]}: {value.words}"
            place = (entry.happened, entry.recorded, entry.table, value.details.get("round"))
            self.recordings.append(_Recording(*place, seat_list, why, entry.sequence, self.usual.value))

    def _take_round(self, entry: Entry, value: Payload) -> None:
        """Collect a round that was disputed, or into which one person alone put a seat (G-39)."""
        if isinstance(value, RoundCorrected):
            if value.cause != "missed" or value.approved_by:
                return
            number, seats = value.round, ", ".join(map(str, value.seats))
            why = f"seat added by {value.by} alone: {value.words} (G-39)"
        else:
            # The kind is defined above this package: its fields are read from the entry.
            dispute = json.loads(entry.payload)
            number, seats = dispute.get("round", 0), ""
            why = f"dispute {dispute['number']}: {dispute['words']}"
        place = (self._pressed(entry.table, number, entry), entry.recorded, entry.table, number or None)
        self.recordings.append(_Recording(*place, seats, why, entry.sequence, self.long.value))

    def _pressed(self, table: str, number: int, before: Entry) -> int:
        """Return when a round was counted, or where the books do not tell, when it was spoken of."""
        entries = self.scope.store.entries(self.scope.book, 0, before.sequence, kinds=_ROUNDS) if number else ()
        rounds = (each for each in entries if each.table == table and json.loads(each.payload)["round"] == number)
        return min((each.happened for each in rounds), default=before.happened)

    def report(self) -> Report:
        """List the times, those to be kept longest first."""
        for story in self.stories:
            hit = story.hit
            seats = ", ".join(str(won.seat) for won in hit.won)
            why = f"{self.scope.title(hit.jackpot)}, jackpot {hit.number}, {_status(hit)}"
            ends = (hit.done[0].happened, max(step.happened for step in hit.done))
            if not hit.is_finished:
                self.held.setdefault(hit.number, []).append(f"the jackpot is {_status(hit)}")
            self.recordings.append(_Recording(*ends, hit.table, hit.round, seats, why, hit.number, self.long.value))
        rows = sorted(
            (self._row(recording) for recording in self.recordings),
            key=lambda row: (str(row.cells[0]), str(row.cells[1])),
        )
        closed = f"and until the jackpot or the exception about it is closed ({self.long.source}; G-48)"
        notes = [
            f"Jackpots, disputed rounds and seats added alone {self.long.value} gambling days, {closed}.",
            f"All other recordings {self.usual.value} gambling days, to be confirmed ({self.usual.source}; G-48).",
            *self.notes,
        ]
        return self.build(_VIDEO_COLUMNS, rows, notes=notes)

    def _row(self, recording: _Recording) -> ReportRow:
        until = self.scope.day(recording.last) + datetime.timedelta(days=recording.days)
        cells: tuple[Cell, ...] = (
            until.isoformat(),
            recording.first,
            recording.last,
            recording.table,
            recording.round,
            recording.seats,
        )
        held = "; ".join(self.held.get(recording.entry, ()))
        return ReportRow((*cells, recording.why, recording.entry, held))


def _entry_of(exception: ExceptionRecord) -> int:
    """Return the entry that an exception is about, 0 where there is none.

    One of before says it only by its key, such as cheques/41/2.
    """
    if exception.about is not None:
        return exception.about
    if exception.key.startswith(_NO_ENTRY):
        return 0
    return next((int(part) for part in exception.key.split("/") if part.isdecimal()), 0)
