"""The papers that a room needs of its own before it deals a game, and the parts whose makers need a licence."""

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
