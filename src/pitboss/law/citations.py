"""A citation names the place in a document that a statement rests on, with the words that stand there."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import NamedTuple, TypeAlias

__all__ = ["Citation", "Clauses", "load_clauses"]


class Citation(NamedTuple):
    """A place in a document: its id ("TCP rule 5"), the document's file stem, and a passage of its words."""

    id: str
    document: str
    quote: str

    def __str__(self) -> str:
        return self.id


Clauses: TypeAlias = Mapping[str, Citation]


def load_clauses(file: Traversable) -> dict[str, Citation]:
    """Read a clauses file: `document` and `prefix` at the top, then under `[clauses]` a place and its words."""
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    document, prefix = content["document"], content["prefix"]
    return {
        place: Citation(f"{prefix} {place}", document, quote.strip()) for place, quote in content["clauses"].items()
    }
