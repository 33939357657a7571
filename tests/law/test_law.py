"""Dated settings and rulings."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest

from pitboss import law

day = datetime.date.fromisoformat


@pytest.mark.parametrize(
    ("date", "cents"),
    [
        ("2004-07-01", 20_000),
        ("2008-12-31", 20_000),
        ("2009-01-01", 30_000),
        ("2015-09-25", 30_000),
        ("2023-08-18", 30_000),
        ("2023-08-19", 40_000),
        ("2026-11-15", 40_000),
    ],
)
def test_g_14_the_single_wager_limit_has_dates(date: str, cents: int) -> None:
    setting = law.on(day(date), "wa-commercial")["single_wager_cents_max"]
    assert (cents, "G-14") == (setting.value, setting.ruling)
    assert setting.source


def test_g_14_tribal_rooms_are_not_bound_by_the_wac() -> None:
    rules = law.on(day("2024-01-01"), "wa-tribal")
    assert rules.get("single_wager_cents_max") is None
    assert rules.get("fourth_wager_cents_max") is None


def test_g_12_four_options_in_every_kind_of_room_and_five_dollars_in_commercial_ones() -> None:
    assert [4, 4] == [law.on(day("2024-01-01"), profile)["options_max"].value for profile in law.PROFILES]
    assert 500 == law.on(day("2024-01-01"), "wa-commercial")["fourth_wager_cents_max"].value


def test_g_16_seven_players_is_a_dated_setting() -> None:
    assert 7 == law.on(day("2024-01-01"), "wa-commercial")["seats_max"].value
    assert law.on(day("2024-01-01"), "wa-tribal").get("seats_max") is None


@pytest.mark.parametrize(
    ("date", "profile", "in_full"),
    [("2020-12-31", "wa-commercial", 0), ("2021-01-01", "wa-commercial", 1), ("2024-01-01", "wa-tribal", 0)],
)
def test_g_4_bonus_prizes_in_full_in_commercial_rooms_from_2021(date: str, profile: str, in_full: int) -> None:
    assert in_full == law.on(day(date), profile)["bonus_prize_in_full"].value


def test_a_day_before_our_papers_and_an_unknown_profile_are_refused_by_name() -> None:
    with pytest.raises(law.NoRuleSetError, match=r"before 2004-07-01 are not on file"):
        law.on(day("2004-06-30"), "wa-commercial")
    with pytest.raises(ValueError, match="wa-commercial, wa-tribal"):
        law.on(day("2024-01-01"), "nevada")


def test_every_ruling_of_the_document_is_read() -> None:
    text = Path(law.__file__).with_name("RULINGS.md").read_text(encoding="utf-8")
    assert re.findall(r"^- \*\*([A-Z]+-\d+)", text, flags=re.MULTILINE) == list(law.rulings())
    assert all(ruling.text for ruling in law.rulings().values())


def test_g_17_layouts_fill_a_gap_and_overrule_nothing() -> None:
    """The layouts in the documents print other amounts; no pay table of ours is taken from one."""
    assert "they never overrule text or an appendix" in law.ruling("G-17").text
