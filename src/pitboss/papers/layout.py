"""The layout of a table to scale: seats, spots, sensors with their numbers, the dealer's panel, printed lines.

Everything is in inches from the middle of the dealer's edge, y toward the players and x to their right, which is the
dealer's left: there seat 1 is, and seats are numbered from it to the dealer's right (REGULATION E-10).
"""

import html
import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from pitboss.games import find_game
from pitboss.paper.words import money
from pitboss.papers.posted import PaperTable, paper_tables
from pitboss.papers.source import PaperSource
from pitboss.table import Configuration
from pitboss.table.checks import options_sentence
from pitboss.tabulator.equipment import NONE, find_model

CLOTH = (79.0, 57.0)
"""The width and the depth of the cloth."""
REACH = (31.5, 41.5)
"""How far the middle of a seat's spots is from the middle of the dealer's edge, to the side and straight ahead."""
SPOT, BONUS_SPOT, SENSOR = 3.0, 2.4, 1.9
"""The diameters of a spot of the main wager, of a bonus wager, and of a sensor."""
GAP = 0.45
"""Between two spots of a seat."""
_FROM, _TO = math.radians(17), math.radians(163)
_PIECES = 2_000
"""The line of the seats is measured in so many pieces."""
_TABLES_IN_ROW = 3
_FULL = 4
"""From so many seats on, the first and the last sit at the ends of the line."""
_EDGE = 1.2


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for a chip: which seat and wager it belongs to, its words, where its middle is, and its diameter.

    A sensor has a number, counted over the whole table, and a light beside it.
    """

    seat: int
    wager: str
    text: str
    x: float
    y: float
    diameter: float
    turn: float
    sensor: int = 0


class PrintedLine(NamedTuple):
    """A line that is printed on the cloth, and the clause that demands or shows it."""

    text: str
    source: str


def _on_line(angle: float) -> tuple[float, float]:
    return REACH[0] * math.cos(angle), REACH[1] * math.sin(angle)


@cache
def seat_places(seats: int) -> tuple[tuple[float, float], ...]:
    """Return the middles of the seats, at equal distances along their line; the first is at the dealer's left."""
    line = [_on_line(_FROM + (_TO - _FROM) * piece / _PIECES) for piece in range(_PIECES + 1)]
    lengths = list(accumulate((math.dist(*pair) for pair in pairwise(line)), initial=0.0))
    wanted = [lengths[-1] * ((seat + 0.5) / seats if seats < _FULL else seat / (seats - 1)) for seat in range(seats)]
    return tuple(line[bisect_left(lengths, length)] for length in wanted)


def spot_rows(configuration: Configuration) -> list[list[tuple[str, str, float, bool]]]:
    """Return the spots of a seat in rows, the one nearest to the dealer first: jackpots, bonus wagers, the main wager.

    Of each its wager, its words, its diameter, and whether it is a sensor.
    """
    game, is_sensed = find_game(configuration.game), configuration.equipment != NONE
    size = SENSOR if is_sensed else BONUS_SPOT
    jackpots = [(name, game.by_name[name].parts[0].name, size, is_sensed) for name in configuration.jackpots]
    bonus = [
        (name, game.by_name[name].parts[0].name, BONUS_SPOT, False)
        for name in configuration.wagers
        if name != game.main.name
    ]
    main = [(game.main.name, part.name, SPOT, False) for part in game.main.parts if "double" not in part.name]
    pairs = [main[place : place + 2] for place in range(0, len(main), 2)]
    return [row for row in (jackpots, bonus, *pairs) if row]


def spots(source: PaperSource) -> Iterator[Spot]:
    """Return every spot of the table: the wagers it offers and no others."""
    seats, rows = source.configuration.seats, spot_rows(source.configuration)
    depth = sum(max(size for _, _, size, _ in row) for row in rows) + GAP * (len(rows) - 1)
    sensor = 0
    for seat, (seat_x, seat_y) in enumerate(seat_places(seats), start=1):
        angle = math.atan2(seat_y, seat_x)
        outward, along = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
        distance = math.hypot(seat_x, seat_y) - depth / 2
        for row in rows:
            high, width = max(size for _, _, size, _ in row), sum(size for _, _, size, _ in row) + GAP * (len(row) - 1)
            middle, side = distance + high / 2, width / 2
            for wager, text, size, is_sensor in row:
                side -= size / 2
                sensor += is_sensor
                x, y = outward[0] * middle + along[0] * side, outward[1] * middle + along[1] * side
                yield Spot(seat, wager, text, x, y, size, math.degrees(angle) - 90, sensor if is_sensor else 0)
                side -= size / 2 + GAP
            distance += high + GAP


