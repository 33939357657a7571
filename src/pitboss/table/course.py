"""The course of a finished round: what each seat had to decide and how many cards it was entitled to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pitboss.cards import Card, CardError, parse_cards
from pitboss.rules import CardPlace, Game, Problem, Question, Seat, Stage, StageKind
from pitboss.rules.stages import anybody, everybody

__all__ = ["Course", "check_course"]


@dataclass(slots=True)
class Course:
    """What following the stages has found: seats with checked decisions, cards due on the board, problems."""

    seats: list[Seat]
    board_cards: int = 0
    problems: list[Problem] = field(default_factory=list)


def check_course(
    game: Game, seats: list[Seat], stated: Sequence[Mapping[str, Any]], readings: Mapping[str, str]
) -> Course:
    """Follow the stages of a round whose cards and decisions are all known, and tell every problem with them.

    `stated` holds each seat's decisions as stated, unchecked; the seats of the course have them checked.
    """
    followers = [_Follower(seat, given) for seat, given in zip(seats, stated, strict=True)]
    course = Course([])
    for stage in _dealing_and_deciding(game):
        if stage.kind is StageKind.DEAL:
            _deal(stage, followers, course)
        else:
            for follower in followers:
                follower.decide(game, readings)
    for follower in followers:
        follower.finish(game)
        course.problems += follower.problems
    course.seats = [follower.seat for follower in followers]
    return course


@cache
def _dealing_and_deciding(game: Game) -> tuple[Stage, ...]:
    return tuple(stage for stage in game.stages if stage.kind in (StageKind.DEAL, StageKind.DECIDE))


def _deal(stage: Stage, followers: list[_Follower], course: Course) -> None:
    if stage.who is CardPlace.SEATS:
        for follower in followers:
            follower.deal(stage)
    elif stage.who is CardPlace.BOARD and _is_needed(stage, followers):
        course.board_cards += len(stage.faces)


def _is_needed(stage: Stage, followers: list[_Follower]) -> bool:
    if stage.needed is anybody:
        return bool(followers)
    return stage.needed(tuple(follower.seat for follower in followers))


class _Follower:
    """One seat on its way through the stages."""

    def __init__(self, seat: Seat, stated: Mapping[str, Any]) -> None:
        self.number = seat.number
        self.wagers = seat.wagers
        self.cards = seat.cards
        self.stated = stated
        self.decisions: dict[str, Any] = {}
        self.due = 0
        self.problems: list[Problem] = []
        self._seat: Seat | None = None

    @property
    def seat(self) -> Seat:
        """The seat as it stands, made when somebody looks: more cards are dealt than looked at."""
        if self._seat is None:
            self._seat = Seat(self.number, self.wagers, self.cards[: self.due], self.decisions)
        return self._seat

    def deal(self, stage: Stage) -> None:
        if not self.problems and (stage.entitled is everybody or stage.entitled(self.seat)):
            self.due += len(stage.faces)
            self._seat = None

    def decide(self, game: Game, readings: Mapping[str, str]) -> None:
        if self.problems:
            return
        while (question := game.question(self.seat, readings)) is not None:
            known = len(self.problems)
            answer = self._answer(question)
            if len(self.problems) > known:
                # Asked further as if it had taken the first option, so that all that is missing is named at once.
                options = question.options()
                if not options:
                    return
                answer = options[0]
            self.decisions = {**self.decisions, question.key: answer}
            self._seat = None

    def _answer(self, question: Question) -> Any:
        if question.key not in self.stated:
            self._refuse(f"is missing: {question.words}", question)
            return None
        value = self.stated[question.key]
        if question.takes_cards:
            try:
                value = _cards_of(value)
            except CardError as error:
                self._refuse(str(error), question)
                return None
        refusal = question.refusal(value)
        if refusal is not None:
            self._refuse(refusal, question)
        return value

    def _refuse(self, words: str, question: Question) -> None:
        path = f"seat {self.number} decisions.{question.key}"
        self.problems.append(Problem(path, words, question.clause.id, question.ruling))

    def finish(self, game: Game) -> None:
        # After a refused decision the seat may have been entitled to more cards than were followed, not to fewer.
        if len(self.cards) < self.due or (len(self.cards) > self.due and not self.problems):
            words = f"{len(self.cards)} cards, but the seat is entitled to {self.due}"
            self.problems.append(Problem(f"seat {self.number} cards", words, _dealing_clause(game)))
        for key in self.stated:
            if key not in game.decisions:
                words = f"unknown decision; {game.title} has: {', '.join(game.decisions)}"
                self.problems.append(Problem(f"seat {self.number} decisions.{key}", words, _dealing_clause(game)))
        if self.problems or len(self.stated) == len(self.decisions):
            return
        folded = False in self.decisions.values()
        for key, value in self.stated.items():
            # A decision that falls away with a fold may be stated as not made.
            falls_away = folded and value is False and key in game.falls_away
            if key not in self.decisions and not falls_away:
                words = f"{value!r}: this seat has no such decision to make"
                self.problems.append(Problem(f"seat {self.number} decisions.{key}", words, _dealing_clause(game)))


def _cards_of(value: Any) -> tuple[Card, ...]:
    if isinstance(value, list | tuple):
        try:
            return parse_cards(value, as_printed=True)
        except CardError:
            if all(isinstance(text, str) for text in value):
                raise
    raise CardError(f"{value!r} must be a list of cards")


def _dealing_clause(game: Game) -> str:
    return next(stage.clause.id for stage in game.stages if stage.kind is StageKind.DEAL)
