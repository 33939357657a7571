"""Drills of decisions: a course of lessons, close hands, or hands of one kind; one that was missed comes back.

The course teaches what `pitboss.odds.course` makes of the game: rules first, then exceptions, the costliest first.
"""

import datetime
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from fsrs import Card as Schedule
from fsrs import Rating, Scheduler

from pitboss.cards import JOKER, Card, CardError, parse_cards
from pitboss.games import find_game
from pitboss.learn.coach import GRADES, Asked, Best, Verdict, answer_label, asked_of, option_values, verdict
from pitboss.learn.practice import dealt_round, finished_by_house
from pitboss.table import Configuration, Decide, PlaceWagers, Round

COURSE = "course"
CLOSE = "close"
CLOSE_MOST = Fraction(1, 10)
"""A hand is close where the next best answer costs at most so much of the base wager."""
_CANDIDATES, _FEW = 24, 4
"""So many hands are dealt at most to find one that suits; else the closest of the first few is taken."""
_GAPS = (3, 10)
"""A hand that was missed comes back after so many others; right then, after so many; right again, no more."""
_WAITING_MAX = 200
_SCHEDULER = Scheduler(enable_fuzzing=False)


class DrillHand(NamedTuple):
    """Which hand of a drill: what it was looked for, and its number; the key of the drill deals the same one again."""

    focus: str
    number: int


_FIRST = DrillHand(COURSE, 1)


class DrillQuestion(NamedTuple):
    """A hand of a drill: the question as the seat sees it, the exact value of every answer, and what it teaches."""

    asked: Asked
    values: tuple[Fraction, ...]
    lesson: str = ""

    @property
    def gap(self) -> Fraction:
        """What the next best answer costs of the base wager; nothing where all are worth the same."""
        top = max(self.values)
        return top - max((value for value in self.values if value < top), default=top)


def _played(configuration: Configuration, key: bytes, hand: int) -> Round:
    """Deal a hand with the least main wager on it, up to its first decision."""
    return _started(configuration, dealt_round(configuration, key, hand).shoe)


def _started(configuration: Configuration, shoe: tuple[Card, ...]) -> Round:
    """Place the least main wager and deal from this shoe, up to the first decision."""
    main = find_game(configuration.game).main.name
    wagers = ((main, configuration.limits(main)[0]),)
    played = Round(configuration=configuration, shoe=shoe, meters=configuration.meters)
    return finished_by_house(played.apply(PlaceWagers(1, wagers)))


@lru_cache(maxsize=16)
def focuses(configuration: Configuration) -> dict[str, str]:
    """Return what a drill can be about: close hands, any, with a pair or without, or one decision where it has more."""
    words = {
        COURSE: "Course",
        CLOSE: "Close decisions",
        "any": "Any hand",
        "pair": "With a pair",
        "no-pair": "Without a pair",
    }
    played, keys = _played(configuration, bytes(32), 1), []
    while (turn := played.question()) is not None:
        keys.append(turn[1].key)
        played = finished_by_house(played.apply(Decide(turn[0], turn[1].key, turn[1].options()[0])))
    return words | ({key: f"Only: {key}" for key in keys} if len(keys) > 1 else {})


def _suits(focus: str, question: DrillQuestion) -> bool:
    asked = question.asked
    has_pair = len({text[0] for text in asked.player}) < len(asked.player)
    fits = {"any": True, CLOSE: 0 < question.gap <= CLOSE_MOST, "pair": has_pair, "no-pair": not has_pair}
    return fits.get(focus, asked.key == focus)


def _questions(configuration: Configuration, key: bytes, hand: int, best: Best) -> Iterator[DrillQuestion]:
    """Ask every question of a hand, each after the best answers to those before it."""
    played, game = _played(configuration, key, hand), find_game(configuration.game)
    while (asked := asked_of(played)) is not None:
        values = tuple(value for value in option_values(configuration, game, asked, best) if value is not None)
        if len(values) < len(asked.options):
            return
        yield DrillQuestion(asked, values)
        played = finished_by_house(played.apply(Decide(1, asked.key, asked.options[values.index(max(values))])))


def drill_question(configuration: Configuration, key: bytes, hand: DrillHand, best: Best) -> DrillQuestion:
    """Deal hands until one suits; where none does, the closest of the first few, so that not always the same comes."""
    closest: DrillQuestion | None = None
    for place in range(hand.number * _CANDIDATES, (hand.number + 1) * _CANDIDATES):
        # The number says which of a hand's questions is looked at first, so that each comes up.
        questions = list(_questions(configuration, key, place, best))
        turn = hand.number % max(len(questions), 1)
        for question in (*questions[turn:], *questions[:turn]):
            if _suits(hand.focus, question):
                return question
            if place % _CANDIDATES < _FEW and (closest is None or 0 < question.gap < closest.gap or not closest.gap):
                closest = question
    assert closest is not None
    return closest


