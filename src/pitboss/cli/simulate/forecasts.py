"""The `forecast` command: reads what was typed, forecasts, and prints with every figure what it was computed from."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pitboss.cards import parse_key
from pitboss.cli.games.configurations import read_file
from pitboss.cli.odds.wager_odds import progress_bar
from pitboss.cli.output import BROKEN_RULE, TYPED_WRONG, errors, fail, game_or_exit, show_problems
from pitboss.cli.simulate.forecast_tables import print_forecast
from pitboss.games import game_names
from pitboss.rules import MoneyError, Problem, parse_dollars
from pitboss.simulate.forecasts.forecasting import forecast
from pitboss.simulate.forecasts.plan import ForecastPlan, ForecastRefusedError, MeterSettings, make_request
from pitboss.simulate.forecasts.values import TableForecast
from pitboss.simulate.setup import NEVER_FOLD, OPTIMAL, SIMPLE
from pitboss.table import Configuration, default_configuration, read_configuration

_PICTURES = (".svg", ".pdf", ".png")
_FIELDS = {"--seed": "seed_cents", "--rate": "rate", "--reserve-rate": "reserve_rate", "--cap": "cap_cents"}
_RATE = re.compile(r"(?P<number>[0-9]{1,9}(\.[0-9]{1,9})?) ?(?P<percent>%)?")
_AMOUNTS = ("--seed", "--cap")
_INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was typed after `pitboss forecast`, unchecked; `plan` in the order of the fields of a plan."""

    table: str
    plan: tuple[int, int, int, int, int]
    seats: int | None
    wagers: Sequence[str]
    strategy: str
    meters: Mapping[str, Sequence[str]]
    grid: bool
    key: str | None
    outputs: Sequence[Path]


def show_forecast(asked: Asked, *, as_json: bool) -> int:
    """Forecast a table, print it, and draw the charts asked for."""
    configuration = _configuration(asked.table)
    typed = _Typed(asked, configuration)
    plan = ForecastPlan(**dict(zip(ForecastPlan.__dataclass_fields__, asked.plan, strict=True)))
    key = typed.key()
    given: dict[str, Any] = {
        "plan": plan,
        "seats": asked.seats,
        "stakes": typed.stakes(),
        "meters": typed.meters(),
        "strategy": typed.strategy(),
    }
    typed.check_outputs()
    _check(asked, configuration, typed, **given)
    found = _forecast(asked, configuration, key=key, **given)
    if as_json:
        print(json.dumps(found.as_json(), indent=2))
    else:
        print_forecast(found)
    for file in asked.outputs:
        _draw(found, file)
    if found.interrupted:
        errors.print(f"stopped: {found.runs:,} of {plan.runs:,} runs were simulated")
    return _INTERRUPTED if found.interrupted else 0


def _configuration(text: str) -> Configuration:
    """Read a configuration, or make the default table of a game."""
    if text in game_names():
        return default_configuration(game_or_exit(text), datetime.datetime.now(tz=datetime.UTC).date())
    if not Path(text).exists() and Path(text).suffix != ".toml":
        raise fail(f"{text!r} is no file and no game; there are: {', '.join(game_names())}")
    read = read_configuration(read_file(Path(text)))
    if read.configuration is None or read.problems:
        show_problems(read.problems, f"{text}: {len(read.problems)} problem{'s' if len(read.problems) != 1 else ''}")
        raise SystemExit(BROKEN_RULE)
    return read.configuration


def _forecast(asked: Asked, configuration: Configuration, **given: Any) -> TableForecast:
    """Forecast under a progress bar."""
    with progress_bar() as progress:
        task = progress.add_task(f"{configuration.game}: counting, compiling", total=None)
        words = f"{configuration.game}: rounds"
        try:
            return forecast(
                configuration,
                grid=asked.grid,
                tell=lambda done, of: progress.update(task, description=words, completed=done, total=of),
                **given,
            )
        except ValueError as error:
            progress.stop()
            raise fail(str(error)) from None


def _check(asked: Asked, configuration: Configuration, typed: _Typed, **given: Any) -> None:
    """End with everything that is wrong with what was typed, in one message."""
    problems = list(typed.problems)
    try:
        make_request(configuration, **given)
    except ForecastRefusedError as error:
        problems += error.problems
    if problems:
        show_problems(problems, f"{asked.table}: nothing can be forecast")
        raise SystemExit(TYPED_WRONG)


def _draw(found: TableForecast, file: Path) -> None:
    from pitboss.paper.simulation import forecast_picture  # noqa: PLC0415 - loads matplotlib

    try:
        file.write_bytes(forecast_picture(found, file.suffix.lower().removeprefix(".")))
    except OSError as error:
        raise fail(f"cannot write {file}: {error.strerror}") from None


class _Typed:
    """Reads what was typed, collecting problems."""

    def __init__(self, asked: Asked, configuration: Configuration) -> None:
        self._asked = asked
        self._jackpots = list(configuration.jackpots)
        self.problems: list[Problem] = []

    def stakes(self) -> dict[str, int] | None:
        """Read every --wager; nothing where none was typed."""
        found = {}
        for text in self._asked.wagers:
            name, equals, amount = text.partition("=")
            cents = self._cents("--wager", amount) if equals else None
            if not equals:
                self.problems.append(Problem("--wager", f"{text!r} must be NAME=DOLLARS"))
            elif name.strip() in found:
                self.problems.append(Problem("--wager", f"{name.strip()} is stated twice"))
            if cents is not None:
                found[name.strip()] = cents
        return found or None

    def meters(self) -> dict[str, MeterSettings]:
        """Read the settings of meters; the jackpot goes without saying where there is one."""
        found: dict[str, dict[str, Any]] = {}
        for option, texts in self._asked.meters.items():
            for text in texts:
                name, equals, amount = text.partition("=")
                if not equals and len(self._jackpots) != 1:
                    names = ", ".join(self._jackpots) or "none"
                    self.problems.append(Problem(option, f"{text!r}: say which jackpot, JACKPOT=…; there are: {names}"))
                    continue
                name, amount = (name.strip(), amount) if equals else (self._jackpots[0], text)
                value = self._cents(option, amount) if option in _AMOUNTS else self._rate(option, amount)
                settings = found.setdefault(name, {})
                if _FIELDS[option] in settings:
                    self.problems.append(Problem(option, f"{name} is stated twice"))
                settings[_FIELDS[option]] = value
        return {name: MeterSettings(**settings) for name, settings in found.items()}

    def key(self) -> bytes | None:
        """Read the key."""
        try:
            return None if self._asked.key is None else parse_key(self._asked.key)
        except ValueError as error:
            self.problems.append(Problem("--key", str(error)))
            return None

    def strategy(self) -> str:
        """Give a strategy's name, or the text of its file."""
        name = self._asked.strategy
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
        for file in self._asked.outputs:
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
