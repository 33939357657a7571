"""The one door through which live rounds get their shoes: health first, and a block of the key never used twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pitboss.cards import Card, Deck, KeyStream, WordSource, shuffled
from pitboss.randomness.health import HealthError, HealthMonitor, HealthySource, check_known_answers
from pitboss.randomness.locks import DealingLock, Failure, now_text

__all__ = ["DealingLockedError", "LiveDealing", "LiveShoe"]

OpenStream = Callable[[bytes, int], WordSource]


class DealingLockedError(Exception):
    """No card is dealt until a person has opened the lock."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(
            f"dealing is locked: a health test of the random numbers failed: {failure}. "
            "It stays locked until a person opens it: pitboss rng reset --by NAME --reason WHY"
        )
        self.failure = failure


@dataclass(frozen=True, slots=True)
class LiveShoe:
    """A shuffled shoe and the block number of its key: together with the key, all it takes to deal it again."""

    block: int
    cards: tuple[Card, ...]


class LiveDealing:
    """Shoes for live rounds from one key, a block number each (R-04), under health tests that lock dealing (R-06).

    The known answers are tried before the first shoe, and again before the first one after a lock was opened.
    """

    __slots__ = ("_key", "_lock", "_monitor", "_next", "_open_stream")

    def __init__(
        self, key: bytes, lock: DealingLock, *, first_block: int = 1, open_stream: OpenStream = KeyStream
    ) -> None:
        self._key = key
        self._lock = lock
        self._next = first_block
        self._open_stream = open_stream
        self._monitor: HealthMonitor | None = None

    def __repr__(self) -> str:
        return f"<LiveDealing of a hidden key, next block={self._next}>"

    def next_shoe(self, deck: Deck) -> LiveShoe:
        """Shuffle the next shoe, or raise a DealingLockedError and go on doing so until a person opens the lock."""
        if (failure := self._lock.failure()) is not None:
            self._monitor = None
            raise DealingLockedError(failure)
        block, self._next = self._next, self._next + 1
        try:
            return LiveShoe(block, self._shuffled(deck, block))
        except HealthError as error:
            failure = Failure(error.test, error.words, now_text())
            self._monitor = None
            self._lock.close(failure)
            raise DealingLockedError(failure) from error

    def _shuffled(self, deck: Deck, block: int) -> tuple[Card, ...]:
        if self._monitor is None:
            check_known_answers(self._open_stream)
            self._monitor = HealthMonitor()
        return shuffled(deck.cards, HealthySource(self._open_stream(self._key, block), self._monitor))