class Shown(NamedTuple):
    """A hand that shows a lesson: the player's cards, those that lie open, and what is said of it."""

    player: tuple[Card, ...]
    public: tuple[Card, ...]
    words: str


Lessons = Sequence[tuple[str, Sequence[tuple[Sequence[str], Sequence[str], str]]]]
"""The lessons of a course in their order: what each says, and its hands with what is said of each."""


def shown_in_course(lessons: Lessons, key: bytes, number: int) -> Shown:
    """Return the hand of a course by its number, its suits renamed by the key; after the last lesson they come again.

    A course of one lesson shows its hands in their order, any other one of each lesson in turn.
    """
    digest = hashlib.sha256(key + number.to_bytes(8, "big")).digest()
    words, hands = lessons[(number - 1) % len(lessons)]
    place = number - 1 if len(lessons) == 1 else int.from_bytes(digest[:4], "big")
    player, public, own = hands[place % len(hands)]
    suits = sorted(range(4), key=lambda suit: digest[4 + suit])

    def renamed(texts: Sequence[str]) -> tuple[Card, ...]:
        return tuple(card if card == JOKER else card & ~3 | suits[card & 3] for card in parse_cards(list(texts)))

    return Shown(renamed(player), renamed(public), " ".join(filter(None, (words, own))))


