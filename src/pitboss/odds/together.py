"""Two wagers that share a decision, played together: what is best for both depends on the ratio of their stakes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from math import lcm
from typing import Any

import numpy

from pitboss.odds.context import NumbaContext
from pitboss.odds.decimals import ratio_text
from pitboss.odds.pricing import Priced, UnitPays, price, unit_pays
from pitboss.odds.solving import counts_of, solve_terms, terms_of_one
from pitboss.odds.store import OddsStore
from pitboss.rules import Game, Terms, Wager
from pitboss.rules.counting import GOES_ON, Counts, DecisionLevel

_SAFE = 1 << 62


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """Both wagers under the play that is best for both, per unit of the main wager.

    `ratio` is the side wager's stake for each unit of the main one; none stands for a main stake that does not count.
    `apart` is what the two bring when the main wager is played as if alone.
    """

    game: str
    wager: str
    main: str
    paytables: tuple[str, ...]
    readings: dict[str, str]
    ratio: Fraction | None
    main_ev: Fraction
    side_ev: Fraction
    apart: Fraction | None
    decisions: tuple[dict[str, Fraction], ...]

    @property
    def ev(self) -> Fraction:
        """The expectation of both, per unit of the main wager."""
        return self.main_ev + (self.ratio or 0) * self.side_ev

    @property
    def gain(self) -> Fraction | None:
        """What playing for both brings over playing the main wager as if alone."""
        return None if self.apart is None else self.ev - self.apart

    def as_json(self) -> dict[str, Any]:
        """Return the result with exact numbers as "numerator/denominator"."""
        figures = {
            "ratio": self.ratio,
            "ev": None if self.ratio is None else self.ev,
            "main_ev": self.main_ev,
            "side_ev": self.side_ev,
            "apart_ev": self.apart,
            "gain": self.gain,
        }
        return {
            "game": self.game,
            "wager": self.wager,
            "main": self.main,
            "paytables": list(self.paytables),
            "readings": self.readings,
            **{name: None if value is None else ratio_text(value) for name, value in figures.items()},
            "decisions": [{name: ratio_text(share) for name, share in level.items()} for level in self.decisions],
        }


@dataclass(frozen=True, slots=True)
class Pair:
    """The main wager's counts and pays, those of the side wager, and what each main decision brings the side wager.

    `added` has for every level the side wager's worth by node and decision, in deals of that level times `scale`.
    """

    main: Wager
    side: Wager
    counts: Counts
    pays: UnitPays
    side_pays: UnitPays
    added: tuple[Any, ...]
    scale: int
    ranks: int


def solve_together(
    game: Game, wager: Wager, terms: Terms, ratio: Fraction | None, *, store: OddsStore | None = None
) -> Together:
    """Play the main wager and this one at a ratio of stakes so that the two together bring most."""
    pair = pair_of(game, wager, terms, store=store)
    together = solve_pair(game, terms, pair, ratio)
    if ratio is None:
        return together
    main = solve_terms(game, pair.main, terms_of_one(pair.main, terms), store=store)
    side = solve_terms(game, wager, terms, store=store)
    return replace(together, apart=main.ev + ratio * side.ev)


def turning_ratio(game: Game, wager: Wager, terms: Terms, *, store: OddsStore | None = None) -> Fraction | None:
    """Find the ratio of stakes from which on the player's expectation is positive, if there is one.

    The best expectation is convex in the ratio, so where a line of play crosses zero bounds the ratio from above;
    the best play there gives the next line, until one crosses where it is best itself.
    """
    pair = pair_of(game, wager, terms, store=store)
    together = solve_pair(game, terms, pair, None)
    alone = solve_pair(game, terms, pair, Fraction(0))
    if alone.main_ev > 0:
        return Fraction(0)
    if together.side_ev <= 0:
        return None
    while True:
        ratio = -together.main_ev / together.side_ev
        together = solve_pair(game, terms, pair, ratio)
        if together.ev == 0:
            return ratio


def pair_of(game: Game, side: Wager, terms: Terms, *, ranks: int = 13, store: OddsStore | None = None) -> Pair:
    """Count both wagers and bring what each main decision is worth to the side wager beside it."""
    shares = side.shares
    if shares is None or terms.readings[shares.switch] not in shares.readings:
        raise ValueError(f"{side.title} shares no decision with another wager under these readings")
    main = game.by_name[shares.main]
    counts = counts_of(game, main, terms, ranks=ranks, store=store)
    side_pays = unit_pays(side, terms)
    if shares.follows_branch:
        worth, deals = _worth_of_branches(counts_of(game, side, terms, ranks=ranks, store=store), side_pays)
        places: Sequence[Any] = [numpy.arange(worth.size).reshape(worth.shape)[:, list(counts.levels[0].branches)]]
    else:
        loops, context = _loops_and_context(game, terms, ranks)
        idle = [numpy.zeros(len(level.weights), dtype=numpy.int64) for level in counts.levels]
        worth, deals = _best_worth(loops.beside(side.name, context, idle), side_pays)
        places = loops.beside_places(side.name, context)
    added, scale = _added(counts, places, worth.ravel(), deals.ravel())
    return Pair(main, side, counts, unit_pays(main, terms), side_pays, added, scale, ranks)


def _loops_and_context(game: Game, terms: Terms, ranks: int) -> tuple[Any, NumbaContext]:
    context = NumbaContext(ranks=ranks, decks=terms.deck.decks, readings=game.reading_codes(terms))
    return import_module(game.loops or ""), context


def _whole(values: Sequence[Fraction], scale: int) -> Any:
    return numpy.array([int(value * scale) for value in values], dtype=numpy.int64)


def _worth(level: DecisionLevel, values: Any) -> Any:
    """Return what every decision that ends here is worth at every node: counts times the values of their codes."""
    worth = numpy.zeros((len(level.weights), len(level.decisions)), dtype=numpy.int64)
    for decision, branch in enumerate(level.branches):
        if branch != GOES_ON:
            codes = level.codes[decision][level.groups[:, branch]]
            worth[:, decision] = (level.counts[:, branch] * values[codes]).sum(axis=1)
    return worth


def _deals(level: DecisionLevel) -> Any:
    """Return the number of deals that each branch of every node counts."""
    return level.counts.sum(axis=2)


def _worth_of_branches(counts: Counts, pays: UnitPays) -> tuple[Any, Any]:
    (level,) = counts.levels
    return _worth(level, _whole(pays.net, pays.scale)), numpy.broadcast_to(1, (len(level.weights), len(level.branches)))


def _best_worth(counts: Counts, pays: UnitPays) -> tuple[Any, Any]:
    """Return what the best of the side wager's own decisions is worth at each of its nodes, and of how many deals."""
    (level,) = counts.levels
    worth = _worth(level, _whole(pays.net, pays.scale))
    if level.allowed is not None:
        worth[level.allowed == 0] = numpy.iinfo(numpy.int64).min
    return worth.max(axis=1), _deals(level).max(axis=1)


