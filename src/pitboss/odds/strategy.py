"""Strategies for people: a few lines for each decision, found by search, with their exact cost against optimal play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy

from pitboss.cards import Card, card_text, overdealt
from pitboss.odds import line_search
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import UnitPays, best_decisions, price, unit_pays
from pitboss.odds.results import OddsResult
from pitboss.odds.solving import counts_of, solve_terms
from pitboss.odds.store import OddsStore
from pitboss.rules import Game, Terms, Wager
from pitboss.rules.counting import GOES_ON, Counts
from pitboss.rules.features import Answers, Feature, HandSpec, NodeMatch, StrategyQuestion


@dataclass(frozen=True)
class Alternative:
    """A decision with a hand: what it wins per base wager, and whether it is the one that optimal play takes.

    `answers` are the answers of the seat that come to it, by the keys of its questions.
    """

    decision: str
    ev: Fraction
    best: bool
    answers: tuple[Mapping[str, Any], ...] = field(default=(), compare=False)


def best(
    game: Game,
    terms: Terms,
    player: tuple[Card, ...],
    public: tuple[Card, ...] = (),
    *,
    wager: Wager | None = None,
    store: OddsStore | None = None,
) -> tuple[Alternative, ...]:
    """Return the value of every decision with this hand, the best first (G-18); all that is wrong is one ValueError."""
    chosen = wager or game.main
    own = alone(game, chosen, terms)
    spec, match = _node(game, chosen, own, player, public)
    counts = counts_of(game, chosen, own, store=store, counted=spec.counted)
    pays = _scaled_pays(chosen, own)
    values = _Values(counts, pays).of_node(spec.level, match.node)
    order = sorted(values, key=lambda decision: _order(values[decision]))
    return tuple(
        Alternative(
            match.decisions[decision],
            Fraction(values[decision].net, pays.scale * values[decision].deals),
            place == 0,
            match.answers[decision],
        )
        for place, decision in enumerate(order)
    )


def _node(
    game: Game, wager: Wager, terms: Terms, player: tuple[Card, ...], public: tuple[Card, ...]
) -> tuple[HandSpec, NodeMatch]:
    """Find which decision a hand asks for, and the node at which it stands."""
    strategy_of_game = strategy_module(game, wager)
    spec = _hand_spec(game, terms, strategy_of_game.hand_specs(wager.name), player, public)
    return spec, strategy_of_game.find(wager.name, context_of(game, wager, terms), player, public)


def count_hands(game: Game, terms: Terms, *, wager: Wager, store: OddsStore | None) -> None:
    """Count every hand of a wager that `best` may be asked about, so that none has to wait."""
    own = alone(game, wager, terms)
    for spec in strategy_module(game, wager).hand_specs(wager.name):
        counts_of(game, wager, own, store=store, counted=spec.counted)


class DecidedHand(NamedTuple):
    """A hand that somebody has decided: their cards, those that lie face up, and their answers by question."""

    player: tuple[Card, ...]
    public: tuple[Card, ...]
    answers: Mapping[str, Any]


@dataclass(frozen=True)
class OwnPlay:
    """What somebody's own play wins per base wager, beside optimal play; `share` of all deals is of decided classes."""

    ev: Fraction
    optimal: Fraction
    share: Fraction


