"""TableVision in a real browser: meters that move, a server that goes away, the win, and what everybody can read."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from pitboss.books import LEDGER
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.displays import DISPLAYS, Display
from pitboss.room.people.people import SetDevice
from pitboss.room.room import room_zone
from pitboss.server import live
from pitboss.server.settings import Listening
from pitboss.server.views.formatting import time_of
from tests.doors import doors_of
from tests.pages.room import SLIDE, CardRoom, card_room
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
        expect(self.meter(title).locator(".amount [data-live]")).to_have_text(text)

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
    expect(vision.age).to_contain_text("Updating … amount as of")
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
        # What the pending jackpot covers is not drawn, but it is there when it goes.
        expect(pending).to_contain_text("Next jackpot: $5,000.00")
        expect(vision.page.locator(".meter .amount [data-live]").first).to_have_text("$5,000.00")
        own.verify(hit, {3: "Ad Kd Qd Jd"})
        won = vision.page.get_by_role("region", name="Jackpot won")
        expect(won).to_contain_text("Next jackpot: $5,000.00")
        assert vision.said == []
        vision.page.close()


STAGES = (
    (608, 320, 5.12),
    (1860, 780, 10.8),
    (1240, 640, 10.24),
    (1020, 1200, 10.8),
    (990, 410, 6.0),
    (2500, 760, 10.8),
)
"""Width, height and unit of what a win covers, on the gallery, 16:9, 5:4, portrait, a small panel and 21:9."""
CUT = """([width, height, unit]) => [...document.querySelectorAll(".win")].filter((win) => {
  Object.assign(win.style, { inset: "0 auto auto 0", inlineSize: `${width}px`, blockSize: `${height}px` });
  win.style.setProperty("--u", `${unit}px`);
  const rows = win.querySelectorAll(".win-rows li");
  if (rows.length === 2) rows[1].after(rows[0].cloneNode(true));
  const box = win.getBoundingClientRect(), words = win.querySelector(".win-words").getBoundingClientRect();
  const foot = win.querySelector(".win-now")?.getBoundingClientRect().top ?? box.bottom;
  return words.top < box.top - 1 || words.bottom > foot + 1 || words.left < box.left - 1 || words.right > box.right + 1;
}).map((win) => win.innerText)"""


def test_t_17_a_win_of_several_is_whole_on_every_stage(browser: Browser, room: CardRoom) -> None:
    """Seen on the gallery: with two winners and two meters the plate was cut, with three also the words on it."""
    with serving(room, listening=Listening(parts=True)) as address:
        page = browser.new_page(reduced_motion="reduce")
        page.goto(f"{address}/parts")
        expect(page.locator(".win").last).to_be_visible()
        for stage in STAGES:
            assert page.evaluate(CUT, stage) == [], stage
        page.close()


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


# As tall as 1080 pixels, a 32-inch panel has 0.37 mm a pixel; a letter of 10 arc minutes at 4 m is 11.6 mm high.
_PANEL_MM = 0.37 * 1080
_LEAST_MM = 4_000 * math.tan(math.radians(10 / 60))
# Portrait, 21:9, 5:4 and small screens at half their size; the slow test has the panels themselves, and 4K.
SIZES = ((960, 540), (540, 960), (1280, 540), (640, 512), (512, 300))
PANELS = ((1920, 1080), (1080, 1920), (3840, 2160), (2560, 1080), (1280, 1024), (1024, 600))
# The type of every text that is seen, as a part of the shorter side, and how high its capitals are in the face it is set in.
TYPE = """() => {
  const side = Math.min(innerWidth, innerHeight), pen = document.createElement("canvas").getContext("2d"), found = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), place = walker.currentNode.parentElement;
    if (!text || !place.getClientRects().length || place.closest(".visually-hidden, [hidden]")) continue;
    const style = getComputedStyle(place);
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    found.push({ text, kind: place.closest(".notice") ? "notice" : place.closest("tbody") ? "row" : "other", part: parseFloat(style.fontSize) / side,
                 cap: pen.measureText("H").actualBoundingBoxAscent / side, columns: place.closest("pit-fit")?.dataset.columns ?? "1" });
  }
  for (const drawn of document.querySelectorAll("main .lettered .lettering"))
    if (drawn.getClientRects().length) found.push({ text: "drawn", kind: "drawn", part: drawn.getBoundingClientRect().height / side, cap: 1, columns: "1" });
  return found;
}"""
CUT_OFF = """() => {
  const wide = [...document.querySelectorAll("tr, td, tbody th")].filter((each) => each.scrollWidth > each.clientWidth + 1);
  const high = [...document.querySelectorAll("main, .vision-head > *, .panel, .panel > header, .meter, .ribbon, .limits > div, .win-words, .win-now, pit-fit")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().bottom > innerHeight + 1
      || each.getBoundingClientRect().right > innerWidth + 1 || each.getBoundingClientRect().left < -1 || each.scrollHeight > each.clientHeight + 4);
  const over = [...document.querySelectorAll("tbody tr")].filter((row) => row.getBoundingClientRect().bottom > row.closest("pit-fit").getBoundingClientRect().bottom + 2);
  return [...wide, ...high, ...over].filter((each) => each.getClientRects().length)
    .map((each) => `${each.className || each.tagName} ${each.textContent.trim().slice(0, 40)} ${each.scrollWidth}>${each.clientWidth} ${each.scrollHeight}>${each.clientHeight}`);
}"""
# Nothing of the stage lies on anything else of it: meters, panels, ribbon, plates.
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll(".vision-head > *, .age, .meter h2, .meter .kind, .figures, .plate, .ribbon, .panel, .limits > div, .notices")]
    .filter((each) => each.getClientRects().length).map((each) => [each.className || each.tagName, each.getBoundingClientRect()]);
  return boxes.flatMap(([name, one], place) => boxes.slice(place + 1)
    .filter(([, two]) => Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1)
    .map(([other]) => `${name} lies on ${other}`));
}"""


