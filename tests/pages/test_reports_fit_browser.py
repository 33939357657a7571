"""The reports in a real browser: at a desk's width a report shows all its columns, without scrolling sideways."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.pages.office import office_room
from tests.pages.room import CardRoom
from tests.pages.serving import serving
from tests.server.making import PASSWORD

pytestmark = pytest.mark.xdist_group("browser")

FIT = ("meters", "accrual", "takings", "wagers-by-shift", "counters", "adjustments", "voids", "table-log")
"""Reports of eleven columns or fewer, most of them amounts: seen cut off after the fourth column."""
BEYOND = "() => { const table = document.querySelector('.beside .wide'); return table ? table.scrollWidth - table.clientWidth : 0; }"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with office_room(tmp_path_factory.mktemp("office") / "room") as found:
        yield found


def test_a_report_shows_all_its_columns_at_1280(browser: Browser, room: CardRoom) -> None:
    with serving(room) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{address}/sign-in?next=/office/reports")
        page.get_by_label("User name").fill("una")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Reports", exact=True)).to_be_visible()
        beyond = {}
        for name in FIT:
            page.goto(f"{address}/office/reports/{name}?first=2026-11-13&last=2026-11-16")
            beyond[name] = page.evaluate(BEYOND)
        page.close()
    assert {name: wide for name, wide in beyond.items() if wide > 0} == {}
