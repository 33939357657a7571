"""Explanations by journal entries: a displayed amount back to its seed, a prize back to its cards (J-09, T-14)."""

from __future__ import annotations

import datetime
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pitboss import books
from pitboss.jackpot.hits.history import Story, read_history
from pitboss.jackpot.hits.values import Hit
from pitboss.jackpot.state import JACKPOTS
from pitboss.meters import units_text


class DisplayPart(NamedTuple):
    """One line of an explanation: what came to the display or left it, and the entries that record it.

    A batch of contributions has the entries of one gambling day and table between other changes of the display.
    """

    what: str
    units: int
    first: int
    last: int
    entries: int
    wagers: int = 0
    table: str = ""
    day: str = ""


class Explanation(NamedTuple):
    """Why a display shows what it shows after an entry: the parts sum to it, to the unit."""

    book: str
    jackpot: str
    sequence: int
    generation: int
    displayed_units: int
    parts: tuple[DisplayPart, ...]

    @property
    def is_complete(self) -> bool:
        """True if the parts sum to what is displayed."""
        return sum(part.units for part in self.parts) == self.displayed_units

    def to_json(self) -> dict[str, Any]:
        """Write the explanation."""
        return {
            "book": self.book,
            "jackpot": self.jackpot,
            "entry": self.sequence,
            "generation": self.generation,
            "displayed": units_text(self.displayed_units),
            "displayed_units": self.displayed_units,
            "complete": self.is_complete,
            "parts": [part._asdict() for part in self.parts],
        }


def movements_of(
    store: books.JournalStore, book: str, upto: int, jackpot: str | None = None, after: int = 0
) -> Iterable[tuple[books.Entry, books.Movement]]:
    """Read the movements of a book, or of one jackpot of it."""
    # Payloads are canonical JSON: what does not say this text is about something else, and need not be read.
    text = '"jackpot":' + ("" if jackpot is None else books.canonical(jackpot))
    for entry in books.saying(store, book, text, after, upto):
        value = books.read_payload(entry.kind, entry.payload)
        if isinstance(value, books.Movement) and jackpot in (None, value.jackpot):
            yield entry, value


def shown_change(movement: books.Movement) -> int:
    """Return by how much a movement changes the display, in units."""
    return sum(map(_signed, movement.transfers))


def explain_display(
    store: books.JournalStore,
    book: str,
    name: str,
    upto: int,
    calendar: books.Calendar | None = None,
    *,
    whole: bool = False,
) -> Explanation:
    """Explain what a display shows after an entry, from the beginning of its generation on.

    Where states were sealed, reading begins at the last one before that, or goes on where it was explained before;
    `whole` reads from the first entry on.
    """
    cached = None if whole else _cached_before(store, book, name, upto, calendar)
    if cached is None:
        collector = _Collector(name, calendar)
        after = 0 if whole else _begin(collector, store, book, upto)
    else:
        collector, after = cached.collector.copied(), cached.sequence
    last: books.Entry | None = None
    for entry, movement in movements_of(store, book, upto, name, after):
        collector.add(entry, movement)
        last = entry
    if last is not None and not whole:
        _cache[book, name] = _Cached(last.sequence, last.digest, calendar, collector.copied())
        _cache.move_to_end((book, name))
        if len(_cache) > _CACHED_MAX:
            _cache.popitem(last=False)
    return Explanation(book, name, upto, collector.generation, collector.displayed, collector.result())


class _Cached(NamedTuple):
    """The parts up to an entry, which has this hash wherever all before it is the same."""

    sequence: int
    digest: bytes
    calendar: books.Calendar | None
    collector: _Collector


_CACHED_MAX = 32
_cache: OrderedDict[tuple[str, str], _Cached] = OrderedDict()


def _cached_before(
    store: books.JournalStore, book: str, name: str, upto: int, calendar: books.Calendar | None
) -> _Cached | None:
    """Return what this process has collected before, if it is of the same entries."""
    cached = _cache.get((book, name))
    if cached is None or cached.sequence > upto or cached.calendar != calendar:
        return None
    entry = store.entry(book, cached.sequence)
    return cached if entry is not None and entry.digest == cached.digest else None


def _begin(collector: _Collector, store: books.JournalStore, book: str, upto: int) -> int:
    """Begin with what was sealed before the generation that an entry is in; return the entry after which to read."""
    newest = next(books.snapshot_states(store, books.Folding((JACKPOTS,)), book, upto), None)
    record = None if newest is None else newest.of(JACKPOTS).jackpots.get(collector.name)
    if record is None or not record.generations:
        return 0
    # What was collected of the generation before is forgotten where this one begins.
    before = next(books.snapshot_states(store, books.Folding((books.LEDGER,)), book, record.generations[-1]), None)
    if before is None:
        return 0
    accounts = before.of(books.LEDGER).get(collector.name)
    if accounts is not None:
        collector.generation, collector.displayed = accounts.counts["generation"], accounts.balances["displayed"]
    return before.sequence