# Panels are fitted when they are laid out, before they are painted.
SHOW = """(each, place) => { each.show(place); const shown = each.children[place].querySelectorAll("pit-fit");
  for (const panel of [...(place ? [] : document.querySelectorAll(".fixed pit-fit")), ...shown]) panel.fit(); }"""


def slides_of(page: Page) -> Iterator[int]:
    """Show one slide after another."""
    for place in range(page.locator(".slide").count()):
        page.locator("pit-slides").evaluate(SHOW, place)
        yield place


LOOK = f"""() => {{ const slides = document.querySelector("pit-slides");
  return [...slides.children].map((_, place) => {{ ({SHOW})(slides, place); return [({TYPE})(), ({CUT_OFF})(), ({OVERLAPS})()]; }}); }}"""


def verify_type(texts: list[dict[str, Any]]) -> None:
    """Nothing is smaller than 2.8 hundredths of the shorter side, and what the law wants is read from four metres."""
    assert [each for each in texts if each["part"] < 0.0279] == []
    sentences = [each for each in texts if each["kind"] == "notice"]
    assert sentences
    assert [each for each in sentences if each["cap"] * _PANEL_MM < _LEAST_MM] == []


def test_s15_every_text_can_be_read_and_nothing_is_lost_on_any_screen(browser: Browser, room: CardRoom) -> None:
    verify_screens(browser, room, SIZES)


@pytest.mark.slow
def test_s15_the_same_on_the_panels_themselves(browser: Browser, room: CardRoom) -> None:
    verify_screens(browser, room, PANELS)


def verify_screens(browser: Browser, room: CardRoom, sizes: tuple[tuple[int, int], ...]) -> None:
    with serving(room) as address:
        for table in ("4", "6", "7"):
            page = opened(browser, f"{address}/tables/{table}/vision", stands=True).page
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                for place, (texts, cut_off, overlaps) in enumerate(page.evaluate(LOOK)):
                    verify_type(texts)
                    assert (cut_off, overlaps) == ([], []), (table, place, width, height)
            page.close()