def printed_lines(source: PaperSource) -> tuple[PrintedLine, ...]:
    """Return the lines that the cloth carries."""
    game = source.game
    posted = game.clauses.get("four options, posted") or game.clauses.get("footnote 3")
    first = PrintedLine(options_sentence(source.rules, money), posted.id if posted else "G-12")
    return (first, *(PrintedLine(line.text, game.clauses[line.clause].id) for line in game.layout_lines))


def _text(
    x: float, y: float, text: str, size: float, turn: float = 0, weight: str = "600", fill: str = "#f6e7c1"
) -> str:
    place = f' transform="rotate({turn:.3f} {x:.3f} {y:.3f})"' if turn else ""
    return (
        f'<text x="{x:.3f}" y="{y:.3f}" font-size="{size:.3f}" font-weight="{weight}" fill="{fill}" '
        f'text-anchor="middle" dominant-baseline="central"{place}>{html.escape(text)}</text>'
    )


def _lights_on_panel(source: PaperSource) -> bool:
    """True if the model shows counted wagers on the dealer's panel and not at the sensors."""
    model = find_model(source.configuration.equipment or "")
    return model is not None and model.lights == "panel"


_PANEL = (5.0, 3.2)
_LAMP = 'r="0.16" fill="#ff5a4d"'


def _panel_svg(source: PaperSource, x: float, y: float) -> str:
    """The dealer's control panel, with a numbered light for each position where the model has them there."""
    wide, high = _PANEL
    drawn = (
        f'<rect x="{x:.3f}" y="{y:.3f}" width="{wide:g}" height="{high:g}" rx="0.4" fill="#031c13" stroke="#ffd77a" '
        'stroke-width="0.08"/>'
    )
    if not _lights_on_panel(source):
        return drawn + _text(x + wide / 2, y + high / 2, "CONTROL PANEL", 0.5)
    drawn += _text(x + wide / 2, y + 0.8, "CONTROL PANEL", 0.5)
    seats = source.configuration.seats
    # Seat 1 is at the dealer's left, which is the right of the drawing (E-10).
    for seat in range(1, seats + 1):
        lamp = x + wide - wide * (seat - 0.5) / seats
        drawn += f'<circle cx="{lamp:.3f}" cy="{y + 1.75:.3f}" {_LAMP}/>'
        drawn += _text(lamp, y + 2.45, str(seat), 0.42, 0, "500", "#ffd77a")
    return drawn


LETTER_WIDTH, LINE_HEIGHT = 0.52, 1.08
"""How wide a letter is at most on average and how far lines are apart, in heights of the letters."""
_LARGEST, _WITHIN = 0.62, 0.94
"""The largest letters, and how much of the radius words may take."""


def _divided(words: list[str], lines: int) -> list[str]:
    """The words in so many lines, the longest of them as short as it can be."""
    if lines == 1:
        return [" ".join(words)]
    ways = (
        [" ".join(words[:place]), *_divided(words[place:], lines - 1)] for place in range(1, len(words) - lines + 2)
    )
    return min(ways, key=lambda way: max(map(len, way)))


def _fitting(lines: list[str], diameter: float) -> float:
    """How large letters may be so that every corner of every line is within the circle."""
    reach = max(
        math.hypot(abs(place - (len(lines) - 1) / 2) * LINE_HEIGHT + 0.5, len(line) * LETTER_WIDTH / 2)
        for place, line in enumerate(lines)
    )
    return min(_LARGEST, _WITHIN * diameter / 2 / reach)


def lettering_of(spot: Spot) -> tuple[float, list[str]]:
    """Return the words of a spot in the lines in which they are largest, and how large that is."""
    words = spot.text.split()
    ways = [_divided(words, lines) for lines in range(1, len(words) + 1)]
    lines = max(ways, key=lambda way: _fitting(way, spot.diameter))
    return _fitting(lines, spot.diameter), lines


def _words_svg(spot: Spot, x: float, y: float) -> str:
    size, lines = lettering_of(spot)
    down = math.radians(spot.turn)
    drawn = ""
    for place, line in enumerate(lines):
        lower = (place - (len(lines) - 1) / 2) * size * LINE_HEIGHT
        drawn += _text(x - lower * math.sin(down), y + lower * math.cos(down), line, size, spot.turn)
    return drawn


