"""Pictures of a table's display for photo frames: typeset from the display's view, without a browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.paper.cards import digit_strip_svg
from pitboss.paper.lettering import DIGITS, can_letter, lettering
from pitboss.paper.typesetting import pictures

__all__ = ["COLOURS", "Colours", "vision_pictures"]


class Colours(NamedTuple):
    """The colours of a picture: ground from the middle to the edge, text, soft text, metal, panels, wells."""

    ground: str
    edge: str
    ink: str
    soft: str
    metal: str
    metal_dark: str
    panel: str
    figure: str


COLOURS: dict[str, Colours] = {
    "emerald": Colours("#0e5a3f", "#05241a", "#fffaf0", "#cdd6bf", "#ffd77a", "#7d5a1d", "#031c13", "#fff3cf"),
    "midnight": Colours("#1d3f86", "#060d24", "#ffffff", "#b9c7ea", "#a9d8ff", "#47546f", "#060e2a", "#f4f9ff"),
}
_UNIT_PPI = 72
"""A point of the page is a pixel of the picture."""


def _coloured(svg: str, colour: str) -> str:
    return svg.replace("<svg ", f'<svg color="{colour}" ', 1)


def _title(text: str, colour: str, pen: int = 11) -> dict[str, str]:
    """A title as a drawing, or as text where a sign of it cannot be drawn."""
    return {"text": text, "svg": _coloured(lettering(text, pen=pen), colour) if can_letter(text) else ""}


def _figures(text: str, colours: Colours) -> list[dict[str, Any]]:
    """The signs of an amount: a window for each figure, the rest as it stands."""
    return [
        {
            "digit": sign in DIGITS,
            "sign": sign,
            "svg": _coloured(digit_strip_svg((sign,)), colours.figure)
            if sign in DIGITS
            else _coloured(lettering(sign, pen=13), colours.metal),
        }
        for sign in text
    ]


def vision_pictures(
    view: Mapping[str, Any], *, width: int, height: int, theme: str = "emerald", every: bool = False
) -> list[bytes]:
    """Typeset the display as PNG: the meters with their prizes, and with `every` one picture for each other table."""
    colours = COLOURS[theme]
    meters = [
        {**meter, "drawn": _title(meter["title"], colours.metal), "figures": _figures(meter["text"], colours)}
        for meter in view["meters"]
    ]
    given = {
        **view,
        "meters": meters,
        "operator": _title(view["room"], colours.metal, 9),
        "heading": _title(view["game"], colours.ink, 12),
        "place": _title(f"Table {view['table']}", colours.metal, 9),
        "others": view["others"] if every else [],
        "colours": colours._asdict(),
        "width": width,
        "height": height,
    }
    return pictures("vision.typ", given, ppi=_UNIT_PPI)
