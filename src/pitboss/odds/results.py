"""What an analysis gives: exact figures of one wager under one set of terms, and where they came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from math import lcm
from typing import TYPE_CHECKING, Any

from pitboss.odds.compiled import source_hash
from pitboss.odds.decimals import ratio_text, root_text
from pitboss.rules import Terms, Wager, dollars
from pitboss.rules.facts import decode
from pitboss.rules.pays import Dollars, ForOne, OfMeter, Pay, Push, ToOne

if TYPE_CHECKING:
    from pitboss.odds.pricing import Priced, UnitPays
    from pitboss.table import Configuration


@dataclass(frozen=True, slots=True)
class EventOdds:
    """One event: how often it occurs of how many deals, what it pays, and what it adds to the expectation.

    `share` is the share of the meter that it pays, which adds nothing where the meter counts as zero.
    """

    event: str
    count: int
    of: int
    pays: str
    contribution: Fraction
    share: Fraction = Fraction(0)

    @property
    def probability(self) -> Fraction:
        """The exact probability."""
        return Fraction(self.count, self.of)

    @property
    def net(self) -> Fraction:
        """What it wins per unit of the base stake, the meter counted as zero."""
        return self.contribution / self.probability


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsResult:
    """The exact odds of a wager, per unit of its base stake; for a jackpot meter and Envy count as zero.

    `envy_per_hand` is what each other hand at the table adds by its Envy prizes. `open_cells` are the rows left to the
    operator that were given no amount: each counts as zero and adds its coefficient for every dollar it will pay.
    """

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
    code_version: str
    envy_per_hand: Fraction | None = None
    open_cells: dict[str, Fraction] = field(default_factory=dict)

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

    @property
    def fixed_return(self) -> Fraction:
        """What comes back of a dollar without meter and Envy."""
        return 1 + self.ev / self.initial_stake

    def edge_at(self, *, meter_cents: int = 0, seats: int = 1) -> Fraction:
        """The house edge of a jackpot at a meter, with so many seats in play whose hands give Envy to one another."""
        ev = self.ev + (self.meter_coefficient or 0) * Fraction(meter_cents, 100)
        return -(ev + (seats - 1) * (self.envy_per_hand or 0)) / self.initial_stake

    def std_dev(self, places: int = 9) -> str:
        """The standard deviation to so many decimal places, rounded down."""
        return root_text(self.variance, places)

    def _repr_html_(self) -> str:
        """Show the result in a notebook."""
        from pitboss.odds.results import as_html  # noqa: PLC0415 - only where there is a notebook

        return as_html(self)

    def as_json(self) -> dict[str, Any]:
        """Return the result as `pitboss odds --json` prints it: exact numbers as "numerator/denominator"."""
        out: dict[str, Any] = {
            "game": self.game,
            "wager": self.wager,
            "paytables": list(self.paytables),
            "readings": self.readings,
            "decks": self.decks,
            "basis": self.basis,
            "ev": ratio_text(self.ev),
            "initial_stake": ratio_text(self.initial_stake),
            "house_edge": ratio_text(self.house_edge),
            "average_wager": ratio_text(self.average_wager),
            "element_of_risk": ratio_text(self.element_of_risk),
            "variance": ratio_text(self.variance),
            "std_dev": self.std_dev(),
            "hit_frequency": ratio_text(self.hit_frequency),
            "events": [
                {
                    "event": event.event,
                    "count": event.count,
                    "of": event.of,
                    "pays": event.pays,
                    "contribution": ratio_text(event.contribution),
                }
                | ({"share": ratio_text(event.share)} if event.share else {})
                for event in self.events
            ],
            "decisions": [{name: ratio_text(share) for name, share in level.items()} for level in self.decisions],
            "method": self.method,
            "terms_hash": self.terms_hash,
            "code_version": self.code_version,
        }
        if self.meter_coefficient is not None:
            meter = self.break_even_meter
            out["meter_coefficient"] = ratio_text(self.meter_coefficient)
            out["break_even_meter"] = None if meter is None else ratio_text(meter)
        if self.envy_per_hand is not None:
            out["envy_per_hand"] = ratio_text(self.envy_per_hand)
        if self.open_cells:
            out["open_cells"] = {event: ratio_text(share) for event, share in self.open_cells.items()}
        return out


def result_from_json(content: dict[str, Any]) -> OddsResult:
    """Read a result back that `as_json` wrote."""
    return OddsResult(
        game=content["game"],
        wager=content["wager"],
        paytables=tuple(content["paytables"]),
        readings=content["readings"],
        decks=content["decks"],
        basis=content["basis"],
        ev=Fraction(content["ev"]),
        initial_stake=Fraction(content["initial_stake"]),
        average_wager=Fraction(content["average_wager"]),
        variance=Fraction(content["variance"]),
        hit_frequency=Fraction(content["hit_frequency"]),
        meter_coefficient=_maybe(content, "meter_coefficient"),
        events=tuple(
            EventOdds(
                row["event"],
                row["count"],
                row["of"],
                row["pays"],
                Fraction(row["contribution"]),
                Fraction(row.get("share", 0)),
            )
            for row in content["events"]
        ),
        decisions=tuple({name: Fraction(share) for name, share in level.items()} for level in content["decisions"]),
        method=content["method"],
        terms_hash=content["terms_hash"],
        code_version=content["code_version"],
        envy_per_hand=_maybe(content, "envy_per_hand"),
        open_cells={event: Fraction(share) for event, share in content.get("open_cells", {}).items()},
    )


def _maybe(content: dict[str, Any], name: str) -> Fraction | None:
    return Fraction(content[name]) if content.get(name) is not None else None


def make_result(
    wager: Wager,
    terms: Terms,
    pays: UnitPays,
    priced: Priced,
    *,
    basis: str,
    method: str,
    decks: int | None,
    open_events: frozenset[str] = frozenset(),
) -> OddsResult:
    """Add up the histogram of facts codes into the figures people ask for; rows of open events wait for an amount."""
    total = priced.total
    stake_cents = terms.jackpot_wager_cents.get(wager.name, 100)
    ev = _mean(priced, pays.net.__getitem__)
    square = _mean(priced, lambda code: pays.net[code] * pays.net[code])
    for_one = wager.jackpot
    hits = sum(
        count
        for code, count in priced.histogram.items()
        if pays.net[code] > 0 or (for_one and (pays.net[code] > -pays.staked[code] or pays.meter[code]))
    )
    share = _mean(priced, lambda code: Fraction(0) if pays.outcomes[code].event in open_events else pays.meter[code])
    envy_stake = 100 if wager.dollars_scale else stake_cents
    return OddsResult(
        game=terms.game,
        wager=wager.name,
        paytables=tuple(terms.tables[slot.name].id for slot in wager.slots if not slot.fixed),
        readings={name: terms.readings[name] for name in wager.switches},
        decks=decks,
        basis=basis,
        ev=ev,
        initial_stake=Fraction(sum(wager.chips_down({}, 1).values())),
        average_wager=_mean(priced, pays.staked.__getitem__),
        variance=square - ev * ev,
        hit_frequency=Fraction(hits, total),
        meter_coefficient=share * 100 / stake_cents if wager.jackpot else None,
        events=_events(wager, pays, priced, open_events),
        decisions=tuple(
            {name: Fraction(count, sum(level.values()) or 1) for name, count in level.items() if name}
            for level in priced.decisions
        ),
        method=method,
        terms_hash=terms.content_hash,
        code_version=source_hash(),
        envy_per_hand=None
        if wager.envy is None
        else _mean(priced, lambda code: _envy_of(pays.outcomes[code].envy, envy_stake)),
        open_cells=_open_cells(wager, terms, pays, priced, open_events),
    )


def _envy_of(envy: Pay | None, stake_cents: int) -> Fraction:
    """What an Envy prize is per unit staked."""
    match envy:
        case Dollars(cents):
            return Fraction(cents, stake_cents)
        case ForOne(times) | ToOne(times):
            return times
    return Fraction(0)


def _open_cells(
    wager: Wager, terms: Terms, pays: UnitPays, priced: Priced, open_events: frozenset[str]
) -> dict[str, Fraction]:
    """Return the chance of the event of each row without an amount, per dollar staked."""
    stake_cents = terms.jackpot_wager_cents.get(wager.name, 100)
    rows = [row.event for slot in wager.slots for row in terms.tables[slot.name].rows]
    cells = {event: Fraction(0) for event in rows if event in open_events}
    for code, count in priced.histogram.items():
        event = pays.outcomes[code].event
        if event in cells:
            cells[event] += Fraction(count * 100, priced.total * stake_cents)
    return cells


def _mean(priced: Priced, value: Callable[[int], Fraction | int]) -> Fraction:
    """Return the mean of a value of the facts codes, added up in whole numbers over a common denominator."""
    values = [(value(code), count) for code, count in priced.histogram.items()]
    common = lcm(*(figure.denominator for figure, _ in values))
    total = sum(figure.numerator * (common // figure.denominator) * count for figure, count in values)
    return Fraction(total, common * priced.total)


def _events(wager: Wager, pays: UnitPays, priced: Priced, open_events: frozenset[str]) -> tuple[EventOdds, ...]:
    """Gather codes that are told alike and pay alike; the best-paid first."""
    counts: dict[tuple[str, str, Fraction, Fraction], int] = {}
    for code, count in priced.histogram.items():
        outcome = pays.outcomes[code]
        event = outcome.event or "nothing"
        if wager.tell is not None:
            event = wager.tell(wager.facts(*decode(code, wager.bounds)))
        words = "left open" if outcome.event in open_events else _pays_words(wager, pays, code)
        key = (event, words, pays.meter[code], pays.net[code])
        counts[key] = counts.get(key, 0) + count
    ordered = sorted(counts.items(), key=lambda item: (-item[0][2], -item[0][3], item[0][0]))
    return tuple(
        EventOdds(event, count, priced.total, words, net * count / priced.total, share)
        for (event, words, share, net), count in ordered
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


def as_html(result: OddsResult) -> str:
    """Write a result as two plain tables; exact figures beside rounded ones."""
    title = f"{result.game}: {result.wager} {', '.join(result.paytables)}"
    notes = [f"{name} = {reading}" for name, reading in result.readings.items()]
    notes += [f"{result.decks} decks"] if result.decks is not None else []
    figures = [
        ("expectation per unit", result.ev),
        ("house edge", result.house_edge),
        ("average total wager", result.average_wager),
        ("element of risk", result.element_of_risk),
        ("variance", result.variance),
        ("hit frequency", result.hit_frequency),
    ]
    if result.meter_coefficient:
        figures += [("return per dollar of meter", result.meter_coefficient)]
        figures += [("break-even meter", result.break_even_meter or result.ev)]
    figure_rows = [_row((name, str(exact), f"{float(exact):.9f}")) for name, exact in figures]
    figure_rows.append(_row(("standard deviation", "", result.std_dev())))
    event_rows = [
        _row(
            (
                event.event,
                event.pays,
                f"{event.count:,}",
                f"{float(event.probability):.9f}",
                f"{float(event.contribution):+.9f}",
            )
        )
        for event in result.events
    ]
    return (
        f"<h4>{escape(title)}</h4><p>{escape('; '.join(notes))}</p>"
        f"<table><tr><th></th><th>exact</th><th>about</th></tr>{''.join(figure_rows)}</table>"
        "<table><tr><th>event</th><th>pays</th><th>count</th><th>probability</th><th>adds</th></tr>"
        f"{''.join(event_rows)}</table>"
        f"<p>of {result.events[0].of:,} deals: {escape(result.method)}; terms {result.terms_hash[:12]}</p>"
    )


def _row(cells: tuple[str, ...]) -> str:
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


def house_edges(
    configuration: Configuration, result_of: Callable[[str], OddsResult] | None = None
) -> dict[str, Fraction]:
    """Return the house edge of every wager (G-61), under the readings that are chosen, each jackpot at its seed.

    `result_of` has the odds of a wager where somebody else counts them; else they are counted here.
    """
    solved = result_of or (lambda name: _counted(configuration, name))
    return {name: solved(name).edge_at(meter_cents=configuration.meters.get(name, 0)) for name in configuration.offered}


def _counted(configuration: Configuration, wager: str) -> OddsResult:
    # A server has its worker count: it does not load what counts.
    from pitboss.games import find_game  # noqa: PLC0415
    from pitboss.odds.solving import solve_terms  # noqa: PLC0415
    from pitboss.odds.store import default_store  # noqa: PLC0415

    game = find_game(configuration.game)
    return solve_terms(game, game.by_name[wager], configuration.terms, store=default_store())
