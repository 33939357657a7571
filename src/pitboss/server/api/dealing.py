"""Rounds that Pitboss deals."""

from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel

from pitboss.room.dealing.dealing import EndDealtRound, ShuffleShoe
from pitboss.server.api.commands import verify_console
from pitboss.server.api.schemas import CommandBody, CommandResult, Name, api_router, result_of
from pitboss.server.auth import Caller, CurrentRoom, allow

router = api_router("dealt")
Dealer = Annotated[Caller, allow(*ShuffleShoe.spec.roles)]


class AtTable(CommandBody):
    """A table whose next round is dealt."""

    table: Name


class RoundOperation(AtTable):
    """Something to be done in the round on a table, as round records write it."""

    operation: dict[str, Any]


class RoundProgress(BaseModel):
    """The round after it; `over` has the entry that tells the key, where the round is over."""

    seen: dict[str, Any] | None
    over: CommandResult | None


@router.post("/dealt/shuffle")
def shuffle(body: AtTable, caller: Dealer, room: CurrentRoom) -> CommandResult:
    """Shuffle a shoe with a fresh key; its hash is journalled now, the key when the round is over."""
    verify_console(caller, body.table)
    return result_of(room.dealing.shuffle(body.table, caller.by(ShuffleShoe.spec.roles), id=body.command))


@router.post("/dealt/operate")
def operate(body: RoundOperation, caller: Dealer, room: CurrentRoom) -> RoundProgress:
    """Run an operation of the round: wager, deal, decide, reveal, settle or void."""
    verify_console(caller, body.table)
    dealing = room.dealing
    answer = dealing.operate(body.table, body.operation, caller.by(EndDealtRound.spec.roles), id=body.command)
    if answer is not None:
        return RoundProgress(seen=None, over=result_of(answer))
    return RoundProgress(seen=dealing.seen(body.table), over=None)


@router.get("/dealt/{table}", dependencies=[allow("dealer", "supervisor", "console", "auditor")])
def seen(table: str, room: CurrentRoom, seat: Annotated[int | None, Query(ge=1, le=99)] = None) -> dict[str, Any]:
    """The round on a table: hidden cards stay hidden; for play money a seat's own cards can be asked for."""
    return room.dealing.seen(table, seat)
