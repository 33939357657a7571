"""A run of exercises: a set for training, or a table test; marked as it goes, and again from its seed and answers."""

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pitboss.learn.exercises import Exercise, Kind, Marked, Recipe, make_exercise, mark_exercise
from pitboss.room.training import TABLE_TEST
from pitboss.table import Configuration

SET_LENGTH = 10
"""So many exercises are one set."""


class ExerciseResult(NamedTuple):
    """An exercise that was done: its mark, its answers as they were given and as they are marked, and the time."""

    mark: str
    answers: Mapping[str, Any]
    marked: tuple[Marked, ...]
    seconds: int

    @property
    def is_right(self) -> bool:
        """True if every answer is right."""
        return all(answer.is_right for answer in self.marked)


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingRun:
    """A run: whose table and configuration it is about, its kind and seed, and what was done so far.

    A table test has a time in seconds and the percentage that passes it. `shown_at` is when the exercise was shown.
    """

    table: str
    configuration: Configuration
    kind: str
    seed: str
    catalogue: tuple[tuple[str, Recipe], ...]
    length: int = SET_LENGTH
    seconds: int = 0
    pass_percent: int = 0
    results: tuple[ExerciseResult, ...] = ()
    is_marked: bool = False
    shown_at: float = 0.0

    @property
    def number(self) -> int:
        """The number of the exercise that is on, from 1."""
        return len(self.results) + (0 if self.is_marked else 1)

    @property
    def exercise_kind(self) -> Kind:
        """The kind of its exercises; a table test is of taking and paying."""
        kinds: dict[str, Kind] = {TABLE_TEST: "pay", "pay": "pay", "mistake": "mistake", "procedure": "procedure"}
        return kinds[self.kind]

    @property
    def exercise(self) -> Exercise:
        """The exercise that is on, or has just been marked."""
        return make_exercise(self.configuration, self.catalogue, self.exercise_kind, self.seed, self.number)

    @property
    def spent_seconds(self) -> int:
        """How long the exercises took."""
        return sum(result.seconds for result in self.results)

    @property
    def is_over(self) -> bool:
        """True if every exercise is done, or the time of a test is up."""
        return len(self.results) >= self.length or bool(self.seconds and self.spent_seconds >= self.seconds)

    def answer(self, answers: Mapping[str, Any], now: float) -> "TrainingRun":
        """Mark the answers of the exercise that is on; one that is marked stays so."""
        if self.is_marked:
            return self
        exercise = self.exercise
        seconds = max(0, round(now - self.shown_at))
        result = ExerciseResult(exercise.mark, answers, mark_exercise(exercise, answers), seconds)
        return replace(self, results=(*self.results, result), is_marked=True)

    def go_on(self, now: float) -> "TrainingRun":
        """Show the next exercise."""
        return replace(self, is_marked=False, shown_at=now) if self.is_marked and not self.is_over else self

    def fields(self) -> dict[str, Any]:
        """Return the result as `RecordTraining` takes it; exercises of a test that were not reached count as wrong."""
        marked = [answer for result in self.results for answer in result.marked]
        missed = self.length - len(self.results) if self.kind == TABLE_TEST else 0
        return {
            "table": self.table,
            "exercise": self.kind,
            "configuration": self.configuration.content_hash,
            "seed": self.seed,
            "exercises": len(self.results),
            "asked": len(marked) + missed,
            "right": sum(answer.is_right for answer in marked),
            "cost_cents": sum(abs(answer.cost_cents) for answer in marked),
            "seconds": self.spent_seconds,
            "answers": json.dumps([dict(result.answers) for result in self.results], separators=(",", ":")),
            "pass_percent": self.pass_percent,
        }


def marked_again(run: TrainingRun, answers: Sequence[Mapping[str, Any]]) -> TrainingRun:
    """Mark the answers of a run anew, from its seed."""
    for given in answers:
        run = run.answer(given, run.shown_at).go_on(run.shown_at)
    return run


def by_mark(results: Sequence[ExerciseResult]) -> list[tuple[str, int, int, float]]:
    """Return by kind of hand how many were done and right, and the seconds that one took, the worst first."""
    grouped: dict[str, list[ExerciseResult]] = {}
    for result in results:
        grouped.setdefault(result.mark, []).append(result)
    rows = [
        (mark, len(group), sum(each.is_right for each in group), sum(each.seconds for each in group) / len(group))
        for mark, group in grouped.items()
    ]
    return sorted(rows, key=lambda row: (row[2] / row[1], -row[3]))


class TrainingRuns:
    """Runs in memory by person; the one not used for longest goes first."""

    def __init__(self, most: int = 200) -> None:
        self._most, self._lock = most, threading.Lock()
        self._runs: OrderedDict[str, TrainingRun] = OrderedDict()

    def find(self, person: str) -> TrainingRun | None:
        """Return somebody's run."""
        return self._runs.get(person)

    def keep(self, person: str, run: TrainingRun | None) -> None:
        """Keep somebody's run, or end it."""
        with self._lock:
            self._runs.pop(person, None)
            if run is not None:
                self._runs[person] = run
            while len(self._runs) > self._most:
                self._runs.popitem(last=False)
