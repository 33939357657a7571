"""All hits of a book, the finished ones too, with every entry and slip: the journal read once more.

Slips are numbered without gaps for each room; each carries the head of the chain, and reprints are marked.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import ROOM, Calendar, Entry, Movement, Payload, RefusedError, RoomSet, instant_text, read_payload
from pitboss.games import find_game
from pitboss.jackpot.hits import values
from pitboss.jackpot.hits.state import EMPTY, HIT_KINDS, RoomHits, folded
from pitboss.jackpot.hits.thresholds import DEMAND_WORDS, Demand
from pitboss.jackpot.hits.workflow import METHOD_WORDS, STEP_TITLES
from pitboss.rules import dollars, full_words
from pitboss.rules.money import dollars_in_words


class SlipStep(NamedTuple):
    """Who did a step before the slip was made, in which entry and when."""

    step: str
    person: str
    role: str
    entry: int
    instant: str


class SlipCopy(NamedTuple):
    """A reprint: its number, who asked for it, why, when, and the head of the chain with it."""

    copy: int
    person: str
    words: str
    instant: str
    head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A jackpot slip (M-08); `head` is the hash of `entry`, which made it and which an audit finds again.

    `void` is the reason for which it no longer counts; `copy` is there on a reprint alone; `added_by` is who alone put
    the wager into the round after the press (G-39). `title` is the name of the jackpot on its displays, `cards` are
    those of the seat and `board` those of the dealer or the board, as verified; `paid` is how it was paid where that
    was before it was printed; `zone` is the time zone of the room.
    """

    number: int
    room: str
    hit: int
    jackpot: str
    game: str
    paytable: str
    table: str
    round: int
    seat: int
    row: str
    winner: str
    prize_cents: int
    withheld_cents: int
    meter_cents: int
    methods: tuple[str, ...]
    within_hours: int | None
    demands: tuple[tuple[str, str], ...]
    steps: tuple[SlipStep, ...]
    instant: str
    head: str
    void: str = ""
    copy: SlipCopy | None = None
    added_by: str = ""
    title: str = ""
    board_title: str = ""
    cards: str = ""
    board: str = ""
    paid: str = ""
    zone: str = "UTC"
    entry: int = 0

    @property
    def net_cents(self) -> int:
        """The cents that are handed over."""
        return self.prize_cents - self.withheld_cents

    def to_json(self) -> dict[str, Any]:
        """Write the slip as JSON."""
        payload: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        return payload | {
            "methods": list(self.methods),
            "demands": dict(self.demands),
            "steps": [step._asdict() for step in self.steps],
            "copy": None if self.copy is None else self.copy._asdict(),
            "net_cents": self.net_cents,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Slip:
        """Read what `to_json` wrote."""
        read: dict[str, Any] = {
            "methods": tuple(payload["methods"]),
            "demands": tuple(payload["demands"].items()),
            "steps": tuple(SlipStep(**step) for step in payload["steps"]),
            "copy": None if payload["copy"] is None else SlipCopy(**payload["copy"]),
        }
        return cls(**{name: value for name, value in {**payload, **read}.items() if name != "net_cents"})

    def text(self) -> str:
        """Print the slip as plain text, as the paper has it; marked where it is void or a reprint (F-15)."""
        view = self.view()
        lines = [f"JACKPOT SLIP {view['number']}   {self.room}"]
        lines += [f"*** {mark} *** {text}" for mark, text in view["marks"]]
        lines += [f"{name:<14}{text}" for name, text in view["facts"]]
        lines += [f"{'Gross':<14}{view['gross']}", f"{'Tax withheld':<14}{view['withheld']}"]
        lines += [f"{'NET TO PAY':<14}{view['net']}", f"{'':<14}{view['net_words']}"]
        lines.append(f"{'Paid' if self.paid else 'Pay':<14}{self.paid or view['how']}")
        lines += [f"{'Required':<14}{name} ({source})" for name, source in view["required"]]
        lines += [f"{name:<14}{text}" for name, text in view["steps"]]
        lines += [f"{name:<14}{text}" for name, text in view["hashes"]]
        return "\n".join(lines) + "\n"

    def view(self) -> dict[str, Any]:
        """Return every text of the slip as it is printed, in the time of the room."""
        marks = [("VOID", self.void)] if self.void else []
        hashes = [("Entry", str(self.entry)), ("Entry hash", self.head)]
        if self.copy is not None:
            request = f"{self.copy.person}, {_local_text(self.copy.instant, self.zone)}: {self.copy.words}"
            marks.insert(0, (f"REPRINT {self.copy.copy}", request))
            hashes.append(("Reprint hash", self.copy.head))
        facts = [
            ("Date", _local_text(self.instant, self.zone)),
            ("Jackpot", f"{self.title or self.jackpot} (no. {self.hit})"),
            ("Place", f"Table {self.table}, seat {self.seat}, round {self.round}"),
            ("Hand", full_words(self.row)),
            ("Basis", f"Meter {dollars(self.meter_cents)}, pay table {self.paytable}"),
            ("Winner", self.winner),
        ]
        facts += [("Cards", self.cards)] if self.cards else []
        facts += [(self.board_title, self.board)] if self.board else []
        if self.added_by:
            facts.append(("Wager", f"added to the round by {self.added_by}; confirmed by surveillance (G-39)"))
        within = "" if self.within_hours is None else f", within {self.within_hours} hours"
        return {
            "room": self.room,
            "number": f"{self.number:06d}",
            "marks": marks,
            "facts": facts,
            "cards": self.cards.split(),
            "board": self.board.split(),
            "board_title": self.board_title,
            "gross": dollars(self.prize_cents),
            "withheld": dollars(self.withheld_cents),
            "net": dollars(self.net_cents),
            "net_words": dollars_in_words(self.net_cents),
            "methods": [METHOD_WORDS.get(method, method) for method in self.methods],
            "how": " or ".join(METHOD_WORDS.get(method, method) for method in self.methods) + within,
            "within": within.removeprefix(", "),
            "paid": self.paid,
            "required": [(DEMAND_WORDS[Demand(name)], source) for name, source in self.demands],
            "steps": [
                (
                    STEP_TITLES.get(step.step, step.step.capitalize()),
                    f"{step.person} ({step.role}), {_local_text(step.instant, self.zone)}",
                )
                for step in self.steps
            ],
            "hashes": hashes,
        }


def _local_text(instant: str, zone: str) -> str:
    """Write an instant as the room's clocks had it: Nov 16, 2026, 5:57 AM."""
    time = datetime.datetime.fromisoformat(instant.replace(" UTC", "+00:00")).astimezone(ZoneInfo(zone))
    return f"{time:%b} {time.day}, {time.year}, {time.hour % 12 or 12}:{time:%M %p}"


class Issued(NamedTuple):
    """A slip as it was made: the hit at that moment, the papers, and the entry."""

    hit: values.Hit
    paper: values.Paper
    entry: Entry


@dataclass(slots=True)
class Story:
    """A hit with all its entries, and the last verification."""

    hit: values.Hit
    entries: list[tuple[Entry, Payload]]
    verified: values.HitVerified | None = None

    @property
    def called(self) -> Movement:
        """The call that is in force, or that was rejected."""
        call = next(value for entry, value in self.entries if entry.sequence == self.hit.called_at)
        assert isinstance(call, Movement)
        return call


@dataclass(slots=True)
class History:
    """Every hit by number, every slip and its reprints, and by jackpot how many small prizes and their cents."""

    room: str = ""
    calendar: Calendar | None = None
    state: RoomHits = EMPTY
    stories: dict[int, Story] = field(default_factory=dict)
    slips: dict[int, Issued] = field(default_factory=dict)
    reprints: dict[int, list[tuple[Entry, values.SlipReprinted]]] = field(default_factory=dict)
    prints: dict[int, Entry] = field(default_factory=dict)
    small_count: Counter[str] = field(default_factory=Counter)
    small_cents: Counter[str] = field(default_factory=Counter)

    def story(self, number: int) -> Story:
        """Find a hit, or refuse."""
        if number not in self.stories:
            last = ", ".join(map(str, list(self.stories)[-10:])) or "none"
            raise RefusedError([f"there is no hit {number}; the last ones are: {last}"])
        return self.stories[number]

    def slip(self, number: int, copy: int = 0) -> Slip:
        """Return a slip as it was made, or its reprint of this number."""
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
        if isinstance(value, values.WagerConfirmed):
            return
        self._keep(entry, value)
        unfinished = {number: hit for number, hit in self.state.open.items() if not hit.is_finished}
        if len(unfinished) != len(self.state.open):
            self.state = self.state._replace(open=unfinished)

    def _keep(self, entry: Entry, value: Payload) -> None:
        if isinstance(value, values.SlipPrinted):
            self.prints[value.slip] = entry
            return
        if isinstance(value, values.SlipReprinted):
            self.reprints.setdefault(value.slip, []).append((entry, value))
            return
        number = _hit_of(entry, value)
        if number is None:
            assert isinstance(value, Movement)
            if value.kind in ("prize-paid", "prize-reversed"):
                sign = 1 if value.kind == "prize-paid" else -1
                self.small_count[value.jackpot] += sign * len(value.details["won"])
                self.small_cents[value.jackpot] += sign * sum(cents for _, _, cents in value.details["won"])
            return
        hit = self.state.open[number]
        story = self.stories.setdefault(number, Story(hit, []))
        story.hit = hit
        story.entries.append((entry, value))
        if isinstance(value, values.HitVerified):
            story.verified = value
        if isinstance(value, values.HitDocumented):
            for paper in value.papers:
                self.slips[paper.slip] = Issued(hit, paper, entry)


def _hit_of(entry: Entry, value: Payload) -> int | None:
    """Return the hit that an entry is about; none for small prizes."""
    number: int | None
    if not isinstance(value, Movement):
        number = getattr(value, "hit")  # noqa: B009 - every other kind of this package has it
    elif value.details["step"] == "call":
        number = entry.sequence
    else:
        number = value.details.get("hit")
    return number


def _slip(history: History, number: int, reprint: tuple[Entry, values.SlipReprinted] | None) -> Slip:
    hit, paper, entry = history.slips[number]
    won, demands = hit.prize(paper.seat), hit.demands[paper.seat]
    assert won is not None
    story = history.stories[hit.number]
    details = story.called.details
    cards = {} if story.verified is None else story.verified.cards
    print_entry = history.prints.get(number) if reprint is None else reprint[0]
    game = find_game(details["game"])
    return Slip(
        number=number,
        room=history.room if history.calendar is None else history.calendar.name_at(entry.happened),
        hit=hit.number,
        jackpot=hit.jackpot,
        game=details["game"],
        paytable=details["paytable"],
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
        steps=tuple(SlipStep(*done[:4], instant_text(done.happened)) for done in hit.done),
        instant=instant_text(entry.happened),
        head=entry.digest.hex(),
        entry=entry.sequence,
        void=_void(story.hit, number),
        copy=None if reprint is None else _copy(*reprint),
        added_by=hit.added.get(paper.seat, ""),
        title=_titled(game.by_name[details["wager"]].title),
        board_title="Dealer's cards" if game.board.name == "dealer" else f"{game.board.name.capitalize()} cards",
        cards=cards.get(str(paper.seat), ""),
        board=cards.get("board", ""),
        paid=_paid(story, number, print_entry),
        zone="UTC" if history.calendar is None else history.calendar.history[-1][1].time_zone,
    )


def _titled(title: str) -> str:
    return title[:1].upper() + title[1:]


def _paid(story: Story, slip: int, print_entry: Entry | None) -> str:
    """Return how a slip was paid, where that was before it was printed."""
    handed = next((handed for handed in story.hit.handed if handed.slip == slip), None)
    if handed is None or (print_entry is not None and handed.sequence > print_entry.sequence):
        return ""
    person = next(entry.actor for entry, _ in story.entries if entry.sequence == handed.sequence)
    number = f" {handed.cheque}" if handed.cheque else ""
    return f"{METHOD_WORDS.get(handed.method, handed.method)}{number}, {person}"


def _void(hit: values.Hit, number: int) -> str:
    if hit.state is values.HitState.REJECTED:
        return f"the call was rejected: {hit.done[-1].words}"
    if number not in {paper.slip for paper in hit.papers}:
        reasons = [done.words for done in hit.done if done.step == "correct"]
        return f"the call was corrected: {reasons[-1]}" if reasons else "the papers were made anew"
    return ""


def _copy(entry: Entry, value: values.SlipReprinted) -> SlipCopy:
    return SlipCopy(value.copy, entry.actor, value.words, instant_text(entry.happened), entry.digest.hex())


def read_history(entries: Iterable[Entry]) -> History:
    """Read all hits from the entries of a book."""
    history = History()
    for entry in entries:
        history.take(entry)
    return history
