"""Results of training by person: each set of exercises and each table test is one entry, with its seed."""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from pitboss import books
from pitboss.commands import Bounds, By, Command, Count, Name, Now, command, refuse

TABLE_TEST = "test"
_KEPT = 200
"""So many results of a person are at hand; the journal has all of them."""
_ANSWERS_MAX = 60_000


@books.entry_kind("training-done")
class TrainingDone(books.EntryPayload):
    """A set of exercises that somebody did: which, how many answers were right, what the wrong ones would have cost.

    `seed` and `configuration` make the same exercises again, and `answers`, which is JSON, is marked again by them. A
    table test has the share of right answers that it takes to pass, in percent.
    """

    person: str
    exercise: str
    configuration: str
    seed: str
    exercises: int
    asked: int
    right: int
    cost_cents: int
    seconds: int
    answers: str
    pass_percent: int = 0

    @property
    def is_passed(self) -> bool:
        """True if a table test is passed."""
        return self.pass_percent > 0 and 100 * self.right >= self.pass_percent * self.asked


class TrainingResult(NamedTuple):
    """A result, and the entry that has it."""

    sequence: int
    happened: int
    table: str
    done: TrainingDone


TrainingResults = Mapping[str, tuple[TrainingResult, ...]]


def _fold(results: TrainingResults, entry: books.Entry, value: books.Payload) -> TrainingResults:
    assert isinstance(value, TrainingDone)
    result = TrainingResult(entry.sequence, entry.happened, entry.table, value)
    return {**results, value.person: (*results.get(value.person, ()), result)[-_KEPT:]}


TRAINING: books.Projection[TrainingResults] = books.Projection(
    name="training", shape=TrainingResults, empty={}, fold=_fold, kinds=books.kinds_of(TrainingDone)
)
"""The results of every person, the last ones."""


@command("training/record", roles=("dealer", "supervisor", "manager"), is_exposed=False)
class RecordTraining(Command):
    """Record one's own result of a set of exercises or a table test."""

    table: Name
    exercise: Name
    configuration: Name
    seed: Name
    exercises: Count
    asked: Count
    right: Count
    cost_cents: Count
    seconds: Count
    answers: Annotated[str, Bounds(most=_ANSWERS_MAX)]
    pass_percent: Annotated[int, Bounds(0, 100)] = 0

    def entries(self, now: Now, by: By) -> list[books.Draft]:
        """Return the result of who asks."""
        problems = []
        if not self.exercises or self.right > self.asked:
            problems.append("a result has an exercise at least, and no more right answers than questions")
        if (self.exercise == TABLE_TEST) != (self.pass_percent > 0):
            problems.append("a table test has the percentage that passes it, and nothing else has one")
        refuse(problems)
        fields = {name: getattr(self, name) for name in TrainingDone.__dataclass_fields__ if name != "person"}
        return [books.Draft(TrainingDone(person=by.name, **fields), table=self.table)]
