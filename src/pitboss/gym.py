"""The main wager of each game as a Gymnasium environment: what a player sees, what they may decide, what they win.

Install with the extra `gym`. An observation has a number for every card place of seat and board, 0 for a card that the
player does not see, and last how many decisions were made. Every action is the number of an answer to the question
asked; `info["answers"]` says how many there are, and a number beyond them counts as the last.
"""

from typing import Any

import gymnasium
import numpy

from pitboss.games import find_game
from pitboss.odds.card_layout import layout_of
from pitboss.odds.pricing import unit_pays
from pitboss.odds.solving import first_tables, stated_terms
from pitboss.rules import Hands, Question, Seat
from pitboss.rules.facts import encode

_CARDS = 53
_TRIES = 40


class RoundEnvironment(gymnasium.Env[Any, Any]):
    """One round of a game's main wager, played by one seat; the reward is what it wins per base wager."""

    metadata = {"render_modes": []}  # noqa: RUF012 - Gymnasium's own name and kind

    def __init__(self, game: str, paytables: list[Any] | None = None, decks: int | None = None) -> None:
        """Make ready a game under its first printed tables, or those stated."""
        self.game = find_game(game)
        main = self.game.main
        self.terms = stated_terms(self.game, {main.name: paytables or first_tables(self.game, main)}, decks=decks)[0]
        self.layout = layout_of(self.game, self.terms)
        self.pays = unit_pays(main, self.terms)
        self._tables, self._readings = self.game.tables(), self.game.reading_codes(self.terms)
        places = self.layout.seat + self.layout.board
        self.observation_space = gymnasium.spaces.Box(0, _CARDS, (places + 1,), numpy.int64)
        self._row: list[int] = []
        self._level, self._decisions, self._answered = 0, dict[str, Any](), 0
        self.action_space = gymnasium.spaces.Discrete(self._most_answers())

    def _most_answers(self) -> int:
        most = 0
        for seed in range(_TRIES):
            self.reset(seed=seed)
            ended = False
            while not ended:
                most = max(most, self._answers())
                ended = self.step(0)[2]
        return most

    def _seat(self) -> Seat:
        held = tuple(self._row[place] for place in self.layout.open_places[self._level] if place < self.layout.seat)
        return Seat(1, {self.game.main.name: 100}, held, self._decisions)

    def _question(self) -> Question | None:
        """Return the next question, having gone on to the next decision where none is left at this one."""
        while True:
            question = self.game.question(self._seat(), self.terms.readings)
            if question is not None or self._level + 1 == len(self.layout.open_places):
                return question
            self._level += 1

    def _answers(self) -> int:
        question = self._question()
        return 0 if question is None else len(question.options())

    def _observation(self) -> Any:
        seen = numpy.zeros(len(self._row) + 1, dtype=numpy.int64)
        for place in self.layout.open_places[self._level]:
            seen[place] = self._row[place] + 1
        seen[-1] = self._answered
        return seen

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Shuffle and deal up to the first decision."""
        super().reset(seed=seed, options=options)
        deck = self.terms.deck.cards
        dealt = self.np_random.choice(len(deck), self.layout.seat + self.layout.board, replace=False)
        self._row = [deck[place] for place in dealt.tolist()]
        self._level, self._decisions, self._answered = 0, {}, 0
        return self._observation(), {"answers": self._answers()}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Answer the question asked; after the last answer the round is settled."""
        question = self._question()
        assert question is not None, "the round is over: reset"
        options = question.options()
        self._decisions = {**self._decisions, question.key: options[min(int(action), len(options) - 1)]}
        self._answered += 1
        held = self._seat().cards
        if self._question() is not None:
            return self._observation(), 0.0, False, False, {"answers": self._answers()}
        choices = self.game.choices(self._decisions, held)
        hands = Hands(
            tuple(self._row[: self.layout.seat]), tuple(self._row[self.layout.seat :]), choices, self._readings
        )
        net = self.pays.net[encode(self.game.main.read(hands, self._tables), self.game.main.bounds)]
        return self._observation(), float(net), True, False, {"answers": 0}
