"""Server-sent events: everything live, each event the whole new state of one topic.

A view is worked out and encoded once, however many follow it; a follower that is slow is sent the newest and not what
came between. `id` is the journal's sequence: whoever comes back with it is sent what is newer and nothing else.
"""

import asyncio
import datetime
import json
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from pitboss.books import LEDGER, BookState, microseconds, write_value
from pitboss.jackpot import HITS, JACKPOTS, Hit, JackpotRecord
from pitboss.jackpot.hits.values import without_papers
from pitboss.room.approvals import approvals_view
from pitboss.room.people.roles import ANYONE, AT_TABLES, PEOPLE_ROLES, READERS
from pitboss.room.room import room_name, tables_of
from pitboss.server.views.console import console_live
from pitboss.server.views.floor import floor_live
from pitboss.server.views.formatting import dollars, time_of
from pitboss.server.views.front import front_status
from pitboss.server.views.shell import waiting_live
from pitboss.server.views.table_state import dealer_at, table_state, unavailable_tables
from pitboss.server.views.vision import LiveDisplays

View = Callable[[BookState, str, datetime.datetime], dict[str, Any]]
"""A topic's view: from the state, the name within its family, and the time by the server's clock."""


class TopicSpec(NamedTuple):
    """A topic, or a family such as `jackpot:NAME`; the events of one that is not `journalled` have no id.

    One that is not `only_books` shows troubles of the server too: whoever comes back is sent it in any case.
    """

    kind: str
    roles: frozenset[str]
    view: View
    names: Callable[[BookState], Iterable[str]] | None = None
    journalled: bool = True
    only_books: bool = True


def _jackpot_names(state: BookState) -> Iterable[str]:
    return state.of(JACKPOTS).jackpots


def _displayed(state: BookState, name: str) -> dict[str, Any]:
    accounts = state.of(LEDGER).get(name)
    cents = None if accounts is None else accounts.meter_state.displayed_cents
    return {"displayed_cents": cents, "displayed": "" if cents is None else dollars(cents)}


def short_view(state: BookState, record: JackpotRecord) -> dict[str, Any]:
    """A jackpot in short: what it shows, at which tables, and how it stands."""
    jackpot = record.jackpot
    return {
        "name": jackpot.name,
        "type": jackpot.meter.jackpot_type,
        "play": record.play,
        "status": front_status(state, record),
        "tables": [link.table for link in jackpot.tables],
        "unavailable": list(unavailable_tables(state, record)),
        **_displayed(state, jackpot.name),
    }


def room_view(state: BookState, _name: str, now: datetime.datetime) -> dict[str, Any]:
    """The whole room in short: its jackpots and tables."""
    jackpots = [short_view(state, record) for record in state.of(JACKPOTS).jackpots.values()]
    return {"room": room_name(state, microseconds(now)), "tables": list(tables_of(state)), "jackpots": jackpots}


def jackpot_view(state: BookState, name: str, _now: datetime.datetime) -> dict[str, Any]:
    """A jackpot as it is posted: amount, play, notices, offers; and the hits that are being handled."""
    record = state.of(JACKPOTS).jackpots[name]
    jackpot = record.jackpot
    hits = [hit.number for hit in state.of(HITS).open.values() if hit.jackpot == name and not hit.is_finished]
    return {
        **short_view(state, record),
        "play_reason": record.play_reason,
        "wager_cents": jackpot.meter.wager_cents,
        "notices": list(jackpot.notices),
        "offers": [[offer.game, offer.wager, offer.paytable] for offer in jackpot.offers],
        "pending": hits,
    }


def table_view(state: BookState, table: str, _now: datetime.datetime) -> dict[str, Any]:
    """A table: who deals, its jackpots, the last round that was counted."""
    room = state.of(JACKPOTS)
    last = room.last_round(table)
    return {
        "table": table,
        "dealer": dealer_at(state, table) or None,
        "jackpots": [short_view(state, record) for record in room.at(table)],
        "last_round": None
        if last is None
        else {
            "round": last.round,
            "rounds": last.rounds,
            "voided": last.voided,
            "seats": {name: list(seats) for name, seats in last.seats.items()},
        },
    }


