"""TableVision as HTML: a view and a theme in, a whole page out."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from jinja2 import Environment

from pitboss.server.views.vision import VisionView, live_of

__all__ = ["THEMES", "VISION_PARTS", "vision_html", "vision_topic"]

THEMES = ("emerald", "midnight")
VISION_PARTS = ("odometer", "paytable", "slides", "win", "promotion", "limits", "notices", "age")


def vision_topic(table: str) -> str:
    """The topic whose states `live_of` makes."""
    return f"vision:{table}"


def vision_html(
    templates: Environment, view: VisionView, zone: ZoneInfo, theme: str = THEMES[0], *, beat: str = ""
) -> str:
    """Lay the display of a table out; `beat` is the token with which a display of the room says what it shows."""
    return templates.get_template("vision.html").render(
        view=view,
        live=live_of(view),
        topics=vision_topic(view.table),
        zone=zone.key,
        theme=theme if theme in THEMES else THEMES[0],
        parts=VISION_PARTS,
        beat=beat,
    )
