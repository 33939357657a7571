"""A tree of one decision, played out the plain way: facts counted deal by deal, settled, and decided by G-18."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from pitboss.odds.pricing import price, unit_pays
from pitboss.odds.results import OddsResult, make_result
from pitboss.odds.solving import counts_of
from pitboss.rules import Game, Terms, Wager
from pitboss.rules.counting import Counts
from pitboss.rules.outcomes import Outcome
from pitboss.rules.pays import Dollars, ForOne, OfMeter, ToOne

__all__ = ["Figures", "Node", "Tally", "analysed", "analysed_counts", "figures_of", "play", "settled"]

Tally = Counter[tuple[int, ...]]


class Node(NamedTuple):
    """An information set: how many hands it stands for, and for each decision how often each facts tuple occurs."""

    weight: int
    decisions: Mapping[str, Tally]


class Figures(NamedTuple):
    """What is compared: the figures of an analysis, how often each decision is taken and each event occurs."""

    ev: Fraction
    average_wager: Fraction
    variance: Fraction
    hit_frequency: Fraction
    meter_coefficient: Fraction
    envy_per_hand: Fraction
    decisions: Mapping[str, Fraction]
    events: Mapping[str, Fraction]


class Settled(NamedTuple):
    net: Fraction
    at_risk: int
    share: Fraction
    envy: Fraction
    hit: bool
    event: str


def settled(outcome: Outcome, *, for_one: bool) -> Settled:
    """What the chips of an outcome are worth in dollars of base stake, read chip by chip; a meter counts nothing."""
    net, at_risk, share = Fraction(0), 0, Fraction(0)
    for part in outcome.parts:
        at_risk += part.multiple
        net -= 0 if part.returned else part.multiple
        for prize in part.prizes:
            match prize:
                case ToOne(times) | ForOne(times):
                    net += times * part.multiple
                case Dollars(cents):
                    net += Fraction(cents, 100)
                case OfMeter(of):
                    share += of
    hit = net > 0 or (for_one and (net > -at_risk or share > 0))
    envy = Fraction(outcome.envy.cents, 100) if isinstance(outcome.envy, Dollars) else Fraction(0)
    return Settled(net, at_risk, share, envy, hit, outcome.event or "nothing")


def play(wager: Wager, terms: Terms, nodes: Iterable[Node]) -> Figures:
    """Take at every node the best decision (G-18 where two are equal) and add everything up."""
    known: dict[tuple[int, ...], Settled] = {}
    codes: Counter[tuple[int, ...]] = Counter()
    taken: Counter[str] = Counter()
    for node in nodes:
        options = []
        for place, (name, tally) in enumerate(node.decisions.items()):
            worth = risk = square = Fraction(0)
            for facts, often in tally.items():
                if facts not in known:
                    known[facts] = settled(wager.settle(wager.facts(*facts), terms), for_one=wager.jackpot)
                result = known[facts]
                worth += result.net * often
                risk += result.at_risk * often
                square += result.net**2 * often
            options.append((-worth, risk, square, place, name))
        name = min(options)[-1]
        taken[name] += node.weight
        for facts, often in node.decisions[name].items():
            codes[facts] += often * node.weight
    total, hands = codes.total(), taken.total()

    def mean(values: Iterable[tuple[Fraction | int, int]]) -> Fraction:
        return sum((Fraction(value) * often for value, often in values), Fraction(0)) / total

    found = [(known[facts], often) for facts, often in codes.items()]
    ev = mean((result.net, often) for result, often in found)
    events: Counter[str] = Counter()
    for facts, often in codes.items():
        events[known[facts].event if wager.tell is None else wager.tell(wager.facts(*facts))] += often
    return Figures(
        ev=ev,
        average_wager=mean((result.at_risk, often) for result, often in found),
        variance=mean((result.net**2, often) for result, often in found) - ev**2,
        hit_frequency=mean((int(result.hit), often) for result, often in found),
        meter_coefficient=mean((result.share, often) for result, often in found),
        envy_per_hand=mean((result.envy, often) for result, often in found),
        decisions={name: Fraction(often, hands) for name, often in taken.items()},
        events={event: Fraction(often, total) for event, often in events.items()},
    )


def analysed_counts(wager: Wager, terms: Terms, counts: Counts) -> OddsResult:
    """The analyser's result on these counts."""
    pays = unit_pays(wager, terms)
    return make_result(wager, terms, pays, price(counts, pays), basis="", method="", decks=None)


def analysed(game: Game, wager: Wager, terms: Terms, ranks: int) -> OddsResult:
    """The analyser's result on a shortened deck."""
    return analysed_counts(wager, terms, counts_of(game, wager, terms, ranks=ranks))


def figures_of(result: OddsResult) -> Figures:
    """The figures of the analyser, as `play` gives them."""
    events: Counter[str] = Counter()
    for event in result.events:
        events[event.event] += event.count
    (decisions,) = result.decisions
    return Figures(
        ev=result.ev,
        average_wager=result.average_wager,
        variance=result.variance,
        hit_frequency=result.hit_frequency,
        meter_coefficient=result.meter_coefficient or Fraction(0),
        envy_per_hand=result.envy_per_hand or Fraction(0),
        decisions={name: share for name, share in decisions.items() if share} or {"": Fraction(1)},
        events={event: Fraction(often, events.total()) for event, often in events.items()},
    )
