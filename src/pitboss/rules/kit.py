"""What a game's loops are given to count with: compiled loops, classes of cards, threads. `odds` provides it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

__all__ = ["Kit"]


class Kit(Protocol):
    """Tools for counting; `ranks` is 13 but for shortened decks in tests, `decks` the shoe where there is a choice."""

    @property
    def ranks(self) -> int:
        """How many ranks the deck has, from the deuce up."""

    @property
    def cards(self) -> int:
        """How many cards of rank and suit one deck has, the joker not counted."""

    @property
    def decks(self) -> int:
        """How many decks."""

    @property
    def readings(self) -> tuple[int, ...]:
        """The readings in force, as facts read them."""

    @property
    def without_readings(self) -> Kit:
        """The kit for what no reading changes, so that it is counted once for all of them."""

    def __hash__(self) -> int:
        """Kits that count alike are equal, so that what was counted is found again."""

    def classes(self, size: int) -> tuple[Any, Any]:
        """Sets of so many cards up to a renaming of the suits, and how many sets each stands for."""

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile a loop."""

    def arrays(self, tables: Any) -> Any:
        """Give rank tables as compiled loops take them."""

    def spread(self, piece: Callable[[int, int], Any], size: int) -> list[Any]:
        """Run a piece of work over ranges that cover 0 to size, on every core; the answers in order."""
