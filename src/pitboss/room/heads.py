"""Heads leave the machine: keys that sign them, and where each goes at every shift, gambling day and snapshot."""

import datetime
import os
from pathlib import Path
from typing import Annotated

from pitboss.books import EPOCH, ROOM, Books, BookState, Payload
from pitboss.books.journal.heads import BookHead, KeyAdded, keys_of
from pitboss.books.store.keys import HeadSettings, in_fours, key_id, read_head_settings
from pitboss.commands import Bounds, By, Change, Command, Description, Now, Words, command, refuse, roles
from pitboss.commands.command import BOOK

_HEX = Bounds(most=128, text="Hexadecimal digits.")


@command("room/add-key", roles=roles.MANAGERS, approvers=roles.CONFIGURERS, is_exposed=False)
class AddKey(Command):
    """Add a key that signs where the books end, or replace one by another."""

    public: Annotated[str, _HEX]
    words: Words
    apart: bool = False
    replaces: Annotated[str, _HEX] = ""
    proof: Annotated[str, _HEX] = ""

    def describe(self, state: BookState) -> Description:
        """Return which key signs from now on, and which one did."""
        where = "kept apart from the server" if self.apart else "used by the server"
        title = f"Sign the audit log with key {in_fours(key_id(self.public))}, {where}"
        return Description(title, (Change("Key", in_fours(self.replaces), in_fours(key_id(self.public))),), self.words)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the key; the journal's own rules say whether it may be added."""
        refuse([] if self.words.strip() else ["state the reason in words (M-02)"])
        return [
            KeyAdded(
                public=self.public,
                reason=self.words,
                approved_by=by.approved_by,
                apart=self.apart,
                replaces=self.replaces,
                proof=self.proof,
            )
        ]


def send_head(settings: HeadSettings, head: BookHead) -> None:
    """Send a head to where the room says; raises `OSError` where it does not arrive.

    A directory that is not there is not made: what should be mounted there is not.
    """
    line = head.line()
    if settings.directory:
        file = Path(settings.directory) / f"heads-{head.book}.txt"
        stream = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(stream, f"{line}\n".encode())
            os.fsync(stream)
        finally:
            os.close(stream)
    if settings.syslog:
        import syslog  # noqa: PLC0415 - not every system has it

        syslog.openlog("pitboss", 0, syslog.LOG_AUTH)
        syslog.syslog(syslog.LOG_NOTICE, line)


class HeadWatch:
    """Sends the head of the books at every shift, gambling day and snapshot, and when a server starts."""

    def __init__(self, books: Books, path: Path) -> None:
        self._books, self._path = books, path
        self._moment: tuple[object, ...] = ()
        self._unsent: BookHead | None = None
        self.shown: BookHead | None = None
        """The last head, where the room shows heads on a screen: whoever sees or films it keeps a witness."""

    def review(self, now: int) -> BookHead | None:
        """Sign and send the head where one is due; one that did not arrive is sent again the next time."""
        settings, state = read_head_settings(self._path), self._books.state(BOOK)
        calendar = state.of(ROOM)
        if not settings.display:
            self.shown = None
        if calendar is None or not (settings.is_sent or keys_of(state).server is not None):
            return None
        shift = calendar.shift(EPOCH + datetime.timedelta(microseconds=now))
        sealed = self._books.sealed_upto(BOOK)
        moment = (shift.day, shift.name, sealed)
        is_missing = settings.display and self.shown is None
        if self._unsent is None and (moment != self._moment or is_missing):
            self._unsent = self._books.sign_head(BOOK, self._cause(moment))
            self._moment = moment
        head = self._unsent
        if head is not None:
            send_head(settings, head)
            self._unsent = None
            self.shown = head if settings.display else None
        return head

    def _cause(self, moment: tuple[object, ...]) -> str:
        """Return why a head is sent: the widest of what has begun."""
        names = ("day", "shift", "snapshot")
        pairs = zip(names, self._moment, moment, strict=True) if self._moment else ()
        return next((name for name, before, after in pairs if before != after), "start")
