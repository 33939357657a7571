"""Jobs of the worker for practice: the exact value of every answer, and the price of somebody's own play."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from pitboss import odds
from pitboss.cards import parse_cards, parse_key
from pitboss.games import find_game
from pitboss.learn.coach import Asked, decided_hand, option_values
from pitboss.learn.drills import DrillHand, Shown, course_question, drill_question
from pitboss.learn.exercises import make_catalogue
from pitboss.odds.course import make_course
from pitboss.papers.catalogue import make_notice
from pitboss.papers.source import source_of_file
from pitboss.server.worker.jobs import GUESTS, ODDS, Job, SlowJob, as_base64, configuration_of
from pitboss.table import Configuration

_ROUNDS = 24
"""The search for exercises deals so many rounds of each kind at most."""


@lru_cache(maxsize=16)
def _configuration(text: str) -> Configuration:
    return configuration_of(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachCountsJob(SlowJob):
    """The counts that a game's coach reads, so that no quick job has to count; stored on disk."""

    configuration: str

    def run(self) -> dict[str, Any]:
        """Count the wagers with decisions."""
        configuration, store = _configuration(self.configuration), odds.default_store()
        game = find_game(configuration.game)
        for name in configuration.wagers:
            # What has no decision of its own the coach never reads: nobody waits for it.
            with suppress(ValueError):
                odds.count_hands(game, configuration.terms, wager=game.by_name[name], store=store)
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachJob(Job):
    """The exact value of every answer to a question; the counts stay in the worker's memory."""

    configuration: str
    asked: dict[str, Any]

    @property
    def lane(self) -> str:
        """That of figures for which somebody waits at the felt."""
        return ODDS

    def run(self) -> dict[str, Any]:
        """Look the hand up in the counts."""
        configuration = _configuration(self.configuration)
        best = partial(odds.best, store=odds.default_store())
        values = option_values(configuration, find_game(configuration.game), Asked.from_json(self.asked), best)
        return {"values": [None if value is None else str(value) for value in values]}


def values_of(result: dict[str, Any]) -> tuple[Fraction | None, ...]:
    """Read the values of a coach's job."""
    return tuple(None if text is None else Fraction(text) for text in result["values"])


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillJob(Job):
    """A hand of a drill with the exact value of every answer; the same key, focus and number are the same hand.

    Of a course it is the hand that shows a lesson.
    """

    configuration: str
    seed: str
    focus: str
    number: int
    player: tuple[str, ...] = ()
    public: tuple[str, ...] = ()
    lesson: str = ""

    @property
    def lane(self) -> str:
        """That of figures for which somebody waits at the felt."""
        return ODDS

    def run(self) -> dict[str, Any]:
        """Deal the hand of the lesson, else hands until one suits the drill."""
        best, configuration = partial(odds.best, store=odds.default_store()), _configuration(self.configuration)
        key = parse_key(self.seed)
        if self.player:
            shown = Shown(parse_cards(list(self.player)), parse_cards(list(self.public)), self.lesson)
            question = course_question(configuration, key, self.number, shown, best)
        else:
            question = drill_question(configuration, key, DrillHand(self.focus, self.number), best)
        values = list(map(str, question.values))
        return {"asked": question.asked.as_json(), "values": values, "lesson": question.lesson}


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseJob(SlowJob):
    """The lessons of a game's drill, each with the hands that show it."""

    configuration: str

    def run(self) -> dict[str, Any]:
        """Find the lines, their exceptions, or what hands are worth."""
        configuration = _configuration(self.configuration)
        course = make_course(find_game(configuration.game), configuration.terms, store=odds.default_store())
        return {"lessons": [[lesson.words, [list(hand) for hand in lesson.hands]] for lesson in course.lessons]}


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPlayJob(SlowJob):
    """The exact price of somebody's own way of playing, beside optimal play and the lines for people."""

    configuration: str
    decisions: list[dict[str, Any]]

    @property
    def lane(self) -> str:
        """One of its own: anybody asks for it."""
        return GUESTS

    def run(self) -> dict[str, Any]:
        """Price the play by the classes of hands that were decided."""
        configuration, store = _configuration(self.configuration), odds.default_store()
        game = find_game(configuration.game)
        decided = [
            odds.DecidedHand(*decided_hand(Asked.from_json(item["asked"]), item["answer"])) for item in self.decisions
        ]
        own = odds.price_own(game, configuration.terms, decided, store=store)
        lines = odds.strategies(game, configuration.terms, store=store).recommended
        return {
            "own": str(own.ev),
            "optimal": str(own.optimal),
            "share": str(own.share),
            "lines": str(lines.ev),
            "how_many": lines.lines,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueJob(SlowJob):
    """The exercises of a table: by mark how the round that shows it is made."""

    configuration: str

    def run(self) -> dict[str, Any]:
        """Search for the rounds."""
        catalogue = make_catalogue(_configuration(self.configuration), _ROUNDS)
        return {"marks": [[mark, *recipe] for mark, recipe in sorted(catalogue.items())]}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPdfJob(Job):
    """The record of a table test, to be printed, signed and filed."""

    configuration: str
    room: str
    table: str
    view: dict[str, Any]

    @property
    def needs_worker(self) -> bool:
        """True: typesetting takes a processor for a second."""
        return True

    def run(self) -> dict[str, Any]:
        """Typeset the record."""
        source = source_of_file(_configuration(self.configuration), self.room, self.table)
        return {"pdf": as_base64(make_notice(self.view, replace(source, problems=())))}