def hit_view(hit: Hit, *, with_papers: bool = False) -> dict[str, Any]:
    """A hit that is being handled; winners' papers are on no stream (G-70)."""
    fields = write_value(hit) if with_papers else without_papers(write_value(hit))
    return {name: value for name, value in fields.items() if name not in ("transfers", "since")} | {
        "won": [prize._asdict() for prize in hit.won],
        "done": [step._asdict() for step in hit.done],
        "handed": [payment._asdict() for payment in hit.handed],
        "cents": hit.cents,
    }


def _hits_view(state: BookState, _name: str, _now: datetime.datetime) -> dict[str, Any]:
    return {"hits": [hit_view(hit) for hit in state.of(HITS).open.values() if not hit.is_finished]}


def _console_view(state: BookState, table: str, now: datetime.datetime) -> dict[str, Any]:
    return console_live(state, table, table_state(state, table, now).jackpots)


_ALL = frozenset({ANYONE})
_PEOPLE = frozenset(PEOPLE_ROLES)
_DEALING = frozenset({*AT_TABLES, "console"})

_displays = LiveDisplays()


def _vision(state: BookState, table: str, now: datetime.datetime) -> dict[str, Any]:
    return _displays.live(table_state(state, table, now))


TOPICS: tuple[TopicSpec, ...] = (
    TopicSpec("room", _ALL, room_view),
    TopicSpec("jackpot", _ALL, jackpot_view, _jackpot_names),
    TopicSpec("vision", _ALL, _vision, tables_of),
    TopicSpec("table", _PEOPLE | {"console", "device"}, table_view, tables_of),
    TopicSpec("console", _DEALING, _console_view, tables_of),
    TopicSpec("floor", frozenset(READERS), lambda state, _name, _now: floor_live(state), only_books=False),
    TopicSpec("waiting", frozenset(READERS), lambda state, _name, _now: waiting_live(state), only_books=False),
    TopicSpec("approvals", _PEOPLE - {"administrator", "dealer"}, approvals_view),
    TopicSpec("hits", _PEOPLE - {"administrator"} | {"console"}, _hits_view),
)


def figure_topic(names: Callable[[], Iterable[str]], view: Callable[[str], dict[str, Any]]) -> TopicSpec:
    """The topic of each figure that a worker makes: that it is there, and not what it holds, which is not for all."""
    return TopicSpec("figure", _PEOPLE, lambda _state, name, _now: view(name), lambda _: names(), journalled=False)


Names = dict[str, frozenset[str]]
"""The names of each family that were asked for so far, at one look."""


def find_topic(
    specs: Iterable[TopicSpec], state: BookState, topic: str, names: Names | None = None
) -> tuple[TopicSpec, str] | None:
    """Return the specification and the name of a topic, if there is such a one now."""
    names = {} if names is None else names
    for spec in specs:
        if spec.names is None:
            if topic == spec.kind:
                return spec, ""
        elif topic.startswith(f"{spec.kind}:"):
            name = topic.removeprefix(f"{spec.kind}:")
            if spec.kind not in names:
                names[spec.kind] = frozenset(spec.names(state))
            return (spec, name) if name in names[spec.kind] else None
    return None


def topics_now(specs: Iterable[TopicSpec], state: BookState) -> Iterator[str]:
    """Yield the name of every topic there is."""
    for spec in specs:
        if spec.names is None:
            yield spec.kind
        else:
            yield from (f"{spec.kind}:{name}" for name in spec.names(state))


BEAT = b": beat\nevent: beat\ndata: {}\n\n"
"""What is sent when nothing moves, so that both ends know of each other."""
_BEAT_SECONDS = 5.0
_log = logging.getLogger(__name__)
_REST_TIMES, _REST_SECONDS_MAX, _QUICK_SECONDS = 3, 1.0, 0.005
_TURNS_TO_SEND = 3
"""After so many turns of the loop whoever was woken by a look has sent what it found."""
_BEATS_TO_LOOK_AGAIN = 12
"""A view may change with the day; so often it is worked out again though nothing was written."""


@dataclass(frozen=True, slots=True)
class _Current:
    """The newest state of a topic: its place in time, and the bytes of its event with and without an id."""

    version: int
    sequence: int
    journalled: bool
    body: bytes
    event: bytes
    event_without_id: bytes


