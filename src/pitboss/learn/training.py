"""A run of exercises: a set for training, or a table test; marked as it goes, and again from its seed and answers.

Jackpots are trained at a training table: a table of the room as it is set up, in memory, where nothing is booked.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, NamedTuple

from pitboss.books import LEDGER, Answer, BookState, Entry, RefusedError, folding_of
from pitboss.books.journal.state import Projection, S
from pitboss.books.journal.writer import Submission, answered_again, drafted
from pitboss.books.store.base import LAST
from pitboss.commands import By, Command, Executor
from pitboss.commands.command import BOOK, SOMEBODY
from pitboss.jackpot import HITS, JACKPOTS, HitState
from pitboss.learn.exercises import KINDS, Exercise, Kind, Marked, Recipe, make_exercise, mark_exercise
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.room import Room
from pitboss.room.services import RoomServices
from pitboss.room.training import TABLE_TEST
from pitboss.table import Configuration
from pitboss.tabulator import TABLES
from pitboss.tabulator.values import Down, TableRecord

SET_LENGTH = 10
"""So many exercises are one set."""
_FOLDING = folding_of(PROJECTIONS, INVARIANTS)
_DOWN = "this is a training table"


class ImaginedBooks:
    """Books in memory that go on from a state of others; every entry passes the same invariants.

    They are their own store: what came before the first state was elsewhere, and is not looked up.
    """

    def __init__(self, state: BookState, clock: Callable[[], int]) -> None:
        self._state, self._clock = state, clock
        self._lock = threading.Lock()
        self._answers: dict[str, Answer] = {}
        self._stood: list[tuple[BookState, tuple[Entry, ...]]] = [(state, ())]
        self.store = self

    def entries(
        self, book: str, after: int = 0, upto: int = LAST, *, kinds: Collection[str] | None = None
    ) -> Iterator[Entry]:
        """Yield the entries that were added, in order; `kinds` leaves out all others."""
        for _, added in self._stood:
            for entry in added:
                if after < entry.sequence <= upto and (kinds is None or entry.kind in kinds):
                    yield entry

    def part_at(self, book: str, upto: int, projection: Projection[S]) -> S:
        """Return what one part of the state came to after an entry."""
        stood = self._stood[0][0]
        for state, added in self._stood:
            if added and added[-1].sequence > upto:
                last = [entry for entry in added if entry.sequence <= upto]
                return reduce(_FOLDING.fold, last, stood).of(projection)
            stood = state
        return stood.of(projection)

    def state(self, book: str = BOOK) -> BookState:
        """Return the state after the last entry."""
        return self._state

    def check(self, submission: Submission) -> None:
        """Raise what speaks against a submission now."""
        drafted(submission, b"", self._state, _FOLDING, self._clock())

    def submit(self, submission: Submission) -> Answer:
        """Add the entries of a submission, once under its id."""
        request = submission.request
        with self._lock:
            before = self._answers.get(submission.id)
            if before is not None:
                return answered_again(submission, request, before.entries)
            entries, self._state = drafted(submission, request, self._state, _FOLDING, self._clock())
            self._stood.append((self._state, tuple(entries)))
            answer = self._answers[submission.id] = Answer(tuple(entries), again=False)
            return answer


class ImaginedRoom(Room):
    """A room that goes on from a state in memory alone: it has no books, no people of its own, and no equipment.

    It is a `Room` for whoever looks at its state, verifies commands and does them; nothing of a directory is opened.
    What needs a second person is done as if one had approved it.
    """

    def __init__(self, state: BookState, clock: Callable[[], int]) -> None:
        self.clock = self.monotonic = clock
        imagined: Any = ImaginedBooks(state, clock)
        self.books, self.services = imagined, RoomServices(imagined, clock)
        self._executor = Executor(self.services)

    @property
    def state(self) -> BookState:
        """The state after what was done so far."""
        return self.services.state

    def do(self, command: Command, by: By, *, id: str, happened: int | None = None) -> Answer:  # noqa: A002
        """Carry a command out once under its id."""
        if by.approver is None and command.needs_second(self.state, by):
            by = replace(by, approver=By(SOMEBODY, command.spec.second_role(by.role)))
        return self._executor.do(command, by, id=id, happened=happened)


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
    room: ImaginedRoom | None = None
    """The room of its training table, where the console is trained."""

    @property
    def number(self) -> int:
        """The number of the exercise that is on, from 1."""
        return len(self.results) + (0 if self.is_marked else 1)

    @property
    def exercise_kind(self) -> Kind:
        """The kind of its exercises; a table test is of taking and paying."""
        kinds: dict[str, Kind] = {TABLE_TEST: "pay", **{kind: kind for kind in KINDS}}
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
        """Store somebody's run, or end it."""
        with self._lock:
            self._runs.pop(person, None)
            if run is not None:
                self._runs[person] = run
            while len(self._runs) > self._most:
                self._runs.popitem(last=False)