def _spot_svg(spot: Spot, middle: float, *, is_lit: bool) -> str:
    x, y, radius = middle + spot.x, spot.y, spot.diameter / 2
    stroke = "#ffd77a" if spot.sensor else "#fffaf0"
    drawn = f'<circle cx="{x:.3f}" cy="{y:.3f}" r="{radius:.3f}" fill="none" stroke="{stroke}" stroke-width="0.09"/>'
    drawn += _words_svg(spot, x, y)
    if spot.sensor:
        angle = math.radians(spot.turn + 90)
        lamp, number = (
            (x - math.cos(angle) * (radius + apart), y - math.sin(angle) * (radius + apart)) for apart in (0.28, 0.85)
        )
        if is_lit:
            drawn += f'<circle cx="{lamp[0]:.3f}" cy="{lamp[1]:.3f}" {_LAMP}/>'
        drawn += _text(*number, str(spot.sensor), 0.5, 0, "500", "#ffd77a")
    return drawn


def _table_svg(table: PaperTable, x: float, y: float) -> str:
    drawn = _text(x, y, table.title.upper(), 0.62, 0, "800", "#ffd77a")
    for place, row in enumerate(table.rows, start=1):
        drawn += _text(x, y + 0.62 * place + 0.1, f"{row.hand}  {row.pays}", 0.44, 0, "500", "#fffaf0")
    return drawn


def layout_svg(source: PaperSource) -> str:
    """Draw the layout; one unit of the drawing is one inch of the cloth."""
    width, depth = CLOTH
    middle = width / 2
    straight = depth * 0.26
    felt = (
        f'<path d="M{_EDGE} {_EDGE}H{width - _EDGE}V{straight:.3f}'
        f'A{middle - _EDGE:.3f} {depth - _EDGE - straight:.3f} 0 0 1 {_EDGE} {straight:.3f}Z" '
        'fill="#0e5a3f" stroke="#b48a3c" stroke-width="0.3" stroke-linejoin="round"/>'
    )
    body = [felt, _text(middle, 10.2, source.game.title.upper(), 2.4, 0, "900", "#ffd77a")]
    lines = printed_lines(source)
    body += [_text(middle, 12.6 + 0.95 * place, line.text, 0.62, 0, "500") for place, line in enumerate(lines)]
    top = 13.2 + 0.95 * len(lines)
    tables = [table for table in paper_tables(source) if table.wager not in source.configuration.jackpots]
    for start in range(0, len(tables), _TABLES_IN_ROW):
        row = tables[start : start + _TABLES_IN_ROW]
        left = middle - 7.0 * (len(row) - 1)
        body += [_table_svg(table, left + 14.0 * place, top) for place, table in enumerate(row)]
        top += 0.62 * max(len(table.rows) for table in row) + 1.5
    if source.configuration.jackpots and source.configuration.equipment != NONE:
        body.append(_panel_svg(source, middle - 30, 3.4))
    body.append(
        f'<rect x="{middle - 11:.3f}" y="2.2" width="22" height="4.6" rx="0.5" fill="none" stroke="#fffaf0" '
        'stroke-width="0.08"/>' + _text(middle, 4.5, "CHIP TRAY", 0.7)
    )
    for seat, (x, y) in enumerate(seat_places(source.configuration.seats), start=1):
        beyond = 1 + 7.4 / math.hypot(x, y)
        body.append(_text(middle + x * beyond, y * beyond, str(seat), 0.9, 0, "800", "#ffd77a"))
    is_lit = not _lights_on_panel(source)
    body += [_spot_svg(spot, middle, is_lit=is_lit) for spot in spots(source)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}in" height="{depth}in" viewBox="0 0 {width} {depth}" '
        f'font-family="Source Sans Pro, sans-serif">{"".join(body)}</svg>'
    )


def layout(source: PaperSource) -> dict[str, Any]:
    """Return the view of the layout: the drawing, and its measures in words."""
    seats = source.configuration.seats
    chords = [math.dist(*pair) for pair in pairwise(seat_places(seats))] or [0.0]
    measures = [
        f"Cloth {CLOTH[0]:g} x {CLOTH[1]:g} in",
        f"{seats} seats, {min(chords):.2f} to {max(chords):.2f} in from middle to middle",
        f"Main spots {SPOT:g} in, bonus spots {BONUS_SPOT:g} in"
        + (f", sensors {SENSOR:g} in" if any(spot.sensor for spot in spots(source)) else ""),
    ]
    lines = [f"{line.text} ({line.source})" for line in printed_lines(source)]
    return {
        "title": "Layout",
        "subtitle": source.game.title,
        "svg": layout_svg(source),
        "measures": measures,
        "lines": lines,
    }
