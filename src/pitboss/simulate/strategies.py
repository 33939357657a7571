"""How the seats play: decisions at every node of the counts, with the exact odds under these very decisions.

A strategy may come in a file: what `pitboss strategy GAME --json` prints, changed at will, of which only `decisions` is
read. Of its lines the first whose words hold decides.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import numpy

from pitboss.odds import pricing
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import Priced, UnitPays, best_decisions, unit_pays
from pitboss.odds.results import OddsResult, make_result
from pitboss.odds.solving import counts_of, terms_of_one
from pitboss.odds.store import OddsStore
from pitboss.odds.strategy import context_of, strategies, strategy_module
from pitboss.rules import Game, Terms, Wager
from pitboss.rules.counting import Counts
from pitboss.rules.features import Feature, StrategyQuestion
from pitboss.simulate.setup import NEVER_FOLD, OPTIMAL, SIMPLE

_OTHERWISE = "otherwise"
_AND = " and "


def choices_in_file(game: Game, wager: Wager, terms: Terms, counts: Counts, text: str) -> list[Any]:
    """Return the decision that a strategy file takes at every node; all that is wrong comes in one ValueError."""
    questions: tuple[StrategyQuestion, ...] = strategy_module(game, wager).questions(
        wager.name, context_of(game, wager, terms)
    )
    lines_by_question = _lines_of_file(text, questions)
    choices: list[Any] = [None] * len(counts.levels)
    problems: list[str] = []
    earlier: dict[int, tuple[Any, ...]] = {}
    for question, lines in zip(questions, lines_by_question, strict=True):
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


def _lines_of_file(text: str, questions: tuple[StrategyQuestion, ...]) -> list[list[tuple[str, str]]]:
    """Read the lines of every question, as pairs of words and decision."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"the strategy file is no JSON: {error}") from None
    decisions = content.get("decisions") if isinstance(content, dict) else None
    if not isinstance(decisions, list) or len(decisions) != len(questions):
        texts = ", ".join(repr(question.words) for question in questions)
        raise ValueError(f"the strategy file must have `decisions`, one for each of: {texts}")
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
    """Return the answer of the first line that holds at every node."""
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
    """Return the nodes at which all conditions of a line hold."""
    holds = numpy.ones(nodes, dtype=numpy.bool_)
    if words == _OTHERWISE:
        return holds
    pieces = words.split(_AND)
    while pieces:
        # Words may have an "and" of their own: the most that is one thing comes first.
        size, nodes_where = _longest(features, pieces)
        if nodes_where is None:
            problems.append(f"{pieces[0]!r} is nothing that a player looks at{_near(features, pieces[0])}")
        else:
            holds &= nodes_where
        pieces = pieces[size:]
    return holds


