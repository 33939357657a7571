"""What the forms on the page of a jackpot do: open and close it, adjust it, move its money; by one person or two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.meters import units_of
from pitboss.rules import parse_dollars
from pitboss.server.access.door import Caller
from pitboss.server.performing import number_of, perform, text_of
from pitboss.server.room import Room

__all__ = ["DOINGS", "Doing", "decided"]

Doing = Callable[[Room, Caller, str, FormData], str]


def _done(room: Room, caller: Caller, name: str, said: dict[str, Any]) -> str:
    return "waits" if perform(room, caller, name, said) == "waits" else "done"


def _plain(command: str) -> Doing:
    """Make a doing that says only why."""

    def do(room: Room, caller: Caller, name: str, form: FormData) -> str:
        said = {"command": form.get("command"), "name": name, "words": text_of(form.get("words"))}
        if not said["words"]:
            raise RefusedError(["say why, in words (REGULATION J-09)"])
        return _done(room, caller, command, said)

    return do


def _money(command: str, *more: str, units: bool = False) -> Doing:
    """Make a doing with an amount, and fields as they stand in the form."""

    def do(room: Room, caller: Caller, name: str, form: FormData) -> str:
        cents = parse_dollars(str(form.get("amount")))
        amount = {"units": units_of(cents)} if units else {"cents": cents}
        fields = {each: text_of(form.get(each)) for each in more}
        return _done(room, caller, command, {"command": form.get("command"), "name": name, **amount, **fields})

    return do


def _adjust(room: Room, caller: Caller, name: str, form: FormData) -> str:
    """Raise a fund, or lower it for one of the permitted reasons (J-14); another person approves (T-06)."""
    units, lowers = units_of(parse_dollars(str(form.get("amount")))), form.get("way") == "lower"
    said: dict[str, Any] = {
        "command": form.get("command"),
        "name": name,
        "units": -units if lowers else units,
        "reason": form.get("reason") if lowers else None,
        "fund": form.get("fund"),
        "words": form.get("words"),
    }
    return _done(room, caller, "jackpots/adjust", said)


def _arrived(room: Room, caller: Caller, name: str, form: FormData) -> str:
    said = {"command": form.get("command"), "name": name, "sequence": number_of(form.get("entry"))}
    return _done(room, caller, "jackpots/deposit-arrived", said)


def decided(room: Room, caller: Caller, form: FormData, number: int, *, given: bool) -> str:
    """Give or refuse what another has asked for, or take back what one has asked for oneself."""
    command, words = text_of(form.get("command")), text_of(form.get("words"))
    if given:
        room.approvals.give(number, name=caller.name, roles=caller.roles, command=command)
        return "given"
    if not words:
        raise RefusedError(["say why it is refused"])
    room.approvals.refuse(number, name=caller.name, roles=caller.roles, words=words, command=command)
    return "refused"


def _give(room: Room, caller: Caller, name: str, form: FormData) -> str:
    del name
    return decided(room, caller, form, number_of(form.get("number")), given=True)


def _refuse(room: Room, caller: Caller, name: str, form: FormData) -> str:
    del name
    return decided(room, caller, form, number_of(form.get("number")), given=False)


def _notice(room: Room, caller: Caller, name: str, form: FormData) -> str:
    """Give notice of a removal: the day, and where the money goes (J-17)."""
    destination = text_of(form.get("destination"))
    to = text_of(form.get("other")) if destination == "progressive" else text_of(form.get("to"))
    said = {each: text_of(form.get(each)) for each in ("day", "destination", "words")}
    command = form.get("command")
    return _done(room, caller, "jackpots/notice", {"command": command, "name": name, **said, "to": to})


DOINGS: dict[str, Doing] = {
    "adjust": _adjust,
    "deposit": _money("jackpots/deposit"),
    "arrived": _arrived,
    "withdraw": _money("jackpots/withdraw", "words"),
    "receipts": _money("jackpots/receipts", "fund", "words", units=True),
    "post": _money("jackpots/post", "words"),
    "open": _plain("jackpots/open"),
    "close": _plain("jackpots/close"),
    "suspend": _plain("jackpots/suspend"),
    "notice": _notice,
    "remove": _plain("jackpots/remove"),
    "give": _give,
    "refuse": _refuse,
}
