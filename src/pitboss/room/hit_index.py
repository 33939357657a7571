"""The index of hits in the journal of a room, by which a page finds each of them, the finished ones too."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated

from pitboss.books import (
    PAIRS,
    BookState,
    Calendar,
    Entry,
    JournalStore,
    Movement,
    Payload,
    Projection,
    entries_at,
    kinds_of,
    read_payload,
)
from pitboss.jackpot.hits.history import History, Slip, Story
from pitboss.jackpot.hits.state import EMPTY, HIT_KINDS, folded
from pitboss.jackpot.hits.values import HitDocumented, HitVerified, SlipPrinted, SlipReprinted

HITS_MAX = 2_000
"""So many hits are indexed; older ones are in the reports of their day."""
HitIndex = Mapping[int, tuple[int, ...]]


def _number(entry: Entry, value: Payload) -> int | None:
    """The hit that an entry speaks of: none for small prizes, reprints, and all else."""
    if isinstance(value, Movement):
        if "step" not in value.details:
            return None
        number: int | None = entry.sequence if value.details["step"] == "call" else value.details.get("hit")
        return number
    return getattr(value, "hit", None)


def _fold(log: HitIndex, entry: Entry, value: Payload) -> HitIndex:
    number = _number(entry, value)
    if number is None:
        return log
    after = {**log, number: (*log.get(number, ()), entry.sequence)}
    if len(after) > HITS_MAX:
        del after[min(after)]
    return after


HIT_INDEX: Projection[HitIndex] = Projection(
    name="hit-log",
    empty={},
    shape=Annotated[HitIndex, PAIRS],
    fold=_fold,
    kinds=HIT_KINDS,
)


Winners = Mapping[int, tuple[str, ...]]


def _fold_winners(winners: Winners, _entry: Entry, value: Payload) -> Winners:
    assert isinstance(value, HitDocumented)
    after = {**winners, value.hit: tuple(sorted({paper.winner for paper in value.papers}))}
    if len(after) > HITS_MAX:
        del after[min(after)]
    return after


WINNERS: Projection[Winners] = Projection(
    name="winners",
    empty={},
    shape=Annotated[Winners, PAIRS],
    fold=_fold_winners,
    kinds=kinds_of(HitDocumented),
)
"""By hit the names of its winners, paid or not: what people type is compared with them (G-70)."""


def winner_problems(state: BookState, text: str) -> list[str]:
    """Return that words which more people read than winners' papers name a winner of the room (G-70)."""
    typed = f" {' '.join(re.sub(_BETWEEN_WORDS, ' ', text.casefold()).split())} "
    names = {name for winners in state.parts.get(WINNERS.name, {}).values() for name in winners}
    named = any(f" {' '.join(re.sub(_BETWEEN_WORDS, ' ', name.casefold()).split())} " in typed for name in names)
    return ["words: Leave out the winner's name: name the hit or its slip (G-70)"] if named else []


_BETWEEN_WORDS = re.compile(r"[^\w]+")


def story_of(entries: Iterable[Entry]) -> Story | None:
    """Fold the entries of one hit, and nothing else: the hit as it stands, its entries and its verification."""
    room, story = EMPTY, None
    for entry in entries:
        value = read_payload(entry.kind, entry.payload)
        if isinstance(value, HitDocumented):
            # The slips of other hits are not read: this one's follow the one before them.
            room = room._replace(slips=value.papers[0].slip - 1)
        room = folded(room, entry, value)
        [hit] = room.open.values()
        story = Story(hit, []) if story is None else story
        story.hit = hit
        story.entries.append((entry, value))
        if isinstance(value, HitVerified):
            story.verified = value
    return story


def story_at(store: JournalStore, book: str, log: HitIndex, number: int) -> Story | None:
    """Read a hit by its number from the journal."""
    return stories_at(store, book, log, [number]).get(number)


def stories_at(store: JournalStore, book: str, log: HitIndex, numbers: Iterable[int]) -> dict[int, Story]:
    """Read hits by their numbers from the journal, all at once."""
    steps_of = {number: log[number] for number in numbers if number in log}
    entries = entries_at(store, book, (sequence for steps in steps_of.values() for sequence in steps))
    stories = {
        number: story_of(entries[sequence] for sequence in steps if sequence in entries)
        for number, steps in steps_of.items()
    }
    return {number: story for number, story in stories.items() if story is not None}


def printed_slip(story: Story, calendar: Calendar | None, slip: int, entry: Entry | None) -> Slip | None:
    """Return a slip as the entry has it that says that it was printed: the original, or a reprint (F-15)."""
    value = None if entry is None else read_payload(entry.kind, entry.payload)
    if entry is None or not isinstance(value, SlipPrinted | SlipReprinted) or value.slip != slip:
        return None
    history = History(calendar=calendar)
    if isinstance(value, SlipPrinted):
        history.prints[slip] = entry
    else:
        history.reprints[slip] = [(entry, value)]
    return _slip_of(history, story, slip, copy=int(isinstance(value, SlipReprinted)))


def slip_preview(story: Story, calendar: Calendar | None, slip: int) -> Slip | None:
    """Return a slip as it will be printed; nothing where the hit has no such slip."""
    return _slip_of(History(calendar=calendar), story, slip, copy=0)


def _slip_of(history: History, story: Story, slip: int, *, copy: int) -> Slip | None:
    for entry, step_value in story.entries:
        if isinstance(step_value, HitDocumented):
            history.state = history.state._replace(slips=step_value.papers[0].slip - 1)
        history.take(entry)
    return history.slip(slip, copy) if slip in history.slips else None
