"""How many examples a test of any values tries: few in `make test`, ten times as many in `make slow`."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

__all__ = ["IN_FULL", "examples"]

IN_FULL = "PITBOSS_TESTS_IN_FULL"
"""Set in the environment by the conftest where slow tests run."""


def examples(count: int, **options: Any) -> settings:
    """Return settings with so many examples, and ten times as many where slow tests run."""
    return settings(max_examples=count * (10 if IN_FULL in os.environ else 1), deadline=None, **options)