class Line(Protocol):
    """A connection to which events can be written at once, past everything that stands around a response."""

    @property
    def is_free(self) -> bool:
        """True if it can take something now."""

    def write_event(self, chunk: bytes) -> None:
        """Write events."""


@dataclass(eq=False, slots=True)
class Follower:
    """Somebody who follows topics: what was sent already, and a bell that is rung when there is more.

    Where there is a `line` that is free, what is new is written to it, and the bell is not rung.
    """

    topics: tuple[str, ...]
    is_welcome: Callable[[], bool]
    sent: dict[str, int]
    beat: int
    line: Line | None = None
    bell: asyncio.Event = field(default_factory=asyncio.Event)


class Hub:
    """Where the state's movements come in and the events go out; everything here runs in the server's loop."""

    def __init__(
        self,
        state: Callable[[], BookState],
        specs: Sequence[TopicSpec],
        *,
        clock: Callable[[], int],
        beat_seconds: float = _BEAT_SECONDS,
    ) -> None:
        self._state, self.specs, self._clock, self._beat_seconds = state, tuple(specs), clock, beat_seconds
        self._current: dict[str, _Current] = {}
        self._followers: dict[str, set[Follower]] = {}
        self._all: set[Follower] = set()
        self._due: set[Follower] = set()
        self._versions = self._beats = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_due = False
        self._rests_until = 0.0
        self.is_ended = False

    @property
    def open(self) -> int:
        """How many streams are open."""
        return len(self._all)

    def moved(self) -> None:
        """Notify that the books have moved; called by the thread that writes."""
        loop = self._loop
        # A look that is due reads the state after this: it was published before.
        if loop is not None and not self._is_due and not loop.is_closed():
            loop.call_soon_threadsafe(self._soon)

    def _soon(self) -> None:
        # Many commits between two turns of the loop make one look at the state.
        if not self._is_due and self._loop is not None:
            self._is_due = True
            if self._rests_until > self._loop.time():
                self._loop.call_at(self._rests_until, self._look)
            else:
                self._loop.call_soon(self._look)

    def _look(self) -> None:
        self._is_due = False
        state, begun, names, now = self._state(), self._time(), Names(), self._now()
        for topic in [topic for topic, followers in self._followers.items() if followers]:
            self._renew(topic, state, names, now)
        self._ring()
        self._rest(begun, _TURNS_TO_SEND)

    def _time(self) -> float:
        return 0.0 if self._loop is None else self._loop.time()

    def _rest(self, begun: float, turns: int) -> None:
        """Wait some times as long as this look and its sending took, at most a second.

        So most of the time is left to those who wait for an answer, however many follow; what is quick is done at once.
        """
        now = self._time()
        took = now - begun
        self._rests_until = now + min(_REST_TIMES * took, _REST_SECONDS_MAX) if took > _QUICK_SECONDS else 0.0
        if turns and self._loop is not None:
            self._loop.call_soon(self._rest, begun, turns - 1)

    def _renew(self, topic: str, state: BookState, names: Names, now: datetime.datetime) -> None:
        """Compute a topic's view, and wake its followers where it has changed."""
        match = find_topic(self.specs, state, topic, names)
        before = self._current.get(topic)
        try:
            body = _worked_out(match, state, now)
        except Exception:  # noqa: BLE001 - told in the log, and what else there is goes on
            # A fault in one view is no reason to leave all others where they are.
            _log.exception("the view of topic %s fails", topic)
            if before is not None:
                return
            body = b'{"failed":true}'
        if before is not None and before.body == body:
            return
        self._versions += 1
        journalled = match is None or match[0].journalled
        self._current[topic] = _encoded(topic, self._versions, state.sequence if journalled else None, body)
        self._due |= self._followers.get(topic, set())

    def _ring(self) -> None:
        """Write what is new to everybody for whom there is something; who cannot take it now is woken."""
        due, self._due = self._due, set()
        for follower in due:
            line = follower.line
            if line is None or self.is_ended or not line.is_free or not follower.is_welcome():
                follower.bell.set()
            elif chunk := self._next_chunk(follower):
                line.write_event(chunk)

    def _now(self) -> datetime.datetime:
        return time_of(self._clock())

    async def run(self) -> None:
        """Beat until the server ends."""
        self._loop = asyncio.get_running_loop()
        while not self.is_ended:
            await asyncio.sleep(self._beat_seconds)
            self._beats += 1
            if self._beats % _BEATS_TO_LOOK_AGAIN == 0:
                self._look()
            self._due |= self._all
            self._ring()

    def end(self) -> None:
        """End every stream."""
        self.is_ended = True
        for follower in self._all:
            follower.bell.set()

    async def follow(
        self,
        topics: Iterable[str],
        after: int | None,
        is_welcome: Callable[[], bool] = lambda: True,
        line: Line | None = None,
    ) -> AsyncGenerator[bytes, None]:
        """Yield the events of topics in the order of the journal: what is newer than `after`, then whatever comes."""
        self._loop = asyncio.get_running_loop()
        follower = self._begin(tuple(dict.fromkeys(topics)), after, is_welcome)
        try:
            # Something is sent at once, so that a browser knows that it is heard.
            chunk = self._newer(follower)
            yield BEAT + chunk
            follower.line = line
            while not self.is_ended:
                await follower.bell.wait()
                follower.bell.clear()
                if not follower.is_welcome():
                    return
                if chunk := self._next_chunk(follower):
                    yield chunk
        finally:
            self._leave(follower)

    def _begin(self, topics: tuple[str, ...], after: int | None, is_welcome: Callable[[], bool]) -> Follower:
        state = self._state()
        # A sequence beyond the last is of other books: that follower begins anew.
        last_sequence = -1 if after is None or after > state.sequence else after
        follower = Follower(topics, is_welcome, {}, self._beats)
        self._all.add(follower)
        names, now = Names(), self._now()
        for topic in topics:
            self._followers.setdefault(topic, set()).add(follower)
            self._renew(topic, state, names, now)
            current, match = self._current[topic], find_topic(self.specs, state, topic, names)
            is_seen = (
                current.journalled and current.sequence <= last_sequence and (match is None or match[0].only_books)
            )
            follower.sent[topic] = current.version if is_seen else 0
        self._due.discard(follower)
        self._ring()
        return follower

    def _leave(self, follower: Follower) -> None:
        self._all.discard(follower)
        self._due.discard(follower)
        for topic in follower.topics:
            left = self._followers.get(topic)
            if left is not None:
                left.discard(follower)
                if not left:
                    del self._followers[topic]

    def _next_chunk(self, follower: Follower) -> bytes:
        """Return what a follower is sent now: what is new, or a beat where one is due and nothing is new."""
        chunk = self._newer(follower)
        if follower.beat != self._beats:
            follower.beat, chunk = self._beats, chunk or BEAT
        return chunk

    def _newer(self, follower: Follower) -> bytes:
        """Return what a follower was not sent yet, oldest first.

        Of several events of one sequence the last alone has its id: who is cut off between them gets them all again.
        """
        due = [(topic, self._current[topic]) for topic in follower.topics]
        due = [(topic, current) for topic, current in due if current.version > follower.sent[topic]]
        due.sort(key=lambda pair: pair[1].sequence)
        chunk = []
        for place, (topic, current) in enumerate(due):
            is_last = place + 1 == len(due) or due[place + 1][1].sequence != current.sequence
            chunk.append(current.event if is_last else current.event_without_id)
            follower.sent[topic] = current.version
        return b"".join(chunk)


_json = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def _worked_out(match: tuple[TopicSpec, str] | None, state: BookState, now: datetime.datetime) -> bytes:
    view: dict[str, Any] = {"gone": True} if match is None else dict(match[0].view(state, match[1], now))
    view.pop("sequence", None)
    return _json.encode(view).encode()


def _encoded(topic: str, version: int, sequence: int | None, body: bytes) -> _Current:
    if sequence is None:
        event = b"event: %b\ndata: %b\n\n" % (topic.encode(), body)
        return _Current(version, 0, False, body, event, event)
    more = b"," if len(body) > len(b"{}") else b""
    event = b'event: %b\ndata: {"sequence":%d%b%b\n\n' % (topic.encode(), sequence, more, body[1:])
    return _Current(version, sequence, True, body, b"id: %d\n%b" % (sequence, event), event)
