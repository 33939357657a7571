"""From a displayed amount back to the seed: what stands on a meter, by entries of the journal (J-09, T-14)."""

from __future__ import annotations

import datetime
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, NamedTuple

from pitboss.books import (
    EPOCH,
    LEDGER,
    Calendar,
    Entry,
    Folding,
    JournalStore,
    LedgerTransfer,
    Movement,
    canonical,
    read_payload,
    saying,
    snapshot_states,
)
from pitboss.jackpot.state import JACKPOTS
from pitboss.meters import units_text


class Part(NamedTuple):
    """One line of an explanation: what came to the display or left it, and the entries that say so.

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
    parts: tuple[Part, ...]

    @property
    def is_complete(self) -> bool:
        """Whether the parts sum to what is displayed."""
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
    store: JournalStore, book: str, upto: int, jackpot: str | None = None, after: int = 0
) -> Iterable[tuple[Entry, Movement]]:
    """Read the movements of a book, or of one jackpot of it."""
    # Payloads are canonical JSON: what does not say this text is about something else, and need not be read.
    said = '"jackpot":' + ("" if jackpot is None else canonical(jackpot))
    for entry in saying(store, book, said, after, upto):
        value = read_payload(entry.kind, entry.payload)
        if isinstance(value, Movement) and jackpot in (None, value.jackpot):
            yield entry, value


def shown_change(movement: Movement) -> int:
    """By how much a movement changes the display, in units."""
    return sum(map(_signed, movement.transfers))


def explain_display(
    store: JournalStore, book: str, name: str, upto: int, calendar: Calendar | None = None, *, whole: bool = False
) -> Explanation:
    """Explain what a display shows after an entry, from the beginning of its generation on.

    Where states were sealed, reading begins at the last one before that, or goes on where it was explained before;
    `whole` reads from the first entry on.
    """
    kept = None if whole else _kept_before(store, book, name, upto, calendar)
    if kept is None:
        collected = _Collected(name, calendar)
        after = 0 if whole else _begin(collected, store, book, upto)
    else:
        collected, after = kept.collected.copied(), kept.sequence
    last: Entry | None = None
    for entry, movement in movements_of(store, book, upto, name, after):
        collected.take(entry, movement)
        last = entry
    if last is not None and not whole:
        _keep(book, name, _Kept(last.sequence, last.digest, calendar, collected.copied()))
    return Explanation(book, name, upto, collected.generation, collected.displayed, collected.told())


class _Kept(NamedTuple):
    """What was collected up to an entry, which has this hash wherever all before it is the same."""

    sequence: int
    digest: bytes
    calendar: Calendar | None
    collected: _Collected


_KEPT_MAX = 32
_kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()


def _keep(book: str, name: str, made: _Kept) -> None:
    _kept[book, name] = made
    _kept.move_to_end((book, name))
    if len(_kept) > _KEPT_MAX:
        _kept.popitem(last=False)


def _kept_before(store: JournalStore, book: str, name: str, upto: int, calendar: Calendar | None) -> _Kept | None:
    """What a process that explains again and again has collected before, if it is of the same entries."""
    found = _kept.get((book, name))
    if found is None or found.sequence > upto or found.calendar != calendar:
        return None
    entry = store.entry(book, found.sequence)
    return found if entry is not None and entry.digest == found.digest else None


def _begin(collected: _Collected, store: JournalStore, book: str, upto: int) -> int:
    """Begin with what was sealed before the generation that an entry is in; gives the entry after which to read."""
    newest = next(snapshot_states(store, Folding((JACKPOTS,)), book, upto), None)
    record = None if newest is None else newest.of(JACKPOTS).jackpots.get(collected.name)
    if record is None or not record.generations:
        return 0
    # What was collected of the generation before is forgotten where this one begins.
    before = next(snapshot_states(store, Folding((LEDGER,)), book, record.generations[-1]), None)
    if before is None:
        return 0
    accounts = before.of(LEDGER).get(collected.name)
    if accounts is not None:
        collected.generation, collected.displayed = accounts.counts["generation"], accounts.balances["displayed"]
    return before.sequence


_CONTRIBUTIONS = "contributions of counted wagers"
_NOTHING = "counted wagers, nothing of them to the display"


class _Collected:
    """Parts of the generation that is being read; a top hit begins another."""

    def __init__(self, name: str, calendar: Calendar | None) -> None:
        self.name, self.calendar = name, calendar
        self.generation = self.displayed = 0
        self.parts: list[Part] = []

    def copied(self) -> _Collected:
        """The same, which goes on by itself."""
        made = _Collected(self.name, self.calendar)
        made.generation, made.displayed, made.parts = self.generation, self.displayed, list(self.parts)
        return made

    def take(self, entry: Entry, movement: Movement) -> None:
        if "generation" in movement.counts:
            left = self.displayed + sum(_signed(each) for each in movement.transfers if each.payee == "winners")
            self.generation += movement.counts["generation"]
            self.parts = []
            if self.displayed:
                what = f"left on the display by the hit of entry {entry.sequence} ({units_text(self.displayed)} shown)"
                self.parts.append(Part(what, left, entry.sequence, entry.sequence, 1))
            for each in movement.transfers:
                if each.payee == "displayed":
                    self.parts.append(Part(each.words or movement.kind, each.units, entry.sequence, entry.sequence, 1))
        elif movement.kind == "wagers-counted":
            self._count(entry, movement)
        else:
            self._other(entry, movement)
        self.displayed += shown_change(movement)

    def _count(self, entry: Entry, movement: Movement) -> None:
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
            Part(_CONTRIBUTIONS, units, entry.sequence, entry.sequence, 1, wagers, entry.table or "-", day)
        )

    def told(self) -> tuple[Part, ...]:
        return tuple(part._replace(what=_NOTHING) if part.table and not part.units else part for part in self.parts)

    def _day(self, entry: Entry) -> str:
        if self.calendar is None:
            return ""
        return self.calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=entry.happened)).isoformat()

    def _other(self, entry: Entry, movement: Movement) -> None:
        for each in movement.transfers:
            units = _signed(each)
            if units:
                what = each.words or movement.words or movement.kind
                told = f"{what} ({each.reason})" if each.reason else what
                self.parts.append(Part(told, units, entry.sequence, entry.sequence, 1))


def _signed(transfer: LedgerTransfer) -> int:
    return transfer.units * ((transfer.payee == "displayed") - (transfer.payer == "displayed"))
