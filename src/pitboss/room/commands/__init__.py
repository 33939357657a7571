"""What people ask of the books through the API, declared: fields, who may ask, who approves, what is done."""

from pitboss.room.commands.kinds import CommandKind, Doors, Who
from pitboss.room.commands.of_desk import DESK_COMMANDS
from pitboss.room.commands.of_floor import FLOOR_COMMANDS
from pitboss.room.commands.of_hits import HIT_COMMANDS
from pitboss.room.commands.of_jackpots import JACKPOT_COMMANDS
from pitboss.room.commands.of_room import ROOM_COMMANDS
from pitboss.room.commands.of_tables import TABLE_COMMANDS

COMMANDS: tuple[CommandKind, ...] = (
    *JACKPOT_COMMANDS,
    *HIT_COMMANDS,
    *TABLE_COMMANDS,
    *ROOM_COMMANDS,
    *FLOOR_COMMANDS,
    *DESK_COMMANDS,
)
BY_NAME = {each.name: each for each in COMMANDS}

__all__ = ["BY_NAME", "COMMANDS", "CommandKind", "Doors", "Who"]
