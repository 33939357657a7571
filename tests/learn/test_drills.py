"""Issue 20, Practice: drills of decisions, by which a simulated beginner comes to optimal play."""

from __future__ import annotations

import datetime
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from pitboss import odds
from pitboss.cards import parse_cards
from pitboss.games import all_games
from pitboss.learn.coach import Asked
from pitboss.learn.drills import (
    CLOSE,
    CLOSE_MOST,
    Drill,
    DrillHand,
    DrillQuestion,
    drill_question,
    focuses,
    read_answer,
)
from pitboss.rules import Game
from pitboss.table import default_configuration

NOW = datetime.datetime(2026, 11, 18, 12, tzinfo=datetime.UTC)
KEY = bytes(range(32))
GAMES = all_games()
QUICK = GAMES[0]
PLAY = Asked(
    wagers=("ante-play",), player=("Qs", "6d", "4c"), public=(), decided=(), key="play", words="Play or fold?", options=(True, False)
)  # fmt: skip
QUESTION = DrillQuestion(PLAY, (Fraction(-99, 100), Fraction(-1)))


def test_a_missed_hand_comes_back_after_three_others_then_ten_and_the_gap_is_said() -> None:
    drill = Drill(key=KEY).answered(QUESTION, answer=False, now=NOW)
    assert drill.verdict is not None
    assert (drill.verdict.cost, drill.streak, drill.right) == (Fraction(1, 100), 0, 0)
    assert drill.missed is not None
    assert drill.missed.back_words(drill.exercise, NOW) == "This hand comes back after 3 others."
    assert drill.answered(QUESTION, answer=True, now=NOW) is drill, "an answer is given once"
    shown = []
    for _ in range(20):
        drill = drill.go_on(NOW)
        shown.append(drill.hand.number)
        drill = drill.answered(QUESTION, answer=True, now=NOW)
    assert [place for place, number in enumerate(shown, start=1) if number == 1] == [4, 15]
    assert (drill.right, drill.streak, drill.longest, drill.waiting) == (20, 20, 20, ())


def test_spacing_is_by_fsrs_and_only_if_asked_for() -> None:
    drill = replace(Drill(key=KEY), is_spaced=True).answered(QUESTION, answer=False, now=NOW)
    assert drill.missed is not None
    assert drill.missed.back_words(drill.exercise, NOW) == "This hand comes back in about 1 minute."
    assert drill.go_on(NOW).hand.number == 2, "not due yet"
    later = NOW + datetime.timedelta(minutes=2)
    back = drill.go_on(later)
    assert back.hand.number == 1
    for _ in range(2):
        back = back.answered(QUESTION, answer=True, now=later)
        assert back.missed is not None
        words = back.missed.back_words(back.exercise, later)
        back = replace(back, verdict=None)
    assert "day" in words


def test_another_focus_takes_the_place_of_a_hand_that_is_not_answered() -> None:
    drill = Drill(key=KEY).about("pair")
    assert drill.hand == DrillHand("pair", 2)
    assert drill.answered(QUESTION, answer=True, now=NOW).about(CLOSE).hand == drill.hand


def test_answers_are_typed_in_words_numbers_or_cards() -> None:
    assert read_answer(PLAY, " play ") is True
    assert read_answer(PLAY, "F") is False
    raised = replace(PLAY, key="raise", words="Raise how many Antes, or fold?", options=(0, 1, 2, 3))
    assert [read_answer(raised, text) for text in ("fold", "1", "2x", "Raise 3x")] == [0, 1, 2, 3]
    cards = replace(PLAY, key="high", options=(parse_cards(["Qs", "6d"]), parse_cards(["6d", "4c"])))
    assert read_answer(cards, "4c, 6D") == parse_cards(["6d", "4c"])
    for asked, text in ((PLAY, ""), (PLAY, "hit"), (raised, "raise"), (cards, "Qs"), (cards, "zz")):
        with pytest.raises(ValueError, match=r"\w"):
            read_answer(asked, text)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_drill_can_be_about_each_decision_of_the_main_wager(game: Game) -> None:
    about = set(focuses(default_configuration(game, NOW.date())))
    assert {CLOSE, "any", "pair", "no-pair"} <= about
    assert about & set(game.decisions) in (set(), {"play", "raise"}, {"high", "double"})


class Beginner:
    """Who guesses, and remembers of a hand that is back what was said to be best."""

    def __init__(self, game: Game) -> None:
        self.game, self.configuration = game, default_configuration(game, NOW.date())
        self.best = partial(odds.best, store=odds.default_store())
        self.questions: dict[DrillHand, DrillQuestion] = {}
        self.guesses: dict[DrillHand, object] = {}
        self.learned: dict[DrillHand, object] = {}

    def follow(self, exercises: int) -> list[Drill]:
        drill, done = Drill(key=KEY), []
        for _ in range(exercises):
            hand = drill.hand
            if hand not in self.questions:
                question = self.questions[hand] = drill_question(self.configuration, KEY, hand, self.best)
                self.guesses[hand] = question.asked.options[drill.exercise * 7 // 3 % len(question.asked.options)]
            question = self.questions[hand]
            drill = drill.answered(question, self.learned.get(hand, self.guesses[hand]), NOW)
            assert drill.verdict is not None
            self.learned[hand] = drill.verdict.best
            done.append(drill)
            drill = drill.go_on(NOW)
        return done

    @property
    def guessed(self) -> list[odds.DecidedHand]:
        return [self.decided(hand, answer) for hand, answer in self.guesses.items()]

    @property
    def remembered(self) -> list[odds.DecidedHand]:
        return [self.decided(hand, answer) for hand, answer in self.learned.items()]

    def decided(self, hand: DrillHand, answer: object) -> odds.DecidedHand:
        asked = self.questions[hand].asked
        answers = {**dict(asked.decided), asked.key: answer}
        if "high" in answers:
            answers.setdefault("double", False)
        return odds.DecidedHand(parse_cards(list(asked.player)), parse_cards(list(asked.public)), answers)

    def short_of_optimal(self, decided: list[odds.DecidedHand]) -> Fraction:
        own = odds.price_own(self.game, self.configuration.terms, decided, store=odds.default_store())
        return own.optimal - own.ev


@pytest.mark.parametrize(("game", "exercises"), [(QUICK, 40), *(pytest.param(game, 300, marks=pytest.mark.slow) for game in GAMES)])  # fmt: skip
def test_a_beginner_who_follows_the_drills_ends_within_a_twentieth_of_a_percent(game: Game, exercises: int) -> None:
    beginner = Beginner(game)
    done = beginner.follow(exercises)
    assert done[-1].right < exercises, "a beginner misses some"
    assert any(drill.missed and drill.exercise > drill.missed.missed for drill in done), "and sees them again"
    first, last = beginner.short_of_optimal(beginner.guessed), beginner.short_of_optimal(beginner.remembered)
    assert last <= Fraction(5, 10_000), float(last)
    assert last < first, (float(first), float(last))


@pytest.mark.parametrize("game", [QUICK], ids=lambda game: game.name)
def test_close_hands_are_close_and_the_same_key_deals_the_same(game: Game) -> None:
    configuration, best = default_configuration(game, NOW.date()), partial(odds.best, store=odds.default_store())
    for number in range(1, 6):
        question = drill_question(configuration, KEY, DrillHand(CLOSE, number), best)
        assert 0 < question.gap <= CLOSE_MOST
        assert question == drill_question(configuration, KEY, DrillHand(CLOSE, number), best)
        paired = drill_question(configuration, KEY, DrillHand("pair", number), best)
        assert len({text[0] for text in paired.asked.player}) < 3
