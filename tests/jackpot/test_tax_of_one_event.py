"""G-38: prizes of one person on the same event count as one for the tax, in whatever order they are paid."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pitboss.jackpot import Jackpot, RoundCards, offer_of
from pitboss.jackpot.hits import handling
from tests.jackpot.hit_making import SUPERVISOR, Floor, floor
from tests.jackpot.making import STC, make_jackpot, tables
from tests.meters.making import progressive

ACES = "Three-of-a-Kind Aces Suited"


def both() -> tuple[Jackpot, Jackpot]:
    """Both 21+3 jackpots of a table, each at $3,000."""
    meter = progressive(seed_cents=3_000_00, reseed_cents=1_000_00)
    first = make_jackpot(
        "first", meter, offers=(offer_of(STC, "twenty-one-plus-three", "PT-BJS-213-03"),), tables=tables("4", game=STC)
    )
    second = replace(first, name="second", offers=(offer_of(STC, "twenty-one-plus-three-b", "PT-BJS-213-03"),))
    return first, second


def verify(at: Floor, hit: int) -> None:
    cards = RoundCards(seats={1: "As As"}, board="As")
    at.hits.verify(hit, cards, [1], command=at.id(), by=SUPERVISOR)


def call(at: Floor) -> list[int]:
    at.press_all("4", {"first": [1], "second": [1]})
    return [at.call((1, ACES), jackpot=name) for name in ("first", "second")]


def test_g_38_both_21_3_jackpots_on_the_same_three_aces_are_withheld_together(quick_path: Path) -> None:
    """Seen: $3,000.17 each, and nothing withheld."""
    with floor(quick_path / "room", *both()) as at:
        hits = call(at)
        withheld = []
        for hit in hits:
            verify(at, hit)
            at.surveil(hit)
            at.document(hit)
            at.pay(hit, 1, "cage")
            withheld.append(at.hits.open[hit].handed[0].withheld_cents)
            at.close(hit)
        # 24 % of $6,000.34 less two dollars, half of each.
        assert [719_80, 719_80] == withheld
        at.check()


def test_g_38_a_second_prize_called_after_the_first_was_paid_bears_what_was_missing(quick_path: Path) -> None:
    with floor(quick_path / "room", *both()) as at:
        at.press_all("4", {"first": [1], "second": [1]})
        withheld = []
        for name in ("first", "second"):
            hit = at.call((1, ACES), jackpot=name)
            verify(at, hit)
            at.surveil(hit)
            at.document(hit)
            at.pay(hit, 1, "cage")
            withheld.append(at.hits.open[hit].handed[0].withheld_cents)
            at.close(hit)
        assert [0, 1_439_60] == withheld
        at.check()


def test_g_38_a_tribal_room_has_the_federal_thresholds_only(quick_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen: the server applied commercial thresholds to tribal tables."""
    monkeypatch.setattr(handling, "profile_at", lambda *_: "wa-tribal")
    with floor(quick_path / "room", *both()) as at:
        hit = call(at)[0]
        verify(at, hit)
        assert {"w-2g", "identification", "withholding"} == set(at.hits.open[hit].demands[1].names)
