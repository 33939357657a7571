"""Compiling the loops of the second method; nothing of the analyser's own compiling is used."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

import numba

__all__ = ["compiled", "in_threads"]

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function each time it is first called: no file of an older count can be taken for this one."""
    return cast("Function", numba.njit(nogil=True)(function))


def in_threads(work: Callable[[int], Any], pieces: Iterable[int]) -> list[Any]:
    """Do pieces of work on every core and give the answers in order."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(work, pieces))
