"""What a table can cost: the largest prize of each wager at its maximum, and advice about amounts that do not fit."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from pitboss import law
from pitboss.games import find_game
from pitboss.rules import Game, PayTable, Problem, Terms, Wager, dollars, pay_array
from pitboss.rules.outcomes import Outcome
from pitboss.rules.pays import Dollars, OfMeter, Posted, ToOne
from pitboss.rules.settlement import prize_cents
from pitboss.table.checks import options_max
from pitboss.table.configuration import Configuration

_DOLLAR_CENTS = 100
_REMEMBERED = 64
"""Configurations whose costs a server remembers: each page of a table asks for them."""


class WagerCost(NamedTuple):
    """The largest prize of a wager: at which stake, for which event, and how much beside the stake itself."""

    wager: str
    stake_cents: int
    event: str
    largest_cents: int


class TableCost(NamedTuple):
    """The largest prizes of a table: of each wager, and of one seat that wins all it may wager on in one round."""

    wagers: tuple[WagerCost, ...]
    round_cents: int


def _outcome_cents(wager: Wager, outcome: Outcome, stake_cents: int, meter_cents: int) -> int:
    total = 0
    for part in outcome.parts:
        for prize in part.prizes:
            if isinstance(prize, OfMeter):
                total += int(prize.share * meter_cents)
            else:
                total += prize_cents(wager, prize, stake_cents * part.multiple)
    return total


def _wager_cost(configuration: Configuration, wager: Wager, terms: Terms, stake_max: int | None = None) -> WagerCost:
    """The largest prize at the maximum of the table, or at a lower stake."""
    _, stake = configuration.limits(wager.name)
    stake = stake if stake_max is None else min(stake, stake_max)
    meter = configuration.meters.get(wager.name, 0)
    limit = terms.aggregate_limits.get(wager.name)
    event, largest = "", 0
    for outcome in pay_array(wager, terms).outcomes:
        cents = _outcome_cents(wager, outcome, stake, meter)
        if limit is not None:
            # One seat is one player, who may be the only one at the table.
            cents = min(cents, limit.alone_cents)
        if cents > largest:
            event, largest = outcome.event or "", cents
    return WagerCost(wager.name, stake, event, largest)


@lru_cache(maxsize=_REMEMBERED)
def cost_of(configuration: Configuration) -> TableCost:
    """Return the largest prizes by the settlement itself, which is asked about everything that can be dealt."""
    game, terms = find_game(configuration.game), configuration.terms
    costs = tuple(_wager_cost(configuration, game.by_name[name], terms) for name in configuration.offered)
    return TableCost(costs, _round_cents(configuration, costs))


def _round_cents(configuration: Configuration, costs: Sequence[WagerCost]) -> int:
    """The most that the wagers of one seat win: the base wager that the others need, and a small one among four."""
    game, terms = find_game(configuration.game), configuration.terms
    rules = law.on(configuration.on, configuration.profile)
    small = rules.get("fourth_wager_cents_max")
    base = None if game.base is None else game.base.name
    needed = [cost for cost in costs if cost.wager == base]
    others = [cost for cost in costs if cost.wager != base]
    most, best = options_max(rules), 0
    for count in range(min(most - len(needed), len(others)) + 1):
        for chosen in combinations(others, count):
            wagers = [*needed, *chosen]
            cents = sum(cost.largest_cents for cost in wagers)
            if small is not None and len(wagers) == most and min(cost.stake_cents for cost in wagers) > small.value:
                lowered = [
                    _wager_cost(configuration, game.by_name[cost.wager], terms, small.value)
                    for cost in wagers
                    if configuration.limits(cost.wager)[0] <= small.value
                ]
                full = {cost.wager: cost.largest_cents for cost in wagers}
                cents -= min((full[cost.wager] - cost.largest_cents for cost in lowered), default=cents)
            best = max(best, cents)
    return best


def edge_problems(configuration: Configuration, edges: Mapping[str, Fraction]) -> tuple[Problem, ...]:
    """Return the wagers that players win in the long run, which two people may offer all the same, in writing."""
    return tuple(
        Problem(
            f"{'jackpots' if name in configuration.jackpots else 'wagers'}.{name}",
            f"the house edge is {_percent(edge)}: below zero, so players win in the long run",
            "REGULATION T-07",
            "G-61",
        )
        for name, edge in edges.items()
        if edge < 0
    )


def _percent(edge: Fraction) -> str:
    units = round(abs(edge) * 1_000_000)
    return f"{'-' if edge < 0 else ''}{units // 10_000}.{units % 10_000:04}%"


def advice(configuration: Configuration) -> tuple[Problem, ...]:
    """Return what is allowed and does not fit: rows out of order at the seed, seeds that do not scale, half dollars."""
    game, terms = find_game(configuration.game), configuration.terms
    told: list[Problem] = []
    for name, settings in configuration.jackpots.items():
        table = terms.tables[game.by_name[name].slots[0].name]
        told += _rows_at_the_seed(game, name, table, settings.meter_cents, settings.wager_cents)
        if settings.wager_cents != _DOLLAR_CENTS and any(isinstance(row.pay, OfMeter) for row in table.rows):
            words = (
                f"the wager is {dollars(settings.wager_cents)}, and percentages do not scale with it: "
                f"seed {dollars(settings.meter_cents)} in proportion to it"
            )
            told.append(Problem(f"jackpots.{name}.meter", words, "REGULATION J-26"))
    return (*told, *_half_dollars(configuration, terms))


def _rows_at_the_seed(game: Game, name: str, table: PayTable, meter_cents: int, wager_cents: int) -> Iterator[Problem]:
    """Yield the percentage rows that pay less at the seed than a dollar row under them."""
    wager = game.by_name[name]
    for place, row in enumerate(table.rows):
        # What is posted is checked against the row under it, and not only advised (G-6).
        if not isinstance(row.pay, OfMeter) or isinstance(row.pay, Posted):
            continue
        share = int(row.pay.share * meter_cents)
        under = [
            (prize_cents(wager, lower.pay, wager_cents), lower.event)
            for lower in table.rows[place + 1 :]
            if isinstance(lower.pay, Dollars)
        ]
        most, event = max(under, default=(0, ""))
        if share < most:
            words = (
                f"{row.event!r} pays {row.pay} of {dollars(meter_cents)}, {dollars(share)}, and {event!r} under it "
                f"{dollars(most)}: a larger seed puts the rows in order"
            )
            yield Problem(f"jackpots.{name}.meter", words, table.source.id, "G-6")


def _half_dollars(configuration: Configuration, terms: Terms) -> Iterator[Problem]:
    """Yield the pays that the smallest chip cannot make on wagers in whole dollars."""
    chip = configuration.smallest_chip_cents
    step = max(chip, _DOLLAR_CENTS)
    for table in terms.tables.values():
        for row in table.rows:
            if isinstance(row.pay, ToOne) and Fraction(row.pay.times * step) % chip:
                words = (
                    f"{table.id} pays {row.pay} for {row.event!r}: on odd wagers that needs less than "
                    f"the smallest chip, {dollars(chip)}"
                )
                yield Problem("smallest_chip", words, table.source.id, "G-3")
                break
