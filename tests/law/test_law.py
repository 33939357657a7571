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
        ("2004-07-01", 10_000),
        ("2008-12-31", 10_000),
        ("2009-01-01", 30_000),
        ("2015-09-25", 30_000),
        ("2023-08-19", 30_000),
        ("2023-08-20", 40_000),
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


def test_g_16_seven_players_is_a_dated_setting_of_commercial_rooms() -> None:
    assert 7 == law.on(day("2024-01-01"), "wa-commercial")["seats_max"].value
    assert law.on(day("2024-01-01"), "wa-tribal").get("seats_max") is None


@pytest.mark.parametrize(
    ("date", "profile", "in_full"),
    [("2021-06-13", "wa-commercial", 0), ("2021-06-14", "wa-commercial", 1), ("2024-01-01", "wa-tribal", 0)],
)
def test_g_4_bonus_prizes_in_full_in_commercial_rooms_from_2021_06_14(date: str, profile: str, in_full: int) -> None:
    assert in_full == law.on(day(date), profile)["bonus_prize_in_full"].value


REVISED = [
    ("options_max", "2010-03-30", None, "2010-03-31", 4),
    ("fourth_wager_cents_max", "2009-09-13", None, "2009-09-14", 500),
    ("single_wager_cents_max", "2023-08-19", 30_000, "2023-08-20", 40_000),
    ("progressive_display_increments", "2021-06-13", None, "2021-06-14", 1),
    ("prize_cheque_over_cents", "2013-02-10", 250_000, "2013-02-11", 500_000),
    ("w2g_from_cents", "2026-12-31", 200_000, "2027-01-01", None),
    ("withholding_percent", "2017-12-31", 25, "2018-01-01", 24),
    ("backup_withholding_percent", "2017-12-31", 28, "2018-01-01", 24),
    ("seeding_other_allowed", "2010-12-31", None, "2011-01-01", 1),
    ("seeding_other_allowed", "2021-06-13", 1, "2021-06-14", 0),
]


@pytest.mark.parametrize(("name", "before", "was", "since", "value"), REVISED)
def test_section_c_each_setting_on_both_sides_of_its_date(
    name: str, before: str, was: int | None, since: str, value: int | None
) -> None:
    """RULINGS-REVISED, section C."""
    settings = [law.on(day(date), "wa-commercial").get(name) for date in (before, since)]
    assert [was, value] == [None if setting is None else setting.value for setting in settings]


def test_section_c_what_is_not_on_file_is_named() -> None:
    with pytest.raises(law.NoRuleSetError, match="2027-01-01: w2g_from_cents of wa-tribal is not on file"):
        law.on(day("2027-01-01"), "wa-tribal")["w2g_from_cents"]


def test_section_c_video_of_prizes_and_seats_bind_commercial_rooms_alone() -> None:
    for name in ("video_prize_kept_days", "seats_max"):
        bound = [law.on(day("2024-01-01"), profile).get(name) is not None for profile in law.PROFILES]
        assert [True, False] == bound


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("escrow_days", 7),
        ("display_dark_seconds", 30),
        ("display_stale_seconds", 30),
        ("display_suspend_seconds", 120),
        ("display_confirm_seconds", 600),
        ("chips_within_days", 1),
    ],
)
def test_section_c_times_of_the_house_are_settings(name: str, value: int) -> None:
    assert value == law.value_on(name, day("2026-11-17"))
    assert [value, value] == [law.on(day("2026-11-17"), profile)[name].value for profile in law.PROFILES]


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


OF_MONEY = ("G-4", "G-33", "G-35", "G-36", "G-37", "G-38", "G-39", "G-45", "G-52", "G-56", "G-58")


def test_section_d_the_document_has_three_parts_and_every_ruling_a_title_and_a_reason() -> None:
    """RULINGS-REVISED, section D: who is no lawyer reads each by itself; where money moves there is an example."""
    text = Path(law.__file__).with_name("RULINGS.md").read_text(encoding="utf-8")
    parts = re.findall(r"^# Part \d: (.*)$", text, flags=re.MULTILINE)
    assert ["readings of the approved rules", "procedures", "conventions"] == parts
    blocks = [block for block in re.split(r"\n(?=- \*\*|#)", text) if block.startswith("- **")]
    assert [] == [block[:40] for block in blocks if not re.match(r"- \*\*[A-Z]+-\d+ .+?\*\*", block, re.DOTALL)]
    assert [] == [block[:40] for block in blocks if "Reason:" not in block]
    assert [] == [name for name in OF_MONEY if not re.search(r"Example: .*\d", law.ruling(name).text)]


def test_section_b_g_21_says_that_it_is_an_exception_to_g_4() -> None:
    assert 'an exception to G-4\'s "odd cents stay on the meter"' in " ".join(law.ruling("G-21").text.split())
