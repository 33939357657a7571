"""TableVision in a real browser: meters that move, a server that goes away, the win, and what everybody can read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.displays import DISPLAYS, Display
from pitboss.room.people.people import SetDevice
from tests.doors import doors_of
from tests.pages.room import CardRoom, card_room
from tests.pages.serving import serving

pytestmark = pytest.mark.xdist_group("browser")
LANDSCAPE, PORTRAIT = {"width": 1280, "height": 720}, {"width": 720, "height": 1280}
# Everything is a part of the screen, so that a small one shows the same and is drawn sooner.
SMALL = {"width": 640, "height": 360}


@dataclass
class Vision:
    """A display that is open, and what its browser had to say."""

    page: Page
    said: list[str] = field(default_factory=list)

    def meter(self, title: str) -> Locator:
        return self.page.get_by_role("region", name=title)

    def shows(self, title: str, text: str) -> None:
        expect(self.meter(title).locator("pit-odometer [data-live]")).to_have_text(text)

    @property
    def age(self) -> Locator:
        return self.page.get_by_role("status")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with card_room(tmp_path_factory.mktemp("browser") / "room") as found:
        found.press("4", final_four=[1, 2, 3])
        found.press("7", aces=[1], high_aces=[1])
        yield found


def opened(
    browser: Browser, address: str, size: dict[str, int] = SMALL, *, stands: bool = False, **options: object
) -> Vision:
    """Open a display; where its clock `stands`, time passes only as a test lets it."""
    page = browser.new_page(viewport=size, **options)  # type: ignore[arg-type]
    if stands:
        page.clock.install(time=0)
        page.clock.pause_at(1_000)
    vision = Vision(page)
    page.on("console", lambda message: vision.said.append(message.text))
    page.on("pageerror", lambda error: vision.said.append(str(error)))
    page.goto(address)
    return vision


def test_t_05_a_press_moves_the_meter_on_two_displays_and_none_shows_more_than_the_ledger(
    browser: Browser, room: CardRoom
) -> None:
    with serving(room) as address:
        first = opened(browser, f"{address}/tables/4/vision", stands=True)
        second = opened(browser, f"{address}/tables/5/vision", reduced_motion="reduce")
        first.shows("Final Four Jackpot", "$23,417.38")
        room.press("5", final_four=[1, 2, 3, 4, 5, 6, 7])
        for vision in (first, second):
            vision.shows("Final Four Jackpot", "$23,418.60")
            row = vision.page.get_by_role("row", name="4-card diamond Royal")
            expect(row.get_by_role("cell", name="$23,418.60")).to_be_visible()
        watched = []
        for _ in range(_STEPS):
            watched.append(first.page.evaluate(READ))
            first.page.clock.run_for(100)
        assert watched[0] == 2341738, "the clock of this page stands, and so do its reels"
        assert watched == sorted(watched), "it rises"
        assert len(set(watched)) > _STEPS // 2, "it moves smoothly, whatever the machine"
        assert max(watched) == watched[-1] == 2341860, "it comes to the ledger's amount and not beyond (G-3)"
        assert first.said == []
        first.page.close()
        second.page.close()


_STEPS = 45
"""Tenths of a second, by the page's own clock: the reels turn for four seconds."""
# Reads the amount off the reels as an eye would: each reel by the figure that fills its window or has passed it.
READ = """() => Number([...document.querySelectorAll("pit-odometer .reel")].map((reel) => {
  const moved = parseFloat(reel.style.translate.split(" ")[1]);
  return reel.style.translate ? Math.floor(-moved * 11 / 100 + 1e-3) % 10 : Number(reel.parentElement.dataset.digit);
}).join(""))"""


def test_an_odometer_shows_no_more_than_its_amount_wherever_it_stands(browser: Browser, room: CardRoom) -> None:
    """The two functions that turn the reels, tried on many ways from one amount to another."""
    with serving(room) as address:
        page = opened(browser, f"{address}/tables/4/vision").page
        wrong = page.evaluate(
            """async () => {
              const { between, reelAt } = await import("/parts/odometer/odometer.js");
              const wrong = [];
              for (const from of [0, 7, 99, 9999, 123456, 99999999]) for (const more of [1, 9, 10, 101, 98765]) {
                let last = from;
                for (let part = -0.1; part <= 1.2; part += 0.01) {
                  const at = between(from, from + more, part);
                  let read = 0;
                  for (let place = 0; place < 11; place++) read += Math.floor(reelAt(at, place) % 10) * 10 ** place;
                  if (at < last || at > from + more || read > at || at - read >= 1) wrong.push([from, more, part, at, read]);
                  last = at;
                }
                if (last !== from + more || between(from + more, from, 0) !== from) wrong.push([from, more, last]);
              }
              return wrong;
            }"""
        )
        assert wrong == []
        page.close()


