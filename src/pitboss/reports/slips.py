"""The sequence of jackpot slips of a period, which has no gaps, and how each slip stands (M-08, F-15)."""

from __future__ import annotations

from pitboss.books import Entry, Payload
from pitboss.jackpot import HITS
from pitboss.jackpot.hit_entries import HitDocumented
from pitboss.jackpot.hit_values import HitState, Paper
from pitboss.meters import units_of
from pitboss.reports.scope import Scope
from pitboss.reports.stories import HitCollector
from pitboss.reports.values import Kind, Report, Row, column

__all__ = ["Slips"]

_COLUMNS = (
    column("slip", "Slip", Kind.COUNT),
    column("made", "Made", Kind.INSTANT),
    column("hit", "Hit", Kind.COUNT),
    column("jackpot", "Jackpot"),
    column("table", "Table"),
    column("seat", "Seat", Kind.COUNT),
    column("prize", "Prize", Kind.MONEY),
    column("winner", "Winner"),
    column("by", "Made by"),
    column("copies", "Reprints", Kind.COUNT),
    column("state", "State"),
)


class Slips(HitCollector):
    """Every slip made in the period; numbers run on without gaps (M-08)."""

    name = "slips"
    title = "Slip sequence"
    says = "Jackpot slips by number, with reprints and void slips; a number that is missing or comes twice is told."

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.made: list[tuple[Paper, Entry, int]] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Keep each slip in the order in which they were made."""
        super().take(entry, value)
        if isinstance(value, HitDocumented):
            self.made += [(paper, entry, value.hit) for paper in value.papers]

    def report(self) -> Report:
        """Set the slips under one another, and say which numbers are wrong."""
        scope = self.scope
        first, last = scope.opening.of(HITS).slips + 1, scope.hits.slips
        numbers = [paper.slip for paper, _, _ in self.made]
        missing = sorted(set(range(first, last + 1)) - set(numbers))
        twice = sorted({number for number in numbers if numbers.count(number) > 1})
        wrong = [scope.line(f"slips/missing/{each}", f"slip {each} is missing (M-08)") for each in missing]
        wrong += [scope.line(f"slips/twice/{each}", f"slip {each} was made twice (M-08)") for each in twice]
        words = f"Slips {first} to {last}: {len(numbers)} made" if last >= first else "No slip was made"
        note = f"{words}, {len(missing)} missing, {len(twice)} made twice."
        said = {"notes": [note, *self.notes], "exceptions": tuple(wrong), "broken": bool(wrong)}
        return scope.report(self.name, self.title, self.says, _COLUMNS, self._rows(), **said)

    def _rows(self) -> list[Row]:
        rows = []
        for paper, entry, number in self.made:
            story = self.history.stories.get(number)
            issued = self.history.slips.get(paper.slip)
            if story is None or issued is None or not self.scope.wants(story.hit.jackpot, story.hit.table):
                continue
            won = issued.hit.prize(paper.seat)
            prize = None if won is None else units_of(won.cents)
            place = (story.hit.number, story.hit.jackpot, story.hit.table, paper.seat)
            copies = len(self.history.reprints.get(paper.slip, ()))
            state = _state(story.hit.state, paper.slip in {each.slip for each in story.hit.papers})
            cells = (paper.slip, entry.recorded, *place, prize, paper.winner, entry.actor, copies, state)
            rows.append(Row(cells))
        return rows


def _state(state: HitState, in_force: bool) -> str:
    if state is HitState.REJECTED:
        return "void: the call was rejected"
    return state.value if in_force else "void: made anew"
