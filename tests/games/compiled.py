"""The facts functions of all games as numba compiles them: the same Python functions, nothing rewritten."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba.extending import register_jitable

import pitboss.games
from pitboss.poker import made, tables
from pitboss.rules import facts as rules_facts
from pitboss.rules.facts import Hands

__all__ = ["FACTS", "arrays", "compiled", "functions_of", "hands_of"]


def functions_of(module: ModuleType) -> list[Callable[..., Any]]:
    """Every plain function a module defines itself."""
    return [
        member for _, member in inspect.getmembers(module, inspect.isfunction) if member.__module__ == module.__name__
    ]


FACTS: dict[str, ModuleType] = {
    package.name: importlib.import_module(f"pitboss.games.{package.name}.facts")
    for package in pkgutil.iter_modules(pitboss.games.__path__)
    if package.ispkg
}

for _module in (made, tables, *FACTS.values()):
    for _function in functions_of(_module):
        register_jitable(_function)
for _function in (rules_facts.compare, rules_facts.encode):
    register_jitable(_function)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function around the registered ones."""
    jitted: Callable[..., Any] = numba.njit(function)
    return jitted


def arrays(tables: Any) -> Any:
    """Rank tables with arrays in place of lists; an empty list stays an empty array of integers."""
    return type(tables)(*(np.array(table, dtype=np.int64) for table in tables))


def hands_of(player: Any, board: Any, choices: Any, readings: Any) -> Hands:
    """Hands with arrays in place of tuples."""
    parts = (np.array(tuple(part), dtype=np.int64) for part in (player, board, choices, readings))
    return Hands(*parts)  # type: ignore[arg-type]
