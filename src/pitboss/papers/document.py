"""A paper of text as a value: headings, paragraphs, steps with their clauses, tables, fields to fill in, signatures."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

Block: TypeAlias = dict[str, Any]
"""One part of a paper; `kind` names how it is laid out."""
_HEAD_ROWS = 3
"""As high as so many rows are the head of a table and the space below it."""
_SHORT, _LONG = 26, 80
"""A column of shorter cells is as wide as they are; others share the rest by the length of theirs, up to the longer."""
BLANK = ""
"""The value of a field that a person fills in by hand."""


def heading(text: str, level: int = 2) -> Block:
    """Return a heading."""
    return {"kind": "heading", "text": text, "level": level}


def paragraph(text: str, source: str = "") -> Block:
    """Return a paragraph, with the clause or rule it rests on in the margin of the eye."""
    return {"kind": "paragraph", "text": text, "source": source}


def steps(items: Iterable[tuple[str, str]]) -> Block:
    """Return numbered steps, each with its clause."""
    return {"kind": "steps", "items": [{"text": text, "source": source} for text, source in items]}


def bullets(items: Iterable[tuple[str, str]]) -> Block:
    """Return a list, each line with its source."""
    return {"kind": "bullets", "items": [{"text": text, "source": source} for text, source in items]}


def grid(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Block:
    """Return a table; a column whose title ends in > stands to the right, and one with more to say is wider."""
    cells = [list(row) for row in rows]
    longest = [max((len(row[place]) for row in cells), default=0) for place in range(len(columns))]
    is_form = max(longest, default=0) <= 1
    return {
        "kind": "grid",
        "columns": [column.rstrip(">") for column in columns],
        "right": [column.endswith(">") for column in columns],
        "widths": [1 if is_form else min(length, _LONG) if length > _SHORT else 0 for length in longest],
        "rows": cells,
    }


def pay_tables(tables: Iterable[Block], columns: int = 2) -> Block:
    """Return pay tables side by side, each a title, a condition, and a grid."""
    return {"kind": "paytables", "columns": in_columns(list(tables), columns)}


def in_columns(tables: list[Block], count: int) -> list[list[Block]]:
    """Return tables in columns of about the same height, each in the column that is shortest."""
    columns: list[list[Block]] = [[] for _ in range(count)]
    heights = [0] * count
    for table in tables:
        place = heights.index(min(heights))
        columns[place].append(table)
        heights[place] += len(table["rows"]) + _HEAD_ROWS + bool(table["condition"])
    return columns


def fields(items: Iterable[tuple[str, str]]) -> Block:
    """Return labels with their values; a value that is `BLANK` is a line to write on."""
    return {"kind": "fields", "items": [{"label": label, "value": value} for label, value in items]}


def lines(label: str, count: int) -> Block:
    """Return empty lines to write on."""
    return {"kind": "lines", "label": label, "count": count}


def boxes(label: str, items: Iterable[str], ticked: Sequence[str] = ()) -> Block:
    """Return boxes to tick; those that the books have ticked already are."""
    return {"kind": "boxes", "label": label, "items": [{"text": item, "ticked": item in ticked} for item in items]}


def signatures(names: Iterable[str]) -> Block:
    """Return lines to sign on, each with a place for the date."""
    return {"kind": "signatures", "names": list(names)}


def exercise(title: str, text: str, hands: Iterable[tuple[str, Iterable[str]]]) -> Block:
    """Return hands side by side under a title, each a label and the cards that are drawn."""
    drawn = [{"label": label, "cards": list(cards)} for label, cards in hands]
    return {"kind": "exercise", "title": title, "text": text, "hands": drawn}


def notice(text: str) -> Block:
    """Return a sentence that must stand out, in a frame."""
    return {"kind": "notice", "text": text}


def new_page() -> Block:
    """Start a new page."""
    return {"kind": "page"}
