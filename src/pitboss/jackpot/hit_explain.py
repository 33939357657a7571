"""From a prize or a displayed amount back to seed, batches of contributions and entries (J-09, T-14)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pitboss.books import Entry, Movement, RefusedError, instant_text, read_payload
from pitboss.jackpot.hit_history import Story, read_history
from pitboss.jackpot.hit_values import Hit
from pitboss.meters import cents_shown

__all__ = ["Batch", "Explanation", "MeterStory", "Told", "explain_hit", "explain_meter"]


class Batch(NamedTuple):
    """Entries of one kind in a row: the first and the last, how many, wagers counted, and what the display gained."""

    kind: str
    first: int
    last: int
    entries: int
    wagers: int
    units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterStory:
    """How a displayed amount was reached: where it began, with what, and every batch of entries since."""

    jackpot: str
    began_at: int
    began_with: str
    began_units: int
    batches: tuple[Batch, ...]

    @property
    def units(self) -> int:
        """The amount that all of it comes to."""
        return self.began_units + sum(batch.units for batch in self.batches)

    @property
    def cents(self) -> int:
        """What the display shows of it (G-3)."""
        return cents_shown(self.units)

    def to_json(self) -> dict[str, Any]:
        """Write the story."""
        return {
            "jackpot": self.jackpot,
            "began_at": self.began_at,
            "began_with": self.began_with,
            "began_units": self.began_units,
            "batches": [batch._asdict() for batch in self.batches],
            "units": self.units,
            "cents": self.cents,
        }


class Told(NamedTuple):
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
class Explanation:
    """A hit from its prizes back to cards, rows, clauses, rulings, the meter and the entries."""

    hit: Hit
    game: str
    wager: str
    paytable: str
    cards: dict[str, str]
    because: dict[int, tuple[tuple[str, str | None, str], ...]]
    envy: tuple[tuple[int, int, str], ...]
    meter: MeterStory
    entries: tuple[Told, ...]

    def to_json(self) -> dict[str, Any]:
        """Write the explanation."""
        handed = {each.seat: each for each in self.hit.handed}
        papers = {each.seat: each for each in self.hit.papers}
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
                        {"clause": clause, "ruling": ruling, "text": words}
                        for clause, ruling, words in self.because.get(won.seat, ())
                    ],
                }
                for won in self.hit.won
            ],
            "envy": [{"seat": seat, "cents": cents, "text": words} for seat, cents, words in self.envy],
            "meter": self.meter.to_json(),
            "entries": [told._asdict() for told in self.entries],
        }


def explain_hit(read: Callable[[], Iterable[Entry]], number: int) -> Explanation:
    """Explain a hit from the entries of its book, which are read twice."""
    story = read_history(read()).story(number)
    called = story.called.details
    verified = story.verified
    return Explanation(
        hit=story.hit,
        game=called["game"],
        wager=called["wager"],
        paytable=called["paytable"],
        cards={} if verified is None else dict(verified.cards),
        because={} if verified is None else dict(verified.because),
        envy=() if verified is None else verified.envy,
        meter=_meter_of(read(), story.hit),
        entries=tuple(_told(story)),
    )


def _told(story: Story) -> Iterator[Told]:
    for entry, value in story.entries:
        details: Mapping[str, Any] = getattr(value, "details", {})
        role = str(details.get("role") or getattr(value, "role", ""))
        words = getattr(value, "words", "")
        times = instant_text(entry.happened), instant_text(entry.recorded)
        yield Told(entry.sequence, entry.kind, entry.actor, role, *times, words, entry.digest.hex())


def _meter_of(entries: Iterable[Entry], hit: Hit) -> MeterStory:
    """The meter that the prizes are of: at the call, or where it is late at the press after its round (G-4)."""
    building = _Building(hit.jackpot)
    at_press: MeterStory | None = None
    for entry in entries:
        if entry.sequence >= hit.number:
            break
        movement = building.movement(entry)
        if movement is None:
            continue
        if hit.late and at_press is None and _is_later_press(entry, movement, hit):
            at_press = building.story()
        building.take(entry, movement)
    now = building.story()
    return at_press if at_press is not None and at_press.cents == hit.meter_cents else now


def _is_later_press(entry: Entry, movement: Movement, hit: Hit) -> bool:
    number: int = movement.details.get("round", 0)
    return movement.kind == "wagers-counted" and entry.table == hit.table and number > hit.round


def explain_meter(entries: Iterable[Entry], jackpot: str) -> MeterStory:
    """Explain what a jackpot displays now."""
    building = _Building(jackpot)
    for entry in entries:
        movement = building.movement(entry)
        if movement is not None:
            building.take(entry, movement)
    return building.story()


class _Building:
    """Builds the story of a meter, entry by entry; a seed or a reseed begins a new one (T-14)."""

    def __init__(self, jackpot: str) -> None:
        self.jackpot = jackpot
        self.units = 0
        self.began = (0, "", 0)
        self.batches: list[Batch] = []
        self._mark = f'"jackpot":{json.dumps(jackpot)}'

    def movement(self, entry: Entry) -> Movement | None:
        """Read the entry where it moves this jackpot."""
        if self._mark not in entry.payload:
            return None
        value = read_payload(entry.kind, entry.payload)
        return value if isinstance(value, Movement) and value.jackpot == self.jackpot else None

    def take(self, entry: Entry, movement: Movement) -> None:
        """Add a movement."""
        gained = sum(
            units * ((payee == "displayed") - (payer == "displayed"))
            for payer, payee, units, _, _ in movement.transfers
        )
        self.units += gained
        if "generation" in movement.counts:
            self.began, self.batches = (entry.sequence, entry.kind, self.units), []
            return
        wagers = movement.counts.get("wagers_counted", 0)
        if gained == 0 and wagers == 0:
            return
        last = self.batches[-1] if self.batches else None
        if last is not None and last.kind == entry.kind:
            self.batches[-1] = Batch(
                last.kind, last.first, entry.sequence, last.entries + 1, last.wagers + wagers, last.units + gained
            )
        else:
            self.batches.append(Batch(entry.kind, entry.sequence, entry.sequence, 1, wagers, gained))

    def story(self) -> MeterStory:
        """Give the story so far."""
        if self.began[0] == 0:
            raise RefusedError([f"there is no jackpot {self.jackpot!r} with a meter"])
        began_at, began_with, began_units = self.began
        return MeterStory(
            jackpot=self.jackpot,
            began_at=began_at,
            began_with=began_with,
            began_units=began_units,
            batches=tuple(self.batches),
        )
