"""The page of a company at the sizes of a phone, a desk and a wall, light and dark, with a room that is down."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.pages.company import DOWN, answering, serving_company
from tests.server.test_company import answer

_NOW = 1_800_000_060_000_000


@pytest.mark.xdist_group("company")
def test_the_pages_of_a_company_fit_and_axe_finds_nothing(browser: Browser) -> None:
    pending = [
        {"number": 7, "table": "4", "title": "Prime Jackpot", "cents": 5_000, "unpaid_cents": 5_000, "state": "called"}
    ]
    answers = {name: answer(name, pending=pending) for name in ("North Room", DOWN, "East Room")}
    with serving_company(answering(answers, _NOW)) as address:
        page = browser.new_context(reduced_motion="reduce").new_page()
        noise: list[str] = []
        page.on("console", lambda message: noise.append(message.text))
        for path in ("/", "/rooms/1", "/sign-in"):
            for query in ("", "?dark=1"):
                page.set_viewport_size({"width": 390, "height": 844})
                page.goto(address + path + query)
                for width, height in ((390, 844), (1280, 800), (1920, 1080)):
                    page.set_viewport_size({"width": width, "height": height})
                    assert page.evaluate("document.documentElement.scrollWidth") == width, (path, width)
                found = Axe().run(page)
                assert found.violations_count == 0, found.generate_report()
        assert [] == noise
