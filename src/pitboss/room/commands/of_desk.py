"""Commands of the accounting desk: chips that were counted, and exceptions that somebody looks into."""

from __future__ import annotations

import datetime
from typing import Annotated

from pydantic import Field

from pitboss.books import RefusedError
from pitboss.reports import Asked
from pitboss.room.commands.kinds import CommandKind, Name, Number, Words, kind

_MONEY, _LOOK = ("accounting", "manager"), ("accounting", "manager", "supervisor", "surveillance")
Day = Annotated[str, Field(max_length=10, description="2026-11-15")]


def _day(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise RefusedError([f"day: {text!r} must be a day such as 2026-11-15"]) from None


DESK_COMMANDS: tuple[CommandKind, ...] = (
    kind(
        "desk/collect",
        "Enter the jackpot chips of a table and shift, counted with another person; a recount says why.",
        lambda d, a, w: d.desk.collect(
            _day(a.day), a.shift, a.table, a.cents, counted_with=a.counted_with, words=a.words, **w.one
        ),
        roles=_MONEY,
        fields={"day": Day, "shift": Name, "table": Name, "cents": Number, "counted_with": Name, "words": (Words, "")},
    ),
    kind(
        "desk/raise",
        "Raise something that one has met oneself; `people` are those it is about.",
        lambda d, a, w: d.desk.raise_exception(a.key, a.words, units=a.units, people=a.people, **w.one),
        roles=_LOOK,
        fields={
            "key": Name,
            "words": Words,
            "units": (Number | None, None),
            "people": (Annotated[list[Name], Field(max_length=20)], ()),
        },
    ),
    kind(
        "desk/raise-found",
        "Raise what a report finds in a period, with the words, the amount and the people that it finds.",
        lambda d, a, w: d.desk.raise_reported(
            a.report, Asked(first_day=_day(a.first), last_day=_day(a.last)), a.key, **w.one
        ),
        roles=_LOOK,
        fields={"report": Name, "first": Day, "last": Day, "key": Name},
    ),
    kind(
        "desk/take",
        "Take an exception on: from now on one owns it.",
        lambda d, a, w: d.desk.take(a.number, w.by.name, **w.one),
        roles=_LOOK,
        fields={"number": Number},
    ),
    kind(
        "desk/resolve",
        "Resolve an exception that one owns, in words.",
        lambda d, a, w: d.desk.resolve(a.number, a.words, **w.one),
        roles=_LOOK,
        fields={"number": Number, "words": Words},
    ),
)
