"""The same rounds by the hundred million: dealt, decided and settled by compiled loops that read the games' own facts.

Rounds come in blocks; a key and a block number name the very rounds, whoever plays them. This package has no rules of
its own: facts come from `games`, pays from the settlement of `rules`, decisions from `odds`, meters from `meters`.
`run` plays and `make_report` sets the result beside what is exact. Everything is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitboss.simulate.folding import Fold, Hit, Level, Occasion, find_occasions, fold_meter
    from pitboss.simulate.forecast_plan import ForecastRefusedError, MeterSettings, Plan, usual_stakes
    from pitboss.simulate.forecast_values import Forecast
    from pitboss.simulate.forecasting import forecast
    from pitboss.simulate.report import Report, WagerReport, make_report
    from pitboss.simulate.running import Tally, run
    from pitboss.simulate.setup import BLOCK_ROUNDS, NEVER_FOLD, OPTIMAL, SIMPLE, Setup, make_setup

__all__ = [
    "BLOCK_ROUNDS",
    "NEVER_FOLD",
    "OPTIMAL",
    "SIMPLE",
    "Fold",
    "Forecast",
    "ForecastRefusedError",
    "Hit",
    "Level",
    "MeterSettings",
    "Occasion",
    "Plan",
    "Report",
    "Setup",
    "Tally",
    "WagerReport",
    "find_occasions",
    "fold_meter",
    "forecast",
    "make_report",
    "make_setup",
    "run",
    "usual_stakes",
]

_HOMES = {
    "folding": ("Fold", "Hit", "Level", "Occasion", "find_occasions", "fold_meter"),
    "forecasting": ("Forecast", "ForecastRefusedError", "MeterSettings", "Plan", "forecast", "usual_stakes"),
    "report": ("Report", "WagerReport", "make_report"),
    "running": ("Tally", "run"),
    "setup": ("BLOCK_ROUNDS", "NEVER_FOLD", "OPTIMAL", "SIMPLE", "Setup", "make_setup"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
