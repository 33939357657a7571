"""The course of a recorded round: which cards each seat was entitled to, and which decisions it came to."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pitboss import rules
from pitboss.cards import Card, CardError, parse_cards
from pitboss.rules.stages import anybody, everybody


@dataclass(slots=True)
class Course:
    """What following the stages has found: seats with checked decisions, cards due on the board, problems."""

    seats: list[rules.Seat]
    board_cards: int = 0
    problems: list[rules.Problem] = field(default_factory=list)
    turns: dict[int, tuple[rules.Reason, ...]] = field(default_factory=dict)


def check_course(
    game: rules.Game,
    seats: list[rules.Seat],
    decisions: Sequence[Mapping[str, Any]],
    readings: Mapping[str, str],
    turned: Collection[int] = (),
) -> Course:
    """Follow the stages of a round whose cards and decisions are all known, and collect every problem with them.

    `decisions` holds each seat's decisions as written, unchecked; the seats of the course have them checked. `turned`
    are seats whose foul hand was turned round.
    """
    followers = [
        Follower(seat, answers, is_turned=seat.number in turned) for seat, answers in zip(seats, decisions, strict=True)
    ]
    course = Course([])
    for stage in _dealing_and_deciding(game):
        if stage.kind is rules.StageKind.DEAL:
            _deal(stage, followers, course)
        else:
            for follower in followers:
                follower.decide(game, readings)
    for follower in followers:
        follower.finish(game)
        course.problems += follower.problems
        if follower.turns:
            course.turns[follower.number] = tuple(follower.turns)
    course.seats = [follower.seat for follower in followers]
    return course


@cache
def _dealing_and_deciding(game: rules.Game) -> tuple[rules.Stage, ...]:
    return tuple(stage for stage in game.stages if stage.kind in (rules.StageKind.DEAL, rules.StageKind.DECIDE))


def _deal(stage: rules.Stage, followers: list[Follower], course: Course) -> None:
    if stage.who is rules.CardPlace.SEATS:
        for follower in followers:
            follower.deal(stage)
    elif stage.who is rules.CardPlace.BOARD and _is_needed(stage, followers):
        course.board_cards += len(stage.faces)


def _is_needed(stage: rules.Stage, followers: list[Follower]) -> bool:
    if stage.needed is anybody:
        return bool(followers)
    return stage.needed(tuple(follower.seat for follower in followers))


class Follower:
    """One seat on its way through the stages."""

    def __init__(self, seat: rules.Seat, answers: Mapping[str, Any], *, is_turned: bool = False) -> None:
        self.is_turned = is_turned
        self.turns: list[rules.Reason] = []
        self.number = seat.number
        self.wagers = seat.wagers
        self.cards = seat.cards
        self.answers = answers
        self.decisions: dict[str, Any] = {}
        self.due = 0
        self.problems: list[rules.Problem] = []
        self._seat: rules.Seat | None = None

    @property
    def seat(self) -> rules.Seat:
        """The seat as it stands, made when somebody looks: more cards are dealt than looked at."""
        if self._seat is None:
            self._seat = rules.Seat(self.number, self.wagers, self.cards[: self.due], self.decisions)
        return self._seat

    def deal(self, stage: rules.Stage) -> None:
        """Deal the seat the cards of a stage, where it is entitled to them."""
        if not self.problems and (stage.entitled is everybody or stage.entitled(self.seat)):
            self.due += len(stage.faces)
            self._seat = None

    def decide(self, game: rules.Game, readings: Mapping[str, str]) -> None:
        """Record the seat's answers to every question that it is asked now."""
        if self.problems:
            return
        while (question := game.question(self.seat, readings)) is not None:
            problem_count = len(self.problems)
            answer = self._answer(question)
            if len(self.problems) > problem_count:
                # Asked further as if it had taken the first option, so that all that is missing is named at once.
                options = question.options()
                if not options:
                    return
                answer = options[0]
            self.decisions = {**self.decisions, question.key: answer}
            self._seat = None

    def _answer(self, question: rules.Question) -> Any:
        if question.key not in self.answers:
            self._refuse(f"is missing: {question.words}", question, code="missing")
            return None
        value = self.answers[question.key]
        if question.takes_cards:
            try:
                value = _cards_of(value)
            except CardError as error:
                self._refuse(str(error), question)
                return None
        refusal = question.refusal(value)
        if refusal is not None:
            if self.is_turned and question.turn is not None:
                turned = question.turn.answer(value)
                if question.refusal(turned) is None:
                    self.turns.append(rules.Reason(question.clause, question.turn.words, question.turn.ruling))
                    return turned
            self._refuse(refusal, question)
        return value

    def _refuse(self, words: str, question: rules.Question, *, code: str = "") -> None:
        path = f"seat {self.number} decisions.{question.key}"
        self.problems.append(rules.Problem(path, words, question.clause.id, question.ruling, code=code))

    def decide_stated(self, game: rules.Game, readings: Mapping[str, str]) -> None:
        """Check the decisions that were made before a round was void; those that were not are not missing."""
        self.due = len(self.cards)
        while (question := game.question(self.seat, readings)) is not None and question.key in self.answers:
            self.decisions = {**self.decisions, question.key: self._answer(question)}
            self._seat = None
            if self.problems:
                return
        for key in self.answers.keys() - self.decisions.keys():
            words = "is no decision that this seat came to: state the cards it held"
            self.problems.append(rules.Problem(f"seat {self.number} decisions.{key}", words, _dealing_clause(game)))

    def finish(self, game: rules.Game) -> None:
        """Find what is too much: cards, decisions, or a hand that was not foul."""
        if self.is_turned and not self.turns and not self.problems:
            words = "nothing is turned round: the hand is not foul"
            self.problems.append(rules.Problem(f"seat {self.number} turned", words, _dealing_clause(game)))
        # After a refused decision the seat may have been entitled to more cards than were followed, not to fewer.
        if len(self.cards) < self.due or (len(self.cards) > self.due and not self.problems):
            words = f"{len(self.cards)} cards, but the seat is entitled to {self.due}"
            self.problems.append(rules.Problem(f"seat {self.number} cards", words, _dealing_clause(game)))
        for key in self.answers:
            if key not in game.decisions:
                words = f"unknown decision; {game.title} has: {', '.join(game.decisions)}"
                self.problems.append(rules.Problem(f"seat {self.number} decisions.{key}", words, _dealing_clause(game)))
        if self.problems or len(self.answers) == len(self.decisions):
            return
        folded = False in self.decisions.values()
        for key, value in self.answers.items():
            # A decision that falls away with a fold may be stated as not made.
            falls_away = folded and value is False and key in game.falls_away
            if key not in self.decisions and not falls_away:
                words = f"{value!r}: this seat has no such decision to make"
                self.problems.append(rules.Problem(f"seat {self.number} decisions.{key}", words, _dealing_clause(game)))


def _cards_of(value: Any) -> tuple[Card, ...]:
    if isinstance(value, list | tuple):
        try:
            return parse_cards(value, as_printed=True)
        except CardError:
            if all(isinstance(text, str) for text in value):
                raise
    raise CardError(f"{value!r} must be a list of cards")


def _dealing_clause(game: rules.Game) -> str:
    return next(stage.clause.id for stage in game.stages if stage.kind is rules.StageKind.DEAL)
