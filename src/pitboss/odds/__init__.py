"""The exact mathematics of every wager: counted once, priced many times, integers over an integer until printed.

`solve` answers for names, `solve_terms` for values; both give an `OddsResult`. Each name is loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitboss.odds.limited import LimitPrice, price_limit
    from pitboss.odds.par import Sheet, make_sheet, read_sheet, verify_sheet
    from pitboss.odds.printed import catalogue, solve_catalogue
    from pitboss.odds.results import EventOdds, OddsResult, house_edges
    from pitboss.odds.seen import SeenValue, seen_value
    from pitboss.odds.sharing import SharedPrize, shared_prizes
    from pitboss.odds.solving import PricedReading, priced_readings, solve, solve_terms, stated_terms
    from pitboss.odds.store import OddsStore, default_store
    from pitboss.odds.strategy import (
        Alternative,
        DecidedHand,
        OwnPlay,
        Strategy,
        Trade,
        best,
        count_hands,
        price_own,
        strategies,
    )
    from pitboss.odds.together import Together, solve_together, turning_ratio

__all__ = [
    "Alternative", "DecidedHand", "EventOdds", "LimitPrice", "OddsResult", "OddsStore", "OwnPlay", "PricedReading",
    "SeenValue", "SharedPrize", "Sheet", "Strategy", "Together", "Trade", "best", "catalogue", "count_hands",
    "default_store",
    "house_edges", "make_sheet", "price_limit", "price_own", "priced_readings", "read_sheet", "seen_value",
    "shared_prizes", "solve", "solve_catalogue", "solve_terms", "solve_together", "stated_terms", "strategies",
    "turning_ratio", "verify_sheet",
]  # fmt: skip

_HOMES = {
    "limited": ("LimitPrice", "price_limit"),
    "par": ("Sheet", "make_sheet", "read_sheet", "verify_sheet"),
    "printed": ("catalogue", "solve_catalogue"),
    "results": ("EventOdds", "OddsResult", "house_edges"),
    "seen": ("SeenValue", "seen_value"),
    "sharing": ("SharedPrize", "shared_prizes"),
    "solving": ("PricedReading", "priced_readings", "solve", "solve_terms", "stated_terms"),
    "store": ("OddsStore", "default_store"),
    "strategy": (
        "Alternative",
        "DecidedHand",
        "OwnPlay",
        "Strategy",
        "Trade",
        "best",
        "count_hands",
        "price_own",
        "strategies",
    ),
    "together": ("Together", "solve_together", "turning_ratio"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
