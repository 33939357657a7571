"""The floor desk in a real browser: a hit from call to paid by the right people and refused for the wrong ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.doors import doors_of
from tests.pages.desk import desk_room, royal
from tests.pages.floor import MANAGER
from tests.pages.room import CardRoom
from tests.pages.serving import enter_cards, serving
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
        expect(self.page.get_by_role("heading", name="Floor desk")).to_be_visible()

    def button(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def told(self, words: str) -> None:
        expect(self.page.get_by_role("status").filter(has_text=words)).to_be_visible()

    def clean(self) -> None:
        results = Axe().run(self.page)
        assert results.violations_count == 0, results.generate_report()


def test_a_hit_from_call_to_paid_by_the_right_people_and_refused_for_the_wrong_ones(
    browser: Browser, room: CardRoom
) -> None:
    with serving(room) as address:
        sue, vic, amy, max_ = (FloorDesk(browser, address, login) for login in ("sue", "vic", "amy", "max"))
        expect(sue.page.get_by_text("No hit is being handled.")).to_be_visible()
        royal(room)
        expect(sue.page.get_by_text("Verify cards and wager light")).to_be_visible()
        expect(vic.page.get_by_text("Verify cards and wager light")).to_be_visible()
        expect(vic.page.get_by_role("button", name="Verify")).to_have_count(0)
        enter_cards(sue.page, "ace diamonds")
        doors_of(room.room).tables.close("4", command="close-4", by=MANAGER)
        expect(sue.page.get_by_role("row", name="4 Three Card Prime closed")).to_be_visible()
        enter_cards(sue.page, "king diamonds", "queen diamonds", "jack diamonds")
        expect(sue.page.get_by_label("Seat 3, in the order dealt")).to_have_value("Ad Kd Qd Jd")
        sue.button("Verify")
        expect(sue.page.get_by_role("alert")).to_contain_text("its wager light is not confirmed")
        expect(sue.page.get_by_label("Seat 3, in the order dealt")).to_have_value("Ad Kd Qd Jd")
        sue.page.get_by_label("seat 3", exact=True).check()
        sue.clean()
        sue.button("Verify")
        sue.told("Verified.")
        for check in ("hand", "wager", "payout", "winner"):
            vic.page.get_by_label(check, exact=True).check()
        vic.button("Confirm")
        vic.told("Confirmed by surveillance.")
        amy.page.get_by_label("Winner").fill("Pat Lee")
        amy.page.get_by_label("First identification").fill("driver license")
        amy.page.get_by_label("Second identification").fill("passport")
        for words in ("One has a photograph", "Taxpayer number given, on the form", "Rest of the deck counted down"):
            amy.page.get_by_label(words).check()
        amy.clean()
        amy.button("Make the slip")
        amy.told("The papers are made.")
        expect(amy.page.get_by_text("Amy has done a step")).to_be_visible()
        expect(amy.page.get_by_role("button", name="Cheque given")).to_have_count(0)
        expect(sue.page.get_by_text("Accounting or a manager pays this one.")).to_be_visible()
        max_.page.get_by_label("Cheque number").fill("1007")
        max_.button("Cheque given")
        max_.told("Handed over.")
        expect(max_.page.get_by_role("button", name="Close the hit")).to_have_count(0)
        sue.button("Close the hit")
        sue.told("The hit is closed.")
        expect(vic.page.get_by_text("No hit is being handled.")).to_be_visible()
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
        dealer, seat = page.locator("pit-pick").nth(0), page.locator("pit-pick").nth(1)
        enter_cards(dealer, "nine spades", "nine hearts", "four diamonds")
        enter_cards(seat, "ace diamonds", "king diamonds", "queen diamonds", "jack diamonds")
        page.get_by_label("Ante and Play").fill("20")
        page.get_by_role("button", name="Settle").click()
        expect(page.get_by_role("alert")).to_contain_text("Play (a wager equal to the Ante) or fold?")
        page.get_by_role("combobox", name="Play").select_option("yes")
        page.get_by_role("button", name="Settle").click()
        line = page.get_by_role("region", name="Ante and Play")
        expect(line).to_contain_text("net $220.00")
        expect(line).to_contain_text("TCP rule 4")
        sue.clean()
        page.get_by_label("What the dispute is about").fill("seat 1 was paid even money")
        page.get_by_role("button", name="Keep it as a record").click()
        expect(page.get_by_role("heading", name="Dispute 1")).to_be_visible()
        expect(page.get_by_role("button", name="Print")).to_be_visible()
        sue.clean()
        page.emulate_media(media="print")
        expect(page.get_by_role("navigation")).to_have_count(0)
        expect(page.get_by_text("Supervisor")).to_be_visible()
        page.context.close()
