"""Hits in a room: amounts, meters, sharing, late calls, corrections, small prizes and Envy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.jackpot import HitState
from tests.jackpot.hit_making import ROYAL, Floor, floor


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Floor]:
    with floor(tmp_path / "room") as found:
        yield found
        found.check()


def test_f_17_a_hit_from_the_call_to_the_closed_hit(at: Floor) -> None:
    at.press()
    shown = at.displayed()
    hit = at.call((3, ROYAL))

    assert HitState.CALLED is at.hits.open[hit].state
    assert ((3, ROYAL, shown),) == at.hits.open[hit].won
    assert shown == at.balance("winners")
    assert 5_000_00 == at.displayed()
    at.whole(hit)
    assert {} == at.hits.open
    assert (0, shown) == (at.balance("winners"), at.balance("paid"))
