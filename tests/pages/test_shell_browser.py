"""The shell in a real browser: the menu at both widths, badges that follow the room, and the end of a session foretold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from pitboss.room.people.vault import SessionLimits
from tests.pages.desk import desk_room, four_aces
from tests.pages.room import CardRoom
from tests.pages.serving import serving
from tests.server.making import PASSWORD

pytestmark = pytest.mark.xdist_group("browser")
_SECOND = 1_000_000
_SMALLEST_TARGET = 24


@pytest.fixture
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with desk_room(tmp_path_factory.mktemp("shell") / "room") as found:
        yield found


def clean(page: Page) -> None:
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    sizes = page.evaluate(
        "[...document.querySelectorAll('.nav a, .page-head a, .page-head summary, .action')]"
        ".map((each) => each.getBoundingClientRect()).filter((box) => box.width).map((box) => [box.width, box.height])"
    )
    assert sizes
    assert all(min(size) >= _SMALLEST_TARGET for size in sizes), "WCAG 2.5.8"


def test_a_manager_begins_with_today_sees_what_waits_and_stays_signed_in(browser: Browser, room: CardRoom) -> None:
    room.room.access.sessions._limits = SessionLimits(idle=123 * _SECOND)
    with serving(room) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{address}/sign-in")
        page.get_by_label("User name").fill("max")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Today", level=1)).to_be_visible()
        menu = page.get_by_role("navigation", name="Main menu")
        expect(menu.get_by_role("link", name="Today")).to_have_attribute("aria-current", "page")
        clean(page)
        # Two minutes before the end the page asks; who answers goes on.
        stay = page.get_by_role("dialog").get_by_role("button", name="Stay signed in")
        expect(stay).to_be_visible()
        room.room.access.sessions._limits = SessionLimits()
        stay.click()
        expect(stay).to_be_hidden()
        waiting = page.get_by_role("list", name="Waiting for you")
        expect(waiting).not_to_contain_text("pending")
        four_aces(room)
        expect(waiting).to_contain_text("1")
        expect(waiting.get_by_role("link", name="jackpot pending")).to_have_attribute("href", "/floor#hits-title")
        page.set_viewport_size({"width": 390, "height": 844})
        clean(page)
        quick = page.get_by_role("navigation", name="Quick menu")
        more = quick.get_by_text("More")
        more.click()
        quick.get_by_role("link", name="Audit log").click()
        expect(page).to_have_url(f"{address}/office/audit")
        page.locator(".account summary").click()
        page.get_by_role("button", name="Sign out").click()
        expect(page).to_have_url(f"{address}/sign-in")
        assert said == []
        page.close()


def test_a_refused_sign_in_fits_a_phone(browser: Browser, room: CardRoom) -> None:
    """Seen: the button that dismisses the message was as wide as the form, and the message one word wide."""
    with serving(room) as address:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(f"{address}/sign-in")
        page.get_by_label("User name").fill("max")
        page.get_by_label("Password").fill("not this one")
        page.keyboard.press("Enter")
        message = page.get_by_text("That name and password don't match.")
        expect(message).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        box = message.bounding_box()
        assert box is not None
        assert box["width"] > 200
        page.close()


def test_a_press_is_not_lost_where_today_is_laid_out_anew_under_it(browser: Browser, room: CardRoom) -> None:
    """A link that is pressed is there until its click has come, whatever the room does meanwhile; then the page follows."""
    with serving(room) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{address}/sign-in")
        page.request.post(f"{address}/sign-in", form={"login": "max", "password": PASSWORD})
        page.goto(f"{address}/today")
        link = page.locator(".today-card", has_text="Tables").get_by_role("link").last
        # Heard by the document: the page may renew itself before the press, too, and has other links then.
        page.evaluate(
            """() => document.addEventListener("click", (event) => {
              event.preventDefault();
              if (event.target.closest(".today-card a")) document.title = "pressed";
            })"""
        )
        link.hover()
        page.mouse.down()
        with page.expect_response(lambda answer: answer.url == f"{address}/today"):
            four_aces(room)
        page.wait_for_timeout(300)
        page.mouse.up()
        expect(page).to_have_title("pressed")
        expect(page.get_by_role("link", name="Handle").locator("xpath=../..")).to_contain_text("1 jackpot pending")
        page.close()
