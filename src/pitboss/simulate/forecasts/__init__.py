"""The operator's forecast: what a table will win by shift, day and month, and how its meters will behave."""

from pitboss.simulate.forecasts.forecasting import forecast
from pitboss.simulate.forecasts.plan import ForecastPlan, ForecastRefusedError, MeterSettings
from pitboss.simulate.forecasts.values import TableForecast

__all__ = ["ForecastPlan", "ForecastRefusedError", "MeterSettings", "TableForecast", "forecast"]
