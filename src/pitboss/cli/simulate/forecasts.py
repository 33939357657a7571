"""The `forecast` command: reads its options, forecasts, and prints with every figure what it was computed from."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.markup import escape

from pitboss.cards import fresh_key, parse_key
from pitboss.cli import output
from pitboss.cli.arguments import configuration_or_exit
from pitboss.cli.output import console, fail, game_or_exit, plain_table, progress_bar, show_problems
from pitboss.games import game_names
from pitboss.meters import UNITS_PER_CENT, MeterTerms
from pitboss.odds.decimals import decimal_text, root_text
from pitboss.rules import MoneyError, Problem, dollars, parse_dollars
from pitboss.simulate.forecasts import plan as plans
from pitboss.simulate.forecasts.company import CompanyForecast, forecast_company
from pitboss.simulate.forecasts.forecasting import forecast
from pitboss.simulate.forecasts.values import PERCENTS, JackpotForecast, PeriodWin, Spread, TableForecast
from pitboss.simulate.setup import NEVER_FOLD, OPTIMAL, SIMPLE
from pitboss.table import Configuration, default_configuration

_PICTURES = (".svg", ".pdf", ".png")
_FIELDS = {"--seed": "seed_cents", "--rate": "rate", "--reserve-rate": "reserve_rate", "--cap": "cap_cents"}
_RATE = re.compile(r"(?P<number>[0-9]{1,9}(\.[0-9]{1,9})?) ?(?P<percent>%)?")
_AMOUNTS = ("--seed", "--cap")
_INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastOptions:
    """The options of `pitboss forecast`, unchecked; `plan` in the order of the fields of a plan."""

    table: str
    plan: tuple[int, int, int, int, int]
    seats: int | None
    wagers: Sequence[str]
    strategy: str
    meters: Mapping[str, Sequence[str]]
    grid: bool
    key: str | None
    outputs: Sequence[Path]
    company: tuple[int, int, int, str | None] | None = None


def show_forecast(options: ForecastOptions, *, as_json: bool) -> int:
    """Forecast a table, print it, and draw the charts that were asked for."""
    configuration = _configuration(options.table)
    typed = _Typed(options, configuration)
    plan = plans.ForecastPlan(**dict(zip(plans.ForecastPlan.__dataclass_fields__, options.plan, strict=True)))
    key = typed.key()
    terms: dict[str, Any] = {
        "plan": plan,
        "seats": options.seats,
        "stakes": typed.stakes(),
        "meters": typed.meters(),
        "strategy": typed.strategy(),
    }
    typed.check_outputs()
    _check(options, configuration, typed, **terms)
    if options.company is not None:
        return _show_company(options.company, plans.make_request(configuration, **terms), key, as_json=as_json)
    result = _forecast(options, configuration, key=key, **terms)
    if as_json:
        print(json.dumps(result.as_json(), indent=2))
    else:
        print_forecast(result)
    for file in options.outputs:
        _draw(result, file)
    if result.interrupted:
        output.errors.print(f"stopped: {result.runs:,} of {plan.runs:,} runs were simulated")
    return _INTERRUPTED if result.interrupted else 0


def _show_company(
    company: tuple[int, int, int, str | None],
    request: plans.ForecastRequest,
    key: bytes | None,
    *,
    as_json: bool,
) -> int:
    """Forecast a company and print it."""
    rooms, tables, workers, scheduler = company
    with progress_bar() as progress:
        task = progress.add_task("rounds", total=None)
        try:
            result = forecast_company(
                request,
                rooms=rooms,
                tables=tables,
                key=fresh_key() if key is None else key,
                workers=workers,
                scheduler=scheduler,
                tell=lambda done, of: progress.update(task, completed=done, total=of),
            )
        except (ValueError, OSError) as error:
            progress.stop()
            raise fail(str(error)) from None
    if as_json:
        print(json.dumps(result.as_json(), indent=2))
    else:
        print_company(result)
    return 0


def print_company(result: CompanyForecast) -> None:
    """Print what a company wins, and how the win of one room is spread."""
    plan = result.plan
    console.print(f"[bold]{escape(result.title)}: forecast of a company[/]")
    _say(f"  {_counted(result.rooms, 'room')} of {_counted(result.tables, 'table')}, {_counted(plan.days, 'day')} each")
    _say(f"  simulated: {result.rounds:,} rounds, key {result.key}")
    table = plain_table("  win of the house, less what goes to the meters", "all rooms>", "a room>")
    rows = (
        ("exact, before percentage prizes and seed", result.exact_units),
        ("simulated, before percentage prizes and seed", result.before_units),
        ("simulated, after them", result.win_units),
    )
    for words, units in rows:
        table.add_row(f"  {words}", _dollars(units), _dollars(Fraction(units) / result.rooms))
    console.print(table)
    _say(f"  the simulated win is {result.deviation:+.2f} standard errors off the exact one")
    spread = result.rooms_win
    if spread is not None and result.rooms > 1:
        table = plain_table("  rooms", *_LABELS)
        table.add_row("  win of a room", *map(_dollars, spread.quantiles))
        console.print(table)
    for name, hits in result.top_hits.items():
        expected = result.expected_hits[name]
        beside = "" if expected is None else f", exact {decimal_text(expected, 2)}"
        _say(f"  {name}: won whole {hits:,} times{beside}")


def _configuration(text: str) -> Configuration:
    """Read a configuration, or make the default table of a game."""
    if text in game_names():
        return default_configuration(game_or_exit(text), datetime.datetime.now(tz=datetime.UTC).date())
    if not Path(text).exists() and Path(text).suffix != ".toml":
        raise fail(f"{text!r} is no file and no game; there are: {', '.join(game_names())}")
    return configuration_or_exit(Path(text), lambda count: f"{text}: {count} problem{'s' if count != 1 else ''}")


def _forecast(options: ForecastOptions, configuration: Configuration, **terms: Any) -> TableForecast:
    """Forecast under a progress bar."""
    with progress_bar() as progress:
        task = progress.add_task(f"{configuration.game}: counting, compiling", total=None)
        words = f"{configuration.game}: rounds"
        try:
            return forecast(
                configuration,
                grid=options.grid,
                tell=lambda done, of: progress.update(task, description=words, completed=done, total=of),
                **terms,
            )
        except ValueError as error:
            progress.stop()
            raise fail(str(error)) from None


def _check(options: ForecastOptions, configuration: Configuration, typed: _Typed, **terms: Any) -> None:
    """Exit with everything that is wrong with the options, in one message."""
    problems = list(typed.problems)
    try:
        plans.make_request(configuration, **terms)
    except plans.ForecastRefusedError as error:
        problems += error.problems
    if problems:
        show_problems(problems, f"{options.table}: nothing can be forecast")
        raise SystemExit(output.TYPED_WRONG)


def _draw(result: TableForecast, file: Path) -> None:
    from pitboss.paper.simulation import forecast_picture  # noqa: PLC0415 - loads matplotlib

    try:
        file.write_bytes(forecast_picture(result, file.suffix.lower().removeprefix(".")))
    except OSError as error:
        raise fail(f"cannot write {file}: {error.strerror}") from None


class _Typed:
    """Parses the options and collects problems."""

    def __init__(self, options: ForecastOptions, configuration: Configuration) -> None:
        self._options = options
        self._jackpots = list(configuration.jackpots)
        self.problems: list[Problem] = []

    def stakes(self) -> dict[str, int] | None:
        """Read every --wager; nothing where none was typed."""
        stakes = {}
        for text in self._options.wagers:
            name, equals, amount = text.partition("=")
            cents = self._cents("--wager", amount) if equals else None
            if not equals:
                self.problems.append(Problem("--wager", f"{text!r} must be NAME=DOLLARS"))
            elif name.strip() in stakes:
                self.problems.append(Problem("--wager", f"{name.strip()} is stated twice"))
            if cents is not None:
                stakes[name.strip()] = cents
        return stakes or None

    def meters(self) -> dict[str, plans.MeterSettings]:
        """Read the settings of meters; the jackpot goes without saying where there is one."""
        settings_by_name: dict[str, dict[str, Any]] = {}
        for option, texts in self._options.meters.items():
            for text in texts:
                name, equals, amount = text.partition("=")
                if not equals and len(self._jackpots) != 1:
                    names = ", ".join(self._jackpots) or "none"
                    self.problems.append(Problem(option, f"{text!r}: say which jackpot, JACKPOT=…; there are: {names}"))
                    continue
                name, amount = (name.strip(), amount) if equals else (self._jackpots[0], text)
                value = self._cents(option, amount) if option in _AMOUNTS else self._rate(option, amount)
                settings = settings_by_name.setdefault(name, {})
                if _FIELDS[option] in settings:
                    self.problems.append(Problem(option, f"{name} is stated twice"))
                settings[_FIELDS[option]] = value
        return {name: plans.MeterSettings(**settings) for name, settings in settings_by_name.items()}

    def key(self) -> bytes | None:
        """Read the key."""
        try:
            return None if self._options.key is None else parse_key(self._options.key)
        except ValueError as error:
            self.problems.append(Problem("--key", str(error)))
            return None

    def strategy(self) -> str:
        """Return a strategy's name, or the text of its file."""
        name = self._options.strategy
        if name in (OPTIMAL, SIMPLE, NEVER_FOLD):
            return name
        try:
            return Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            words = f"{name!r} is no file that can be read, and none of {OPTIMAL}, {SIMPLE}, {NEVER_FOLD}"
            self.problems.append(Problem("--strategy", words))
            return OPTIMAL

    def check_outputs(self) -> None:
        """See that every file to be written can be."""
        for file in self._options.outputs:
            if file.suffix.lower() not in _PICTURES:
                self.problems.append(Problem("-o", f"{file} must end in one of {', '.join(_PICTURES)}"))
            elif not file.parent.is_dir():
                self.problems.append(Problem("-o", f"{file}: there is no folder {file.parent}"))

    def _cents(self, option: str, text: str) -> int | None:
        try:
            return parse_dollars(text)
        except MoneyError as error:
            self.problems.append(Problem(option, str(error)))
            return None

    def _rate(self, option: str, text: str) -> Fraction | None:
        """Read 0.173 or 17.3% exactly."""
        match = _RATE.fullmatch(text.strip())
        if match is None:
            self.problems.append(Problem(option, f"{text!r} is no part of a wager: expected such as 0.173 or 17.3%"))
            return None
        return Fraction(match["number"]) / (100 if match["percent"] else 1)


