"""One style of days, shares and amounts on pages and papers; files for programs have ISO 8601 (A4 to A7)."""

from __future__ import annotations

import datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

from pitboss.books import microseconds
from pitboss.meters import units_of
from pitboss.paper.words import percent
from pitboss.reports.render import cents_words, days_in_words
from pitboss.reports.render import clock_text as paper_text
from pitboss.server.views.formatting import clock_text, day_text, units_dollars

ZONE = ZoneInfo("America/Los_Angeles")
AT = microseconds(datetime.datetime(2026, 11, 16, 13, 57, 8, tzinfo=datetime.UTC))


def test_a_day_and_a_time_are_written_in_one_way_on_pages_and_papers() -> None:
    assert clock_text(AT, ZONE, with_day=True) == day_text(AT, ZONE) == paper_text(AT, ZONE) == "Nov 16, 2026, 5:57 AM"
    assert paper_text(AT, ZONE, seconds=True) == "Nov 16, 2026, 5:57:08 AM"


def test_an_hour_that_clocks_show_twice_is_told_apart() -> None:
    first = microseconds(datetime.datetime(2026, 11, 1, 8, 30, tzinfo=datetime.UTC))
    hour = 3_600_000_000
    assert paper_text(first, ZONE) == "Nov 1, 2026, 1:30 AM PDT"
    assert paper_text(first + hour, ZONE) == "Nov 1, 2026, 1:30 AM PST"
    assert paper_text(first + 2 * hour, ZONE) == "Nov 1, 2026, 2:30 AM"


def test_days_in_a_text_are_written_out_and_what_is_none_stays() -> None:
    assert days_in_words("gambling days 2026-11-10 to 2026-11-16") == "gambling days Nov 10, 2026 to Nov 16, 2026"
    assert days_in_words("2026-11-11T10:00-0800") == "Nov 11, 10 AM"
    assert days_in_words("letter 2026-13-45, WSR 21-11-057") == "letter 2026-13-45, WSR 21-11-057"


def test_a_share_has_no_blank_and_an_amount_has_cents() -> None:
    assert percent(Fraction(30341, 1_000_000)) == "3.0341%"
    exact = units_of(10_008_25) + 9_000
    assert cents_words(exact) == units_dollars(exact) == "$10,008.25"
    assert cents_words(-exact) == units_dollars(-exact) == "-$10,008.25"
    assert units_dollars(units_of(17) + 3_000) == "$0.173", "a rate is exact"
    assert cents_words(10) == "$0.00001", "a difference is never printed as none"
    assert cents_words(0) == "$0.00"
