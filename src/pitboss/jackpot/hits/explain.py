"""From a prize back to cards, row, clause and ruling, the meter it is of, entries and people (J-09, T-14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pitboss.books import Calendar, JournalStore, Movement, instant_text
from pitboss.jackpot.explain import Explanation, explain_display
from pitboss.jackpot.hits.history import Story, read_history
from pitboss.jackpot.hits.values import Hit


class Told(NamedTuple):
    """An entry of a hit, for people."""

    sequence: int
    kind: str
    person: str
    role: str
    happened: str
    recorded: str
    words: str
    head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HitExplanation:
    """A hit from its prizes back to cards, rows, clauses, rulings, the meter and the entries."""

    hit: Hit
    game: str
    wager: str
    paytable: str
    cards: dict[str, str]
    because: dict[int, tuple[tuple[str, str | None, str], ...]]
    envy: tuple[tuple[int, int, str], ...]
    meter: Explanation
    entries: tuple[Told, ...]

    def to_json(self) -> dict[str, Any]:
        """Write the explanation."""
        handed = {each.seat: each for each in self.hit.handed}
        papers = {each.seat: each for each in self.hit.papers}
        return {
            "hit": self.hit.number,
            "state": self.hit.state.value,
            "jackpot": self.hit.jackpot,
            "game": self.game,
            "wager": self.wager,
            "paytable": self.paytable,
            "table": self.hit.table,
            "round": self.hit.round,
            "late": self.hit.late,
            "meter_cents": self.hit.meter_cents,
            "cards": self.cards,
            "prizes": [
                {
                    **won._asdict(),
                    "demands": list(self.hit.demands[won.seat].names) if won.seat in self.hit.demands else [],
                    "slip": papers[won.seat].slip if won.seat in papers else None,
                    "winner": papers[won.seat].winner if won.seat in papers else None,
                    "paid": None if won.seat not in handed else handed[won.seat]._asdict(),
                    "because": [
                        {"clause": clause, "ruling": ruling, "text": words}
                        for clause, ruling, words in self.because.get(won.seat, ())
                    ],
                }
                for won in self.hit.won
            ],
            "envy": [{"seat": seat, "cents": cents, "text": words} for seat, cents, words in self.envy],
            "meter": self.meter.to_json(),
            "entries": [told._asdict() for told in self.entries],
        }


def explain_hit(store: JournalStore, book: str, number: int) -> HitExplanation:
    """Explain a hit from the entries of its book."""
    history = read_history(store.entries(book))
    return explain_story(store, book, history.story(number), history.calendar)


def explain_story(store: JournalStore, book: str, story: Story, calendar: Calendar | None) -> HitExplanation:
    """Explain a hit whose entries have been found."""
    called, verified = story.called.details, story.verified
    # Percentages are of the meter at the first call, or where it was late at the press after its round (G-4).
    first = story.entries[0][1]
    assert isinstance(first, Movement)
    counted: int = first.details["meter_entry"]
    return HitExplanation(
        hit=story.hit,
        game=called["game"],
        wager=called["wager"],
        paytable=called["paytable"],
        cards={} if verified is None else dict(verified.cards),
        because={} if verified is None else dict(verified.because),
        envy=() if verified is None else verified.envy,
        meter=explain_display(store, book, story.hit.jackpot, counted, calendar),
        entries=tuple(_told(story)),
    )


def _told(story: Story) -> Iterator[Told]:
    for entry, value in story.entries:
        details: Mapping[str, Any] = getattr(value, "details", {})
        role = str(details.get("role") or getattr(value, "role", ""))
        words = getattr(value, "words", "")
        times = instant_text(entry.happened), instant_text(entry.recorded)
        yield Told(entry.sequence, entry.kind, entry.actor, role, *times, words, entry.digest.hex())
