"""The live stream."""

from http import HTTPStatus
from typing import Annotated

from fastapi import Header, Query, Request
from fastapi.responses import StreamingResponse

from pitboss.room.people.people import People
from pitboss.room.people.roles import ANYONE
from pitboss.room.room import Room
from pitboss.server.api.schemas import api_router
from pitboss.server.auth import Caller, CurrentRoom, allow, identify_again
from pitboss.server.live import Hub, find_topic, topics_now
from pitboss.server.problems import ProblemError

router = api_router("live")
_STREAMS_MAX = 1_000
_STREAMS_BESIDE_STRANGERS = 900
"""So many places are kept for devices, displays and staff: strangers find none where no more are left."""
_TOPICS_MAX = 50
_LATEST = 2**62


class EventStream(StreamingResponse):
    """Events that are encoded already: once for everybody who follows, which FastAPI's own events are not."""

    media_type = "text/event-stream"


Follower = Annotated[Caller, allow(ANYONE, awake=False)]
Sequence = Annotated[int | None, Query(ge=0, le=_LATEST, description="The last sequence that was seen.")]


@router.get("/stream", response_class=EventStream)
async def stream(
    request: Request,
    caller: Follower,
    room: CurrentRoom,
    topics: Annotated[list[str], Query(description="Names of topics, separated by commas; or one each, repeated.")],
    after: Sequence = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> EventStream:
    """Follow topics as server-sent events.

    `event` is the topic, `data` its whole new state as JSON with its `sequence`, `id` the sequence of the journal: who
    comes back with it (as `Last-Event-ID`, or `after`) is sent what is newer. A `beat` comes when nothing moves.
    """
    hub: Hub = request.app.state.hub
    names = _requested_topics(hub, room, caller, topics)
    if hub.open >= _STREAMS_MAX - (0 if caller.is_known else _STREAMS_BESIDE_STRANGERS):
        raise ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, ["too many streams are open"])
    if last_event_id is not None and last_event_id.isascii() and last_event_id.isdigit():
        after = min(int(last_event_id[:20]), _LATEST)
    needed = [match[0].roles for name in names if (match := find_topic(hub.specs, room.state, name))]
    is_welcome = Welcome(request, room, caller, needed)
    connection = request.scope.get("state", {}).get("connection")
    return EventStream(hub.follow(names, after, is_welcome, connection), headers={"x-accel-buffering": "no"})


class Welcome:
    """True if who follows is signed in still, has a role for every topic, and their device is there.

    It is asked for each event to each follower: who they are is worked out again only where people have changed.
    """

    def __init__(self, request: Request, room: Room, caller: Caller, needed: list[frozenset[str]]) -> None:
        self._request, self._access, self._caller, self._needed = request, room.access, caller, needed
        self._people: People | None = room.access.people
        self._token = request.headers.get("authorization", "").partition(" ")[2].strip()

    def __call__(self) -> bool:
        """Return whether they may still follow."""
        caller, access = self._caller, self._access
        if not caller.is_known:
            return True
        sessions = (caller.session, caller.enrolled)
        if not all(session is None or access.sessions.is_live(session) for session in sessions):
            return False
        if access.people is self._people:
            is_token = caller.by_token and caller.session is None
            return not is_token or access.device_with(self._token) is not None
        now, self._people = identify_again(self._request), access.people
        if now is None or not all(ANYONE in roles or roles & now.roles for roles in self._needed):
            # Asked again, the answer is the same.
            self._people = None
            return False
        return True


def _requested_topics(hub: Hub, room: Room, caller: Caller, topics: list[str]) -> list[str]:
    """Return the names of the requested topics; refuse with all that do not exist, or all that are for others."""
    state = room.state
    texts = [[text] if find_topic(hub.specs, state, text) else text.split(",") for text in topics]
    names = [name for parts in texts for name in parts if name]
    unknown, others = [], []
    for topic in names:
        match = find_topic(hub.specs, state, topic)
        if match is None:
            unknown.append(f"there is no topic {topic!r}")
        elif ANYONE not in match[0].roles and not match[0].roles & caller.roles:
            others.append(f"{caller.name or 'who has not signed in'} is no follower of {topic!r}")
    if unknown or not names or len(names) > _TOPICS_MAX:
        raise ProblemError(HTTPStatus.NOT_FOUND, unknown or [f"name one topic at least, and {_TOPICS_MAX} at most"])
    if others:
        raise ProblemError(HTTPStatus.FORBIDDEN if caller.is_known else HTTPStatus.UNAUTHORIZED, others)
    return names


@router.get("/topics")
async def list_topics(request: Request, caller: Annotated[Caller, allow(ANYONE)], room: CurrentRoom) -> list[str]:
    """List the topics that one may follow."""
    hub: Hub = request.app.state.hub
    mine = [spec for spec in hub.specs if ANYONE in spec.roles or spec.roles & caller.roles]
    return list(topics_now(mine, room.state))
