"""The live stream: whole states, in the order of the journal, resumed without a gap; a slow follower skips."""

from __future__ import annotations

import asyncio
import datetime
import json
import shutil
import signal
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.books import BookState, Directory, microseconds_now
from pitboss.books.audit import check_books
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.server import live
from pitboss.server.live import BEAT, Hub, TopicSpec
from tests.examples import examples
from tests.jackpot.making import make_jackpot, playing
from tests.server.conftest import Filled
from tests.server.making import PIN, House, served
from tests.server.running import Running, running


class Event(NamedTuple):
    topic: str
    sequence: int
    value: Any
    id: int | None


def parsed(text: str) -> Iterator[Event]:
    """The events of a stream, beats left out."""
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
        if fields.get("event", "beat") != "beat":
            data = json.loads(fields["data"])
            found = fields.get("id")
            yield Event(fields["event"], data["sequence"], data.get("value"), None if found is None else int(found))


class Fake:
    """Books that a test moves by hand: topics `a`, `b` and `c` show a number each."""

    def __init__(self) -> None:
        self.sequence, self.values = 1, {"a": 0, "b": 0, "c": 0}
        self.views = 0
        kinds = [TopicSpec(name, frozenset({"anyone"}), self._view(name)) for name in self.values]
        kinds.append(TopicSpec("gone", frozenset({"anyone"}), self._view("a"), lambda _: ()))
        self.hub = Hub(self.state, kinds, clock=lambda: 0, beat_seconds=3_600)

    def _view(self, name: str) -> Callable[[BookState, str, datetime.datetime], dict[str, Any]]:
        def view(state: BookState, _name: str, _now: datetime.datetime) -> dict[str, Any]:
            self.views += 1
            return {"value": state.parts[name]}

        return view

    def state(self) -> BookState:
        return BookState(self.sequence, b"", 0, dict(self.values))

    def move(self, **values: int) -> None:
        self.sequence += 1
        self.values |= values
        self.hub.moved()

    def follow(self, topics: str, after: int | None = None) -> AsyncGenerator[bytes, None]:
        return self.hub.follow(topics.split(), after)


@pytest.fixture(autouse=True, scope="module")
def _idle() -> Iterator[None]:
    """Every look counts as quick, however busy the machine is that tests it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "_QUICK_SECONDS", 60)
        yield


async def next_of(stream: AsyncGenerator[bytes, None]) -> list[Event]:
    return list(parsed((await asyncio.wait_for(anext(stream), 30)).decode()))


async def turn() -> None:
    """Let the loop do what is due."""
    for _ in range(4):
        await asyncio.sleep(0)


def test_a_new_follower_gets_the_state_of_each_topic_and_then_what_changes() -> None:
    async def story() -> None:
        fake = Fake()
        async with aclosing(fake.follow("a b")) as stream:
            assert await next_of(stream) == [Event("a", 1, 0, None), Event("b", 1, 0, 1)]
            fake.move(b=5)
            assert await next_of(stream) == [Event("b", 2, 5, 2)]
            fake.move(c=1)
            fake.move(a=7)
            assert await next_of(stream) == [Event("a", 4, 7, 4)]

    asyncio.run(story())


def test_who_comes_back_gets_only_what_is_newer() -> None:
    async def story() -> None:
        fake = Fake()
        async with aclosing(fake.follow("a b c")) as stream:
            await next_of(stream)
            fake.move(a=1)
            await turn()
            fake.move(b=1)
            await turn()
            async with aclosing(fake.follow("a b c", after=2)) as back:
                assert await next_of(back) == [Event("b", 3, 1, 3)]
            async with aclosing(fake.follow("a b c", after=3)) as back:
                assert await next_of(back) == []
            async with aclosing(fake.follow("a b c", after=1)) as back:
                assert await next_of(back) == [Event("a", 2, 1, 2), Event("b", 3, 1, 3)]

    asyncio.run(story())


def test_who_has_seen_more_than_there_is_begins_anew() -> None:
    async def story() -> None:
        async with aclosing(Fake().follow("a", after=99)) as stream:
            assert await next_of(stream) == [Event("a", 1, 0, 1)]

    asyncio.run(story())


def test_of_events_of_one_sequence_the_last_alone_has_the_id() -> None:
    async def story() -> None:
        fake = Fake()
        async with aclosing(fake.follow("a b c")) as stream:
            await next_of(stream)
            fake.move(a=1, b=1, c=1)
            assert [each.id for each in await next_of(stream)] == [None, None, 2]

    asyncio.run(story())


def test_a_slow_follower_skips_to_the_newest() -> None:
    async def story() -> None:
        fake = Fake()
        async with aclosing(fake.follow("a b")) as stream:
            await next_of(stream)
            for number in range(100):
                fake.move(a=number)
                await turn()
            assert await next_of(stream) == [Event("a", 101, 99, 101)]

    asyncio.run(story())


def test_a_look_that_takes_long_is_followed_by_a_rest_in_which_commits_come_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Issue 18, item 20: with many displays most of the time is left to those who press."""
    monkeypatch.setattr(live, "_QUICK_SECONDS", 0)
    monkeypatch.setattr(live, "_REST_TIMES", 1_000_000)
    monkeypatch.setattr(live, "_REST_SECONDS_MAX", 0.5)

    async def story() -> None:
        fake = Fake()
        async with aclosing(fake.follow("a")) as stream:
            await next_of(stream)
            fake.move(a=1)
            assert await next_of(stream) == [Event("a", 2, 1, 2)]
            await turn()
            before = fake.views
            for number in range(10):
                fake.move(a=number)
                await turn()
            assert fake.views == before
            assert await next_of(stream) == [Event("a", 12, 9, 12)]
            assert fake.views == before + 1

    asyncio.run(story())


