"""The coach: the exact value of every answer to a question, and what the one that was given costs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.cards import card_text, parse_cards
from pitboss.rules import Game, Question
from pitboss.table import Configuration, Round, view
from pitboss.table.round import HIDDEN


class Grade(NamedTuple):
    """A grade of a decision: its words, and the most it costs of the base wager; the last has no end."""

    name: str
    words: str
    most: Fraction | None


GRADES = (
    Grade("best", "Best", Fraction(0)),
    Grade("good", "Good", Fraction(1, 200)),
    Grade("slip", "Slip", Fraction(1, 40)),
    Grade("mistake", "Mistake", Fraction(1, 8)),
    Grade("costly", "Costly mistake", None),
)
"""By what they cost: nothing, up to half a percent of the base wager, up to 2.5, up to 12.5, more."""


def grade_of(cost: Fraction) -> Grade:
    """Return the grade of a decision that costs so much of the base wager."""
    return next(grade for grade in GRADES if grade.most is None or cost <= grade.most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as a seat sees it: its own cards, those that lie face up, what it has decided, and every answer."""

    wagers: tuple[str, ...]
    player: tuple[str, ...]
    public: tuple[str, ...]
    decided: tuple[tuple[str, Any], ...]
    key: str
    words: str
    options: tuple[Any, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the fields as JSON, cards as their texts."""
        return {
            "wagers": list(self.wagers),
            "player": list(self.player),
            "public": list(self.public),
            "decided": {key: _to_json(value) for key, value in self.decided},
            "key": self.key,
            "words": self.words,
            "options": [_to_json(option) for option in self.options],
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "Asked":
        """Read what `as_json` writes."""
        return cls(
            wagers=tuple(fields["wagers"]),
            player=tuple(fields["player"]),
            public=tuple(fields["public"]),
            decided=tuple((key, _from_json(value)) for key, value in fields["decided"].items()),
            key=fields["key"],
            words=fields["words"],
            options=tuple(map(_from_json, fields["options"])),
        )

    def place_of(self, answer: Any) -> int:
        """Return which of the options an answer is; cards in whatever order."""
        return next(place for place, option in enumerate(self.options) if _same(option, answer))


def _to_json(value: Any) -> Any:
    return [card_text(card) for card in value] if isinstance(value, tuple) else value


def _from_json(value: Any) -> Any:
    return parse_cards(value) if isinstance(value, list) else value


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, tuple) and isinstance(second, tuple):
        return set(first) == set(second)
    return bool(first == second)


def answer_label(key: str, words: str, option: Any) -> str:
    """Return an answer to a question in words, as on its button: Play, Fold, Raise 2x."""
    name = key.replace("-", " ").capitalize()
    declined = next((word for word in ("Surrender", "Fold") if word.lower() in words), f"No {name.lower()}")
    match option:
        case True:
            return name
        case False | 0:
            return declined
        case tuple():
            return " ".join(map(card_text, option))
    return f"{name} {option}x"


def asked_of(played: Round) -> Asked | None:
    """Return the question that is open in a round, as its seat sees it."""
    turn = played.question()
    if turn is None:
        return None
    number, question = turn
    return _asked(played, number, question)


def _asked(played: Round, number: int, question: Question) -> Asked:
    seen = view(played, number)
    return Asked(
        wagers=tuple(seen.wagers[number]),
        player=tuple(card for card in seen.hands[number] if card != HIDDEN),
        public=tuple(card for card in seen.board if card != HIDDEN),
        decided=tuple(seen.decisions[number].items()),
        key=question.key,
        words=question.words,
        options=tuple(question.options()),
    )


Best = Callable[..., Sequence[Any]]
"""`odds.best`: the alternatives with a hand, each with its value and the answers that come to it."""


def option_values(configuration: Configuration, game: Game, asked: Asked, best: Best) -> tuple[Fraction | None, ...]:
    """Return for each option what it wins per base wager when all that follows is played best; nothing if unknown."""
    alternatives = _alternatives(configuration, game, asked, best)
    decided = dict(asked.decided)
    values = []
    for option in asked.options:
        answers = {**decided, asked.key: option}
        fitting = [each.ev for each in alternatives if any(_fits(answers, equal) for equal in each.answers)]
        values.append(max(fitting, default=None))
    return tuple(values)


def _fits(answers: Mapping[str, Any], alternative: Mapping[str, Any]) -> bool:
    return all(_same(alternative[key], value) for key, value in answers.items() if key in alternative)


def _alternatives(configuration: Configuration, game: Game, asked: Asked, best: Best) -> Sequence[Any]:
    """Find the wager whose decision is asked for: the main one first, then those with a decision of their own."""
    cards = parse_cards(list(asked.player)), parse_cards(list(asked.public))
    names = sorted(asked.wagers, key=lambda name: name != game.main.name)
    for name in names:
        try:
            alternatives = best(game, configuration.terms, *cards, wager=game.by_name[name])
        except ValueError:
            continue
        if any(asked.key in equal for each in alternatives for equal in each.answers):
            return alternatives
    return ()


class Verdict(NamedTuple):
    """What an answer was worth: its grade, what it costs of the base wager, and the best answer."""

    grade: Grade
    cost: Fraction
    best: Any


def verdict(asked: Asked, answer: Any, values: Sequence[Fraction | None]) -> Verdict | None:
    """Grade an answer; nothing where some value is not known."""
    if not values or any(value is None for value in values):
        return None
    exact = [value for value in values if value is not None]
    top = max(exact)
    cost = top - exact[asked.place_of(answer)]
    return Verdict(grade_of(cost), cost, asked.options[exact.index(top)])


def decided_hand(asked: Asked, answer: Any) -> Any:
    """Return a decision as `odds.price_own` takes it; `answer` is as JSON has it."""
    answers = {**dict(asked.decided), asked.key: _from_json(answer)}
    return parse_cards(list(asked.player)), parse_cards(list(asked.public)), answers
