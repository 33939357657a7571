"""Issue 20, shown by: in a real browser a what-if is what `pitboss odds` says; axe finds nothing; nothing overflows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from pitboss.odds import solve
from pitboss.paper.words import percent
from tests.pages.floor import staff
from tests.pages.room import card_room
from tests.pages.serving import serving

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
PRIME = "/odds/three-card-prime/prime"
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
COUNTED = 240_000


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with card_room(tmp_path_factory.mktemp("odds-browser") / "room") as room:
        staff(room)
        with serving(room) as found:
            yield found


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_pay_changed_by_hand_moves_the_figures_at_once(browser: Browser, address: str, size: Any) -> None:
    page = browser.new_context(viewport=size).new_page()
    page.goto(f"{address}{PRIME}")
    printed = solve("three-card-prime", "prime", ["PRW-1"])
    expect(page.locator(".odds-lines")).to_contain_text(percent(printed.house_edge), timeout=COUNTED)
    page.get_by_label("Same Color Player Hand", exact=True).fill("2")
    changed = solve("three-card-prime", "prime", [{"id": "PRW-1", "pays": {"Same Color Player Hand": "2"}}])
    expect(page.locator(".odds-lines")).to_contain_text(percent(changed.house_edge), timeout=COUNTED)
    assert "pay.prime.1=2" in page.url, "the address leads here again"
    page.locator(".odds-lines summary").first.click()
    expect(page.locator(".odds-lines")).to_contain_text("1,392/5,593")
    assert 0 >= page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    violations = Axe().run(page).response["violations"]
    assert [] == [each["id"] for each in violations]


@pytest.mark.parametrize("path", ["/odds", "/odds/three-card-prime/ante-play", "/odds/three-card-prime/prime/design"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_axe_finds_nothing_and_nothing_overflows(browser: Browser, address: str, path: str, size: Any) -> None:
    page = browser.new_context(viewport=size).new_page()
    page.goto(f"{address}{path}")
    expect(page.get_by_text("Working")).to_have_count(0, timeout=COUNTED)
    assert [] == [each["id"] for each in Axe().run(page).response["violations"]]
    assert 0 >= page.evaluate("() => document.documentElement.scrollWidth - innerWidth")


def test_issue_20_cards_are_picked_by_white_keys_into_empty_slots(browser: Browser, address: str) -> None:
    """Seen wrong: the buttons of the page had painted slots and keys green, black suits white."""
    page = browser.new_page()
    page.goto(f"{address}/odds/three-card-prime/ante-play")
    expect(page.locator("pit-pick[data-on]").first).to_be_visible()
    style = "(each) => getComputedStyle(each).backgroundColor"
    assert page.locator(".pad button").first.evaluate(style) == "rgb(255, 253, 246)"
    assert page.locator(".slot").first.evaluate(style) == "rgba(0, 0, 0, 0)"
