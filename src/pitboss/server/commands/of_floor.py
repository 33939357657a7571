"""Commands of the floor desk: alarms that somebody takes on, and disputes that are settled."""

from __future__ import annotations

from pitboss.server.api.said import Name
from pitboss.server.commands.kinds import CommandKind, kind

__all__ = ["FLOOR_COMMANDS"]

FLOOR_COMMANDS: tuple[CommandKind, ...] = (
    kind(
        "floor/take-alarm",
        "Take an alarm on: from now on one owns it.",
        lambda d, a, w: d.alarms.take(a.alarm, **w.one),
        roles=("supervisor", "surveillance", "manager"),
        fields={"alarm": Name},
    ),
)