def training_problems(state: BookState, table: str) -> tuple[str, ...]:
    """Return why no jackpot can be trained at the console of a table."""
    if table not in state.of(TABLES).tables:
        return (f"Table {table} has no equipment set up, so it has no console.",)
    records = state.of(JACKPOTS).at(table)
    if not records:
        return (f"Table {table} has no jackpot.",)
    if any(record.jackpot.name not in state.of(LEDGER) for record in records):
        return (f"A jackpot of table {table} has never been opened.",)
    return ()


def training_table(state: BookState, clock: Callable[[], int], table: str, dealer: str) -> ImaginedRoom:
    """Return a room in memory in which somebody deals a table as it is set up: open, its jackpots played, no hit on it.

    Equipment that counts by itself is down there, so that the trainee counts at the console.
    """
    problems = training_problems(state, table)
    if problems:
        raise RefusedError(problems)
    tables, jackpots, hits = state.of(TABLES), state.of(JACKPOTS), state.of(HITS)
    before = tables.tables[table]
    record = TableRecord(
        setup=before.setup,
        life="open",
        dealer=dealer,
        round=before.round,
        on_table=before.round,
        rounds_counted=before.rounds_counted,
        wagers_counted=before.wagers_counted,
        counts=before.counts,
        reversed=before.reversed,
        before=before.before,
    )
    if not record.is_by_hand:
        record = record._replace(down=Down(clock(), state.sequence, "malfunction", "on-the-spot", _DOWN))
    played = {one.jackpot.name: one._replace(play="open", play_reason="", suspended=None) for one in jackpots.at(table)}
    parts = {
        **state.parts,
        TABLES.name: tables._replace(
            tables={**tables.tables, table: record},
            alarms={name: alarm for name, alarm in tables.alarms.items() if alarm.table != table},
        ),
        JACKPOTS.name: jackpots._replace(
            jackpots={**jackpots.jackpots, **played},
            rounds={name: rounds for name, rounds in jackpots.rounds.items() if name != table},
        ),
        HITS.name: hits._replace(open={number: hit for number, hit in hits.open.items() if hit.table != table}),
    }
    return ImaginedRoom(BookState(state.sequence, state.digest, state.recorded, parts), clock)


def done_at(state: BookState, table: str) -> dict[str, Any]:
    """Return what was done at the console in the last round, as `mark_exercise` takes it.

    By seat, wager and what (`count`, `prize`, `envy`) a word, and the cents that were handed out for it.
    """
    counted = state.of(JACKPOTS).last_round(table)
    last = None if counted is None else counted.only(counted.round)
    if last is None:
        return {}
    wagers = {record.jackpot.name: record.jackpot.offer_at(table).wager for record in state.of(JACKPOTS).at(table)}
    done: dict[str, Any] = {
        f"{seat}:{wagers[name]}:count": ["counted", 0] for name, seats in last.seats.items() for seat in seats
    }
    for paid in state.of(HITS).small.get(table, ()):
        for won in paid.won if paid.round == last.round else ():
            place = f"{won.seat}:{wagers[paid.jackpot]}"
            if not paid.of_seat:
                done[f"{place}:prize"] = [won.row, won.cents]
                continue
            # Several hands may give a seat their Envy: what it is handed is all of it.
            cents = won.cents + done.get(f"{place}:envy", ("", 0))[1]
            done[f"{place}:envy"] = [str(cents), cents]
    for hit in state.of(HITS).open.values():
        if (hit.table, hit.round) == (table, last.round) and hit.state is not HitState.REJECTED:
            done |= {f"{won.seat}:{wagers[hit.jackpot]}:prize": [won.row, won.cents] for won in hit.won}
    return done