def price_own(
    game: Game, terms: Terms, decided: Sequence[DecidedHand], *, wager: Wager | None = None, store: OddsStore | None
) -> OwnPlay:
    """Price play that decides every hand of a class as the last one of it was decided, and optimally elsewhere.

    Hands are of one class where a person sees the same of them; where a hand is set, each is a class of its own.
    """
    chosen = wager or game.main
    own = alone(game, chosen, terms)
    counts, pays = counts_of(game, chosen, own, store=store), _pays(chosen, own)
    optimal = best_decisions(counts, pays)
    choices, is_decided = (
        [level.copy() for level in optimal],
        [numpy.zeros(len(level), dtype=bool) for level in optimal],
    )
    seen = [_seen_at(game, chosen, own, place) for place in range(len(optimal))]
    for hand in decided:
        spec, match = _node(game, chosen, own, hand.player, hand.public)
        if spec.counted:
            continue
        place = spec.level
        decision = next((index for index, equal in enumerate(match.answers) if _answered(hand.answers, equal)), None)
        if decision is None:
            continue
        alike = numpy.arange(len(choices[place])) == match.node
        if seen[place] is not None:
            alike = (seen[place] == seen[place][match.node]).all(axis=1)
        if (allowed := counts.levels[place].allowed) is not None:
            alike &= allowed[:, decision] != 0
        choices[place][alike], is_decided[place][alike] = decision, True
    first, total = counts.levels[0].weights, int(counts.levels[0].weights.sum())
    share = Fraction(int(first[is_decided[0]].sum()), total)
    return OwnPlay(_ev(counts, pays, choices), _ev(counts, pays, optimal), share)


def _answered(answers: Mapping[str, Any], equals: Sequence[Mapping[str, Any]]) -> bool:
    def same(first: Any, second: Any) -> bool:
        return set(first) == set(second) if isinstance(first, tuple) and isinstance(second, tuple) else first == second

    return any(all(key in answers and same(answers[key], value) for key, value in equal.items()) for equal in equals)


def _ev(counts: Counts, pays: UnitPays, choices: list[Any]) -> Fraction:
    priced = price(counts, pays, choices)
    return sum((pays.net[code] * count for code, count in priced.histogram.items()), Fraction(0)) / priced.total


def _seen_at(game: Game, wager: Wager, terms: Terms, place: int) -> Any:
    """Return what a person sees of the hands of a level, a column for each feature; nothing where hands are set."""
    context = context_of(game, wager, terms)
    questions = [asked for asked in strategy_module(game, wager).questions(wager.name, context) if asked.level == place]
    if len(questions) != 1 or questions[0].leads_to is not None:
        return None
    return numpy.stack([feature.values for feature in questions[0].features(())], axis=1)


_pays = lru_cache(maxsize=8)(unit_pays)


def strategy_module(game: Game, wager: Wager) -> Any:
    """Return the module that says what a person looks at in a wager with decisions."""
    if game.strategy is None:
        raise ValueError(f"{game.title} does not say what a person looks at")
    strategy_of_game = import_module(game.strategy)
    if not strategy_of_game.hand_specs(wager.name):
        raise ValueError(f"{wager.title} of {game.title} has no decision of its own")
    return strategy_of_game


def alone(game: Game, wager: Wager, terms: Terms) -> Terms:
    """Return the terms under which a wager stands alone: without the tables of a main wager it may stand beside."""
    if wager.shares is None:
        return terms
    beside = {slot.name for slot in game.by_name[wager.shares.main].slots}
    return replace(terms, tables={name: table for name, table in terms.tables.items() if name not in beside})


def context_of(game: Game, wager: Wager, terms: Terms, ranks: int = 13) -> NumbaContext:
    """Return the context that a wager is counted with."""
    readings = game.reading_codes(terms) if wager.switches else ()
    return NumbaContext(ranks=ranks, decks=terms.deck.decks, readings=readings)


def _hand_spec(
    game: Game, terms: Terms, specs: tuple[HandSpec, ...], player: tuple[Card, ...], public: tuple[Card, ...]
) -> HandSpec:
    """Find which decision these cards ask for, or raise an error that names all that is wrong with them."""
    problems = []
    if len(player) not in {spec.player for spec in specs}:
        numbers = " or ".join(str(spec.player) for spec in specs)
        problems.append(f"the player decides with {numbers} cards, not with {len(player)}")
    public_cards = specs[0].public
    if len(public) != public_cards:
        what = (
            f"{public_cards} card{'s' if public_cards > 1 else ''} of the {game.board.name} up"
            if public_cards
            else "no card up"
        )
        problems.append(f"there must be {what}, not {len(public)}")
    for card in overdealt(terms.deck, (*player, *public)):
        copies = terms.deck.copies(card)
        held = "not in the deck" if not copies else "there more often than in the deck"
        problems.append(f"{card_text(card)} is {held}")
    if problems:
        raise ValueError("; ".join(problems))
    return next(spec for spec in specs if spec.player == len(player))