_UNITS = 100 * UNITS_PER_CENT
_DAYS_A_YEAR = 365
_LABELS = tuple(f"{percent}%>" for percent in PERCENTS)


def print_forecast(result: TableForecast) -> None:
    """Print what the table wins and how its meters behave."""
    plan = result.plan
    console.print(f"[bold]{escape(result.title)}: forecast[/]")
    staked = ", ".join(f"{name} {dollars(cents)}" for name, cents in result.stakes.items())
    suffix = ", each" if result.seats > 1 else ""
    _say(f"  {_counted(result.seats, 'seat')}{suffix} staking {staked}; play: {_strategy(result.strategy)}")
    _say(f"  {plan.rounds_per_hour} rounds an hour, {plan.hours_per_day} hours a day: {plan.day_rounds:,} rounds a day")
    _say(f"  simulated: {result.rounds:,} rounds in {_runs(result.runs, plan)}, key {result.key}")
    _say(f"  exact: from the odds, terms {result.terms_hash[:12]}")
    for left_out in result.exact_leaves_out:
        _say(f"  exact figures leave out {left_out}")
    _print_wins(result)
    for jackpot in result.jackpots:
        _print_jackpot(jackpot, plan)


def _say(line: str) -> None:
    console.print(escape(line), soft_wrap=True)


