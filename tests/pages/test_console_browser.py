"""The console in a real browser, with two displays beside it: whole stories, by touch and by keyboard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from pitboss.commands.command import SYSTEM_ACTOR
from tests.doors import doors_of
from tests.pages.floor import MANAGER, working_room
from tests.pages.room import CardRoom
from tests.pages.serving import serving
from tests.server.making import PIN, command

pytestmark = pytest.mark.xdist_group("browser")
SIZE: ViewportSize = {"width": 1280, "height": 800}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CardRoom]:
    with working_room(tmp_path / "room") as found:
        yield found


class Console:
    """The console of a table, in a browser that is enrolled as it."""

    def __init__(self, context: BrowserContext, room: CardRoom, address: str, name: str) -> None:
        self.page: Page = context.new_page()
        self.said: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        link = room.room.access.make_link(name, "enrol", SYSTEM_ACTOR)
        self.page.goto(f"{address}/links/{link}")
        self.page.get_by_role("button", name="Set up this browser").click()
        self.page.goto(f"{address}/tap")

    def tap_in(self, dealer: str) -> None:
        self.page.get_by_label("Dealer").select_option(label=dealer)
        self.page.get_by_label("PIN").fill(PIN)
        self.page.get_by_role("button", name="Tap in").click()
        expect(self.page.get_by_text(f"Dealer {dealer}")).to_be_visible()
        self.ready()

    def ready(self) -> None:
        """Wait until the keys of the console do something; its forms work before that."""
        expect(self.page.locator("html")).to_have_attribute("data-keys", "ready")

    def seat(self, number: int) -> None:
        self.page.get_by_role("listitem").filter(has_text=f"Seat {number}").get_by_text("Jackpot").click()

    def big(self, name: str) -> None:
        self.page.get_by_role("button", name=name).click()


def clean(page: Page) -> None:
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_a_round_at_the_console_small_prizes_envy_and_a_call_by_its_cards(browser: Browser, room: CardRoom) -> None:
    context = browser.new_context(viewport=SIZE, reduced_motion="reduce")
    with serving(room) as address:
        console = Console(context, room, address, "console 6")
        page = console.page
        console.tap_in("Dan")
        for seat in (1, 3, 6):
            console.seat(seat)
        clean(page)
        page.get_by_role("button", name="Tabulate").dblclick()
        expect(page.get_by_role("button", name="Next round")).to_be_visible()
        expect(page.get_by_text("Four Card Jackpot: counted")).to_have_count(3)
        page.keyboard.press("3")
        page.get_by_role("button", name="Straight Flush $100").click()
        envy = page.get_by_role("region", name="Envy for seat 3")
        expect(envy).to_contain_text("Seat 1 $5")
        envy.get_by_role("button", name="Paid out, $10.00 in all").click()
        expect(page.get_by_text("Envy is paid.")).to_be_visible()
        expect(envy).to_be_hidden()
        clean(page)
        page.get_by_role("link", name="Call a jackpot").click()
        page.get_by_role("radio", name="6").check(force=True)
        for card in ("ace of spades", "ace of hearts", "ace of diamonds", "ace of clubs", "deuce of diamonds"):
            page.get_by_role("button", name=card).click()
        page.get_by_role("button", name="What is it?").click()
        expect(page.get_by_text("Seat 6 has Four Aces")).to_be_visible()
        clean(page)
        display = context.new_page()
        display.goto(f"{address}/tables/6/vision")
        page.get_by_role("button", name="Call it").click()
        expect(page.get_by_text("waits for the supervisor")).to_be_visible()
        expect(display.get_by_role("region", name="Jackpot pending")).to_contain_text("Four Aces")
        console.ready()
        page.keyboard.press("n")
        expect(page.get_by_role("button", name="Tabulate")).to_be_visible()
        assert console.said == []
    context.close()


def test_a_round_by_hand_moves_the_meter_on_two_displays_and_dealers_change_in_the_middle(
    browser: Browser, room: CardRoom
) -> None:
    """The equipment of table 4 is down, so that its dealer counts at the console (E-09); table 5 has the same meter."""
    tables = doors_of(room.room).tables
    context = browser.new_context(viewport=SIZE, reduced_motion="reduce")
    with serving(room) as address:
        console = Console(context, room, address, "console 4")
        console.tap_in("Dan")
        expect(console.page.get_by_text("Button at the table")).to_be_visible()
        displays = [context.new_page() for _ in range(2)]
        for display, table in zip(displays, ("4", "5"), strict=True):
            display.goto(f"{address}/tables/{table}/vision")
        tables.down("4", words="sensor 2 is dead", command=command(), by=MANAGER)
        expect(console.page.get_by_text("Equipment down")).to_be_visible()
        for seat in (2, 5):
            console.seat(seat)
        console.big("Tabulate")
        for display in displays:
            meter = display.get_by_role("region", name="Final Four Jackpot")
            expect(meter.locator("[data-live]")).to_have_text("$23,417.21")
        console.page.get_by_role("link", name="Change dealer").click()
        console.tap_in("Dora")
        console.big("Next round")
        expect(console.page.get_by_role("button", name="Tabulate")).to_be_visible()
        last = tables.table("4").last_round
        assert last is not None
        assert (last.dealer, last.counted) == ("Dan", {"final-four": (2, 5)})
        assert json.dumps(console.said) == "[]"
    context.close()
