"""A forecast as tables in the terminal: each says what it was computed from."""

from __future__ import annotations

from fractions import Fraction

from rich.markup import escape

from pitboss.cli.output import console, plain_table
from pitboss.meters import UNITS_PER_CENT, MeterTerms
from pitboss.odds.decimals import decimal_text, root_text
from pitboss.rules import dollars
from pitboss.simulate.forecasts.plan import ForecastPlan
from pitboss.simulate.forecasts.values import PERCENTS, JackpotForecast, PeriodWin, Spread, TableForecast

_UNITS = 100 * UNITS_PER_CENT
_DAYS_A_YEAR = 365
_LABELS = tuple(f"{each} %>" for each in PERCENTS)


def print_forecast(found: TableForecast) -> None:
    """Print what the table wins and how its meters behave."""
    plan = found.plan
    console.print(f"[bold]{escape(found.title)}: forecast[/]")
    staked = ", ".join(f"{name} {dollars(cents)}" for name, cents in found.stakes.items())
    each = ", each" if found.seats > 1 else ""
    _say(f"  {_counted(found.seats, 'seat')}{each} staking {staked}; play: {_strategy(found.strategy)}")
    _say(f"  {plan.rounds_per_hour} rounds an hour, {plan.hours_per_day} hours a day: {plan.day_rounds:,} rounds a day")
    _say(f"  simulated: {found.rounds:,} rounds in {_runs(found.runs, plan)}, key {found.key}")
    _say(f"  exact: from the odds, terms {found.terms_hash[:12]}")
    _print_wins(found)
    for jackpot in found.jackpots:
        _print_jackpot(jackpot, plan)


def _say(line: str) -> None:
    console.print(escape(line), soft_wrap=True)


def _strategy(name: str) -> str:
    return name if len(name) < 20 else "as the file says"


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _runs(runs: int, plan: ForecastPlan) -> str:
    return f"{_counted(runs, 'run')} of {_counted(plan.days, 'day')}"


def _dollars(units: Fraction | int) -> str:
    """Print units to the dollar, rounded half away from zero."""
    return _grouped(decimal_text(Fraction(units) / _UNITS, 0))


def _grouped(number: str) -> str:
    return f"-${int(number[1:]):,}" if number.startswith("-") else f"${int(number):,}"


def _root_dollars(squared: Fraction) -> str:
    return _grouped(root_text(squared / _UNITS**2, 0))


def _print_wins(found: TableForecast) -> None:
    console.print("\n[bold]Win of the house[/], less what goes to the meters")
    table = plain_table(
        "  before percentage prizes and seed", "rounds>", "exact mean>", "simulated>", "error>", "periods>"
    )
    for period in found.periods:
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
    for period in found.periods:
        table.add_row(
            f"  {period.name}",
            _dollars(period.win.mean),
            _root_dollars(period.win.variance),
            *map(_dollars, period.win.quantiles),
            *_losing(period),
        )
    console.print(table)
    if not all(period.losing for period in found.periods):
        _say("  none of N: with 95 % confidence the probability is below 3/N")


def _losing(period: PeriodWin) -> tuple[str, str]:
    """Tell how likely a losing period is; of none in many it is known only that it is rare."""
    if not period.losing:
        return f"none of {period.win.count:,}", f"< {decimal_text(Fraction(300, period.win.count), 2)} %"
    share = decimal_text(period.losing_share * 100, 2)
    return f"{share} %", f"± {root_text(period.losing_error_squared * 10_000, 2)} %"


def _print_jackpot(jackpot: JackpotForecast, plan: ForecastPlan) -> None:
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
    return f"{decimal_text(rate * 100, 4).rstrip('0').rstrip('.')} %"


def _cents(units: int) -> str:
    return dollars(int(decimal_text(Fraction(units, UNITS_PER_CENT), 0)))


def _print_spreads(jackpot: JackpotForecast, plan: ForecastPlan) -> None:
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


def _print_house(jackpot: JackpotForecast, plan: ForecastPlan) -> None:
    """Tell what the house pays of prizes (G-4) and lends as seed."""
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


def _print_grid(jackpot: JackpotForecast, plan: ForecastPlan) -> None:
    years = Fraction(jackpot.rounds, plan.day_rounds * _DAYS_A_YEAR)
    console.print(f"  the same {_counted(jackpot.cover.hits, 'hit')} under other seeds and rates, in the long run:")
    table = plain_table(
        "  seed>",
        "rate>",
        "growth a day>",
        "mean prize>",
        "median>",
        "95 %>",
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
