"""Commands about tables: their life, rounds and corrections, equipment that is down, what people look after."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from pitboss.books import Answer, RefusedError
from pitboss.room.agreement import guarded, open_table_problems
from pitboss.room.commands.kinds import CommandKind, Count, Doors, Name, Said, Seat, Seats, Who, Words, kind
from pitboss.tabulator import AlarmLimits, Sensor, Tables, TableSetup

_TABLE, _FLOOR = ("dealer", "supervisor", "manager"), ("supervisor", "manager")
_APPROVERS = ("supervisor", "surveillance", "manager")
_CONFIGURERS = ("manager", "accounting", "surveillance")
_WORDS: Any = (Words, "")
Limit = Literal["silent_rounds", "stuck_presses", "disagreements", "clock_seconds"]
Causes = Literal["shuffler-malfunction", "misdeal", "exposed-card", "wrong-count-of-cards", "fouled-deck"]


class SensorSaid(Said):
    """One sensor: its position, its number there, the wager it counts, and whether it has a light."""

    position: Seat
    number: Seat
    wager: Name
    light: bool = False


class SetupSaid(Said):
    """A table's equipment."""

    table: Name
    game: Name
    model: Name
    seats: Seat
    sensors: Annotated[list[SensorSaid], Field(max_length=200, default_factory=list)]
    entered: Annotated[list[Name], Field(max_length=8, default_factory=list)]
    down_method: Literal["on-the-spot", "suspend"] = "suspend"
    profile: Name = "wa-commercial"
    device: Annotated[str, Field(max_length=120)] = ""
    counter_digits: Count | None = None
    limits: Annotated[dict[Limit, Count], Field(default_factory=dict)]


def setup_of(said: SetupSaid) -> TableSetup:
    """Make the setup that was said."""
    read = {
        "sensors": tuple(Sensor(**each.model_dump()) for each in said.sensors),
        "entered": tuple(said.entered),
        "limits": AlarmLimits(**said.limits),
    }
    return TableSetup(**{**said.model_dump(), **read})


def _day(text: str | None) -> datetime.date | None:
    try:
        return None if text is None else datetime.date.fromisoformat(text)
    except ValueError:
        raise RefusedError([f"since: {text!r} is no day such as 2026-11-16"]) from None


def _by_seat(wagers: dict[str, dict[str, int]]) -> dict[str, dict[int, int]]:
    return {wager: {int(seat): count for seat, count in by_seat.items()} for wager, by_seat in wagers.items()}


def _open_table(doors: Doors, asked: Any, who: Who) -> Answer:
    """Open a table whose configuration agrees with its set-up and its jackpots."""
    books = guarded(doors.books, lambda state: open_table_problems(state, asked.table))
    return Tables(books, clock=doors.clock).open(asked.table, words=asked.words, **who.acting)