class _Value(NamedTuple):
    """Sums over the deals: net and its square, scaled, and the chips at risk, and how many deals there are."""

    net: int
    staked: int
    square: int
    deals: int


class _ScaledPays(NamedTuple):
    """What each facts code nets in whole numbers, as often as `scale` says, and the chips at risk."""

    net: tuple[int, ...]
    staked: tuple[int, ...]
    scale: int


@lru_cache(maxsize=8)
def _scaled_pays(wager: Wager, terms: Terms) -> _ScaledPays:
    pays = _pays(wager, terms)
    scale = pays.scale
    return _ScaledPays(tuple(int(net * scale) for net in pays.net), pays.staked, scale)


def _order(value: _Value) -> tuple[int, int, int]:
    """Order decisions as optimal play prefers them: worth, smaller wager, smaller variance, the first (G-18)."""
    return -value.net, value.staked, value.square


class _Values:
    """The values of decisions at nodes, exactly."""

    def __init__(self, counts: Counts, pays: _ScaledPays) -> None:
        self._counts = counts
        self._pays = pays

    def of_node(self, place: int, node: int) -> dict[int, _Value]:
        """Return the value of every decision that a node has."""
        level = self._counts.levels[place]
        values = {}
        for decision, branch in enumerate(level.branches):
            if level.allowed is not None and not level.allowed[node, decision]:
                continue
            if branch == GOES_ON:
                values[decision] = self._carried(place + 1, node)
            else:
                codes = level.codes[decision, level.groups[node, branch]]
                values[decision] = self._sum(level.counts[node, branch], codes)
        return values

    def _sum(self, counts: Any, codes: Any) -> _Value:
        net = staked = square = 0
        there = counts.nonzero()[0]
        for count, code in zip(counts[there].tolist(), codes[there].tolist(), strict=True):
            net += count * self._pays.net[code]
            staked += count * self._pays.staked[code]
            square += count * self._pays.net[code] ** 2
        return _Value(net, staked, square, int(counts.sum()))

    def _carried(self, place: int, parent: int) -> _Value:
        """Add up the best decisions of the nodes below one."""
        level = self._counts.levels[place]
        net = staked = square = deals = 0
        assert level.parents is not None
        first, last = numpy.searchsorted(level.parents, (parent, parent + 1)).tolist()
        for node in range(first, last):
            weight = int(level.weights[node])
            best_value = min(self.of_node(place, node).values(), key=_order)
            net += weight * best_value.net
            staked += weight * best_value.staked
            square += weight * best_value.square
            deals += weight * best_value.deals
        return _Value(net, staked, square, deals)


LINES_MAX = 8
COST_MAX = Fraction(2, 1000)
# A word of a condition must save more than this share of the base wager.
_WORD = 1_000_000


@dataclass(frozen=True)
class DecisionLine:
    """One line: where its words hold and no line above did, the decision.

    It decides this share of the deals that come to the decision, none if none do.
    """

    words: str
    decision: str
    share: Fraction


@dataclass(frozen=True)
class DecisionLines:
    """The lines of one decision, the last of which is for all that is left."""

    question: str
    lines: tuple[DecisionLine, ...]


@dataclass(frozen=True)
class Strategy:
    """Lines for every decision, what they win per base wager, and what that is short of optimal play.

    `lines` is how many the longest decision has. `choices` are the decisions taken at every node, by level.
    """

    decisions: tuple[DecisionLines, ...]
    ev: Fraction
    cost: Fraction
    lines: int
    choices: list[Any] = field(compare=False, repr=False)


