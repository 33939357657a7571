"""Caribbean Stud as published: a relative, written outside the product."""

from tests.relatives.caribbean_stud.rules import GAME

__all__ = ["GAME"]
