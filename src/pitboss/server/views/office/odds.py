"""The odds of a table in force, a jackpot's at what it shows now; forecasts of meters; configurations compared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.books import LEDGER, BookState
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS
from pitboss.meters import units_of
from pitboss.odds.results import OddsResult, result_from_json
from pitboss.paper.words import decimal, percent
from pitboss.reports.render import days_in_words
from pitboss.room.agreement import cost_at_the_meter
from pitboss.rules import Problem, parse_dollars
from pitboss.rules import dollars as plain_dollars
from pitboss.server.views import charts
from pitboss.server.views.charts import Tick, money_ticks
from pitboss.server.views.formatting import dollars
from pitboss.server.views.office.audit import Field
from pitboss.server.views.paytables import titled
from pitboss.server.views.shell import counted
from pitboss.server.worker.jobs import JackpotOddsJob, Job, TableOddsJob, WagerOddsJob
from pitboss.server.worker.pool import Figure
from pitboss.table import Comparison, Configuration, ConfigurationChange, compare
from pitboss.table.comparison import letters_of, title_of
from pitboss.table.costs import TableCost

_UNITS_PER_CENT = units_of(1)
_DAYS_SHOWN = 10


class Offered(NamedTuple):
    """A wager that a table offers: the worker's job for its odds, and for a jackpot the cents that it shows."""

    game: str
    wager: str
    paytables: str
    job: Job
    cents: int | None = None


class EventLine(NamedTuple):
    """An event of a wager: what it pays, how often it comes, and what it adds."""

    event: str
    pays: str
    one_in: str
    adds: str


class WagerOdds(NamedTuple):
    """A wager: its figures, or that they are being computed, or why they cannot be."""

    name: str
    title: str
    paytables: str
    is_jackpot: bool
    waits: str = ""
    failed: str = ""
    edge: str = ""
    risk: str = ""
    deviation: str = ""
    hits: str = ""
    break_even: str = ""
    meter: str = ""
    edge_now: str = ""
    method: str = ""
    exact: str = ""
    events: tuple[EventLine, ...] = ()
    limit: str = ""
    """The aggregate payout limit as it is posted, whether it can bind, and the edge where it does."""


class OddsView(NamedTuple):
    """The wagers of a table."""

    table: str
    game: str
    hash: str
    wagers: tuple[WagerOdds, ...]

    @property
    def waits(self) -> str:
        """A figure that is being computed, if any is."""
        return next((wager.waits for wager in self.wagers if wager.waits), "")


def _one_in(probability: Fraction) -> str:
    return decimal(1 / probability, 1) if probability else ""


def offered_at(state: BookState, table: str, configuration: Configuration | None) -> tuple[Offered, ...]:
    """Return what a table offers: the wagers of its configuration, and its jackpots as they are defined."""
    offers = []
    if configuration is not None:
        for name, settings in configuration.wagers.items():
            ids = ", ".join(str(entry["id"] if isinstance(entry, Mapping) else entry) for entry in settings.paytables)
            job = TableOddsJob(configuration=configuration.canonical, wager=name)
            offers.append(Offered(configuration.game, name, ids, job))
    for record in state.of(JACKPOTS).at(table):
        jackpot, offer = record.jackpot, record.jackpot.offer_at(table)
        accounts = state.of(LEDGER).get(jackpot.name)
        cents = None if accounts is None else accounts.meter_state.displayed_cents
        defined = JackpotOddsJob(jackpot=jackpot.to_json(), table=table)
        offers.append(Offered(offer.game, offer.wager, offer.paytable, defined, cents))
    return tuple(offers)


