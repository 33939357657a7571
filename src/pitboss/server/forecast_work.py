"""What the worker forecasts for the back office, and the PAR sheets it makes: it alone loads what these need."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

__all__ = ["FORECAST_WORK"]


def jackpot_forecast(
    configuration: str, jackpot: dict[str, Any], table: str, meter_cents: int, plan: dict[str, int], seats: int
) -> dict[str, Any]:
    """Forecast a jackpot as it is defined and stands, at a table as it is configured; the same asked is the same."""
    from pitboss.books import RefusedError  # noqa: PLC0415
    from pitboss.books.canonical import canonical  # noqa: PLC0415
    from pitboss.jackpot import Jackpot  # noqa: PLC0415
    from pitboss.simulate.forecasting import ForecastRefusedError, MeterSettings, Plan, forecast  # noqa: PLC0415
    from pitboss.table import read_configuration  # noqa: PLC0415

    found, offered = Jackpot.from_json(jackpot), read_configuration(configuration).configuration
    assert offered is not None
    wager, meter = found.offer_at(table).wager, found.meter
    if wager not in offered.jackpots:
        raise RefusedError([f"the configuration of table {table} does not offer {wager}"])
    stands = replace(offered.jackpots[wager], meter_cents=meter_cents)
    begun = replace(offered, jackpots={**offered.jackpots, wager: stands})
    settings = MeterSettings(
        seed_cents=meter.reseed_cents if meter.is_progressive else meter_cents,
        rate=meter.display_rate,
        reserve_rate=meter.reserve_rate,
        cap_cents=meter.cap_cents,
    )
    key = sha256(canonical([configuration, jackpot, table, meter_cents, plan, seats]).encode()).digest()
    try:
        made = forecast(begun, plan=Plan(**plan), seats=seats or None, meters={wager: settings}, key=key)
    except ForecastRefusedError as error:
        raise RefusedError(list(map(str, error.problems))) from None
    return made.as_json()


def par_sheet(configuration: str, meters: dict[str, int]) -> dict[str, Any]:
    """The PAR sheet of a table as it is configured, its jackpots also at what they show now; with its JSON inside."""
    from pitboss.games import find_game  # noqa: PLC0415
    from pitboss.odds import default_store  # noqa: PLC0415
    from pitboss.odds.par import make_sheet  # noqa: PLC0415
    from pitboss.paper.par import par_pdf  # noqa: PLC0415
    from pitboss.table import read_configuration  # noqa: PLC0415

    found = read_configuration(configuration).configuration
    assert found is not None
    stated = {name: [cents] for name, cents in found.meters.items()}
    shown = {name: sorted({*stated.get(name, ()), cents}) for name, cents in meters.items()}
    sheet = make_sheet(
        find_game(found.game),
        found.terms,
        wagers=list(found.offered),
        meters={**stated, **shown},
        configuration=found,
        store=default_store(),
    )
    return {"pdf": base64.b64encode(par_pdf(sheet)).decode("ascii"), "digest": sheet.digest}


FORECAST_WORK: dict[str, Callable[..., dict[str, Any]]] = {"jackpot-forecast": jackpot_forecast, "par-sheet": par_sheet}
