"""The display of a table for equipment without a browser: values for a photo frame, lines for an LED sign (E-04)."""

from __future__ import annotations

from typing import Any

from pitboss.server.views.paytables import PayTableView, PrizeView
from pitboss.server.views.vision import PromotionView, VisionView

__all__ = ["frame_of", "sign_lines"]


def _table(table: PayTableView) -> dict[str, Any]:
    return {**table._asdict(), "rows": [row._asdict() for row in table.rows]}


def _tables(view: VisionView) -> tuple[list[PayTableView], list[PayTableView]]:
    """The pay tables of the jackpots, and those of the other wagers."""
    panels = [panel for slide in view.slides for panel in slide.panels if isinstance(panel, PayTableView)]
    found = panels if view.fixed is None else [view.fixed, *panels]
    return [each for each in found if each.key], [each for each in found if not each.key]


def frame_of(view: VisionView) -> dict[str, Any]:
    """Give the display as plain values, as `paper` lays them out for a photo frame."""
    prizes, others = _tables(view)
    panels = [panel for slide in view.slides for panel in slide.panels]
    return {
        "room": view.room,
        "table": view.table,
        "game": view.game,
        "meters": [meter._asdict() for meter in view.meters],
        "prizes": list(map(_table, prizes)),
        "others": list(map(_table, others)),
        "slides": [each._asdict() for each in panels if isinstance(each, PromotionView)],
        "limits": [limit._asdict() for limit in view.limits],
        "notices": [notice._asdict() for notice in view.notices],
    }


def _prize_line(row: PrizeView) -> str:
    envy = f", Envy {row.envy}" if row.envy else ""
    return f"{row.event} {row.amount or row.pays}{envy}"


def sign_lines(view: VisionView) -> tuple[str, ...]:
    """Give the display as lines for a sign: each meter, its prizes, then everything that must be posted (J-06).

    A sign has figures and letters and nothing else: what no sign could show is written in its nearest letters.
    """
    prizes, _ = _tables(view)
    lines = []
    for meter in view.meters:
        told = f" ({meter.ribbon})" if meter.ribbon else ""
        lines.append(f"{meter.title.upper()} {meter.text or 'NOT OPENED YET'}{told}")
        lines += [_prize_line(row) for table in prizes if table.key == meter.name for row in table.rows]
    lines += [f"{limit.title}: {limit.amount}" for limit in view.limits]
    lines += [f"{notice.about}: {notice.words}" if notice.about else notice.words for notice in view.notices]
    return tuple(line.replace("\N{EN DASH}", "to") for line in lines)
