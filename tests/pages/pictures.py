"""Pictures of every page for the documentation: `python -m tests.pages.pictures` makes them all anew."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from pitboss.commands.command import SYSTEM_ACTOR, NotReadyError
from tests.doors import doors_of
from tests.pages.desk import DISPUTE, DISPUTE_WORDS, SUE, busy, desk_room, finish
from tests.pages.floor import device_press, working_room
from tests.pages.room import TCP, CardRoom, example
from tests.pages.serving import serving
from tests.pages.tables import EXAMPLE, MAX, WIDER, ask, give, tables_room
from tests.server.making import PASSWORD, PIN, command

OUT = Path(__file__).parents[2] / "docs" / "pictures"
SCREEN: ViewportSize = {"width": 1920, "height": 1080}
FORM_OFFER = "three-card-prime|final-four|F4P-1"
TALL: ViewportSize = {"width": 1080, "height": 1920}
T = TypeVar("T")
TOUCH: ViewportSize = {"width": 1280, "height": 800}


class Camera:
    """A browser that looks at pages and keeps what it saw."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address

    def take(self, name: str, path: str, size: ViewportSize, act: Callable[[Page], None] = lambda _: None) -> None:
        context = self._browser.new_context(viewport=size, reduced_motion="reduce")
        page = context.new_page()
        page.goto(self._address + path)
        act(page)
        page.screenshot(path=OUT / f"{name}.jpg", type="jpeg", quality=74)
        context.close()


def when_counted(act: Callable[[], T]) -> T:
    """Do what needs house edges, as soon as the worker has counted them (G-61)."""
    while True:
        try:
            return act()
        except NotReadyError:
            time.sleep(1)


def _at_console(page: Page) -> None:
    page.get_by_role("button", name="Set up this browser").click()
    page.wait_for_url("**/tap")
    page.get_by_role("radio").first.check()
    page.get_by_label("PIN").fill(PIN)
    page.get_by_role("button", name="Tap in").click()
    for seat in (1, 3, 6):
        page.get_by_role("listitem").filter(has_text=f"Seat {seat}").get_by_text("Jackpot").click()
    page.get_by_role("button", name="Tabulate").click()
    expect(page.get_by_role("button", name="Next round")).to_be_visible()


def _call(page: Page) -> None:
    page.goto(page.url.split("/tables")[0] + "/tables/6/console/call?jackpot=quads&seat=3&cards=9s+9h+9d+9c+2d")


def shoot(browser: Browser, room: CardRoom, address: str) -> None:
    camera = Camera(browser, address)
    camera.take("front", "/", TOUCH)
    camera.take("vision", "/tables/4/vision", SCREEN)
    camera.take("vision-two", "/tables/7/vision?theme=midnight", SCREEN)
    camera.take("vision-bonus", "/tables/6/vision", TALL)

    def link() -> str:
        return f"/links/{room.room.access.make_link('console 6', 'enrol', SYSTEM_ACTOR)}"

    def counted_and_called(page: Page) -> None:
        _at_console(page)
        page.screenshot(path=OUT / "console.jpg", type="jpeg", quality=74)
        _call(page)

    camera.take("console-call", link(), TOUCH, counted_and_called)
    device_press(room, "5", 1, 2, 3)
    hit = room.call("final-four", "5", 3, "4-card diamond Royal")
    camera.take("vision-pending", "/tables/4/vision", SCREEN)
    room.verify(hit, {3: "Ad Kd Qd Jd"})
    camera.take("vision-win", "/tables/4/vision", SCREEN)


