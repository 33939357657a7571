"""What binds every game: clauses and rulings by id, and limits that have dates and sources.

The package knows no game. A game brings its own clauses in a file beside its rules and has them loaded here.
"""

from pitboss.law.citations import Citation, Clauses, load_clauses
from pitboss.law.rulings import Ruling, ruling, rulings
from pitboss.law.settings import PROFILES, NoRuleSetError, RuleSet, Setting, on

__all__ = [
    "PROFILES",
    "Citation",
    "Clauses",
    "NoRuleSetError",
    "RuleSet",
    "Ruling",
    "Setting",
    "load_clauses",
    "on",
    "ruling",
    "rulings",
]
