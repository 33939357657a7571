"""Bugs that the floor must find, one for each promise: each plants itself by replacing a piece of the product."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Plant = Callable[[pytest.MonkeyPatch], None]
BUGS: dict[str, Plant] = {}
