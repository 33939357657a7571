"""Commands about what hangs in the room: the operator's slides, and displays."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pitboss.books import RefusedError
from pitboss.server.api.said import Name
from pitboss.server.commands.kinds import CommandKind, Count, Said, kind
from pitboss.server.displays import Display
from pitboss.server.promotions import Promotion

__all__ = ["ROOM_COMMANDS"]

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


ROOM_COMMANDS: tuple[CommandKind, ...] = (
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