def _strategy(name: str) -> str:
    return name if len(name) < 20 else "as the file says"


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _runs(runs: int, plan: plans.ForecastPlan) -> str:
    return f"{_counted(runs, 'run')} of {_counted(plan.days, 'day')}"


def _dollars(units: Fraction | int) -> str:
    """Print units to the dollar, rounded half away from zero."""
    return _grouped(decimal_text(Fraction(units) / _UNITS, 0))


def _grouped(number: str) -> str:
    return f"-${int(number[1:]):,}" if number.startswith("-") else f"${int(number):,}"


def _root_dollars(squared: Fraction) -> str:
    return _grouped(root_text(squared / _UNITS**2, 0))


def _print_wins(result: TableForecast) -> None:
    console.print("\n[bold]Win of the house[/], less what goes to the meters")
    table = plain_table(
        "  before percentage prizes and seed", "rounds>", "exact mean>", "simulated>", "error>", "periods>"
    )
    for period in result.periods:
        table.add_row(
            f"  {period.name}",
            f"{period.rounds:,}",
            _dollars(period.exact),
            _dollars(period.before.mean),
            f"± {_root_dollars(period.before.error_squared)}",
            f"{period.before.count:,}",
        )
    console.print(table)
    table = plain_table("  after them, simulated", "mean>", "deviation>", *_LABELS, "losing>", "error>")
    for period in result.periods:
        table.add_row(
            f"  {period.name}",
            _dollars(period.win.mean),
            _root_dollars(period.win.variance),
            *map(_dollars, period.win.quantiles),
            *_losing(period),
        )
    console.print(table)
    if not all(period.losing for period in result.periods):
        _say("  none of N: with 95% confidence the probability is below 3/N")


