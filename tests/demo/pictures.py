"""Pictures of the demo room for the documentation, by a clock that stands: `python -m tests.demo.pictures`."""

from __future__ import annotations

import datetime
import json
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from pitboss.books import microseconds
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.demo.history import build_room
from pitboss.room.room import Room
from pitboss.server.api.summary import room_summary
from pitboss.server.worker.theory import TheoryJob
from pitboss.tabulator import TABLES
from tests.doors import Slides, doors_of, executor_of
from tests.pages.company import DOWN, answering, serving_company
from tests.pages.pictures import OUT, TOUCH
from tests.pages.room import CardRoom
from tests.pages.serving import serving

NOW = microseconds(datetime.datetime(2026, 11, 16, 20, 0, tzinfo=datetime.UTC))
WIDE: ViewportSize = {"width": 1280, "height": 720}
TABLE = "5"


def press(room: Room, *places: tuple[int, int]) -> None:
    """Press the button of a table, so that a round is on it."""
    tables = room.state.of(TABLES)
    device = tables.tables[TABLE].setup.device
    said = {"device": device, "table": TABLE, "type": "press", "sequence": tables.devices[device].sequence + 1}
    seen = [list(place) for place in places]
    reply = doors_of(room).tables.receive(json.dumps(said | {"at": NOW, "sent": NOW, "sensors": seen}))
    assert reply["status"] == "counted", reply


class Camera:
    """A browser window that goes from page to page, and keeps what it sees."""

    def __init__(self, browser: Browser, address: str, size: ViewportSize) -> None:
        self.page: Page = browser.new_context(viewport=size, reduced_motion="reduce").new_page()
        self.address = address

    def take(self, name: str, path: str, *, whole: bool = False) -> None:
        self.page.goto(self.address + path)
        self.keep(name, whole=whole)

    def keep(self, name: str, *, whole: bool = False) -> None:
        self.page.screenshot(path=OUT / f"{name}.jpg", type="jpeg", quality=74, full_page=whole)


def shoot(browser: Browser, room: Room, address: str) -> None:
    Camera(browser, address, WIDE).take("demo-vision", "/tables/1/vision")
    desk = Camera(browser, address, TOUCH)
    desk.take("sign-in", "/sign-in")
    desk.take("link", f"/links/{room.access.make_link('dan', 'sign-in', SYSTEM_ACTOR)}")
    desk.page.get_by_role("button").first.click()
    expect(desk.page.get_by_text("Dan Ortiz")).to_be_visible()
    desk.take("demo-front", "/", whole=True)
    desk.take("account", "/account", whole=True)
    press(room, (1, 1), (2, 1), (2, 2), (4, 1), (4, 2), (5, 2), (7, 1))
    desk.take("demo-console", f"/tables/{TABLE}/console")
    console = Camera(browser, address, TOUCH)
    console.page.goto(f"{address}/links/{room.access.make_link('Console 1', 'enrol', SYSTEM_ACTOR)}")
    console.page.get_by_role("button", name="Set up this browser").click()
    console.page.wait_for_url("**/tap")
    console.keep("tap")


def signed_in(browser: Browser, room: Room, address: str, login: str) -> Camera:
    """Return a window in which a person of the demo has signed in by a link."""
    desk = Camera(browser, address, TOUCH)
    desk.page.goto(f"{address}/links/{room.access.make_link(login, 'sign-in', SYSTEM_ACTOR)}")
    desk.page.get_by_role("button").first.click()
    expect(desk.page.locator("nav.nav-rail")).to_be_visible()
    return desk


def shoot_day(browser: Browser, room: Room, address: str) -> None:
    """The pages of the jobs in `docs/run-a-room`."""
    manager = signed_in(browser, room, address, "max")
    manager.take("today", "/today")
    manager.page.goto(f"{address}/floor")
    card = manager.page.locator(".approval[data-mine=yes]").first
    card.locator("summary", has_text="Review").first.click()
    card.screenshot(path=OUT / "approval.jpg", type="jpeg", quality=74)
    supervisor = signed_in(browser, room, address, "sue")
    supervisor.page.goto(f"{address}/floor/tables/1")
    form = supervisor.page.locator("#form-down")
    form.locator("summary").first.click()
    form.locator("[name=words]").fill("Seat 3 light stuck")
    form.get_by_role("button").click()
    expect(supervisor.page.get_by_text("Out of service.").first).to_be_visible()
    supervisor.page.locator("#equipment").scroll_into_view_if_needed()
    supervisor.keep("service")
    signed_in(browser, room, address, "lee").take("count", "/office/count")
    administrator = signed_in(browser, room, address, "ada")
    administrator.page.goto(f"{address}/office/people")
    administrator.page.get_by_label("Full name").fill("Maria Lopez")
    administrator.page.get_by_role("group", name="Roles").last.get_by_label("Auditor", exact=True).check()
    administrator.page.get_by_role("button", name="Add person").click()
    expect(administrator.page.get_by_role("img", name="QR code")).to_be_visible()
    administrator.keep("people")
    administrator.page.goto(f"{address}/office/devices")
    administrator.page.get_by_label("Type").select_option("screen")
    administrator.page.get_by_label("Name", exact=True).fill("Display 1 b")
    administrator.page.get_by_label("Table", exact=True).select_option("1")
    administrator.page.get_by_role("button", name="Add device").click()
    expect(administrator.page.get_by_role("img", name="QR code")).to_be_visible()
    administrator.keep("devices")


def shoot_company(browser: Browser, room: Room) -> None:
    """The page of a company whose rooms are three of the demo's, one of which is down."""
    days = {"first": "2026-10-16", "last": "2026-11-15"}
    theory = TheoryJob(path=str(room.path), at=NOW, **days).run()
    answers = {name: {**room_summary(room), "theory": theory} for name in ("North Room", DOWN, "East Room")}
    with serving_company(answering(answers, NOW)) as address:
        Camera(browser, address, WIDE).take("company", "/", whole=True)


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "room"
        build_room(path, NOW)
        with (
            Room(path, clock=lambda: NOW) as room,
            serving(CardRoom(room, Slides(executor_of(room.books, room.clock)))) as address,
        ):
            found = shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
            shoot(browser, room, address)
            shoot_day(browser, room, address)
            shoot_company(browser, room)
            browser.close()


if __name__ == "__main__":
    main()
