"""What the worker process does: odds, and pictures of displays. The server itself never calls anything of this.

Each function imports what it needs when it is called: numba and typst are loaded in the worker alone.
"""

from __future__ import annotations

import base64
import datetime
from collections.abc import Callable, Mapping
from typing import Any

from pitboss.server.forecast_work import FORECAST_WORK
from pitboss.server.office_work import OFFICE_WORK
from pitboss.server.table_work import TABLE_WORK

__all__ = ["WORK", "is_slow", "loaded"]

_ODDS = ("odds", "table-odds", "jackpot-odds", "wager-odds", "offer-chances", "jackpot-forecast", "par-sheet")
_SLOW = frozenset({*_ODDS, "verified", "shown", "report-pdf"})
_DAYS_QUICK = 8
"""What is of so many days at most does not take long."""


def odds(game: str, wager: str, paytables: list[str], decks: int | None, jackpot_type: str) -> dict[str, Any]:
    """The exact odds of a wager; kept on disk, so that they are counted once."""
    from pitboss.odds import default_store, solve  # noqa: PLC0415

    return solve(game, wager, list(paytables), decks=decks, jackpot_type=jackpot_type, store=default_store()).as_json()


def vision_picture(frame: Any, width: int, height: int, theme: str) -> dict[str, Any]:
    """The display of a table as a picture, for photo frames."""
    from pitboss.paper.vision import vision_pictures  # noqa: PLC0415

    made = vision_pictures(frame, width=width, height=height, theme=theme, every=False)
    return {"png": base64.b64encode(made[0]).decode("ascii")}


def dispute_pdf(view: Any) -> dict[str, Any]:
    """The record of a dispute, to be printed and signed."""
    from pitboss.paper.dispute import dispute_pdf as made  # noqa: PLC0415

    return {"pdf": base64.b64encode(made(view)).decode("ascii")}


WORK: dict[str, Callable[..., dict[str, Any]]] = {
    "odds": odds,
    "vision-picture": vision_picture,
    "dispute-pdf": dispute_pdf,
    **OFFICE_WORK,
    **FORECAST_WORK,
    **TABLE_WORK,
}


def is_slow(what: str, given: Mapping[str, Any]) -> bool:
    """Whether a figure may take so long that others should not wait behind it; what is not known is not slow."""
    if what == "meter-history":
        return bool(given["days"] > _DAYS_QUICK)
    if what in ("report", "report-csv"):
        return given["name"] == "chain" or _days(given["asked"]) > _DAYS_QUICK
    return what in _SLOW


def _days(asked: Mapping[str, str]) -> int:
    """How many days a report is of; one where no two are named."""
    try:
        first, last = (datetime.date.fromisoformat(asked[name]) for name in ("first", "last"))
    except (KeyError, ValueError):
        return 1
    return (last - first).days + 1


def loaded() -> dict[str, Any]:
    """Load what most figures need, so that the first one does not wait for it."""
    from pitboss.reports import make_report  # noqa: PLC0415
    from pitboss.server.projections import PROJECTIONS  # noqa: PLC0415

    return {"loaded": [make_report.__name__, len(PROJECTIONS)]}