def _losing(period: PeriodWin) -> tuple[str, str]:
    """Return how likely a losing period is, with its error; none in many says only that it is rare."""
    if not period.losing:
        return f"none of {period.win.count:,}", f"< {decimal_text(Fraction(300, period.win.count), 2)}%"
    share = decimal_text(period.losing_share * 100, 2)
    return f"{share}%", f"± {root_text(period.losing_error_squared * 10_000, 2)}%"


def _print_jackpot(jackpot: JackpotForecast, plan: plans.ForecastPlan) -> None:
    console.print(f"\n[bold]{escape(jackpot.title)}[/]: {escape(_meter_words(jackpot.meter))}", soft_wrap=True)
    if jackpot.assumed:
        options = ", ".join(f"--{name}" for name in jackpot.assumed)
        _say(f"  assumed, as neither the configuration nor an option states it: {options}")
    chance = jackpot.top_chance
    if jackpot.meter.is_progressive:
        _say(f"  exact: grows by {_cents(jackpot.growth_units)} a day before prizes and any cap")
    tops = " or ".join(jackpot.top_events) or "no row"
    if chance:
        days = decimal_text(1 / (chance * plan.day_rounds), 1)
        rounds = int(decimal_text(1 / chance, 0))
        _say(f"  exact: {tops} wins it whole once in {rounds:,} rounds, {days} days, on average")
    if jackpot.sufficient_reserve_rate is not None:
        rate = _percent(jackpot.sufficient_reserve_rate)
        _say(f"  exact: a reserve rate of {rate} gathers the seed from one such win to the next, on average")
    _say(f"  simulated: {_counted(jackpot.top_hits, 'such win')} in one meter over all {jackpot.rounds:,} rounds")
    _print_spreads(jackpot, plan)
    _print_house(jackpot, plan)
    if jackpot.grid:
        _print_grid(jackpot, plan)


def _meter_words(meter: MeterTerms) -> str:
    opens = f"opens at {dollars(meter.seed_cents)}"
    if not meter.is_progressive:
        return f"{opens}, a Bonus: the house pays its prizes and the display stays"
    rate, reserve = _percent(meter.display_rate), _percent(meter.reserve_rate)
    cap = "no cap" if meter.cap_cents is None else f"cap {dollars(meter.cap_cents)}"
    parts = f"of {dollars(meter.wager_cents)} {rate} to the display, {reserve} to the reserve"
    return f"{opens}, reseeded with {dollars(meter.reseed_cents)}, {parts}, {cap}"


