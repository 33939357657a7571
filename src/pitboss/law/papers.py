"""The papers that a room needs of its own before it deals a game, the parts whose makers need a licence, and models."""

from typing import Literal, TypeAlias

PaperKind: TypeAlias = Literal["internal-controls", "tga", "state-concurrence", "appendix-a-18"]
PAPER_TITLES: dict[str, str] = {
    "internal-controls": "approval of the internal controls",
    "tga": "approval of the Tribal Gaming Agency",
    "state-concurrence": "concurrence of the state",
    "appendix-a-18": "supplement of the Compact's Appendix A, section 18",
}
NEEDED: dict[str, tuple[PaperKind, ...]] = {
    "wa-commercial": ("internal-controls",),
    "wa-tribal": ("tga", "state-concurrence", "appendix-a-18"),
}
"""By kind of room: the papers that must be on record before a table opens (O-16, P-04)."""
SOURCES = {"wa-commercial": "REGULATION O-16", "wa-tribal": "REGULATION P-04"}
POSTED: dict[str, dict[str, str]] = {
    "wa-commercial": {"rack-card": "REGULATION W-12", "placards": "REGULATION W-12"},
    "wa-tribal": {"rack-card": "REGULATION P-06", "placards": "REGULATION P-06"},
}
"""By kind of room: the papers that hang at every table, each with the rule that demands what it says.

The rack card has the odds-based and fixed prizes; the placards have limits, jackpots and their restrictions, employee
play and disputes.
"""
Part: TypeAlias = Literal["layout", "shuffler", "tabulator", "display"]
PARTS: tuple[Part, ...] = ("layout", "shuffler", "tabulator", "display")
"""The parts of a game's equipment whose makers and distributors are licensed (O-16, P-04)."""
EQUIPMENT_TITLES: dict[str, str] = {
    "milky-way": "Milky Way",
    "andromeda-1": "Andromeda-1",
    "andromeda-3": "Andromeda-3",
    "andromeda-3c": "Andromeda-3c",
    "andromeda-3d": "Andromeda-3d",
    "andromeda-5a": "Andromeda-5a",
    "none": "no equipment",
}
"""The models of the approved rules as their documents write them, by the name in a configuration."""


def equipment_title(name: str) -> str:
    """Return what people call a model; one of the room's own is written as those of the rules are (G-13)."""
    return EQUIPMENT_TITLES.get(name) or name.capitalize()
