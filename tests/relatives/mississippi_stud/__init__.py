"""Mississippi Stud as published: a relative, written outside the product."""

from tests.relatives.mississippi_stud.rules import GAME

__all__ = ["GAME"]
