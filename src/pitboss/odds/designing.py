"""Pay tables to be designed: whole numbers, many at once, and the Pareto line of edge against deviation.

One table of a wager is searched, its others stay as they are. On the line is a table if none that fits has both an
edge and a deviation that are as low.

Where no decision depends on the table, or play is to stay as it is, a table is two sums over the rows' exact counts.
Where play is to be the best for each table, each is solved.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, TypeVar

import numpy

from pitboss.odds.decimals import ratio_text, root_text
from pitboss.odds.pricing import Priced, UnitPays, occurring_codes, price, unit_pays
from pitboss.odds.solving import counts_of
from pitboss.odds.store import OddsStore
from pitboss.rules import Game, Terms, Wager
from pitboss.rules.pays import ForOne, ToOne

T = TypeVar("T")
_TABLES_MAX = 400_000
_SOLVED_MAX = 400
_STEPS = (
    *range(1, 11), 12, 15, 20, 25, 30, 35, 40, 50, 60, 75, 80, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1000, 1500,
    2000, 2500, 5000, 10000,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a table should be: its house edge between two bounds, its hits at least, its top prize at most."""

    low: Fraction
    high: Fraction
    hit: Fraction | None = None
    top: int | None = None

    @classmethod
    def of(cls, edge: Sequence[float], *, hit: float | None = None, top: int | None = None) -> "Wish":
        """Make a wish of percentages; raises ValueError where the bounds of the edge are not two in order."""
        if len(edge) != len(("low", "high")) or edge[0] > edge[1]:
            raise ValueError("state the lowest and the highest house edge, such as --edge 2 --edge 5")
        low, high = (Fraction(str(bound)) / 100 for bound in edge)
        return cls(low=low, high=high, hit=None if hit is None else Fraction(str(hit)) / 100, top=top)


