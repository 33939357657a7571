"""The data files of a game's folder: clauses, pay tables, words, and what the commission's letters approve."""

import datetime
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from pitboss.law import load_clauses
from pitboss.rules.paytables import load_paytables


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalLetter:
    """One letter of the commission: its date, what it is about, and whether we hold the rules it mentions (G-15)."""

    date: datetime.date
    about: str
    document: str
    rules_held: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What is approved, and how much of it must be confirmed because the papers are not in our hands (G-15)."""

    letters: tuple[ApprovalLetter, ...]
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
    """Load an approval file."""
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    letters = tuple(ApprovalLetter(**letter) for letter in content.pop("letters"))
    equipment, to_confirm = tuple(content.pop("equipment")), tuple(content.pop("equipment_to_confirm"))
    return Approval(letters=letters, equipment=equipment, equipment_to_confirm=to_confirm, **content)


class GameFolder:
    """A game's `clauses.toml`, `paytables.toml`, `approval.toml` and `words.md`, loaded."""

    def __init__(self, package: str | None) -> None:
        folder = files(package or "")
        self.clauses = load_clauses(folder / "clauses.toml")
        self.paytables = load_paytables(folder / "paytables.toml", self.clauses)
        self.approval = load_approval(folder / "approval.toml")
        self.words = (folder / "words.md").read_text(encoding="utf-8")
        self._package = package

    def fields(self, **modules: str) -> dict[str, Any]:
        """Return the fields of `Game` that come from the folder: its files, and these modules in it by their names."""
        names = {field: f"{self._package}.{module}" for field, module in modules.items()}
        return {
            "clauses": self.clauses,
            "paytables": self.paytables,
            "approval": self.approval,
            "words": self.words,
            **names,
        }

    def table_ids(self, *prefixes: str) -> tuple[str, ...]:
        """Return the ids of the pay tables that begin with one of these prefixes."""
        return tuple(table_id for table_id in self.paytables if table_id.startswith(prefixes))
