"""The software that serves a room, journalled when it is another; changed files keep it read-only (G-74)."""

import getpass
from typing import Annotated, NamedTuple

from pitboss.books import OMIT_DEFAULT, Entry, EntryPayload, Payload, Projection, entry_kind, json_object, kinds_of
from pitboss.commands import Bounds, By, Command, Name, Now, Words, command
from pitboss.commands.roles import SYSTEM
from pitboss.installation import Installation

_HASH = Bounds(most=64, text="Hexadecimal digits.")


@entry_kind("software-changed")
class SoftwareChanged(EntryPayload):
    """A server has started with other software than the one before it (M-04, O-01).

    `user` is the account that runs it. `changed` says how its files differ from what was built (T-15).
    """

    version: str
    digest: str
    user: str
    source: Annotated[bool, OMIT_DEFAULT] = False
    changed: Annotated[str, OMIT_DEFAULT] = ""


@json_object
class Software(NamedTuple):
    """The software that has served the room last, and the entry that says so."""

    version: str = ""
    digest: str = ""
    changed: str = ""
    entry: int = 0


def _fold(_: Software, entry: Entry, value: Payload) -> Software:
    assert isinstance(value, SoftwareChanged)
    return Software(value.version, value.digest, value.changed, entry.sequence)


SOFTWARE: Projection[Software] = Projection(
    name="software", shape=Software, empty=Software(), fold=_fold, kinds=kinds_of(SoftwareChanged)
)


@command("room/record-software", roles=SYSTEM, is_exposed=False)
class RecordSoftware(Command):
    """Record the software that serves the room from now on."""

    version: Name
    digest: Annotated[str, _HASH]
    user: Name
    source: bool = False
    changed: Annotated[Words, Bounds(most=2_000)] = ""

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the software."""
        return [
            SoftwareChanged(
                version=self.version, digest=self.digest, user=self.user, source=self.source, changed=self.changed
            )
        ]


def software_command(installation: Installation, last: Software) -> RecordSoftware | None:
    """Return the command that records an installation; nothing where it has served the room before."""
    changed = "; ".join(installation.problems)
    if (installation.version, installation.digest, changed) == (last.version, last.digest, last.changed):
        return None
    try:
        user = getpass.getuser()
    except (OSError, KeyError):
        user = "unknown"
    return RecordSoftware(
        version=installation.version,
        digest=installation.digest,
        user=user,
        source=not installation.is_built,
        changed=changed,
    )