@dataclass(frozen=True, slots=True, kw_only=True)
class Designed:
    """A table: what its rows pay, and its exact figures."""

    pays: tuple[int, ...]
    edge: Fraction
    variance: Fraction
    hits: Fraction

    @property
    def deviation(self) -> float:
        """The standard deviation, for people."""
        return float(root_text(self.variance, 6))

    def as_json(self) -> dict[str, Any]:
        """Return the table with exact figures."""
        return {
            "pays": list(self.pays),
            "house_edge": ratio_text(self.edge),
            "variance": ratio_text(self.variance),
            "std_dev": root_text(self.variance, 6),
            "hit_frequency": ratio_text(self.hits),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A search: how many tables were tried and how many fit, how fast, and the frontier by rising edge."""

    game: str
    wager: str
    slot: str
    like: str
    events: tuple[str, ...]
    tried: int
    fitting: int
    seconds: float
    method: str
    frontier: tuple[Designed, ...]

    @property
    def rate(self) -> float:
        """Tables a second."""
        return self.tried / max(self.seconds, 1e-9)

    def spread(self, limit: int | None = None) -> tuple[Designed, ...]:
        """Return so many tables of the frontier, from one end to the other."""
        return tuple(_spread(self.frontier, limit))

    def as_json(self, limit: int | None = None) -> dict[str, Any]:
        """Return the search as `pitboss design --json` prints it."""
        return {
            "game": self.game, "wager": self.wager, "slot": self.slot, "like": self.like, "events": list(self.events),
            "tried": self.tried, "fitting": self.fitting, "seconds": round(self.seconds, 4), "rate": round(self.rate),
            "method": self.method, "frontier": [table.as_json() for table in self.spread(limit)],
        }  # fmt: skip


def _spread(line: Sequence[T], limit: int | None) -> list[T]:
    """Return so many of a line, from one end to the other."""
    last = len(line) - 1
    if limit is None or last < limit:
        return list(line)
    return [line[last * place // max(limit - 1, 1)] for place in range(limit)]


class _Rows:
    """The rows of one table as sums: what does not depend on them, and for each how often and how large it is paid."""

    def __init__(self, game: Game, wager: Wager, terms: Terms, slot: str | None, store: OddsStore | None) -> None:
        self.game, self.wager, self.terms, self.store = game, wager, terms, store
        slots = [other.name for other in wager.slots if not other.fixed]
        self.slot = slot or slots[0]
        if self.slot not in slots:
            raise ValueError(f"{wager.name} has no table {self.slot!r} to search; it has: {', '.join(slots)}")
        self.table = terms.tables[self.slot]
        self.rows = [row for row in self.table.rows if isinstance(row.pay, ToOne | ForOne)]
        if not self.rows:
            raise ValueError(f"{self.table.id} has no row that pays a multiple of the wager")
        self.counts = counts_of(game, wager, terms, store=store)
        self.used = occurring_codes(self.counts)
        self.pays = unit_pays(wager, terms, self.used)
        self.priced = price(self.counts, self.pays)
        self.stake = Fraction(sum(wager.chips_down({}, 1).values()))

    def with_pays(self, pays: Sequence[int]) -> Terms:
        """Return the terms with the rows paying so much."""
        paid = dict(zip((row.event for row in self.rows), pays, strict=True))
        rows = tuple(
            replace(row, pay=type(row.pay)(Fraction(paid[row.event]))) if row.event in paid else row  # type: ignore[arg-type,call-arg]
            for row in self.table.rows
        )
        return replace(self.terms, tables={**self.terms.tables, self.slot: self.table.with_rows(rows)})

    @cached_property
    def linear(self) -> tuple[list[int], list[list[int]], list[int], int]:
        """Return nets without any row, each row's unit by facts code, how often the codes occur, and a denominator.

        Pays that fall from row to row leave every code its row, so that what it wins is linear in them.
        """
        printed = [int(row.pay.times) for row in self.rows]  # type: ignore[union-attr]
        codes = list(self.priced.histogram)
        base = _nets(unit_pays(self.wager, self.with_pays(printed), self.used), codes)
        units = []
        for place in range(len(self.rows)):
            # Where rows are in the order of their pays one more on a row moves no other code.
            more = [pay + 1 if at == place else pay for at, pay in enumerate(printed)]
            moved = _nets(unit_pays(self.wager, self.with_pays(more), self.used), codes)
            units.append([other - one for one, other in zip(base, moved, strict=True)])
        nothing = [
            net - sum(unit[at] * pay for unit, pay in zip(units, printed, strict=True)) for at, net in enumerate(base)
        ]
        scale = lcm(*(net.denominator for net in nothing), *(figure.denominator for unit in units for figure in unit))
        whole = [[int(figure * scale) for figure in row] for row in (nothing, *units)]
        return whole[0], whole[1:], [self.priced.histogram[code] for code in codes], scale


def _nets(pays: UnitPays, codes: list[int]) -> list[Fraction]:
    return [pays.net[code] for code in codes]


def _candidates(rows: int, top: int, seed: int) -> Any:
    """Return tables in whole numbers, the pays falling from row to row: all of them, or as many as will be tried."""
    steps = numpy.array([step for step in _STEPS if step <= top], dtype=numpy.int64)
    if len(steps) ** rows <= 4 * _TABLES_MAX:
        grid = numpy.indices((len(steps),) * rows).reshape(rows, -1).T
        grid = grid[(numpy.diff(grid, axis=1) <= 0).all(axis=1)] if rows > 1 else grid
        return steps[grid]
    draw = numpy.random.default_rng(seed)
    return steps[-numpy.sort(-draw.integers(0, len(steps), (_TABLES_MAX, rows)), axis=1)]


class _Sums:
    """Tables by their sums: mean and square are a linear and a quadratic form of the pays; in float, for choosing."""

    def __init__(self, rows: _Rows, tables: Any, wish: Wish) -> None:
        nothing, units, often, scale = rows.linear
        base, matrix = numpy.array(nothing, dtype=float) / scale, numpy.array(units, dtype=float) / scale
        weights = numpy.array(often, dtype=float) / rows.counts.total
        squares = (matrix * weights) @ matrix.T
        paid = tables.astype(float)
        means = paid @ (matrix @ weights) + base @ weights
        self.edges = -means / float(rows.stake)
        fits = numpy.flatnonzero((self.edges >= float(wish.low)) & (self.edges <= float(wish.high)))
        few = paid[fits]
        if wish.hit is not None:
            keeps = ((few @ matrix + base) > 0) @ weights >= float(wish.hit) - 1e-12
            fits, few = fits[keeps], few[keeps]
        self.fits = fits
        self.variances = ((few @ squares) * few).sum(axis=1) + 2 * few @ (matrix @ (weights * base)) + base**2 @ weights
        self.variances -= means[fits] ** 2


def design(
    game: Game,
    wager: Wager,
    terms: Terms,
    wish: Wish,
    *,
    slot: str | None = None,
    re_solve: bool = False,
    store: OddsStore | None = None,
    seed: int = 1,
    most: int | None = None,
) -> Design:
    """Search for tables like the one in the terms, of the first slot or one named; the frontier's figures are exact.

    `most` is for how many tables the exact figures are worked out, spread along the line; each takes milliseconds.
    """
    rows = _Rows(game, wager, terms, slot, store)
    linear = rows.linear
    begun = time.perf_counter()
    top = wish.top or max(int(row.pay.times) for row in rows.rows) * 2  # type: ignore[union-attr]
    tables = _candidates(len(rows.rows), top, seed)
    decides = any(len(level.decisions) > 1 for level in rows.counts.levels)
    sums = _Sums(rows, tables, wish)
    tried, method = len(tables), "no decision depends on the table: sums over exact counts"
    if re_solve and decides:
        near = _calmest(tables, sums, wish)
        solved = [_solved(rows, pays) for pays in near]
        tried, method = len(near), "each table played as is best for it"
    else:
        if decides:
            method = "play as is best for the table it is like: sums over exact counts"
        solved = [_exact(rows, linear, pays) for pays in _line(tables, sums, most)]
    fits = [table for table in solved if wish.low <= table.edge <= wish.high and table.hits >= (wish.hit or 0)]
    return Design(
        game=game.name, wager=wager.name, slot=rows.slot, like=rows.table.id,
        events=tuple(row.event for row in rows.rows), tried=tried,
        fitting=len(fits) if re_solve and decides else len(sums.fits),
        seconds=time.perf_counter() - begun, method=method, frontier=_non_dominated(fits),
    )  # fmt: skip


def _line(tables: Any, sums: _Sums, most: int | None = None) -> list[tuple[int, ...]]:
    """Choose what may be on the Pareto line, each once; float decides with some room, exact figures after it."""
    order = numpy.lexsort((sums.variances, sums.edges[sums.fits]))
    variances = sums.variances[order]
    lowest = numpy.minimum.accumulate(numpy.concatenate(([numpy.inf], variances[:-1]))) if len(order) else variances
    chosen = order[variances <= lowest * (1 + 1e-9)]
    line = list(dict.fromkeys(map(tuple, tables[sums.fits[chosen]].tolist())))
    return _spread(line, most)


def _calmest(tables: Any, sums: _Sums, wish: Wish) -> list[list[int]]:
    """Choose the calmest table, played as it is, in each of many narrow bands of the edge, to be solved."""
    wide = max(float(wish.high - wish.low), 1e-12)
    bands = numpy.minimum((sums.edges[sums.fits] - float(wish.low)) / wide * _SOLVED_MAX, _SOLVED_MAX - 1).astype(int)
    order = numpy.lexsort((sums.variances, bands))
    _, first = numpy.unique(bands[order], return_index=True)
    return [tables[at].tolist() for at in sums.fits[order[first]]]


def _exact(rows: _Rows, linear: Any, pays: Sequence[int]) -> Designed:
    nothing, units, often, scale = linear
    nets = [
        Fraction(base + sum(unit[at] * pay for unit, pay in zip(units, pays, strict=True)), scale)
        for at, base in enumerate(nothing)
    ]
    return _designed(rows, pays, nets, often)


def _solved(rows: _Rows, pays: Sequence[int]) -> Designed:
    priced_pays = unit_pays(rows.wager, rows.with_pays(pays), rows.used)
    priced: Priced = price(rows.counts, priced_pays)
    return _designed(rows, pays, [priced_pays.net[code] for code in priced.histogram], list(priced.histogram.values()))


def _designed(rows: _Rows, pays: Sequence[int], nets: list[Fraction], often: list[int]) -> Designed:
    total = rows.counts.total
    mean = sum((net * number for net, number in zip(nets, often, strict=True)), Fraction(0)) / total
    square = sum((net * net * number for net, number in zip(nets, often, strict=True)), Fraction(0)) / total
    hits = Fraction(sum(number for net, number in zip(nets, often, strict=True) if net > 0), total)
    return Designed(pays=tuple(pays), edge=-mean / rows.stake, variance=square - mean * mean, hits=hits)


def _non_dominated(tables: list[Designed]) -> tuple[Designed, ...]:
    """Keep the Pareto line, by rising edge: each table calmer than all of a lower or the same edge."""
    line: list[Designed] = []
    for table in sorted(tables, key=lambda table: (table.edge, table.variance)):
        if not line or table.variance < line[-1].variance:
            line.append(table)
    return tuple(line)
