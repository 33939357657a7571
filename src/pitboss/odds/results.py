"""What an analysis gives: exact figures of one wager under one set of terms, and where they came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from pitboss.odds.pricing import Priced, UnitPays
from pitboss.rules import Terms, Wager, dollars
from pitboss.rules.facts import decode
from pitboss.rules.pays import Dollars, ForOne, OfMeter, Push, ToOne

__all__ = ["EventOdds", "OddsResult", "make_result"]


@dataclass(frozen=True, slots=True)
class EventOdds:
    """One event: how often it occurs of how many deals, what it pays, and what it adds to the expectation."""

    event: str
    count: int
    of: int
    pays: str
    contribution: Fraction

    @property
    def probability(self) -> Fraction:
        """The exact probability."""
        return Fraction(self.count, self.of)


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsResult:
    """The exact odds of a wager, per unit of its base stake; for a jackpot the meter counts as zero."""

    game: str
    wager: str
    paytables: tuple[str, ...]
    readings: dict[str, str]
    decks: int | None
    basis: str
    ev: Fraction
    initial_stake: Fraction
    average_wager: Fraction
    variance: Fraction
    hit_frequency: Fraction
    meter_coefficient: Fraction | None
    events: tuple[EventOdds, ...]
    decisions: tuple[dict[str, Fraction], ...]
    method: str
    terms_hash: str

    @property
    def house_edge(self) -> Fraction:
        """What the house wins of the initial stake."""
        return -self.ev / self.initial_stake

    @property
    def element_of_risk(self) -> Fraction:
        """What the house wins of all that is wagered."""
        return -self.ev / self.average_wager

    @property
    def break_even_meter(self) -> Fraction | None:
        """The meter in dollars at which a dollar wager is fair, where the table pays a share of it."""
        if not self.meter_coefficient:
            return None
        return -self.ev / self.meter_coefficient

    def std_dev(self, places: int = 9) -> str:
        """The standard deviation to so many decimal places, rounded down."""
        scale = 10**places
        root = isqrt(self.variance.numerator * scale * scale // self.variance.denominator)
        return f"{root // scale}.{root % scale:0{places}d}"

    def as_json(self) -> dict[str, Any]:
        """Give the result as `pitboss odds --json` prints it: exact numbers as "numerator/denominator"."""
        out: dict[str, Any] = {
            "game": self.game,
            "wager": self.wager,
            "paytables": list(self.paytables),
            "readings": self.readings,
            "decks": self.decks,
            "basis": self.basis,
            "ev": _ratio(self.ev),
            "initial_stake": _ratio(self.initial_stake),
            "house_edge": _ratio(self.house_edge),
            "average_wager": _ratio(self.average_wager),
            "element_of_risk": _ratio(self.element_of_risk),
            "variance": _ratio(self.variance),
            "std_dev": self.std_dev(),
            "hit_frequency": _ratio(self.hit_frequency),
            "events": [
                {"event": event.event, "count": event.count, "of": event.of, "pays": event.pays}
                for event in self.events
            ],
            "decisions": [{name: _ratio(share) for name, share in level.items()} for level in self.decisions],
            "method": self.method,
            "terms_hash": self.terms_hash,
        }
        if self.meter_coefficient is not None:
            meter = self.break_even_meter
            out["meter_coefficient"] = _ratio(self.meter_coefficient)
            out["break_even_meter"] = None if meter is None else _ratio(meter)
        return out


def _ratio(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def make_result(
    wager: Wager, terms: Terms, pays: UnitPays, priced: Priced, *, basis: str, method: str, decks: int | None
) -> OddsResult:
    """Add up the histogram of facts codes into the figures people ask for."""
    total = priced.total
    ev = _mean(priced, pays.net.__getitem__)
    square = _mean(priced, lambda code: pays.net[code] * pays.net[code])
    for_one = wager.jackpot
    hits = sum(
        count
        for code, count in priced.histogram.items()
        if pays.net[code] > 0 or (for_one and (pays.net[code] > -pays.staked[code] or pays.meter[code]))
    )
    share = _mean(priced, pays.meter.__getitem__)
    return OddsResult(
        game=terms.game,
        wager=wager.name,
        paytables=tuple(terms.tables[slot.name].id for slot in wager.slots if not slot.fixed),
        readings={name: terms.readings[name] for name in wager.switches},
        decks=decks,
        basis=basis,
        ev=ev,
        initial_stake=Fraction(sum(wager.chips_down({}, 1).values())),
        average_wager=_mean(priced, lambda code: Fraction(pays.staked[code])),
        variance=square - ev * ev,
        hit_frequency=Fraction(hits, total),
        meter_coefficient=share * 100 / terms.jackpot_wager_cents.get(wager.name, 100) if wager.jackpot else None,
        events=_events(wager, pays, priced),
        decisions=tuple(
            {name: Fraction(count, sum(level.values()) or 1) for name, count in level.items() if name}
            for level in priced.decisions
        ),
        method=method,
        terms_hash=terms.content_hash,
    )


def _mean(priced: Priced, value: Callable[[int], Fraction]) -> Fraction:
    return sum((value(code) * count for code, count in priced.histogram.items()), Fraction(0)) / priced.total


def _events(wager: Wager, pays: UnitPays, priced: Priced) -> tuple[EventOdds, ...]:
    """Gather codes that are told alike and pay alike; the best-paid first."""
    counts: dict[tuple[str, str, Fraction, Fraction], int] = {}
    for code, count in priced.histogram.items():
        outcome = pays.outcomes[code]
        event = outcome.event or "nothing"
        if wager.tell is not None:
            event = wager.tell(wager.facts(*decode(code, wager.bounds)))
        key = (event, _pays_words(wager, pays, code), pays.meter[code], pays.net[code])
        counts[key] = counts.get(key, 0) + count
    ordered = sorted(counts.items(), key=lambda item: (-item[0][2], -item[0][3], item[0][0]))
    return tuple(
        EventOdds(event, count, priced.total, words, net * count / priced.total)
        for (event, words, _share, net), count in ordered
    )


def _pays_words(wager: Wager, pays: UnitPays, code: int) -> str:
    outcome = pays.outcomes[code]
    if len(wager.parts) > 1:
        return f"{'+' if pays.net[code] > 0 else ''}{pays.net[code]}"
    (part,) = outcome.parts
    for prize in part.prizes:
        match prize:
            case ToOne() | ForOne() | OfMeter():
                return str(prize)
            case Dollars(cents):
                return dollars(cents)
    return str(Push()) if part.returned else "loss"
