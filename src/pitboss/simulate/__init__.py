"""The same rounds by the hundred million: dealt, decided and settled by compiled loops that read the games' own facts.

Rounds come in blocks; a key and a block number name the very rounds, whoever plays them. This package has no rules of
its own: facts come from `games`, pays from the settlement of `rules`, decisions from `odds`, meters from `meters`.
`run` plays, `make_report` sets the result beside what is exact, `forecast` looks ahead for a table.
"""

from pitboss.simulate.forecasts import ForecastPlan, ForecastRefusedError, MeterSettings, TableForecast, forecast
from pitboss.simulate.report import SimulationReport, make_report
from pitboss.simulate.running import RoundTally, run
from pitboss.simulate.setup import BLOCK_ROUNDS, NEVER_FOLD, OPTIMAL, SIMPLE, Setup, make_setup

__all__ = [
    "BLOCK_ROUNDS", "NEVER_FOLD", "OPTIMAL", "SIMPLE", "ForecastPlan", "ForecastRefusedError", "MeterSettings",
    "RoundTally", "Setup", "SimulationReport", "TableForecast", "forecast", "make_report", "make_setup", "run",
]  # fmt: skip