@dataclass(frozen=True)
class Trade:
    """Lines against cost: each step is better than the one before, by at most one line more for every decision.

    Recommended is the first step within COST_MAX of the base wager, or the best there is.
    """

    optimal: OddsResult
    steps: tuple[Strategy, ...]
    recommended: Strategy


def strategies(game: Game, terms: Terms, *, wager: Wager | None = None, store: OddsStore | None = None) -> Trade:
    """Search for strategies of a wager, of the main one if none is named; a wager that may stand beside it, alone."""
    chosen = wager or game.main
    return _trade(game, chosen, alone(game, chosen, terms), store)


@lru_cache(maxsize=4)
def _trade(game: Game, wager: Wager, terms: Terms, store: OddsStore | None) -> Trade:
    optimal = solve_terms(game, wager, terms, store=store)
    counts = counts_of(game, wager, terms, store=store)
    search = Search(game, wager, terms, counts, context_of(game, wager, terms))
    steps: list[Strategy] = []
    for _ in range(LINES_MAX):
        step = search.step(optimal.ev)
        if not steps or step.cost < steps[-1].cost:
            steps.append(step)
        if step.cost == 0:
            break
    recommended = next((step for step in steps if step.cost <= COST_MAX), steps[-1])
    return Trade(optimal, tuple(steps), recommended)


@dataclass(frozen=True, eq=False)
class AnsweredQuestion:
    """A question with its answers at every node: the plan found, and the case of each node.

    `weights` are how many deals come to each node, `carried` what going on from there is worth.
    """

    question: StrategyQuestion
    features: tuple[Feature, ...]
    plan: line_search.LinePlan
    cases: line_search.Cases
    index: Any
    weights: Any
    carried: Any

    @property
    def lines(self) -> Any:
        """The line that decides each node."""
        return self.cases.lines_of(self.plan).astype(numpy.int8)[self.index]

    @property
    def answers(self) -> Any:
        """The answer at each node."""
        return self.cases.answers_of(self.plan).astype(numpy.int8)[self.index]


class Search:
    """A search for strategies of one wager, one line more at every step.

    The decisions of the last level are looked at first, as often as the choices above lead to them; those above know
    what the choices below are worth. Each knows the others' choices of the step before, then of this one.
    """

    def __init__(self, game: Game, wager: Wager, terms: Terms, counts: Counts, context: NumbaContext) -> None:
        self.counts = counts
        self.pays: UnitPays = unit_pays(wager, terms)
        self.questions: tuple[StrategyQuestion, ...] = strategy_module(game, wager).questions(wager.name, context)
        self.nets, self.base = line_search.guiding_nets(counts, self.pays)
        self.penalty = self.base // _WORD
        self.answered: tuple[AnsweredQuestion, ...] = ()
        """The questions as the last step answers them."""
        self.choices: list[Any] = best_decisions(counts, self.pays)
        self.plans: list[tuple[line_search.LinePlan, ...]] = [()] * len(self.questions)
        self._cached_cases: dict[int, tuple[tuple[Any, ...], tuple[Any, ...]]] = {}

    def step(self, optimal: Fraction) -> Strategy:
        """Find a strategy with at most one line more for every decision."""
        answered = self._answer_all(grow=True)
        if len(self.counts.levels) > 1:
            answered = self._answer_all(grow=False)
        self.answered = tuple(answered)
        ev = _ev(self.counts, self.pays, self.choices)
        reached = line_search.reaching(self.counts, self.choices)
        decisions = tuple(_in_words(question, reached[question.question.level]) for question in answered)
        lines = max(len(question.lines) for question in decisions)
        return Strategy(decisions, ev, optimal - ev, lines, list(self.choices))

    def _answer_all(self, *, grow: bool) -> list[AnsweredQuestion]:
        answered: dict[int, AnsweredQuestion] = {}
        carried = numpy.zeros(0, dtype=numpy.int64)
        for place in reversed(range(len(self.counts.levels))):
            level = self.counts.levels[place]
            weights = line_search.reaching(self.counts, self.choices)[place]
            earlier: Answers = ()
            for number, question in enumerate(self.questions):
                if question.level == place:
                    features, leads, cases, index = self._cases(number, weights, carried, earlier)
                    self.plans[number] = _grown(cases, self.plans[number], grow=grow)
                    answered[number] = AnsweredQuestion(
                        question, features, self.plans[number][0], cases, index, weights, carried
                    )
                    answers = answered[number].answers
                    self.choices[place] = numpy.take_along_axis(leads[:, :, 0], answers[:, None], axis=1)[:, 0]
                    earlier = (*earlier, answers)
            if place:
                decisions = self.choices[place][:, None, None]
                above = len(self.counts.levels[place - 1].weights)
                carried = line_search.worth_of(
                    level, self.nets, carried, level.weights, decisions, level.parents, above
                )[0]
        return [answered[number] for number in range(len(self.questions))]

    def _cases(self, number: int, weights: Any, carried: Any, earlier: Answers) -> Any:
        """Return features, leads, cases and the case of every node; those of the step before where nothing changed."""
        inputs = (weights, carried, *earlier)
        cached = self._cached_cases.get(number)
        if cached is None or not all(map(numpy.array_equal, cached[0], inputs)):
            question = self.questions[number]
            level = self.counts.levels[question.level]
            features, leads = question.features(earlier), _leads(question, earlier, len(weights))
            cases = line_search.cases_of(level, self.nets, carried, weights, features, leads, self.penalty)
            cached = self._cached_cases[number] = inputs, (features, leads, *cases)
        return cached[1]


