"""Reasons and problems: why something was paid, and why something was refused, each with its clause and ruling."""

from __future__ import annotations

from dataclasses import dataclass

from pitboss.law import Citation

__all__ = ["Problem", "Reason"]


@dataclass(frozen=True, slots=True)
class Reason:
    """One link of the chain from a payout back to the law: the clause, the ruling that reads it, and the words."""

    clause: Citation
    words: str
    ruling: str | None = None

    def as_json(self) -> dict[str, str | None]:
        """Give the reason as round records carry it."""
        return {"clause": self.clause.id, "ruling": self.ruling, "text": self.words}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong with what was given: where it stands, what is wrong, and by which clause or ruling."""

    path: str
    words: str
    clause: str | None = None
    ruling: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line is not None else ""
        because = "; ".join(part for part in (self.clause, self.ruling) if part)
        return f"{place}{self.path}: {self.words}" + (f" ({because})" if because else "")