def _level_deals(level: DecisionLevel) -> int:
    numbers = numpy.unique(_deals(level)[_deals(level) > 0])
    assert len(numbers) == 1, "the nodes of a level have different numbers of deals"
    return int(numbers[0])


def _added(counts: Counts, places: Sequence[Any], worth: Any, deals: Any) -> tuple[tuple[Any, ...], int]:
    """Bring the side wager's worth to the deals of the main wager's levels, on one scale."""
    kinds = [int(number) for number in numpy.unique(deals)]
    factors = {
        (level, number): Fraction(_level_deals(counts.levels[level]), number)
        for level in range(len(counts.levels))
        for number in kinds
    }
    scale = lcm(*(factor.denominator for factor in factors.values()))
    added = []
    for level, place in enumerate(places):
        factor = numpy.zeros(len(deals), dtype=numpy.int64)
        for number in kinds:
            factor[deals == number] = int(factors[level, number] * scale)
        assert int(abs(worth).max()) * int(factor.max()) < _SAFE
        added.append(numpy.where(place == GOES_ON, 0, (worth * factor)[place]))
    return tuple(added), scale


def _choices(pair: Pair, ratio: Fraction | None) -> list[Any]:
    """Choose at every node what brings most in both wagers; of equals the smaller main wager, then the first."""
    main_times = pair.side_pays.scale * pair.scale * (1 if ratio is None else ratio.denominator)
    side_times = pair.pays.scale * (1 if ratio is None else ratio.numerator)
    net, staked = _whole(pair.pays.net, pair.pays.scale), numpy.array(pair.pays.staked, dtype=numpy.int64)
    chosen: list[Any] = []
    carried: tuple[Any, Any] | None = None
    lower: DecisionLevel | None = None
    for level, added in reversed(list(zip(pair.counts.levels, pair.added, strict=True))):
        worth = _exact(_worth(level, net), added, 0 if ratio is None else main_times, side_times)
        risk = _worth(level, staked)
        if carried is not None and lower is not None:
            _carry(level, lower, carried, worth, risk)
        if level.allowed is not None:
            worth[level.allowed == 0] = worth.min() - 1
        best = worth.max(axis=1)
        risk = numpy.where(worth == best[:, None], risk, numpy.iinfo(numpy.int64).max)
        choice = risk.argmin(axis=1)
        chosen.append(choice)
        carried, lower = (best, numpy.take_along_axis(risk, choice[:, None], 1)[:, 0]), level
    return chosen[::-1]


