"""Training: a finished round with its chips to be taken and paid, the marking, and results by person."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from pitboss.cards import card_text
from pitboss.learn.exercises import KINDS, ChipAsked, Exercise, Marked, chips_of, jackpot_lines
from pitboss.learn.training import TrainingRun, by_mark
from pitboss.papers import document
from pitboss.room.training import TABLE_TEST, TrainingDone, TrainingResult
from pitboss.rules import Game, full_words
from pitboss.server.views.formatting import clock_text, dollars
from pitboss.server.views.hits import board_title
from pitboss.server.views.paytables import titled
from pitboss.table import Configuration

TITLES: dict[str, str] = {**dict[str, str](KINDS.items()), TABLE_TEST: "Table test"}
_ACTIONS = {"take": "Take", "push": "Push", "pay": "Pay"}


class ChipView(NamedTuple):
    """A chip on the felt: its name in the form, its wager and part, what lies there, and what was paid wrongly."""

    name: str
    title: str
    part: str
    staked: str
    paid: str
    action: str


class MarkedView(NamedTuple):
    """An answer as it is marked."""

    title: str
    is_right: bool
    given: str
    right: str
    cost: str
    because: tuple[tuple[str, str], ...]


class ExerciseSeat(NamedTuple):
    """A seat of an exercise: its cards, its hands in words, what it decided, and its chips."""

    number: int
    person: str
    cards: tuple[str, ...]
    decided: str
    chips: tuple[ChipView, ...]


class ExerciseView(NamedTuple):
    """An exercise on the felt."""

    kind: str
    title: str
    game: str
    number: int
    length: int
    board_title: str
    board: tuple[str, ...]
    seats: tuple[ExerciseSeat, ...]
    before: tuple[str, ...]
    options: tuple[str, ...]
    marked: tuple[MarkedView, ...]
    is_marked: bool
    is_right: bool
    is_over: bool
    right: int
    minutes_left: str
    meters: tuple[tuple[str, str], ...]
    note: str


class ConsoleExercise(NamedTuple):
    """What lies on a training table: what is to be done now, and by seat and for the board the wagers and cards."""

    number: int
    length: int
    words: str
    hands: tuple[tuple[str, str, tuple[str, ...]], ...]


_CONSOLE_WORDS = {
    "open": "The jackpot wagers are down. Count them.",
    "tabulated": "The cards are out. Pay or report every jackpot prize, then press Next round.",
}


def console_exercise(run: TrainingRun, game: Game, phase: str) -> ConsoleExercise:
    """Build what a trainee sees beside the console: wagers first, and the cards when they are counted."""
    exercise, state = run.exercise, run.exercise.played.state
    wagers: dict[int, list[str]] = {}
    for seat, line in jackpot_lines(exercise.played):
        wagers.setdefault(seat, []).append(titled(game.by_name[line.wager].title))
    is_dealt = phase == "tabulated"
    hands = [
        (
            f"Seat {seat.number}" + (f" (player {seat.person})" if seat.person else ""),
            ", ".join(wagers.get(seat.number, ["no jackpot wager"])),
            tuple(map(card_text, seat.cards)) if is_dealt else (),
        )
        for seat in state.all_seats
    ]
    if is_dealt and state.board.seat.cards:
        hands.append((board_title(game), "", tuple(map(card_text, state.board.seat.cards))))
    return ConsoleExercise(run.number, run.length, _CONSOLE_WORDS[phase], tuple(hands))


_CONSOLE_ASKED = {"count": "counted", "prize": "jackpot prize", "envy": "Envy"}


def _marked_console(game: Game, answer: Marked) -> MarkedView:
    seat, wager, what = answer.name.split(":")
    title = f"Seat {seat}, {titled(game.by_name[wager].title)}: {_CONSOLE_ASKED[what]}"
    none = {"count": "not counted", "prize": "nothing paid or reported", "envy": "not paid"}[what]

    def words(text: str) -> str:
        return (dollars(int(text)) if what == "envy" and text else full_words(text)) or none

    given, right = words(answer.given), words(answer.right)
    return MarkedView(title, answer.is_right, given, right, _mispay(answer.cost_cents), answer.because)


def _mispay(cents: int) -> str:
    """Return what a mispay would have cost, and whom."""
    who = "house" if cents > 0 else "player"
    return f"It would have cost the {who} {dollars(abs(cents))}." if cents else ""


def _handed(chip: ChipAsked, cents: int) -> str:
    action = "take" if not cents else "push" if cents == chip.staked_cents else "pay"
    return _ACTIONS[action] + (f", hand back {dollars(cents)} in all" if action == "pay" else "")


def _chip(game: Game, chip: ChipAsked, exercise: Exercise) -> ChipView:
    cents = chip.paid_cents
    if exercise.wrong is not None and exercise.wrong[0] == chip.name:
        cents = exercise.wrong[1]
    paid = _handed(chip, cents) if exercise.kind == "mistake" else ""
    return ChipView(chip.name, titled(game.by_name[chip.wager].title), chip.part, dollars(chip.staked_cents), paid, "")


def _decided(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(card_text, value)) if isinstance(value, tuple) else str(value)


def _seats(game: Game, exercise: Exercise) -> tuple[ExerciseSeat, ...]:
    chips, seats = chips_of(exercise.played), exercise.played.state.all_seats
    return tuple(
        ExerciseSeat(
            number=seat.number,
            person=f"Player {seat.person}" if seat.person else "",
            cards=tuple(map(card_text, seat.cards)),
            decided=", ".join(
                f"{key.capitalize()}: {_decided(value)}" for key, value in exercise.decided(seat).items()
            ),
            chips=tuple(_chip(game, chip, exercise) for chip in chips if chip.seat == seat.number),
        )
        for seat in seats
    )


def _marked(game: Game, exercise: Exercise, answer: Marked) -> MarkedView:
    if exercise.kind == "procedure":
        return MarkedView("What comes next", answer.is_right, answer.given, answer.right, "", answer.because)
    if exercise.kind == "jackpot":
        return _marked_console(game, answer)
    by_name = {chip.name: chip for chip in chips_of(exercise.played)}

    def title(name: str) -> str:
        if name not in by_name:
            return "No mistake"
        chip = by_name[name]
        return f"Seat {chip.seat}, {titled(game.by_name[chip.wager].title)}, {chip.part}"

    if exercise.kind == "mistake":
        cost = f"It would have cost {dollars(abs(answer.cost_cents))}." if answer.cost_cents else ""
        return MarkedView(
            "The mistake", answer.is_right, title(answer.given), title(answer.right), cost, answer.because
        )
    chip = by_name[answer.name]
    given = _handed(chip, int(answer.given)) if answer.given else "No answer"
    cost = _mispay(answer.cost_cents)
    return MarkedView(title(answer.name), answer.is_right, given, _handed(chip, chip.paid_cents), cost, answer.because)


def exercise_view(run: TrainingRun, game: Game) -> ExerciseView:
    """Build the exercise that is on, or as it was marked."""
    exercise = run.exercise
    result = run.results[-1] if run.is_marked else None
    state = exercise.played.state
    is_procedure = exercise.kind == "procedure"
    left = max(0, run.seconds - run.spent_seconds)
    return ExerciseView(
        kind=exercise.kind,
        title=TITLES[run.kind],
        game=game.title,
        number=run.number,
        length=run.length,
        board_title=board_title(game),
        board=() if is_procedure else tuple(map(card_text, state.board.seat.cards)),
        seats=() if is_procedure else _seats(game, exercise),
        before=(*(stage.words for stage in game.stages[: exercise.stage]), *filter(None, (exercise.note,)))
        if is_procedure
        else (),
        options=exercise.options,
        marked=() if result is None else tuple(_marked(game, exercise, answer) for answer in result.marked),
        is_marked=run.is_marked,
        is_right=result is not None and result.is_right,
        is_over=run.is_over,
        right=sum(each.is_right for each in run.results),
        minutes_left=f"{left // 60}:{left % 60:02d}" if run.seconds else "",
        meters=tuple(
            (titled(game.by_name[name].title), dollars(cents)) for name, cents in exercise.played.meters.items()
        ),
        note="" if is_procedure else exercise.note,
    )


class ResultView(NamedTuple):
    """A result of training in a row of a list."""

    sequence: int
    person: str
    at: str
    title: str
    table: str
    right: str
    percent: int
    cost: str
    speed: str
    passed: str


def result_view(result: TrainingResult, zone: ZoneInfo) -> ResultView:
    """Build the row of a result."""
    done = result.done
    return ResultView(
        sequence=result.sequence,
        person=done.person,
        at=clock_text(result.happened, zone, with_day=True),
        title=TITLES[done.exercise],
        table=result.table,
        right=f"{done.right} of {done.asked}",
        percent=100 * done.right // max(done.asked, 1),
        cost=dollars(done.cost_cents),
        speed=f"{done.seconds / max(done.exercises, 1):.0f} s",
        passed=("Passed" if done.is_passed else "Not passed") if done.pass_percent else "",
    )


def summary_view(run: TrainingRun) -> tuple[tuple[str, str, str], ...]:
    """Return by kind of hand how many were right and how quickly, the worst first."""
    return tuple(
        (mark, f"{right} of {done}", f"{seconds:.0f} s") for mark, done, right, seconds in by_mark(run.results)
    )


def record_view(
    result: TrainingResult, configuration: Configuration, zone: ZoneInfo, room: str, game: Game
) -> Mapping[str, Any]:
    """Return the record of a table test as a paper: what is printed, signed and filed."""
    done: TrainingDone = result.done
    row = result_view(result, zone)
    rows: Sequence[tuple[str, str]] = (
        ("Dealer", done.person),
        ("Room", room),
        ("Table", result.table),
        ("Game", game.title),
        ("Taken", row.at),
        ("Hands", str(done.exercises)),
        ("Right answers", f"{row.right} ({row.percent}%)"),
        ("To pass", f"{done.pass_percent}%"),
        ("Result", row.passed),
        ("What mispays would have cost", row.cost),
        ("Time", f"{done.seconds // 60} min {done.seconds % 60} s"),
        ("Seed", done.seed),
        ("Configuration", configuration.content_hash),
        ("Entry of the journal", str(result.sequence)),
    )
    return {
        "title": "Table test",
        "subtitle": f"{done.person}: {row.passed}",
        "blocks": [
            document.fields(rows),
            document.paragraph(
                "The exercises follow from the configuration and the seed. With the answers in the journal the "
                "test can be marked again at any time."
            ),
            document.signatures(["Dealer", "Supervisor"]),
        ],
    }
