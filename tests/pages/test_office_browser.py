"""The back office in a real browser: an auditor follows one dollar from the sensor to the escrow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.pages.office import office_room
from tests.pages.room import CardRoom
from tests.pages.serving import serving
from tests.server.making import PASSWORD

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with office_room(tmp_path_factory.mktemp("office") / "room") as found:
        yield found


def clean(page: Page) -> None:
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def signed_in(browser: Browser, address: str, login: str, said: list[str]) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{address}/sign-in?next=/office/audit")
    page.get_by_label("User name").fill(login)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Audit")).to_be_visible()
    return page


def test_an_auditor_follows_one_dollar_from_sensor_to_escrow(browser: Browser, room: CardRoom) -> None:
    """M-02, J-09, J-19: journal, entry, display, meters, escrow; then the chain is verified and the answer arrives."""
    said: list[str] = []
    with serving(room) as address:
        page = signed_in(browser, address, "una", said)
        clean(page)
        page.get_by_label("Type").select_option("wagers-counted")
        page.get_by_label("Table").select_option("4")
        page.get_by_label("Gaming day").fill("2026-11-13")
        page.get_by_role("button", name="Find").click()
        page.get_by_role("link", name="265", exact=True).click()
        expect(page.get_by_role("row", name="wagers displayed $0.519")).to_be_visible()
        expect(page.get_by_text("Checked just now")).to_be_visible()
        clean(page)
        page.get_by_role("link", name="How the meter got here").click()
        expect(
            page.get_by_role("heading", name="Five Card Jackpot, tables 4 and 5 showed $10,048.78 after entry 265")
        ).to_be_visible()
        clean(page)
        page.go_back()
        page.get_by_role("link", name="Escrow statement of the day").click()
        expect(page.get_by_role("heading", name="Escrow statement")).to_be_visible()
        expect(page.get_by_role("table")).to_contain_text("$10,000.00")
        clean(page)
        page.goto(f"{address}/office/audit/chain")
        page.get_by_role("button", name="Verify now").click()
        expect(page.get_by_text("All checks passed.")).to_be_visible(timeout=60_000)
        clean(page)
        page.goto(f"{address}/office/jackpots/main")
        clean(page)
        assert said == []
        page.close()


@pytest.mark.slow
def test_two_people_adjust_a_meter_and_its_display_is_explained_by_both(browser: Browser, room: CardRoom) -> None:
    """J-14, T-06: asked by one, given by another; every page of the office is clean on the way."""
    said: list[str] = []
    with serving(room) as address:
        asks = signed_in(browser, address, "lee", said)
        asks.goto(f"{address}/office/jackpots")
        clean(asks)
        asks.get_by_role("link", name="Five Card Jackpot, tables 4 and 5").click()
        expect(asks.get_by_role("img", name="Meter")).to_be_visible()
        clean(asks)
        asks.get_by_role("link", name="Money").click()
        asks.get_by_text("Adjust meter", exact=True).click()
        asks.get_by_label("Amount", exact=True).first.fill("$80.00")
        asks.get_by_label("Note", exact=True).fill("gift of the house")
        asks.get_by_role("button", name="Review").first.click()
        review = asks.get_by_role("form", name="Review")
        expect(review).to_contain_text("$80.00")
        clean(asks)
        review.get_by_role("button", name="Submit for approval").click()
        expect(asks.get_by_text("Submitted. Waiting for")).to_be_visible()
        gives = signed_in(browser, address, "max", said)
        gives.goto(f"{address}/office/jackpots/main?tab=money")
        expect(gives.get_by_role("button", name="Approve")).to_be_hidden()
        gives.locator("summary", has_text="Review").click()
        clean(gives)
        gives.get_by_role("button", name="Approve").click()
        expect(gives.get_by_text("Approved.")).to_be_visible()
        clean(gives)
        gives.goto(f"{address}/office/jackpots/main")
        gives.get_by_role("link", name="How it got here").first.click()
        expect(gives.get_by_role("row", name="gift of the house")).to_contain_text("$80.00")
        for path in ("/office/audit/who", "/office/reports", "/office/reports/hits"):
            gives.goto(f"{address}{path}")
            clean(gives)
        assert said == []
        asks.close()
        gives.close()


def test_a_day_is_closed_and_reconciled(browser: Browser, room: CardRoom) -> None:
    """O-12, M-07: missing chips are entered by two people, a difference is looked into by somebody it is not about."""
    said: list[str] = []
    with serving(room) as address:
        lee = signed_in(browser, address, "lee", said)
        lee.goto(f"{address}/office/reports/takings?first=2026-11-14")
        expect(lee.get_by_text("no chips were entered for 58 wagers")).to_be_visible()
        clean(lee)
        lee.goto(f"{address}/office/count?day=2026-11-14&shift=day")
        lee.get_by_label("Table 5", exact=True).fill("$58.00")
        lee.get_by_label("Counted with").select_option(label="Max Adeyemi, manager")
        lee.get_by_label("Confirms from their own sign-in").check()
        clean(lee)
        lee.get_by_role("button", name="Save count").click()
        expect(lee.get_by_text("Submitted, 1 table")).to_be_visible()
        lee.goto(f"{address}/office/reports/takings?first=2026-11-14")
        # G-45: who counted with Lee confirms the amount under their own sign-in.
        expect(lee.get_by_text("no chips were entered for 58 wagers")).to_be_visible()
        gives = signed_in(browser, address, "max", said)
        gives.goto(f"{address}/floor")
        gives.locator("summary", has_text="Review").click()
        gives.get_by_role("button", name="Approve").click()
        expect(gives.get_by_text("Approved.", exact=True)).to_be_visible()
        gives.close()
        lee.reload()
        expect(lee.get_by_text("no chips were entered")).to_be_hidden()
        expect(lee.get_by_role("row", name="Lee Sato and Max Adeyemi").last).to_contain_text("$58.00")
        lee.goto(f"{address}/office/reports/meters?first=2026-11-14")
        expect(lee.get_by_role("row", name="Difference")).to_have_count(2)
        max_ = signed_in(browser, address, "max", said)
        max_.goto(f"{address}/office/reports/takings?first=2026-11-13")
        max_.get_by_role("button", name="Assign to me").click()
        expect(max_.get_by_text("Max Adeyemi").last).to_be_visible()
        clean(max_)
        max_.get_by_label("Resolution").fill("three chips were under the tray")
        max_.get_by_role("button", name="Resolve").click()
        expect(max_.get_by_text("resolved").first).to_be_visible()
        max_.goto(f"{address}/office/reports/meters?first=2026-11-14")
        expect(max_.get_by_text("does not hold")).to_be_hidden()
        assert said == []
        lee.close()
        max_.close()