def _figures(result: OddsResult, meter_cents: int | None) -> dict[str, object]:
    even = result.break_even_meter
    is_jackpot = result.meter_coefficient is not None
    now = None if meter_cents is None or not is_jackpot else result.edge_at(meter_cents=meter_cents)
    return {
        "edge": percent(result.house_edge),
        "risk": percent(result.element_of_risk),
        "deviation": result.std_dev(4),
        "hits": percent(result.hit_frequency),
        "break_even": "" if even is None else f"${decimal(even, 2)}",
        "meter": "" if meter_cents is None or not is_jackpot else dollars(meter_cents),
        "edge_now": "" if now is None else percent(now),
        "method": result.method,
        "exact": f"{result.house_edge.numerator:,}/{result.house_edge.denominator:,}",
        "events": tuple(
            EventLine(event.event, event.pays, _one_in(event.probability), decimal(event.contribution, 6))
            for event in result.events
        ),
    }


def odds_view(
    table: str, configuration: Configuration | None, offered: tuple[Offered, ...], ask: Callable[[Job], Figure]
) -> OddsView:
    """Return the view of the odds of the wagers on offer at a table, each as far as it is counted."""
    games = ", ".join(dict.fromkeys(find_game(wager.game).title for wager in offered))
    lines = tuple(wager_line(wager, ask(wager.job)) for wager in offered)
    return OddsView(table, games, "" if configuration is None else configuration.content_hash[:12], lines)


def wager_line(offered: Offered, figure: Figure) -> WagerOdds:
    """Return the view of the odds of one wager, as far as they are counted."""
    wager = find_game(offered.game).by_name[offered.wager]
    line = WagerOdds(offered.wager, titled(wager.title), offered.paytables, wager.jackpot)
    if figure.status == "computing":
        return line._replace(waits=figure.key)
    if figure.status == "failed":
        return line._replace(failed=figure.words or "cannot be counted")
    limit = _limit(figure.value.get("aggregate_limit"))
    return line._replace(**_figures(result_from_json(figure.value), offered.cents), limit=limit)  # type: ignore[arg-type]


def _limit(price: Mapping[str, Any] | None) -> str:
    """Return the payout limit of a wager in words, and the house edge where it binds (G-65)."""
    if price is None:
        return ""
    words = f"{price['posted']} It {price['words'].replace('`', '')}."
    if price["limited"] is None:
        return words
    edge = percent(result_from_json(price["limited"]).house_edge)
    return f"{words} House edge of a player alone at that stake: {edge}."


class FanView(NamedTuple):
    """Everything that is drawn, in the units of the drawing, and what it says in words."""

    bands: tuple[str, ...]
    line: str
    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    words: str
    width: int = charts.WIDTH
    height: int = charts.HEIGHT
    left: int = charts.LEFT
    right: int = charts.WIDTH - charts.RIGHT
    bottom: int = charts.HEIGHT - charts.BOTTOM


class ForecastView(NamedTuple):
    """The forecast of one jackpot; `days` has by day what the meter shows after it in so many of a hundred runs."""

    fan: FanView
    percents: tuple[str, ...]
    days: dict[int, tuple[str, ...]]
    exact: tuple[Field, ...]
    simulated: tuple[Field, ...]
    source: tuple[Field, ...]


