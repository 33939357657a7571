"""Who looks at a page, and the buttons they see: shown to the roles of a command, greyed where the room refuses it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from pitboss.commands import Command

SOME_TEXT = "a reason"
"""Stands for what a person has not typed yet where the rest of a command is verified."""


class Button(NamedTuple):
    """The button of a form: whether the viewer sees it, and what speaks against pressing it now, which greys it."""

    is_shown: bool = False
    problems: tuple[str, ...] = ()

    @property
    def is_active(self) -> bool:
        """True if it can be pressed."""
        return self.is_shown and not self.problems


HIDDEN = Button()


def _no_problems(_: Command) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a name and roles, and how the room verifies their commands; nobody has no button."""

    name: str = ""
    roles: frozenset[str] = frozenset()
    verify: Callable[[Command], tuple[str, ...]] = _no_problems

    def may(self, cls: type[Command]) -> bool:
        """True if one of their roles may ask for a command, whatever the books hold against it now."""
        return bool(self.roles & set(cls.spec.roles))

    def button(self, command: Command) -> Button:
        """Return the button that runs a command."""
        return Button(is_shown=True, problems=self.verify(command)) if self.may(type(command)) else HIDDEN


NOBODY = Viewer()
