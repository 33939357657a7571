"""`spoil`: a legal round made illegal in one named way. The ways are in the modules beside this one."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from . import spoil_play, spoil_round, spoil_tables
from .spoil_base import SPOILS, Record

if TYPE_CHECKING:
    from random import Random

__all__ = ["SPOILS", "spoil", "spoil_play", "spoil_round", "spoil_tables"]


def spoil(rng: Random, record: Record, name: str | None = None) -> tuple[Record, str]:
    """A copy of a legal record made illegal in one way, and the way's name.

    With `name` that way is tried; LookupError if it doesn't apply to this record.
    """
    names = [name] if name else rng.sample(sorted(SPOILS), len(SPOILS))
    for candidate in names:
        spoiled = copy.deepcopy(record)
        if SPOILS[candidate](rng, spoiled):
            return spoiled, candidate
    raise LookupError(name)