def fan_view(bands: Sequence[Sequence[int]], percents: Sequence[int]) -> FanView:
    """Draw bands of cents by day, the first of which is now: the outermost pair first, the middle as a line."""
    low, high = min(map(min, bands)), max(map(max, bands))
    ticks = money_ticks(units_of(low), units_of(high))
    first, last = ticks[0] // _UNITS_PER_CENT, ticks[-1] // _UNITS_PER_CENT
    wide, tall = charts.WIDTH - charts.LEFT - charts.RIGHT, charts.HEIGHT - charts.TOP - charts.BOTTOM
    count = max(1, len(bands) - 1)

    def x(day: int) -> int:
        return charts.LEFT + day * wide // count

    def y(cents: int) -> int:
        return charts.TOP + tall - (cents - first) * tall // (last - first)

    def points(place: int) -> list[str]:
        return [f"{x(day)} {y(band[place])}" for day, band in enumerate(bands)]

    middle = len(percents) // 2
    pairs = [(place, len(percents) - 1 - place) for place in range(middle)]
    every = -(-len(bands) // _DAYS_SHOWN)
    ends = [plain_dollars(cents) for cents in bands[-1]]
    return FanView(
        bands=tuple(f"M{'L'.join([*points(under), *reversed(points(over))])}Z" for under, over in pairs),
        line=f"M{'L'.join(points(middle))}",
        rows=tuple(Tick(y(tick // _UNITS_PER_CENT), plain_dollars(tick // _UNITS_PER_CENT)) for tick in ticks),
        columns=tuple(Tick(x(day), f"day {day}" if day else "now") for day in range(0, len(bands), every)),
        words=f"After {counted(len(bands) - 1, 'day')} the median is {ends[middle]}; "
        f"{percents[-1] - percents[0]}% of runs end between {ends[0]} and {ends[-1]}.",
    )


def _ratio(text: str | None, places: int, unit: str) -> str:
    return "cannot be counted" if text is None else f"{decimal(Fraction(text), places)}{unit}"


def _money(text: str) -> str:
    return plain_dollars(parse_dollars(text))


def _mean(spread: Mapping[str, Any] | None) -> str:
    if spread is None:
        return "never in these runs"
    return f"{_money(spread['mean'])}, ± {_money(spread['standard_error'])}"


def forecast_view(forecast: Mapping[str, Any], wager: str) -> ForecastView | None:
    """Return the view of the forecast of a jackpot wager; nothing where the forecast has none."""
    jackpot = next((jackpot for jackpot in forecast["jackpots"] if jackpot["name"] == wager), None)
    if jackpot is None:
        return None
    percents = jackpot["fan"]["percents"]
    bands = [[parse_dollars(amount) for amount in band] for band in jackpot["fan"]["dollars_by_day"]]
    exact, simulated, source = jackpot["exact"], jackpot["simulated"], forecast["simulated"]
    reserve = exact["sufficient_reserve_rate"]
    every = -(-len(bands) // _DAYS_SHOWN)
    days = sorted({*range(every, len(bands), every), len(bands) - 1})
    return ForecastView(
        fan=fan_view(bands, percents),
        percents=tuple(f"{share}%" for share in percents),
        days={day: tuple(map(plain_dollars, bands[day])) for day in days},
        exact=(
            Field("Growth per day, before prizes", _money(exact["growth_a_day"])),
            Field("Top prize", " or ".join(exact["top_events"]) or "no row"),
            Field("Rounds between top prizes", _ratio(exact["rounds_between"], 0, "")),
            Field("Days between top prizes", _ratio(exact["days_between"], 1, "")),
            Field(
                "Reserve rate that funds the reset",
                "" if reserve is None else f"{decimal(Fraction(reserve) * 100, 2)}%",
            ),
        ),
        simulated=(
            Field("Top prizes won", f"{simulated['top_hits']:,} in {simulated['rounds']:,} rounds"),
            Field("Average top prize", _mean(simulated["top_prize"])),
            Field("Shortfall at reset", _mean(simulated["seed_lacked"])),
            Field("Prizes the house had to cover", f"{simulated['cover']['covered']:,}"),
        ),
        source=(
            Field("Rounds", f"{source['rounds']:,} in {source['runs']:,} runs of {forecast['days']} days"),
            Field("Rounds per day", f"{forecast['rounds_per_hour'] * forecast['hours_per_day']:,}"),
            Field("Seats and wagers", f"{forecast['seats']}: {_stakes(forecast['game'], forecast['stakes'])}"),
            Field("Play", forecast["strategy"]),
            *(Field("Not in the exact figures", text) for text in forecast.get("exact_leaves_out", ())),
            Field("Seed for repeating this run", source["key"]),
        ),
    )


def _stakes(game: str, stakes: Mapping[str, str]) -> str:
    titles = find_game(game).by_name
    return ", ".join(f"{titles[name].title} {_money(text)}" for name, text in stakes.items())


Ask = Callable[[Job], Figure]
_SHORT = 12


def short_hash(content_hash: str) -> str:
    """Return the first figures of a hash, by which people name a configuration."""
    return content_hash[:_SHORT]


class ProblemLine(NamedTuple):
    """A problem: its line in the text, what it is about, where, in words, and by which clause."""

    line: int | None
    title: str
    path: str
    words: str
    because: str


def problem_lines(problems: tuple[Problem, ...], game: str | None) -> tuple[ProblemLine, ...]:
    """Return the view of what is wrong with a configuration."""

    def line(problem: Problem) -> ProblemLine:
        title = titled(title_of(problem.path, find_game(game))) if game else problem.path
        because = "; ".join(part for part in (problem.clause, problem.ruling) if part)
        return ProblemLine(problem.line, title, problem.path, problem.words, because)

    return tuple(map(line, problems))


class EdgeLine(NamedTuple):
    """The house edge of a wager, before and after; each a figure, that it is computed, or why there is none."""

    title: str
    was: str
    becomes: str
    paytables: str
    now: str = ""
    waits: str = ""
    failed: str = ""
    cost: str = ""
    """The largest prize of the wager at its maximum, and for what."""

    @property
    def changed(self) -> bool:
        """True if both are known and differ."""
        return bool(self.was and self.becomes and self.was != self.becomes)

    @property
    def is_below_zero(self) -> bool:
        """True if players win in the long run: by the edge, or by that at the meter where there is one."""
        return (self.now or self.becomes).startswith(("-", "\N{MINUS SIGN}"))


def _offers(configuration: Configuration | None) -> dict[str, Offered | str]:
    """Return by wager the job for the worker, or why there can be none."""
    if configuration is None:
        return {}
    offers: dict[str, Offered | str] = {}
    for name in configuration.offered:
        entries = configuration.terms_spec.paytables[name]
        paytables = ", ".join(str(entry.get("id")) if isinstance(entry, Mapping) else str(entry) for entry in entries)
        job = WagerOddsJob.of(configuration, name)
        if job is None:
            offers[name] = "its pay table is not right yet"
            continue
        cents = configuration.jackpots[name].meter_cents if name in configuration.jackpots else None
        offers[name] = Offered(configuration.game, name, paytables, job, cents)
    return offers


def _line(offered: Offered | str | None, ask: Ask) -> WagerOdds | None:
    return wager_line(offered, ask(offered.job)) if isinstance(offered, Offered) else None


def edge_lines(
    before: Configuration | None, after: Configuration, ask: Ask, cost: TableCost | None = None
) -> tuple[EdgeLine, ...]:
    """Return the house edge of every wager of a configuration, beside what it was under the one before."""
    was, becomes = _offers(before), _offers(after)
    is_same_game = before is not None and before.game == after.game
    costs = _largest_prizes(cost)
    lines = []
    for name, offered in becomes.items():
        old, new = _line(was.get(name), ask) if is_same_game else None, _line(offered, ask)
        title = titled(find_game(after.game).by_name[name].title)
        lines.append(
            EdgeLine(
                title,
                "" if old is None else old.edge,
                "" if new is None else new.edge,
                "" if new is None else new.paytables,
                "" if new is None else new.edge_now,
                next((odds.waits for odds in (old, new) if odds is not None and odds.waits), ""),
                offered if isinstance(offered, str) else "" if new is None else new.failed,
                costs.get(name, ""),
            )
        )
    return tuple(lines)


def choice_edges(configuration: Configuration, ask: Ask) -> dict[str, tuple[str, str]]:
    """Return by `WAGER:SLOT:ID` the house edge with each pay table that could stand there, and its key while it waits.

    A jackpot's is that at its opening meter; of a table whose amounts the operator sets there is none yet.
    """
    edges: dict[str, tuple[str, str]] = {}
    for wager in find_game(configuration.game).wagers:
        offered = {**configuration.wagers, **configuration.jackpots}.get(wager.name)
        for slot in () if offered is None else (slot for slot in wager.slots if not slot.fixed):
            for table_id in slot.ids:
                variant = _with_table(configuration, wager.name, slot.ids, table_id)
                job = WagerOddsJob.of(variant, wager.name)
                figure = None if job is None else ask(job)
                if figure is None or figure.status == "failed":
                    continue
                place = f"{wager.name}:{slot.name}:{table_id}"
                edges[place] = _choice_edge(figure, variant, wager.name)
    return edges


def _with_table(configuration: Configuration, name: str, ids: Sequence[str], table_id: str) -> Configuration:
    """Return a configuration with another pay table in the place where one of `ids` stands."""

    def tables(entries: Sequence[Any]) -> tuple[Any, ...]:
        stated = [(entry_id(entry), entry) for entry in entries]
        return tuple(table_id if own in ids and own != table_id else entry for own, entry in stated)

    wagers, jackpots = configuration.wagers, configuration.jackpots
    if name in jackpots:
        jackpot = replace(jackpots[name], paytables=tables(jackpots[name].paytables))
        return replace(configuration, jackpots={**jackpots, name: jackpot})
    wager = replace(wagers[name], paytables=tables(wagers[name].paytables))
    return replace(configuration, wagers={**wagers, name: wager})


def entry_id(entry: Any) -> str:
    """Return the id of the printed table that is stated, or from which one of the room's own departs."""
    return str(entry.get("like", entry.get("id", ""))) if isinstance(entry, Mapping) else str(entry)


def _choice_edge(figure: Figure, configuration: Configuration, name: str) -> tuple[str, str]:
    if figure.status == "computing":
        return "edge being counted", figure.key
    result = result_from_json(figure.value)
    jackpot = configuration.jackpots.get(name)
    cents = None if jackpot is None or result.meter_coefficient is None else jackpot.meter_cents
    return f"edge {percent(result.house_edge if cents is None else result.edge_at(meter_cents=cents))}", ""


def _largest_prizes(cost: TableCost | None) -> dict[str, str]:
    return {
        each.wager: f"{plain_dollars(each.largest_cents)} on {plain_dollars(each.stake_cents)}: {each.event}"
        for each in (() if cost is None else cost.wagers)
        if each.largest_cents
    }


class ComparedView(NamedTuple):
    """Two configurations by their hashes, and everything that differs; what it rests on where there is only one."""

    before: str
    after: str
    settings: tuple[ConfigurationChange, ...]
    pays: tuple[ConfigurationChange, ...]
    approvals: tuple[ConfigurationChange, ...]
    edges: tuple[EdgeLine, ...]
    letters: tuple[tuple[str, str], ...]
    round_cost: str = ""
    """What one seat can win in one round at most."""

    @property
    def is_same(self) -> bool:
        """True if nothing differs."""
        return bool(self.before) and not (self.settings or self.pays or self.approvals)

    @property
    def is_below_zero(self) -> bool:
        """True if players win at a wager in the long run."""
        return any(line.is_below_zero for line in self.edges)

    @property
    def waits(self) -> str:
        """A figure that is being computed, if any is."""
        return next((line.waits for line in self.edges if line.waits), "")


def compared_view(
    before: Configuration | None, after: Configuration, ask: Ask, cost: TableCost | None = None
) -> ComparedView:
    """Return the view of what one configuration changes of another; of none, everything that it states.

    `cost` is what the new one can cost at its table; a configuration without a table has none.
    """
    comparison: Comparison = compare(before, after)
    return ComparedView(
        "" if before is None else before.content_hash,
        after.content_hash,
        _in_words(comparison.settings),
        _in_words(comparison.pays),
        _in_words(comparison.approvals),
        edge_lines(before, after, ask, cost),
        tuple((days_in_words(title), words) for title, words in letters_of(after).items()),
        "" if cost is None else plain_dollars(cost.round_cents),
    )


def _in_words(changes: tuple[ConfigurationChange, ...]) -> tuple[ConfigurationChange, ...]:
    return tuple(ConfigurationChange(change.path, *map(days_in_words, change[1:])) for change in changes)


def compared_at_table(
    state: BookState, table: str, before: Configuration | None, after: Configuration | None, ask: Ask
) -> ComparedView | None:
    """Return the view of what a configuration changes at a table, with what it can cost there; of none nothing."""
    return None if after is None else compared_view(before, after, ask, cost_at_the_meter(state, table, after))
