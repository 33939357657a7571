"""Server-sent events: everything live, each event the whole new state of one topic.

A view is worked out and encoded once, however many follow it; a follower that is slow is sent the newest and not what
came between. `id` is the journal's sequence: whoever comes back with it is sent what is newer and nothing else.
"""

import asyncio
import datetime
import json
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pitboss.books import BookState
from pitboss.server.live.topics import TopicSpec, find_topic
from pitboss.server.views.formatting import time_of

BEAT = b": beat\nevent: beat\ndata: {}\n\n"
"""What is sent when nothing moves, so that both ends know of each other."""
_BEAT_SECONDS = 5.0
_log = logging.getLogger(__name__)
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


@dataclass(eq=False, slots=True)
class Follower:
    """Somebody who follows topics: what was sent already, and a bell that is rung when there is more."""

    topics: tuple[str, ...]
    is_welcome: Callable[[], bool]
    sent: dict[str, int]
    beat: int
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
        self._versions = self._beats = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_due = False
        self.is_ended = False

    @property
    def open(self) -> int:
        """How many streams are open."""
        return len(self._all)

    def moved(self) -> None:
        """Notify that the books have moved; called by the thread that writes."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._soon)

    def _soon(self) -> None:
        # Many commits between two turns of the loop make one look at the state.
        if not self._is_due and self._loop is not None:
            self._is_due = True
            self._loop.call_soon(self._look)

    def _look(self) -> None:
        self._is_due = False
        state = self._state()
        for topic in [topic for topic, followers in self._followers.items() if followers]:
            self._renew(topic, state)

    def _renew(self, topic: str, state: BookState) -> None:
        """Compute a topic's view, and wake its followers where it has changed."""
        match = find_topic(self.specs, state, topic)
        before = self._current.get(topic)
        try:
            body = self._worked_out(match, state)
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
        for follower in self._followers.get(topic, ()):
            follower.bell.set()

    def _worked_out(self, match: tuple[TopicSpec, str] | None, state: BookState) -> bytes:
        view: dict[str, Any] = {"gone": True} if match is None else dict(match[0].view(state, match[1], self._now()))
        view.pop("sequence", None)
        return json.dumps(view, separators=(",", ":"), ensure_ascii=False).encode()

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
            for follower in self._all:
                follower.bell.set()

    def end(self) -> None:
        """End every stream."""
        self.is_ended = True
        for follower in self._all:
            follower.bell.set()

    async def follow(
        self, topics: Iterable[str], after: int | None, is_welcome: Callable[[], bool] = lambda: True
    ) -> AsyncGenerator[bytes, None]:
        """Yield the events of topics in the order of the journal: what is newer than `after`, then whatever comes."""
        self._loop = asyncio.get_running_loop()
        follower = self._begin(tuple(dict.fromkeys(topics)), after, is_welcome)
        try:
            # Something is sent at once, so that a browser knows that it is heard.
            chunk = self._newer(follower)
            yield BEAT + chunk
            while not self.is_ended:
                await follower.bell.wait()
                follower.bell.clear()
                if not follower.is_welcome():
                    return
                chunk = self._newer(follower)
                if follower.beat != self._beats:
                    follower.beat, chunk = self._beats, chunk or BEAT
                if chunk:
                    yield chunk
        finally:
            self._leave(follower)

    def _begin(self, topics: tuple[str, ...], after: int | None, is_welcome: Callable[[], bool]) -> Follower:
        state = self._state()
        # A sequence beyond the last is of other books: that follower begins anew.
        last_sequence = -1 if after is None or after > state.sequence else after
        follower = Follower(topics, is_welcome, {}, self._beats)
        self._all.add(follower)
        for topic in topics:
            self._followers.setdefault(topic, set()).add(follower)
            self._renew(topic, state)
            current = self._current[topic]
            follower.sent[topic] = current.version if current.journalled and current.sequence <= last_sequence else 0
        return follower

    def _leave(self, follower: Follower) -> None:
        self._all.discard(follower)
        for topic in follower.topics:
            left = self._followers.get(topic)
            if left is not None:
                left.discard(follower)
                if not left:
                    del self._followers[topic]

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


def _encoded(topic: str, version: int, sequence: int | None, body: bytes) -> _Current:
    if sequence is None:
        event = b"event: %b\ndata: %b\n\n" % (topic.encode(), body)
        return _Current(version, 0, False, body, event, event)
    more = b"," if len(body) > len(b"{}") else b""
    event = b'event: %b\ndata: {"sequence":%d%b%b\n\n' % (topic.encode(), sequence, more, body[1:])
    return _Current(version, sequence, True, body, b"id: %d\n%b" % (sequence, event), event)
