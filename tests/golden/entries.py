"""An entry of the catalogue as both methods are asked for it, what they agreed on, and the files that hold it."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

__all__ = ["FOLDER", "Agreed", "Entry", "read", "write"]

FOLDER = Path(__file__).parent
_COLUMNS = ("game", "wager", "paytables", "readings", "decks", "basis", "ev", "method one", "method two")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A wager with its pay tables, readings and shoe; hashable."""

    game: str
    wager: str
    paytables: tuple[str, ...]
    readings: tuple[tuple[str, str], ...]
    decks: int | None
    basis: str

    def __str__(self) -> str:
        read = [f"{switch}={reading}" for switch, reading in self.readings]
        shoe = [] if self.decks is None else [f"{self.decks} decks"]
        return " ".join((self.game, self.wager, *self.paytables, *read, *shoe, self.basis))

    def table_of(self, family: str) -> str:
        """The pay table of a family, as `PB/LD` has `PB/LD-3`."""
        return next(table for table in self.paytables if table.rpartition("-")[0] == family)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """An entry with the expectation that two methods found, and their words."""

    entry: Entry
    ev: Fraction
    one: str
    two: str


def write(file: Path, agreed: Iterable[Agreed]) -> None:
    """Write one result a line."""
    with file.open("w", encoding="utf-8", newline="") as out:
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(_COLUMNS)
        for each in agreed:
            entry = each.entry
            lines.writerow(
                (
                    entry.game,
                    entry.wager,
                    " ".join(entry.paytables),
                    " ".join(f"{switch}={reading}" for switch, reading in entry.readings),
                    "" if entry.decks is None else entry.decks,
                    entry.basis,
                    f"{each.ev.numerator}/{each.ev.denominator}",
                    each.one,
                    each.two,
                )
            )


def read(file: Path) -> list[Agreed]:
    """Read the results of a file."""
    with file.open(encoding="utf-8", newline="") as lines:
        return [
            Agreed(
                entry=Entry(
                    game=line["game"],
                    wager=line["wager"],
                    paytables=tuple(line["paytables"].split()),
                    readings=tuple((switch, value) for switch, _, value in map(_parted, line["readings"].split())),
                    decks=int(line["decks"]) if line["decks"] else None,
                    basis=line["basis"],
                ),
                ev=Fraction(line["ev"]),
                one=line["method one"],
                two=line["method two"],
            )
            for line in csv.DictReader(lines)
        ]


def _parted(reading: str) -> tuple[str, str, str]:
    return reading.partition("=")
