"""All hits of a book, the finished ones too: the journal read once more, with every entry, paper and slip kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from pitboss.books import ROOM, Calendar, Entry, Movement, Payload, RefusedError, RoomSet, instant_text, read_payload
from pitboss.jackpot.hits.entries import HitDocumented, HitVerified, SlipReprinted
from pitboss.jackpot.hits.slips import Slip, SlipCopy, SlipStep
from pitboss.jackpot.hits.state import EMPTY, HIT_KINDS, RoomHits, folded
from pitboss.jackpot.hits.thresholds import Demand
from pitboss.jackpot.hits.values import Hit, HitState, Paper


class Issued(NamedTuple):
    """A slip as it was made: the hit at that moment, the papers, and the entry."""

    hit: Hit
    paper: Paper
    entry: Entry


@dataclass(slots=True)
class Story:
    """A hit with all its entries, and the last verification."""

    hit: Hit
    entries: list[tuple[Entry, Payload]]
    verified: HitVerified | None = None

    @property
    def called(self) -> Movement:
        """The call that is in force, or that was rejected."""
        found = [each for entry, each in self.entries if entry.sequence == self.hit.called_at]
        assert isinstance(found[0], Movement)
        return found[0]


@dataclass(slots=True)
class History:
    """Every hit by number, every slip and its reprints, and by jackpot how many small prizes and their cents."""

    room: str = ""
    calendar: Calendar | None = None
    state: RoomHits = EMPTY
    stories: dict[int, Story] = field(default_factory=dict)
    slips: dict[int, Issued] = field(default_factory=dict)
    reprints: dict[int, list[tuple[Entry, SlipReprinted]]] = field(default_factory=dict)
    small_count: Counter[str] = field(default_factory=Counter)
    small_cents: Counter[str] = field(default_factory=Counter)

    def story(self, number: int) -> Story:
        """Find a hit, or refuse."""
        if number not in self.stories:
            told = ", ".join(map(str, list(self.stories)[-10:])) or "none"
            raise RefusedError([f"there is no hit {number}; the last ones are: {told}"])
        return self.stories[number]

    def slip(self, number: int, copy: int = 0) -> Slip:
        """Give a slip as it was made, or its reprint of this number."""
        if number not in self.slips:
            raise RefusedError([f"there is no slip {number}: there are {len(self.slips)} (M-08)"])
        copies = self.reprints.get(number, [])
        if not 0 <= copy <= len(copies):
            raise RefusedError([f"slip {number} was reprinted {len(copies)} times: there is no copy {copy} (F-15)"])
        return _slip(self, number, copies[copy - 1] if copy else None)

    def take(self, entry: Entry) -> None:
        """Fold one more entry."""
        if entry.kind == "room-set":
            value = read_payload(entry.kind, entry.payload)
            assert isinstance(value, RoomSet)
            self.room = value.settings.room
            self.calendar = ROOM.fold(self.calendar, entry, value)
        if entry.kind not in HIT_KINDS:
            return
        value = read_payload(entry.kind, entry.payload)
        if isinstance(value, Movement) and "step" not in value.details:
            return
        self.state = folded(self.state, entry, value)
        self._keep(entry, value)
        kept = {number: hit for number, hit in self.state.open.items() if not hit.is_finished}
        if len(kept) != len(self.state.open):
            self.state = self.state._replace(open=kept)

    def _keep(self, entry: Entry, value: Payload) -> None:
        if isinstance(value, SlipReprinted):
            self.reprints.setdefault(value.slip, []).append((entry, value))
            return
        number = _hit_of(entry, value)
        if number is None:
            assert isinstance(value, Movement)
            if value.kind == "prize-paid":
                self.small_count[value.jackpot] += len(value.details["won"])
                self.small_cents[value.jackpot] += sum(cents for _, _, cents in value.details["won"])
            return
        hit = self.state.open[number]
        story = self.stories.setdefault(number, Story(hit, []))
        story.hit = hit
        story.entries.append((entry, value))
        if isinstance(value, HitVerified):
            story.verified = value
        if isinstance(value, HitDocumented):
            for paper in value.papers:
                self.slips[paper.slip] = Issued(hit, paper, entry)


def _hit_of(entry: Entry, value: Payload) -> int | None:
    """The hit that an entry speaks of; none for small prizes."""
    if not isinstance(value, Movement):
        found: int = getattr(value, "hit")  # noqa: B009 - every other kind of this package has it
        return found
    if value.details["step"] == "call":
        return entry.sequence
    number: int | None = value.details.get("hit")
    return number


def _slip(history: History, number: int, reprint: tuple[Entry, SlipReprinted] | None) -> Slip:
    hit, paper, entry = history.slips[number]
    won, demands = hit.prize(paper.seat), hit.demands[paper.seat]
    assert won is not None
    said = history.stories[hit.number]
    return Slip(
        number=number,
        room=history.room,
        hit=hit.number,
        jackpot=hit.jackpot,
        game=said.called.details["game"],
        paytable=said.called.details["paytable"],
        table=hit.table,
        round=hit.round,
        seat=paper.seat,
        row=won.row,
        winner=paper.winner,
        prize_cents=won.cents,
        withheld_cents=demands.withheld(has_taxpayer_number=paper.taxpayer_number),
        meter_cents=hit.meter_cents,
        methods=demands.methods,
        within_hours=demands.within_hours,
        demands=tuple((demand.value, demands.sources[demand]) for demand in Demand if demand in demands),
        steps=tuple(SlipStep(*each[:4], instant_text(each.happened)) for each in hit.done),
        instant=instant_text(entry.happened),
        head=entry.digest.hex(),
        void=_void(said.hit, number),
        copy=None if reprint is None else _copy(*reprint),
    )


def _void(hit: Hit, number: int) -> str:
    if hit.state is HitState.REJECTED:
        return f"the call was rejected: {hit.done[-1].words}"
    if number not in {paper.slip for paper in hit.papers}:
        made = [each.words for each in hit.done if each.step == "correct"]
        return f"the call was corrected: {made[-1]}" if made else "the papers were made anew"
    return ""


def _copy(entry: Entry, value: SlipReprinted) -> SlipCopy:
    return SlipCopy(value.copy, entry.actor, value.words, instant_text(entry.happened), entry.digest.hex())


def read_history(entries: Iterable[Entry]) -> History:
    """Read all hits from the entries of a book."""
    history = History()
    for entry in entries:
        history.take(entry)
    return history