def test_a_view_is_worked_out_once_however_many_follow_and_not_at_all_where_nobody_does() -> None:
    async def story() -> None:
        fake = Fake()
        streams = [fake.follow("a") for _ in range(50)]
        for stream in streams:
            await next_of(stream)
        before = fake.views
        fake.move(a=1)
        for stream in streams:
            assert await next_of(stream) == [Event("a", 2, 1, 2)]
        assert fake.views == before + 1
        for stream in streams:
            await stream.aclose()
        assert fake.hub.open == 0
        fake.move(a=2)
        await turn()
        assert fake.views == before + 1

    asyncio.run(story())


def test_streams_end_with_the_server_and_with_the_session() -> None:
    async def story() -> None:
        fake, welcome = Fake(), [True]
        stream, guest = fake.follow("a"), fake.hub.follow(["a"], None, lambda: welcome[0])
        await next_of(stream)
        await next_of(guest)
        welcome[0] = False
        fake.move(a=1)
        with pytest.raises(StopAsyncIteration):
            await next_of(guest)
        await next_of(stream)
        fake.hub.end()
        with pytest.raises(StopAsyncIteration):
            await next_of(stream)
        assert fake.hub.open == 0

    asyncio.run(story())


def test_a_topic_that_is_there_no_more_says_so() -> None:
    async def story() -> None:
        async with aclosing(Fake().hub.follow(["gone"], None)) as stream:
            assert b'"gone":true' in await anext(stream)

    asyncio.run(story())


def test_a_view_that_fails_leaves_the_last_true_value_and_all_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        fake = Fake()
        good = fake.hub.specs[1].view

        def bad(state: BookState, name: str, now: datetime.datetime) -> dict[str, Any]:
            if state.parts["a"] == 13:
                raise ZeroDivisionError
            return good(state, name, now)

        fake.hub.specs = (TopicSpec("a", frozenset({"anyone"}), bad), *fake.hub.specs[1:])
        async with aclosing(fake.follow("a b")) as stream:
            await next_of(stream)
            fake.move(a=13, b=2)
            assert await next_of(stream) == [Event("b", 2, 2, 2)]
            fake.move(a=1, b=3)
            assert {each.topic for each in await next_of(stream)} == {"a", "b"}

    asyncio.run(story())
    assert "the view of topic a fails" in caplog.text


def test_beats_come_when_nothing_moves() -> None:
    async def story() -> None:
        fake = Fake()
        fake.hub._beat_seconds = 0.01
        running_hub = asyncio.create_task(fake.hub.run())
        async with aclosing(fake.follow("a")) as stream:
            assert (await anext(stream)).startswith(BEAT)
            assert [await anext(stream) for _ in range(3)] == [BEAT] * 3
        running_hub.cancel()

    asyncio.run(story())


# Any course of changes and cut-offs against the naive follower, which reads the state itself.


