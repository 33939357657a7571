"""A strategy given in a file: lines in the words of `pitboss strategy`, the first whose words hold decides.

The file is what `pitboss strategy GAME --json` prints, changed at will; of it only `decisions` is read.
"""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import Any

import numpy

from pitboss.odds.strategy import context_of, strategy_module
from pitboss.rules import Game, Terms, Wager
from pitboss.rules.counting import Counts
from pitboss.rules.features import Feature, StrategyQuestion

__all__ = ["choices_in_file"]

_OTHERWISE = "otherwise"
_AND = " and "


def choices_in_file(game: Game, wager: Wager, terms: Terms, counts: Counts, text: str) -> list[Any]:
    """Give the decision that a strategy file takes at every node; all that is wrong comes in one ValueError."""
    questions: tuple[StrategyQuestion, ...] = strategy_module(game, wager).questions(
        wager.name, context_of(game, wager, terms)
    )
    stated = _stated(text, questions)
    choices: list[Any] = [None] * len(counts.levels)
    problems: list[str] = []
    earlier: dict[int, tuple[Any, ...]] = {}
    for question, lines in zip(questions, stated, strict=True):
        before = earlier.get(question.level, ())
        nodes = len(counts.levels[question.level].weights)
        answers = _answers(question, question.features(before), lines, nodes, problems)
        earlier[question.level] = (*before, answers)
        leads = answers if question.leads_to is None else _led(question.leads_to(before), answers)
        choices[question.level] = leads.astype(numpy.int64)
    if problems:
        raise ValueError("; ".join(problems))
    return choices


def _led(leads: Any, answers: Any) -> Any:
    return numpy.take_along_axis(leads[:, :, 0], answers[:, None].astype(numpy.int64), axis=1)[:, 0]


def _stated(text: str, questions: tuple[StrategyQuestion, ...]) -> list[list[tuple[str, str]]]:
    """Read the lines of every question, as pairs of words and decision."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"the strategy file is no JSON: {error}") from None
    decisions = content.get("decisions") if isinstance(content, dict) else None
    if not isinstance(decisions, list) or len(decisions) != len(questions):
        asked = ", ".join(repr(question.words) for question in questions)
        raise ValueError(f"the strategy file must have `decisions`, one for each of: {asked}")
    try:
        return [[(line["words"], line["decision"]) for line in decision["lines"]] for decision in decisions]
    except (TypeError, KeyError):
        raise ValueError("every decision must have `lines`, each with `words` and `decision`") from None


def _answers(
    question: StrategyQuestion,
    features: tuple[Feature, ...],
    lines: list[tuple[str, str]],
    nodes: int,
    problems: list[str],
) -> Any:
    """Give the answer of the first line that holds at every node."""
    answers = numpy.full(nodes, -1, dtype=numpy.int64)
    if not lines or lines[-1][0] != _OTHERWISE:
        problems.append(f"{question.words!r}: the last line must be {_OTHERWISE!r}")
    for words, decision in lines:
        if decision not in question.answers:
            problems.append(
                f"{decision!r} is no answer to {question.words!r}; there are: {', '.join(question.answers)}"
            )
            continue
        holds = _holds(features, words, nodes, problems)
        answers[(answers < 0) & holds] = question.answers.index(decision)
    return numpy.maximum(answers, 0)


def _holds(features: tuple[Feature, ...], words: str, nodes: int, problems: list[str]) -> Any:
    """Tell at which nodes all that a line says is so."""
    holds = numpy.ones(nodes, dtype=numpy.bool_)
    if words == _OTHERWISE:
        return holds
    pieces = words.split(_AND)
    while pieces:
        # Words may have an "and" of their own: the most that is one thing comes first.
        size, found = _longest(features, pieces)
        if found is None:
            problems.append(f"{pieces[0]!r} is nothing that a player looks at{_near(features, pieces[0])}")
        else:
            holds &= found
        pieces = pieces[size:]
    return holds


def _near(features: tuple[Feature, ...], said: str) -> str:
    """Name the words that come nearest to what was said."""
    words = [each for feature in features for each in (*feature.at_least.values(), *feature.at_most.values())]
    near = get_close_matches(said, words, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else "; `pitboss strategy` shows such words"


def _longest(features: tuple[Feature, ...], pieces: list[str]) -> tuple[int, Any]:
    """Find the most pieces from the first on that are words of one feature, and at which nodes they hold."""
    for size in range(len(pieces), 0, -1):
        said = _AND.join(pieces[:size])
        for feature in features:
            found = _one(feature, said)
            if found is not None:
                return size, found
    return 1, None


def _one(feature: Feature, said: str) -> Any:
    """Tell at which nodes these words hold, if they are words of this feature."""
    values = feature.values
    for bound, words in feature.at_least.items():
        if words == said:
            return values >= bound
    for bound, words in feature.at_most.items():
        if words == said:
            return values <= bound
    if feature.between is not None:
        for low in feature.at_least:
            for high in feature.at_most:
                if low <= high and feature.between(low, high) == said:
                    return (values >= low) & (values <= high)
    return None
