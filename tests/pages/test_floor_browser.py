"""The floor desk in a real browser: a hit from call to paid by the right people and refused for the wrong ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.doors import doors_of
from tests.pages.desk import desk_room, royal
from tests.pages.floor import MANAGER
from tests.pages.room import CardRoom
from tests.pages.serving import serving
from tests.server.making import PASSWORD

pytestmark = pytest.mark.xdist_group("browser")
SIZE: ViewportSize = {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with desk_room(tmp_path_factory.mktemp("floor") / "room") as found:
        yield found


class FloorDesk:
    """The floor desk in the browser of somebody who has signed in."""

    def __init__(self, browser: Browser, address: str, login: str) -> None:
        self.page: Page = browser.new_context(viewport=SIZE, reduced_motion="reduce").new_page()
        self.said: list[str] = []
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.goto(f"{address}/sign-in?next=/floor")
        self.page.locator("[name=login]").fill(login)
        self.page.locator("[name=password]").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_role("heading", name="Floor", exact=True)).to_be_visible()

    def button(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def told(self, words: str) -> None:
        expect(self.page.get_by_role("status").filter(has_text=words)).to_be_visible()

    def clean(self) -> None:
        results = Axe().run(self.page)
        assert results.violations_count == 0, results.generate_report()


def fills_while_a_table_closes(room: CardRoom, page: Page, label: str, text: str) -> None:
    """Fill a field in while the page is laid out anew: focus and text stay."""
    field = page.get_by_label(label)
    field.fill(text)
    doors_of(room.room).tables.close("6", command="close-6", by=MANAGER)
    expect(page.get_by_role("listitem", name="Table 6")).to_contain_text("Closed")
    expect(field).to_be_focused()
    expect(field).to_have_value(text)


def test_a_hit_from_call_to_paid_by_the_right_people_and_refused_for_the_wrong_ones(
    browser: Browser, room: CardRoom
) -> None:
    with serving(room) as address:
        sue, vic, amy, max_ = (FloorDesk(browser, address, login) for login in ("sue", "vic", "amy", "max"))
        expect(sue.page.get_by_text("No jackpots pending.")).to_be_visible()
        royal(room)
        expect(sue.page.get_by_text("Verify hand and wager")).to_be_visible()
        expect(vic.page.get_by_text("Waiting for a supervisor or manager to verify")).to_be_visible()
        expect(vic.page.get_by_role("button", name="Verify")).to_have_count(0)
        cards = sue.page.locator("[name='cards:3']")
        cards.evaluate("(field) => { field.value = 'Ad Kd Qd 2c'; field.dispatchEvent(new Event('input')); }")
        sue.page.get_by_label("Wager light is on at seat 3").check()
        sue.button("Verify")
        alert = sue.page.get_by_role("alert")
        expect(alert).to_contain_text("Correct or reject the report.")
        doors_of(room.room).tables.close("4", command="close-4", by=MANAGER)
        expect(sue.page.get_by_role("listitem", name="Table 4")).to_contain_text("Closed")
        expect(alert).to_be_visible()
        expect(cards).to_have_value("Ad Kd Qd 2c")
        assert sue.page.url.endswith("/floor")
        alert.get_by_role("button", name="Dismiss").click()
        expect(alert).to_have_count(0)
        cards.evaluate("(field) => { field.value = 'Ad Kd Qd Jd'; field.dispatchEvent(new Event('input')); }")
        sue.clean()
        sue.button("Verify")
        sue.told("Verified.")
        expect(vic.page.get_by_role("img", name="ace of diamonds")).to_be_visible()
        for check in ("Hand", "Wager", "Payout", "Winner"):
            vic.page.get_by_label(check, exact=True).check()
        vic.button("Confirm")
        vic.told("Confirmed by surveillance.")
        amy.page.get_by_label("Winner").fill("Pat Lee")
        amy.page.get_by_label("Primary ID").fill("driver license")
        fills_while_a_table_closes(room, amy.page, "Secondary ID", "passport")
        for words in ("One ID has a photo", "SSN/TIN recorded on W-2G", "Remaining deck counted down"):
            amy.page.get_by_label(words).check()
        amy.clean()
        amy.button("Create jackpot slip")
        amy.told("Paperwork saved.")
        expect(amy.page.get_by_role("status").get_by_role("link", name="Print slip 000001")).to_be_visible()
        expect(amy.page.get_by_text("Someone else must pay this: you did the paperwork.")).to_be_visible()
        expect(sue.page.get_by_text("Waiting for accounting or a manager to pay")).to_be_visible()
        max_.page.get_by_label("Check number").fill("1007")
        max_.button("Review payment")
        expect(max_.page.get_by_role("group", name="Review payment")).to_contain_text("Pat Lee")
        max_.button("Record payment")
        max_.told("Payment recorded.")
        expect(max_.page.get_by_role("button", name="Close jackpot")).to_have_count(0)
        sue.button("Close jackpot")
        sue.told("Jackpot closed.")
        expect(vic.page.get_by_text("No jackpots pending.")).to_be_visible()
        assert [sue.said, vic.said, amy.said, max_.said] == [[], [], [], []]
        for each in (sue, vic, amy, max_):
            each.page.context.close()


@pytest.mark.slow
def test_a_dispute_is_tapped_settled_with_its_clauses_kept_and_printed(browser: Browser, room: CardRoom) -> None:
    with serving(room) as address:
        sue = FloorDesk(browser, address, "sue")
        page = sue.page
        page.get_by_role("link", name="Disputes").click()
        page.get_by_role("link", name="4", exact=True).click()
        for name, cards in (("board", "9s 9h 4d"), ("cards:1", "Ad Kd Qd Jd")):
            field = page.locator(f"[name='{name}']")
            field.evaluate(f"(field) => {{ field.value = '{cards}'; field.dispatchEvent(new Event('input')); }}")
        page.get_by_label("Ante and Play").fill("20")
        page.get_by_role("button", name="Settle").click()
        expect(page.get_by_role("alert")).to_contain_text("Play (a wager equal to the Ante) or fold?")
        page.get_by_role("combobox", name="Decision").select_option("yes")
        page.get_by_role("button", name="Settle").click()
        line = page.get_by_role("region", name="Ante and Play")
        expect(line).to_contain_text("Net +$220.00")
        expect(line).to_contain_text("TCP rule 4")
        sue.clean()
        page.get_by_label("What was disputed?").fill("seat 1 was paid even money")
        page.get_by_role("button", name="Save record").click()
        expect(page.get_by_role("heading", name="Dispute 1")).to_be_visible()
        expect(page.get_by_role("button", name="Print")).to_be_visible()
        sue.clean()
        page.emulate_media(media="print")
        expect(page.get_by_role("navigation")).to_have_count(0)
        expect(page.locator("#main").get_by_text("Supervisor", exact=True)).to_be_visible()
        page.context.close()


def test_return_to_service_opens_its_form(browser: Browser, tmp_path: Path) -> None:
    """Seen: the button of a table whose equipment is out led to a page on which the form was folded."""
    with desk_room(tmp_path / "room") as room, serving(room) as address:
        desk = FloorDesk(browser, address, "sue")
        desk.page.get_by_role("listitem", name="Table 5").get_by_role("link", name="Return to service").click()
        expect(desk.page.get_by_label("Rounds dealt meanwhile")).to_be_visible()