def test_j_06_what_is_too_long_takes_turns_and_every_line_of_it_is_seen(browser: Browser, room: CardRoom) -> None:
    with serving(room) as address:
        vision = opened(browser, f"{address}/tables/6/vision", LANDSCAPE, stands=True)
        seen = set()
        for _ in range(vision.page.locator("pit-notices").evaluate("(each) => each.pages")):
            seen |= {tuple(each) for each in vision.page.evaluate(LINES)}
            verify_type(vision.page.evaluate(TYPE))
            vision.page.clock.run_for(8_000)
        whole = vision.page.evaluate("""() => { for (const each of document.querySelectorAll(".notice")) each.hidden = false;
          return [...document.querySelectorAll(".notice")].flatMap((each) => Array.from({ length: Math.round(each.offsetHeight / parseFloat(getComputedStyle(each).lineHeight)) },
            (_, line) => [each.dataset.notice, line])); }""")
        assert seen == {tuple(each) for each in whole}
        assert len(seen) > 3, "the four-wager notice and the three sentences"
        vision.page.close()


# The lines of notices that stand whole in their window.
LINES = """() => { const window = document.querySelector(".notices").getBoundingClientRect();
  return [...document.querySelectorAll(".notice")].filter((each) => each.getClientRects().length).flatMap((each) => {
    const high = parseFloat(getComputedStyle(each).lineHeight), top = each.getBoundingClientRect().top;
    return Array.from({ length: Math.round(each.offsetHeight / high) }, (_, line) => [line, top + line * high])
      .filter(([, at]) => at > window.top - 2 && at + high < window.bottom + 2).map(([line]) => [each.dataset.notice, line]);
  }); }"""


def test_two_meters_and_their_panels_are_aligned(browser: Browser, room: CardRoom) -> None:
    with serving(room) as address:
        page = opened(browser, f"{address}/tables/7/vision", LANDSCAPE, stands=True).page
        page.evaluate("document.fonts.ready")
        tops = "(all) => all.map((each) => { const box = each.getBoundingClientRect(); return [Math.round(box.top), Math.round(box.height)]; })"
        for what in (".meter h2", ".meter .kind", ".figures"):
            first, second = page.locator(what).evaluate_all(tops)
            assert first == second, what
        rows = page.locator(".slide[data-together] .paytable").evaluate_all(
            "(all) => all.map((each) => [...each.querySelectorAll('tbody tr')].map((row) => Math.round(row.getBoundingClientRect().top)))"
        )
        assert all(abs(one - two) <= 1 for one, two in zip(*rows, strict=False))
        rule, first_text = page.evaluate("""() => [document.querySelector(".slide .panel").getBoundingClientRect().top,
          document.querySelector(".slide tbody th").firstChild.parentElement.getBoundingClientRect().top]""")
        assert first_text > rule + 4
        page.close()


def test_a15_a_hit_holds_the_stage_for_two_minutes_and_then_has_every_second_turn(
    browser: Browser, room: CardRoom
) -> None:
    """Turns of a display with a hit until 120 s and three other slides, one every 12 s; a reload finds the same."""
    with serving(room) as address:
        page = opened(browser, f"{address}/tables/4/vision").page
        turns = page.evaluate(
            """async () => {
              const { following } = await import("/parts/slides/slides.js");
              const turns = [{ urgent: true, until: 120 }, ...Array.from({ length: 3 }, () => ({ urgent: false, until: 0 }))];
              const places = [0];
              let plain = -1;
              for (let now = 12; now <= 240; now += 12) {
                const place = following(turns, places.at(-1), plain, now);
                if (!turns[place].urgent) plain = place;
                places.push(place);
              }
              return places;
            }"""
        )
        assert turns[:10] == [0] * 10
        assert turns[10:20] == [1, 0, 2, 0, 3, 0, 1, 0, 2, 0]
        page.close()