def _near(features: tuple[Feature, ...], text: str) -> str:
    """Name the words that come nearest to what was said."""
    words = [phrase for feature in features for phrase in (*feature.at_least.values(), *feature.at_most.values())]
    near = get_close_matches(text, words, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else "; `pitboss strategy` shows such words"


def _longest(features: tuple[Feature, ...], pieces: list[str]) -> tuple[int, Any]:
    """Find the most pieces from the first on that are words of one feature, and at which nodes they hold."""
    for size in range(len(pieces), 0, -1):
        text = _AND.join(pieces[:size])
        for feature in features:
            nodes = _one(feature, text)
            if nodes is not None:
                return size, nodes
    return 1, None


def _one(feature: Feature, text: str) -> Any:
    """Return the nodes at which this phrase holds, or nothing if it is no phrase of the feature."""
    values = feature.values
    for bound, words in feature.at_least.items():
        if words == text:
            return values >= bound
    for bound, words in feature.at_most.items():
        if words == text:
            return values <= bound
    if feature.between is not None:
        for low in feature.at_least:
            for high in feature.at_most:
                if low <= high and feature.between(low, high) == text:
                    return (values >= low) & (values <= high)
    return None


@dataclass(frozen=True, slots=True)
class Exact:
    """The exact odds of a wager under the decisions taken, with how often each facts code occurs."""

    wager: Wager
    terms: Terms
    pays: UnitPays
    priced: Priced
    result: OddsResult

    def result_of(self, priced: Priced) -> OddsResult:
        """Return the figures of another histogram of facts codes, such as one that was simulated."""
        return _result(self.wager, self.terms, self.pays, priced, self.result.basis, self.result.method)


@dataclass(frozen=True, slots=True)
class Decided:
    """The decisions of every wager that has some, by node and level, and the exact odds of every wager placed."""

    choices: Mapping[str, list[Any]]
    exact: Mapping[str, Exact]


def decide(game: Game, terms: Terms, placed: frozenset[str], strategy: str, store: OddsStore | None = None) -> Decided:
    """Decide at every node as the strategy says, for the wagers placed."""
    main = game.main
    plays_main = main.name in placed
    exact: dict[str, Exact] = {}
    choices: dict[str, list[Any]] = {}
    if plays_main:
        counts, pays = _counts_and_pays(game, main, terms, store)
        choices[main.name] = _main_choices(game, main, terms, counts, pays, strategy, store)
        _break_ties(game, terms, placed, strategy, choices, store)
        exact[main.name] = _exact(main, terms, pays, counts, choices[main.name])
    for wager in game.wagers:
        if wager.name not in placed or wager is main:
            continue
        if plays_main and wager.shares_decision(terms):
            counts = _beside(game, wager, terms, choices[main.name], store)
            pays = unit_pays(wager, terms)
            follows = _follows(wager)
            branch = _branches(counts, game, terms, choices, store) if follows else best_decisions(counts, pays)
            choices[wager.name] = branch
            exact[wager.name] = _exact(wager, terms, pays, counts, branch, basis=_basis(wager))
        else:
            counts, pays = _counts_and_pays(game, wager, terms, store)
            choices[wager.name] = best_decisions(counts, pays)
            exact[wager.name] = _exact(wager, terms, pays, counts, choices[wager.name])
    return Decided(choices, exact)


def _main_choices(
    game: Game, main: Wager, terms: Terms, counts: Counts, pays: UnitPays, strategy: str, store: OddsStore | None
) -> list[Any]:
    if strategy == OPTIMAL:
        return best_decisions(counts, pays)
    if strategy == NEVER_FOLD:
        return best_decisions(_never_folding(game, counts), pays)
    if strategy == SIMPLE:
        return strategies(game, terms_of_one(main, terms), store=store).recommended.choices
    return choices_in_file(game, main, terms_of_one(main, terms), counts, strategy)


def _never_folding(game: Game, counts: Counts) -> Counts:
    """Return only decisions that keep the hand in play."""
    folds = import_module(game.rounds or "").FOLDS
    levels = []
    for level in counts.levels:
        keeps = numpy.array([name not in folds for name in level.decisions], dtype=numpy.int8)
        shape = (len(level.weights), len(keeps))
        allowed = numpy.broadcast_to(keeps, shape) if level.allowed is None else level.allowed * keeps
        levels.append(replace(level, allowed=numpy.ascontiguousarray(allowed)))
    return replace(counts, levels=tuple(levels))


def _counts_and_pays(game: Game, wager: Wager, terms: Terms, store: OddsStore | None) -> tuple[Counts, UnitPays]:
    return counts_of(game, wager, terms, store=store), unit_pays(wager, terms)


def _follows(wager: Wager) -> bool:
    return wager.shares is not None and wager.shares.follows_branch


def _basis(wager: Wager) -> str:
    return wager.shares.basis if wager.shares is not None else "alone"


def _break_ties(
    game: Game,
    terms: Terms,
    placed: frozenset[str],
    strategy: str,
    choices: dict[str, list[Any]],
    store: OddsStore | None,
) -> None:
    """Where several branches are worth most in the main wager, take the one that pays a wager more that follows it."""
    main = game.main
    for wager in game.wagers:
        if strategy != OPTIMAL or wager.name not in placed or not wager.follows_main(terms):
            continue
        counts, pays = _counts_and_pays(game, main, terms, store)
        tied = pricing.best_branches(counts, pays)
        side, side_pays = _counts_and_pays(game, wager, terms, store)
        (branch,) = pricing.follow_branches(side, side_pays, tied)
        (level,) = counts.levels
        on_branch = numpy.array(level.branches)[None, :] == branch[:, None]
        allowed = on_branch if level.allowed is None else on_branch & (level.allowed > 0)
        only = replace(counts, levels=(replace(level, allowed=allowed.astype(numpy.int8)),))
        choices[main.name] = best_decisions(only, pays)


def _beside(game: Game, wager: Wager, terms: Terms, main: list[Any], store: OddsStore | None) -> Counts:
    if _follows(wager):
        return counts_of(game, wager, terms, store=store)
    context = NumbaContext(decks=terms.deck.decks, readings=game.reading_codes(terms))
    counts: Counts = import_module(game.loops or "").beside(wager.name, context, main)
    return counts


def _branches(
    counts: Counts, game: Game, terms: Terms, choices: Mapping[str, list[Any]], store: OddsStore | None
) -> Any:
    """Return the decision of a wager that follows the main one: the branch that was taken there."""
    (decisions,) = choices[game.main.name]
    (level,) = counts_of(game, game.main, terms, store=store).levels
    assert list(counts.levels[0].branches) == list(range(len(counts.levels[0].branches)))
    return [numpy.array(level.branches, dtype=numpy.int64)[decisions]]


def _exact(
    wager: Wager, terms: Terms, pays: UnitPays, counts: Counts, choices: list[Any], *, basis: str | None = None
) -> Exact:
    priced = pricing.price(counts, pays, choices)
    result = _result(wager, terms, pays, priced, basis or counts.basis, counts.method)
    return Exact(wager, terms, pays, priced, result)


def _result(wager: Wager, terms: Terms, pays: UnitPays, priced: Priced, basis: str, method: str) -> OddsResult:
    decks = terms.deck.decks if terms.deck.decks > 1 else None
    return make_result(wager, terms, pays, priced, basis=basis, method=method, decks=decks)
