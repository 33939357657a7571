"""G-58: a prize that video or the books prove is owed however late it is found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import Answer, Directory, RefusedError
from pitboss.books.audit import check_books
from pitboss.commands import By
from pitboss.jackpot import INVARIANTS, PROJECTIONS, CallFoundHit, Claim
from tests.jackpot.hit_making import DEALER, MANAGER, ROYAL, SUPERVISOR, SURVEILLANCE, Floor, floor

WORDS = "camera 4, 20:14: seat 1 had the royal and was not paid"


@pytest.fixture
def at(quick_path: Path) -> Iterator[Floor]:
    with floor(quick_path / "room") as opened:
        yield opened


def found(
    at: Floor, *claims: tuple[int, str], by: By = SUPERVISOR, approver: By | None = SURVEILLANCE, **fields: Any
) -> Answer:
    named: dict[str, Any] = {"jackpot": "main", "table": "4", "round": 1, "words": WORDS} | fields
    value = CallFoundHit(claims=tuple(Claim(*claim) for claim in claims), **named)
    return at.hits.executor.do(value, By(by.name, by.role, approver), id=at.id())


def refused(at: Floor, *claims: tuple[int, str], **fields: Any) -> str:
    before = at.books.state("room").sequence
    with pytest.raises(RefusedError) as error:
        found(at, *claims, **fields)
    assert at.books.state("room").sequence == before
    return "; ".join(error.value.problems)


def test_g_58_a_round_long_gone_is_called_on_the_meter_that_g_4_gives_for_it(at: Floor) -> None:
    """The meter as it stood at the next press: what a call one press late is paid of (see G-4's own test)."""
    at.press()
    owed = at.displayed()
    for _ in range(6):
        at.press()
    hit = found(at, (1, ROYAL)).entries[0].sequence
    (won,) = at.hits.open[hit].won
    assert (won.seat, won.cents) == (1, owed)
    assert at.hits.open[hit].late
    assert at.hits.open[hit].meter_cents == owed
    at.whole(hit, MANAGER)
    assert hit not in at.hits.open
    at.books.close()
    assert check_books(Directory(at.path), projections=PROJECTIONS, invariants=INVARIANTS).is_sound


def test_g_58_the_fund_pays_what_it_shows_and_the_house_the_rest(at: Floor) -> None:
    at.press()
    owed = at.displayed()
    at.press()
    at.press(table="5")
    other = at.call((2, ROYAL), table="5")
    assert at.hits.open[other].won[0].cents > 0
    for _ in range(3):
        at.press()
    shown = at.displayed()
    assert shown < owed
    house = at.balance("house")
    hit = found(at, (1, ROYAL)).entries[0].sequence
    assert at.hits.open[hit].won[0].cents == owed
    assert house - at.balance("house") == owed - shown


def test_g_58_two_people_and_a_reason(at: Floor) -> None:
    for _ in range(3):
        at.press()
    assert "supervisor" in refused(at, (1, ROYAL), by=DEALER)
    assert "no second person" in refused(at, (1, ROYAL), approver=None)
    assert "no second person" in refused(at, (1, ROYAL), approver=By(SUPERVISOR.name.upper(), "manager"))
    assert "G-58" in refused(at, (1, ROYAL), words=" ")


def test_g_58_what_is_refused(at: Floor) -> None:
    at.press()
    hit = at.call((3, ROYAL))
    at.press(seats=(1, 2))
    for _ in range(3):
        at.press()
    assert "one of the last two" in refused(at, (1, ROYAL), round=5)
    assert "never counted" in refused(at, (1, ROYAL), round=99)
    assert "has a prize of round 1 already (G-2)" in refused(at, (3, ROYAL))
    assert "seat 4 had no wager of Five Card Jackpot counted in round 2 (E-02)" in refused(at, (4, ROYAL), round=2)
    assert "no row" in refused(at, (1, "Six of a kind"))
    assert f"has hit {hit} already: correct it to add a seat (G-37)" in refused(at, (1, ROYAL))
    at.correct(hit, (3, ROYAL), (1, ROYAL))
    for _ in range(6):
        at.press()
    assert "has a prize of round 1 already (G-2)" in refused(at, (1, ROYAL))
