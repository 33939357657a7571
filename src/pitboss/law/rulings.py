"""The rulings: how every unclear clause is read, each with an id that code and tests cite."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

__all__ = ["Ruling", "ruling", "rulings"]

_RULING = re.compile(r"^- \*\*(?P<id>[A-Z]+-\d+)(?P<title>[^*]*)\*\*(?P<text>.*)$")


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling: its id, its short title where it has one, its whole text, and the switch it names, if any."""

    id: str
    title: str
    text: str

    @property
    def game_code(self) -> str:
        """The letters in front of the number: G for all games, else a game's."""
        return self.id.rpartition("-")[0]


@cache
def rulings() -> Mapping[str, Ruling]:
    """Every ruling by id, read from RULINGS.md as people read it."""
    blocks: list[list[str]] = []
    for line in files(__package__).joinpath("RULINGS.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("- **"):
            blocks.append([line])
        elif line.startswith("  ") and blocks:
            blocks[-1].append(line.strip())
    found = [_read(" ".join(block)) for block in blocks]
    return MappingProxyType({each.id: each for each in found})


def _read(block: str) -> Ruling:
    match = _RULING.match(block)
    if match is None:
        raise ValueError(f"RULINGS.md: a ruling does not begin with its id in bold: {block[:60]!r}")
    return Ruling(match["id"], match["title"].strip(" ."), match["text"].strip())


def ruling(ruling_id: str) -> Ruling:
    """Return one ruling; asking for one that does not exist is a fault of the program."""
    return rulings()[ruling_id]
