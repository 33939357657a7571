"""Pictures of a table's display for photo frames: typeset from the display's view, without a browser."""

import base64
from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.paper.cards import digit_strip_svg
from pitboss.paper.lettering import DIGITS, can_letter, lettering
from pitboss.paper.typesetting import pictures


class Colours(NamedTuple):
    """The colours of a picture: ground from the middle to the edge, text, soft text, metal, panels, wells, plates."""

    ground: str
    edge: str
    ink: str
    soft: str
    metal: str
    metal_dark: str
    panel: str
    figure: str
    dim: str
    plate_ink: str


COLOURS: dict[str, Colours] = {
    "emerald": Colours(
        "#0e5a3f", "#05241a", "#fffaf0", "#cdd6bf", "#ffd77a", "#7d5a1d", "#031c13", "#fff3cf", "#6d6a58", "#2a1c02"
    ),
    "midnight": Colours(
        "#1d3f86", "#060d24", "#ffffff", "#b9c7ea", "#a9d8ff", "#47546f", "#060e2a", "#f4f9ff", "#5d6885", "#0a1533"
    ),
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


def _meter(meter: Mapping[str, Any], colours: Colours) -> dict[str, Any]:
    """A meter with its drawings: reels for a progressive, a plate for a Bonus; a wager that is not taken is dim."""
    dim = colours if meter["play"] == "open" else colours._replace(figure=colours.dim, metal=colours.dim)
    plate = "" if meter["kind"] == "Progressive" or not meter["text"] else lettering(meter["text"], pen=12)
    return {
        **meter,
        "drawn": _title(meter["title"], colours.metal),
        "figures": _figures(meter["text"], dim),
        "plate": _coloured(plate, colours.plate_ink if meter["play"] == "open" else colours.metal_dark),
    }


def as_data(content: bytes, media_type: str) -> str:
    """Write a picture as a data URL."""
    return f"data:{media_type};base64,{base64.b64encode(content).decode('ascii')}"


def _embedded(data: str) -> str:
    """A drawing that holds a picture and nothing else, as large as what it stands in."""
    if not data.startswith("data:image/"):
        return ""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900" viewBox="0 0 1600 900">'
        f'<image href="{data}" width="1600" height="900" preserveAspectRatio="xMidYMid meet"/></svg>'
    )


def vision_pictures(
    view: Mapping[str, Any], *, width: int, height: int, theme: str = "emerald", every: bool = False
) -> list[bytes]:
    """Typeset the display as PNG as the live page shows it first, and with `every` all other tables and slides.

    A slide with a picture has it as a data URL, as `as_data` writes it.
    """
    colours = COLOURS[theme]
    content = {
        **view,
        "meters": [_meter(meter, colours) for meter in view["meters"]],
        "operator": _title(view["room"], colours.metal, 9),
        "heading": _title(view["game"], colours.ink, 12),
        "place": _title(f"Table {view['table']}", colours.metal, 9),
        "every": every,
        "slides": [{**slide, "picture": _embedded(slide["picture"])} for slide in view.get("slides", ()) if every],
        "colours": colours._asdict(),
        "width": width,
        "height": height,
    }
    return pictures("vision.typ", content, ppi=_UNIT_PPI)
