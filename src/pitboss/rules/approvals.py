"""What the letters approve for a game: dates, documents, equipment, jackpots, amounts; read from `approval.toml`."""

from __future__ import annotations

import datetime
import tomllib
from dataclasses import dataclass
from importlib.resources.abc import Traversable

__all__ = ["Approval", "Letter", "load_approval"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One letter of the commission: its date, what it is about, and whether we hold the rules it mentions (G-15)."""

    date: datetime.date
    about: str
    document: str
    rules_held: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What is approved, and how much of it must be confirmed because the papers are not in our hands (G-15)."""

    letters: tuple[Letter, ...]
    equipment: tuple[str, ...]
    equipment_to_confirm: tuple[str, ...]
    jackpots_max: int
    jackpots_to_confirm: bool
    jackpot_amount_fixed: bool
    fixed_prizes_from_meter_allowed: bool
    equipment_required: bool = False
    """Whether the rules say that the game uses the equipment, where others say that it may (E-08, E-09)."""

    @property
    def since(self) -> datetime.date:
        """The day of the first letter."""
        return min(letter.date for letter in self.letters)


def load_approval(file: Traversable) -> Approval:
    """Read an approval file."""
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    letters = tuple(Letter(**letter) for letter in content.pop("letters"))
    equipment, to_confirm = tuple(content.pop("equipment")), tuple(content.pop("equipment_to_confirm"))
    return Approval(letters=letters, equipment=equipment, equipment_to_confirm=to_confirm, **content)