def _exact(worth: Any, added: Any, main_times: int, side_times: int) -> Any:
    """Join the two wagers' worths, in 64 bits where they fit with room for the levels above, else without a bound."""
    largest = max(int(abs(worth).max()) * main_times, int(abs(added).max()) * side_times)
    if largest < 1 << 44:
        return worth * main_times + added * side_times
    return worth.astype(object) * main_times + added.astype(object) * side_times


def _carry(level: DecisionLevel, lower: DecisionLevel, carried: tuple[Any, Any], worth: Any, risk: Any) -> None:
    """Add what the nodes below bring to the decision that goes on."""
    assert lower.parents is not None
    going = level.branches.index(GOES_ON)
    for figures, here in zip(carried, (worth, risk), strict=True):
        total = numpy.zeros(len(level.weights), dtype=figures.dtype)
        numpy.add.at(total, lower.parents, figures * lower.weights)
        here[:, going] = total


def solve_pair(game: Game, terms: Terms, pair: Pair, ratio: Fraction | None) -> Together:
    """Play both at a ratio of stakes; what they bring apart is left out."""
    choices = _choices(pair, ratio)
    priced = price(pair.counts, pair.pays, choices)
    main_ev, side_ev = _mean(pair.pays, priced), _mean(pair.side_pays, _side_priced(game, terms, pair, choices))
    slots = (*pair.side.slots, *pair.main.slots)
    return Together(
        game=game.name,
        wager=pair.side.name,
        main=pair.main.name,
        paytables=tuple(terms.tables[slot.name].id for slot in slots if not slot.fixed),
        readings={name: terms.readings[name] for name in pair.side.switches},
        ratio=ratio,
        main_ev=main_ev,
        side_ev=side_ev,
        apart=None,
        decisions=tuple(
            {name: Fraction(number, sum(level.values()) or 1) for name, number in level.items()}
            for level in priced.decisions
        ),
    )


def _side_priced(game: Game, terms: Terms, pair: Pair, choices: list[Any]) -> Priced:
    """Price the side wager beside these choices of the main one."""
    shares = pair.side.shares
    assert shares is not None
    if shares.follows_branch:
        branches = numpy.array(pair.counts.levels[0].branches)
        return price(counts_of(game, pair.side, terms, ranks=pair.ranks), pair.side_pays, [branches[choices[0]]])
    loops, context = _loops_and_context(game, terms, pair.ranks)
    return price(loops.beside(pair.side.name, context, choices), pair.side_pays)


def _mean(pays: UnitPays, priced: Priced) -> Fraction:
    return sum((pays.net[code] * number for code, number in priced.histogram.items()), Fraction(0)) / priced.total
