"""The operator's forecast: what a table will win by shift, day and month, and how its meters will behave."""

from pitboss.simulate.forecasts.forecasting import forecast
from pitboss.simulate.forecasts.plan import ForecastPlan, ForecastRefusedError, MeterSettings, make_request
from pitboss.simulate.forecasts.values import PERCENTS, JackpotForecast, PeriodWin, Spread, TableForecast

__all__ = [
    "PERCENTS", "ForecastPlan", "ForecastRefusedError", "JackpotForecast", "MeterSettings", "PeriodWin", "Spread",
    "TableForecast", "forecast", "make_request",
]  # fmt: skip