def _leads(question: StrategyQuestion, earlier: Answers, nodes: int) -> Any:
    """Return the decisions that are open after each answer at every node."""
    if question.leads_to is not None:
        return question.leads_to(earlier)
    decisions = numpy.arange(len(question.answers), dtype=numpy.int8)
    return numpy.broadcast_to(decisions[None, :, None], (nodes, len(decisions), 1))


def _grown(
    cases: line_search.Cases, plans: tuple[line_search.LinePlan, ...], *, grow: bool
) -> tuple[line_search.LinePlan, ...]:
    """Grow plans by one line, or improve the best one for cases that changed; only differences count."""
    different = numpy.flatnonzero(cases.losses.any(axis=0))
    fewer = line_search.Cases(cases.seen[:, different], cases.losses[:, different], cases.prices)
    if not plans:
        return line_search.one_line(fewer)
    if grow:
        return line_search.one_line_more(fewer, plans)
    best = line_search.refined(fewer, plans[0])
    return (best, *(plan for plan in plans[1:] if plan != best))


def _in_words(answered: AnsweredQuestion, weights: Any) -> DecisionLines:
    """Write a plan in lines, with the share of the deals that each decides."""
    plan, deciding = answered.plan, answered.lines
    decided = [int(weights[deciding == line].sum()) for line in range(plan.lines)]
    words = [*(condition_words(answered.features, rule.condition) for rule in plan.rules), "otherwise"]
    answers = [*(rule.answer for rule in plan.rules), plan.otherwise]
    lines = tuple(
        DecisionLine(text, answered.question.answers[answer], Fraction(count, sum(decided) or 1))
        for text, answer, count in zip(words, answers, decided, strict=True)
    )
    return DecisionLines(answered.question.words, lines)


def condition_words(features: Sequence[Feature], condition: tuple[line_search.Bound, ...]) -> str:
    """Write a condition, the bounds in the order of the features."""
    phrases: list[str] = []
    bounds = sorted(condition)
    for place, bound in enumerate(bounds):
        feature = features[bound.feature]
        if place and bounds[place - 1].feature == bound.feature and feature.between is not None:
            phrases[-1] = feature.between(bounds[place - 1].bound, bound.bound)
        else:
            phrases.append((feature.at_least if bound.side == line_search.AT_LEAST else feature.at_most)[bound.bound])
    return " and ".join(phrases)
