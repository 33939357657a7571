"""Commands of a room: who acts, the fields of a command, who may, and how it is carried out.

A command is a frozen value that stands beside the rules it asks and states once who may ask for it and who approves it.
Pages, the API, the terminal, devices and the demo build the same value and hand it over to be done.
"""

from pitboss.commands import roles
from pitboss.commands.command import (
    By,
    Command,
    CommandSpec,
    Executor,
    NotReadyError,
    Now,
    Prepared,
    Services,
    command,
    is_same_person,
    refuse,
)
from pitboss.commands.description import Change, Description
from pitboss.commands.fields import (
    LISTED_MAX,
    Bounds,
    Count,
    InvalidCommandError,
    Name,
    Number,
    Seat,
    Seats,
    Words,
    read_fields,
    schema_of,
    write_fields,
)

__all__ = [
    "LISTED_MAX", "Bounds", "By", "Change", "Command", "CommandSpec", "Count", "Description", "Executor",
    "InvalidCommandError", "Name", "NotReadyError", "Now", "Number", "Prepared", "Seat", "Seats", "Services", "Words",
    "command", "is_same_person", "read_fields", "refuse", "roles", "schema_of", "write_fields",
]  # fmt: skip