def _percent(rate: Fraction) -> str:
    """Print a part of a wager without idle zeros."""
    return f"{decimal_text(rate * 100, 4).rstrip('0').rstrip('.')}%"


def _cents(units: int) -> str:
    return dollars(int(decimal_text(Fraction(units, UNITS_PER_CENT), 0)))


def _print_spreads(jackpot: JackpotForecast, plan: plans.ForecastPlan) -> None:
    table = plain_table("  when the whole meter is won", "mean>", "error>", *_LABELS, "wins>")
    between = jackpot.rounds_between
    if between is not None:
        day = plan.day_rounds
        table.add_row(
            "  days since it was won before",
            decimal_text(between.mean / day, 1),
            f"± {root_text(between.error_squared / day**2, 1)}",
            *(decimal_text(Fraction(value, day), 1) for value in between.quantiles),
            f"{between.count:,}",
        )
    rows: list[tuple[str, Spread | None]] = [("  prize", jackpot.top_prize)]
    if jackpot.meter.is_progressive:
        rows.append(("  lacking of the seed, in the long run", jackpot.lacked))
        rows.append((f"  lacking of the seed, in the first {_counted(plan.days, 'day')}", jackpot.lacked_in_runs))
    for name, spread in rows:
        if spread is not None:
            error = f"± {_root_dollars(spread.error_squared)}"
            table.add_row(name, _dollars(spread.mean), error, *map(_dollars, spread.quantiles), f"{spread.count:,}")
    if table.row_count:
        console.print(table)


def _print_house(jackpot: JackpotForecast, plan: plans.ForecastPlan) -> None:
    """Print what the house pays of prizes (G-4) and lends as seed."""
    cover = jackpot.cover
    if not jackpot.meter.is_progressive:
        words = f"the house paid {dollars(cover.cents)} in {_counted(cover.covered, 'hit')}"
    else:
        words = f"the house covered a part of {cover.covered:,} of {_counted(cover.hits, 'hit')} (G-4)"
        words += f", {dollars(cover.cents)} in all"
    years = Fraction(jackpot.rounds, plan.day_rounds * _DAYS_A_YEAR)
    _say(f"  simulated: {words}: {_cents(round(cover.cents * UNITS_PER_CENT / years))} a year")
    if jackpot.meter.is_progressive:
        lent, yearly = _cents(jackpot.lent_units), _cents(round(jackpot.lent_units / years))
        _say(f"  simulated: the house lent {lent} of seed in the long run, {yearly} a year")


def _print_grid(jackpot: JackpotForecast, plan: plans.ForecastPlan) -> None:
    years = Fraction(jackpot.rounds, plan.day_rounds * _DAYS_A_YEAR)
    console.print(f"  the same {_counted(jackpot.cover.hits, 'hit')} under other seeds and rates, in the long run:")
    table = plain_table(
        "  seed>",
        "rate>",
        "growth a day>",
        "mean prize>",
        "median>",
        "95%>",
        "lacking, mean>",
        "lent a year>",
        "covered a year>",
    )
    for row in jackpot.grid:
        prize, lacked = row.top_prize, row.lacked
        table.add_row(
            f"  {dollars(row.seed_cents)}",
            _percent(row.rate),
            _cents(row.growth_units),
            "" if prize is None else _dollars(prize.mean),
            "" if prize is None else _dollars(prize.quantiles[PERCENTS.index(50)]),
            "" if prize is None else _dollars(prize.quantiles[PERCENTS.index(95)]),
            "" if lacked is None else _dollars(lacked.mean),
            _cents(round(row.lent_units / years)),
            _cents(round(row.cover.cents * UNITS_PER_CENT / years)),
        )
    console.print(table)