@examples(15)
@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", "c", "abc", "cut", "read"]), st.integers(0, 2)), min_size=1, max_size=40
    )
)
def test_whatever_happens_a_follower_who_comes_back_has_what_the_books_have(steps: list[tuple[str, int]]) -> None:
    async def story() -> None:
        fake, seen, after = Fake(), dict[str, int](), 0
        watcher = fake.follow("a b c")
        await next_of(watcher)
        stream = fake.follow("a b c")
        await_first = True

        async def read(*, cut_short: bool = False) -> int:
            last = after
            events = await next_of(stream)
            # Cut off in the middle of what was sent: the rest is never seen.
            for event in events[: len(events) // 2] if cut_short else events:
                seen[event.topic] = event.value
                last = event.id or last
            return last

        for what, number in steps:
            if what in ("cut", "read"):
                if await_first or any(seen.get(name) != value for name, value in fake.values.items()):
                    after = await read(cut_short=what == "cut")
                    await_first = False
                if what == "cut":
                    await stream.aclose()
                    stream, await_first = fake.follow("a b c", after or None), True
            else:
                fake.move(**dict.fromkeys(what, number))
                await turn()
        await stream.aclose()
        stream = fake.follow("a b c", after or None)
        after = await read()
        assert seen == fake.values
        for each in (stream, watcher):
            await each.aclose()

    asyncio.run(story())


# The real thing.


def until(lines: Iterator[str], topic: str) -> Event:
    """Read a stream up to the next event of a topic."""
    block = ""
    for line in lines:
        block += line + "\n"
        if line == "":
            found = [each for each in parsed(block) if each.topic == topic]
            if found:
                return found[0]
            block = ""
    raise AssertionError("the stream has ended")


@pytest.fixture(scope="module")
def with_jackpot(filled: Filled, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A room with an open jackpot at table 4, and a dealer who has a PIN."""
    from tests.books.making import Room  # noqa: PLC0415

    path = shutil.copytree(filled.path, tmp_path_factory.mktemp("stream") / "room")
    with playing(Room(path, "sqlite"), make_jackpot()):
        pass
    with served(path) as house:
        house.access.set_pin("a-dealer", PIN, SYSTEM_ACTOR)
    return path


def console(server: Running) -> httpx2.Client:
    """A browser that is enrolled as the console of table 4, by the administrator's link."""
    administrator, client = server.client("a-administrator"), server.client()
    link = administrator.post("/api/v1/devices/the console/links", json={"command": f"link-{server.address}"}).json()
    assert client.post(link["path"]).status_code == 303
    client.headers["x-csrf-token"] = client.get("/api/v1/me").json()["csrf"]
    return client


def test_a_stream_tells_what_happens_ends_in_order_and_goes_on_after_a_restart_and_a_kill(with_jackpot: Path) -> None:
    with running(with_jackpot) as server:
        client, dealer = server.client("a-supervisor"), console(server)
        with client.stream("GET", "/api/v1/stream", params={"topics": "table:4,jackpot:main"}) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            lines = answer.iter_lines()
            assert until(lines, "table:4").id is None
            first = until(lines, "jackpot:main")
            assert first.id == first.sequence
            assert dealer.post("/tap", data={"login": "a-dealer", "pin": PIN}).status_code == 303
            told = until(lines, "table:4")
            assert told.id == told.sequence > first.sequence
            assert server.end() == (0, "loaded:\n")
            # It has ended in order, and not been cut off.
            assert [each for each in parsed("\n".join(lines)) if each.topic == "table:4"] == []
    with running(with_jackpot) as again:
        client = again.client("a-supervisor")
        query = {"topics": "table:4", "after": str(told.sequence)}
        with client.stream("GET", "/api/v1/stream", params=query) as answer:
            assert until(answer.iter_lines(), "table:4").sequence > told.sequence
        client = again.client("a-administrator")
        added = {"command": "1", "login": "eve", "name": "Eve", "roles": ["auditor"]}
        assert client.post("/api/v1/people", json=added).json()["again"] is False
        again.end(signal.SIGKILL)
    with served(with_jackpot) as house:
        # What was acknowledged is there, and who was signed in is so still.
        house.room.access.sessions._clock = house.room.clock = microseconds_now
        house.room.access.sessions._monotonic = lambda: 0
        other = house.browser()
        other.cookies.update(client.cookies)
        other.headers["x-csrf-token"] = client.headers["x-csrf-token"]
        assert other.post("/api/v1/people", json=added).json()["again"] is True
    assert check_books(Directory(with_jackpot), projections=PROJECTIONS, invariants=INVARIANTS).is_sound


def test_topics_that_are_not_there_and_those_for_others_are_named_together(shared: House) -> None:
    client = shared.browser()
    wrong = client.get("/api/v1/stream", params={"topics": "room,king,table:9"})
    assert wrong.status_code == 404
    assert wrong.json()["problems"] == ["there is no topic 'king'", "there is no topic 'table:9'"]
    assert client.get("/api/v1/stream", params={"topics": "hits"}).status_code == 401
    assert shared.as_("administrator").get("/api/v1/stream", params={"topics": "hits"}).status_code == 403
    assert client.get("/api/v1/stream", params={"topics": ","}).status_code == 404
    assert client.get("/api/v1/stream").status_code == 422
    assert client.get("/api/v1/topics").json() == ["room"]
    assert shared.as_("auditor").get("/api/v1/topics").json() == ["room", "floor", "waiting", "approvals", "hits"]


def test_item_8_strangers_take_no_stream_that_is_kept_for_staff_and_displays(
    shared: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hub, "open", 500)
    assert shared.browser().get("/api/v1/stream", params={"topics": "room"}).status_code == 503
    monkeypatch.setattr(Hub, "follow", lambda *_: iter(()))
    assert shared.as_("administrator").get("/api/v1/stream", params={"topics": "room"}).status_code == 200
