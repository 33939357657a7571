"""What the worker process does: odds, and pictures of displays. The server itself never calls anything of this.

Each function imports what it needs when it is called: numba and typst are loaded in the worker alone.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from pitboss.server.office_work import OFFICE_WORK
from pitboss.server.table_work import TABLE_WORK

__all__ = ["WORK"]


def odds(game: str, wager: str, paytables: list[str], decks: int | None, jackpot_type: str) -> dict[str, Any]:
    """The exact odds of a wager; kept on disk, so that they are counted once."""
    from pitboss.odds import default_store, solve  # noqa: PLC0415

    return solve(game, wager, list(paytables), decks=decks, jackpot_type=jackpot_type, store=default_store()).as_json()


def vision_picture(frame: Any, width: int, height: int, theme: str) -> dict[str, Any]:
    """The display of a table as a picture, for photo frames."""
    from pitboss.paper.vision import vision_pictures  # noqa: PLC0415

    made = vision_pictures(frame, width=width, height=height, theme=theme, every=False)
    return {"png": base64.b64encode(made[0]).decode("ascii")}


WORK: dict[str, Callable[..., dict[str, Any]]] = {
    "odds": odds,
    "vision-picture": vision_picture,
    **OFFICE_WORK,
    **TABLE_WORK,
}
