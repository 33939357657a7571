"""Reasons and problems: why something was paid, and why something was refused, each with its clause and ruling."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from pitboss.law import Citation

_quoted = json.JSONEncoder(ensure_ascii=False).encode


@lru_cache(maxsize=65_536)
def _json_text(clause: str, ruling: str | None, words: str) -> str:
    """Write a reason once: the same reasons serve many rounds."""
    by = "null" if ruling is None else _quoted(ruling)
    return f'{{"clause": {_quoted(clause)}, "ruling": {by}, "text": {_quoted(words)}}}'


class Reason(NamedTuple):
    """One link of the chain from a payout back to the law: the clause, the ruling that reads it, and the words."""

    clause: Citation
    words: str
    ruling: str | None = None

    def json_text(self) -> str:
        """Write the reason as round records carry it."""
        return _json_text(self.clause.id, self.ruling, self.words)


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with an input: where it is, what is wrong, and by which clause or ruling.

    `code` names the kind of problem for programs, such as `missing`; nobody has to search the words for it.
    """

    path: str
    words: str
    clause: str | None = None
    ruling: str | None = None
    line: int | None = None
    code: str = ""

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line is not None else ""
        because = "; ".join(part for part in (self.clause, self.ruling) if part)
        path = f"{self.path}: " if self.path else ""
        return f"{place}{path}{self.words}" + (f" ({because})" if because else "")
