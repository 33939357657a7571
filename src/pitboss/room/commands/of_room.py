"""Commands about what hangs in the room: the operator's slides, and displays."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal

from pydantic import Field

from pitboss.books import LOCALES, RefusedError, RoomSettings
from pitboss.books.days import settings_problems, time_of_day
from pitboss.room.commands.kinds import CommandKind, Count, Name, Said, kind
from pitboss.room.displays import Display
from pitboss.room.slides import Promotion

Day = Annotated[str, Field(max_length=10, description="Such as 2026-11-16.")]
Text = Annotated[str, Field(max_length=500)]


class PromotionSaid(Said):
    """A slide of the operator."""

    name: Name
    title: Text
    words: Text
    small_print: Text = ""
    first_day: Day
    last_day: Day
    tables: Annotated[list[Name], Field(max_length=100, default_factory=list)]
    picture: Annotated[str, Field(max_length=70, description="A picture that the room keeps, by its name.")] = ""


def _promotion(said: PromotionSaid) -> Promotion:
    try:
        return Promotion.from_json(said.model_dump())
    except ValueError as error:
        raise RefusedError([f"days: {error}"]) from None


class ShiftSaid(Said):
    """A shift: its name, and when it begins; the first begins the gambling day."""

    name: Name
    begins: Annotated[str, Field(max_length=5, description="Such as 06:00.")]


class SettingsSaid(Said):
    """How the room counts its days, and who holds its licence."""

    room: Name
    time_zone: Name
    shifts: Annotated[list[ShiftSaid], Field(max_length=12)]
    operator: Annotated[str, Field(max_length=120)] = ""
    licence: Annotated[str, Field(max_length=120)] = ""
    locale: Annotated[str, Field(max_length=5, description="How pages write amounts and days.")] = LOCALES[0]


def _settings(said: SettingsSaid) -> RoomSettings:
    shifts, problems = [], []
    for each in said.shifts:
        try:
            shifts.append((each.name, time_of_day(each.begins)))
        except ValueError as error:
            problems.append(f"shifts: {each.name} begins at {error}")
    made = RoomSettings(**{**said.model_dump(), "shifts": tuple(shifts)})
    if problems:
        wrong = (each for each in settings_problems(made) if not each.startswith("shifts"))
        raise RefusedError([*problems, *wrong])
    return made


def _since(text: str | None) -> datetime.date | None:
    try:
        return None if text is None else datetime.date.fromisoformat(text)
    except ValueError:
        raise RefusedError([f"since: {text!r} is no day such as 2026-11-16 (O-07)"]) from None


ROOM_COMMANDS: tuple[CommandKind, ...] = (
    kind(
        "room/set",
        "Make the room on its first day, or change its gambling day and shifts from a later day on.",
        lambda d, a, w: d.setting.set(_settings(a.settings), _since(a.since), **w.one),
        roles=("manager", "administrator"),
        fields={"settings": SettingsSaid, "since": (Day | None, None)},
    ),
    kind(
        "promotions/set",
        "Make a slide of the operator, or make it anew under its name.",
        lambda d, a, w: d.promotions.set(_promotion(a.promotion), **w.one),
        roles=("manager",),
        fields={"promotion": PromotionSaid},
    ),
    kind(
        "promotions/end",
        "Take a slide away before its last day.",
        lambda d, a, w: d.promotions.end(a.name, **w.one),
        roles=("manager",),
        fields={"name": Name},
    ),
    kind(
        "displays/register",
        "Register a display at a table, or take it away.",
        lambda d, a, w: d.displays.register(Display(a.name, a.table, a.make, a.driven_by), active=a.active, **w.one),
        roles=("manager", "administrator"),
        fields={
            "name": Name,
            "table": Name,
            "make": Literal["screen", "monitor", "sign"],
            "driven_by": (Literal["", "table", "server"], ""),
            "active": (bool, True),
        },
    ),
    kind(
        "displays/confirm",
        "Confirm what a sign shows that is set by hand: by jackpot the cents.",
        lambda d, a, w: d.displays.confirm(a.name, a.amounts, **w.one),
        roles=("supervisor", "manager"),
        fields={"name": Name, "amounts": dict[Name, Count]},
    ),
)
