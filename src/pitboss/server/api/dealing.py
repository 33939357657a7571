"""Rounds that Pitboss deals."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel

from pitboss.room.commands.kinds import Asked, Name
from pitboss.server.api.commands import elsewhere
from pitboss.server.api.schemas import Done, api_router, done
from pitboss.server.auth import Caller, RoomOf, allow

router = api_router("dealt")
Dealer = Annotated[Caller, allow("dealer", "supervisor")]


class AtTable(Asked):
    """A table whose next round is dealt."""

    table: Name


class Operated(AtTable):
    """Something to be done in the round on a table, as round records write it."""

    operation: dict[str, Any]


class Went(BaseModel):
    """The round after it; `over` has the entry that tells the key, where the round is over."""

    seen: dict[str, Any] | None
    over: Done | None


@router.post("/dealt/shuffle")
def shuffle(asked: AtTable, caller: Dealer, room: RoomOf) -> Done:
    """Shuffle a shoe with a fresh key; its hash is journalled now, the key when the round is over."""
    elsewhere(caller, asked)
    return done(room.doors.dealing.shuffle(asked.table, command=asked.command, actor=caller.name))


@router.post("/dealt/operate")
def operate(asked: Operated, caller: Dealer, room: RoomOf) -> Went:
    """Do an operation of the round: wager, deal, decide, reveal, settle or void."""
    elsewhere(caller, asked)
    dealing = room.doors.dealing
    answer = dealing.operate(asked.table, asked.operation, command=asked.command, actor=caller.name)
    if answer is not None:
        return Went(seen=None, over=done(answer))
    return Went(seen=dealing.seen(asked.table), over=None)


@router.get("/dealt/{table}", dependencies=[allow("dealer", "supervisor", "console", "auditor")])
def seen(table: str, room: RoomOf, seat: Annotated[int | None, Query(ge=1, le=99)] = None) -> dict[str, Any]:
    """The round on a table: hidden cards stay hidden; for play money a seat's own cards can be asked for."""
    return room.doors.dealing.seen(table, seat)
