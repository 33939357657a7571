"""Tests of one game go to one worker, so that its table is made ready once."""

from __future__ import annotations

import pytest

from pitboss.games import game_names


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group the tests that name a game."""
    for item in items:
        name = next((name for name in game_names() if name in item.name), None)
        if name is not None and "tests/simulate" in item.nodeid:
            item.add_marker(pytest.mark.xdist_group(f"simulate {name}"))
