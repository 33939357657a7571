"""Work for a worker to be tried with; nothing here takes long, or loads anything."""

from __future__ import annotations

import os
from typing import Any


def doubled(number: int) -> dict[str, Any]:
    return {"number": 2 * number, "process": os.getpid()}


def failed(words: str) -> dict[str, Any]:
    raise ValueError(words)


def killed() -> dict[str, Any]:
    os.abort()