def test_a28_a_lost_line_has_its_own_band_and_digits_dim_after_a_minute(browser: Browser, room: CardRoom) -> None:
    with serving(room) as address:
        page = opened(browser, f"{address}/tables/7/vision", LANDSCAPE).page
        lost = "(age, seconds) => age.lost(new Date(Date.now() - seconds * 1000))"
        age = page.locator("pit-age")
        age.evaluate(lost, 5)
        expect(age).to_contain_text("Updating … amount as of")
        assert page.evaluate(OVERLAPS) == []
        opacity = "() => getComputedStyle(document.querySelector('.amount')).opacity"
        before = page.evaluate(opacity)
        age.evaluate(lost, 61)
        assert float(page.evaluate(opacity)) < min(0.4, float(before))
        expect(age).to_contain_text("(1 min ago)")
        age.evaluate("(age) => age.back()")
        assert page.evaluate(opacity) == before
        page.close()


def test_pages_are_clean_and_nothing_is_cut_off(browser: Browser, room: CardRoom) -> None:
    with serving(room) as address:
        for table, size, theme in (("4", LANDSCAPE, "emerald"), ("7", PORTRAIT, "midnight")):
            vision = opened(browser, f"{address}/tables/{table}/vision?theme={theme}", size, reduced_motion="reduce")
            for place in slides_of(vision.page):
                assert vision.page.evaluate(CUT_OFF) == [], (table, place)
            results = Axe().run(vision.page)
            assert results.violations_count == 0, results.generate_report()
            assert vision.said == []
            vision.page.close()


def test_a_display_that_stays_open_over_the_change_of_the_day_shows_the_new_day(
    browser: Browser, room: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written at midnight: yesterday's slide goes, today's comes, and the page was not loaded again."""
    now = time_of(room.room.clock()).astimezone(room_zone(room.room.state))
    today, day = now.date(), datetime.timedelta(days=1)
    yesterdays = replace(SLIDE, name="last", title="Last Call Wednesday", first_day=today, last_day=today)
    tomorrows = replace(SLIDE, name="next", title="Early Bird Thursday", first_day=today + day, last_day=today + day)
    for slide in (yesterdays, tomorrows):
        room.promotions.set(slide, command=f"slide-{slide.name}", actor="Ada")
    monkeypatch.setattr(live, "_BEATS_TO_LOOK_AGAIN", 1)
    clock, ahead = room.room.clock, [0]
    monkeypatch.setattr(room.room, "clock", lambda: clock() + ahead[0])
    with serving(room) as address:
        vision = opened(browser, f"{address}/tables/4/vision")
        old, new = (vision.page.get_by_text(slide.title) for slide in (yesterdays, tomorrows))
        expect(old).to_have_count(1)
        expect(new).to_have_count(0)
        vision.page.evaluate("() => { window.isTheSamePage = true; }")
        midnight = datetime.datetime.combine(today + day, datetime.time(), now.tzinfo)
        ahead[0] = int((midnight - now).total_seconds() + 1) * 1_000_000
        expect(new).to_have_count(1)
        expect(old).to_have_count(0)
        assert vision.page.evaluate("() => window.isTheSamePage"), "it renewed itself in its place"
        room.press("4", final_four=[1])
        vision.shows("Final Four Jackpot", dollars_of(room))
        assert vision.said == []
        vision.page.close()
    for slide in (yesterdays, tomorrows):
        room.promotions.end(slide.name, command=f"end-{slide.name}", actor="Ada")


def dollars_of(room: CardRoom) -> str:
    """What the meter of the linked jackpot shows by the books."""
    cents = room.room.state.of(LEDGER)["final-four"].meter_state.displayed_cents
    return f"${cents / 100:,.2f}"
