"""How a result looks in a notebook: the figures, then the events."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitboss.odds.results import OddsResult

__all__ = ["as_html"]


def as_html(result: OddsResult) -> str:
    """Write a result as two plain tables; exact figures beside rounded ones."""
    title = f"{result.game}: {result.wager} {', '.join(result.paytables)}"
    notes = [f"{name} = {reading}" for name, reading in result.readings.items()]
    notes += [f"{result.decks} decks"] if result.decks is not None else []
    figures = [
        ("expectation per unit", result.ev),
        ("house edge", result.house_edge),
        ("average total wager", result.average_wager),
        ("element of risk", result.element_of_risk),
        ("variance", result.variance),
        ("hit frequency", result.hit_frequency),
    ]
    if result.meter_coefficient:
        figures += [("return per dollar of meter", result.meter_coefficient)]
        figures += [("break-even meter", result.break_even_meter or result.ev)]
    figure_rows = [_row((name, str(exact), f"{float(exact):.9f}")) for name, exact in figures]
    figure_rows.append(_row(("standard deviation", "", result.std_dev())))
    event_rows = [
        _row(
            (
                each.event,
                each.pays,
                f"{each.count:,}",
                f"{float(each.probability):.9f}",
                f"{float(each.contribution):+.9f}",
            )
        )
        for each in result.events
    ]
    return (
        f"<h4>{escape(title)}</h4><p>{escape('; '.join(notes))}</p>"
        f"<table><tr><th></th><th>exact</th><th>about</th></tr>{''.join(figure_rows)}</table>"
        "<table><tr><th>event</th><th>pays</th><th>count</th><th>probability</th><th>adds</th></tr>"
        f"{''.join(event_rows)}</table>"
        f"<p>of {result.events[0].of:,} deals: {escape(result.method)}; terms {result.terms_hash[:12]}</p>"
    )


def _row(cells: tuple[str, ...]) -> str:
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