@lru_cache(maxsize=16)
def _places(configuration: Configuration, player: int, public: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return where in the shoe the cards lie that a seat holds and sees when it holds so many."""
    plain = _asking(configuration, _shoe(configuration), player)
    size = player + public
    places: dict[int, int] = {}
    shoe = _shoe(configuration)
    for at in range(len(shoe)):
        other = next(place for place in range(len(shoe) - 1, 0, -1) if shoe[place] != shoe[at])
        now = _asking(configuration, _swapped(shoe, at, other), player)
        changed = [place for place, pair in enumerate(zip(plain, now, strict=True)) if pair[0] != pair[1]]
        if len(changed) == 1 and at < other:
            places.setdefault(changed[0], at)
        if len(places) == size:
            break
    order = tuple(places[place] for place in range(size))
    return order[:player], order[player:]


def _shoe(configuration: Configuration) -> tuple[Card, ...]:
    return dealt_round(configuration, bytes(32), 1).shoe


def _swapped(shoe: tuple[Card, ...], one: int, other: int) -> tuple[Card, ...]:
    cards = list(shoe)
    cards[one], cards[other] = cards[other], cards[one]
    return tuple(cards)


def _asking(configuration: Configuration, shoe: tuple[Card, ...], player: int) -> tuple[str, ...]:
    """Return what a seat sees when it is asked with so many cards."""
    asked = asked_of(_up_to(_started(configuration, shoe), player))
    assert asked is not None
    return (*asked.player, *asked.public)


def _up_to(played: Round, player: int) -> Round:
    """Go on with a round until its seat is asked with so many cards, by the answers that do not end it."""
    while (asked := asked_of(played)) is not None and len(asked.player) < player:
        courses = (finished_by_house(played.apply(Decide(1, asked.key, option))) for option in asked.options)
        played = next(
            course for course in courses if (turn := asked_of(course)) and len(turn.player) > len(asked.player)
        )
    return played


def course_question(configuration: Configuration, key: bytes, number: int, shown: Shown, best: Best) -> DrillQuestion:
    """Deal the hand of a lesson, and ask what it is about; the rest of the shoe is as the key has it."""
    cards = list(dealt_round(configuration, key, number).shoe)
    wanted = (*shown.player, *shown.public)
    places = [place for part in _places(configuration, len(shown.player), len(shown.public)) for place in part]
    for turn, (place, card) in enumerate(zip(places, wanted, strict=True)):
        if cards[place] != card:
            fixed = set(places[:turn])
            other = next(at for at, held in enumerate(cards) if held == card and at not in fixed)
            cards[place], cards[other] = cards[other], cards[place]
    asked = asked_of(_up_to(_started(configuration, tuple(cards)), len(shown.player)))
    assert asked is not None
    values = option_values(configuration, find_game(configuration.game), asked, best)
    exact = tuple(value for value in values if value is not None)
    assert len(exact) == len(values)
    return DrillQuestion(asked, exact, shown.words)


class Missed(NamedTuple):
    """A hand that was missed and comes back: when it was missed, at which exercise it is due, how often it was right.

    With spacing the `schedule` says when it is due.
    """

    hand: DrillHand
    missed: int
    due: int
    right: int = 0
    schedule: Schedule | None = None

    def is_due(self, exercise: int, now: datetime.datetime) -> bool:
        """True if it is to be shown at this exercise."""
        return exercise >= self.due if self.schedule is None else now >= self.schedule.due

    def back_words(self, exercise: int, now: datetime.datetime) -> str:
        """Return when it comes back."""
        if self.schedule is None:
            between = self.due - exercise - 1
            return f"This hand comes back after {between} other{'s' if between > 1 else ''}."
        minutes = max(1, round((self.schedule.due - now).total_seconds() / 60))
        size, unit = next(pair for pair in ((1440, "day"), (60, "hour"), (1, "minute")) if minutes >= pair[0])
        number = round(minutes / size)
        return f"This hand comes back in about {number} {unit}{'s' if number > 1 else ''}."


_AS_GOOD = 2
"""Cards that are set for less are set right by the first so many grades: nobody tells such settings apart by eye."""


def _is_right(asked: Asked, word: Verdict) -> bool:
    """True if an answer is the best; of settings of two hands, if it is graded Best or Good."""
    if isinstance(asked.options[0], tuple):
        return word.grade in GRADES[:_AS_GOOD]
    return not word.cost


@dataclass(frozen=True, kw_only=True)
class Drill:
    """A drill: the key of its hands, what it is about, the hand that is on, what was answered, and what comes back."""

    key: bytes
    focus: str = CLOSE
    is_spaced: bool = False
    is_typed: bool = False
    hand: DrillHand = _FIRST
    fresh: int = 2
    exercise: int = 1
    answer: Any = None
    verdict: Verdict | None = None
    right: int = 0
    streak: int = 0
    longest: int = 0
    cost: Fraction = Fraction(0)
    waiting: tuple[Missed, ...] = ()

    @property
    def step(self) -> int:
        """A number that grows with everything that is done: a form that is sent twice is done once."""
        return 2 * self.exercise + (self.verdict is not None)

    @property
    def missed(self) -> Missed | None:
        """The hand that is on, if it was missed before or just now."""
        return next((each for each in self.waiting if each.hand == self.hand), None)

    def answered(self, question: DrillQuestion, answer: Any, now: datetime.datetime) -> "Drill":
        """Grade an answer; one that has a better one is missed and comes back."""
        if self.verdict is not None:
            return self
        word = verdict(question.asked, answer, question.values)
        assert word is not None
        is_right, before = _is_right(question.asked, word), self.missed
        streak = self.streak + 1 if is_right else 0
        others = tuple(each for each in self.waiting if each.hand != self.hand)
        after = self._after(before, now, is_right=is_right)
        return replace(
            self,
            answer=answer,
            verdict=word,
            right=self.right + is_right,
            streak=streak,
            longest=max(self.longest, streak),
            cost=self.cost + word.cost,
            waiting=(*others, *(() if after is None else (after,)))[-_WAITING_MAX:],
        )

    def _after(self, before: Missed | None, now: datetime.datetime, *, is_right: bool) -> Missed | None:
        """Return when the hand comes back after this answer, if it does."""
        times = 0 if before is None or not is_right else before.right + 1
        if is_right and (before is None or (before.schedule is None and times >= len(_GAPS))):
            return None
        missed = self.exercise if before is None or not is_right else before.missed
        schedule = None if before is None else before.schedule
        if self.is_spaced or schedule is not None:
            rating = Rating.Good if is_right else Rating.Again
            schedule, _ = _SCHEDULER.review_card(schedule or Schedule(self.exercise, due=now), rating, now)
        return Missed(self.hand, missed, self.exercise + _GAPS[min(times, 1)] + 1, times, schedule)

    def go_on(self, now: datetime.datetime) -> "Drill":
        """Show the next hand: one that is due, else a fresh one."""
        if self.verdict is None:
            return self
        exercise = self.exercise + 1
        due = next((each.hand for each in self.waiting if each.is_due(exercise, now)), None)
        hand = due or DrillHand(self.focus, self.fresh)
        fresh = self.fresh + (due is None)
        return replace(self, exercise=exercise, hand=hand, fresh=fresh, answer=None, verdict=None)

    def about(self, focus: str) -> "Drill":
        """Change what the drill is about: a hand that is not answered yet gives way to one of that."""
        if self.verdict is not None or self.missed is not None:
            return replace(self, focus=focus)
        return replace(self, focus=focus, hand=DrillHand(focus, self.fresh), fresh=self.fresh + 1)


def read_answer(asked: Asked, text: str) -> Any:
    """Read an answer as it is typed: cards, a number, or the first letters of what a button would say."""
    typed = text.strip().lower().removesuffix("x").strip()
    if isinstance(asked.options[0], tuple):
        try:
            cards = parse_cards(text.replace(",", " ").split())
        except CardError as error:
            raise ValueError(str(error)) from None
        fitting: Sequence[Any] = [option for option in asked.options if set(option) == set(cards)]
    else:
        labels = {option: answer_label(asked.key, asked.words, option).lower() for option in asked.options}
        fitting = [option for option in asked.options if not isinstance(option, bool) and typed == str(option)]
        if typed and not fitting:
            fitting = [option for option, label in labels.items() if label.removesuffix("x").startswith(typed)]
    if len(fitting) != 1:
        choices = " or ".join(answer_label(asked.key, asked.words, option) for option in asked.options[:4])
        raise ValueError(f"{text.strip() or 'Nothing'} is no answer here: type {choices}.")
    return fitting[0]