_CONTRIBUTIONS = "contributions of counted wagers"
_NOTHING = "counted wagers, nothing of them to the meter"


class _Collector:
    """Parts of the generation that is being read; a top hit begins another."""

    def __init__(self, name: str, calendar: books.Calendar | None) -> None:
        self.name, self.calendar = name, calendar
        self.generation = self.displayed = 0
        self.parts: list[DisplayPart] = []

    def copied(self) -> _Collector:
        """Return a copy that goes on by itself."""
        copy = _Collector(self.name, self.calendar)
        copy.generation, copy.displayed, copy.parts = self.generation, self.displayed, list(self.parts)
        return copy

    def add(self, entry: books.Entry, movement: books.Movement) -> None:
        """Add what a movement did to the display."""
        if "generation" in movement.counts:
            prizes = [transfer for transfer in movement.transfers if transfer.payee == "winners"]
            left = self.displayed + sum(map(_signed, prizes))
            self.generation += movement.counts["generation"]
            self.parts = []
            if self.displayed:
                what = (
                    f"left on the meter by the jackpot of entry {entry.sequence} ({units_text(self.displayed)} shown)"
                )
                self.parts.append(DisplayPart(what, left, entry.sequence, entry.sequence, 1))
            for transfer in movement.transfers:
                if transfer.payee == "displayed":
                    self.parts.append(
                        DisplayPart(transfer.words or movement.kind, transfer.units, entry.sequence, entry.sequence, 1)
                    )
        elif movement.kind == "wagers-counted":
            self._count(entry, movement)
        else:
            self._other(entry, movement)
        self.displayed += shown_change(movement)

    def _count(self, entry: books.Entry, movement: books.Movement) -> None:
        units, wagers = shown_change(movement), movement.counts.get("wagers_counted", 0)
        day = self._day(entry)
        for place in range(len(self.parts) - 1, -1, -1):
            # Tables press in turn: their batches stand beside one another until something else moves the display.
            last = self.parts[place]
            if not last.table:
                break
            if (last.table, last.day) == (entry.table, day):
                self.parts[place] = last._replace(
                    units=last.units + units,
                    last=entry.sequence,
                    entries=last.entries + 1,
                    wagers=last.wagers + wagers,
                )
                return
        self.parts.append(
            DisplayPart(_CONTRIBUTIONS, units, entry.sequence, entry.sequence, 1, wagers, entry.table or "-", day)
        )

    def result(self) -> tuple[DisplayPart, ...]:
        """Return the parts; wagers of which nothing came to the display say so."""
        return tuple(part._replace(what=_NOTHING) if part.table and not part.units else part for part in self.parts)

    def _day(self, entry: books.Entry) -> str:
        if self.calendar is None:
            return ""
        return self.calendar.gambling_day(books.EPOCH + datetime.timedelta(microseconds=entry.happened)).isoformat()

    def _other(self, entry: books.Entry, movement: books.Movement) -> None:
        for change in movement.transfers:
            units = _signed(change)
            if units:
                what = change.words or movement.words or movement.kind
                what = f"{what} ({change.reason.replace('-', ' ')})" if change.reason else what
                self.parts.append(DisplayPart(what, units, entry.sequence, entry.sequence, 1))


def _signed(transfer: books.LedgerTransfer) -> int:
    return transfer.units * ((transfer.payee == "displayed") - (transfer.payer == "displayed"))


# Hits.


class HitEntry(NamedTuple):
    """An entry of a hit, for people."""

    sequence: int
    kind: str
    person: str
    role: str
    happened: str
    recorded: str
    words: str
    head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HitExplanation:
    """A hit from its prizes back to cards, rows, clauses, rulings, the meter and the entries."""

    hit: Hit
    game: str
    wager: str
    paytable: str
    cards: dict[str, str]
    because: dict[int, tuple[tuple[str, str | None, str], ...]]
    envy: tuple[tuple[int, int, str], ...]
    meter: Explanation
    entries: tuple[HitEntry, ...]

    def to_json(self) -> dict[str, Any]:
        """Write the explanation."""
        handed = {payment.seat: payment for payment in self.hit.handed}
        papers = {paper.seat: paper for paper in self.hit.papers}
        return {
            "hit": self.hit.number,
            "state": self.hit.state.value,
            "jackpot": self.hit.jackpot,
            "game": self.game,
            "wager": self.wager,
            "paytable": self.paytable,
            "table": self.hit.table,
            "round": self.hit.round,
            "late": self.hit.late,
            "meter_cents": self.hit.meter_cents,
            "cards": self.cards,
            "prizes": [
                {
                    **won._asdict(),
                    "demands": list(self.hit.demands[won.seat].names) if won.seat in self.hit.demands else [],
                    "slip": papers[won.seat].slip if won.seat in papers else None,
                    "winner": papers[won.seat].winner if won.seat in papers else None,
                    "paid": None if won.seat not in handed else handed[won.seat]._asdict(),
                    "because": [
                        {"clause": clause, "ruling": ruling, "text": text}
                        for clause, ruling, text in self.because.get(won.seat, ())
                    ],
                }
                for won in self.hit.won
            ],
            "envy": [{"seat": seat, "cents": cents, "text": text} for seat, cents, text in self.envy],
            "meter": self.meter.to_json(),
            "entries": [entry._asdict() for entry in self.entries],
        }