TABLE_COMMANDS: tuple[CommandKind, ...] = (
    kind(
        "tables/set-up",
        "Set a closed table's equipment up, or prepare it for a later gambling day.",
        lambda d, a, w: d.tables.set_up(setup_of(a.setup), words=a.words, since=_day(a.since), **w.acting_two),
        roles=("manager",),
        approvers=_CONFIGURERS,
        fields={
            "setup": SetupSaid,
            "words": Words,
            "since": (Annotated[str, Field(max_length=10)] | None, None),
        },
    ),
    kind(
        "tables/post",
        "Open a configuration at a table between rounds, at once or from a time on.",
        lambda d, a, w: d.posted.post(a.table, a.configuration, opens=a.opens, words=a.words, **w.two),
        roles=("manager",),
        approvers=_CONFIGURERS,
        fields={
            "table": Name,
            "configuration": Annotated[str, Field(max_length=100_000)],
            "opens": (Annotated[str, Field(max_length=40, description="2026-11-17T06:00, by the room's clocks")], ""),
            "words": _WORDS,
        },
    ),
    kind(
        "tables/withdraw",
        "Withdraw a configuration that is prepared and not yet in force.",
        lambda d, a, w: d.posted.withdraw(a.table, a.number, words=a.words, **w.one),
        roles=("manager",),
        fields={"table": Name, "number": Count, "words": Words},
    ),
    kind(
        "tables/dealing",
        "Say how a table deals: physical cards, or cards that Pitboss deals, and for which money.",
        lambda d, a, w: d.dealing.set(a.table, a.cards, a.money, approval=a.approval, words=a.words, **w.two),
        roles=("manager",),
        approvers=_CONFIGURERS,
        fields={
            "table": Name,
            "cards": Literal["physical", "dealt"],
            "money": (Literal["play", "real"], "play"),
            "approval": (Words, ""),
            "words": Words,
        },
    ),
    kind(
        "tables/give-up-dealt",
        "Give a dealt round up whose key is lost.",
        lambda d, a, w: d.dealing.give_up(a.table, words=a.words, **w.two),
        roles=_FLOOR,
        approvers=_APPROVERS,
        fields={"table": Name, "words": Words},
    ),
    kind(
        "tables/open",
        "Open a table; what was prepared for today is in force.",
        _open_table,
        roles=_FLOOR,
        fields={"table": Name, "words": _WORDS},
    ),
    kind(
        "tables/close",
        "Close a table between rounds.",
        lambda d, a, w: d.tables.close(a.table, words=a.words, **w.acting),
        roles=_FLOOR,
        fields={"table": Name, "words": _WORDS},
    ),
    kind(
        "tables/suspend",
        "Suspend the jackpots of a table between rounds.",
        lambda d, a, w: d.tables.suspend(a.table, words=a.words, **w.acting),
        roles=_FLOOR,
        fields={"table": Name, "words": Words},
    ),
    kind(
        "tables/resume",
        "Play the jackpots of a table again.",
        lambda d, a, w: d.tables.resume(a.table, words=a.words, **w.acting_two),
        roles=_FLOOR,
        approvers=_APPROVERS,
        fields={"table": Name, "words": Words},
    ),
    kind(
        "tables/press",
        "Press at a table that is counted by hand: by wager the seats; the next press ends the round.",
        lambda d, a, w: d.tables.press(a.table, a.seats, **w.acting),
        roles=("dealer", "supervisor"),
        fields={"table": Name, "seats": (dict[Name, Seats] | None, None)},
    ),
    kind(
        "tables/mark-seats",
        "Mark seats that one person plays, in place of the marks before.",
        lambda d, a, w: d.tables.mark_seats(a.table, a.persons, **w.acting),
        roles=_TABLE,
        fields={"table": Name, "persons": Annotated[list[Seats], Field(max_length=20)]},
    ),
    kind(
        "tables/correct",
        "Correct the round that is on the table.",
        lambda d, a, w: d.tables.correct(a.table, a.round, a.wager, a.cause, a.seats, words=a.words, **w.acting),
        roles=_TABLE,
        fields={
            "table": Name,
            "round": Count,
            "wager": Name,
            "cause": Literal["missed", "miscounted", "refunded"],
            "seats": Seats,
            "words": Words,
        },
    ),
    kind(
        "tables/correct-earlier",
        "Correct a round after the next press.",
        lambda d, a, w: d.tables.correct(a.table, a.round, a.wager, a.cause, a.seats, words=a.words, **w.acting_two),
        roles=_FLOOR,
        approvers=_APPROVERS,
        fields={
            "table": Name,
            "round": Count,
            "wager": Name,
            "cause": Literal["missed", "miscounted", "refunded"],
            "seats": Seats,
            "words": Words,
        },
    ),
    kind(
        "tables/void",
        "Make a round void; the house refunds its counted jackpot wagers.",
        lambda d, a, w: d.tables.void(a.table, a.round, a.cause, words=a.words, **w.acting_two),
        roles=_FLOOR,
        approvers=_APPROVERS,
        fields={"table": Name, "round": Count, "cause": Causes, "words": Words},
    ),
    kind(
        "tables/down",
        "Take equipment out of play by the configured method.",
        lambda d, a, w: d.tables.down(a.table, words=a.words, **w.acting),
        roles=_FLOOR,
        fields={"table": Name, "words": Words},
    ),
    kind(
        "tables/by-hand",
        "Let a table whose line is lost go on by hand.",
        lambda d, a, w: d.tables.go_by_hand(a.table, words=a.words, **w.acting),
        roles=_FLOOR,
        fields={"table": Name, "words": Words},
    ),
    kind(
        "tables/enter-counts",
        "Enter counts of rounds that were played by hand: by wager and seat how many.",
        lambda d, a, w: d.tables.enter_counts(a.table, a.rounds, _by_seat(a.wagers), words=a.words, **w.acting_two),
        roles=_FLOOR,
        approvers=_APPROVERS,
        fields={
            "table": Name,
            "rounds": Count,
            "wagers": dict[Name, dict[Annotated[str, Field(pattern=r"^[1-9][0-9]?$")], Count]],
            "words": Words,
        },
    ),
    kind(
        "tables/restore",
        "Let equipment count again.",
        lambda d, a, w: d.tables.restore(a.table, a.rounds_played, words=a.words, **w.acting_two),
        roles=_FLOOR,
        approvers=_APPROVERS,
        fields={"table": Name, "rounds_played": Count, "words": Words},
    ),
    kind(
        "tables/read-counter",
        "Write down what a non-resettable counter shows, for the shift.",
        lambda d, a, w: d.tables.read_counter(
            a.table, a.reading, rolled_over=a.rolled_over, replaced=a.replaced, words=a.words, **w.acting
        ),
        roles=_TABLE,
        fields={
            "table": Name,
            "reading": Count,
            "rolled_over": (bool, False),
            "replaced": (bool, False),
            "words": _WORDS,
        },
    ),
    kind(
        "tables/malfunction",
        "Write a malfunction down; it must be reported in time.",
        lambda d, a, w: d.tables.malfunction(a.table, words=a.words, **w.acting),
        roles=_FLOOR,
        fields={"table": Name, "words": Words},
    ),
    kind(
        "tables/report",
        "Write down that a malfunction was reported to the commission.",
        lambda d, a, w: d.tables.report(a.malfunction, reference=a.reference, **w.acting),
        roles=_FLOOR,
        fields={"malfunction": Count, "reference": Words},
    ),
    kind(
        "tables/mend",
        "Write down that a malfunction is over.",
        lambda d, a, w: d.tables.mend(a.malfunction, words=a.words, **w.acting),
        roles=_FLOOR,
        fields={"malfunction": Count, "words": Words},
    ),
    kind(
        "tables/clear-alarm",
        "Write down that somebody has looked at an alarm, and what he found.",
        lambda d, a, w: d.tables.clear_alarm(a.alarm, words=a.words, **w.acting),
        roles=_FLOOR,
        fields={"alarm": Name, "words": Words},
    ),
    kind(
        "tables/give-up",
        "Give messages of a device up that will never come, up to this number.",
        lambda d, a, w: d.tables.give_up(a.device, a.last, words=a.words, **w.acting_two),
        roles=_FLOOR,
        approvers=_APPROVERS,
        fields={"device": Name, "last": Count, "words": Words},
    ),
)
