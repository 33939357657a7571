"""The lock on a room's dealing: closed by a failed health test, opened by two people (R-06, G-27)."""

from pathlib import Path

from pitboss.books import BookState, Payload, RefusedError
from pitboss.commands import By, Change, Command, Description, Now, Prepared, Services, Words, command
from pitboss.commands.roles import CONFIGURERS, MANAGERS
from pitboss.randomness import Failure, FileLock
from pitboss.randomness.health import HealthError, check_known_answers
from pitboss.room.dealing import entries as records


class RoomLock:
    """The lock of a room, a file beside its books; the failure that two people have looked at counts no more.

    The decision is an entry: killed between it and the removal of the file, the room is open all the same.
    """

    __slots__ = ("_file", "_state")

    def __init__(self, folder: Path, state: BookState) -> None:
        self._file, self._state = FileLock(folder), state

    def failure(self) -> Failure | None:
        """Return why dealing is locked, or nothing where it is not."""
        failure = self._file.failure()
        if failure is None or str(failure) != self._state.of(records.UNLOCKED):
            return failure
        self._file.open("two people", f"entry of the journal about {failure}")
        return None

    def close(self, failure: Failure) -> None:
        """Lock dealing."""
        self._file.close(failure)

    def open(self, person: str, reason: str) -> None:
        """Refuse: one person does not open the lock of a room."""
        raise ValueError(f"two people open the lock of a room, not {person} alone ({reason}) (G-27)")


@command("tables/unlock-dealing", roles=MANAGERS, approvers=CONFIGURERS)
class UnlockDealing(Command):
    """Open the lock on dealing after a failed health test; it stays closed while the known answers fail."""

    words: Words

    def describe(self, state: BookState) -> Description:
        """Return that cards are dealt again."""
        rows = (Change("Dealing by Pitboss", "Locked: a health test failed", "Unlocked"),)
        return Description("Unlock dealing after a failed health test of the shuffle", rows, self.words)

    def prepare(self, services: Services) -> Prepared:
        """Look at the lock, and try the known answers."""
        failure = RoomLock(services.books.directory.path, services.state).failure()
        if failure is None:
            raise RefusedError(["dealing is not locked"])
        try:
            check_known_answers()
        except HealthError as error:
            raise RefusedError([f"dealing stays locked: the known answers fail: {error.words} (R-06)"]) from None
        return _Unlocking(str(failure), self.words)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Refuse: only a failure that was looked up is decided on."""
        raise RefusedError(["the lock was not looked at"])


class _Unlocking:
    def __init__(self, failure: str, words: str) -> None:
        self._failure, self._words = failure, words

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the decision of two people (G-27)."""
        return [records.DealingUnlocked(failure=self._failure, words=self._words, approved_by=by.approved_by)]