def test_a_display_that_loses_its_server_keeps_the_amount_tells_its_age_and_recovers(
    browser: Browser, room: CardRoom
) -> None:
    with serving(room) as address:
        vision = opened(browser, f"{address}/tables/6/vision")
        vision.shows("Four Card Jackpot", "$5,000.00")
        expect(vision.age).to_be_hidden()
    expect(vision.age).to_contain_text("No connection. Amounts as of")
    vision.shows("Four Card Jackpot", "$5,000.00")
    room.jackpots.post_bonus("quads", 6_250_00, words="holiday", command="post-1", actor="Ada")
    with serving(room, port=int(address.rpartition(":")[2])):
        vision.shows("Four Card Jackpot", "$6,250.00")
        expect(vision.age).to_be_hidden()
        vision.page.close()


def test_t_17_a_hit_takes_the_stage_by_itself_and_the_win_follows(browser: Browser, tmp_path: Path) -> None:
    with card_room(tmp_path / "room") as own, serving(own) as address:
        own.press("5", final_four=[1, 2, 3])
        vision = opened(browser, f"{address}/tables/4/vision", reduced_motion="reduce")
        vision.shows("Final Four Jackpot", "$23,417.38")
        hit = own.call("final-four", "5", 3, "4-card diamond Royal")
        pending = vision.page.get_by_role("region", name="Jackpot pending")
        expect(pending).to_contain_text("$23,417.38")
        expect(pending).to_contain_text("Table 5, seat 3")
        vision.shows("Final Four Jackpot", "$5,000.00")
        own.verify(hit, {3: "Ad Kd Qd Jd"})
        won = vision.page.get_by_role("region", name="Jackpot won")
        expect(won).to_contain_text("The jackpot is now $5,000.00.")
        assert vision.said == []
        vision.page.close()


def test_t_04_a_display_of_the_room_says_what_it_shows(browser: Browser, room: CardRoom) -> None:
    device = SetDevice(name="screen 6", what="display", table="6", active=True, first=True)
    room.room.access.set_device(device, SYSTEM_ACTOR, id="screen")
    doors_of(room.room).displays.register(Display("screen 6", "6", "screen"), command="register", actor="Ada")
    with serving(room) as address:
        vision = opened(browser, f"{address}/links/{room.room.access.make_link('screen 6', 'enrol', SYSTEM_ACTOR)}")
        with vision.page.expect_response("**/displays/beat") as answer:
            vision.page.get_by_role("button", name="Set up this browser").click()
        assert answer.value.status == 200
        doors_of(room.room).displays.review(command="review")
        assert room.books.state("room").of(DISPLAYS)["screen 6"].condition == "showing"
        vision.page.close()


def test_pages_are_clean_and_nothing_is_cut_off(browser: Browser, room: CardRoom) -> None:
    with serving(room) as address:
        for table, size, theme in (("4", LANDSCAPE, "emerald"), ("7", PORTRAIT, "midnight")):
            vision = opened(browser, f"{address}/tables/{table}/vision?theme={theme}", size, reduced_motion="reduce")
            for place in range(vision.page.locator(".slide").count()):
                vision.page.locator("pit-slides").evaluate("(each, place) => each.show(place)", place)
                assert vision.page.evaluate(CUT_OFF) == [], (table, place)
            results = Axe().run(vision.page)
            assert results.violations_count == 0, results.generate_report()
            assert vision.said == []
            vision.page.close()


CUT_OFF = """() => [...document.querySelectorAll("main, .panel, .meter, .notice, .limits > div, .win-words, td, tbody th")]
  .filter((each) => each.getClientRects().length)
  .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().bottom > innerHeight + 1
    || each.getBoundingClientRect().right > innerWidth + 1 || each.scrollHeight > each.clientHeight + 4)
  .map((each) => `${each.className || each.tagName} ${each.textContent.trim().slice(0, 40)} ${each.scrollWidth}>${each.clientWidth} ${each.scrollHeight}>${each.clientHeight}`)"""
