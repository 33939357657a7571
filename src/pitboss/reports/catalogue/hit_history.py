"""The hits of a period with all that happened to them, from the state before it on; older hits bring their entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pitboss.books import Entry, JournalStore, Movement, Payload, UnreadableError, read_payload
from pitboss.jackpot import HITS, RoomHits
from pitboss.jackpot.hits.entries import HitVerified
from pitboss.jackpot.hits.history import History, Story
from pitboss.jackpot.hits.state import HIT_KINDS
from pitboss.jackpot.hits.values import Handed, Hit, HitState, Won
from pitboss.reports.collector import Collector
from pitboss.reports.scope import Scope

SMALL_STEPS = ("tray", "envy")


class SmallPrize(NamedTuple):
    """A prize that was called and paid from the tray in one breath."""

    entry: Entry
    jackpot: str
    won: Won
    envy: bool


class PaidPrize(NamedTuple):
    """A prize of a hit that was handed over, and the entry of that."""

    story: Story
    won: Won
    handed: Handed
    entry: Entry


def followed(store: JournalStore, book: str, before: RoomHits) -> History:
    """Begin to follow hits from a state on; those not finished bring the entries of their steps."""
    history = History(state=before)
    for number, hit in before.open.items():
        steps = sorted({each.sequence for each in hit.done} | {hit.called_at})
        found = [(entry, read_payload(entry.kind, entry.payload)) for entry in _entries(store, book, steps)]
        verified = [value for _, value in found if isinstance(value, HitVerified)]
        history.stories[number] = Story(hit, list(found), verified[-1] if verified else None)
    return history


def _entries(store: JournalStore, book: str, sequences: Iterable[int]) -> Iterable[Entry]:
    for sequence in sequences:
        entry = store.entry(book, sequence)
        if entry is not None:
            yield entry


def entry_of(story: Story, sequence: int) -> Entry:
    """The entry of a step."""
    return next(entry for entry, _ in story.entries if entry.sequence == sequence)


class HitCollector(Collector):
    """A report of hits: follows them through the period."""

    kinds = HIT_KINDS

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.history = followed(scope.store, scope.book, scope.opening.of(HITS))
        self.small: list[SmallPrize] = []
        self.unfollowed: list[int] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Follow one more step; one that cannot follow what came before it is told (G-29)."""
        try:
            self.history.take(entry)
        except (UnreadableError, ValueError, KeyError, TypeError, AttributeError):
            self.unfollowed.append(entry.sequence)
            return
        if isinstance(value, Movement) and value.kind == "prize-paid" and self.scope.wants(value.jackpot, entry.table):
            step = value.details.get("step")
            if step in SMALL_STEPS:
                won = [Won(*each) for each in value.details["won"]]
                self.small += [SmallPrize(entry, value.jackpot, each, step == "envy") for each in won]

    @property
    def stories(self) -> list[Story]:
        """The hits that something happened to in the period or that are open, in the order of their calls."""
        wanted = self.scope.wants
        found = sorted(self.history.stories.items())
        return [story for _, story in found if wanted(story.hit.jackpot, story.hit.table)]

    @property
    def called(self) -> list[Story]:
        """The hits that were called in the period."""
        return [story for story in self.stories if story.hit.number > self.scope.opening.sequence]

    def paid(self) -> list[PaidPrize]:
        """The prizes of hits that were handed over in the period."""
        found = []
        for story in self.stories:
            for handed in story.hit.handed:
                won = story.hit.prize(handed.seat)
                if handed.sequence > self.scope.opening.sequence and won is not None:
                    found.append(PaidPrize(story, won, handed, entry_of(story, handed.sequence)))
        return found

    @property
    def notes(self) -> list[str]:
        """Entries that could not be followed."""
        if not self.unfollowed:
            return []
        told = ", ".join(map(str, self.unfollowed[:10]))
        return [f"Entries {told} do not follow what came before them and are left out (G-29)."]


def stands(hit: Hit) -> bool:
    """Whether the prizes of a call stand: it was not rejected."""
    return hit.state is not HitState.REJECTED