def explain_hit(store: books.JournalStore, book: str, number: int) -> HitExplanation:
    """Explain a hit from the entries of its book."""
    history = read_history(store.entries(book))
    return explain_story(store, book, history.story(number), history.calendar)


def explain_story(
    store: books.JournalStore, book: str, story: Story, calendar: books.Calendar | None
) -> HitExplanation:
    """Explain a hit whose entries have been found."""
    called, verified = story.called.details, story.verified
    # Percentages are of the meter at the first call, or where it was late at the press after its round (G-4).
    first = story.entries[0][1]
    assert isinstance(first, books.Movement)
    counted: int = first.details["meter_entry"]
    return HitExplanation(
        hit=story.hit,
        game=called["game"],
        wager=called["wager"],
        paytable=called["paytable"],
        cards={} if verified is None else dict(verified.cards),
        because={} if verified is None else dict(verified.because),
        envy=() if verified is None else verified.envy,
        meter=explain_display(store, book, story.hit.jackpot, counted, calendar),
        entries=tuple(_entries(story)),
    )


def _entries(story: Story) -> Iterator[HitEntry]:
    for entry, value in story.entries:
        details: Mapping[str, Any] = getattr(value, "details", {})
        role = str(details.get("role") or getattr(value, "role", ""))
        reason = getattr(value, "words", "")
        times = books.instant_text(entry.happened), books.instant_text(entry.recorded)
        yield HitEntry(entry.sequence, entry.kind, entry.actor, role, *times, reason, entry.digest.hex())


class PrizeMatch(NamedTuple):
    """A prize of an amount: a hit or one paid from the tray, or a slip whose payment after tax was that amount."""

    what: str
    jackpot: str
    table: str
    round: int
    seat: int
    row: str
    cents: int
    sequence: int
    hit: int = 0
    slip: int = 0
    rejected: bool = False


_MATCHES_MAX = 20


def find_prizes(store: books.JournalStore, book: str, cents: int, upto: int) -> list[PrizeMatch]:
    """Return the last prizes, hits and payments that came to an amount, the newest first."""
    matches: list[PrizeMatch] = []
    won_by_hit: dict[int, dict[int, PrizeMatch]] = {}
    rejected: set[int] = set()
    for entry in store.entries(book, 0, upto, kinds=["prize-called", "prize-paid", "prize-rejected"]):
        movement = books.read_payload(entry.kind, entry.payload)
        assert isinstance(movement, books.Movement)
        details = movement.details
        if movement.kind == "prize-called":
            prizes = _called_prizes(entry, movement)
            won_by_hit |= {prize.hit: {prize.seat: prize for prize in prizes} for prize in prizes[:1]}
            total = sum(prize.cents for prize in prizes)
            matches += [prize for prize in prizes if cents in (prize.cents, total)]
        elif movement.kind == "prize-rejected":
            rejected.add(details.get("hit", 0))
        elif details.get("step") == "pay":
            seat, _, withheld, _, slip = details["handed"][:5]
            prize = won_by_hit.get(details["hit"], {}).get(seat)
            if prize is not None and withheld and prize.cents - withheld == cents:
                matches.append(prize._replace(what="slip", cents=cents, slip=slip, sequence=entry.sequence))
    newest = matches[: -_MATCHES_MAX - 1 : -1]
    return [match._replace(rejected=match.hit in rejected and match.hit > 0) for match in newest]


def _called_prizes(entry: books.Entry, movement: books.Movement) -> list[PrizeMatch]:
    """Return the prizes of a call; one that was paid from the tray belongs to no hit."""
    details = movement.details
    is_hit = details.get("step") in ("call", "recall")
    what = "hit" if is_hit else "envy" if details.get("step") == "envy" else "tray"
    return [
        PrizeMatch(
            what=what,
            jackpot=movement.jackpot,
            table=entry.table,
            round=details.get("round", 0),
            seat=seat,
            row=row,
            cents=cents,
            sequence=entry.sequence,
            hit=details.get("hit", entry.sequence) if is_hit else 0,
        )
        for seat, row, cents in details.get("won", ())
    ]