def shoot_desk(browser: Browser, room: CardRoom, address: str) -> None:
    """The floor desk on a busy evening, a dispute, and a hit that is closed."""
    made, camera = busy(room), Camera(browser, address)
    finish(room, made["royal"])
    doors_of(room.room).disputes.settle("4", DISPUTE, words=DISPUTE_WORDS, round_number=311, command=command(), by=SUE)

    def signed_in(page: Page) -> None:
        page.locator("[name=login]").fill("max")
        page.locator("[name=password]").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator("nav.nav-rail")).to_be_visible()

    places = {"floor": "/floor", "dispute": "/floor/disputes/1", "office-hit": f"/office/hits/{made['royal']}"}
    places |= {"start": "/office/start", "jackpot-form": f"/office/jackpots/new/progressive?offer={quote(FORM_OFFER)}"}
    for name, path in places.items():
        camera.take(name, f"/sign-in?next={quote(path)}", TOUCH, signed_in)

    def at_slip(page: Page) -> None:
        signed_in(page)
        page.locator("a[href*='/slips/']").first.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Slip")

    camera.take("slip", f"/sign-in?next={quote(places['office-hit'])}", TOUCH, at_slip)


def shoot_play(browser: Browser, room: CardRoom, address: str) -> None:
    """A table that Pitboss deals: three seats in mid-round."""
    doors, table = doors_of(room.room), "9"
    when_counted(lambda: doors.posted.post(table, example(TCP), command=command(), actor="Max"))
    said = {"approval": "", "words": "training", "actor": "Max", "approved_by": "Sue"}
    doors.dealing.set(table, "dealt", "play", command=command(), **said)
    room.room.dealing._new_key = lambda: bytes(32)
    doors.dealing.shuffle(table, command=command(), actor="Dan")
    for seat, cents in {1: 1_000, 2: 2_500, 4: 5_000}.items():
        wager = {"do": "wager", "seat": seat, "wagers": {"ante-play": cents, "prime": 500}}
        doors.dealing.operate(table, wager, command=command(), actor="Dan")
    doors.dealing.operate(table, {"do": "deal"}, command=command(), actor="Dan")

    def signed_in(page: Page) -> None:
        page.locator("[name=login]").fill("dan")
        page.locator("[name=password]").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("button", name="Fold")).to_be_visible()

    Camera(browser, address).take("play", f"/sign-in?next=/tables/{table}/play", TOUCH, signed_in)


def shoot_tables(browser: Browser, room: CardRoom, address: str) -> None:
    """A configuration while it is edited, with something wrong; and a table with what was in force, and its odds."""
    wider = {"table": "1", "configuration": WIDER, "words": "holiday limits"}
    asked = when_counted(lambda: ask(room, "tables/post", MAX, **wider))
    when_counted(lambda: give(room, asked))
    later = {"table": "1", "configuration": EXAMPLE, "opens": "2027-03-01T06:00", "words": "as before"}
    when_counted(lambda: ask(room, "tables/post", MAX, **later))
    camera = Camera(browser, address)

    def counted(page: Page) -> None:
        page.locator("[name=login]").fill("max")
        page.locator("[name=password]").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("able 1")
        # The odds are the worker's own: the first time they are counted for minutes.
        expect(page.locator("[data-figure]")).to_have_count(0, timeout=900_000)

    def edited(page: Page) -> None:
        counted(page)
        main = page.get_by_role("group", name="Ante and Play")
        main.get_by_label("Maximum").fill("500")
        main.get_by_label("Pay table").select_option("PW/BB-3")
        expect(page.locator("#ready")).to_have_attribute("data-ready", "no")
        expect(page.locator("[data-figure]")).to_have_count(0, timeout=900_000)

    camera.take("office-table", "/sign-in?next=/office/tables/1", TOUCH, counted)
    camera.take("office-table-edit", "/sign-in?next=/office/tables/1/edit", TOUCH, edited)


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    found = shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        working_room(Path(folder) / "room") as room,
        serving(room) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        shoot(browser, room, address)
        shoot_play(browser, room, address)
        with desk_room(Path(folder) / "desk") as busy_room, serving(busy_room) as place:
            shoot_desk(browser, busy_room, place)
        with tables_room(Path(folder) / "tables") as tables, serving(tables) as place:
            shoot_tables(browser, tables, place)
        browser.close()


if __name__ == "__main__":
    main()
